"""Random TOML through random edits, ours and the user's: theirs stays, to the byte."""

from __future__ import annotations

import random
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from hookpm.edit import tomledit
from hookpm.edit.jsontree import BOM
from hookpm.edit.tomldoc import Key, TomlDocument, parse
from hookpm.errors import FileFormatError

PATHS = (("hooks",), ("hooks", "Stop"), ("a", "é x"))
VALUES = (
    "1",
    "-0.5e3 # [[hooks]]",
    '"# [x]"',
    "'\\'",
    "nan",
    "1979-05-27T07:32:00Z",
    "[]",
    "[ 1, 2, ] # ]",
    '[\n  "]", # [\n\n  [ {x = "}"} ],\n]',
    "{ x = 1, y.z = [ 2 ] }",
    '"""\n[[hooks]]\nx = ""\\""\n"""',
    '""""quoted""""',
    "'''\n\n[hooks]\n''''",
    "'''it's'''",
)
BETWEEN = ("", "", "\n", "\n\n", "  \n", "# [[hooks]]\n", "\n# c\n\n", "\t# [tui\n")


def key(rng: random.Random, number: int) -> str:
    names = ("k{}", '"k {}"', "'k{}\"'", "k{} . x", "{}")
    return rng.choice(names).format(number)


def pairs(rng: random.Random) -> str:
    text = ""
    for number in range(rng.randrange(3)):
        indent, space = rng.choice(("", "", "  ")), rng.choice((" ", "", "  "))
        text += rng.choice(BETWEEN)
        text += f"{indent}{key(rng, number)}{space}={space}{rng.choice(VALUES)}\n"
    return text


def of_the_user(rng: random.Random, path: tuple[str, ...]) -> str:
    """The user's own elements in one list, as blocks."""
    name = tomledit_key(path)
    text = ""
    for _ in range(rng.randrange(3)):
        text += rng.choice(BETWEEN) + f"[[{name}]]" + rng.choice(("\n", " # c\n")) + pairs(rng)
        if rng.random() < 0.3:
            text += rng.choice(BETWEEN) + f"[[{name}.inner]]\n" + pairs(rng)
        if rng.random() < 0.2:
            text += f"[ {name} . table ]\n" + pairs(rng)
    return text


def tomledit_key(path: tuple[str, ...]) -> str:
    return ".".join(f'"{part}"' if " " in part else part for part in path)


def in_brackets(rng: random.Random) -> str:
    items = [rng.choice(("{}", "{ x = 1 }", "{x = ',]'}")) for _ in range(rng.randrange(3))]
    gap = rng.choice(("", " ", "\n  ", "\n\t"))
    text = (
        gap + f",{gap}".join(items) + rng.choice(("", "," if items else "")) + rng.choice(("", gap))
    )
    return f"[{text}]"


def document(rng: random.Random) -> tuple[str, tuple[str, ...]]:
    """A config, and the path of a list in it."""
    path = rng.choice(PATHS)
    if rng.random() < 0.05:
        return rng.choice(("", BOM)) + rng.choice(("", " ", "\n", " \n\n", "# c")), path
    text = pairs(rng)
    kind = rng.random()
    if kind < 0.3:
        text += f"{tomledit_key(path)} = {in_brackets(rng)}\n"
    tables = [f"[tui]\n{pairs(rng)}", f"[b.c]{rng.choice(BETWEEN) or chr(10)}{pairs(rng)}"]
    if kind > 0.5:
        tables.append(of_the_user(rng, path))
    rng.shuffle(tables)
    text += rng.choice(BETWEEN).join(table for table in tables if rng.random() < 0.8)
    text += rng.choice(BETWEEN)
    if rng.random() < 0.3:
        text = text.removesuffix("\n")
    if rng.random() < 0.3:
        text = text.replace("\n", "\r\n")
    return rng.choice(("", "", "", BOM)) + text, path


def ours(number: int) -> dict[str, Any]:
    return {"event": f"§{number}", "command": 'x "y"', "hooks": [{"a": number}, {"b": {"c": 1}}]}


def place_of(text: str, path: tuple[str, ...], number: int) -> tuple[Key, ...]:
    for index, item in enumerate(parse(text).get(path) or ()):
        if item == ours(number):
            return (*path, index)
    raise AssertionError(f"entry {number} is gone")


def valid(rng: random.Random) -> tuple[str, tuple[str, ...]]:
    while True:
        text, path = document(rng)
        try:
            parse(text)
        except Exception:
            continue  # a key twice, a table that was there: not what this is about
        return text, path


@given(seed=st.integers(0, 2**40))
@settings(max_examples=300, deadline=None)
def test_entries_come_out_in_any_order_and_leave_every_byte(seed: int) -> None:
    rng = random.Random(seed)
    original, path = valid(rng)
    count = rng.randrange(1, 4)
    text, undo = original, tomledit.merge_undo()
    for number in range(count):
        edited = tomledit.append(text, path, ours(number))
        text, undo = edited.text, tomledit.merge_undo(undo, edited.undo)
        place_of(text, path, number)
    if rng.random() < 0.3:
        places = [place_of(text, path, number) for number in range(count)]
        text = tomledit.remove_many(text, places, undo)
    else:
        for number in rng.sample(range(count), count):
            text = tomledit.remove(text, place_of(text, path, number), undo, value=ours(number))
    assert text == original


@given(seed=st.integers(0, 2**40))
@settings(max_examples=200, deadline=None)
def test_what_the_user_writes_below_ours_outlives_the_removal(seed: int) -> None:
    rng = random.Random(seed)
    original, path = valid(rng)
    edited = tomledit.append(original, path, ours(0))
    theirs = rng.choice(BETWEEN) + f"[later]\n{pairs(rng)}"
    if not edited.text.endswith("\n"):
        theirs = "\n" + theirs
    whole = edited.text + theirs
    try:
        parse(whole)
    except Exception:
        return
    removed = tomledit.remove(whole, place_of(whole, path, 0), edited.undo)
    assert removed.endswith(theirs) or not original.strip(BOM + " \r\n")
    assert removed.startswith(original.rstrip(" \t\r\n"))
    assert parse(removed).get(("later",)) is not None


@given(seed=st.integers(0, 2**40))
@settings(max_examples=200, deadline=None)
def test_any_element_of_any_list_can_be_removed_or_is_refused(seed: int) -> None:
    rng = random.Random(seed)
    text, path = valid(rng)
    items = parse(text).get(path) or []
    if not items:
        return
    index = rng.randrange(len(items))
    try:
        removed = tomledit.remove(text, (*path, index))
    except FileFormatError:
        assert "#" in text
        return
    left = parse(removed).get(path) or []
    assert repr(left) == repr([*items[:index], *items[index + 1 :]])


@given(seed=st.integers(0, 2**40))
@settings(max_examples=200, deadline=None)
def test_sections_and_pairs_cover_every_value(seed: int) -> None:
    rng = random.Random(seed)
    text, _ = valid(rng)
    doc: TomlDocument = parse(text)
    for section in doc.sections:
        for pair in section.pairs:
            assert doc.get((*section.path, *pair.keys)) is not None
            assert text[pair.end - 1 : pair.end] == "\n" or pair.end == len(text)
            inner = doc.get((*section.path, *pair.keys))
            if isinstance(inner, list):
                assert len(doc.items(pair)) == len(inner)
    ends = [section.end for section in doc.sections]
    starts = [section.start for section in doc.sections]
    assert all(end <= start for end, start in zip(ends, starts[1:], strict=False))
