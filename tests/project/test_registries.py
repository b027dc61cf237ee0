"""Packs from registries over https: installed, pinned, synced offline, verified."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from hookpm.registry import embedded, publish
from hookpm.registry.index import FolderRegistry
from tests.project.world import World
from tests.registry.server import Answer, Handler, Site, serving

TOML = ".agents/hookpm.toml"


def test_a_pack_comes_from_the_registry_that_has_it_with_its_dependencies(
    world: World, named: Site
) -> None:
    done = world.install("rules", "--json").json
    assert [(p["name"], p["source"]) for p in done["packs"]] == [
        ("base", "acme"),
        ("rules", "acme"),
    ]
    assert world.denies()
    assert f'url = "{named.url}"' in world.read(".agents/hookpm.lock")
    assert sorted(named.paths()) == [
        "/archives/base-1.0.0.tar.gz",
        "/archives/rules-1.0.0.tar.gz",
        "/packs/base.json",
        "/packs/rules.json",
    ]


def test_what_is_in_the_repo_is_synced_and_verified_with_the_server_gone(
    world: World, named: Site
) -> None:
    world.install("rules")
    named.log.clear()
    for arguments in (["sync"], ["sync", "--locked"], ["sync", "--offline"], ["status"]):
        world.ok(*arguments)
    assert named.log == []
    world.ok("verify")
    named.elsewhere = lambda _: lambda to: to.reply(403)
    named.files.clear()
    world.ok("verify", "--offline")
    asked = world.ok("verify")
    assert "note: .agents/hookpm.lock: rules: its archive could not be had" in asked.out
    assert world.ok("verify", "--json").json["state"] == "ok"


def test_a_lock_that_was_forged_is_found_against_the_archive(world: World, named: Site) -> None:
    world.install("rules")
    lock = world.read(".agents/hookpm.lock")
    old = next(line for line in lock.splitlines() if line.startswith('archive = "sha256:'))
    world.write(".agents/hookpm.lock", lock.replace(old, f'archive = "sha256:{"0" * 64}"'))
    done = world.run("verify")
    assert done.code == 1
    assert "not the one that was published" in done.out


def test_an_archive_that_was_published_again_changed_is_refused(
    world: World, named: Site, tmp_path: Path
) -> None:
    world.install("rules")
    world.git("add", "-A")
    shutil.rmtree(world.repo / ".agents" / "hookpm")
    again = world.pack("rules", more='[dependencies]\nbase = ">=1"\n', files={"more": "x"})
    (tmp_path / "acme" / "packs" / "rules.json").unlink()
    publish.apply(publish.plan([again], tmp_path / "acme"), tmp_path / "acme")
    named.put_tree(tmp_path / "acme")
    before = world.tree()
    done = world.run("sync")
    assert done.code == 1
    assert "it was published again, changed" in done.err
    assert world.tree() == before


def test_what_is_gone_from_the_repo_comes_back_from_the_cache_as_the_lock_has_it(
    world: World, named: Site
) -> None:
    world.install("rules")
    before = world.tree()
    shutil.rmtree(world.repo / ".agents" / "hookpm")
    named.log.clear()
    world.ok("sync", "--locked", "--offline")
    assert world.tree() == before
    assert named.log == []


def test_offline_an_install_takes_what_another_project_fetched(
    world: World, named: Site, tmp_path: Path
) -> None:
    asked = world.run("install", "rules", "--offline")
    assert asked.code == 3
    assert "not in the cache, and --offline allows no network" in asked.err
    assert "without --offline" in asked.err
    assert named.log == []
    world.install("rules")
    other = tmp_path / "other"
    (other / ".agents").mkdir(parents=True)
    (other / TOML).write_text(f'agents = ["claude"]\n[registries]\nacme = "{named.url}"\n')
    named.log.clear()
    world.ok("install", "rules", "--offline", "--root", str(other))
    assert named.log == []
    assert world.denies(root=other)


def test_an_unknown_pack_is_that_also_where_its_registrys_list_cannot_be_had(
    world: World, named: Site
) -> None:
    for options in ([], ["--offline"]):
        named.files["/index.json"] = lambda to: to.reply(403)
        done = world.run("install", "nowhere", "--agent=claude", *options)
        assert done.code == 3
        assert "no pack named 'nowhere' in the registry embedded or acme" in done.err
        assert "no pack named 'nowhere'" in world.run("info", "nowhere", *options).err
    del named.files["/index.json"]
    assert "is no registry: it has no index.json" in world.run("install", "nowhere").err


@pytest.mark.parametrize(
    ("url", "said"),
    [
        ("http://hooks.example.com", "neither secret nor safe"),
        ("https://me:s3cret@hooks.example.com", "a user name or a password"),
        ("https://s3cret@hooks.example.com", "a user name or a password"),
        ("https://hooks.example.com/?token=s3cret", "a ? or a # part"),
        ("ftp://hooks.example.com", "not an https address"),
    ],
)
def test_an_address_that_will_not_do_is_refused_with_its_line_and_not_repeated(
    world: World, url: str, said: str
) -> None:
    world.write(TOML, f'agents = ["claude"]\n\n[registries]\nacme = "{url}"\n')
    done = world.run("install", "guard")
    assert done.code == 3
    assert "registries.acme: " in done.err
    assert said in done.err
    assert "hookpm.toml:4" in done.err
    assert "hint: " in done.err
    assert "s3cret" not in done.text


def test_the_users_own_token_is_sent_and_written_nowhere(world: World, named: Site) -> None:
    wants = "Bearer t0ken"
    for path, body in list(named.files.items()):
        named.files[path] = guarded(body, wants)
    refused = world.run("install", "rules")
    assert refused.code == 3
    assert "answers 401" in refused.err
    assert "HOOKPM_TOKEN_127_0_0_1_" in refused.err
    config = world.home / "config" / "hookpm" / "config.toml"
    config.parent.mkdir(parents=True)
    host = named.url.removeprefix("http://")
    config.write_text(f'[hosts."{host}"]\ntoken = "t0ken"\n')
    done = world.install("rules", "--json", "-v")
    assert "t0ken" not in done.text
    for folder in (world.repo, world.home / "cache"):
        for file in folder.rglob("*"):
            if file.is_file() and not file.is_symlink():
                assert b"t0ken" not in file.read_bytes(), file


def guarded(body: bytes | Answer, wants: str) -> Answer:
    """The same file, for whoever sends the right header."""
    assert isinstance(body, bytes)

    def answer(to: Handler) -> None:
        if to.headers.get("Authorization") == wants:
            to.reply(200, body)
        else:
            to.reply(401)

    return answer


# --- which registry --------------------------------------------------------------------------


def test_a_new_line_names_the_registry_that_the_pack_came_from(world: World, named: Site) -> None:
    world.install("rules", "guard")
    assert 'rules = {version = "~=1.0", registry = "acme"}' in world.read(TOML)
    assert 'guard = "~=2.0"' in world.read(TOML)


def test_a_name_in_two_registries_needs_a_choice_and_keeps_it(world: World, named: Site) -> None:
    world.publish(world.pack("rules", "3.0.0"))
    asked = world.run("install", "rules", "--agent=claude")
    assert asked.code == 1
    assert "rules is in 2 registries: embedded, acme" in asked.err
    world.install("rules", "--registry", "acme")
    assert 'rules = {version = "~=1.0", registry = "acme"}' in world.read(TOML)
    world.install("rules", "--registry", "embedded")
    assert 'rules = {version = "~=3.0", registry = "embedded"}' in world.read(TOML)
    world.install("rules>=2")
    assert 'rules = {version = ">=2", registry = "embedded"}' in world.read(TOML)
    assert world.load(".agents/hooks.json")["hooks"]["PreToolUse"][0]["pack"] == "rules"


def test_a_wrong_choice_of_registry_is_refused(world: World, named: Site) -> None:
    before = world.tree()
    gone = world.run("install", "rules", "--registry", "acmee", "--agent=claude")
    assert gone.code == 3
    assert "--registry acmee=https://..." in gone.err
    lacks = world.run("install", "rules", "--registry", "embedded", "--agent=claude")
    assert lacks.code == 3
    assert "no pack named 'rules' in the registry embedded" in lacks.err
    folder = world.run("install", world.pack("x"), "--registry", "acme", "--agent=claude")
    assert folder.code == 2
    assert world.tree() == before


@pytest.mark.parametrize("name", ["embedded", "Acme", "git+https", "path:x"])
def test_a_registry_cannot_have_a_name_that_means_something_else(world: World, name: str) -> None:
    world.write(TOML, f'agents = ["claude"]\n[registries]\n"{name}" = "../x"\n')
    done = world.run("install", "guard")
    assert done.code == 3
    assert "cannot name a registry" in done.err
    assert "hookpm.toml:3" in done.err


# --- a registry that hookpm.toml does not name yet -------------------------------------------


def test_a_new_registry_is_named_in_a_new_file_and_goes_with_the_last_pack(
    world: World, acme: Site
) -> None:
    before = world.tree()
    world.install("rules", "--registry", f"acme={acme.url}")
    assert world.read(TOML).endswith(
        f'\n[registries]\nacme = "{acme.url}"\n\n[packs]\n'
        'rules = {version = "~=1.0", registry = "acme"}\n'
    )
    world.ok("sync", "--locked")
    world.ok("uninstall", "rules")
    assert world.tree() == before


@pytest.mark.parametrize(
    "text",
    [
        'agents = ["claude"]\n',
        '# ours\nagents = ["claude"]\n\n[packs]\n',
        'agents = ["claude"]\n\n[registries]\nother = "../other"\n',
        'agents = ["claude"]\n\n[registries]\nother = "../other"\n\n[packs]\n',
        'agents = ["claude"]\n[registries] # none\n[packs]',
        'agents = ["claude"]\nregistries = {}\n',
        'agents = ["claude"]\nregistries = {other = "../other"} # ours\n',
        'agents = ["claude"]\nregistries.other = "../other"\n',
    ],
)
def test_a_new_registry_joins_a_file_of_the_users_which_gets_its_bytes_back(
    world: World, acme: Site, text: str, tmp_path: Path
) -> None:
    publish.apply(publish.plan([world.pack("x")], world.base / "other"), world.base / "other")
    world.write(TOML, text)
    before = world.tree()
    world.install("rules", "--registry", f"acme={acme.url}")
    assert f'acme = "{acme.url}"' in world.read(TOML)
    world.ok("install", "base", "--registry", f"acme={acme.url}/")
    world.ok("uninstall", "rules", "base")
    assert world.tree() == before


def test_a_new_registry_in_a_folder_is_named_relative_to_the_root(world: World) -> None:
    world.install("guard", "--registry", f"own={world.index}")
    assert 'own = "../index"' in world.read(TOML)


@pytest.mark.parametrize("name", ['in"dex', "in\\dex", "in dex", "ïndex"])
def test_a_registry_in_a_folder_of_any_name_goes_with_the_last_pack(
    world: World, name: str
) -> None:
    world.index.rename(world.base / name)
    world.write(TOML, 'agents = ["claude"]\n')
    before = world.tree()
    world.patch.setattr(embedded, "registry", lambda: FolderRegistry(world.base / name, "embedded"))
    world.ok("install", "guard", "--registry", f"own=../{name}")
    world.ok("uninstall", "guard")
    assert world.tree() == before


@pytest.mark.parametrize(
    ("typed", "code", "said"),
    [
        ("acme=https://me:s3cret@hooks.example.com", 2, "a user name or a password"),
        ("https://me:s3cret@hooks.example.com", 2, "wants a name"),
        ("acme=", 2, "wants a name"),
        ("embedded=https://hooks.example.com", 2, "comes with hookpm"),
        ("acme=http://hooks.example.com", 2, "neither secret nor safe"),
        ("acme=https://hooks.example.com", 1, "the registry acme is at http://127.0.0.1"),
    ],
)
def test_a_registry_that_will_not_do_is_refused_and_nothing_is_written(
    world: World, named: Site, typed: str, code: int, said: str
) -> None:
    before = world.tree()
    done = world.run("install", "rules", "--agent=claude", "--registry", typed)
    assert done.code == code
    assert said in done.err
    assert "s3cret" not in done.text
    assert world.tree() == before


def test_a_registrys_name_before_a_slash_is_answered_with_the_option(
    world: World, named: Site
) -> None:
    done = world.run("install", "acme/rules", "--agent=claude")
    assert done.code == 2
    assert "hookpm install rules --registry acme" in done.err


def test_a_registry_at_another_address_has_to_have_what_the_lock_says(
    world: World, named: Site, tmp_path: Path
) -> None:
    """Nothing counts as published there because it was published under the old address."""
    world.install("base", "--registry", "acme")
    publish.apply(
        publish.plan([world.pack("base", files={"more": "x"})], tmp_path / "b"), tmp_path / "b"
    )
    with serving() as other:
        world.write(TOML, world.read(TOML).replace(named.url, other.url))
        before = world.tree()
        locked = world.run("sync", "--locked")
        assert (locked.code, locked.out) == (1, "")
        assert "but base was locked from" in locked.err
        assert other.log == []
        assert world.run("sync").code == 3, "it has no such pack"
        other.put_tree(tmp_path / "b")
        changed = world.run("sync")
        assert changed.code == 1
        assert "base 1.0.0 is not the one in the lock" in changed.err
        assert world.tree() == before
        other.put_tree(tmp_path / "acme")
        world.ok("sync")
        assert f'url = "{other.url}"' in world.read(".agents/hookpm.lock")


def test_a_clone_without_the_folder_of_a_registry_keeps_what_lies_in_it(world: World) -> None:
    publish.apply(publish.plan([world.pack("x")], world.base / "other"), world.base / "other")
    world.install("x", "--registry", "other=../other")
    before = world.tree()
    (world.base / "other").rename(world.base / "gone")
    for arguments in (["sync"], ["sync", "--locked"], ["sync", "--check"]):
        world.ok(*arguments)
    assert world.tree() == before
    asked = world.ok("verify")
    assert "note: .agents/hookpm.lock: x: its archive could not be had" in asked.out
    new = world.run("install", "guard")
    assert new.code == 3, "who knows whether that registry has a guard, too"
    assert "where the registry other is to be" in new.err
    assert world.tree() == before


def test_verify_names_a_pack_of_a_registry_that_nobody_names(world: World, named: Site) -> None:
    world.install("rules")
    toml = world.read(TOML).replace("[registries]", "").replace(f'acme = "{named.url}"', "")
    world.write(TOML, toml.replace(', registry = "acme"', ""))
    done = world.run("verify")
    assert done.code == 1
    assert "rules came from the registry acme, which .agents/hookpm.toml does not name" in done.out
