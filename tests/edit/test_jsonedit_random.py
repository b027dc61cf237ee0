"""Random JSONC documents through random edits, ours and the user's: theirs stays, to the byte."""

from __future__ import annotations

import json
import random
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from hookpm.edit import jsonedit
from hookpm.edit.jsondoc import BOM, Document, Key, Node, parse

EVENTS = ("PreToolUse", "Stop", "é")
SPACE = ("", "", "", " ", "  ", "\n", "\r\n", "\n\t\t", "\r", "\n    ", " \t\r\n  ")
COMMENTS = ("/* c */", "/**/", '/*\n // "{ */', "// c, ]\n", "//\r\n", "// { '\r")


def gap(rng: random.Random, jsonc: bool) -> str:
    parts = [rng.choice(SPACE)]
    while jsonc and rng.random() < 0.15:
        parts += [rng.choice(COMMENTS), rng.choice(SPACE)]
    return "".join(parts)


def scalar(rng: random.Random) -> str:
    return rng.choice(['"// , ]"', '"\\u00e9é"', '""', "1e3", "-0.10", "true", "null", '"\\\\"'])


def container(rng: random.Random, jsonc: bool, opening: str, children: list[str]) -> str:
    text = opening
    for index, child in enumerate(children):
        text += gap(rng, jsonc) + child + gap(rng, jsonc)
        if index < len(children) - 1 or (jsonc and rng.random() < 0.3):
            text += ","
    return text + gap(rng, jsonc) + {"[": "]", "{": "}"}[opening]


def anything(rng: random.Random, jsonc: bool, depth: int = 0) -> str:
    choice = rng.random()
    if depth > 2 or choice < 0.5:
        return scalar(rng)
    children = [anything(rng, jsonc, depth + 1) for _ in range(rng.randrange(4))]
    if choice < 0.75:
        return container(rng, jsonc, "[", children)
    return container(rng, jsonc, "{", named(rng, jsonc, [(None, child) for child in children]))


def named(rng: random.Random, jsonc: bool, members: list[tuple[str | None, str]]) -> list[str]:
    return [
        f'"{name or rng.choice("abc")}"{gap(rng, jsonc)}:{gap(rng, jsonc)}{child}'
        for name, child in members
    ]


def document(rng: random.Random) -> str:
    """A config with or without hooks, in any layout; now and then a blank one."""
    jsonc = rng.random() < 0.6
    if rng.random() < 0.05:
        return rng.choice(("", BOM)) + rng.choice(SPACE)
    events: list[tuple[str | None, str]] = []
    for event in EVENTS:
        if rng.random() < 0.5:
            groups = [anything(rng, jsonc, 1) for _ in range(rng.randrange(4))]
            events.append((event, container(rng, jsonc, "[", groups)))
    rng.shuffle(events)
    members: list[tuple[str | None, str]]
    members = [(None, anything(rng, jsonc)) for _ in range(rng.randrange(3))]
    if rng.random() < 0.7:
        hooks = container(rng, jsonc, "{", named(rng, jsonc, events))
        members.insert(rng.randrange(len(members) + 1), ("hooks", hooks))
    root = container(rng, jsonc, "{", named(rng, jsonc, members))
    return rng.choice(("", "", BOM)) + gap(rng, jsonc) + root + gap(rng, jsonc)


def ours(number: int) -> dict[str, Any]:
    return {"matcher": "Edit", "hooks": [{"command": f"§{number}", "args": [], "x": {"y": 1}}]}


def place_of(text: str, number: int) -> tuple[Key, ...]:
    for event in EVENTS:
        node = parse(text).get(("hooks", event))
        for index, item in enumerate(node.items if node else ()):
            if item.value == ours(number):
                return ("hooks", event, index)
    raise AssertionError(f"entry {number} is gone")


def install(rng: random.Random, text: str, count: int) -> tuple[str, jsonedit.Undo]:
    undo: jsonedit.Undo = ()
    for number in range(count):
        edited = jsonedit.append(text, ("hooks", rng.choice(EVENTS)), ours(number))
        text, undo = edited.text, jsonedit.merge_undo(undo, edited.undo)
        place_of(text, number)
    return text, undo


def theirs(value: Any) -> Any:
    """Plain data without our entries and without containers that hold nothing else."""
    value = json.loads(json.dumps({} if value is None else value))
    hooks = value.get("hooks", {})
    for event in list(hooks):
        hooks[event] = [
            group for group in hooks[event] if "§" not in json.dumps(group, ensure_ascii=False)
        ]
        if not hooks[event]:
            del hooks[event]
    if not hooks:
        value.pop("hooks", None)
    return value


def paths(doc: Document) -> list[tuple[Key, ...]]:
    """The paths of all values that can be told apart by them."""
    found: list[tuple[Key, ...]] = []

    def visit(node: Node, path: tuple[Key, ...]) -> None:
        for index, item in enumerate(node.items):
            found.append((*path, index))
            visit(item, (*path, index))
        for member in node.members:
            if len(node.named(member.name)) == 1:
                found.append((*path, member.name))
                visit(member.value, (*path, member.name))

    if doc.root is not None:
        visit(doc.root, ())
    return found


def offset(doc: Document, path: tuple[Key, ...], where: str) -> int:
    node, parent = doc.get(path), doc.get(path[:-1])
    assert node is not None
    assert parent is not None
    if where == "after":
        return node.end
    if where == "last":
        return node.end - 1
    return parent.named(path[-1])[-1].start if isinstance(path[-1], str) else node.start


def edit_both(rng: random.Random, first: str, second: str) -> tuple[str, str]:
    """The same edit of the user in a text without and with our entries."""
    common = paths(parse(first))
    if not common:
        return first, second
    path = rng.choice(common)
    node = parse(first).get(path)
    assert node is not None
    where = rng.choice(("before", "after", "last" if node.children else "before", "value"))
    if where == "value" and not node.children and node.kind not in ("object", "array"):
        new = scalar(rng)
        edited = []
        for text in (first, second):
            spot = parse(text).get(path)
            assert spot is not None
            edited.append(text[: spot.start] + new + text[spot.end :])
        return edited[0], edited[1]
    where = "before" if where == "value" else where
    new = rng.choice(SPACE + COMMENTS)
    ats = [offset(parse(text), path, where) for text in (first, second)]
    return first[: ats[0]] + new + first[ats[0] :], second[: ats[1]] + new + second[ats[1] :]


@given(st.integers(0, 2**48))
@settings(max_examples=500, deadline=None)
def test_entries_leave_in_any_order_without_a_trace(seed: int) -> None:
    rng = random.Random(seed)
    text = document(rng)
    count = rng.randrange(1, 4)
    installed, undo = install(rng, text, count)
    foreign = theirs(parse(text).value)
    left = installed
    for number in rng.sample(range(count), count):
        assert theirs(parse(left).value) == foreign
        left = jsonedit.remove(left, place_of(left, number), undo)
    assert left == text
    all_places = [place_of(installed, number) for number in range(count)]
    assert jsonedit.remove_many(installed, all_places, undo) == text


@given(st.integers(0, 2**48))
@settings(max_examples=600, deadline=None)
def test_what_the_user_edits_in_between_stays_to_the_byte(seed: int) -> None:
    rng = random.Random(seed)
    text = document(rng)
    installed, undo = install(rng, text, rng.randrange(1, 3))
    for _ in range(rng.randrange(1, 4)):
        text, installed = edit_both(rng, text, installed)
    places = [place_of(installed, n) for n in range(2) if f"§{n}" in installed]
    assert jsonedit.remove_many(installed, places, undo) == text


@given(st.integers(0, 2**48))
@settings(max_examples=300, deadline=None)
def test_a_member_set_first_or_last_leaves_without_a_trace(seed: int) -> None:
    rng = random.Random(seed)
    text = document(rng)
    schema = jsonedit.set_member(text, (), "$schema", "./s.json", first=rng.random() < 0.7)
    installed, undo = install(rng, schema.text, 1)
    undo = jsonedit.merge_undo(schema.undo, undo)
    steps: list[tuple[Key, ...]] = [("$schema",), place_of(installed, 0)]
    rng.shuffle(steps)
    for path in steps:
        installed = jsonedit.remove(installed, path, undo)
    assert installed == text


@given(st.integers(0, 2**48))
@settings(max_examples=300, deadline=None)
def test_any_removal_or_replacement_leaves_the_rest_as_it_was(seed: int) -> None:
    rng = random.Random(seed)
    text = document(rng)
    doc = parse(text)
    choices = [path for path in paths(doc) if doc.get(path) is not None]
    if not choices:
        return
    path = rng.choice(choices)
    replaced = jsonedit.replace(text, path, ours(1))
    expected, removed = doc.value, jsonedit.remove(text, path)
    parent = parse(text).get(path[:-1])
    assert parent is not None
    target = expected
    for key in path[:-1]:
        target = target[key]
    target[path[-1]] = ours(1)
    assert parse(replaced).value == expected
    del target[path[-1]]
    assert parse(removed).value == expected
    assert len(parse(removed).comments) == len(doc.comments) - inside(doc, path)


def inside(doc: Document, path: tuple[Key, ...]) -> int:
    node = doc.get(path)
    assert node is not None
    start = offset(doc, path, "before")
    return sum(start <= first and last <= node.end for first, last in doc.comment_spans)
