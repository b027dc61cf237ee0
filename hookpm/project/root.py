"""Which folder is the project: decided once, and said when it is not the one the user stands in."""

from __future__ import annotations

import os
from pathlib import Path
from typing import NamedTuple

from hookpm.errors import RefusedError, UsageError
from hookpm.project.home import homefolders

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

    The user's home is never found on the way up, nor is anything above it: its `.agents` is the
    user's own, and a checkout of dotfiles is no project of what lies in it. Raises UsageError where
    the given folder does not exist, RefusedError for the home folder itself, unless it was given or
    its lock says that it is a project.
    """
    if given is not None:
        folder = Path(os.path.realpath(given))  # links in a circle are no error, and no folder
        if not folder.is_dir():
            raise UsageError(f"--root {given} is not a folder")
        return Root(folder, "given by --root", git_top(folder) is not None)
    here = start.resolve()
    above = homefolders.home_or_none()
    if here == above:
        _refuse_home(here)
    top = git_top(here)
    for folder in (here, *here.parents):
        if folder == above and folder != here:
            break
        if (folder / SETTINGS).is_file():
            return Root(folder, f"it holds {SETTINGS}", top is not None)
        if folder == top:
            return Root(top, "the top of the git checkout", is_git=True)
    around = "no git checkout around it" if top is None else "not your home folder's checkout"
    return Root(here, f"the current folder; {around}", is_git=False)


def of_user() -> Root:
    """The home folder, for `--user`. Raises SystemFailureError where there is none."""
    return Root(homefolders.home(), "your home folder", is_git=False)


def is_users_home(folder: Path) -> bool:
    """Is it the home folder, and no project by its lock?"""
    from hookpm.project.home import scope

    here = folder.resolve()
    return here == homefolders.home_or_none() and scope.recorded(here) != scope.PROJECT


def _refuse_home(home: Path) -> None:
    """Raise RefusedError, unless the packs that lie in the home folder are a project's."""
    if is_users_home(home):
        raise RefusedError(
            "your home folder is no project",
            cause="what lies in its .agents is for every project of yours",
            hint="say --user for that; or go to a project's folder",
            file=home,
        )


def git_top(folder: Path) -> Path | None:
    """The nearest folder upward that holds `.git`: a folder, or a file in worktrees."""
    for candidate in (folder, *folder.parents):
        if (candidate / ".git").exists():
            return candidate
    return None
