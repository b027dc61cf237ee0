"""What CI sees of a profile that the repo was to extend: sync --check --profile."""

from __future__ import annotations

import hashlib
import json

import pytest

from tests.project.world import World
from tests.registry.gitrepo import Repo, make
from tests.registry.server import Site, serving

TEAM = 'agents = ["claude"]\n\n[packs]\nguard = { version = "~=1.0", required = true }\n'
WEAK = 'agents = ["claude"]\n\n[packs]\nhelper = "*"\n'


@pytest.fixture
def team(world: World) -> Repo:
    """A repository with a profile, at the tag v1, which the world's repo extends."""
    repo = make(world.base / "team.git", {"hookpm.toml": TEAM})
    repo.git("tag", "v1")
    world.write(".agents/hookpm.toml", f'extends = ["git+{repo.url}@v1"]\n')
    world.ok("sync")
    return repo


def check(world: World, repo: Repo, ref: str = "@v1") -> tuple[int, str]:
    done = world.run("sync", "--check", "--profile", f"git+{repo.url}{ref}")
    return done.code, done.text


def test_a_repo_that_extends_the_named_profile_passes_by_tag_commit_and_bare_address(
    world: World, team: Repo
) -> None:
    for ref in ("@v1", f"@{team.git('rev-parse', 'HEAD')}", ""):
        assert check(world, team, ref)[0] == 0


def test_a_deleted_extends_is_seen_with_the_line_to_add(world: World, team: Repo) -> None:
    world.write(".agents/hookpm.toml", 'agents = ["claude"]\n\n[packs]\nhelper = "*"\n')
    world.ok("sync")
    code, text = check(world, team)
    assert code == 1
    assert f"this repo does not extend the profile git+{team.url}@v1" in text
    assert f'extends = ["git+{team.url}@v1"]' in text


def test_a_repointed_extends_is_seen(world: World, team: Repo) -> None:
    other = make(world.base / "other.git", {"hookpm.toml": WEAK})
    world.write(".agents/hookpm.toml", f'extends = ["git+{other.url}"]\n')
    world.ok("sync")
    code, text = check(world, team)
    assert code == 1
    assert f"it extends git+{other.url}" in text


def test_another_commit_of_the_profile_is_seen(world: World, team: Repo) -> None:
    commit = team.commit({"hookpm.toml": WEAK}, "v2")
    world.write(".agents/hookpm.toml", f'extends = ["git+{team.url}@v2"]\n')
    world.ok("sync")
    code, text = check(world, team)
    assert code == 1
    assert f"but the lock pins {commit}" in text


def test_an_extends_that_was_repointed_without_a_sync_is_seen(world: World, team: Repo) -> None:
    team.commit({"hookpm.toml": WEAK}, "v2")
    world.write(".agents/hookpm.toml", f'extends = ["git+{team.url}@v2"]\n')
    code, text = check(world, team)
    assert code == 1
    assert "which the lock does not pin" in text


def test_a_copy_that_was_tampered_with_is_not_believed_though_the_lock_was_too(
    world: World, team: Repo
) -> None:
    (copy,) = (world.repo / ".agents/hookpm/profiles").iterdir()
    hashes = [hashlib.sha256(text.encode()).hexdigest() for text in (TEAM, TEAM + WEAK[20:])]
    weak = TEAM.replace("required = true", "disable = []")
    hashes[1] = hashlib.sha256(weak.encode()).hexdigest()
    copy.write_text(weak)
    lock = world.read(".agents/hookpm.lock")
    assert hashes[0] in lock
    world.write(".agents/hookpm.lock", lock.replace(hashes[0], hashes[1]))
    world.ok("sync", "--check")  # by itself the repo is of one piece
    code, text = check(world, team)
    assert code == 1
    assert "+guard = {" in text
    assert "required = true" in text


def test_a_required_line_that_the_repo_weakens_is_seen_by_the_fetched_profile(
    world: World, team: Repo
) -> None:
    world.write(
        ".agents/hookpm.toml",
        f'extends = ["git+{team.url}@v1"]\n\n[packs]\nguard = {{ disable = ["guard"] }}\n',
    )
    code, text = check(world, team)
    assert code == 1
    assert "guard is required by the profile" in text
    assert ".agents/hookpm.toml:4" in text


def test_a_pack_that_was_swapped_with_its_hashes_in_the_lock_is_seen(
    world: World, team: Repo
) -> None:
    file = world.repo / ".agents/hookpm/packs/guard/guard.py"
    before = hashlib.sha256(file.read_bytes()).hexdigest()
    file.write_text("pass\n")
    after = hashlib.sha256(b"pass\n").hexdigest()
    lock = world.read(".agents/hookpm.lock")
    world.write(".agents/hookpm.lock", lock.replace(before, after))
    code, text = check(world, team)
    assert code == 1
    assert "guard 1.1.0 in the lock is not the one that was published" in text


def test_a_version_that_its_registry_does_not_have_is_no_required_pack(
    world: World, acme: Site
) -> None:
    team = make(
        world.base / "team.git",
        {
            "hookpm.toml": f'agents = ["claude"]\n[registries]\nacme = "{acme.url}"\n'
            '[packs]\nrules = { version = "*", registry = "acme", required = true }\n'
        },
    )
    world.write(".agents/hookpm.toml", f'extends = ["git+{team.url}"]\n')
    world.ok("sync")
    assert check(world, team, "")[0] == 0
    file = world.repo / ".agents/hookpm/packs/base/hookpack.toml"  # what the required pack needs
    before = file.read_text()
    after = before.replace('version = "1.0.0"', 'version = "1.9.0"')
    file.write_text(after)
    old, new = (hashlib.sha256(each.encode()).hexdigest() for each in (before, after))
    lock = world.read(".agents/hookpm.lock").replace(old, new)
    lock = lock.replace('name = "base"\nversion = "1.0.0"', 'name = "base"\nversion = "1.9.0"')
    world.write(".agents/hookpm.lock", lock)
    world.ok("sync", "--check")  # asks nobody, and by itself the repo is of one piece
    code, text = check(world, team, "")
    assert code == 1
    assert "base 1.9.0 is not in the registry acme" in text


def test_a_profile_on_the_web_is_named_by_its_address(world: World) -> None:
    with serving() as site:
        site.files["/hookpm.toml"] = TEAM.encode()
        url = f"{site.url}/hookpm.toml"
        world.write(".agents/hookpm.toml", f'extends = ["{url}"]\n')
        world.ok("sync")
        world.ok("sync", "--check", "--profile", url)
        site.files["/hookpm.toml"] = (TEAM + 'helper = "*"\n').encode()
        done = world.run("sync", "--check", "--profile", url)
        assert done.code == 1
        assert '+helper = "*"' in done.out


def test_a_profile_in_a_folder_is_named_from_the_current_folder(world: World) -> None:
    (world.base / "team").mkdir()
    (world.base / "team/hookpm.toml").write_text(TEAM)
    world.write(".agents/hookpm.toml", 'extends = ["../team"]\n')
    world.ok("sync")
    world.ok("sync", "--check", "--profile", "../team")
    world.ok("sync", "--check", "--profile", "team", "--root", world.repo, cwd=world.base)
    assert world.run("sync", "--check", "--profile", "../other").code == 1


@pytest.mark.parametrize("before", ["", "the base itself"])
def test_what_the_named_profile_extends_is_not_believed_either(world: World, before: str) -> None:
    base = make(world.base / "base.git", {"hookpm.toml": TEAM})
    text = f'extends = ["git+{base.url}"]\n'
    team = make(world.base / "team.git", {"hookpm.toml": text})
    first = f'"git+{base.url}", ' if before else ""
    world.write(".agents/hookpm.toml", f'extends = [{first}"git+{team.url}"]\n')
    world.ok("sync")
    assert check(world, team, "")[0] == 0
    weak = TEAM.replace(", required = true", "")
    lock = world.read(".agents/hookpm.lock")
    for copy in (world.repo / ".agents/hookpm/profiles").iterdir():
        if copy.read_text() == TEAM:
            copy.write_text(weak)
    old, new = (hashlib.sha256(each.encode()).hexdigest() for each in (TEAM, weak))
    world.write(".agents/hookpm.lock", lock.replace(old, new))
    world.ok("sync", "--check")
    code, text = check(world, team, "")
    assert code == 1
    assert "required = true" in text


def test_a_lock_that_names_another_commit_for_a_tag_of_a_profile_below_is_seen(
    world: World,
) -> None:
    base = make(world.base / "base.git", {"hookpm.toml": WEAK})
    old = base.git("rev-parse", "HEAD")
    new = base.commit({"hookpm.toml": TEAM}, "v1")
    team = make(world.base / "team.git", {"hookpm.toml": f'extends = ["git+{base.url}@v1"]\n'})
    world.write(".agents/hookpm.toml", f'extends = ["git+{team.url}"]\n')
    world.ok("sync")
    assert check(world, team, "")[0] == 0
    for copy in (world.repo / ".agents/hookpm/profiles").iterdir():
        if copy.read_text() == TEAM:
            copy.write_text(WEAK)
    lock = world.read(".agents/hookpm.lock").replace(new, old)
    strong, weak = (hashlib.sha256(text.encode()).hexdigest() for text in (TEAM, WEAK))
    world.write(".agents/hookpm.lock", lock.replace(strong, weak))
    world.ok("sync")  # takes guard out, and by itself the repo is of one piece
    code, text = check(world, team, "")
    assert code == 1
    assert f'+commit = "{new}"' in text


def test_profile_without_check_is_a_refused_command_line(world: World, team: Repo) -> None:
    assert world.run("sync", "--profile", f"git+{team.url}").code == 2
    assert world.run("sync", "--check", "--profile", "https://example.com/").code == 2


def stray_package(world: World) -> None:
    """Python takes a package before a module of its name."""
    world.write(".agents/hookpm/packs/guard/guard/__init__.py", "raise SystemExit(0)\n")


def stray_link(world: World) -> None:
    world.write("outside/__init__.py", "raise SystemExit(0)\n")
    (world.repo / ".agents/hookpm/contract/matcher").symlink_to("../../../outside")


def other_hooks_file(world: World) -> None:
    """The bridge reads this one where it is."""
    world.write(".agents/hookpm-hooks.json", '{"hooks": {}}\n')


def local_switch(world: World) -> None:
    world.write(".claude/settings.local.json", '{"disableAllHooks": true}\n')


def twin_folder(world: World) -> None:
    """On a disk that is blind to case it is the one that runs."""
    world.write(".Agents/hookpm/packs/guard/guard.py", "raise SystemExit(0)\n")


def twin_file(world: World) -> None:
    world.write(".agents/HookPM-hooks.json", '{"hooks": {}}\n')


def other_python(world: World) -> None:
    """Claude Code gives these variables to its hooks, and the line looks for its python there."""
    settings = world.load(".claude/settings.json")
    settings["env"] = {"PATH": "tools:/usr/bin:/bin"}
    world.write(".claude/settings.json", json.dumps(settings))


@pytest.mark.parametrize(
    ("change", "words"),
    [
        (other_python, "env.PATH decides what runs for hookpm's line: that may be any program"),
        (twin_folder, ".Agents can run in the place of a file that the lock lists"),
        (twin_file, ".agents/HookPM-hooks.json can run in the place of a file"),
        (stray_package, "guard/__init__.py can run in the place of a file that the lock lists"),
        (stray_link, "contract/matcher can run in the place of a file that the lock lists"),
        (other_hooks_file, "there are two hooks files"),
        (local_switch, "claude is wired, but off: disableAllHooks is true"),
    ],
)
@pytest.mark.parametrize("form", [(), ("--json",)])
def test_what_keeps_a_required_pack_from_running_beside_its_files_is_seen(
    world: World, team: Repo, change: object, words: str, form: tuple[str, ...]
) -> None:
    assert callable(change)
    change(world)
    done = world.run("sync", "--check", "--profile", f"git+{team.url}@v1", *form)
    assert done.code != 0
    assert words in done.text
    status = world.run("status")
    assert status.code == 1


def test_a_switch_in_codex_own_file_in_the_repo_is_seen(world: World) -> None:
    world.install(world.pack("guard"), agents=("codex",))
    assert world.run("sync", "--check").code == 0
    world.write(".codex/config.toml", "[features]\nhooks = false\n")
    done = world.run("sync", "--check")
    assert (done.code, "codex is wired, but off: [features] hooks" in done.text) == (1, True)
