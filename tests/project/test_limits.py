"""Hooks that are for some agents or some systems only: decided at run time, said beforehand."""

from __future__ import annotations

import sys

import pytest

from tests.project.world import FILES, HOOK, World

HERE = "macos" if sys.platform == "darwin" else "linux"
AWAY = "windows"


def limited(world: World, systems: str) -> None:
    hooks = HOOK + f"os = {systems}\n" + HOOK.replace('"guard"', '"second"')
    world.publish(world.pack("some", hooks=hooks))


@pytest.mark.parametrize(("systems", "denies"), [(f'["{HERE}"]', True), (f'["{AWAY}"]', False)])
def test_a_hook_for_a_system_runs_on_that_system_alone(
    world: World, systems: str, denies: bool
) -> None:
    world.publish(world.pack("some", hooks=f"{HOOK}os = {systems}\n"))
    world.install("some")
    assert world.denies(".env") is denies


def test_two_systems_get_the_same_bytes(world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    limited(world, '["macos"]')
    world.install("some")
    before = world.tree()
    world.ok("uninstall", "some")
    monkeypatch.setattr(sys, "platform", "darwin")
    world.install("some")
    assert world.tree() == before


def test_only_a_hook_that_names_systems_costs_a_word(world: World) -> None:
    limited(world, '["macos"]')
    world.install("some")
    hooks = world.load(".agents/hookpm/packs.json")["packs"]["some"]["hooks"]
    assert hooks["guard"]["os"] == ["macos"]
    assert "os" not in hooks["second"]


def test_install_audit_and_list_say_where_a_hook_does_not_run(world: World) -> None:
    limited(world, f'["{AWAY}"]')
    words = f"some: holds (guard on {AWAY} only, second)"
    assert words in world.install("some").out
    assert words in world.ok("audit").out
    assert f"guard runs only on {AWAY}, so not on this machine" in world.ok("list").out
    assert world.ok("list", "--json").json["packs"][0]["limited"] == [
        {"hook": "guard", "agents": None, "os": [AWAY]}
    ]


def test_list_names_the_agents_a_pack_was_limited_to(world: World) -> None:
    world.install("guard", agents=("claude", "codex"))
    text = world.read(".agents/hookpm.toml")
    line = 'guard = { version = "~=2.0", agents = ["codex"] }'
    world.write(".agents/hookpm.toml", text.replace('guard = "~=2.0"', line))
    world.ok("sync")
    assert "  guard runs only in codex\n" in world.ok("list").out
    assert not world.denies(".env")


@pytest.mark.parametrize("mine", [None, '{\n  "model": "x"\n}\n'])
def test_an_agent_that_no_hook_is_for_any_more_is_unwired_and_that_is_whole(
    world: World, mine: str | None
) -> None:
    if mine is not None:
        world.write(FILES["claude"], mine)
    world.install("guard", agents=("claude", "codex"))
    text = world.read(".agents/hookpm.toml")
    off = text.replace('guard = "~=2.0"', 'guard = { version = "~=2.0", disable = ["guard"] }')
    world.write(".agents/hookpm.toml", off)
    done = world.ok("sync")
    assert "claude: nothing is wired: there is no hook for an event that it has\n" in done.out
    file = world.repo / FILES["claude"]
    assert (file.read_text() if file.exists() else None) == mine
    assert world.ok("status", "--json").json["state"] == "ok"
    assert "nothing is wired" in world.ok("verify").out
    world.write(".agents/hookpm.toml", text)
    world.ok("sync")
    assert world.denies(".env")
    world.ok("uninstall", "guard")
    assert (file.read_text() if file.exists() else None) == mine
