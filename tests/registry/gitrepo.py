"""Real git repositories in temp folders, and a home of their own for the git that reads them."""

from __future__ import annotations

import os
import subprocess
import time
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import NamedTuple

import pytest

MANIFEST = """\
[pack]
name = "guard"
version = "1.0.0"
description = "x"

[[hooks]]
id = "guard"
event = "PreToolUse"
run = "guard.py"
"""


def own_home(base: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A home for this test alone: no configuration, no cache, no variables of git's."""
    home = base / "home"
    home.mkdir()
    for name in list(os.environ):
        if name.startswith(("GIT_", "XDG_", "SSH_")) or name.lower().endswith("_proxy"):
            monkeypatch.delenv(name)
    monkeypatch.setenv("HOME", str(home))
    monkeypatch.setenv("XDG_CACHE_HOME", str(home / "cache"))
    monkeypatch.setenv("GIT_CONFIG_NOSYSTEM", "1")
    monkeypatch.setenv("GIT_CONFIG_GLOBAL", str(home / ".gitconfig"))
    return home


class Repo(NamedTuple):
    """A repository with a working tree."""

    folder: Path

    @property
    def url(self) -> str:
        return f"file://{self.folder}"

    def git(self, *arguments: str, given: bytes = b"") -> str:
        who = ("-c", "user.name=t", "-c", "user.email=t@example.com", "-c", "commit.gpgSign=false")
        environment = {k: v for k, v in os.environ.items() if not k.startswith("GIT_")}
        done = subprocess.run(
            ["git", *who, *arguments],
            cwd=self.folder,
            input=given,
            env={**environment, "GIT_CONFIG_NOSYSTEM": "1", "GIT_CONFIG_GLOBAL": os.devnull},
            check=True,
            capture_output=True,
        )
        return done.stdout.decode().strip()

    def write(self, files: Mapping[str, str | bytes]) -> None:
        for path, data in files.items():
            file = self.folder / path
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_bytes(data.encode() if isinstance(data, str) else data)

    def commit(self, files: Mapping[str, str | bytes] | None = None, tag: str = "") -> str:
        """Commit files, and all else that lies there; the commit."""
        self.write(files or {})
        self.git("add", "--all", "--force")
        self.git("commit", "--quiet", "--allow-empty", "-m", "x")
        if tag:
            self.git("tag", tag)
        return self.git("rev-parse", "HEAD")

    def tree(self, *lines: tuple[str, str, str]) -> str:
        """A tree of (mode, object, name), made as no checkout could make it."""
        data = b"".join(
            f"{mode} {name}\0".encode("utf-8", "surrogateescape") + bytes.fromhex(blob)
            for mode, blob, name in lines
        )
        # `--literally` takes any bytes; without it git would refuse `..` and the like.
        return self.git("hash-object", "-t", "tree", "-w", "--stdin", "--literally", given=data)

    def blob(self, data: str | bytes) -> str:
        given = data.encode() if isinstance(data, str) else data
        return self.git("hash-object", "-w", "--stdin", given=given)

    def at(self, tree: str, branch: str = "main") -> str:
        """Make a branch point to a commit of a tree."""
        commit = self.git("commit-tree", tree, "-m", "x")
        self.git("update-ref", f"refs/heads/{branch}", commit)
        return commit


def make(folder: Path, files: Mapping[str, str | bytes] | None = None) -> Repo:
    """A repository with one commit of a pack, or of these files, on the branch main."""
    folder.mkdir(parents=True)
    repo = Repo(folder)
    repo.git("init", "--quiet", "-b", "main")
    repo.commit({"hookpack.toml": MANIFEST, "guard.py": "print()\n"} if files is None else files)
    return repo


def wait_for(there: Callable[[], bool]) -> None:
    """Wait until something is so; fails the test if it never is."""
    for _ in range(400):
        if there():
            return
        time.sleep(0.05)
    pytest.fail("it never came")
