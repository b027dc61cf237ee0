"""Our entries in somebody's config.toml: put in, put right, taken out; when it is left alone."""

from __future__ import annotations

import pytest

from hookpm import agents
from hookpm.agents import shell_line
from hookpm.agents.wiring import Entry
from hookpm.contract.events import EVENTS
from hookpm.edit import tomldoc, tomledit
from hookpm.project import wiretoml
from hookpm.project.home.userbridge import able

KIMI = agents.load("kimi")
MINE = "# mine\nmodel = 'x'\n\n[[hooks]]\nevent = 'Stop'\ncommand = 'mine.sh'\n\n[tui]\nx = 1"
TWO = ("PreToolUse", "Stop")


def entries(*events: str) -> list[Entry]:
    return KIMI.wiring.entries(events, 10)


@pytest.mark.parametrize("text", [None, "", MINE, MINE.replace("\n", "\r\n") + "\r\n"])
def test_entries_go_in_once_and_out_to_the_byte(text: str | None) -> None:
    outcome = wiretoml.wire(KIMI, text, entries(*TWO))
    assert outcome.wired
    assert outcome.text is not None
    again = wiretoml.wire(KIMI, outcome.text, entries(*TWO), outcome.undo)
    assert (again.text, again.notes) == (outcome.text, ())
    document = tomldoc.parse(outcome.text)
    assert wiretoml.lines(KIMI, document) == {e: shell_line.present("kimi", e) for e in TWO}
    assert wiretoml.unwire(KIMI, outcome.text, outcome.undo).text == (text or "")


def test_an_event_more_or_less_changes_nothing_else() -> None:
    first = wiretoml.wire(KIMI, MINE, entries("Stop"))
    more = wiretoml.wire(KIMI, first.text, entries(*EVENTS), first.undo)
    less = wiretoml.wire(KIMI, more.text, entries("Stop"), more.undo)
    assert less.text == first.text
    assert wiretoml.wire(KIMI, less.text, (), less.undo).text == MINE


@pytest.mark.parametrize(
    ("old", "new", "note"),
    [
        ("timeout = 600", "timeout = 5", "put right"),
        ("timeout = 600", "timeout = 600\nmatcher = 'Bash'", "put right"),
        (f"'{shell_line.present('kimi', 'Stop')}'", "'hookpm run kimi Stop'", "put right"),
    ],
)
def test_an_entry_that_was_edited_or_is_old_is_put_right(old: str, new: str, note: str) -> None:
    outcome = wiretoml.wire(KIMI, MINE + "\n", entries("Stop"))
    assert outcome.text is not None
    edited = outcome.text.replace(old, new)
    assert edited != outcome.text
    mended = wiretoml.wire(KIMI, edited, entries("Stop"), outcome.undo)
    assert mended.text == outcome.text
    assert [note in line for line in mended.notes] == [True]


def test_a_second_copy_goes_and_the_first_exact_one_stays() -> None:
    outcome = wiretoml.wire(KIMI, "", entries("Stop"))
    assert outcome.text is not None
    for copied in (
        outcome.text + "\n" + outcome.text,
        outcome.text.replace("600", "5") + "\n" + outcome.text,
    ):
        mended = wiretoml.wire(KIMI, copied, entries("Stop"))
        assert mended.text is not None
        assert tomldoc.parse(mended.text).value == tomldoc.parse(outcome.text).value
        assert "a second copy" in mended.notes[0]


@pytest.mark.parametrize(
    ("text", "line", "words"),
    [
        ("x = \n", 1, "not valid TOML"),
        ("x = 1\n[[hooks]]\nevent = 'No'\ncommand = 'x'\n", 3, "unknown event"),
        ("hooks = 5\n", 1, "list of tables"),
    ],
)
def test_a_file_that_kimi_would_not_take_is_left_alone_and_said(
    text: str, line: int, words: str
) -> None:
    outcome = wiretoml.wire(KIMI, text, entries(*TWO))
    assert not outcome.wired
    assert outcome.text == text
    assert outcome.findings[0].line == line
    assert words in outcome.findings[0].message


def test_a_key_behind_our_entry_stays_with_the_file_and_is_named() -> None:
    outcome = wiretoml.wire(KIMI, "", entries("Stop"))
    text = f"{outcome.text}model = 'mine'\n"
    for after in (wiretoml.unwire(KIMI, text), wiretoml.wire(KIMI, text, entries(*TWO))):
        assert after.text == text
        assert after.findings[0].line == 5
        assert "model" in after.findings[0].message


def test_the_line_of_another_agent_is_only_named() -> None:
    text = "[[hooks]]\nevent = 'Stop'\ncommand = 'hookpm run claude Stop'\n"
    outcome = wiretoml.wire(KIMI, text, entries("Stop"))
    assert outcome.text is not None
    assert outcome.text.startswith(text)
    assert "the line of claude" in outcome.notes[0]
    assert wiretoml.unwire(KIMI, outcome.text).text == text


def test_a_matcher_of_the_users_that_never_matches_is_said() -> None:
    text = "[[hooks]]\nevent = 'Stop'\ncommand = 'x'\nmatcher = '*'\n"
    outcome = wiretoml.wire(KIMI, text, entries("Stop"))
    assert outcome.wired
    assert [finding.line for finding in outcome.off] == [4]


def test_the_user_bridges_own_line_goes_in_and_out_too() -> None:
    (kimi,) = [agent for agent in able() if agent.name == "kimi"]
    outcome = wiretoml.wire(kimi, MINE, kimi.wiring.entries(TWO, 10))
    assert outcome.wired, outcome.findings
    assert outcome.text is not None
    lines = wiretoml.lines(kimi, tomldoc.parse(outcome.text))
    assert list(lines) == list(TWO)
    assert lines["Stop"] != shell_line.present("kimi", "Stop")
    assert wiretoml.unwire(kimi, outcome.text, outcome.undo).text == MINE
    assert tomledit.newline_of(outcome.text) == "\n"
