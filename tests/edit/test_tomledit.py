"""Entries go into somebody's TOML and out again: every other byte stays."""

from __future__ import annotations

from typing import Any

import pytest

from hookpm.edit import tomledit
from hookpm.edit.tomldoc import parse
from hookpm.edit.tomledit import append, merge_undo, remove, remove_many
from hookpm.errors import FileFormatError, HookpmError

BOM = "\ufeff"
OURS: dict[str, Any] = {"event": "Stop", "command": 'b="$d/x"; exit 0', "timeout": 600}
GROUP: dict[str, Any] = {"hooks": [{"type": "command", "command": "x"}, {"type": "command"}]}

# A user's config as Codex has it: a comment first, an array of tables, a later table.
CODEX = """\
# ours
model = "x"

[[hooks.PreToolUse]]
matcher = "^Bash$"
[[hooks.PreToolUse.hooks]]
type = "command"
command = '"$(git rev-parse --show-toplevel)/g.sh"' # literal

[tui]
notifications = true
"""

TEXTS = {
    "nothing": "",
    "blank": " \n\n",
    "space without a newline": "  ",
    "only a comment": "# mine",
    "a key": 'model = "x"\n',
    "no final newline": 'model = "x"',
    "a last table without a newline": "[tui]\nx = 1 # one",
    "two final newlines": "x = 1\n\n",
    "crlf": 'model = "x"\r\n\r\n[tui]\r\nx = 1\r\n',
    "crlf without a final newline": "[tui]\r\nx = 1",
    "bom": BOM + 'model = "x"\n',
    "only a bom": BOM,
    "bom and crlf": BOM + "[tui]\r\nx = 1\r\n",
    "codex": CODEX,
    "hooks of the user": '[[hooks]]\nevent = "Stop"\ncommand = "mine"\n\n[tui]\nx = 1\n',
    "hooks in an empty list": "hooks = []\n[tui]\n",
    "hooks in an empty list with space": "hooks = [ ]",
    "hooks in an empty list with a comment": "hooks = [ # none yet\n]\n",
    "hooks in brackets": 'hooks = [{event = "Stop", command = "mine"}] # mine\n[tui]\nx = 1\n',
    "hooks in lines": 'hooks = [\n  { event = "Stop", command = "a, b" }, # one\n]\n',
    "hooks in lines without a last comma": 'hooks = [\r\n\t{ command = "]" },\r\n\t{ x = 1 }\r\n]',
    "text that looks like ours": 'x = """\n[[hooks]]\nevent = "Stop"\n"""\ny = \'[[hooks]]\'\n',
    "nested lists": 'x = [[1, 2], [ "]", # ]\n [3]]]\n[[a.b]]\n[[a.b.c]]\n[a.b.c.d]\n',
}


def path_in(text: str) -> tuple[str, ...]:
    return ("hooks", "PreToolUse") if "hooks.PreToolUse" in text else ("hooks",)


@pytest.mark.parametrize("text", TEXTS.values(), ids=list(TEXTS))
@pytest.mark.parametrize("order", ["first first", "last first", "at once"])
def test_what_goes_in_comes_out_and_leaves_every_byte(text: str, order: str) -> None:
    path = path_in(text)
    before = len(parse(text).get(path) or ())
    first = append(text, path, OURS)
    second = append(first.text, path, GROUP)
    undo = merge_undo(first.undo, second.undo)
    items = parse(second.text).get(path)
    assert items[before:] == [OURS, GROUP]
    both: list[tuple[str | int, ...]] = [(*path, before), (*path, before + 1)]
    if order == "at once":
        assert remove_many(second.text, both, undo) == text
    elif order == "first first":
        left = remove(second.text, both[0], undo)
        assert parse(left).get(both[0]) == GROUP
        assert remove(left, both[0], undo) == text
    else:
        assert remove(remove(second.text, both[1], undo), both[0], undo) == text


@pytest.mark.parametrize("text", TEXTS.values(), ids=list(TEXTS))
def test_an_entry_is_written_in_the_files_own_newlines(text: str) -> None:
    edited = append(text, path_in(text), OURS).text
    if "\r\n" in text:
        assert edited.count("\n") == edited.count("\r\n")
    else:
        assert "\r" not in edited
    assert edited.startswith(BOM) == text.startswith(BOM)


def test_a_later_table_of_the_users_is_not_swallowed_into_ours() -> None:
    edited = append(CODEX, ("hooks", "PreToolUse"), GROUP)
    assert edited.text.startswith(CODEX)
    theirs = edited.text + "\n# about notices\n[notice]\nhide = true\n"
    assert parse(theirs).get(("notice",)) == {"hide": True}
    assert remove(theirs, ("hooks", "PreToolUse", 1)) == CODEX + (
        "\n# about notices\n[notice]\nhide = true\n"
    )


def test_the_users_own_entry_goes_without_its_neighbours_and_comments() -> None:
    assert remove(CODEX, ("hooks", "PreToolUse", 0)) == (
        '# ours\nmodel = "x"\n\n[tui]\nnotifications = true\n'
    )
    assert remove(CODEX, ("hooks", "PreToolUse", 0, "hooks", 0)) == CODEX.replace(
        CODEX[CODEX.index("[[hooks.PreToolUse.hooks]]") : CODEX.index("\n[tui]")], ""
    )


def test_a_comment_of_the_users_inside_or_above_our_block_stays() -> None:
    text = append("x = 1\n", ("hooks",), OURS).text
    text = text.replace("[[hooks]]", "# above\n[[hooks]] # beside").replace(
        "timeout", "  # inside\n\ntimeout"
    )
    assert remove(text, ("hooks", 0)) == "x = 1\n\n# above\n  # inside\n"


def test_an_entry_that_the_agent_wrote_anew_is_found_and_removed() -> None:
    text = '[[hooks]]\ntimeout = 600\nevent = "Stop"\n\n[models.x]\na = 1\n\n[[hooks]]\nb = 1\n'
    assert remove(text, ("hooks", 0)) == "[models.x]\na = 1\n\n[[hooks]]\nb = 1\n"


def test_the_scattered_parts_of_one_entry_go_together() -> None:
    text = "[[a.b]]\nx = 1\n\n[c]\n\n[a.b.d]\ny = 1\n\n[e]\n"
    assert remove(text, ("a", "b", 0)) == "\n[c]\n\n[e]\n"[1:]


def test_git_may_have_turned_the_newlines_before_the_removal() -> None:
    for text in ("a = 1\n\nb = 2\n", "a = 1\n\nb = 2"):
        edited = append(text, ("hooks",), OURS)
        turned = edited.text.replace("\n", "\r\n")
        assert remove(turned, ("hooks", 0), edited.undo) == text.replace("\n", "\r\n")


def test_a_final_newline_stays_where_the_user_has_gone_on_after_ours() -> None:
    edited = append("a = 1", ("hooks",), OURS)
    assert remove(edited.text + "[b]\n", ("hooks", 0), edited.undo) == "a = 1\n[b]\n"
    assert remove(edited.text, ("hooks", 0)) == "a = 1\n"
    assert remove(edited.text, ("hooks", 0), ("damaged", "[1]")) == "a = 1\n"


def test_a_key_that_the_user_wrote_behind_our_block_is_never_removed_with_it() -> None:
    edited = append("a = 1\n", ("hooks",), OURS)
    text = edited.text + "\nmodel = 'mine'\n"
    with pytest.raises(FileFormatError) as caught:
        remove(text, ("hooks", 0), edited.undo, "config.toml", OURS)
    assert "line 8, model" in caught.value.message
    assert caught.value.line == 8
    assert remove(edited.text, ("hooks", 0), edited.undo, value=OURS) == "a = 1\n"


def test_nothing_to_remove_changes_nothing() -> None:
    for path in (("hooks", 0), ("hooks", "PreToolUse", 7), ("model", "x"), ()):
        assert remove(CODEX, path) == CODEX


@pytest.mark.parametrize(
    ("text", "line"),
    [
        ("hooks = 1\n", 1),
        ("\n[hooks]\nx = 1\n", 2),
        ("hooks = [1, 2]\n", 1),
        ('x = 1\nhooks = "a"\n', 2),
    ],
)
def test_a_place_of_another_shape_is_refused_with_its_line(text: str, line: int) -> None:
    with pytest.raises(FileFormatError) as caught:
        append(text, ("hooks",), OURS, "config.toml")
    assert (caught.value.file, caught.value.line) == ("config.toml", line)
    with pytest.raises(FileFormatError):
        append("hooks = [{}]\n", ("hooks", "Stop"), OURS)


def test_a_table_on_one_line_is_left_alone_and_said() -> None:
    text = "hooks = { Stop = [{ x = 1 }] }\n"
    with pytest.raises(HookpmError) as caught:
        append(text, ("hooks", "Stop"), OURS)
    assert "without touching the rest" in caught.value.message
    with pytest.raises(FileFormatError):
        remove(text, ("hooks", "Stop", 0))


def test_a_comment_beside_an_entry_in_brackets_is_not_taken_along() -> None:
    text = "hooks = [\n  { a = 1 }, # one\n  { b = 1 },\n]\n"
    with pytest.raises(FileFormatError) as caught:
        remove(text, ("hooks", 0))
    assert caught.value.line == 2
    with pytest.raises(FileFormatError):
        remove(text, ("hooks", 1))


@pytest.mark.parametrize("text", ["x = ", "[a]\n[a]\n", 'x = "\n', "hooks = [\n"])
def test_what_is_no_toml_is_refused_with_its_line(text: str) -> None:
    with pytest.raises(FileFormatError) as caught:
        append(text, ("hooks",), OURS, "config.toml")
    assert caught.value.line


@pytest.mark.parametrize("value", [None, {"a": None}, {"a": {1}}, float("nan"), "\ud800"])
def test_a_value_that_toml_has_not_is_a_programming_error(value: Any) -> None:
    with pytest.raises((TypeError, ValueError)):
        append("", ("hooks",), {"a": value})


def test_every_kind_of_value_reads_back() -> None:
    value = {
        "quotes": 'it\'s "both"',
        "shell": 'case $d in */*) d=${d%/*};; esac; [ -f "$d" ]',
        "control": "a\tb\nc\x7f\x00\\ é 日本 \U0001f600",
        "literal": 'tab\t"',
        "numbers": [1, -2, 1.5, 1e300, True, False],
        "empty": {},
        "none": [],
        "a key.with dots": {"'": 1, "": 2},
        "deep": {"x": [{"y": {"z": [[1], ["a"]]}}]},
        "mixed": [{"a": 1}, 2],
    }
    for text in ("", "hooks = []\n"):
        edited = append(text, ("hooks",), value)
        assert parse(edited.text).get(("hooks", 0)) == value
        assert remove(edited.text, ("hooks", 0), edited.undo) == text


def test_a_shell_line_stands_there_as_it_is() -> None:
    assert "command = 'b=\"$d/x\"; exit 0'\n" in append("", ("hooks",), OURS).text


def test_newlines_are_told_from_the_first_one() -> None:
    assert [tomledit.newline_of(t) for t in ("", "a\nb\r\n", "a\r\nb\n", "\n", "\r\n")] == [
        "\n",
        "\n",
        "\r\n",
        "\n",
        "\r\n",
    ]
