"""The reader: what it takes, what it says about it, and what it refuses with which words."""

from __future__ import annotations

import json
import random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from hookpm.edit.jsondoc import MAX_DEPTH, Duplicate, decode, encode, parse
from hookpm.errors import FileFormatError

VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False)
    | st.text(max_size=6),
    lambda inner: st.lists(inner, max_size=3)
    | st.dictionaries(st.text(max_size=3), inner, max_size=3),
    max_leaves=8,
)  # fmt: skip


def refusal(text: str) -> FileFormatError:
    with pytest.raises(FileFormatError) as caught:
        parse(text, "x.json")
    return caught.value


@pytest.mark.parametrize(
    "data", [b"", b"\xef\xbb\xbf", b"\xef\xbb\xbf{}\r\n", '{"ä": "𝄞"}'.encode()]
)
def test_decoding_and_encoding_gives_the_same_bytes(data: bytes) -> None:
    assert encode(decode(data)) == data


@pytest.mark.parametrize(
    ("data", "word", "line"),
    [
        (b"\xff\xfe{\0}\0", "UTF-16", 1),
        (b"\xfe\xff\0{\0}", "UTF-16", 1),
        (b"\xff\xfe\0\0{\0\0\0", "UTF-32", 1),
        (b"{\n\0}", "NUL", 2),
        (b'{\n"\xe4": 1}', "0xe4", 2),
        (b'"\xed\xa0\x80"', "0xed", 1),
    ],
)
def test_what_is_not_utf8_is_refused_with_file_line_and_way_out(
    data: bytes, word: str, line: int
) -> None:
    with pytest.raises(FileFormatError) as caught:
        decode(data, "some/settings.json")
    assert "some/settings.json" in caught.value.message
    assert word in f"{caught.value.message} {caught.value.cause}"
    assert (caught.value.file, caught.value.line) == ("some/settings.json", line)
    assert "UTF-8" in str(caught.value.hint)


@pytest.mark.parametrize("text", ["", " \r\n\t", "\ufeff", "\ufeff\n"])
def test_a_blank_text_has_no_root(text: str) -> None:
    doc = parse(text)
    assert (doc.root, doc.value, doc.get(()), doc.get(("hooks",))) == (None, None, None, None)


def test_spans_cover_the_spelling_of_keys_and_values() -> None:
    text = '{ "a" : [ 1.50, {"b": "\\u00e9"} ] }'
    doc = parse(text)
    for path, spelling in {
        ("a",): '[ 1.50, {"b": "\\u00e9"} ]',
        ("a", 0): "1.50",
        ("a", 1, "b"): '"\\u00e9"',
    }.items():
        node = doc.get(path)
        assert node is not None
        assert text[node.start : node.end] == spelling
    assert doc.root is not None
    assert [text[m.start : m.end] for m in doc.root.members] == [text[2:-2]]
    assert doc.get(("a", 1, "b", "c")) is doc.get(("a", 5)) is doc.get(("a", "b")) is None


def test_comments_and_trailing_commas_are_read_and_reported_by_line() -> None:
    doc = parse('// one\n{ "a": [1,], /* two\n */\n"b": "// no, /* no */ ,]",\n} // three')
    assert doc.value == {"a": [1], "b": "// no, /* no */ ,]"}
    assert (doc.comments, doc.trailing_commas) == ((1, 2, 5), (2, 4))


def test_a_key_that_occurs_twice_is_reported_with_both_lines_and_the_last_one_counts() -> None:
    doc = parse('{\n"a": [{"b": 1,\n"\\u0062": 2}],\n"c": 3, "c": 4}')
    assert doc.duplicates == (Duplicate(("a", 0, "b"), 2, 3), Duplicate(("c",), 4, 4))
    assert doc.value == {"a": [{"b": 2}], "c": 4}
    node = doc.get(("c",))
    assert node is not None
    assert node.value == 4


def test_lines_and_columns_count_as_editors_do() -> None:
    doc = parse('\ufeff{\r\n"a":\r"ü",\n  "b": 1}')
    places = [(doc.line_of(at), doc.column_of(at)) for at in (1, 4, 9, 16)]
    assert places == [(1, 1), (2, 1), (3, 1), (4, 3)]
    assert doc.has_bom
    assert (doc.line_at(("b",)), doc.line_at(()), doc.line_at(("x",))) == (4, 1, None)


@pytest.mark.parametrize(
    ("text", "line", "column", "word"),
    [
        ('{"a": 1\n "b": 2}', 2, 2, "comma is missing"),
        ("{\n  a: 1}", 2, 3, "double quotes"),
        ("{'a': 1}", 1, 2, "double quotes"),
        ("[1,,2]", 1, 4, "comma too many"),
        ("[,]", 1, 2, "comma too many"),
        ('{"a" 1}', 1, 6, "colon"),
        ('["a\n"]', 1, 2, "closing quote"),
        ('["a\tb"]', 1, 4, "U+0009"),
        ('["\\x"]', 1, 3, "escape"),
        ('["\\u00g0"]', 1, 3, "escape"),
        ("[01]", 1, 2, "number"),
        ("[1.]", 1, 2, "number"),
        ("[NaN]", 1, 2, "no JSON value"),
        ("[True]", 1, 2, "no JSON value"),
        ("[1\u00a0]", 1, 3, "comma is missing"),
        ("{} {}", 1, 4, "after the end"),
        ("[1}", 1, 3, "} closes"),
        ("[1", 1, 3, "ends before the closing ]"),
        ('{"a": 1', 1, 8, "ends before the closing }"),
        ('{"a":', 1, 6, "ends where a value"),
        ("[1] /* x", 1, 5, "no end"),
        ("// nothing else", 1, 16, "comments but no value"),
        ("\ufeff[x]", 1, 2, "no JSON value"),
        ("{}\ufeff", 1, 3, "after the end"),
        ('{\n<<<<<<< HEAD\n"a": 1}', 2, 1, "conflict"),
        ('{"a": 1,\n=======\n"a": 2}', 2, 1, "conflict"),
    ],
)
def test_a_fault_is_named_with_line_column_cause_and_hint(
    text: str, line: int, column: int, word: str
) -> None:
    error = refusal(text)
    assert f"x.json is not valid JSON (line {line}, column {column})" == error.message
    assert word in str(error.cause)
    assert error.hint
    assert (error.file, error.line) == ("x.json", line)


@pytest.mark.parametrize("bracket", ["[", '{"a":', '[{"a":'])
def test_a_hundred_thousand_brackets_are_an_error_and_no_crash(bracket: str) -> None:
    assert str(MAX_DEPTH) in str(refusal(bracket * 100_000).cause)


def test_the_deepest_allowed_nesting_is_read_whole() -> None:
    value = parse("[" * MAX_DEPTH + "]" * MAX_DEPTH).value
    assert json.dumps(value) == "[" * MAX_DEPTH + "]" * MAX_DEPTH


def test_numbers_keep_their_kind_and_absurd_ones_do_no_harm() -> None:
    value = parse(f"[1, 1.0, 1e2, -0, 12345678901234567890, 1e999, {'9' * 5000}]").value
    assert value[:5] == [1, 1.0, 100.0, 0, 12345678901234567890]
    assert [type(number) for number in value[:4]] == [int, float, float, int]
    assert value[5:] == [float("inf")] * 2


def test_a_large_text_is_read_in_linear_time() -> None:
    doc = parse("[" + '{"a": "b \\n", "c": [1, 2, 3]}, // x\n' * 5000 + "0]")
    assert len(doc.comments) == 5000
    refusal('"' + "\\n" * 200_000)
    refusal("/" * 200_000)


def constant(name: str) -> Any:
    raise ValueError(name)


def strictly(text: str) -> Any:
    return json.loads(text, parse_constant=constant)


@given(VALUES, st.integers(0, 2**32))
@settings(max_examples=400, deadline=None)
def test_strict_json_is_read_as_the_standard_library_reads_it(value: Any, seed: int) -> None:
    rng = random.Random(seed)
    text = json.dumps(value, indent=rng.choice([None, 1]), ensure_ascii=rng.random() < 0.5)
    for _ in range(rng.randrange(3)):
        at = rng.randrange(len(text) + 1)
        text = text[:at] + rng.choice('{}[],:"\\/*0.e-1 \ntnu') + text[at + rng.randrange(2) :]
    try:
        expected = strictly(text)
    except ValueError:
        try:
            doc = parse(text)
        except FileFormatError:
            return
        assert doc.root is None or doc.comments or doc.trailing_commas
    else:
        assert parse(text).value == expected


@given(st.binary(max_size=60) | st.text("{}[],:\"'\\/*\n\r\t 01eu.-tfn\ufeff\ud800", max_size=40))
@settings(max_examples=1500, deadline=None)
def test_whatever_the_bytes_only_a_clear_error_comes_out(data: bytes | str) -> None:
    try:
        doc = parse(decode(data, "f") if isinstance(data, bytes) else data, "f")
    except FileFormatError as error:
        assert error.line is not None
        assert "f" in error.message
    else:
        json.dumps(doc.value)
