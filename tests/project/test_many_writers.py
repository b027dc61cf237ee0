"""Twelve runs at once in one project, each a process of its own: nothing is lost, all end right."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.conftest import Tally
from tests.project.world import CHECKOUT, FILES, World

WRITERS = 12
MINE = (
    '{\n\t"model": "x",\n\t"hooks": {"Stop": [{"hooks": [{"type": "command", "command": "a"}]}]}\n}'
)


def pack(world: World, name: str) -> Path:
    hooks = f'[[hooks]]\nid = "{name}"\nevent = "PreToolUse"\nmatcher = "Edit"\nrun = "guard.py"\n'
    return world.pack(name, hooks=hooks)


def at_once(world: World, *commands: tuple[str, ...]) -> list[tuple[int, str]]:
    """Start them all, then wait for each; exit code and all that was said."""
    runs = [
        subprocess.Popen(
            [sys.executable, "-m", "hookpm", *command],
            cwd=world.repo,
            env={**os.environ, "PYTHONPATH": str(CHECKOUT)},
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
        )
        for command in commands
    ]
    ends = []
    for run in runs:
        said, _ = run.communicate(timeout=300)
        ends.append((run.returncode, said.decode()))
    return ends


def test_installs_uninstalls_and_syncs_of_different_packs_and_agents_lose_nothing(
    world: World, tally: Tally
) -> None:
    """Four packs come, for four agents, four go, and four runs bring about what is written."""
    world.write(FILES["claude"], MINE)
    world.write(FILES["gemini"], MINE)
    new, old = [f"new-{n}" for n in "abcd"], [f"old-{n}" for n in "abcd"]
    paths = {name: str(pack(world, name)) for name in [*new, *old, "kept"]}
    world.ok("install", *(paths[name] for name in [*old, "kept"]), "--agent=claude")
    agents = ("claude", "codex", "gemini", "copilot")
    commands: list[tuple[str, ...]] = []
    for name, gone, agent in zip(new, old, agents, strict=True):
        commands += [("install", paths[name], f"--agent={agent}"), ("uninstall", gone), ("sync",)]
    assert len(commands) == WRITERS
    for code, said in at_once(world, *commands):
        assert code == 0, said
    names = ["kept", *new]
    assert [p["name"] for p in world.ok("list", "--json").json["packs"]] == names
    groups = world.load(".agents/hooks.json")["hooks"]["PreToolUse"]
    assert sorted(group["pack"] for group in groups) == names
    wanted = world.read(".agents/hookpm.toml")
    assert all(f"{name} = " in wanted for name in names)
    assert "old-" not in wanted
    assert world.ok("status", "--json").json["state"] == "ok"
    wired = {agent["agent"] for agent in world.ok("status", "--json").json["agents"]}
    assert wired == set(agents)
    world.ok("uninstall", *names)
    assert {path for path, what in world.tree().items() if what != "folder"} == {
        FILES["claude"],
        FILES["gemini"],
    }
    assert world.read(FILES["claude"]) == world.read(FILES["gemini"]) == MINE
    tally(writers_at_once=WRITERS)


@pytest.mark.parametrize("command", [("install", "protect-secrets", "--agent=claude"), ("init",)])
def test_the_same_run_twelve_times_at_once_is_as_one(
    world: World, command: tuple[str, ...], tally: Tally
) -> None:
    world.write(FILES["claude"], MINE)
    assert world.spawn(*command).code == 0
    once = world.tree()
    for path in sorted(once, reverse=True):
        file = world.repo / path
        file.rmdir() if once[path] == "folder" else file.unlink()
    world.write(FILES["claude"], MINE)
    for code, said in at_once(world, *[command] * WRITERS):
        assert code == 0, said
    assert world.tree() == once
    tally(writers_at_once=WRITERS)
