"""Handlers of types that the bridge cannot run are named with their place, never skipped unseen."""

from __future__ import annotations

import json

import pytest

from tests.project.world import World

OURS = ".agents/hooks.json"
TYPES = {
    "mcp_tool": {"type": "mcp_tool", "server": "s", "tool": "t"},
    "prompt": {"type": "prompt", "prompt": "Is this fine?"},
    "agent": {"type": "agent", "prompt": "Look at it"},
}


def line_of(world: World, text: str) -> int:
    (number,) = [n for n, line in enumerate(world.read(OURS).split("\n"), 1) if text in line]
    return number


def add(world: World, handler: dict[str, str]) -> None:
    document = world.load(OURS)
    document["hooks"]["Stop"] = [{"hooks": [handler, {"type": "command", "command": "true"}]}]
    world.write(OURS, json.dumps(document, indent=2))


@pytest.mark.parametrize("kind", TYPES)
@pytest.mark.parametrize("verb", ["status", "doctor"])
def test_it_is_named_with_file_and_line_and_fails(world: World, kind: str, verb: str) -> None:
    world.install("guard")
    add(world, TYPES[kind])
    done = world.run(verb)
    assert done.code == 1, done.text
    # The place is the handler's: the line of its opening brace.
    place = f"{OURS}:{line_of(world, json.dumps({'type': kind})[1:-1]) - 1}"
    assert place in done.out
    assert f"type {kind} cannot run through the bridge" in done.out


@pytest.mark.parametrize("kind", TYPES)
def test_an_install_names_what_stands_there_and_does_not_run(world: World, kind: str) -> None:
    world.write(OURS, json.dumps({"hooks": {"Stop": [{"hooks": [TYPES[kind]]}]}}, indent=2))
    done = world.run("install", "guard", "--agent=claude")
    assert done.code == 1
    assert f"error: {OURS}:7 type {kind}" in done.text
    assert world.denies(".env")


def test_a_request_is_no_problem(world: World) -> None:
    world.install("guard")
    add(world, {"type": "http", "url": "http://127.0.0.1:9/judge"})
    world.ok("sync")
    assert world.ok("status", "--json").json["problems"] == []
