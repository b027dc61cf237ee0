from __future__ import annotations

import shutil
import subprocess

import pytest

from tests.project.world import World

TEAM = 'agents = ["claude"]\n\n[packs]\nguard = { version = "~=1.0", required = true }\n'


def profile(world: World, text: str = TEAM, name: str = "team") -> None:
    """A profile's folder beside the repo."""
    folder = world.base / name
    folder.mkdir(exist_ok=True)
    (folder / "hookpm.toml").write_text(text)


def own(world: World, text: str = 'extends = ["../team"]\n') -> None:
    world.write(".agents/hookpm.toml", text)


def vendored(world: World) -> list[str]:
    return [path for path in world.tree() if path.startswith(".agents/hookpm/profiles/")]


def test_a_sync_installs_what_a_profile_wants_and_the_repo_holds_the_profile(world: World) -> None:
    profile(world)
    own(world)
    world.ok("sync")
    assert world.denies(".env")
    assert world.read(".agents/hookpm.toml") == 'extends = ["../team"]\n'
    (path,) = vendored(world)
    assert world.read(path) == TEAM
    assert '[[profile]]\nsource = "path:../team"\nsha256 = "sha256:' in world.read(
        ".agents/hookpm.lock"
    )
    assert world.ok("status", "--json").json["state"] == "ok"
    assert world.run("sync", "--check").code == 0


def test_a_clone_needs_nothing_but_the_repo(world: World) -> None:
    profile(world)
    own(world)
    world.ok("sync")
    shutil.rmtree(world.base / "team")
    before = world.tree()
    for command in (("sync", "--locked"), ("sync", "--check"), ("status",), ("verify",), ("sync",)):
        world.ok(*command)
    assert world.tree() == before
    world.ok("install", "helper")
    world.ok("uninstall", "helper")
    assert world.denies(".env")


def test_a_change_of_a_folders_profile_is_drift_and_comes_with_a_sync(world: World) -> None:
    profile(world)
    own(world)
    world.ok("sync")
    profile(world, TEAM + 'helper = "*"\n')
    assert "state: drift" in world.run("status").out
    done = world.run("sync", "--check")
    assert done.code == 1
    assert '+helper = "*"' in done.out
    assert "not the one that the lock pins" in world.run("sync", "--locked").err
    world.ok("sync")
    assert "helper" in world.ok("list").out


def test_locked_refuses_a_profile_that_is_no_longer_extended(world: World) -> None:
    profile(world)
    own(world)
    world.ok("sync")
    own(world, 'agents = ["claude"]\n\n[packs]\nguard = { version = "~=1.0" }\n')
    done = world.run("sync", "--locked")
    assert done.code == 1
    assert "the profile path:../team is not the one that the lock pins" in done.err
    assert world.run("sync", "--check").code == 1


def test_a_hand_edited_copy_of_a_profile_is_drift_and_a_sync_restores_it(world: World) -> None:
    profile(world)
    own(world)
    world.ok("sync")
    before = world.tree()
    (path,) = vendored(world)
    world.write(path, TEAM.replace("~=1.0", "==1.0.0"))
    assert "state: drift" in world.run("status").out
    assert world.run("sync", "--check").code == 1
    world.ok("sync")
    assert world.tree() == before


def test_a_profile_that_is_no_longer_extended_goes_with_what_it_brought(world: World) -> None:
    profile(world)
    own(world, 'extends = ["../team"]\n\n[packs]\nhelper = "*"\n')
    world.ok("sync")
    own(world, 'agents = ["claude"]\n[packs]\nhelper = "*"\n')
    world.ok("sync")
    assert vendored(world) == []
    assert "guard" not in world.ok("list").out
    assert "[[profile]]" not in world.read(".agents/hookpm.lock")


def test_what_only_a_profile_brings_cannot_be_uninstalled_here(world: World) -> None:
    profile(world, TEAM + 'helper = "*"\n')
    own(world)
    world.ok("sync")
    before = world.tree()
    for name, verb, line in (("guard", "requires", 4), ("helper", "brings", 5)):
        done = world.run("uninstall", name)
        assert done.code == 1
        assert f"the profile path:../team {verb} it" in done.err
        assert f"../team/hookpm.toml:{line}" in done.err
    assert world.tree() == before


def test_a_pack_that_a_profile_brings_too_cannot_be_uninstalled_here(world: World) -> None:
    profile(world)
    own(world, 'extends = ["../team"]\n\n[packs]\nguard = "==1.0.0"\n')
    world.ok("sync")
    before = world.tree()
    done = world.run("uninstall", "guard")
    assert done.code == 1
    assert "the profile path:../team requires it" in done.err
    assert world.tree() == before


def test_an_install_beyond_a_required_range_is_refused_and_one_inside_narrows_it(
    world: World,
) -> None:
    profile(world)
    own(world)
    world.ok("sync")
    before = world.tree()
    done = world.run("install", "guard==2.0.0")
    assert done.code == 1
    assert "guard is required by the profile path:../team" in done.err
    assert world.tree() == before
    world.ok("install", "guard==1.0.0")
    assert "guard 1.0.0" in world.ok("list").out
    world.ok("install", "guard>=1")
    assert "guard 1.0.0" in world.ok("list").out


def test_init_starts_a_repo_from_a_profile(world: World) -> None:
    profile(world)
    done = world.ok("init", "--profile", "../team")
    assert "`hookpm sync` brings guard" in done.out
    assert world.read(".agents/hookpm.toml") == (
        "# What this repo wants from hookpm. `hookpm sync` brings it about.\n"
        'extends = ["../team"]\n\n[packs]\n'
    )
    world.ok("sync")
    assert world.denies()


def test_init_adds_a_profile_to_a_file_that_is_there_and_only_once(world: World) -> None:
    profile(world)
    profile(world, '[packs]\nhelper = "*"\n', "more")
    own(world, '# mine\n\nagents = ["claude"]\n\n[packs]\nguard = "*"  # all\n')
    world.ok("init", "--profile", "../team")
    world.ok("init", "--profile", "../team", "--profile", "../more")
    assert world.read(".agents/hookpm.toml") == (
        '# mine\n\nextends = ["../team", "../more"]\nagents = ["claude"]\n\n'
        '[packs]\nguard = "*"  # all\n'
    )
    before = world.tree()
    assert not world.ok("init", "--profile", "../more", "--json").json["changed"]
    assert world.tree() == before


def test_init_with_a_profile_that_is_not_there_writes_nothing(world: World) -> None:
    done = world.run("init", "--profile", "../team")
    assert done.code == 3
    assert "there is no profile at ../team/hookpm.toml" in done.err
    assert world.run("init", "--profile", "ftp://example.com/x.toml").code == 2
    assert world.tree() == {}


def test_list_status_and_json_say_which_profile_brings_a_pack(world: World) -> None:
    profile(world)
    own(world, 'extends = ["../team"]\n\n[packs]\nhelper = "*"\n')
    done = world.ok("sync", "--json").json
    listed = world.ok("list", "--json").json
    told = world.ok("status", "--json").json
    assert done["profiles"] == told["profiles"]
    for document in (done, listed, told):
        by = {pack["name"]: pack.get("profile") for pack in document["packs"]}
        assert by == {"guard": "path:../team", "helper": None}
    assert [each["source"] for each in told["profiles"]] == ["path:../team"]
    assert "guard 1.1.0 from embedded (1 hook; by path:../team)" in world.ok("list").out
    assert "extends path:../team" in world.ok("status").out


def test_the_schema_of_hookpm_toml_knows_the_keys_of_profiles(world: World) -> None:
    made = world.ok("schema", "hookpm").json
    assert {"extends", "policy"} <= made["properties"].keys()
    assert "required" in made["$defs"]["PackLine"]["properties"]
    assert made["$defs"]["Policy"]["properties"].keys() == {"agents", "sources", "gaps"}


def test_agents_of_a_profile_are_not_written_into_the_repos_file_until_it_adds_one(
    world: World,
) -> None:
    profile(world)
    own(world)
    world.ok("sync")
    assert "agents" not in world.read(".agents/hookpm.toml")
    world.ok("sync", "--agent=codex")
    assert 'agents = ["claude", "codex"]' in world.read(".agents/hookpm.toml")


def test_a_merge_that_left_a_conflict_in_the_lock_and_the_profiles_copy_is_mended_by_a_sync(
    world: World,
) -> None:
    profile(world)
    own(world)
    world.ok("sync")
    world.git("add", "-A")
    world.git("commit", "-qm", "base")
    for branch, more in (("one", 'helper = "*"\n'), ("two", "# two\n")):
        world.git("checkout", "-qb", branch, "main")
        profile(world, TEAM + more)
        world.ok("sync")
        world.git("add", "-A")
        world.git("commit", "-qm", branch)
    with pytest.raises(subprocess.CalledProcessError):
        world.git("merge", "-q", "one")
    world.ok("sync")
    assert world.ok("status", "--json").json["state"] == "ok"
    assert world.read(vendored(world)[0]) == TEAM + "# two\n"


def test_the_last_pack_of_a_profile_takes_everything_with_it(world: World) -> None:
    profile(world)
    own(world)
    world.ok("sync")
    own(world, "")
    world.ok("sync")
    assert world.tree() == {".agents": "folder", ".agents/hookpm.toml": b"644 "}


def test_hooks_of_a_required_pack_cannot_be_disabled_by_command(world: World) -> None:
    profile(world, TEAM + 'helper = "*"\n')
    own(world)
    world.ok("sync")
    before = world.tree()
    done = world.run("disable", "guard/guard")
    assert done.code == 1, done.text
    assert "guard is required by the profile path:../team" in done.err
    assert world.tree() == before
    world.ok("disable", "helper/guard")
    groups = world.load(".agents/hooks.json")["hooks"]["PreToolUse"]
    assert [group["pack"] for group in groups] == ["guard"]
    world.ok("enable", "helper/guard")
    assert len(world.load(".agents/hooks.json")["hooks"]["PreToolUse"]) == 2


def test_a_hook_that_a_profile_switched_off_can_be_switched_on_here(world: World) -> None:
    profile(world, '[packs]\nhelper = "*"\nguard = { version = "*", disable = ["guard"] }\n')
    own(world, 'extends = ["../team"]\nagents = ["claude"]\n')
    world.ok("sync")
    world.ok("enable", "guard/guard")
    groups = world.load(".agents/hooks.json")["hooks"]["PreToolUse"]
    assert {group["pack"] for group in groups} == {"guard", "helper"}


def test_a_new_registry_can_be_named_at_an_install_beside_profiles(world: World) -> None:
    profile(world)
    own(world)
    world.index.rename(world.base / "more")
    world.publish(world.pack("guard", "1.1.0"))
    world.ok("sync")
    world.ok("install", "helper", "--registry", "more=../more")
    assert 'more = "../more"' in world.read(".agents/hookpm.toml")
    assert "helper 1.0.0 from more" in world.ok("list").out
