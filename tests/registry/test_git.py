"""What is fetched from a git repository, and what the cache answers by itself."""

from __future__ import annotations

import os
import shutil
import stat
from pathlib import Path

import pytest

from hookpm.errors import (
    FileFormatError,
    NotFoundError,
    RefusedError,
    SystemFailureError,
    UsageError,
)
from hookpm.registry import git, gitrun
from tests.registry.gitrepo import MANIFEST, Repo, make, own_home


@pytest.fixture
def repo(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Repo:
    own_home(tmp_path, monkeypatch)
    made = make(tmp_path / "guard")
    made.git("tag", "v1")
    return made


def cached(home: Path) -> list[Path]:
    return sorted((home / "cache" / "hookpm" / "git").glob("*.git"))


def test_a_tag_a_branch_a_commit_and_the_default_branch_are_fetched(repo: Repo) -> None:
    first = repo.git("rev-parse", "HEAD")
    repo.git("tag", "-a", "v2", "-m", "annotated")
    repo.git("checkout", "-q", "-b", "feature/one")
    second = repo.commit({"guard.py": "print(2)\n"})
    repo.git("checkout", "-q", "main")
    assert git.fetch(repo.url, "tag:v1").commit == first
    assert git.fetch(repo.url, "tag:v2").commit == first, "a tag object is not a commit"
    assert git.fetch(repo.url, "head").commit == first
    there = git.fetch(repo.url, "branch:feature/one")
    assert there.commit == second
    assert there.files["guard.py"].data == b"print(2)\n"
    assert git.fetch(repo.url, f"rev:{second}") == there
    assert git.read_file(repo.url, "tag:v1", "guard.py") == (first, b"print()\n")


def test_only_the_one_commit_is_fetched(repo: Repo, tmp_path: Path) -> None:
    old = repo.git("rev-parse", "HEAD")
    repo.commit({"new.txt": "x"})
    git.fetch(repo.url, "branch:main")
    (kept,) = cached(tmp_path / "home")
    assert gitrun.local(kept, "cat-file", "-e", old).code != 0


def test_a_subfolder_is_read_by_itself(repo: Repo) -> None:
    repo.commit({"packs/a/hookpack.toml": MANIFEST, "packs/a/x/y.sh": "x", "packs/b/z": "z"})
    files = git.fetch(repo.url, "head", "packs/a").files
    assert sorted(files) == ["hookpack.toml", "x/y.sh"]


def test_executable_bits_are_kept_and_leftovers_left_out(repo: Repo) -> None:
    repo.write({"run.sh": "x", "__pycache__/a.pyc": "x", "node_modules/b/c.js": "x", "d~": "x"})
    (repo.folder / "run.sh").chmod(0o755)
    repo.commit()
    files = git.fetch(repo.url, "head").files
    assert sorted(files) == ["guard.py", "hookpack.toml", "run.sh"]
    assert [path for path, entry in files.items() if entry.executable] == ["run.sh"]


def test_no_attribute_changes_what_is_read(repo: Repo) -> None:
    repo.write({".gitattributes": "guard.py export-ignore\nkeep text eol=crlf ident filter=lfs\n"})
    repo.commit({"keep": "$Id$ $Format:%H$\n"})
    files = git.fetch(repo.url, "head").files
    assert files["guard.py"].data == b"print()\n"
    assert files["keep"].data == b"$Id$ $Format:%H$\n"


def test_a_link_in_the_pack_is_the_file_it_leads_to(repo: Repo) -> None:
    (repo.folder / "docs").mkdir()
    (repo.folder / "docs" / "AGENTS.md").symlink_to("../CLAUDE.md")
    (repo.folder / "CLAUDE.md").symlink_to("guard.py")
    repo.commit()
    files = git.fetch(repo.url, "head").files
    assert files["docs/AGENTS.md"] == files["CLAUDE.md"] == files["guard.py"]


def test_a_moved_tag_is_seen_and_the_locked_commit_stays(repo: Repo) -> None:
    first = git.fetch(repo.url, "tag:v1")
    repo.commit({"guard.py": "print('other')\n"})
    repo.git("tag", "--force", "v1")
    assert git.tip(repo.url, "tag:v1") != first.commit
    assert git.fetch(repo.url, "tag:v1", commit=first.commit) == first
    assert git.fetch(repo.url, "tag:v1").commit == git.tip(repo.url, "tag:v1")


def test_the_tip_of_an_annotated_tag_is_its_commit(repo: Repo) -> None:
    repo.git("tag", "-a", "v2", "-m", "annotated")
    assert git.tip(repo.url, "tag:v2") == repo.git("rev-parse", "HEAD")
    assert git.tip(repo.url, "head") == repo.git("rev-parse", "HEAD")
    assert git.tip(repo.url, "rev:" + "a" * 40) == "a" * 40


def test_a_commit_in_the_cache_needs_no_remote(repo: Repo) -> None:
    before = git.fetch(repo.url, "tag:v1")
    shutil.rmtree(repo.folder)
    assert git.fetch(repo.url, "tag:v1", commit=before.commit) == before
    assert git.fetch(repo.url, f"rev:{before.commit}", offline=True) == before
    assert git.fetch(repo.url, "tag:v1", offline=True) == before, "as it was when last fetched"


@pytest.mark.parametrize(
    ("ref", "commit", "named"),
    [("tag:v1", None, "tag v1"), ("head", None, "default branch"), ("tag:v1", "a" * 40, "aaaaaa")],
)
def test_offline_says_what_is_not_in_the_cache(
    repo: Repo, ref: str, commit: str | None, named: str
) -> None:
    with pytest.raises(SystemFailureError, match=named) as caught:
        git.fetch(repo.url, ref, commit=commit, offline=True)
    assert "--offline" in caught.value.message


def test_a_commit_that_no_ref_leads_to_is_fetched_by_its_name(repo: Repo) -> None:
    lost = repo.commit({"guard.py": "lost\n"})
    repo.git("reset", "-q", "--hard", "HEAD~1")
    assert git.fetch(repo.url, "branch:main", commit=lost).files["guard.py"].data == b"lost\n"


def test_a_commit_that_is_nowhere_is_named(repo: Repo) -> None:
    with pytest.raises(NotFoundError, match="a" * 40) as caught:
        git.fetch(repo.url, "branch:main", commit="a" * 40)
    assert "branch main" in (caught.value.cause or "")


# --- names -----------------------------------------------------------------------------------


def test_a_name_is_found_out_to_be_tag_branch_or_commit(repo: Repo) -> None:
    commit = repo.git("rev-parse", "HEAD")
    assert git.find_ref(repo.url, "v1") == "tag:v1"
    assert git.find_ref(repo.url, "main") == "branch:main"
    assert git.find_ref(repo.url, commit) == f"rev:{commit}"
    assert git.find_ref(repo.url, commit[:8]) == f"rev:{commit}", "what is written is exact"
    assert git.find_ref(repo.url, "refs/heads/main") == "branch:main"


def test_a_tag_that_is_a_branch_too_has_to_be_said(repo: Repo) -> None:
    repo.git("branch", "v1")
    with pytest.raises(RefusedError, match="a tag and a branch") as caught:
        git.find_ref(repo.url, "v1")
    assert "@refs/tags/v1" in (caught.value.hint or "")
    assert git.find_ref(repo.url, "refs/tags/v1") == "tag:v1"


@pytest.mark.parametrize(
    ("asked", "hint"),
    [("v11", "did you mean v1?"), ("mian", "did you mean main?"), ("q", "main, v1")],
)
def test_a_name_that_is_not_there_has_its_neighbours_named(
    repo: Repo, asked: str, hint: str
) -> None:
    with pytest.raises(NotFoundError, match=asked) as caught:
        git.find_ref(repo.url, asked)
    assert hint in (caught.value.hint or "")
    with pytest.raises(NotFoundError, match=f"tag {asked}") as caught:
        git.fetch(repo.url, f"tag:{asked}")
    assert hint in (caught.value.hint or "")


def test_a_short_commit_that_no_name_is_at_is_refused(repo: Repo) -> None:
    old = repo.commit()
    repo.commit()
    with pytest.raises(NotFoundError, match=old[:9]) as caught:
        git.find_ref(repo.url, old[:9])
    assert "40 characters" in (caught.value.hint or "")


def test_an_empty_repository_is_called_empty(repo: Repo, tmp_path: Path) -> None:
    (tmp_path / "bare").mkdir()
    empty = Repo(tmp_path / "bare")
    empty.git("init", "--quiet")
    with pytest.raises(NotFoundError) as caught:
        git.fetch(empty.url, "head")
    assert "empty" in (caught.value.hint or "")


def test_a_tag_of_something_else_than_a_commit_is_refused(repo: Repo) -> None:
    repo.git("tag", "blob", repo.blob("x"))
    with pytest.raises(NotFoundError, match="is no commit"):
        git.fetch(repo.url, "tag:blob")


def test_a_folder_that_is_not_there_has_the_packs_named(repo: Repo) -> None:
    repo.git("rm", "-q", "hookpack.toml")
    repo.commit({"packs/guard/hookpack.toml": MANIFEST, "plug/.claude-plugin/plugin.json": "{}"})
    with pytest.raises(NotFoundError, match="no folder packs/gard") as caught:
        git.fetch(repo.url, "head", "packs/gard")
    assert "packs/guard, plug" in (caught.value.hint or "")


def test_a_folder_that_is_a_file_is_no_folder(repo: Repo) -> None:
    with pytest.raises(NotFoundError, match=r"no folder guard\.py"):
        git.fetch(repo.url, "head", "guard.py")


@pytest.mark.parametrize("folder", ["../x", "/etc", "a/../b", "a\\b", "a:b"])
def test_a_folder_outside_is_refused(repo: Repo, folder: str) -> None:
    with pytest.raises(UsageError):
        git.fetch(repo.url, "head", folder)


def test_a_file_that_is_not_there_or_too_large_is_named(
    repo: Repo, monkeypatch: pytest.MonkeyPatch
) -> None:
    with pytest.raises(NotFoundError, match=r"hookpm\.toml"):
        git.read_file(repo.url, "tag:v1", "hookpm.toml")
    with pytest.raises(NotFoundError, match="cannot be read"):
        monkeypatch.setattr(git, "FILE_LIMIT", 3)
        git.read_file(repo.url, "tag:v1", "guard.py")


# --- git itself ------------------------------------------------------------------------------


def test_without_git_it_says_so(repo: Repo, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", str(repo.folder))
    gitrun.check_version.cache_clear()
    with pytest.raises(SystemFailureError, match="git is not on PATH"):
        git.fetch(repo.url, "head")


def test_a_git_that_is_too_old_is_named(repo: Repo, monkeypatch: pytest.MonkeyPatch) -> None:
    fake = repo.folder / "git"
    fake.write_text("#!/bin/sh\necho git version 2.25.1\n")
    fake.chmod(0o755)
    monkeypatch.setenv("PATH", str(repo.folder))
    gitrun.check_version.cache_clear()
    with pytest.raises(SystemFailureError, match=r"2\.32") as caught:
        git.fetch(repo.url, "head")
    assert "2.25.1" in (caught.value.cause or "")


def test_a_repository_that_is_not_there_is_named(repo: Repo, tmp_path: Path) -> None:
    with pytest.raises(NotFoundError, match="no git repository at file:///"):
        git.fetch(f"file://{tmp_path}/none", "head")


# --- the cache -------------------------------------------------------------------------------


def objects(repo: Path) -> list[Path]:
    return [p for p in (repo / "objects").rglob("*") if p.is_file()]


def test_a_damaged_cache_is_made_anew(repo: Repo, tmp_path: Path) -> None:
    before = git.fetch(repo.url, "tag:v1")
    (kept,) = cached(tmp_path / "home")
    for file in objects(kept):
        file.chmod(0o644)
        file.write_bytes(b"garbage" * 10)
    assert git.fetch(repo.url, "tag:v1", commit=before.commit) == before
    (kept,) = cached(tmp_path / "home")
    shutil.rmtree(kept / "objects")
    assert git.fetch(repo.url, "tag:v1") == before
    (kept,) = cached(tmp_path / "home")
    (kept / "config").write_text("[core\n")
    assert git.fetch(repo.url, "tag:v1") == before


def test_a_damaged_blob_is_found_when_it_is_read(repo: Repo, tmp_path: Path) -> None:
    before = git.fetch(repo.url, "tag:v1")
    (kept,) = cached(tmp_path / "home")
    gone = repo.git("rev-parse", "HEAD:guard.py")
    packs = sorted((kept / "objects/pack").glob("*.pack"))
    moved = [pack.replace(tmp_path / pack.name) for pack in packs]
    for file in (kept / "objects/pack").iterdir():
        file.unlink()
    for pack in moved:
        gitrun.local(kept, "unpack-objects", "-q", stdin=pack.read_bytes())
    (kept / "objects" / gone[:2] / gone[2:]).unlink()
    with pytest.raises(SystemFailureError, match="damaged"):
        git.fetch(repo.url, "tag:v1", commit=before.commit, offline=True)
    assert git.fetch(repo.url, "tag:v1", commit=before.commit) == before
    assert git.fetch(repo.url, "tag:v1", commit=before.commit, offline=True) == before


def test_what_a_killed_run_left_is_cleared(repo: Repo, tmp_path: Path) -> None:
    git.fetch(repo.url, "tag:v1")
    (kept,) = cached(tmp_path / "home")
    left = [kept / "shallow.lock", kept / "objects/pack/tmp_pack_x", kept / "config.lock"]
    left.append(kept.with_name(f"{kept.name}.123") / "HEAD")
    left[-1].parent.mkdir()
    for file in left:
        file.write_bytes(b"x")
    new = repo.commit({"guard.py": "new\n"})
    assert git.fetch(repo.url, "branch:main").commit == new
    assert not any(file.exists() for file in left)
    assert cached(tmp_path / "home") == [kept], "it was not thrown away for that"


def test_a_cache_outlives_a_remote_that_is_away(repo: Repo, tmp_path: Path) -> None:
    before = git.fetch(repo.url, "tag:v1")
    away = repo.folder.rename(tmp_path / "away")
    with pytest.raises(NotFoundError):
        git.fetch(repo.url, "tag:v1")
    away.rename(repo.folder)
    assert git.fetch(repo.url, "tag:v1", offline=True) == before


def test_the_cache_is_the_users_alone_and_holds_no_hooks(repo: Repo, tmp_path: Path) -> None:
    git.fetch(repo.url, "tag:v1")
    (kept,) = cached(tmp_path / "home")
    assert stat.S_IMODE(kept.parent.stat().st_mode) == 0o700
    assert not (kept / "hooks").exists()


def test_a_branch_that_becomes_a_folder_of_branches_is_no_trouble(repo: Repo) -> None:
    repo.git("branch", "topic")
    git.fetch(repo.url, "branch:topic")
    repo.git("branch", "-D", "topic")
    repo.git("branch", "topic/one")
    assert git.fetch(repo.url, "branch:topic/one").files


def test_without_a_home_there_is_no_cache_but_an_answer(
    repo: Repo, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("XDG_CACHE_HOME")
    monkeypatch.delenv("HOME")
    assert git.fetch(repo.url, "tag:v1").files


@pytest.mark.skipif(os.geteuid() == 0, reason="root writes anywhere")
def test_a_cache_that_cannot_be_written_is_named(repo: Repo, tmp_path: Path) -> None:
    (tmp_path / "home" / "cache").mkdir(mode=0o500)
    with pytest.raises(SystemFailureError, match="cannot be written"):
        git.fetch(repo.url, "tag:v1")


def test_a_cache_whose_place_is_a_file_is_named(repo: Repo, tmp_path: Path) -> None:
    (tmp_path / "home" / "cache").write_text("")
    with pytest.raises(SystemFailureError, match="cannot be written"):
        git.fetch(repo.url, "tag:v1")


def test_a_repository_that_is_itself_shallow_is_read(repo: Repo, tmp_path: Path) -> None:
    repo.commit({"guard.py": "2\n"})
    clone = tmp_path / "clone"
    repo.git("clone", "--quiet", "--depth=1", repo.url, str(clone))
    assert git.fetch(f"file://{clone}", "head").files["guard.py"].data == b"2\n"


def test_too_many_or_too_large_files_are_refused_before_they_are_read(repo: Repo) -> None:
    repo.commit({f"many/{n}": "" for n in range(2001)} | {"p/hookpack.toml": MANIFEST})
    with pytest.raises(FileFormatError, match="2000 files") as caught:
        git.fetch(repo.url, "head")
    assert "#subdirectory=p" in (caught.value.hint or "")
    assert git.fetch(repo.url, "head", "p").files


@pytest.mark.parametrize("commit", ["--help", "HEAD", "abc1234", "a" * 40 + "\n", "v1"])
def test_a_locked_commit_that_is_none_never_reaches_git(repo: Repo, commit: str) -> None:
    with pytest.raises(UsageError, match="not the whole name of a commit"):
        git.fetch(repo.url, "tag:v1", commit=commit)


@pytest.mark.parametrize("ref", ["", "v1", "tag:", "tag:-x", "branch:a..b", "rev:abc", "head:x"])
def test_a_ref_that_is_none_never_reaches_git(repo: Repo, ref: str) -> None:
    with pytest.raises(UsageError):
        git.fetch(repo.url, ref)
    with pytest.raises(UsageError):
        git.tip(repo.url, ref)


def test_who_looks_on_is_told_of_the_bytes_and_of_the_end(repo: Repo) -> None:
    repo.commit({"noise": os.urandom(100_000)})
    told: list[tuple[int, bool]] = []
    git.fetch(repo.url, "head", watch=lambda come, ended: told.append((come, ended)))
    assert max(come for come, _ in told) > 100_000
    assert told[-1][1]
