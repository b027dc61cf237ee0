"""The editors take whatever bytes a file holds: they edit it, or refuse it with its line."""

from __future__ import annotations

import json
from typing import Any

from hypothesis import example, given, settings
from hypothesis import strategies as st

from hookpm.edit import jsonedit, tomldoc, tomledit
from hookpm.edit.jsondoc import decode, encode, parse
from hookpm.errors import FileFormatError, HookpmError

OURS: dict[str, Any] = {"hooks": [{"type": "command", "command": "§"}]}
PATH = ("hooks", "Stop")
# Near-JSON and near-TOML: pieces that mean something to a parser, in any order.
PIECES = st.lists(
    st.sampled_from(
        [
            *'{}[],:"\\#=./*',
            *("\n", "\r\n", "\r", "\t", " ", "//", "/*", "*/", "\ufeff", "\u2028", '"""', "'''"),
            *('"hooks"', '"Stop"', "hooks", "[[hooks]]", "[hooks]", "null", "true", "1e999", "-0"),
            *("9" * 400, "\\u", "\\ud800", "é", "\U0001f680", '"a": 1', "a = 1", "NaN", "0x1"),
        ]
    ),
    max_size=25,
).map("".join)
DEEP = st.builds(
    lambda opening, count, closing: opening * count + closing * count,
    st.sampled_from(["[", '{"a":', '{"hooks":', "{a=", '[[{"b":']),
    st.integers(1, 1500),
    st.sampled_from(["]", "}", "", "]}"]),
)
BYTES = (
    st.binary(max_size=60)
    | PIECES.map(lambda t: t.encode("utf-8", "replace"))
    | DEEP.map(str.encode)
)


@given(BYTES)
@settings(max_examples=400, deadline=None)
@example(b"")
@example(b"\xef\xbb\xbf")
@example(b"\xff\xfe{\0}\0")
@example(b'{"hooks": {"Stop": [' + b"[" * 100_000)
def test_json_of_any_bytes_is_edited_and_given_back_or_refused_with_its_line(data: bytes) -> None:
    try:
        text = decode(data, "f")
        edited = jsonedit.append(text, PATH, OURS, "f")
    except FileFormatError as error:
        assert error.line is not None
        assert error.line >= 1
        assert error.file == "f"
        return
    assert encode(text) == data
    items = parse(edited.text).get(PATH)
    assert items is not None
    assert items.items[-1].value == OURS
    place = (*PATH, len(items.items) - 1)
    assert encode(jsonedit.remove(edited.text, place, edited.undo)) == data


@given(BYTES)
@settings(max_examples=300, deadline=None)
@example(b"x = " + b"[" * 100_000)
@example(b"a" + b".a" * 1_000 + b" = 1")
def test_toml_of_any_bytes_is_edited_and_given_back_or_refused(data: bytes) -> None:
    try:
        text = decode(data, "f")
        edited = tomledit.append(text, ("hooks",), {"command": "§"}, "f")
    except HookpmError as error:
        assert error.message
        return
    found = tomldoc.parse(edited.text).get(("hooks",))
    assert isinstance(found, list)
    assert found[-1] == {"command": "§"}
    place = ("hooks", len(found) - 1)
    assert encode(tomledit.remove(edited.text, place, edited.undo)) == data


@given(st.lists(st.text() | st.binary().map(repr), max_size=5))
@settings(max_examples=200, deadline=None)
def test_a_damaged_record_of_what_was_inserted_never_takes_out_anything_else(
    records: list[str],
) -> None:
    text = '{"a": 1, "hooks": {"Stop": []}, "b": {}}'
    edited = jsonedit.append(text, PATH, OURS)
    left = jsonedit.remove(edited.text, (*PATH, 0), tuple(records))
    assert json.loads(left) == json.loads(text)
    assert jsonedit.members_set(left, tuple(records)) == []
