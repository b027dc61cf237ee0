"""Entries that say they are a pack's, of packs nobody here knows: they stay, and it is said."""

from __future__ import annotations

import json

import pytest

from tests.project.world import World

HOOKS = ".agents/hooks.json"


def entry(pack: str, name: str = "x") -> dict[str, object]:
    return {"pack": pack, "id": name, "hooks": [{"type": "command", "command": "true"}]}


def add(world: World, *groups: dict[str, object], event: str = "Stop") -> None:
    file = world.repo / HOOKS
    document = json.loads(file.read_text()) if file.exists() else {"hooks": {}}
    document["hooks"].setdefault(event, []).extend(groups)
    world.write(HOOKS, json.dumps(document, indent=2))


def packs(world: World, event: str) -> list[str]:
    return [group["pack"] for group in world.load(HOOKS)["hooks"].get(event, [])]


@pytest.mark.parametrize(
    "command", [("install", "helper"), ("sync",), ("uninstall", "helper"), ("uninstall", "guard")]
)
def test_an_entry_of_an_unknown_pack_outlives_every_command(
    world: World, command: tuple[str, ...]
) -> None:
    world.install("guard", *(["helper"] if command == ("uninstall", "helper") else []))
    add(world, entry("stranger"))
    add(world, entry("stranger"), event="PreToolUse")
    done = world.ok(*command)
    assert f"{HOOKS}: the entry stranger/x says it is a pack's" in done.err
    assert packs(world, "Stop") == ["stranger"]
    assert "stranger" in packs(world, "PreToolUse")
    assert ("guard" in packs(world, "PreToolUse")) is (command != ("uninstall", "guard"))


def test_an_entry_that_was_there_before_hookpm_stays(world: World) -> None:
    add(world, entry("stranger"))
    before = world.tree()
    world.install("guard")
    assert packs(world, "Stop") == ["stranger"]
    world.ok("uninstall", "guard")
    assert world.tree() == before


def test_a_lost_lock_costs_no_entry_of_packs_that_are_not_in_hookpm_toml(world: World) -> None:
    world.install("guard", "helper")
    (world.repo / ".agents/hookpm.lock").unlink()
    text = world.read(".agents/hookpm.toml")
    kept = [line for line in text.splitlines() if not line.startswith("helper")]
    world.write(".agents/hookpm.toml", "\n".join(kept) + "\n")
    done = world.ok("sync")
    assert sorted(packs(world, "PreToolUse")) == ["guard", "helper"]
    assert "the entry helper/guard says it is a pack's" in done.err
    fixes = [p["fix"] for p in world.run("status", "--json").json["problems"]]
    assert f"`hookpm install helper`, or take the entry out of {HOOKS}" in fixes
    world.ok("install", "helper")
    assert sorted(packs(world, "PreToolUse")) == ["guard", "helper"]
    assert world.ok("status", "--json").json["state"] == "ok"


def test_an_older_hook_of_a_pack_that_is_installed_goes(world: World) -> None:
    world.install("guard")
    add(world, entry("guard", "older"))
    world.ok("sync")
    assert packs(world, "Stop") == []
