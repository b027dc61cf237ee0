"""What was lost or is set wrongly, and is said: hookpm.toml, the lock, a cache folder."""

from __future__ import annotations

from pathlib import Path

import pytest

from hookpm.registry import userfolders
from tests.project.world import FILES, World

MINE = '{\n  "model": "a"\n}\n'


def test_an_uninstall_without_hookpm_toml_says_that_it_is_gone(world: World) -> None:
    world.install("guard")
    (world.repo / ".agents/hookpm.toml").unlink()
    before = world.tree()
    done = world.run("uninstall", "guard")
    assert done.code != 0
    assert ".agents/hookpm.toml is gone" in done.err
    assert "another pack" not in done.err
    assert world.tree() == before
    world.ok("install", "guard", "--agent=claude")
    world.ok("uninstall", "guard")
    assert world.tree() == {}


def test_a_lost_lock_is_said_to_cost_the_record_of_what_was_there(world: World) -> None:
    world.write(FILES["claude"], MINE)
    world.install("guard")
    (world.repo / ".agents/hookpm.lock").unlink()
    done = world.ok("sync")
    assert f"{FILES['claude']} holds hookpm's entries already" in done.err
    assert "holds hookpm's entries already" not in world.ok("sync").err
    done = world.ok("uninstall", "guard")
    assert f"{FILES['claude']} keeps empty lists (PreToolUse)" in done.err


def test_nothing_is_said_of_lists_where_the_record_is_there(world: World) -> None:
    world.write(FILES["claude"], MINE)
    assert "entries already" not in world.install("guard").err
    assert "empty lists" not in world.ok("uninstall", "guard").err
    assert world.read(FILES["claude"]) == MINE


@pytest.mark.parametrize(
    ("cache", "home", "wanted"),
    [
        ("/c", "/h", "/c/hookpm"),
        ("c", "/h", "/h/.cache/hookpm"),
        ("./c", "/h", "/h/.cache/hookpm"),
        ("", "/h", "/h/.cache/hookpm"),
        ("c", "h", None),
        ("", "", None),
    ],
)
def test_a_relative_cache_folder_does_not_count(
    monkeypatch: pytest.MonkeyPatch, cache: str, home: str, wanted: str | None
) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", cache)
    monkeypatch.setenv("HOME", home)
    assert userfolders.cache_folder() == (wanted and Path(wanted))


def test_nothing_of_the_cache_gets_into_the_repo(world: World) -> None:
    world.patch.setenv("XDG_CACHE_HOME", "cache")
    world.install("guard")
    assert not (world.repo / "cache").exists()
    assert (world.home / ".cache/hookpm/python3").is_symlink()
    assert world.denies()
    assert not (world.repo / "cache").exists()
