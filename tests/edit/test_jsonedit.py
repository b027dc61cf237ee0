"""The editor, rule by rule."""

from __future__ import annotations

import json
import time
from typing import Any

import pytest

from hookpm.edit import jsonedit
from hookpm.edit.jsondoc import parse
from hookpm.edit.jsonedit import append, members_set, merge_undo, remove, remove_many, replace
from hookpm.edit.jsonedit import set_member as set_
from hookpm.edit.jsonsplice import Splice
from hookpm.errors import FileFormatError, HookpmError

STOP = ("hooks", "Stop")


def lines(*parts: str) -> str:
    return "\n".join(parts)


def appended(text: str, value: Any = 9, path: tuple[str, ...] = ("a",)) -> str:
    """The text after an append; that its removal gives the text back is checked each time."""
    edited = append(text, path, value)
    node = parse(edited.text).get(path)
    assert node is not None
    assert remove(edited.text, (*path, len(node.items) - 1), edited.undo) == text
    return edited.text


# Where a new element goes


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ('{"a":[1,2]}', '{"a":[1,2,9]}'),
        ('{ "a": [ 1, 2 ] }', '{ "a": [ 1, 2, 9 ] }'),
        ('{"a": [1,  2]}', '{"a": [1,  2,  9]}'),
        ('{"a": [1, 2, ]}', '{"a": [1, 2, 9, ]}'),
        ('{"a": [1 /* one */ ]}', '{"a": [1, /* one */ 9 ]}'),
        ('{"a": [1, /* one */ ]}', '{"a": [1, /* one */ 9, ]}'),
        ('{"a": [\n1\n]}', '{"a": [\n1,\n9\n]}'),
        ('{"a": [\n  1,\n]}', '{"a": [\n  1,\n  9,\n]}'),
        ('{"a": [1,\n      2]}', '{"a": [1,\n      2,\n      9]}'),
        ('{"a": [\n  1  \n\n]}', '{"a": [\n  1,  \n\n  9\n]}'),
        ('{"a": [\r\n\t1\r\n]}', '{"a": [\r\n\t1,\r\n\t9\r\n]}'),
        ('{"a": [\r\n\t1\n]}', '{"a": [\r\n\t1,\n\t9\n]}'),
        ('{"a": [\r\t1\r]}', '{"a": [\r\t1,\r\t9\r]}'),
        ('{"a": [\n  1 // one\n  // more\n]}', '{"a": [\n  1, // one\n  // more\n  9\n]}'),
        ('{"a": [\n  1, // one\n  // more\n]}', '{"a": [\n  1, // one\n  // more\n  9,\n]}'),
        ('{"a": [1 // one\n]}', '{"a": [1, // one\n  9\n]}'),
        ('{"a": [ // none\n]}', '{"a": [ // none\n  9\n]}'),
        ('{"a": [ /* none */ ]}', '{"a": [ /* none */ 9 ]}'),
        ('{"a": []}', '{"a": [9]}'),
        ('{\n  "a": []\n}', '{\n  "a": [\n    9\n  ]\n}'),
        ('{\n  "a": [\n  ]\n}', '{\n  "a": [\n    9\n  ]\n}'),
        ('{"b":1}', '{"b":1,"a":[9]}'),
        ('{ "b" : 1 }', '{ "b" : 1, "a" : [ 9 ] }'),
        ('{\n\t"b": 1\n}\n', '{\n\t"b": 1,\n\t"a": [\n\t\t9\n\t]\n}\n'),
        ("{}", '{\n  "a": [\n    9\n  ]\n}'),
        ("\ufeff  {}", '\ufeff  {\n    "a": [\n      9\n    ]\n  }'),
        ("\ufeff{}", '\ufeff{\n  "a": [\n    9\n  ]\n}'),
        ("", '{\n  "a": [\n    9\n  ]\n}\n'),
        ("\r\n", '{\r\n  "a": [\r\n    9\r\n  ]\r\n}\r\n'),
        ("\ufeff", '\ufeff{\n  "a": [\n    9\n  ]\n}\n'),
    ],
)
def test_new_text_follows_the_layout_around_it_and_leaves_again(text: str, expected: str) -> None:
    assert appended(text) == expected


def test_a_new_group_is_laid_out_as_its_siblings_are() -> None:
    text = lines(
        "{",
        '    "a": [{',
        '        "m": "x",',
        '        "hooks": [{ "type": "command" }]',
        "    }]",
        "}",
    )
    value = {"m": "ü", "hooks": [{"type": "t", "timeout": 1}]}
    assert appended(text, value) == lines(
        "{",
        '    "a": [{',
        '        "m": "x",',
        '        "hooks": [{ "type": "command" }]',
        "    }, {",
        '        "m": "ü",',
        '        "hooks": [{ "type": "t", "timeout": 1 }]',
        "    }]",
        "}",
    )


def test_a_short_line_elsewhere_is_no_model_for_deep_values() -> None:
    text = '{\n  "permissions": { "deny": [ "x" ] }\n}'
    added = appended(text, {"hooks": [{"type": "command"}]}, STOP)
    assert added.startswith(
        '{\n  "permissions": { "deny": [ "x" ] },\n  "hooks": {\n    "Stop": [\n'
    )


def test_a_lone_surrogate_is_written_as_an_escape_and_other_text_as_it_is() -> None:
    assert appended('{"a":[]}', "é\ud800𝄞\n") == '{"a":["é\\ud800𝄞\\n"]}'


@pytest.mark.parametrize("value", [float("nan"), float("inf"), {1, 2}, b"x"])
def test_what_json_cannot_hold_is_refused(value: object) -> None:
    with pytest.raises((TypeError, ValueError)):
        append('{"a": []}', ("a",), value)


def test_escaped_spellings_of_a_key_are_the_same_key() -> None:
    assert appended('{"\\u0061": [1]}') == '{"\\u0061": [1, 9]}'


# Shapes and duplicates


@pytest.mark.parametrize(
    ("text", "line", "words"),
    [
        ("[]", 1, "the top level is a list, not an object"),
        ("null", 1, "the top level is null, not an object"),
        ('{\n"hooks": [1]}', 2, "hooks is a list, not an object"),
        ('{\n"hooks": null}', 2, "hooks is null, not an object"),
        ('{"hooks":\n {\n "Stop": {}}}', 3, "hooks.Stop is an object, not a list"),
        ('{"hooks":\n {\n "Stop": "x"}}', 3, "hooks.Stop is a string, not a list"),
    ],
)
def test_another_shape_on_the_way_is_refused_with_line_and_expected_shape(
    text: str, line: int, words: str
) -> None:
    with pytest.raises(FileFormatError) as caught:
        append(text, STOP, 1, "x.json")
    assert caught.value.message == f"in x.json, line {line}, {words}"
    assert '{"hooks": {"Stop": [ ... ]}}' in str(caught.value.hint)
    assert (caught.value.file, caught.value.line) == ("x.json", line)


def test_a_key_twice_on_the_way_is_refused_with_both_lines() -> None:
    text = '{"hooks": {\n"Stop": [],\n"Stop": [1]\n}, "b": 1, "b": 2}'
    for edit in (
        lambda: append(text, STOP, 1, "x.json"),
        lambda: replace(text, (*STOP, 0), 1, "x.json"),
        lambda: remove(text, (*STOP, 0), (), "x.json"),
    ):
        with pytest.raises(FileFormatError, match=r"hooks\.Stop twice, in lines 2 and 3"):
            edit()


def test_a_key_twice_elsewhere_stays_as_it_is() -> None:
    assert appended('{"b": 1, "a": [], "b": 2}') == '{"b": 1, "a": [9], "b": 2}'


# Removal


def test_removal_keeps_a_neighbour_that_came_later() -> None:
    edited = append('{\n  "m": 1\n}', STOP, 9)
    theirs = edited.text.replace("      9\n", "      9,\n      10 // theirs\n")
    assert remove(theirs, (*STOP, 0), edited.undo) == edited.text.replace("9\n", "10 // theirs\n")
    theirs = edited.text.replace("    ]\n", '    ],\n    "Theirs": []\n')
    left = '{\n  "m": 1,\n  "hooks": {\n    "Theirs": []\n  }\n}'
    assert remove(theirs, (*STOP, 0), edited.undo) == left


def test_a_container_that_we_made_stays_while_it_holds_a_comment_of_the_user() -> None:
    edited = append("{}", STOP, 9)
    noted = edited.text.replace("      9\n", "      // mine\n      9\n")
    left = '{\n  "hooks": {\n    "Stop": [\n      // mine\n    ]\n  }\n}'
    assert remove(noted, (*STOP, 0), edited.undo) == left
    noted = edited.text.replace('"hooks":', '"hooks": /* mine */')
    assert remove(noted, (*STOP, 0), edited.undo) == '{\n  "hooks": /* mine */ {\n  }\n}'


def test_a_comment_that_the_user_wrote_into_a_once_empty_container_stays() -> None:
    edited = append('{\n  "a": []\n}', ("a",), 9)
    noted = edited.text.replace("9\n", "9 // mine\n")
    assert remove(noted, ("a", 0), edited.undo) == '{\n  "a": [ // mine\n  ]\n}'


def test_an_element_before_the_users_on_one_line_takes_its_space_with_it() -> None:
    assert remove('{"a": [9, 1]}', ("a", 0)) == '{"a": [1]}'
    assert remove('{"a": [ 9, 1 ]}', ("a", 0)) == '{"a": [ 1 ]}'
    assert remove('{"a": [1, 9, 2]}', ("a", 1)) == '{"a": [1, 2]}'
    assert remove('{"a": [1, 9 , 2]}', ("a", 1)) == '{"a": [1, 2]}'


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("[1, // one\n 9, 2]", "[1, // one\n  2]"),
        ("[1, // one\n 9]", "[1 // one\n ]"),
        ("[1, // one\n 9 // nine\n]", "[1 // one\n  // nine\n]"),
        ("[ // one\n 9 ]", "[ // one\n  ]"),
        ("[1, /* a */ 9 /* b */, 2]", "[1, /* a */ /* b */ 2]"),
        ("[9 /* b */, 2]", "[ /* b */ 2]"),
        ("[9, /* b */ 2]", "[/* b */ 2]"),
        ("[1 // one\n, 9]", "[1 // one\n]"),
        ("[1, // one\r\n 9,\r\n]", "[1, // one\r\n]"),
        ("[1, // one\n 9\n, 2]", "[1, // one\n  2]"),
    ],
)
def test_comments_around_a_removed_element_stay_comments(text: str, expected: str) -> None:
    doc = parse(text)
    assert doc.root is not None
    index = [item.value for item in doc.root.items].index(9)
    assert remove(text, (index,)) == expected
    assert len(parse(expected).comments) == len(doc.comments)


def test_a_trailing_comma_that_the_user_added_or_took_away_is_theirs() -> None:
    added = append('{"a": [1]}', ("a",), 9).text.replace("9]", "9,]")
    assert remove(added, ("a", 1)) == '{"a": [1,]}'
    taken = append('{"a": [1,]}', ("a",), 9).text.replace("9,]", "9]")
    assert remove(taken, ("a", 1)) == '{"a": [1]}'


def test_without_a_record_containers_stay() -> None:
    assert remove('{"hooks": {"Stop": [9]}}', (*STOP, 0)) == '{"hooks": {"Stop": []}}'


def test_removing_what_is_not_there_changes_nothing() -> None:
    for path in [("x",), ("hooks", 0), ("hooks", "Stop", 3)]:
        assert remove('{"hooks": {"Stop": [1]}}', path) == '{"hooks": {"Stop": [1]}}'


def test_several_paths_mean_places_in_the_text_before_any_removal() -> None:
    text = '{"a": [0, 1, 2, 3, 4], "b": {"c": 1, "d": 2}}'
    paths: list[tuple[str | int, ...]]
    paths = [("a", 1), ("b", "c"), ("a", 3), ("a", 4), ("a", 3), ("gone",)]
    assert remove_many(text, paths) == '{"a": [0, 2], "b": {"d": 2}}'
    assert remove_many(text, [("a",), ("a", 1), ("b", "c"), ("b",)]) == "{}"


def test_a_blank_document_comes_back_in_the_newlines_that_the_file_has_now() -> None:
    edited = append("\n\n", STOP, 9)
    assert remove(edited.text.replace("\n", "\r\n"), (*STOP, 0), edited.undo) == "\r\n\r\n"
    with_member = edited.text.replace("{\n", '{\n  "m": 1,\n', 1)
    assert remove(with_member, (*STOP, 0), edited.undo) == '{\n  "m": 1\n}\n'
    commented = "// mine\n" + edited.text
    assert remove(commented, (*STOP, 0), edited.undo) == "// mine\n{\n}\n"


# The undo record


def test_a_record_survives_json() -> None:
    edited = append('{"é": {\t}}', ("é", "Stop"), 9)
    undo = tuple(json.loads(json.dumps(edited.undo)))
    assert remove(edited.text, ("é", "Stop", 0), undo) == '{"é": {\t}}'
    assert all(isinstance(line, str) and line.isascii() for line in edited.undo)


def test_a_container_that_the_user_made_after_ours_went_is_the_users() -> None:
    first = append('{"hooks": {"A": 1}}', STOP, 9)
    theirs = remove(first.text, (*STOP, 0), first.undo).replace("1}", '1, "Stop": [ ]}')
    second = append(theirs, STOP, 9)
    undo = merge_undo(first.undo, second.undo)
    assert remove(second.text, (*STOP, 0), undo) == theirs


def test_merging_keeps_each_place_once_and_the_latest_word() -> None:
    one, two = append("{}", STOP, 1), append("{}", STOP, 2)
    assert merge_undo(one.undo, two.undo, one.undo) == one.undo
    assert merge_undo() == ()


@pytest.mark.parametrize(
    "line",
    ["", "{", "7", "[]", '["made"]', '["other", []]', '["empty", ["a"], 1]', '["made", [[]]]'],
)
def test_a_damaged_record_is_passed_over(line: str) -> None:
    edited = append("{}", STOP, 9)
    undo = (line, *edited.undo)
    assert remove(edited.text, (*STOP, 0), undo) == "{}"
    assert merge_undo(undo) == edited.undo
    assert members_set(edited.text, undo) == []


# Members


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ('{\n  "m": 1\n}', '{\n  "s": "x",\n  "m": 1\n}'),
        ('{\n  // top\n  "m": 1 }', '{\n  // top\n  "s": "x",\n  "m": 1 }'),
        ('{ "m": 1 }', '{ "s": "x", "m": 1 }'),
        ('{"m":1}', '{"s":"x","m":1}'),
        ("{}", '{\n  "s": "x"\n}'),
        ("", '{\n  "s": "x"\n}\n'),
        ('{"s": 1}', '{"s": 1}'),
        ('{"s": 1, "s": 2}', '{"s": 1, "s": 2}'),
    ],
)
def test_a_first_member_goes_before_all_others_and_leaves_again(text: str, expected: str) -> None:
    edited = set_(text, (), "s", "x", first=True)
    assert edited.text == expected
    if text != expected:
        assert remove(edited.text, ("s",), edited.undo) == text
        assert members_set(edited.text, edited.undo) == [("s",)]


def test_a_comment_of_the_user_after_our_first_member_stays() -> None:
    edited = set_('{\n  "m": 1\n}', (), "s", "x", first=True)
    noted = edited.text.replace('"x",', '"x", // why')
    assert remove(noted, ("s",), edited.undo) == '{\n  // why\n  "m": 1\n}'


def test_a_member_goes_last_and_makes_the_objects_on_the_way() -> None:
    edited = set_('{\n  "m": 1\n}', ("o", "p"), "s", True)
    assert parse(edited.text).value == {"m": 1, "o": {"p": {"s": True}}}
    assert list(parse(edited.text).value) == ["m", "o"]
    assert remove(edited.text, ("o", "p", "s"), edited.undo) == '{\n  "m": 1\n}'
    with pytest.raises(FileFormatError, match="m is a number, not an object"):
        set_('{"m": 1}', ("m",), "s", 1)


def test_a_member_that_the_user_changed_is_no_longer_ours() -> None:
    edited = set_("{}", (), "s", "x")
    assert members_set(edited.text.replace('"x"', '"y"'), edited.undo) == []


def test_a_whole_document_of_ours_vanishes_into_the_blank_it_came_from() -> None:
    one = append("\n", STOP, {"hooks": []})
    two = set_(one.text, (), "$schema", "./s.json", first=True)
    three = append(two.text, ("hooks", "PreToolUse"), {"hooks": []})
    undo = merge_undo(one.undo, two.undo, three.undo)
    assert list(parse(three.text).value) == ["$schema", "hooks"]
    paths = [(*STOP, 0), ("hooks", "PreToolUse", 0), *members_set(three.text, undo)]
    assert remove_many(three.text, paths, undo) == "\n"


# Replacement


@pytest.mark.parametrize(
    ("text", "path", "value", "expected"),
    [
        ('{ "a" :  "x" /* c */ }', ("a",), "ü", '{ "a" :  "ü" /* c */ }'),
        ('{"a": [1e3, 2]}', ("a",), [1000.0, 3], '{"a": [1e3, 3]}'),
        ('{"a": [1, 2]}', ("a",), [1.0, True], '{"a": [1.0, true]}'),
        (
            '{\n  "a": { "b": "\\u0062", // c\n    "d": 1 }\n}',
            ("a",),
            {"b": "b", "d": 2},
            '{\n  "a": { "b": "\\u0062", // c\n    "d": 2 }\n}',
        ),
        ('{"a": [ {"x": 1} ]}', ("a", 0), {"y": 1, "z": [2]}, '{"a": [ {"y": 1, "z": [ 2 ]} ]}'),
        ('{\n\t"a": 1\n}', ("a",), {"b": [1]}, '{\n\t"a": {\n\t\t"b": [\n\t\t\t1\n\t\t]\n\t}\n}'),
        ('{ "a": 1 }', ("a",), {"b": [1]}, '{ "a": { "b": [ 1 ] } }'),
    ],
)
def test_a_replacement_touches_only_what_differs(
    text: str, path: tuple[str | int, ...], value: Any, expected: str
) -> None:
    assert replace(text, path, value) == expected


def test_replacing_what_is_not_there_is_a_key_error() -> None:
    with pytest.raises(KeyError):
        replace('{"a": 1}', ("b",), 1)


@pytest.mark.parametrize("indent", [None, 2])
def test_the_cost_grows_with_the_file_and_no_faster(indent: int | None) -> None:
    group = {"matcher": "Bash", "hooks": [{"type": "command", "command": "x"}]}
    text = json.dumps({"a": [group] * 5000, "b": {}}, indent=indent)
    start = time.perf_counter()
    assert len(appended(text, group)) > len(text)
    assert time.perf_counter() - start < 10  # about 1 s; minutes when a look back is quadratic


# The safety net


@pytest.mark.parametrize("fault", [Splice(1, 9, '"a": [9]'), Splice(1, 2, "")])
def test_an_edit_that_would_change_more_than_it_should_is_not_made(
    monkeypatch: pytest.MonkeyPatch, fault: Splice
) -> None:
    monkeypatch.setattr(jsonedit, "put_in", lambda *_: [fault])
    with pytest.raises(HookpmError, match="so it was not"):
        append('{"b": 1}', ("a",), 9)


def test_tuples_are_lists_and_numbers_as_keys_are_strings() -> None:
    assert append('{"a":[]}', ("a",), {1: (2,)}).text == '{"a":[{"1":[2]}]}'


def test_empty_paths_are_a_mistake_of_the_caller() -> None:
    for edit in (lambda: append("[]", (), 1), lambda: remove("[]", ())):
        with pytest.raises(ValueError, match=r"path|document"):
            edit()
