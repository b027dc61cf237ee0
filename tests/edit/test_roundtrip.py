"""Every config here, in every shape of a disk: insert, let the user edit, remove, compare bytes."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator
from itertools import permutations
from pathlib import Path
from typing import Any

import pytest

from hookpm.edit import jsonedit
from hookpm.edit.jsondoc import BOM, Document, decode, encode, parse
from hookpm.errors import FileFormatError

CONFIGS = sorted(path for path in (Path(__file__).parent / "configs").iterdir() if path.is_file())
EDITABLE = [path for path in CONFIGS if ".refused" not in path.name]
EVENTS = ("PreToolUse", "SessionStart", "Stop")
OURS = {
    "matcher": "Read|Edit",
    "hooks": [{"type": "command", "command": 'printf "§ ours" // , } ]', "timeout": 10}],
}


def variants(text: str) -> Iterator[tuple[str, str]]:
    """The same settings in other bytes: what git hides and a user's disk has."""
    lines = text.split("\n")
    doc = parse(text)
    yield "as it is", text
    yield "crlf", text.replace("\n", "\r\n")
    yield "old mac", text.replace("\n", "\r")
    yield "bom", BOM + text
    yield "bom and crlf", BOM + text.replace("\n", "\r\n")
    yield (
        "mixed newlines",
        "".join(line + ("\n", "\r\n")[number % 2] for number, line in enumerate(lines[:-1]))
        + lines[-1],
    )
    yield "no final newline", text.rstrip("\n")
    yield "three final newlines", text.rstrip("\n") + "\n\n\n"
    yield "blank lines before", "\n \n" + text
    yield "blank lines between", text.replace("\n", "\n\n")
    yield "space at line ends", text.replace("\n", " \t\n")
    yield "tabs", re.sub(r"(?m)^(?:  )+", lambda found: "\t" * (len(found[0]) // 2), text)
    yield "four spaces", re.sub(r"(?m)^ +", lambda found: found[0] * 2, text)
    yield "no indent", re.sub(r"(?m)^[ \t]+", "", text)
    if doc.root is not None and not doc.comments:
        yield "one line", re.sub(r"\n[ \t]*", " ", text).strip()
        yield "no space at all", minified(doc)
        yield "a comment on every line", re.sub(r"(?m)$", " // [1,", text)
        yield "a comment before every line", re.sub(r"(?m)^", '/* "{ */', text)
        yield "crlf and comments", re.sub(r"\n", "// }\r\n", text)
    if doc.root is not None and not doc.trailing_commas:
        yield "trailing commas", with_trailing_commas(doc)


def minified(doc: Document) -> str:
    tokens = re.findall(r'"(?:[^"\\]|\\.)*"|[^\s"]+', doc.text)
    return "".join(tokens)


def with_trailing_commas(doc: Document) -> str:
    assert doc.root is not None
    ends = [node.children[-1].end for node in doc.root.walk() if node.children]
    text = doc.text
    for end in sorted(ends, reverse=True):
        text = text[:end] + "," + text[end:]
    return text


def ours_in(text: str) -> list[tuple[str | int, ...]]:
    found: list[tuple[str | int, ...]] = []
    for event in EVENTS:
        groups = parse(text).get(("hooks", event))
        items = groups.items if groups else ()
        found += [("hooks", event, index) for index, item in enumerate(items) if item.value == OURS]
    return found


def install(text: str) -> tuple[str, jsonedit.Undo]:
    undo: jsonedit.Undo = ()
    for event in EVENTS:
        edited = jsonedit.append(text, ("hooks", event), OURS)
        text, undo = edited.text, jsonedit.merge_undo(undo, edited.undo)
    return text, undo


def without_ours(value: Any, before: Any) -> Any:
    """The plain data of an installed file minus our groups, in the shape it had before."""
    value = json.loads(json.dumps(value))
    hooks_before = (before or {}).get("hooks")
    for event in EVENTS:
        groups = [group for group in value["hooks"][event] if group != OURS]
        value["hooks"][event] = groups
        if not groups and event not in (hooks_before or {}):
            del value["hooks"][event]
    if hooks_before is None:
        del value["hooks"]
    return value


def first_scalar(text: str) -> str:
    """The user changes a value: the first scalar that is not in our entries."""
    doc = parse(text)
    for node in doc.root.walk() if doc.root else ():
        if not node.children and node.kind not in ("object", "array"):
            if "§" in text[node.start : node.end] or node.value in ("Read|Edit", "command"):
                return text
            return text[: node.start] + '"theirs: ü, \\u00fc"' + text[node.end :]
    return text


def comment_on_top(text: str) -> str:
    mark = BOM if text.startswith(BOM) else ""
    if parse(text).root is None:
        return text
    return mark + "// mine, { [\n" + text[len(mark) :]


def member_at_the_start(text: str) -> str:
    root = parse(text).root
    if root is None or not root.members or root.members[0].name == "hooks":
        return text
    at = root.members[0].start
    return text[:at] + '"added": [ 1.50 ],\n' + text[at:]


def member_at_the_start_of_hooks(text: str) -> str:
    hooks = parse(text).get(("hooks",))
    if hooks is None or not hooks.members or hooks.members[0].value.value == [OURS]:
        return text
    at = hooks.members[0].start
    return text[:at] + '"TheirEvent": [] , // theirs\r\n' + text[at:]


def blank_end(text: str) -> str:
    return text + "\n \n" if parse(text).root else text


USER_EDITS: list[Callable[[str], str]] = [
    first_scalar,
    comment_on_top,
    member_at_the_start,
    member_at_the_start_of_hooks,
    blank_end,
]


def check(text: str) -> int:
    """Install and remove, with and without each edit of the user; gives how many of these."""
    before = parse(text).value
    installed, undo = install(text)
    assert without_ours(parse(installed).value, before) == (before or {})
    assert jsonedit.remove_many(installed, ours_in(installed), undo) == text
    assert encode(decode(encode(installed))) == encode(installed)
    round_trips = 1
    for edit in USER_EDITS:
        expected, edited = edit(text), edit(installed)
        if (expected == text) != (edited == installed):
            continue  # the edit found no place of its own in one of the two
        removed = jsonedit.remove_many(edited, ours_in(edited), undo)
        assert removed == expected, edit.__name__
        round_trips += 1
    return round_trips


@pytest.mark.parametrize("path", EDITABLE, ids=lambda path: path.name)
def test_removal_gives_back_every_byte_of_every_variant_and_of_what_the_user_edited(
    path: Path,
) -> None:
    shapes = {text: name for name, text in variants(decode(path.read_bytes(), path))}
    for text, name in shapes.items():
        assert check(text) > 1 or text.isspace() or text in ("", BOM), name


@pytest.mark.parametrize("path", EDITABLE, ids=lambda path: path.name)
def test_removal_in_any_order_gives_back_every_byte(path: Path) -> None:
    text = decode(path.read_bytes(), path)
    installed, undo = install(text)
    for order in permutations(EVENTS):
        left = installed
        for event in order:
            (place,) = [found for found in ours_in(left) if found[1] == event]
            left = jsonedit.remove(left, place, undo)
        assert left == text


@pytest.mark.parametrize("path", EDITABLE, ids=lambda path: path.name)
def test_git_turning_all_newlines_between_install_and_removal_does_no_harm(path: Path) -> None:
    text = decode(path.read_bytes(), path)
    installed, undo = install(text)
    turned = installed.replace("\n", "\r\n")
    removed = jsonedit.remove_many(turned, ours_in(turned), undo)
    assert removed == text.replace("\n", "\r\n")
    turned, undo = install(text.replace("\n", "\r\n"))
    turned = turned.replace("\r\n", "\n")
    assert jsonedit.remove_many(turned, ours_in(turned), undo) == text


@pytest.mark.parametrize(
    "path", [path for path in CONFIGS if ".refused" in path.name], ids=lambda path: path.name
)
def test_a_shape_that_agents_do_not_read_is_refused_with_its_line(path: Path) -> None:
    text = decode(path.read_bytes(), path)
    with pytest.raises(FileFormatError) as caught:
        jsonedit.append(text, ("hooks", "PreToolUse"), OURS, path)
    assert caught.value.line is not None
    assert str(path) in caught.value.message
    assert f"line {caught.value.line}" in caught.value.message.replace("lines 2 and", "line")
    assert caught.value.hint


@pytest.mark.parametrize("path", EDITABLE, ids=lambda path: path.name)
@pytest.mark.parametrize("encoding", ["utf-16", "utf-16-le", "utf-32"])
def test_a_file_that_is_not_utf8_is_refused(path: Path, encoding: str) -> None:
    data = decode(path.read_bytes(), path).encode(encoding)
    if data:
        with pytest.raises(FileFormatError, match=re.escape(str(path))):
            decode(data, path)
