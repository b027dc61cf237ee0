"""Every config there is, in every shape of a disk, through install, update, edit and uninstall.

The files of `tests/edit/configs`; and, where it is there, a folder of other people's beside the
checkout, or the one that HOOKPM_CONFIGS names.
"""

from __future__ import annotations

import json
import os
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from hookpm import agents
from hookpm.agents import Agent
from hookpm.contract.events import EVENTS
from hookpm.edit.jsondoc import BOM, decode, encode, parse
from hookpm.errors import FileFormatError
from hookpm.project import hooksjson, wire
from tests.conftest import Tally
from tests.edit.test_roundtrip import variants
from tests.project.world import CHECKOUT

OWN = CHECKOUT / "tests/edit/configs"
MORE = Path(os.environ.get("HOOKPM_CONFIGS") or CHECKOUT.parent / "shared/configs")
FILES = sorted(
    path
    for folder in (OWN, MORE)
    for path in (folder.rglob("*") if folder.is_dir() else ())
    if path.suffix in (".json", ".jsonc") and path.name != "MANIFEST.json"
)
NAMES = [f"{path.parent.name}/{path.name}" for path in FILES]
# The agents whose own file is JSON: in one of them every file here may stand.
AGENTS = [a for a in agents.wirable() if getattr(a.wiring, "FORMAT", "json") == "json"]
AGENTS = [a for a in AGENTS if not hasattr(a.wiring, "generated")]
FEW, MANY = ("PreToolUse",), ("PreToolUse", "Stop")
LENIENT = ("claude", "gemini")  # every shape in these; in the others what is as it is
LONG = 4000  # characters
FIRST = {
    "a key twice": '"dup": 1, "dup": 2,',
    "big numbers": '"big": 123456789012345678901234567890, "exp": 1e3, "one": 1.0, "zero": -0,',
    "escapes": '"esc": "\\u00e9\\ud83d\\ude00 é \\/ \\ud800", "": null,',
}


def with_first(text: str, member: str) -> str:
    """The text with more members before all others of the document."""
    root = parse(text).root
    if root is None or root.kind != "object":
        return text
    kept = text[root.start + 1 :]
    member = member if root.members else member.rstrip(",")
    return f"{text[: root.start + 1]}{member}{kept}"


def shapes(path: Path) -> dict[str, str]:
    """The same settings in other bytes, each text once; {} for what is no JSON to begin with."""
    try:
        text = decode(path.read_bytes(), path)
        found = [*variants(text), *((name, with_first(text, m)) for name, m in FIRST.items())]
    except FileFormatError:
        return {}
    if len(text) > LONG:  # what a shape does to one entry it does to fifty
        found = [each for each in found if each[0] in ("as it is", "crlf", "one line", *FIRST)]
    return {text: name for name, text in reversed(found)}


def theirs(agent: Agent, text: str) -> Any:
    """The parsed meaning without what is ours and without containers that hold nothing else."""
    value = json.loads(json.dumps(parse(text).value or {}))
    if not isinstance(value, dict):
        return value
    for key in agent.wiring.SKELETON:  # what a new file has beside the entries
        if key != "hooks":
            value.pop(key, None)
    table: Any = value
    for key in wire.table_of(agent):
        table = table.get(key) if isinstance(table, dict) else None
    for event in list(table) if isinstance(table, dict) else ():
        if isinstance(table[event], list):
            table[event] = [g for g in table[event] if agent.wiring.owner_of(g) is None]
            if not table[event]:
                del table[event]
    return {key: part for key, part in value.items() if part != {}}


def check_the_difference(before: str, after: str, count: int) -> None:
    """Nothing of the old text is gone, and a diff takes out only lines that got a comma."""
    rest = iter(after)
    assert all(char in rest for char in before), "something of the user's is gone"
    gone = Counter(before.splitlines()) - Counter(after.splitlines())
    assert gone.total() <= count + 2, gone


def entries(agent: Agent, events: tuple[str, ...], longest: float) -> list[Any]:
    return agent.wiring.entries([e for e in events if agent.facts.native(e)], longest)


def goes_through(agent: Agent, text: str) -> bool:
    """Install, update, an edit, uninstall; False where the file has to be left alone, and was."""
    if any(place.handler.agent == agent.name for place in wire.ours(agent, parse(text))):
        return True  # it holds an older form of ours: test_twins says what becomes of that
    first = wire.wire(agent, text, entries(agent, FEW, 10))
    if first.findings:
        assert first.text == text
        assert all(found.line >= 1 and found.message for found in first.findings)
        return False
    installed = first.text or ""
    if parse(text).root is not None:
        check_the_difference(text, installed, len(entries(agent, FEW, 10)))
    assert theirs(agent, installed) == theirs(agent, text)
    assert wire.wire(agent, installed, entries(agent, FEW, 10), first.undo).text == installed
    second = wire.wire(agent, installed, entries(agent, MANY, 1000), first.undo)
    assert not second.findings
    updated = second.text or ""
    assert theirs(agent, updated) == theirs(agent, text)
    assert wire.unwire(agent, updated, second.undo).text == text
    edited, expected = (with_first(each, '"theirs": [ 1.50 ],') for each in (updated, text))
    if parse(text).root is not None and len(parse(text).root.members or ()):  # type: ignore[union-attr]
        gone = wire.unwire(agent, edited, second.undo)
        assert gone.text == expected
        assert encode(decode(encode(expected))) == encode(expected)
    return True


@pytest.mark.parametrize("path", FILES, ids=NAMES)
def test_every_shape_of_it_comes_back_byte_for_byte_or_is_left_alone(
    path: Path, tally: Tally
) -> None:
    texts = shapes(path)
    ends = [
        goes_through(agent, text)
        for text, shape in texts.items()
        for agent in AGENTS
        if agent.name in LENIENT or shape == "as it is"
    ]
    tally(
        configs=1,
        shapes_of_configs=len(texts),
        agents_files=len(ends),
        left_alone=ends.count(False),
    )


def groups() -> list[hooksjson.Group]:
    """Two packs' groups."""
    return [
        hooksjson.Group(
            event,
            pack,
            "x",
            {"pack": pack, "id": "x", "hooks": [{"type": "command", "command": pack}]},
        )
        for pack in ("one", "two")
        for event in ("PreToolUse", "Stop")
    ]


@pytest.mark.parametrize("path", FILES, ids=NAMES)
def test_as_the_hooks_file_too(path: Path, tally: Tally) -> None:
    texts, refused = shapes(path), 0
    one, both = groups()[:2], groups()
    for text in texts:
        try:
            first = hooksjson.updated(text, one, (), "hooks.json", ("one", "two"))
        except FileFormatError as error:
            assert error.line
            refused += 1
            continue
        second = hooksjson.updated(first.text, both, first.undo, "hooks.json", ("one", "two"))
        assert hooksjson.updated(second.text, both, second.undo, "hooks.json", ("one",)) == second
        assert [g.pack for g in hooksjson.installed(second.text, "f")].count("two") == 2
        for now in (first, second):
            gone = hooksjson.updated(now.text, (), now.undo, "hooks.json", ("one", "two"))
            assert gone.text == text
    tally(shapes_of_hooks_files=len(texts), left_alone=refused)


def test_there_are_all_kinds_of_shapes() -> None:
    names = {name for path in FILES for name in shapes(path).values()}
    assert names >= {"crlf", "bom", "bom and crlf", "tabs", "no final newline", "trailing commas"}
    assert names >= {"mixed newlines", "a comment on every line", *FIRST}
    assert BOM in "".join(text for text in shapes(OWN / "no-hooks.json"))
    assert {agent.name for agent in AGENTS} >= {"claude", "codex", "gemini", "copilot", "cursor"}
    assert set(MANY) <= set(EVENTS)
