"""Files of somebody else's where hookpm's would lie, and hookpm's own whose lock is lost."""

from __future__ import annotations

import os

import pytest

from tests.project.world import World

BRIDGE = ".agents/hookpm/bridge.py"
LOCK = ".agents/hookpm.lock"


@pytest.mark.parametrize(
    "path", [BRIDGE, ".agents/hookpm/packs/guard/guard.py", ".agents/hookpm/packs.json"]
)
def test_a_users_file_at_the_place_of_one_of_ours_is_named_and_kept(
    world: World, path: str
) -> None:
    world.write(path, "mine\n")
    before = world.stamped()
    done = world.run("install", "guard", "--agent=claude")
    assert done.code == 1, done.text
    assert f"{path} is not hookpm's" in done.err
    assert "move it away" in done.err
    assert world.stamped() == before
    (world.repo / path).unlink()
    world.install("guard")


def test_a_users_file_where_a_new_pack_would_come_is_kept_beside_what_is_installed(
    world: World,
) -> None:
    world.install("guard")
    world.write(".agents/hookpm/packs/helper/guard.py", "mine\n")
    before = world.stamped()
    done = world.run("install", "helper")
    assert done.code == 1, done.text
    assert "packs/helper/guard.py is not hookpm's" in done.err
    assert world.stamped() == before


def test_a_file_with_the_very_bytes_of_ours_is_no_strangers(world: World) -> None:
    world.install("guard")
    kept = world.tree()
    world.ok("uninstall", "guard")
    for path, what in kept.items():
        if path.startswith(".agents/hookpm/") and isinstance(what, bytes):
            world.write(path, what.partition(b" ")[2])
    world.install("guard")
    below = [path for path in kept if path.startswith(".agents/hookpm/")]
    assert {path: world.tree()[path] for path in below} == {path: kept[path] for path in below}


def test_an_edited_file_that_the_lock_lists_is_put_back(world: World) -> None:
    world.install("guard")
    kept = world.tree()
    world.write(BRIDGE, "mine\n")
    world.ok("sync")
    assert world.tree() == kept


def test_a_lost_lock_is_made_again_also_over_an_older_bridge(world: World) -> None:
    world.install("guard")
    kept = world.tree()
    (world.repo / LOCK).unlink()
    world.write(BRIDGE, "# an older hookpm's\n")
    world.ok("sync")
    assert set(world.tree()) == set(kept)
    assert world.ok("status", "--json").json["state"] == "ok"


def test_an_uninstall_without_the_lock_takes_the_packs_files_along(world: World) -> None:
    world.install("guard", "helper")
    (world.repo / LOCK).unlink()
    world.write(".agents/hookpm/mine.txt", "mine")
    done = world.ok("uninstall", "guard", "helper")
    files = [path for path, what in world.tree().items() if what != "folder"]
    assert [p for p in files if p.startswith(".agents/hookpm/")] == [".agents/hookpm/mine.txt"]
    assert ".agents/hookpm/mine.txt is not hookpm's" in done.err


def test_an_edited_file_of_a_pack_stays_where_no_lock_says_that_it_is_ours(world: World) -> None:
    world.install("guard")
    (world.repo / LOCK).unlink()
    world.write(".agents/hookpm/packs/guard/guard.py", "mine\n")
    done = world.ok("uninstall", "guard")
    assert world.read(".agents/hookpm/packs/guard/guard.py") == "mine\n"
    assert "packs/guard/guard.py is not hookpm's" in done.err


@pytest.mark.parametrize("command", [("sync",), ("uninstall", "guard")])
def test_a_pipe_in_the_place_of_a_file_of_ours_is_named_with_what_to_do(
    world: World, command: tuple[str, ...]
) -> None:
    world.install("guard")
    (world.repo / BRIDGE).unlink()
    os.mkfifo(world.repo / BRIDGE)
    done = world.run(*command)
    assert done.code == 3
    assert f"{BRIDGE} is a named pipe, where a file belongs" in done.err
    assert "move it out of the way" in done.err
    (world.repo / BRIDGE).unlink()
    world.ok(*command)
