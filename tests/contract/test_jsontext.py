from __future__ import annotations

import json
import math
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hookpm.contract.jsontext import JsonError, dumps, loads, scan

TEXT = st.text(st.characters(codec=None, categories=None))  # lone surrogates too
VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | TEXT,
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(TEXT, inner, max_size=4),
    max_leaves=12,
)


@given(VALUES.filter(lambda value: "inf" not in repr(value)))
def test_what_is_written_reads_back_the_same(value: Any) -> None:
    assert loads(dumps(value)) == value
    assert dumps(value).isascii()


@given(VALUES.filter(lambda value: "inf" not in repr(value)))
def test_reading_and_writing_agree_with_the_standard_library(value: Any) -> None:
    assert json.loads(dumps(value)) == value
    assert loads(json.dumps(value, indent=1)) == value
    assert loads(json.dumps(value, ensure_ascii=False)) == value


@given(st.text('{}[]",:0123456789.eE+-truefalsn \\u\n\ufeff'))
def test_any_text_is_read_or_refused_as_the_standard_library_does(text: str) -> None:
    def strict(word: str) -> Any:
        raise ValueError(word)

    try:
        wanted = json.loads(text.lstrip("\ufeff \t\r\n"), parse_constant=strict, strict=False)
    except ValueError:
        with pytest.raises(JsonError):
            loads(text)
    else:
        assert loads(text) == wanted


@pytest.mark.parametrize(
    "text",
    [
        "NaN",
        "[Infinity]",
        '{"a": -Infinity}',
        "",
        " ",
        "{",
        "{} {}",
        "{}x",
        "{'a': 1}",
        '{"a": 1,}',
        "[1,]",
        "// no\n{}",
        "01",
        "+1",
        ".5",
        "1.",
        '"open',
        "\x00",
        "undefined",
    ],
)
def test_what_javascript_refuses_is_refused(text: str) -> None:
    with pytest.raises(JsonError):
        loads(text)


@pytest.mark.parametrize(
    "text", ['{"a": 1}', '\ufeff{"a": 1}', ' \r\n\t{"a":\r\n1}\r\n', '{"a": 1}\n\n']
)
def test_space_line_ends_and_a_byte_order_mark_are_no_part_of_the_value(text: str) -> None:
    assert loads(text) == {"a": 1}


def test_a_tab_or_line_end_inside_a_string_is_taken() -> None:
    # Shell hooks that paste text into JSON by hand write these; JSON.parse would refuse.
    assert loads('{"reason": "one\ttwo\nthree"}') == {"reason": "one\ttwo\nthree"}


def test_of_equal_keys_the_last_counts_as_in_javascript() -> None:
    assert loads('{"a": 1, "a": 2}') == {"a": 2}


def test_integers_keep_every_digit() -> None:
    number = 2**70 + 1
    assert loads(dumps({"n": number})) == {"n": number}
    assert loads("-" + "9" * 4000) == -(10**4000 - 1)


def test_an_integer_longer_than_python_converts_becomes_infinite_and_is_written_as_null() -> None:
    assert loads("9" * 10_000) in (math.inf, 10**10_000 - 1)
    assert dumps(math.inf) == dumps(math.nan) == "null"
    assert dumps(10**10_000) in ("null", "1" + "0" * 10_000)


@pytest.mark.parametrize("opening", ["[", '{"a":'])
def test_nesting_beyond_the_stack_is_refused_and_never_a_crash(opening: str) -> None:
    with pytest.raises(JsonError):
        loads(opening * 200_000)


@pytest.mark.parametrize(("opening", "closing"), [("[", "]"), ('{"a": ', "}")])
def test_whatever_nesting_can_be_read_can_be_written(opening: str, closing: str) -> None:
    depth, text = 100, "0"
    while depth < 20_000:
        deeper = opening * depth + "0" + closing * depth
        try:
            value = loads(deeper)
        except JsonError:
            break
        assert dumps(value) == deeper
        text, depth = deeper, depth * 5 // 4
    assert text != "0"


@given(VALUES)
def test_the_writer_needs_no_recursion(value: Any) -> None:
    for _ in range(5000):
        value = [value]
    assert dumps(value).startswith("[" * 5000)


def test_a_lone_surrogate_is_written_as_its_escape() -> None:
    assert loads('"\\ud83d"') == "\ud83d"
    assert dumps("\ud83d") == '"\\ud83d"'
    assert dumps("😀") == '"\\ud83d\\ude00"'


def test_keys_that_are_no_text_are_written_as_text() -> None:
    assert dumps({1: 2}) == '{"1": 2}'


def test_true_and_one_stay_apart() -> None:
    assert dumps([True, 1, False, 0, None, 1.0]) == "[true, 1, false, 0, null, 1.0]"


def test_what_json_cannot_hold_is_a_type_error() -> None:
    with pytest.raises(TypeError):
        dumps({"a": {1, 2}})
    with pytest.raises(TypeError):
        dumps(b"bytes")


def test_scan_reads_one_value_and_says_where_it_ends() -> None:
    assert scan('x{"a": 1} tail', 1) == ({"a": 1}, 9)
    with pytest.raises(JsonError):
        scan("abc", 0)
    with pytest.raises(JsonError):
        scan("{}", 2)
