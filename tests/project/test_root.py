from __future__ import annotations

from pathlib import Path

import pytest

from hookpm.errors import UsageError
from hookpm.project import root
from tests.project.world import World


def test_the_nearest_folder_with_a_hookpm_toml_is_the_project(world: World) -> None:
    inner = world.repo / "services" / "api"
    (inner / "src").mkdir(parents=True)
    assert root.find(inner / "src").path == world.repo
    world.write("services/api/.agents/hookpm.toml", "")
    assert root.find(inner / "src").path == inner
    assert root.find(world.repo / "services").path == world.repo


def test_without_one_it_is_the_top_of_the_checkout_also_in_a_worktree(world: World) -> None:
    world.git("commit", "-q", "--allow-empty", "-m", "x")
    tree = world.base / "tree"
    world.git("worktree", "add", "-q", str(tree))
    (tree / "sub").mkdir()
    found = root.find(tree / "sub")
    assert (found.path, found.is_git) == (tree, True)


def test_without_git_it_is_where_the_user_stands(tmp_path: Path) -> None:
    assert root.find(tmp_path) == root.Root(
        tmp_path, "the current folder; no git checkout around it", False
    )


def test_a_hookpm_toml_above_the_checkout_is_not_the_projects(world: World) -> None:
    (world.base / ".agents").mkdir()
    (world.base / ".agents/hookpm.toml").write_text("")
    assert root.find(world.repo).path == world.repo


def test_the_agents_folder_of_the_home_is_no_projects(world: World) -> None:
    (world.home / ".agents").mkdir()
    (world.home / ".agents/hookpm.toml").write_text("")
    below = world.home / "code"
    below.mkdir()
    assert root.find(below).path == below


def test_a_given_root_is_taken_as_it_is_and_has_to_exist(world: World, tmp_path: Path) -> None:
    inner = world.repo / "inner"
    inner.mkdir()
    assert root.find(world.repo, inner).path == inner
    with pytest.raises(UsageError):
        root.find(world.repo, tmp_path / "nowhere")
    done = world.ok("install", "guard", "--agent=claude", "--root", inner)
    assert (inner / ".agents/hookpm.toml").is_file()
    assert "project: " not in done.err


def test_the_project_is_named_where_it_is_not_where_the_user_stands(world: World) -> None:
    inner = world.repo / "inner"
    inner.mkdir()
    assert (
        f"project: {world.repo} (the top of the git checkout)" in world.ok("status", cwd=inner).err
    )
    assert "project: " not in world.ok("status").err
