"""Hooks move from an agent's own file into .agents/hooks.json, and back to the byte."""

from __future__ import annotations

import json

import pytest

from tests.project.world import World

CLAUDE = ".claude/settings.json"
THEIRS = """{
  "model": "opus",
  "hooks": {
    "PreToolUse": [
      { "matcher": "Bash", "hooks": [ { "type": "command", "command": "./guard.sh" } ] },
      { "hooks": [ { "type": "prompt", "prompt": "is it safe?" } ] }
    ],
    "Stop": [
      { "hooks": [ { "type": "command", "command": "echo bye" } ] }
    ]
  }
}
"""


def groups(world: World) -> dict[str, list[dict[str, object]]]:
    table: dict[str, list[dict[str, object]]] = json.loads(world.read(".agents/hooks.json"))[
        "hooks"
    ]
    return {event: [g for g in listed if "pack" not in g] for event, listed in table.items()}


def test_hooks_are_copied_and_the_originals_stay_until_it_is_asked_for(world: World) -> None:
    world.install("guard", agents=("codex",))
    world.write(CLAUDE, THEIRS)
    done = world.run("migrate")
    assert world.read(CLAUDE) == THEIRS
    assert groups(world)["Stop"] == [{"hooks": [{"type": "command", "command": "echo bye"}]}]
    assert [g["matcher"] for g in groups(world)["PreToolUse"]] == ["Bash"]
    assert done.code == 1
    assert f"{CLAUDE}:6 PreToolUse stays: type prompt" in done.out


def test_migrating_twice_adds_nothing_the_second_time(world: World) -> None:
    world.install("guard", agents=("codex",))
    world.write(CLAUDE, THEIRS)
    world.run("migrate")
    once = world.tree()
    world.run("migrate")
    assert world.tree() == once


def test_originals_go_when_asked_and_undo_gives_every_byte_back(world: World) -> None:
    world.write(CLAUDE, THEIRS)
    world.install("guard", agents=("claude", "codex"))
    before = world.tree()
    world.run("migrate", "--remove")
    assert "echo bye" not in world.read(CLAUDE)
    assert "./guard.sh" not in world.read(CLAUDE)
    assert "is it safe?" in world.read(CLAUDE)
    world.ok("migrate", "--undo")
    assert world.tree() == before


def test_undo_after_an_edit_adds_the_hooks_to_what_the_file_is_now(world: World) -> None:
    world.write(CLAUDE, THEIRS)
    world.install("guard", agents=("claude",))
    world.run("migrate", "--remove")
    world.write(CLAUDE, world.read(CLAUDE).replace("opus", "haiku"))
    world.ok("migrate", "--undo")
    back = json.loads(world.read(CLAUDE))
    assert back["model"] == "haiku"
    assert [g["hooks"][0]["command"] for g in back["hooks"]["Stop"]] == ["echo bye"]


def test_a_copy_can_be_undone_as_well(world: World) -> None:
    world.write(CLAUDE, THEIRS)
    world.install("guard", agents=("claude", "codex"))
    before = world.tree()
    world.run("migrate")
    world.run("migrate", "--remove")
    assert "taken back: 3 files changed" in world.ok("migrate", "--undo").out
    assert world.tree() == before


def test_our_own_entries_do_not_migrate(world: World) -> None:
    world.install("guard", agents=("claude",))
    before = world.tree()
    done = world.ok("migrate", "--remove")
    assert world.tree() == before
    assert "nothing to change" in done.out


def test_without_a_pack_the_originals_are_not_removed(world: World) -> None:
    world.write(CLAUDE, THEIRS)
    before = world.tree()
    done = world.run("migrate", "--remove")
    assert done.code == 1
    assert world.tree() == before
    assert "install a pack first" in done.err


def test_hooks_of_agents_with_another_protocol_are_named_and_stay(world: World) -> None:
    world.install("guard", agents=("codex",))
    gemini = {"hooks": {"BeforeTool": [{"hooks": [{"type": "command", "command": "x"}]}]}}
    world.write(".gemini/settings.json", json.dumps(gemini))
    done = world.run("migrate")
    assert done.code == 1
    assert (
        ".gemini/settings.json:1 BeforeTool stays: hookpm cannot read what it runs: x" in done.out
    )


def test_a_dry_run_writes_nothing(world: World) -> None:
    world.install("guard", agents=("codex",))
    world.write(CLAUDE, THEIRS)
    before = world.tree()
    done = world.run("migrate", "--remove", "--dry-run")
    assert world.tree() == before
    assert "+++ b/.agents/hooks.json" in done.out


@pytest.mark.parametrize("text", ["{", '{"files": 3}', "[]"])
def test_a_broken_record_is_said_and_nothing_is_written(world: World, text: str) -> None:
    world.write(".agents/hookpm-migrated.json", text)
    before = world.tree()
    done = world.run("migrate", "--undo")
    assert done.code == 3
    assert "hookpm-migrated.json" in done.err
    assert world.tree() == before
