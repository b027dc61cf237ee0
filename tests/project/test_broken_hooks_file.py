"""A hooks file that does not read is one row of a report, and hides none of the others."""

from __future__ import annotations

import json

import pytest

from tests.project.world import FILES, World

HOOKS = ".agents/hooks.json"
BROKEN = {
    "cut off": ('{\n  "hooks": {\n', 3),
    "conflict": ("<<<<<<< HEAD\n{}\n=======\n{}\n>>>>>>> topic\n", 1),
    "no text": ("\0", 1),
    "a list": ("[1]", 1),
    "a word": ('"hooks"', 1),
    "nothing": ("null", 1),
    "a list of events": ('{\n"hooks": [1]}', 2),
    "a number of events": ('{\n"hooks": 5}', 2),
    "hooks twice": ('{"hooks": {},\n"hooks": {}}', 2),
    "an event twice": ('{"hooks": {"PreToolUse": [],\n"PreToolUse": []}}', 2),
}


@pytest.mark.parametrize("command", ["status", "verify", "doctor"])
@pytest.mark.parametrize("kind", BROKEN)
def test_it_is_named_with_its_line_beside_all_else_that_is_wrong(
    world: World, kind: str, command: str
) -> None:
    world.install("guard", agents=("claude", "codex"))
    text, line = BROKEN[kind]
    world.write(HOOKS, text)
    world.write(".agents/hookpm/mine.txt", "x")
    (world.repo / FILES["codex"]).unlink()
    before = world.stamped()
    done = world.run(command, "--json")
    assert done.code == 1, done.text
    assert done.json["state"] == "broken"
    rows = {(p["code"], p["file"]): p for p in done.json["problems"]}
    assert rows["unreadable", HOOKS]["line"] == line
    assert "no hook runs" in rows["unreadable", HOOKS]["message"]
    assert HOOKS in rows["unreadable", HOOKS]["fix"]
    assert ("unlisted", ".agents/hookpm/mine.txt") in rows
    assert ("not-wired", FILES["codex"]) in rows
    assert ("not-wired", FILES["claude"]) not in rows
    assert f"{HOOKS}:{line}" in world.run(command).out
    assert world.stamped() == before


@pytest.mark.parametrize("hooks", [5, "x", [5], {}, None])
def test_a_packs_group_without_handlers_is_named_and_a_sync_mends_it(
    world: World, hooks: object
) -> None:
    world.install("guard")
    group = {"pack": "guard", "id": "guard", "hooks": hooks}
    world.write(HOOKS, json.dumps({"hooks": {"PreToolUse": [group]}}))
    found = world.run("status", "--json")
    assert (found.code, found.json["state"]) == (1, "broken")
    world.ok("sync")
    assert world.ok("status", "--json").json["state"] == "ok"
    assert world.denies()


def test_the_doctor_mends_what_it_can_and_says_what_it_cannot(world: World) -> None:
    world.install("guard")
    world.write(HOOKS, "{")
    done = world.run("doctor", "--fix")
    assert done.code == 1
    assert "not fixed: " in done.err
    assert world.read(HOOKS) == "{"


@pytest.mark.parametrize("command", [("install", "helper"), ("sync",), ("uninstall", "guard")])
def test_what_would_write_it_refuses_with_file_and_line(
    world: World, command: tuple[str, ...]
) -> None:
    world.install("guard")
    world.write(HOOKS, "{\n")
    before = world.stamped()
    done = world.run(*command)
    assert done.code == 3
    assert f"{HOOKS}:2" in done.err
    assert world.stamped() == before
