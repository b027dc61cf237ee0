"""Which folder is the project, where there are several: subfolders, worktrees, submodules."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from hookpm.project import root
from tests.project.world import World
from tests.userbridge.rig import User

COMMIT = ("commit", "-q", "-m", "x")


def commit(world: World, at: Path) -> None:
    world.git("add", "-A", cwd=at)
    world.git(*COMMIT, cwd=at)


# --- subfolders ------------------------------------------------------------------------------


def test_in_a_subfolder_it_is_the_project_above_and_that_is_said(world: World) -> None:
    world.install("guard==1.0.0")
    inner = world.repo / "packages/a"
    inner.mkdir(parents=True)
    done = world.ok("install", "helper", cwd=inner)
    assert f"project: {world.repo} (it holds .agents/hookpm.toml)" in done.err
    assert list(inner.iterdir()) == []
    names = [p["name"] for p in world.ok("list", "--json", cwd=inner).json["packs"]]
    assert names == ["guard", "helper"]


def test_a_folder_with_a_project_of_its_own_is_one_and_the_one_above_is_named(
    world: World,
) -> None:
    world.install("guard==1.0.0")
    inner = world.repo / "packages/a"
    inner.mkdir(parents=True)
    done = world.ok("install", "helper", "--agent=claude", "--agent=copilot", "--root", inner)
    assert f"another project of hookpm's lies above, in {world.repo}" in done.err
    assert f"copilot: reads hooks at the top of the checkout, {world.repo}" in done.err
    for where, name in ((world.repo, "guard"), (inner, "helper"), (inner / "src", "helper")):
        where.mkdir(exist_ok=True)
        packs = world.ok("list", "--json", cwd=where).json["packs"]
        assert [pack["name"] for pack in packs] == [name], where
    world.ok("uninstall", "helper", cwd=inner)
    assert not (inner / ".agents").exists()
    world.ok("status")


def test_the_projects_below_are_named_when_the_top_becomes_one(world: World) -> None:
    for name in ("a", "b", "c", "d"):
        inner = world.repo / "packages" / name
        inner.mkdir(parents=True)
        world.ok("install", "helper", "--agent=claude", "--root", inner)
    commit(world, world.repo)
    done = world.ok("install", "guard", "--agent=claude", "--json")
    notes = [note for note in done.json["notes"] if "below" in note]
    assert len(notes) == 1
    assert "packages/a, packages/b, packages/c and 1 more" in notes[0]


def test_a_project_with_none_around_it_has_nothing_to_be_told(world: World) -> None:
    done = world.ok("install", "guard", "--agent=claude", "--agent=copilot", "--json")
    assert not [note for note in done.json["notes"] if "project of hookpm's" in note]


def test_an_agent_started_in_the_inner_folder_runs_the_inner_projects_packs(user: User) -> None:
    """Claude by the folder it is started in; Codex by the nearest bridge above where it works."""
    from hookpm.agents import shell_line

    user.project()
    inner = user.repo / "packages/a"
    inner.mkdir(parents=True)
    user.world.ok("install", "helper", "--agent=claude", "--agent=codex", "--root", inner)
    below = inner / "src"
    below.mkdir()
    for agent in ("claude", "codex"):
        line = shell_line.present(agent, "PreToolUse")
        assert user.call(user.repo, agent=agent, line=line).refused
        assert user.call(inner, agent=agent, line=line).ran == []
    codex = shell_line.present("codex", "PreToolUse")
    assert user.call(below, agent="codex", line=codex).ran == []
    assert user.call(user.repo / "packages", agent="codex", line=codex).refused


def test_a_given_root_is_the_project_whatever_lies_around_it(world: World) -> None:
    world.install("guard")
    inner = world.repo / "packages/a"
    inner.mkdir(parents=True)
    assert root.find(world.repo, inner) == root.Root(inner, "given by --root", is_git=True)
    assert "no packs" in world.ok("list", "--root", inner).err
    assert "no packs" in world.ok("list", "--root", os.path.relpath(inner)).err


# --- worktrees -------------------------------------------------------------------------------


@pytest.fixture
def tree(world: World) -> Path:
    """A linked worktree of a repo that holds a project."""
    world.install("guard", agents=("claude", "codex"))
    commit(world, world.repo)
    place = world.base / "a tree"
    world.git("worktree", "add", "-q", "-b", "other", str(place))
    assert (place / ".git").is_file()
    return place


def test_a_worktree_is_a_project_of_its_own_with_the_same_bytes(world: World, tree: Path) -> None:
    assert world.tree(tree).keys() - {".git"} == world.tree().keys()
    (tree / "sub").mkdir()
    assert root.find(tree / "sub").path == tree
    assert world.ok("sync", "--check", cwd=tree).out == ""
    world.ok("status", cwd=tree)
    world.ok("verify", cwd=tree)
    assert world.denies(root=tree)


def test_what_is_done_in_a_worktree_stays_in_it(world: World, tree: Path) -> None:
    before = world.tree()
    done = world.ok("uninstall", "guard", "--yes", cwd=tree)
    assert "done" in done.out
    assert world.tree() == before
    assert set(world.tree(tree)) - {".git"} == set()
    again = world.ok("install", "guard", "--agent=claude", "--agent=codex", "--yes", cwd=tree)
    assert "codex: install in the main checkout too" in again.out
    trees = (world.tree(), world.tree(tree))
    assert trees[0] == {path: what for path, what in trees[1].items() if path != ".git"}


def test_two_worktrees_are_changed_side_by_side_and_one_waits_for_itself(
    world: World, tree: Path
) -> None:
    from hookpm.project.writing import locking

    with locking.locked(world.repo), locking.locked(tree):
        pass


def test_each_worktree_is_allowed_by_itself(user: User) -> None:
    user.project(agent="claude")
    commit(user.world, user.repo)
    place = user.world.base / "tree"
    user.world.git("worktree", "add", "-q", "-b", "other", str(place))
    user.bridge("claude")
    user.allow(user.repo)
    (place / "sub").mkdir()
    assert user.call(user.repo / "sub").refused
    heard = user.call(place / "sub")
    assert not heard.refused
    assert "not allowed" in heard.told
    user.allow(place)
    assert user.call(place / "sub").refused


# --- submodules ------------------------------------------------------------------------------


@pytest.fixture
def module(world: World) -> Path:
    """A submodule of a repo that holds a project."""
    library = world.base / "library"
    library.mkdir()
    world.git("init", "-q", "-b", "main", cwd=library)
    (library / "README").write_text("x\n")
    commit(world, library)
    world.install("guard")
    world.git("-c", "protocol.file.allow=always", "submodule", "add", "-q", str(library), "lib/x")
    commit(world, world.repo)
    place = world.repo / "lib/x"
    assert (place / ".git").is_file()
    return place


def test_a_submodule_is_a_project_of_its_own(world: World, module: Path) -> None:
    assert root.find(module).path == module
    assert "no packs" in world.ok("list", cwd=module).err
    done = world.ok("install", "helper", "--agent=claude", cwd=module)
    assert f"another project of hookpm's lies above, in {world.repo}" in done.err
    assert world.git("status", "--porcelain", "--ignore-submodules=all") == ""
    world.ok("status")
    names = [p["name"] for p in world.ok("list", "--json", cwd=module).json["packs"]]
    assert names == ["helper"]


def test_packs_of_a_submodule_are_no_part_of_the_repo_around_it(world: World, module: Path) -> None:
    world.ok("install", "helper", "--agent=claude", cwd=module)
    commit(world, module)
    commit(world, world.repo)
    done = world.ok("install", "helper", "--json")
    assert not [note for note in done.json["notes"] if "below" in note]
    world.ok("uninstall", "helper", "guard")
    assert (module / ".agents/hookpm.lock").is_file()
    world.ok("status", cwd=module)
