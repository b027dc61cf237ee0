"""What is left in agents' files when `.agents` is gone is seen, and can be taken out."""

from __future__ import annotations

import json
import shutil

import pytest

from tests.project.world import World

AGENTS = ("claude", "codex", "copilot", "opencode", "droid")


def test_lines_of_ours_without_a_lock_are_named_by_status_and_taken_out_by_sync(
    world: World,
) -> None:
    world.write(".claude/settings.json", '{\n  "model": "x"\n}\n')
    before = world.tree()
    world.install("guard", agents=AGENTS)
    shutil.rmtree(world.repo / ".agents")
    seen = world.run("status", "--json")
    assert seen.code == 1
    assert seen.json["state"] == "broken"
    assert {p["agent"] for p in seen.json["problems"]} == set(AGENTS)
    assert {p["code"] for p in seen.json["problems"]} == {"left-over"}
    assert world.run("doctor").code == 1
    world.ok("sync")
    assert world.ok("status", "--json").json["state"] == "ok"
    left = world.tree()
    assert json.loads(world.read(".claude/settings.json"))["model"] == "x"
    assert all("hookpm" not in text for text in map(str, left.values()))
    assert set(before) <= set(left)


def test_where_nothing_is_left_sync_still_asks_for_a_hookpm_toml(world: World) -> None:
    done = world.run("sync")
    assert done.code == 3
    assert "there is no .agents/hookpm.toml" in done.err


@pytest.mark.parametrize("command", ["install", "verify"])
def test_a_switch_in_another_file_of_this_machine_is_no_proof_of_anything(
    world: World, command: str
) -> None:
    world.install("guard", agents=("claude",))
    world.write(".claude/settings.local.json", '{"disableAllHooks": true}')
    asked = ("guard", "--agent", "claude") if command == "install" else ()
    done = world.run(command, *asked)
    assert done.code == 1
    assert "disableAllHooks is true" in done.err + done.out
