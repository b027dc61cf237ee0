"""Profiles from git and from the web: fetched once, pinned, held in the repo, moved when asked."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from hookpm.project import state
from hookpm.project.profiles import profile, profiles
from tests.project.world import World
from tests.registry.gitrepo import Repo, make
from tests.registry.server import Site, serving

TEAM = 'agents = ["claude"]\n\n[packs]\nguard = { version = "~=1.0", required = true }\n'
MORE = TEAM + 'helper = "*"\n'


@pytest.fixture
def team(world: World) -> Repo:
    """A repository with a profile at its root, another one below it, and the tag v1."""
    repo = make(world.base / "team.git", {"hookpm.toml": TEAM})
    repo.commit({"sub/hookpm.toml": 'extends = [".."]\n\n[packs]\nhelper = "*"\n'}, "v1")
    return repo


@pytest.fixture
def site() -> Iterator[Site]:
    with serving() as found:
        found.files["/team/hookpm.toml"] = TEAM.encode()
        yield found


def own(world: World, *extends: str, more: str = "") -> None:
    listed = ", ".join(f'"{each}"' for each in extends)
    world.write(".agents/hookpm.toml", f"extends = [{listed}]\n{more}")


def block(world: World, source: str) -> str:
    """The lock's block of a profile."""
    blocks = world.read(".agents/hookpm.lock").split("\n\n")
    return next(each for each in blocks if each.startswith(f'[[profile]]\nsource = "{source}"'))


def test_a_profile_at_a_tag_is_pinned_by_commit_and_held_in_the_repo(
    world: World, team: Repo
) -> None:
    own(world, f"git+{team.url}@v1")
    world.ok("sync")
    assert world.denies()
    told = block(world, f"git+{team.url}")
    assert 'ref = "tag:v1"' in told
    assert f'commit = "{team.git("rev-parse", "v1")}"' in told
    team.folder.rename(world.base / "away")
    for command in (("sync", "--locked"), ("sync", "--check"), ("status",), ("verify",)):
        world.ok(*command)
    world.ok("sync", "--offline")


@pytest.mark.parametrize("name", ["main", "", "COMMIT", "refs/tags/v1", "SHORT"])
def test_a_branch_a_commit_and_the_default_branch_name_a_profile(
    world: World, team: Repo, name: str
) -> None:
    commit = team.git("rev-parse", "HEAD")
    name = {"COMMIT": commit, "SHORT": commit[:10]}.get(name, name)
    own(world, f"git+{team.url}@{name}" if name else f"git+{team.url}")
    world.ok("sync")
    assert f'commit = "{commit}"' in block(world, f"git+{team.url}")
    assert not world.ok("sync", "--json").json["changed"]


def test_a_branch_stays_at_the_locked_commit_until_it_is_refreshed(
    world: World, team: Repo
) -> None:
    own(world, f"git+{team.url}@main")
    world.ok("sync")
    team.commit({"hookpm.toml": MORE})
    assert not world.ok("sync", "--json").json["changed"]
    world.ok("sync", "--check")
    now, moved = profile.refresh(state.load(world.repo))
    assert "helper" in now.settings.packs
    assert [str(each) for each in moved] == [
        f"the profile git+{team.url} moves from {team.git('rev-parse', 'HEAD~1')[:12]} "
        f"to {team.git('rev-parse', 'HEAD')[:12]}"
    ]


def test_a_tag_that_was_moved_is_named(world: World, team: Repo) -> None:
    own(world, f"git+{team.url}@v1")
    world.ok("sync")
    team.commit({"hookpm.toml": MORE})
    team.git("tag", "--force", "v1")
    _, moved = profile.refresh(state.load(world.repo))
    assert "the tag v1 of the profile" in str(moved[0])
    done = world.run("sync", "--check", "--profile", f"git+{team.url}@v1")
    assert done.code == 1
    assert "the tag v1 of the profile" in done.err


def test_a_profile_in_a_folder_of_a_repo_may_extend_one_beside_it_at_the_same_commit(
    world: World, team: Repo
) -> None:
    own(world, f"git+{team.url}@v1#subdirectory=sub")
    world.ok("sync")
    assert {"guard", "helper"} <= {
        pack["name"] for pack in world.ok("list", "--json").json["packs"]
    }
    commits = [
        block(world, f"git+{team.url}{sub}").partition("commit")[2].split()[1]
        for sub in ("", "#subdirectory=sub")
    ]
    assert commits[0] == commits[1]


def test_a_pack_in_the_profiles_own_repo_is_of_the_profiles_commit(
    world: World, team: Repo
) -> None:
    world.pack("house", at=team.folder / "packs/house")
    commit = team.commit(
        {"hookpm.toml": 'agents = ["claude"]\n[packs]\nhouse = { path = "packs/house" }\n'}, "v2"
    )
    own(world, f"git+{team.url}@v2")
    world.ok("sync")
    lock = world.read(".agents/hookpm.lock")
    assert f'source = "git+{team.url}#subdirectory=packs/house"' in lock
    assert f'ref = "rev:{commit}"' in lock
    assert world.denies()


def test_a_relative_profile_that_leads_out_of_its_repo_is_refused(world: World, team: Repo) -> None:
    team.commit({"hookpm.toml": 'extends = ["../other"]\n'}, "v3")
    own(world, f"git+{team.url}@v3")
    done = world.run("sync", "--agent=claude")
    assert done.code == 1
    assert f"leads out of the repo that the profile lies in (git+{team.url}@v3:1)" in done.err


def test_a_deleted_copy_is_fetched_again_at_the_locked_commit(world: World, team: Repo) -> None:
    own(world, f"git+{team.url}@main")
    world.ok("sync")
    before = world.tree()
    team.commit({"hookpm.toml": MORE})
    (copy,) = (world.repo / ".agents/hookpm/profiles").iterdir()
    copy.unlink()
    assert world.run("status").code == 1
    world.ok("sync")
    assert world.tree() == before


def test_a_profile_on_the_web_is_pinned_by_hash_until_it_is_refreshed(
    world: World, site: Site
) -> None:
    url = f"{site.url}/team/hookpm.toml"
    own(world, url)
    world.ok("sync")
    assert world.denies()
    assert "sha256" in block(world, url)
    site.files["/team/hookpm.toml"] = MORE.encode()
    asked = len(site.log)
    for command in (("sync",), ("sync", "--check"), ("status",), ("verify",), ("sync", "--locked")):
        world.ok(*command)
    assert len(site.log) == asked
    now, (moved,) = profile.refresh(state.load(world.repo))
    assert "helper" in now.settings.packs
    assert str(moved) == f"the profile {url} has changed"


def test_a_web_profile_whose_copy_is_gone_and_which_has_changed_is_named(
    world: World, site: Site
) -> None:
    url = f"{site.url}/team/hookpm.toml"
    own(world, url)
    world.ok("sync")
    site.files["/team/hookpm.toml"] = MORE.encode()
    (copy,) = (world.repo / ".agents/hookpm/profiles").iterdir()
    copy.write_text(MORE)
    done = world.run("sync")
    assert done.code == 1
    assert f"the profile {url} is no longer what the lock pins" in done.err
    assert f".agents/hookpm/profiles/{copy.name}" in done.err
    assert "hookpm update --profiles" in done.err


@pytest.mark.parametrize(
    ("text", "line", "words"),
    [
        ('[packs]\nhouse = { path = "x" }\n', 2, "names a folder"),
        ('[registries]\nmine = "../index"\n', 2, "lies on this machine"),
        ('[registries]\nmine = "file:///srv/index"\n', 2, "lies on this machine"),
        ('[packs]\nhouse = { git = "file:///srv/x" }\n', 2, "lies on this machine"),
        ('\nextends = ["file:///srv/team"]\n', 2, "lies on this machine"),
        ('\nextends = ["git+file:///srv/team"]\n', 2, "lies on this machine"),
        ('\nextends = ["/srv/team"]\n', 2, "cannot name a profile's folder"),
        ('agnets = ["claude"]\n', 1, "unknown key `agnets`"),
        ("[packs]\nguard = 1\n", 2, "must be a version or a table"),
    ],
)
def test_what_a_profile_from_the_network_may_not_say_is_named_with_its_address_and_line(
    world: World, site: Site, text: str, line: int, words: str
) -> None:
    url = f"{site.url}/team/hookpm.toml"
    site.files["/team/hookpm.toml"] = text.encode()
    own(world, url)
    before = world.tree()
    done = world.run("sync", "--agent=claude")
    assert done.code in (1, 3)
    assert words in done.err
    assert f"{url}:{line}" in done.err
    assert world.tree() == before


def test_a_copy_that_is_gone_while_its_server_is_too_is_named(world: World) -> None:
    with serving() as site:
        site.files["/hookpm.toml"] = TEAM.encode()
        own(world, f"{site.url}/hookpm.toml")
        world.ok("sync")
    (copy,) = (world.repo / ".agents/hookpm/profiles").iterdir()
    copy.unlink()
    done = world.run("sync")
    assert done.code == 3
    assert f"restore .agents/hookpm/profiles/{copy.name} from git" in done.err
    world.ok("sync", "--offline")  # the user's cache has it
    assert copy.read_text() == TEAM


def test_a_profile_in_a_git_repo_names_no_registry_by_a_folder(world: World, team: Repo) -> None:
    team.commit({"hookpm.toml": '[registries]\nmine = "index"\n'}, "v4")
    own(world, f"git+{team.url}@v4")
    done = world.run("sync", "--agent=claude")
    assert done.code == 1
    assert "lies on this machine" in done.err


def test_a_web_profile_may_extend_one_beside_it(world: World, site: Site) -> None:
    site.files["/team/base/hookpm.toml"] = TEAM.encode()
    site.files["/team/hookpm.toml"] = b'extends = ["base"]\n'
    own(world, f"{site.url}/team/hookpm.toml")
    world.ok("sync")
    assert world.denies()


def test_a_profile_that_is_too_large_is_refused(world: World, site: Site) -> None:
    site.files["/team/hookpm.toml"] = b"#" * (profiles.LIMIT + 1)
    own(world, f"{site.url}/team/hookpm.toml")
    assert world.run("sync", "--agent=claude").code == 3
    (world.base / "big").mkdir()
    Path(world.base / "big/hookpm.toml").write_bytes(b"#" * (profiles.LIMIT + 1))
    own(world, "../big")
    done = world.run("sync", "--agent=claude")
    assert done.code == 1
    assert "larger than 256 KB" in done.err


@pytest.mark.parametrize(
    "entry",
    [
        "https://token@hooks.example.com/hookpm.toml",
        "https://me:secret@hooks.example.com/hookpm.toml",
        "git+https://me:secret@git.example.com/acme/team@v1",
    ],
)
def test_an_address_with_a_user_name_is_refused_and_not_repeated(world: World, entry: str) -> None:
    own(world, entry)
    done = world.run("sync", "--agent=claude")
    assert done.code == 1
    assert ".agents/hookpm.toml:1" in done.err
    assert "secret" not in done.err
    assert "token" not in done.err


@pytest.mark.parametrize(
    "entry",
    [
        "",
        "/srv/team",
        "~/team",
        "C:/team",
        "ftp://example.com/hookpm.toml",
        "http://hooks.example.com/hookpm.toml",
        "https://hooks.example.com/",
        ".agents",
        "git+ext::sh -c true",
        "git+https://git.example.com/acme/team@--upload-pack=x",
        "git+https://git.example.com/acme/team#subdirectory=../x",
    ],
)
def test_what_names_no_profile_is_refused_with_its_line(world: World, entry: str) -> None:
    own(world, entry)
    done = world.run("sync", "--agent=claude")
    assert done.code == 1, done.text
    assert ".agents/hookpm.toml:1" in done.err


def test_profiles_that_extend_each_other_in_a_circle_are_named(world: World) -> None:
    for name, other in (("a", "b"), ("b", "a")):
        (world.base / name).mkdir()
        (world.base / name / "hookpm.toml").write_text(f'\nextends = ["../{other}"]\n')
    own(world, "../a")
    done = world.run("sync", "--agent=claude")
    assert done.code == 1
    assert "in a circle (../b/hookpm.toml:2)" in done.err
    assert "../a -> ../b -> ../a" in done.err


def test_more_profiles_above_each_other_than_are_allowed_are_named(world: World) -> None:
    for n in range(12):
        (world.base / f"p{n}").mkdir()
        (world.base / f"p{n}/hookpm.toml").write_text(f'extends = ["../p{n + 1}"]\n')
    own(world, "../p0")
    done = world.run("sync", "--agent=claude")
    assert done.code == 1
    assert "more than 8 profiles extend each other" in done.err
    assert "../p7/hookpm.toml:1" in done.err


def test_one_profile_in_two_versions_is_refused(world: World, team: Repo) -> None:
    own(world, f"git+{team.url}@v1", f"git+{team.url}@main")
    done = world.run("sync")
    assert done.code == 1
    assert f"git+{team.url}@main is extended as git+{team.url}@v1 too" in done.err


def test_each_profile_counts_once_and_after_what_it_extends(world: World) -> None:
    texts = {
        "base": 'agents = ["claude"]\n[packs]\nguard = { version = "*", options = {} }\n',
        "a": 'extends = ["../base"]\n[packs]\nguard = "==1.0.0"\n',
        "b": 'extends = ["../base"]\n[packs]\nhelper = "*"\n',
    }
    for name, text in texts.items():
        (world.base / name).mkdir()
        (world.base / name / "hookpm.toml").write_text(text)
    own(world, "../a", "../b")
    world.ok("sync")
    assert "guard 1.0.0" in world.ok("list").out


def test_packs_and_registries_of_a_folders_profile_are_found_from_its_folder(world: World) -> None:
    folder = world.base / "team"
    world.pack("house", at=folder / "packs/house")
    (folder / "hookpm.toml").write_text(
        'agents = ["claude"]\n[packs]\nhouse = { path = "packs/house" }\n'
        'guard = { version = "*", registry = "theirs" }\n[registries]\ntheirs = "../index"\n'
    )
    own(world, "../team")
    world.ok("sync")
    lock = world.read(".agents/hookpm.lock")
    assert 'source = "path:../team/packs/house"' in lock
    assert 'url = "../index"' in lock
    (folder / "hookpm.toml").write_text('[packs]\nhouse = { path = "../packs/guard-1.0.0" }\n')
    done = world.run("sync")
    assert done.code == 1
    assert "lies outside of it (../team/hookpm.toml:2)" in done.err


def test_update_profiles_moves_the_profiles_alone_and_names_what_moved(
    world: World, team: Repo
) -> None:
    own(world, f"git+{team.url}@main")
    world.publish(world.pack("guard", "1.1.0"))
    world.ok("sync")
    world.publish(world.pack("guard", "1.2.0"))
    before = team.git("rev-parse", "HEAD")[:12]
    after = team.commit({"hookpm.toml": MORE})[:12]
    seen = world.run("outdated")
    assert seen.code == 1
    assert f"moves from {before} to {after}: `hookpm update --profiles` takes it" in seen.out
    (told,) = world.run("outdated", "--json").json["profiles"]
    assert (told["installed"][:12], told["latest"][:12]) == (before, after)
    done = world.ok("update", "--profiles")
    assert f"git+{team.url} moves from {before} to {after}" in done.err
    listed = world.ok("list").out
    assert "guard 1.1.0" in listed
    assert "helper 1.0.0" in listed
    world.ok("update")
    assert "guard 1.2.0" in world.ok("list").out


def test_update_profiles_without_a_profile_or_with_packs_is_refused(world: World) -> None:
    world.install("guard")
    done = world.run("update", "--profiles")
    assert done.code == 3
    assert "extends no profile" in done.err
    assert world.run("update", "--profiles", "guard").code == 2
