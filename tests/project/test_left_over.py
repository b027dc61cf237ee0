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


# --- something in the place of what a stopped run leaves ---------------------------------------

PENDING = ".agents/.hookpm-pending"


@pytest.mark.parametrize("kind", ["file", "link", "link to nothing", "link to a journal"])
def test_what_no_run_of_ours_left_is_cleared_away_and_nothing_behind_it_is_touched(
    world: World, kind: str
) -> None:
    world.install("guard")
    elsewhere = world.base / "elsewhere"
    elsewhere.mkdir()
    if kind == "link to a journal":
        steps = [{"path": "new.txt", "executable": False, "data": "0.new"}]
        journal = {"steps": steps, "made": [], "umask": 0o22}
        (elsewhere / "journal.json").write_text(json.dumps(journal))
    (elsewhere / "0.new").write_text("mine")
    before = world.tree(elsewhere)
    if kind == "file":
        world.write(PENDING, "x")
    else:
        (world.repo / PENDING).symlink_to(world.base / "gone" if "nothing" in kind else elsewhere)
    assert [p["code"] for p in world.run("status", "--json").json["problems"]] == ["half-done"]
    world.ok("doctor", "--fix")
    assert world.ok("status", "--json").json["state"] == "ok"
    world.install("helper")
    assert world.tree(elsewhere) == before
    assert not (world.repo / "new.txt").exists()


def test_a_journal_that_will_not_be_walked_is_named_with_what_mends_it(world: World) -> None:
    world.install("guard")
    world.write(f"{PENDING}/journal.json", "{}")
    (found,) = world.run("status", "--json").json["problems"]
    assert found["severity"] == "broken"
    assert "not one that hookpm wrote" in found["message"]
    assert f"remove the folder {PENDING}" in found["fix"]
