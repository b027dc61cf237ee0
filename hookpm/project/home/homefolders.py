"""Where hookpm keeps what is the user's: the same places that the user bridge's line looks into.

XDG's on every system, as a line of shell cannot ask for another system's own.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from hookpm.errors import SystemFailureError


def home_or_none() -> Path | None:
    """The user's home folder, None where there is none."""
    try:
        return home()
    except SystemFailureError:
        return None


BRIDGE_RECORD = "user-bridge.lock"  # below the data folder: what the user bridge put where


def data_folder() -> Path:
    """`${XDG_DATA_HOME:-~/.local/share}/hookpm`: the user bridge and copies of what is allowed."""
    return _folder("XDG_DATA_HOME", ".local/share")


def config_folder() -> Path:
    """`${XDG_CONFIG_HOME:-~/.config}/hookpm`: what the user decided."""
    return _folder("XDG_CONFIG_HOME", ".config")


def home() -> Path:
    """The user's home folder, without links. Raises SystemFailureError where there is none.

    A relative HOME is none: it would be another folder in every working directory.
    """
    given = os.environ.get("HOME", "")
    if not given.startswith("/"):
        raise SystemFailureError(
            "there is no home folder to work in",
            cause=f"HOME is {given!r}, which is no absolute path" if given else "HOME is not set",
            hint="set HOME to your home folder",
        )
    return Path(os.path.realpath(given))


def _folder(variable: str, usual: str) -> Path:
    base = os.environ.get(variable, "")
    return (Path(base) if base.startswith("/") else home() / usual) / "hookpm"


@contextmanager
def private() -> Iterator[None]:
    """What is made meanwhile is for the user alone: what is staged in a home may hold secrets."""
    umask = os.umask(0o077)
    try:
        yield
    finally:
        os.umask(umask)


def make_folders(folder: Path) -> list[str]:
    """Make a folder, for the user alone; returns the ones that were made, outermost first."""
    missing = [path for path in (folder, *folder.parents) if not path.exists()][::-1]
    for path in missing:
        path.mkdir(mode=0o700, exist_ok=True)
    return [str(path) for path in missing]


def remove_empty(folders: Iterable[str]) -> None:
    """Remove those of the folders that are empty, the innermost first."""
    for folder in sorted(set(folders), key=len, reverse=True):
        with suppress(OSError):  # gone already, or something is in it
            Path(folder).rmdir()


def write_privately(path: Path, data: bytes) -> None:
    """Write a file for the user alone, in one step: a reader sees the old or the new one."""
    draft = path.with_name(f".{path.name}.{os.getpid()}")
    draft.unlink(missing_ok=True)
    handle = os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(data)
            file.flush()
            os.fsync(file.fileno())
        draft.replace(path)
    except BaseException:
        draft.unlink(missing_ok=True)
        raise
