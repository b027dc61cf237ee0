"""Which folder is the project: decided once, and said when it is not the one the user stands in."""

from __future__ import annotations

from pathlib import Path
from typing import NamedTuple

from hookpm.errors import UsageError

SETTINGS = ".agents/hookpm.toml"
LOCK = ".agents/hookpm.lock"


class Root(NamedTuple):
    """A project's folder. why: what made it the root, in words; is_git: it lies in a checkout."""

    path: Path
    why: str
    is_git: bool


def find(start: Path, given: Path | None = None) -> Root:
    """The project root seen from `start`: the nearest folder upward with `.agents/hookpm.toml`,
    else the top of the git checkout, else `start` itself. `given` is taken as it is.

    The user's home is never found on the way up: its `.agents` is not a project's.
    Raises UsageError where the given folder does not exist.
    """
    if given is not None:
        folder = given.resolve()
        if not folder.is_dir():
            raise UsageError(f"--root {given} is not a folder")
        return Root(folder, "given by --root", git_top(folder) is not None)
    here = start.resolve()
    top = git_top(here)
    home = Path.home()
    for folder in (here, *here.parents):
        if folder == home and folder != here:
            break
        if (folder / SETTINGS).is_file():
            return Root(folder, f"it holds {SETTINGS}", top is not None)
        if folder == top:
            break
    if top is not None:
        return Root(top, "the top of the git checkout", is_git=True)
    return Root(here, "the current folder; no git checkout around it", is_git=False)


def git_top(folder: Path) -> Path | None:
    """The nearest folder upward that holds `.git`: a folder, or a file in worktrees."""
    for candidate in (folder, *folder.parents):
        if (candidate / ".git").exists():
            return candidate
    return None
