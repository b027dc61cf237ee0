"""Kimi's entries stand in the user's config.toml: in and out again, and what drops all hooks."""

from __future__ import annotations

from typing import Any

import pytest

from hookpm import agents
from hookpm.agents import shell_line
from hookpm.agents.kimi import wiring
from hookpm.contract.events import EVENTS
from hookpm.edit import tomledit
from hookpm.edit.tomldoc import parse
from hookpm.errors import FileFormatError

MINE = """\
default_model = "k2"

[[hooks]]
event = "PreToolUse"
matcher = "^Bash$" # shell only
command = "node /work/hookpm-notes/run.js"

[thinking]
effort = "high"
"""


def wired(text: str) -> tuple[str, tomledit.Undo]:
    undo: tomledit.Undo = ()
    for entry in wiring.entries(EVENTS, 10):
        edited = tomledit.append(text, entry.path, entry.value)
        text, undo = edited.text, tomledit.merge_undo(undo, edited.undo)
    return text, undo


def ours(text: str) -> list[int]:
    hooks = parse(text).get(("hooks",)) or []
    return [index for index, value in enumerate(hooks) if wiring.owner_of(value)]


def test_kimi_cannot_be_wired_in_a_project_and_says_why() -> None:
    agent = agents.load("kimi")
    assert agent.scope == "user"
    assert "no file of a project" in agent.why_not
    assert agent not in agents.wirable()
    assert agent.facts.config == wiring.USER_FILE == wiring.FILE


@pytest.mark.parametrize("text", ["", MINE, MINE.rstrip("\n"), MINE.replace("\n", "\r\n")])
def test_our_entries_go_in_and_out_of_the_users_file(text: str) -> None:
    edited, undo = wired(text)
    assert wiring.dropped_by(parse(edited)) == []
    assert wiring.switched_off(parse(edited)) == []
    found = ours(edited)
    assert [parse(edited).get(("hooks", index, "event")) for index in found] == list(EVENTS)
    places = [("hooks", index) for index in found]
    assert tomledit.remove_many(edited, places, undo) == text


def test_an_entry_has_no_matcher_and_the_longest_timeout_that_kimi_takes() -> None:
    for longest in (5.0, 3600.0):
        (entry,) = wiring.entries(("Stop",), longest)
        assert entry.value == {
            "event": "Stop",
            "command": shell_line.present("kimi", "Stop"),
            "timeout": 600,
        }


def test_an_entry_that_kimi_wrote_anew_is_still_ours() -> None:
    edited, _ = wired("")
    again = ""
    for value in parse(edited).get(("hooks",)):
        again = tomledit.append(again, ("hooks",), dict(reversed(value.items()))).text
    assert len(ours(again)) == len(EVENTS)


@pytest.mark.parametrize(
    ("more", "whole"),
    [({}, True), ({"matcher": "Bash"}, True), ({"timeout": 5}, True), ({"model": "x"}, False)],
)
def test_a_key_of_the_users_in_our_entry_makes_it_not_wholly_ours(
    more: dict[str, Any], whole: bool
) -> None:
    (entry,) = wiring.entries(("Stop",), 10)
    owned = wiring.owner_of({**entry.value, **more})
    assert owned is not None
    assert owned.whole == whole
    assert owned.handlers == (((), "kimi", "Stop", True),)


def lines(text: str) -> list[int]:
    return [finding.line for finding in wiring.dropped_by(parse(text))]


GOOD = "[[hooks]]\nevent = 'Stop'\ncommand = 'x'\n"


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("", []),
        (GOOD, []),
        (GOOD + "timeout = 600\nmatcher = ''\n", []),
        (GOOD + "timeout = 600.0\n", []),
        (GOOD + "timeout = 601\n", [4]),
        (GOOD + "timeout = 0\n", [4]),
        (GOOD + "timeout = 1.5\n", [4]),
        (GOOD + "timeout = '5'\n", [4]),
        (GOOD + "timeout = true\n", [4]),
        (GOOD + "matcher = 5\n", [4]),
        (GOOD + "statusMessage = 'x'\n", [4]),
        ("[[hooks]]\nevent = 'PreFoo'\ncommand = 'x'\n", [2]),
        ("[[hooks]]\nevent = 'Stop'\ncommand = ''\n", [3]),
        ("[[hooks]]\nevent = 'Stop'\n", [1]),
        ("[[hooks]]\ncommand = 'x'\n", [1]),
        (GOOD + "\n" + GOOD + "type = 'command'\n", [8]),
        ("x = 1\n[[hooks.PreToolUse]]\nmatcher = 'x'\n", [2]),
        ("hooks = 5\n", [1]),
        ("hooks = [1]\n", [1]),
        ("hooks = [{ event = 'Stop', command = 'x', cwd = '.' }]\n", [1]),
    ],
)
def test_what_makes_kimi_drop_all_hooks_is_named(text: str, found: list[int]) -> None:
    assert lines(text) == found


def test_a_matcher_that_never_matches_is_named() -> None:
    text = f"{GOOD}matcher = '*'\n{GOOD}matcher = '['\n{GOOD}matcher = 'B.*h|^Wr'\n"
    found = wiring.switched_off(parse(text))
    assert [finding.line for finding in found] == [4, 8]
    assert 'the matcher "*" is no regular expression' in found[0].message


def test_a_key_put_behind_our_entries_is_named_and_never_removed_with_them() -> None:
    edited, undo = wired("")
    text = edited + 'default_model = "mine"\n'
    (finding,) = wiring.dropped_by(parse(text))
    assert 'the unknown key "default_model"' in finding.message
    last = len(EVENTS) - 1
    value = wiring.entries(EVENTS, 10)[last].value
    with pytest.raises(FileFormatError):
        tomledit.remove(text, ("hooks", last), undo, value=value)
