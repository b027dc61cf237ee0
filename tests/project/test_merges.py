"""Two branches that add or update packs: git merges them, or one `hookpm sync` does."""

from __future__ import annotations

import shutil
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

from hookpm.registry import publish
from tests.project.world import HOOK, STOP_HOOK, World
from tests.registry.server import Site

OPTION = '[options.word]\ntype = "str"\ndefault = "{}"\n'


def commit(world: World, message: str = "x") -> None:
    world.git("add", "-A")
    world.git("commit", "-qm", message)


def merge(world: World, branch: str = "topic") -> bool:
    """Merge a branch with the real git; False for a conflict."""
    try:
        world.git("merge", "-q", "--no-edit", branch)
    except subprocess.CalledProcessError:
        return False
    return True


def branches(
    world: World, ours: Callable[[World], object], theirs: Callable[[World], object]
) -> bool:
    """Do one thing on main and another on the branch topic, and merge it."""
    commit(world)
    world.git("checkout", "-qb", "topic")
    theirs(world)
    commit(world)
    world.git("checkout", "-q", "main")
    ours(world)
    commit(world)
    return merge(world)


def whole(world: World) -> dict[str, bytes | str]:
    """The tree, which has to be in order; a fresh install of the same wishes has the same packs."""
    assert world.ok("status", "--json").json["state"] == "ok"
    assert world.ok("sync", "--check").code == 0
    assert world.ok("sync", "--locked").out.endswith("nothing to change\n")
    return world.tree()


@pytest.fixture
def many(world: World) -> World:
    """Packs a, b, c, d in two versions each, with options, of which b and d are installed."""
    for name in "abcd":
        for version in ("1.0.0", "1.1.0"):
            more = OPTION.format(version)
            world.publish(world.pack(name, version, hooks=HOOK + STOP_HOOK, more=more))
    world.install("b==1.0.0", "d==1.0.0", agents=("claude", "codex"))
    text = world.read(".agents/hookpm.toml").replace('"==1.0.0"', '"~=1.0"')
    world.write(".agents/hookpm.toml", text)
    world.ok("sync")
    return world


CASES: dict[str, tuple[Callable[[World], object], Callable[[World], object]]] = {
    "both add a pack": (lambda w: w.install("a"), lambda w: w.install("c")),
    "both add the same pack": (lambda w: w.install("a"), lambda w: w.install("a")),
    "both update another pack": (lambda w: w.ok("update", "b"), lambda w: w.ok("update", "d")),
    "both update the same pack": (lambda w: w.ok("update", "b"), lambda w: w.ok("update", "b")),
    "one adds, one updates": (lambda w: w.install("c"), lambda w: w.ok("update", "b")),
    "one adds, one removes": (lambda w: w.install("a"), lambda w: w.ok("uninstall", "d")),
    "one removes, one updates it": (
        lambda w: w.ok("uninstall", "d"),
        lambda w: w.ok("update", "d"),
    ),
    "both remove one": (lambda w: w.ok("uninstall", "b"), lambda w: w.ok("uninstall", "d")),
    "one switches off, one adds": (
        lambda w: w.ok("disable", "b/guard"),
        lambda w: w.install("c"),
    ),
    "both add an agent": (
        lambda w: w.ok("sync", "--agent=gemini"),
        lambda w: w.ok("sync", "--agent=copilot"),
    ),
    "one adds an agent, one a pack": (
        lambda w: w.ok("sync", "--agent=gemini"),
        lambda w: w.install("c"),
    ),
}


@pytest.mark.parametrize("case", CASES)
@pytest.mark.parametrize("swapped", [False, True], ids=["", "swapped"])
def test_two_branches_merge_by_git_or_by_one_sync(many: World, case: str, swapped: bool) -> None:
    pair = CASES[case]
    branches(many, *(pair[::-1] if swapped else pair))
    many.ok("sync")
    names = {p["name"] for p in many.ok("list", "--json").json["packs"]}
    expected = {"b", "d"}
    for word, change in (("both add a pack", {"a", "c"}), ("both add the same pack", {"a"})):
        expected |= change if case == word else set()
    if case in ("one adds, one updates", "one switches off, one adds"):
        expected |= {"c"}
    if case == "one adds an agent, one a pack":
        expected |= {"c"}
    if case == "one adds, one removes":
        expected = {"a", "b"}
    if case == "one removes, one updates it":
        expected = {"b"}
    if case == "both remove one":
        expected = set()
    assert names == expected
    if expected:
        whole(many)
        assert "<<<<" not in "".join(str(each) for each in many.tree().values())


def test_updates_of_different_packs_merge_clean_where_their_terms_stay(many: World) -> None:
    for name in "bd":
        more = OPTION.format("1.1.0")
        many.publish(many.pack(name, "1.2.0", hooks=HOOK + STOP_HOOK, more=more, files={"n": "1"}))
    many.ok("update")
    for name in "bd":
        more = OPTION.format("1.1.0")
        many.publish(many.pack(name, "1.3.0", hooks=HOOK + STOP_HOOK, more=more, files={"n": "2"}))
    assert branches(many, lambda w: w.ok("update", "b"), lambda w: w.ok("update", "d"))
    before = whole(many)
    assert many.ok("sync").out.endswith("nothing to change\n")
    assert many.tree() == before


def test_in_a_conflict_every_vendored_file_stays_one_branchs_and_runs(many: World) -> None:
    assert not branches(many, lambda w: w.install("a"), lambda w: w.install("c"))
    for path, data in many.tree(many.repo / ".agents/hookpm").items():
        assert b"<<<<<<<" not in (data if isinstance(data, bytes) else b""), path


def test_the_conflict_is_said_with_the_way_out_and_told_once_it_is_healed(many: World) -> None:
    assert not branches(many, lambda w: w.install("a"), lambda w: w.install("c"))
    seen = many.run("status")
    assert (seen.code, "`hookpm sync` merges" in seen.err) == (3, True)
    done = many.ok("sync")
    for file in (".agents/hookpm.toml", ".agents/hooks.json"):
        assert f"note: git left a merge conflict in {file}; both sides are in it now" in done.err
    assert many.git("diff", "--name-only", "--diff-filter=U") != ""
    commit(many, "merged")
    assert many.git("status", "--porcelain") == ""


def test_a_dry_run_and_locked_leave_the_conflict_as_it_is(many: World) -> None:
    branches(many, lambda w: w.install("a"), lambda w: w.install("c"))
    before = many.stamped()
    many.ok("sync", "--dry-run")
    assert many.run("sync", "--locked").code == 3
    assert many.stamped() == before


def line(world: World, was: str, becomes: str) -> None:
    text = world.read(".agents/hookpm.toml")
    assert was in text
    world.write(".agents/hookpm.toml", text.replace(was, becomes))
    world.ok("sync")


def test_what_both_branches_changed_otherwise_is_the_users_to_decide(many: World) -> None:
    assert not branches(
        many,
        lambda w: line(w, 'b = "~=1.0"', 'b = "==1.0.0"'),
        lambda w: line(w, 'b = "~=1.0"', 'b = "==1.1.0"'),
    )
    before = many.stamped()
    done = many.run("sync")
    assert done.code == 3
    assert ".agents/hookpm.toml:" in done.err
    assert "take the side that is right" in done.err
    assert many.stamped() == before
    many.git("checkout", "--theirs", ".agents/hookpm.toml")
    many.ok("sync")
    whole(many)


def own(world: World, command: str) -> None:
    """Put a group of the user's own in front of all others."""
    document = world.load(".agents/hooks.json")
    group = {"hooks": [{"type": "command", "command": command}]}
    document["hooks"]["PreToolUse"].insert(0, group)
    import json

    world.write(".agents/hooks.json", json.dumps(document, indent=2))


def test_the_users_own_hooks_of_one_branch_survive(many: World) -> None:
    def mine(world: World) -> None:
        own(world, "echo mine")
        world.install("a")

    assert not branches(many, lambda w: w.install("c"), mine)
    many.ok("sync")
    assert "echo mine" in many.read(".agents/hooks.json")
    groups = many.load(".agents/hooks.json")["hooks"]["PreToolUse"]
    assert {g.get("pack") for g in groups} == {None, "a", "b", "c", "d"}
    whole(many)


def test_the_users_own_hooks_that_both_branches_changed_are_his_to_merge(many: World) -> None:
    assert not branches(many, lambda w: own(w, "echo one"), lambda w: own(w, "echo two"))
    before = many.stamped()
    done = many.run("sync")
    assert (done.code, ".agents/hooks.json:" in done.err) == (3, True), done.text
    assert many.stamped() == before


def test_without_gits_memory_of_the_merge_nothing_is_guessed(many: World) -> None:
    branches(many, lambda w: w.install("a"), lambda w: w.install("c"))
    many.git("add", "-A")
    before = many.stamped()
    assert many.run("sync").code == 3
    assert many.stamped() == before


def test_a_first_install_on_two_branches_is_merged(world: World) -> None:
    world.write("readme", "x")
    assert not branches(
        world,
        lambda w: w.install("guard", agents=("claude",)),
        lambda w: w.install("helper", agents=("claude",)),
    )
    world.ok("sync")
    assert {p["name"] for p in world.ok("list", "--json").json["packs"]} == {"guard", "helper"}
    whole(world)


def test_a_rebase_is_merged_like_a_merge(many: World) -> None:
    commit(many)
    many.git("checkout", "-qb", "topic")
    many.install("c")
    commit(many)
    many.git("checkout", "-q", "main")
    many.install("a")
    commit(many)
    many.git("checkout", "-q", "topic")
    with pytest.raises(subprocess.CalledProcessError):
        many.git("rebase", "-q", "main")
    many.ok("sync")
    many.git("add", "-A")
    many.git("-c", "core.editor=true", "rebase", "--continue")
    assert {p["name"] for p in many.ok("list", "--json").json["packs"]} == set("abcd")
    whole(many)


def test_a_clone_of_the_merged_branch_is_protected_and_locked(many: World, tmp_path: Path) -> None:
    branches(many, lambda w: w.install("a"), lambda w: w.install("c"))
    many.ok("sync")
    commit(many)
    clone = tmp_path / "clone"
    many.git("clone", "-q", str(many.repo), str(clone))
    assert many.denies(".env", root=clone)
    shutil.rmtree(many.packs)
    assert many.ok("sync", "--locked", cwd=clone).out.endswith("nothing to change\n")


def test_a_file_that_only_their_version_has_is_no_part_of_ours(many: World) -> None:
    """Held as it lies there, it would run as part of a version that nobody published."""
    more = OPTION.format("1.1.0")
    added = many.pack("b", "1.2.0", hooks=HOOK + STOP_HOOK, more=more, files={"json.py": "1/0\n"})
    many.publish(added)
    branches(many, lambda w: w.install("b==1.1.0"), lambda w: w.install("b==1.2.0"))
    many.git("checkout", "--ours", ".agents/hookpm.toml", ".agents/hookpm/packs")
    assert (many.repo / ".agents/hookpm/packs/b/json.py").exists()
    many.ok("sync")
    assert not (many.repo / ".agents/hookpm/packs/b/json.py").exists()
    assert many.ok("verify", "--json").json["state"] == "ok"
    assert many.denies()
    whole(many)


def test_what_git_merged_of_a_registry_over_the_network_is_never_held_as_a_mixture(
    many: World, named: Site, tmp_path: Path
) -> None:
    for version, files in (("1.1.0", {}), ("1.2.0", {"json.py": "1/0\n"})):
        pack = many.pack("base", version, files=files)
        publish.apply(publish.plan([pack], tmp_path / "acme"), tmp_path / "acme")
    named.put_tree(tmp_path / "acme")
    many.install("base==1.0.0", "--registry", "acme")
    branches(
        many, lambda w: w.ok("install", "base==1.1.0"), lambda w: w.ok("install", "base==1.2.0")
    )
    many.git("checkout", "--ours", ".agents/hookpm.toml", ".agents/hookpm/packs")
    many.ok("sync")
    assert not (many.repo / ".agents/hookpm/packs/base/json.py").exists()
    assert many.ok("verify", "--json").json["problems"] == []
