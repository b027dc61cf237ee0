"""Writes a plan's files all or nothing: what is killed on the way is finished by the next run.

Everything new is first written beside the project's own files, in `.agents/.hookpm-pending/`, with
a journal. Only when the journal is complete does the first file of the project change; from then on
the way is forward, and a run that finds a complete journal walks it again to its end. A journal
that is not complete has changed nothing, and is thrown away.
"""

from __future__ import annotations

import os
import signal
import stat
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

from hookpm.errors import HookpmError, SystemFailureError
from hookpm.project.places import GENERATED, me_on_the_disk, read, refuse_obstacles, words
from hookpm.project.writing import pending
from hookpm.project.writing.change import Change


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
    try:
        _check_writable(root, ordered)
        pending.stage(root, ordered, made)
    except OSError as error:
        pending.discard(root)
        raise SystemFailureError(
            f"nothing was changed: cannot write in {root}",
            cause=words(error),
            hint="make that writable, or make room, and run the command again",
            file=error.filename,
        ) from None
    except KeyboardInterrupt:
        pending.discard(root)
        raise
    with _undisturbed():
        pending.carry_out(root)


@contextmanager
def _undisturbed() -> Iterator[None]:
    """Hold back Ctrl-C and a polite end until the change is whole; it takes hundredths."""
    if not hasattr(signal, "pthread_sigmask"):
        yield  # Windows: a Ctrl-C there ends the run, and the next one completes it
        return
    signals = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)
    before = signal.pthread_sigmask(signal.SIG_BLOCK, signals)
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


def recover(root: Path) -> str | None:
    """Finish or throw away what a killed run left. Returns what was done, in words, or None."""
    left = pending.left(root)
    if left == pending.HALF:
        with _undisturbed():
            pending.carry_out(root)
        return "an earlier run had been stopped half-way; its changes are now complete"
    pending.discard(root)
    if left == pending.WHOLE:
        return "an earlier run had been stopped with all its changes made; its leftovers are gone"
    if left == pending.BEGUN:
        return "an earlier run had been stopped before it changed a file; its leftovers are gone"
    return None


def _check_unchanged(root: Path, changes: Sequence[Change]) -> None:
    for change in changes:
        if read(root, change.path) != change.old:
            raise ConcurrentChangeError(
                f"{change.path} changed while hookpm was at work; nothing was written",
                hint="run the command again",
                file=root / change.path,
            )


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
        goes = change.new is None or change.path.startswith(GENERATED)
        if goes and target.exists() and _is_kept_by_sticky_bit(folder, target):
            raise PermissionError(1, "The folder keeps other people's files", str(target))


def _is_kept_by_sticky_bit(folder: Path, file: Path) -> bool:
    """Is the folder one, like /tmp, in which a file can only be replaced by its owner?"""
    where, me = folder.stat(), me_on_the_disk()
    return bool(where.st_mode & stat.S_ISVTX) and me not in (0, where.st_uid, file.stat().st_uid)
