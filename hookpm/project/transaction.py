"""Writes a plan's files all or nothing: what is killed on the way is finished by the next run.

Everything new is first written beside the project's own files, in `.agents/.hookpm-pending/`, with
a journal. Only when the journal is complete does the first file of the project change; from then on
the way is forward, and a run that finds a complete journal walks it again to its end. A journal
that is not complete has changed nothing, and is thrown away.
"""

from __future__ import annotations

import json
import os
import shutil
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path
from typing import NamedTuple

from hookpm.errors import HookpmError, SystemFailureError

PENDING = ".agents/.hookpm-pending"
GENERATED = ".agents/hookpm/"


class Change(NamedTuple):
    """One file that changes. path: relative to the root, with forward slashes.

    old: its bytes now, None where there is none; new: its bytes afterwards, None = it goes.
    executable: the mode of a file that is new; an existing file keeps its mode.
    """

    path: str
    old: bytes | None
    new: bytes | None
    executable: bool = False

    @property
    def action(self) -> str:
        """create, change or remove."""
        if self.new is None:
            return "remove"
        return "create" if self.old is None else "change"


class ConcurrentChangeError(HookpmError):
    """A file is not what it was when the plan was made."""

    code = "changed-meanwhile"


def sort(changes: Sequence[Change]) -> list[Change]:
    """In the order in which a running agent meets no half: code, hooks, wiring, then what goes.

    Wiring is removed before the files that it runs, and added after them.
    """

    def rank(change: Change) -> tuple[int, str]:
        if change.new is None:
            return (5 if change.path.startswith(".agents/") else 2), change.path
        if change.path.startswith(".agents/hookpm/"):
            return 0, change.path
        if change.path.startswith(".agents/hook") and change.path.endswith(".json"):
            return 1, change.path
        return (3 if change.path.startswith(".agents/") else 2), change.path

    return sorted(changes, key=rank)


def apply(root: Path, changes: Sequence[Change], made: Sequence[str] = ()) -> None:
    """Write the changes in their order; afterwards remove the folders `made` that are empty.

    Raises ConcurrentChangeError where a file is not what the plan saw, SystemFailureError where the
    disk or a permission stands in the way; then nothing has changed.
    """
    if not changes:
        return
    ordered = sort(changes)
    _check_unchanged(root, ordered)
    pending = root / PENDING
    had_agents = (root / ".agents").is_dir()
    try:
        _check_writable(root, ordered)
        _stage(pending, ordered, made)
    except OSError as error:
        shutil.rmtree(pending, ignore_errors=True)
        if not had_agents:
            _remove_empty(root, [".agents"])
        raise SystemFailureError(
            f"nothing was changed: cannot write in {root}",
            cause=_words(error),
            hint="make that writable, or make room, and run the command again",
            file=error.filename,
        ) from None
    _walk(root)


def recover(root: Path) -> str | None:
    """Finish or throw away what a killed run left. Returns what was done, in words, or None."""
    pending = root / PENDING
    if not pending.is_dir():
        return None
    if (pending / "journal.json").is_file():
        _walk(root)
        return "an earlier run had been stopped half-way; its changes are now complete"
    shutil.rmtree(pending, ignore_errors=True)
    return "an earlier run had been stopped before it changed anything; its leftovers are gone"


def _check_unchanged(root: Path, changes: Sequence[Change]) -> None:
    for change in changes:
        if read(root, change.path) != change.old:
            raise ConcurrentChangeError(
                f"{change.path} changed while hookpm was at work; nothing was written",
                hint="run the command again",
                file=root / change.path,
            )


def obstacle(root: Path, path: str) -> str | None:
    """Why no file of the project can be at `path`, in words; None where one is or can be.

    What leads out of the project is somebody else's: it would not be in a clone, and other
    projects may share it.
    """
    top = _real(root)
    at = root
    for name in Path(path).parent.parts:
        at /= name
        if at.is_symlink() and not _real(at).is_relative_to(top):
            return f"{_named(root, at)} is a link that leads out of the project, to {_real(at)}"
        if at.is_symlink() and _named(root, at).startswith(GENERATED):
            return f"{_named(root, at)} is a link, where hookpm keeps a folder"
        if (at.exists() or at.is_symlink()) and not at.is_dir():
            return f"{_named(root, at)} is not a folder, but {path} belongs in it"
    file = root / path
    if is_own_link(file, path):
        return None
    if file.is_dir():
        return f"{path} is a folder, where a file belongs"
    if file.is_symlink() and not _real(file).is_relative_to(top):
        return f"{path} is a link that leads out of the project, to {_real(file)}"
    return None


def is_own_link(file: Path, path: str) -> bool:
    """Is the file a link among the generated ones? They are replaced, never written through."""
    return path.startswith(GENERATED) and file.is_symlink()


def refuse_obstacles(root: Path, paths: Sequence[str]) -> None:
    """Raise SystemFailureError where something stands in the place of one of these files."""
    for path in paths:
        wrong = obstacle(root, path)
        if wrong is not None:
            raise SystemFailureError(
                wrong,
                hint="move it out of the way, and run the command again",
                file=root / path,
            )


def _real(path: Path) -> Path:
    """Where a path leads; unlike `resolve` it does not raise where links go in a circle."""
    return Path(os.path.realpath(path))


def _named(root: Path, path: Path) -> str:
    return path.relative_to(root).as_posix()


def _check_writable(root: Path, changes: Sequence[Change]) -> None:
    """Raise the error that writing would raise, before anything is written."""
    refuse_obstacles(root, [change.path for change in changes if change.new is not None])
    for change in changes:
        target = (root / change.path).resolve()
        folder = target.parent
        while not folder.exists():
            folder = folder.parent
        if not os.access(folder, os.W_OK | os.X_OK):
            raise PermissionError(13, "Permission denied", str(folder))
        if target.exists() and not os.access(target, os.W_OK):
            raise PermissionError(13, "Permission denied (the file is read-only)", str(target))


def _stage(pending: Path, changes: Sequence[Change], made: Sequence[str]) -> None:
    """Write all new content and, last, the journal. A journal that is there is complete."""
    shutil.rmtree(pending, ignore_errors=True)
    pending.mkdir(parents=True)
    steps = []
    for number, change in enumerate(changes):
        step = {"path": change.path, "executable": change.executable, "data": None}
        if change.new is not None:
            step["data"] = f"{number}.new"
            # What hookpm can make again need not wait for the disk, what is the user's must.
            write = Path.write_bytes if change.path.startswith(GENERATED) else _write_through
            write(pending / f"{number}.new", change.new)
        steps.append(step)
    journal = json.dumps({"steps": steps, "made": list(made)})
    _write_through(pending / "journal.part", journal.encode())
    (pending / "journal.part").replace(pending / "journal.json")


def _walk(root: Path) -> None:
    """Do every step of the journal; each may have been done before. Ends with the journal gone."""
    pending = root / PENDING
    try:
        journal = json.loads((pending / "journal.json").read_bytes())
        for step in journal["steps"]:
            if step["data"] is None:
                (root / step["path"]).unlink(missing_ok=True)
            else:
                generated = step["path"].startswith(GENERATED)
                staged = pending / step["data"]
                _place(root / step["path"], staged, step["executable"], generated)
        folders = {str(Path(s["path"]).parent) for s in journal["steps"] if s["data"] is None}
        ours = [f for f in folders if f == ".agents/hookpm" or f.startswith(".agents/hookpm/")]
        (pending / "journal.json").unlink()
        shutil.rmtree(pending, ignore_errors=True)
        _remove_empty(root, [*_with_parents(ours), *journal["made"]])
    except OSError as error:
        raise SystemFailureError(
            f"stopped half-way: cannot write {error.filename}",
            cause=_words(error),
            hint="make it writable and run the command again; it goes on where it stopped",
            file=error.filename,
        ) from None


def _place(target: Path, staged: Path, executable: bool, generated: bool) -> None:
    """Put staged content where it belongs, in one step; a link stays a link, a mode a mode.

    generated: the file is hookpm's alone, so a link in its place goes.
    """
    if not staged.exists():
        return  # this step was done before the run was stopped
    target.parent.mkdir(parents=True, exist_ok=True)
    if generated and target.is_symlink():
        target.unlink()
    real = target.resolve()
    umask = os.umask(0)
    os.umask(umask)
    if real.exists():
        stat = real.stat()
        staged.chmod((stat.st_mode & 0o7777) | (0o111 & ~umask if executable else 0))
        if stat.st_uid != os.geteuid():
            os.chown(staged, stat.st_uid, stat.st_gid)
    else:
        staged.chmod((0o777 if executable else 0o666) & ~umask)
    if real.parent.stat().st_dev != staged.stat().st_dev:
        beside = real.with_name(f".{real.name}.hookpm")  # a link led to another disk
        shutil.copy2(staged, beside)
        beside.replace(real)
        staged.unlink()
    else:
        staged.replace(real)


def _with_parents(folders: Sequence[str]) -> list[str]:
    every = {f for folder in folders for f in (folder, *map(str, Path(folder).parents))}
    return [f for f in every if f.startswith(".agents/hookpm")]


def _remove_empty(root: Path, folders: Sequence[str]) -> None:
    for folder in sorted(set(folders), key=len, reverse=True):
        with suppress(OSError):  # gone already, or somebody's files are in it
            (root / folder).rmdir()


def read(root: Path, path: str) -> bytes | None:
    """A file's bytes, None where there is none. Raises SystemFailureError if it cannot be read.

    A link among the generated files is not what was installed, wherever it leads: it reads as the
    text of the link.
    """
    try:
        if is_own_link(root / path, path):
            return f"-> {(root / path).readlink()}".encode()
        return (root / path).read_bytes()
    except FileNotFoundError:
        return None
    except NotADirectoryError:
        return None
    except OSError as error:
        raise SystemFailureError(
            f"cannot read {path}", cause=_words(error), file=root / path
        ) from None


def _write_through(path: Path, data: bytes) -> None:
    with path.open("wb") as file:
        file.write(data)
        file.flush()
        os.fsync(file.fileno())


def _words(error: OSError) -> str:
    return f"{error.strerror}: {error.filename}" if error.filename else str(error)
