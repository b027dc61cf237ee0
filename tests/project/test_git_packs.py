"""Packs from git, from the command line to the vendored files."""

from __future__ import annotations

import json
import os
import shutil
import signal
import subprocess
import sys
from hashlib import sha256
from pathlib import Path

import pytest

from tests.project.world import CHECKOUT, GUARD, World
from tests.registry.gitrepo import Repo, make, wait_for


@pytest.fixture
def repo(world: World) -> Repo:
    """A repository with the pack `shield` 1.0.0 at the tag v1."""
    folder = world.pack("shield", "1.0.0", at=world.base / "draft")
    files = {path.name: path.read_bytes() for path in folder.iterdir()}
    made = make(world.base / "shield.git", files)
    made.git("tag", "v1")
    return made


def release(repo: Repo, version: str, tag: str = "", guard: str = GUARD) -> str:
    """Commit another version; the commit."""
    manifest = repo.folder / "hookpack.toml"
    text = manifest.read_text()
    old = text.partition('version = "')[2].partition('"')[0]
    manifest.write_text(text.replace(f'version = "{old}"', f'version = "{version}"'))
    return repo.commit({"guard.py": guard}, tag)


def lock(world: World) -> dict[str, str]:
    """The lines of the pack's block in the lock."""
    block = world.read(".agents/hookpm.lock").partition("[[pack]]\n")[2].partition("\n\n")[0]
    return dict(line.split(" = ", 1) for line in block.splitlines())


def toml(world: World) -> str:
    return world.read(".agents/hookpm.toml").rpartition("[packs]\n")[2].strip()


def test_a_pack_at_a_tag_is_installed_locked_and_works(world: World, repo: Repo) -> None:
    commit = repo.git("rev-parse", "HEAD")
    world.install(f"git+{repo.url}@v1")
    assert toml(world) == f'shield = {{git = "{repo.url}", tag = "v1"}}'
    found = lock(world)
    assert found["source"] == f'"git+{repo.url}"'
    assert found["commit"] == f'"{commit}"'
    assert found["ref"] == '"tag:v1"'
    assert world.denies()
    assert world.ok("verify").code == 0
    assert not world.ok("sync", "--locked", "--json").json["changed"]


@pytest.mark.parametrize("kind", ["branch", "rev", "head"])
def test_a_branch_a_commit_and_the_default_branch_are_written_as_such(
    world: World, repo: Repo, kind: str
) -> None:
    commit = repo.git("rev-parse", "HEAD")
    typed = {"branch": "@main", "rev": f"@{commit[:10]}", "head": ""}[kind]
    written = {"branch": ', branch = "main"', "rev": f', rev = "{commit}"', "head": ""}[kind]
    world.install(f"git+{repo.url}{typed}")
    assert toml(world) == f'shield = {{git = "{repo.url}"{written}}}'
    assert lock(world)["ref"].startswith(f'"{kind}')


def test_a_subfolder_is_part_of_line_and_source(world: World, repo: Repo) -> None:
    packs = {f"packs/a/{p.name}": p.read_bytes() for p in repo.folder.glob("*.*") if p.is_file()}
    repo.git("rm", "-q", "hookpack.toml", "guard.py")
    repo.commit(packs, "v2")
    said = world.run("install", f"git+{repo.url}@v2", "--agent=claude")
    assert said.code == 3
    assert "#subdirectory=packs/a" in said.err
    world.install(f"git+{repo.url}@v2#subdirectory=packs/a")
    assert 'subfolder = "packs/a"' in toml(world)
    assert lock(world)["source"] == f'"git+{repo.url}#subdirectory=packs/a"'
    assert world.denies()


def test_a_layout_of_the_users_is_kept(world: World, repo: Repo) -> None:
    (world.base / "other").mkdir()
    world.write(
        ".agents/hookpm.toml",
        'agents = ["claude"]  # mine\n\n[packs]\n# first\nguard = "~=1.0"   # keep\n'
        'shield = { version = "~=1.0", registry = "acme", disable = [] }  # soon\n'
        '\n[registries]\nacme = "../other"\n',
    )
    world.ok("install", f"git+{repo.url}@v1")
    text = world.read(".agents/hookpm.toml")
    assert 'agents = ["claude"]  # mine' in text
    assert 'guard = "~=1.0"   # keep' in text
    assert "# soon" in text
    assert "disable = []" in text
    assert "registry" not in text.partition("[registries]")[0]


def test_a_table_of_the_users_stays_a_table(world: World, repo: Repo) -> None:
    text = 'agents = ["claude"]\n[packs.shield]  # ours\nversion = "*"\n\n[registries]\n'
    world.write(".agents/hookpm.toml", text)
    world.ok("install", f"git+{repo.url}@v1")
    wanted = text.replace('version = "*"', f'git = "{repo.url}"\ntag = "v1"')
    assert world.read(".agents/hookpm.toml") == wanted


def test_a_line_goes_from_git_to_a_folder_and_back(world: World, repo: Repo) -> None:
    world.install(f"git+{repo.url}@v1")
    world.ok("install", world.base / "draft")
    assert toml(world) == 'shield = {path = "../draft"}'
    assert "commit" not in lock(world)
    world.ok("install", f"git+{repo.url}@v1")
    assert toml(world) == f'shield = {{git = "{repo.url}", tag = "v1"}}'


def test_sync_stays_at_the_locked_commit_without_git_or_remote(world: World, repo: Repo) -> None:
    world.install(f"git+{repo.url}@main")
    before = lock(world)
    release(repo, "2.0.0")
    (world.bin / "git").unlink()
    assert not world.ok("sync", "--json").json["changed"]
    assert not world.ok("sync", "--locked", "--json").json["changed"]
    assert lock(world) == before


def test_installing_again_takes_what_the_branch_is_at_now(world: World, repo: Repo) -> None:
    world.install(f"git+{repo.url}@main")
    new = release(repo, "2.0.0")
    world.ok("install", f"git+{repo.url}@main")
    assert lock(world)["commit"] == f'"{new}"'
    assert lock(world)["version"] == '"2.0.0"'


def test_a_changed_ref_in_the_file_is_followed(world: World, repo: Repo) -> None:
    world.install(f"git+{repo.url}@v1")
    new = release(repo, "2.0.0", "v2")
    file = world.repo / ".agents/hookpm.toml"
    file.write_text(file.read_text().replace('tag = "v1"', 'tag = "v2"'))
    for more in ((), ("--offline",)):
        said = world.run("sync", "--locked", *more)
        assert said.code == 1
        assert "at tag:v2, but the lock has" in said.err
    world.ok("sync")
    assert lock(world)["commit"] == f'"{new}"'


def test_an_edited_file_comes_back_from_the_cache_offline(world: World, repo: Repo) -> None:
    world.install(f"git+{repo.url}@v1")
    away = repo.folder.rename(world.base / "away")
    world.write(".agents/hookpm/packs/shield/guard.py", "pass\n")
    assert world.run("status").code == 1
    world.ok("sync", "--offline")
    assert world.denies()
    shutil.rmtree(world.home / "cache")
    world.write(".agents/hookpm/packs/shield/guard.py", "pass\n")
    said = world.run("sync", "--offline")
    assert said.code == 3
    assert "not in the cache" in said.err
    said = world.run("sync")
    assert said.code == 3
    assert "no git repository" in said.err
    away.rename(repo.folder)
    world.ok("sync", "--locked")
    assert world.denies()


def test_a_pack_in_git_depends_on_packs_by_name(world: World, repo: Repo) -> None:
    manifest = repo.folder / "hookpack.toml"
    manifest.write_text(manifest.read_text() + '\n[dependencies]\nhelper = ">=1"\n')
    repo.commit(tag="v2")
    world.install(f"git+{repo.url}@v2")
    names = {p["name"]: p["source"] for p in world.ok("list", "--json").json["packs"]}
    assert names == {"helper": "embedded", "shield": f"git+{repo.url}"}
    world.ok("uninstall", "shield")
    assert not (world.repo / ".agents").exists()


def test_what_a_conflict_says_names_the_git_source(world: World, repo: Repo) -> None:
    manifest = repo.folder / "hookpack.toml"
    manifest.write_text(manifest.read_text() + '\n[dependencies]\nguard = ">=3"\n')
    repo.commit(tag="v2")
    said = world.run("install", f"git+{repo.url}@v2", "--agent=claude")
    assert said.code in (1, 3)
    assert "shield 1.0.0 wants guard>=3" in said.err


def test_a_repository_with_another_pack_than_the_line_says_is_refused(
    world: World, repo: Repo
) -> None:
    world.write(
        ".agents/hookpm.toml", f'agents = ["claude"]\n[packs]\nsword = {{ git = "{repo.url}" }}\n'
    )
    said = world.run("sync")
    assert said.code == 1
    assert "holds another pack, shield" in said.err


def test_uninstall_brings_the_repo_back(world: World, repo: Repo) -> None:
    before = world.tree()
    world.install(f"git+{repo.url}@v1")
    world.ok("uninstall", "shield")
    assert world.tree() == before


def test_a_pack_at_its_address_is_audited_before_it_is_installed(world: World, repo: Repo) -> None:
    said = world.ok("audit", f"git+{repo.url}@v1", "--json", "--agent=claude")
    assert {hook["pack"] for hook in said.json["hooks"]} == {"shield"}
    assert not (world.repo / ".agents").exists()


@pytest.mark.parametrize(
    ("line", "code", "named"),
    [
        ('git = "{url}", version = "1"', 3, "git and version cannot stand together"),
        ('git = "{url}", path = "x"', 3, "git and path cannot stand together"),
        ('git = "{url}", registry = "x"', 3, "git and registry cannot stand together"),
        ('git = "{url}", tag = "a", branch = "b"', 3, "tag and branch cannot stand together"),
        ('git = "{url}", branch = "a", rev = "b"', 3, "branch and rev cannot stand together"),
        ('tag = "v1"', 3, "tag needs git"),
        ('version = "1", subfolder = "x"', 3, "subfolder needs git"),
        ('git = "{url}", rev = "abc1234"', 3, "not the whole name of a commit"),
        ('git = "{url}", tag = "--upload-pack=x"', 3, "cannot name a tag"),
        ('git = "{url}", subfolder = "../x"', 3, "cannot be a folder there"),
        ('git = "git+{url}"', 3, "git+ belongs to the command line"),
        ('git = "ext::sh -c x"', 3, "not a git address"),
        ('git = "https://s3cret@git.example.com/x"', 3, "a user name or a password"),
        ('git = "{url}", tag = 1', 3, "must be text"),
        ('git = "{url}", tga = "v1"', 3, "did you mean `tag`?"),
    ],
)
def test_a_wrong_line_is_refused_with_its_place(
    world: World, repo: Repo, line: str, code: int, named: str
) -> None:
    text = f'agents = ["claude"]\n[packs]\nshield = {{ {line.format(url=repo.url)} }}\n'
    world.write(".agents/hookpm.toml", text)
    said = world.run("sync")
    assert said.code == code
    assert named in said.err
    assert "hookpm.toml:3" in said.err
    assert "s3cret" not in said.text


def test_a_secret_in_an_address_is_neither_shown_nor_written(world: World) -> None:
    said = world.run("install", "git+https://user:s3cret@git.example.com/x", "--json")
    assert said.code == 2
    assert "s3cret" not in said.text
    assert not (world.repo / ".agents").exists()


def test_json_tells_commit_and_ref(world: World, repo: Repo) -> None:
    commit = repo.git("rev-parse", "HEAD")
    done = world.ok("install", f"git+{repo.url}@v1", "--agent=claude", "--json").json["packs"]
    listed = world.ok("list", "--json").json["packs"]
    shown = world.ok("status", "--json").json["packs"]
    for (pack,) in (done, listed, shown):
        assert (pack["commit"], pack["ref"]) == (commit, "tag:v1")
    assert f"(tag v1, {commit[:12]})" in world.ok("list").out
    assert f"(tag v1, {commit[:12]})" in world.ok("status").out
    assert f"wants tag v1 of git+{repo.url}" in world.ok("why", "shield").out


def test_a_clone_needs_neither_remote_nor_cache(world: World, repo: Repo) -> None:
    world.install(f"git+{repo.url}@v1")
    world.git("add", "-A")
    world.git("commit", "-qm", "x")
    world.git("clone", "-q", str(world.repo), str(world.base / "clone"))
    shutil.rmtree(repo.folder)
    shutil.rmtree(world.home / "cache")
    done = world.ok("sync", "--locked", "--json", cwd=Path(world.base / "clone"))
    assert not done.json["changed"]


# --- later -----------------------------------------------------------------------------------


def test_an_update_takes_what_the_branch_is_at_now(world: World, repo: Repo) -> None:
    world.install(f"git+{repo.url}@main")
    new = release(repo, "2.0.0")
    assert world.run("outdated").code == 1
    assert not world.ok("sync", "--json").json["changed"]
    done = world.ok("update", "--yes")
    assert lock(world)["commit"] == f'"{new}"'
    assert "has moved" not in done.text, "branches do"
    assert world.ok("outdated").code == 0


def test_a_tag_that_moved_is_told_by_verify_and_by_an_update(world: World, repo: Repo) -> None:
    world.install(f"git+{repo.url}@v1")
    old = repo.git("rev-parse", "HEAD")
    new = release(repo, "1.0.0", guard=GUARD + "# other\n")
    repo.git("tag", "--force", "v1")
    told = world.ok("verify", "--json").json["problems"]
    assert [p["code"] for p in told] == ["moved-tag"]
    assert f"from commit {old[:12]} to {new[:12]}" in told[0]["message"]
    assert not world.ok("sync", "--json").json["changed"], "what is locked stays"
    done = world.ok("update", "--yes")
    assert f"from commit {old[:12]} to {new[:12]}" in done.text
    assert lock(world)["commit"] == f'"{new}"'


def test_a_forged_lock_is_found_by_the_commit(world: World, repo: Repo) -> None:
    world.install(f"git+{repo.url}@v1")
    path = ".agents/hookpm/packs/shield/guard.py"
    real = sha256(world.read(path).encode()).hexdigest()
    world.write(path, "pass\n")
    fake = sha256(b"pass\n").hexdigest()
    world.write(".agents/hookpm.lock", world.read(".agents/hookpm.lock").replace(real, fake))
    assert world.run("status").code == 0, "hashes and files agree"
    said = world.run("verify", "--json")
    assert said.code == 1
    assert "forged" in [p["code"] for p in said.json["problems"]]


@pytest.mark.parametrize("line", ["commit", "ref"])
def test_a_lock_that_does_not_say_which_commit_proves_nothing(
    world: World, repo: Repo, line: str
) -> None:
    world.install(f"git+{repo.url}@v1")
    text = world.read(".agents/hookpm.lock")
    world.write(".agents/hookpm.lock", text.replace(f"{line} = {lock(world)[line]}\n", ""))
    for arguments in (["verify"], ["status"], ["sync", "--locked"], ["sync", "--check"]):
        done = world.run(*arguments)
        assert done.code == 3, done.text
        assert "its commit or its ref is not in the lock" in done.err


def test_verify_without_the_remote_asks_the_cache_and_says_what_it_could_not(
    world: World, repo: Repo
) -> None:
    world.install(f"git+{repo.url}@v1")
    shutil.rmtree(repo.folder)
    told = world.ok("verify", "--json").json["problems"]
    assert [p["code"] for p in told] == ["not-asked"]
    assert world.ok("verify", "--offline", "--json").json["problems"] == []
    shutil.rmtree(world.home / "cache")
    told = world.ok("verify", "--offline", "--json").json["problems"]
    assert [p["code"] for p in told] == ["not-asked"]


def test_a_claude_plugin_in_git_is_a_pack(world: World) -> None:
    hooks = {
        "hooks": {
            "PreToolUse": [
                {
                    "matcher": "Write",
                    "hooks": [
                        {"type": "command", "command": "python3 ${CLAUDE_PLUGIN_ROOT}/guard.py"}
                    ],
                }
            ]
        }
    }
    files: dict[str, str | bytes] = {
        ".claude-plugin/plugin.json": json.dumps({"name": "sentry", "version": "1.2.0"}),
        "hooks/hooks.json": json.dumps(hooks),
        "guard.py": GUARD,
        "demo.mp4": b"\0" * 11_000_000,
        ".gitattributes": "* text=auto\n",
    }
    repo = make(world.base / "plugins", {f"plugins/sentry/{p}": d for p, d in files.items()})
    said = world.run("install", f"git+{repo.url}", "--agent=claude")
    assert "#subdirectory=plugins/sentry" in said.err
    world.install(f"git+{repo.url}#subdirectory=plugins/sentry")
    assert world.denies()
    assert not (world.repo / ".agents/hookpm/packs/sentry/demo.mp4").exists()
    assert not world.ok("sync", "--locked", "--json").json["changed"]
    assert world.ok("verify", "--json").json["problems"] == []


def test_a_manifest_that_is_wrong_is_named_by_the_address_one_types(
    world: World, repo: Repo
) -> None:
    repo.commit({"hookpack.toml": '[pack]\nname = "shield"\nversion = 1\ndescription = "x"\n'})
    said = world.run("install", f"git+{repo.url}@main", "--agent=claude")
    assert said.code == 3
    assert f"git+{repo.url}@main/hookpack.toml:3" in said.err


def test_packs_of_several_repositories_and_folders_are_fetched_side_by_side(world: World) -> None:
    lines = []
    for name in ("one", "two", "three"):
        folder = world.pack(name, at=world.base / f"draft-{name}")
        files = {f"packs/{name}/{p.name}": p.read_bytes() for p in folder.iterdir()}
        made = make(world.base / f"{name}.git", files)
        lines.append(f'{name} = {{ git = "{made.url}", subfolder = "packs/{name}" }}\n')
    folder = world.pack("four", at=made.folder / "packs" / "four")
    made.commit()
    lines.append(f'four = {{ git = "{made.url}", subfolder = "packs/four" }}\n')
    world.write(".agents/hookpm.toml", f'agents = ["claude"]\n[packs]\n{"".join(lines)}')
    done = world.ok("sync", "--json").json
    assert [pack["name"] for pack in done["packs"]] == ["four", "one", "three", "two"]
    assert not world.ok("sync", "--locked", "--offline", "--json").json["changed"]
    shutil.rmtree(made.folder)
    world.write(".agents/hookpm.toml", world.read(".agents/hookpm.toml") + "# x\n")
    assert world.ok("sync", "--json").json["changed"] is False, "nobody is asked"


def test_a_marketplace_in_git_names_what_one_types_for_a_plugin_of_it(world: World) -> None:
    market = {"name": "m", "plugins": [{"name": "sentry", "source": "./plugins/sentry"}]}
    files: dict[str, str | bytes] = {
        ".claude-plugin/marketplace.json": json.dumps(market),
        "plugins/sentry/.claude-plugin/plugin.json": json.dumps({"name": "sentry"}),
    }
    repo = make(world.base / "market", files)
    said = world.run("install", f"git+{repo.url}@main", "--agent=claude")
    assert said.code == 3
    assert f"git+{repo.url}@main#subdirectory=plugins/sentry" in said.err


def test_ctrl_c_ends_what_was_fetching_and_leaves_the_repo_as_it_was(world: World) -> None:
    ssh = world.bin / "ssh"
    ssh.write_text(f"#!/bin/sh\necho $$ > {world.base}/pid\nexec sleep 600\n")
    ssh.chmod(0o755)
    before = world.tree()
    command = [sys.executable, "-m", "hookpm", "install", "git+ssh://git@git.example.com/x"]
    running = subprocess.Popen(
        [*command, "--agent=claude"],
        cwd=world.repo,
        env={**os.environ, "PYTHONPATH": str(CHECKOUT)},
        stderr=subprocess.PIPE,
        text=True,
    )
    pid = world.base / "pid"
    wait_for(lambda: pid.exists() and bool(pid.read_text().strip()))
    running.send_signal(signal.SIGINT)
    _, said = running.communicate(timeout=60)
    assert running.returncode == 130
    assert "stopped" in said
    wait_for(lambda: not Path(f"/proc/{pid.read_text().strip()}/exe").exists())
    assert world.tree() == before
