"""What git ignores reaches no clone: every command says which line is to blame."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from tests.project.world import FILES, World

# The line in .gitignore -> one of the files that it keeps from a clone.
LINES = {
    "*secret*": ".agents/hookpm/packs/secret-guard/guard.py",
    "bridge/": ".agents/hookpm/bridge/callers.py",
    "packs/": ".agents/hookpm/packs/secret-guard/guard.py",
    "guard.py": ".agents/hookpm/packs/secret-guard/guard.py",
    "packs.json": ".agents/hookpm/packs.json",
    "*.lock": ".agents/hookpm.lock",
    "*.toml": ".agents/hookpm.toml",
    ".agents": ".agents/hookpm.lock",
    "hooks.json": ".agents/hooks.json",
    ".claude/": FILES["claude"],
    "*": ".agents/hookpm.lock",
}


def pack(world: World) -> Path:
    return world.pack("secret-guard", at=world.repo / "own")


@pytest.mark.parametrize("line", LINES)
def test_every_command_says_which_line_keeps_a_file_from_the_clones(
    world: World, line: str
) -> None:
    world.write(".gitignore", f"# mine\n{line}\n")
    pack(world)
    done = world.run("install", "./own", "--agent=claude")
    assert done.code == 1
    assert f"error: {LINES[line]}: git ignores" in done.err
    assert f"take the line `{line}` out of .gitignore:2" in done.err
    assert "not whole" in done.out
    assert world.denies(), "here it is installed"
    again = world.run("sync", "--json")
    assert again.code == 1
    assert [(i["file"], i["line"], i["pattern"]) for i in again.json["ignored"]] == [
        (".gitignore", 2, line)
    ]
    assert LINES[line] in again.json["ignored"][0]["paths"]
    assert world.run("sync", "--check").code == 1
    assert world.run("install", "./own", "--dry-run").code == 1
    for command in ("status", "verify"):
        seen = world.run(command, "--json")
        assert seen.code == 1, command
        found = [p for p in seen.json["problems"] if p["code"] == "ignored"]
        assert [(p["severity"], p["file"]) for p in found] == [("drift", LINES[line])]
        assert found[0]["fix"] == f"take the line `{line}` out of .gitignore:2"
    # The advice works, and then a clone is guarded.
    world.write(".gitignore", "# mine\n")
    assert world.ok("status", "--json").json["state"] == "ok"
    world.ok("sync")
    world.git("add", "-A")
    world.git("commit", "-qm", "x")
    world.git("clone", "-q", str(world.repo), str(world.base / "clone"))
    assert world.denies(root=world.base / "clone")


def test_what_is_tracked_or_taken_in_again_is_not_ignored(world: World) -> None:
    world.write(".gitignore", "guard.py\n*.lock\n!hookpm.lock\n")
    pack(world)
    assert world.run("install", "./own", "--agent=claude").code == 1
    world.git("add", "-f", "-A")
    world.ok("sync")
    assert world.ok("status", "--json").json["state"] == "ok"


def test_the_line_is_found_where_git_has_it(world: World) -> None:
    pack(world)
    world.install("./own")
    world.write(".agents/hookpm/.gitignore", "contract\n")
    exclude = world.repo / ".git/info/exclude"
    exclude.parent.mkdir(exist_ok=True)
    exclude.write_text("hookpm.toml\n")
    seen = world.run("status", "--json").json["problems"]
    fixes = {p["fix"] for p in seen if p["code"] == "ignored"}
    assert fixes == {
        "take the line `contract` out of .agents/hookpm/.gitignore:1",
        "take the line `hookpm.toml` out of .git/info/exclude:1",
    }


def test_a_project_below_the_top_is_told_of_the_line_above_it(world: World) -> None:
    below = world.repo / "part" / "one"
    below.mkdir(parents=True)
    world.pack("secret-guard", at=below / "own")
    world.write(".gitignore", "packs\n")
    done = world.run("install", "./own", "--agent=claude", f"--root={below}", cwd=below)
    assert done.code == 1
    assert "take the line `packs` out of ../../.gitignore:1" in done.err


def test_a_linked_folder_is_looked_at_where_it_leads(world: World) -> None:
    pack(world)
    (world.repo / "config").mkdir()
    (world.repo / ".claude").symlink_to("config")
    world.write(".gitignore", "config/\n")
    done = world.run("install", "./own", "--agent=claude")
    assert done.code == 1
    assert "take the line `config/` out of .gitignore:1" in done.err
    world.write(".gitignore", "guard.py\n")
    assert "take the line `guard.py` out" in world.run("status").out


def test_an_uninstall_does_not_mind_what_git_ignores(world: World) -> None:
    world.install("guard")
    world.write(".gitignore", ".agents\n")
    world.ok("uninstall", "guard")


def test_without_a_checkout_nothing_is_ignored(world: World) -> None:
    shutil.rmtree(world.repo / ".git")
    world.write(".gitignore", "*\n")
    pack(world)
    world.install("./own")
    assert world.ok("status", "--json").json["state"] == "ok"
