"""Stops a run, or fails it, at any one of its writes: every call that changes the disk, counted.

In this process and without a fork: once a run is stopped no further call reaches the disk, whatever
`finally` and `except` still try, so the disk is what a SIGKILL leaves.
"""

from __future__ import annotations

import builtins
import errno
import io
import os
import pathlib
import stat
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, NamedTuple

import pytest

KILL = "kill"  # before the call
TORN = "torn"  # half of the bytes are written; other calls are done whole
DISK_FULL, READ_ONLY = errno.ENOSPC, errno.EROFS
NOT_ALLOWED, BROKEN = errno.EACCES, errno.EIO
_WRITING = os.O_WRONLY | os.O_RDWR | os.O_CREAT | os.O_TRUNC | os.O_APPEND
_CALLS = (
    *("chmod", "chown", "fchmod", "utime", "fsync", "fdatasync", "ftruncate", "truncate"),
    *("mkdir", "rmdir", "unlink", "remove", "rename", "replace", "link", "symlink"),
)
# A full disk still lets go of things; a mode is a block that is there already.
_NEEDS_ROOM = ("open", "os.open", "write", "mkdir", "symlink", "link", "fsync", "rename", "replace")


class KilledError(BaseException):
    """The run is over; nothing that it does from now on reaches the disk."""


@dataclass(slots=True)
class Faults:
    """What happens to a run. how: KILL, TORN or an errno; at: the number of the call, from 1.

    lasting: an errno that comes back at every later call, as those of a full disk do. calls: what
    the run did to the disk, in order, up to the stop.
    """

    at: int = 0
    how: str | int = KILL
    lasting: bool = False
    calls: list[str] = field(default_factory=list)
    dead: bool = False

    def reached(self, name: str, path: object) -> bool:
        """Count a call. Is it to be done by half? Raises KilledError or OSError at its number."""
        if self.dead:
            raise KilledError
        self.calls.append(f"{name} {path}")
        number = len(self.calls)
        if isinstance(self.how, int):
            if number == self.at or (self.lasting and 0 < self.at < number):
                if self.how == DISK_FULL and name not in _NEEDS_ROOM:
                    return False
                raise OSError(self.how, os.strerror(self.how), str(path))
        elif number == self.at:
            self.dead = self.how == KILL
            if self.dead:
                raise KilledError
            return True
        return False

    def stop(self) -> None:
        """The process is gone."""
        self.dead = True
        raise KilledError


class _Raw(io.FileIO):
    """A file whose every write is counted."""

    faults: Faults

    def write(self, data: Any, /) -> int:
        whole = memoryview(data).cast("B")
        if self.faults.dead:
            return len(whole)  # a buffer that is let go of after the end writes nothing
        if self.faults.reached("write", self.name):
            super().write(whole[: len(whole) // 2])
            self.faults.stop()
        return super().write(whole)

    def truncate(self, size: int | None = None, /) -> int:
        self.faults.reached("truncate", self.name)
        return super().truncate(size)


@contextmanager
def injected(faults: Faults) -> Iterator[None]:
    """Run the block with these faults; the end of a killed run ends the block, too."""
    with pytest.MonkeyPatch.context() as patch:
        for name in _CALLS:
            patch.setattr(os, name, _counted(faults, name, getattr(os, name)))
        patch.setattr(os, "open", _os_open(faults, os.open))
        opening = _opening(faults, io.open)
        patch.setattr(io, "open", opening)
        patch.setattr(builtins, "open", opening)
        _patch_old_pathlib(patch)
        try:
            yield
        except KilledError:
            assert faults.dead
        finally:
            faults.dead = faults.dead or not isinstance(faults.how, int)


def _patch_old_pathlib(patch: pytest.MonkeyPatch) -> None:
    """Python 3.10's pathlib keeps the functions that it found when it was imported."""
    accessor = getattr(pathlib, "_NormalAccessor", None)
    for name in (*_CALLS, "open"):
        if accessor is not None and hasattr(accessor, name):
            now = io.open if name == "open" else getattr(os, name)
            patch.setattr(accessor, name, staticmethod(now))


def _counted(faults: Faults, name: str, real: Callable[..., Any]) -> Callable[..., Any]:
    def call(path: Any, *more: Any, **options: Any) -> Any:
        half = faults.reached(name, path)
        done = real(path, *more, **options)
        if half:
            faults.stop()
        return done

    return call


def _os_open(faults: Faults, real: Callable[..., int]) -> Callable[..., int]:
    def call(path: Any, flags: int, *more: Any, **options: Any) -> int:
        writing = bool(flags & _WRITING) and path != os.devnull  # nothing lasts there
        half = writing and faults.reached("os.open", path)
        handle = real(path, flags, *more, **options)
        if half:
            os.close(handle)
            faults.stop()
        return handle

    return call


def _opening(faults: Faults, real: Callable[..., Any]) -> Callable[..., Any]:
    def call(file: Any, mode: str = "r", buffering: int = -1, *more: Any, **options: Any) -> Any:
        is_handle = isinstance(file, int)
        if not set(mode) & set("wax+") or (is_handle and not stat.S_ISREG(os.fstat(file).st_mode)):
            return real(file, mode, buffering, *more, **options)
        half = not is_handle and faults.reached("open", file)
        raw = _Raw(file, mode.replace("b", "").replace("t", ""), *more[3:], **_raw_options(options))
        raw.faults = faults
        if half:
            raw.close()
            faults.stop()
        binary = io.BufferedRandom(raw) if "+" in mode else io.BufferedWriter(raw)
        return binary if "b" in mode else io.TextIOWrapper(binary, *more[:3], **_text(options))

    return call


def _raw_options(options: dict[str, Any]) -> dict[str, Any]:
    return {key: value for key, value in options.items() if key in ("closefd", "opener")}


def _text(options: dict[str, Any]) -> dict[str, Any]:
    return {key: v for key, v in options.items() if key in ("encoding", "errors", "newline")}


# --- the disk, kept and put back --------------------------------------------------------------


class Kept(NamedTuple):
    """A file, link or folder: its mode, and its bytes, where it leads, or None."""

    mode: int
    data: bytes | str | None


Tree = dict[str, Kept]


def taken(*tops: Path) -> Tree:
    """Everything below these folders, git's own files left out, by absolute path."""
    found: Tree = {}
    for top in tops:
        for folder, folders, names in os.walk(top):
            if ".git" in folders:
                folders.remove(".git")
            for name in [*folders, *names]:
                path = os.path.join(folder, name)
                mode = os.lstat(path).st_mode
                data: bytes | str | None = None
                if stat.S_ISLNK(mode):
                    data = os.readlink(path)
                elif stat.S_ISREG(mode):
                    with open(path, "rb") as file:
                        data = file.read()
                found[path] = Kept(mode, data)
    return found


def put_back(tree: Tree, *tops: Path) -> None:
    """Make the folders hold just this again; what is as it was is left alone."""
    now = taken(*tops)
    for path in sorted(now, reverse=True):
        if now[path] != tree.get(path):
            is_folder = stat.S_ISDIR(now[path].mode)
            if not is_folder or path not in tree or not stat.S_ISDIR(tree[path].mode):
                os.rmdir(path) if is_folder else os.unlink(path)
    for path, kept in sorted(tree.items()):
        if now.get(path) == kept:
            continue
        if isinstance(kept.data, str):
            os.symlink(kept.data, path)
            continue
        if kept.data is None:
            os.makedirs(path, exist_ok=True)
        else:
            with open(path, "wb") as file:
                file.write(kept.data)
        os.chmod(path, stat.S_IMODE(kept.mode))
