"""`--local`: packs for one checkout, of which git sees nothing."""

from __future__ import annotations

from pathlib import Path

import pytest

from hookpm import agents
from tests.project.world import FILES, World

EXCLUDE = ".git/info/exclude"
LOCAL = ".claude/settings.local.json"
ALL = [agent.name for agent in agents.wirable()]
SHARED = {  # agents whose one file is shared with whoever else writes to it
    "codex": ".codex/hooks.json",
    "cursor": ".cursor/hooks.json",
    "droid": ".factory/hooks.json",
    "gemini": ".gemini/settings.json",
    "qwen": ".qwen/settings.json",
}


def local(world: World, *names: str) -> str:
    done = world.ok("install", "guard", "--local", "--yes", *(f"--agent={name}" for name in names))
    return done.text


def everything(world: World) -> dict[str, bytes | str]:
    """The repo's files, and git's list of excludes."""
    file = world.repo / EXCLUDE
    kept = file.read_bytes() if file.exists() else "none"
    return {**world.tree(), EXCLUDE: kept}


def status(world: World) -> str:
    return world.git("status", "--porcelain", "--untracked-files=all")


@pytest.mark.parametrize("text", [None, "", "# git ls-files\n*.o\n", "no newline"])
def test_git_sees_nothing_and_an_uninstall_leaves_nothing(world: World, text: str | None) -> None:
    file = world.repo / EXCLUDE
    file.unlink(missing_ok=True)
    if text is not None:
        file.write_text(text)
    before = everything(world)
    local(world, *ALL)
    assert status(world) == ""
    assert file.read_text().startswith(text or "")
    for command in (("status",), ("verify",), ("sync", "--check")):
        world.ok(*command)
    world.ok("uninstall", "guard", "--yes")
    assert everything(world) == before


def test_no_gitignore_is_written(world: World) -> None:
    local(world, "claude")
    assert not list(world.repo.rglob(".gitignore"))


def test_claude_is_wired_in_its_local_file_and_its_guard_holds(world: World) -> None:
    world.write(FILES["claude"], '{"model": "x"}\n')
    world.git("add", "-A")
    world.patch.setitem(FILES, "claude", LOCAL)
    local(world, "claude")
    assert world.read(".claude/settings.json") == '{"model": "x"}\n'
    assert world.denies()
    assert status(world) == "A  .claude/settings.json\n"


def test_a_local_file_of_the_users_keeps_its_bytes_and_is_his_to_exclude(world: World) -> None:
    own = '{"permissions": {"allow": ["Bash"]}}'
    world.write(LOCAL, own)
    local(world, "claude")
    assert f"/{LOCAL}" not in (world.repo / EXCLUDE).read_text().splitlines()
    world.ok("uninstall", "guard", "--yes")
    assert world.read(LOCAL) == own


@pytest.mark.parametrize("agent", SHARED)
def test_an_agent_without_a_local_file_whose_file_is_there_already_is_named_and_left(
    world: World, agent: str
) -> None:
    text = '{"version": 1, "hooks": {}}\n' if agent == "cursor" else "{}\n"
    world.write(SHARED[agent], text)
    done = world.run("install", "guard", "--local", "--yes", "--agent=claude", f"--agent={agent}")
    assert done.code == 1
    assert f"{agent} is not wired" in done.err
    assert "no local file" in done.err
    assert world.read(SHARED[agent]) == text
    assert status(world) == f"?? {SHARED[agent]}\n"
    world.git("add", "-A")
    assert f"git tracks {SHARED[agent]}" in world.run("sync").err


def test_a_file_that_is_ours_whole_but_committed_is_left(world: World) -> None:
    world.install("guard", agents=("copilot",))
    file = world.repo / FILES["copilot"]
    text = file.read_bytes()
    world.ok("uninstall", "guard")
    file.parent.mkdir(parents=True)
    file.write_bytes(text)
    world.git("add", "-A")
    done = world.run("install", "guard", "--local", "--yes", "--agent=claude", "--agent=copilot")
    assert done.code == 1
    assert "git tracks .github/hooks/hookpm.json" in done.err
    assert file.read_bytes() == text


def test_what_is_installed_locally_keeps_to_it_without_the_option(world: World) -> None:
    local(world, "claude")
    done = world.ok("install", "helper", "--yes")
    assert "local scope" in done.err
    world.ok("sync", "--yes")
    assert status(world) == ""
    assert 'scope = "local"' in world.read(".agents/hookpm.lock")
    world.ok("uninstall", "guard", "helper", "--local", "--yes")
    assert world.tree() == {}


def test_packs_that_are_committed_or_there_for_everybody_are_not_mixed_with_local_ones(
    world: World,
) -> None:
    world.install("guard==1.0.0")
    before = everything(world)
    refused = world.run("install", "helper", "--local", "--yes")
    assert refused.code == 1
    assert "project scope" in refused.err
    assert everything(world) == before
    world.ok("uninstall", "guard", "--yes")
    world.write(".agents/hooks.json", '{"hooks": {}}\n')
    world.git("add", "-A")
    refused = world.run("install", "helper", "--local", "--yes")
    assert refused.code == 1
    assert "git tracks .agents/hooks.json" in refused.err
    assert "--user" in refused.err


def test_it_is_for_the_top_of_a_checkout_alone(world: World) -> None:
    world.git("commit", "-q", "--allow-empty", "-m", "x")
    tree = world.base / "tree"
    world.git("worktree", "add", "-q", str(tree))
    inner = world.repo / "packages"
    inner.mkdir()
    loose = world.base / "loose"
    loose.mkdir()
    places: dict[Path, str] = {tree: "linked worktree", inner: "is none", loose: "is none"}
    for place, why in places.items():
        arguments = ("install", "guard", "--local", "--agent=claude", "--yes", "--root", str(place))
        refused = world.run(*arguments)
        assert refused.code == 1, place
        assert why in refused.err
        assert world.tree(place).keys() <= {".git"}


def test_of_local_and_user_one_is_asked_for(world: World) -> None:
    assert world.run("install", "guard", "--local", "--user", "--yes").code == 2


def test_lines_that_somebody_took_out_of_the_excludes_are_drift(world: World) -> None:
    local(world, "claude")
    (world.repo / EXCLUDE).write_text("")
    done = world.run("status")
    assert done.code == 1
    assert EXCLUDE in done.out
    world.ok("sync", "--yes")
    assert status(world) == ""
