"""What is staged for a change, and its journal, which decides between before and after.

Everything new is first written beside the project's own files, in `.agents/.hookpm-pending/`, with
a journal last. Until the journal is there nothing has changed, and what is staged can go. When all
is changed the folder gets another name, in one step; so whatever a stopped run leaves tells which.
"""

from __future__ import annotations

import errno
import json
import os
import re
import shutil
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any

from hookpm.errors import FileFormatError, HookpmError, RefusedError, SystemFailureError
from hookpm.packs.names import path_problem
from hookpm.project.places import GENERATED, me_on_the_disk, obstacle, words

if TYPE_CHECKING:
    from hookpm.project.writing.change import Change

AGENTS = ".agents"
PENDING = f"{AGENTS}/.hookpm-pending"
JOURNAL = "journal.json"
_FRESH = ".agents.hookpm-new"  # what is on its way to be `.agents`, or back from there
_DONE = f"{AGENTS}/.hookpm-done"  # what was staged, once every change is made
_DONE_WITH_AGENTS = ".agents.hookpm-done"  # the same where `.agents` goes as well
HALF, WHOLE, BEGUN = "half", "whole", "begun"
_MARK = "agents-is-new"
# A folder that is gone already, that holds somebody's files, or that a disk is mounted at.
_STAYS = (errno.ENOENT, errno.ENOTDIR, errno.ENOTEMPTY, errno.EEXIST, errno.EBUSY)
_STAGED = re.compile(r"\d+\.new")


def stage(root: Path, changes: Sequence[Change], made: Sequence[str]) -> None:
    """Write all new content and, last, the journal. A journal that is there is complete."""
    pending = _new_folder(root)
    steps = []
    for number, change in enumerate(changes):
        step = {"path": change.path, "executable": change.executable, "data": None}
        if change.new is not None:
            step["data"] = f"{number}.new"
            # What hookpm can make again need not wait for the disk, what is the user's must.
            write = Path.write_bytes if change.path.startswith(GENERATED) else _write_through
            write(pending / f"{number}.new", change.new)
        steps.append(step)
    journal = json.dumps({"steps": steps, "made": list(made), "umask": umask()})
    _write_through(pending / "journal.part", journal.encode())
    (pending / "journal.part").replace(pending / JOURNAL)


def _new_folder(root: Path) -> Path:
    """The empty folder for the staged files; `.agents` comes with it where there is none.

    Whether `.agents` is the user's has to be known however the run ends, so it appears in one step
    with a mark in it.
    """
    discard(root)
    pending = root / PENDING
    if pending.parent.is_dir():
        pending.mkdir()
        return pending
    inside = root / _FRESH / pending.name
    inside.mkdir(parents=True)
    (inside / _MARK).touch()
    (root / _FRESH).rename(pending.parent)
    return pending


def discard(root: Path) -> None:
    """Throw away what was staged, with the `.agents` that was made for it; what a disk that says
    no keeps is left to the next run."""
    if not (root / PENDING).is_symlink() and (root / PENDING / _MARK).exists():
        try:
            _let_go_of_agents(root, _FRESH)
        except OSError:
            return  # without the mark nobody would know that `.agents` is not the user's
    for folder in (PENDING, _FRESH, _DONE, _DONE_WITH_AGENTS):
        path = root / folder
        if path.is_symlink() or path.is_file():  # nothing that a run of ours leaves
            with suppress(OSError):
                path.unlink()
        else:
            shutil.rmtree(path, ignore_errors=True)


def left(root: Path) -> str | None:
    """What a run that was stopped left behind.

    HALF: a complete journal, so the way is forward; WHOLE: nothing but leftovers of a change that
    is made; BEGUN: leftovers of one that is not. None: nothing.
    """
    if is_complete(root):
        return HALF
    if (root / _DONE).is_dir() or (root / _DONE_WITH_AGENTS).is_dir():
        return WHOLE
    return BEGUN if os.path.lexists(root / PENDING) or os.path.lexists(root / _FRESH) else None


def is_complete(root: Path) -> bool:
    """Is there a journal? Then the way is forward. Behind a link there is none of this project."""
    pending = root / PENDING
    return not pending.is_symlink() and (pending / JOURNAL).is_file()


def complaint(root: Path) -> HookpmError | None:
    """Why the next run will not walk the complete journal to its end; None where it will."""
    try:
        _read_journal(root)
    except HookpmError as error:
        return error
    return None


def umask() -> int:
    """The modes that this process takes from new files."""
    now = os.umask(0o077)
    os.umask(now)
    return now


def carry_out(root: Path) -> None:
    """Do every step of the journal; each may have been done before. Ends with the journal gone.

    New files are as private as the run that began would have made them, whoever ends it. Raises
    SystemFailureError where the disk stands in the way, FileFormatError for a journal that is none
    of ours.
    """
    journal = _read_journal(root)
    before = os.umask(journal["umask"] | umask())
    try:
        _do(root, journal)
    finally:
        os.umask(before)


def _do(root: Path, journal: dict[str, Any]) -> None:
    pending = root / PENDING
    try:
        for step in journal["steps"]:
            if step["data"] is None:
                _take_away(root / step["path"], step["path"].startswith(GENERATED))
            else:
                generated = step["path"].startswith(GENERATED)
                staged = pending / step["data"]
                _place(root / step["path"], staged, step["executable"], generated)
        folders = {str(Path(s["path"]).parent) for s in journal["steps"] if s["data"] is None}
        ours = [f for f in folders if f"{f}/".startswith(GENERATED)]
        _remove_empty(root, [*_with_parents(ours), *journal["made"]])
        goes = AGENTS in journal["made"] or (pending / _MARK).exists()
        if not (goes and _let_go_of_agents(root, _DONE_WITH_AGENTS)):
            pending.rename(root / _DONE)
        discard(root)
    except OSError as error:
        raise SystemFailureError(
            f"stopped half-way: cannot write {error.filename}",
            cause=words(error),
            hint="make it writable and run the command again; it goes on where it stopped",
            file=error.filename,
        ) from None


def _let_go_of_agents(root: Path, name: str) -> bool:
    """Take `.agents` away in one step if nothing but what was staged is in it. Is it gone?"""
    pending = root / PENDING
    alone = [path.name for path in pending.parent.iterdir()] == [pending.name]
    if alone:
        pending.parent.rename(root / name)
    return alone


def _read_journal(root: Path) -> dict[str, Any]:
    """The journal; whoever can put files into a repo could put one there, so nothing is believed.

    Raises FileFormatError.
    """
    file = root / PENDING / JOURNAL
    try:
        journal = json.loads(file.read_bytes())
        steps = [(str(s["path"]), s["data"]) for s in journal["steps"]]
        paths = [*(path for path, _ in steps), *journal["made"]]
        good = all(not path_problem(path) for path in paths) and all(
            data is None or _STAGED.fullmatch(data) for _, data in steps
        )
        good = good and 0 <= journal["umask"] <= 0o777
    except OSError as error:
        raise SystemFailureError(
            "an earlier run was stopped half-way, and its journal cannot be read",
            cause=words(error),
            hint="make it readable, and run the command again",
            file=file,
        ) from None
    except (ValueError, TypeError, KeyError):
        good = False
    else:
        known: dict[str, str | None] = {}
        wrong = [obstacle(root, path, known) for path, _ in steps] if good else []
        astray = next((each for each in wrong if each and "out of the project" in each), None)
        if astray is not None:  # whoever can put files into a repo could put this there
            raise RefusedError(
                f"an earlier run was stopped half-way, and {astray}",
                hint="if that run was yours, run the command again with --follow-links; else "
                f"remove the folder {PENDING}",
                file=file,
            )
        good = good and not any(each for each, (_, data) in zip(wrong, steps, strict=True) if data)
    if not good:
        raise FileFormatError(
            "the journal of an earlier run is not one that hookpm wrote",
            hint=f"remove the folder {PENDING}, and run the command again",
            file=file,
        )
    return dict(journal)


def _place(target: Path, staged: Path, executable: bool, generated: bool) -> None:
    """Put staged content where it belongs; a link stays a link, a mode a mode, an owner an owner.

    In one step, but for files that only stay what they are when they are written in place.
    generated: the file is hookpm's alone, so a link in its place goes.
    """
    if not staged.exists():
        return  # this step was done before the run was stopped
    target.parent.mkdir(parents=True, exist_ok=True)
    if generated and target.is_symlink():
        target.unlink()
    real = target.resolve()
    hidden = umask()
    if not real.exists():
        staged.chmod((0o777 if executable else 0o666) & ~hidden)
        _move(staged, real)
        return
    stat = real.stat()
    mode = (stat.st_mode & 0o7777) | (0o111 & ~hidden if executable else 0)
    staged.chmod(mode)
    owned = stat.st_uid == me_on_the_disk() or _give_to(staged, stat.st_uid, stat.st_gid)
    if generated or (owned and stat.st_nlink == 1):
        _move(staged, real)
    else:
        _write_in_place(real, staged.read_bytes(), mode)
        staged.unlink()


def _take_away(target: Path, generated: bool) -> None:
    """Remove a file that has nothing but ours in it; where somebody put a link in its place, what
    the link leads to as well: that is what was read, and our lines would live on there.

    generated: a link there was never read through.
    """
    if target.is_symlink() and not generated:
        target.resolve().unlink(missing_ok=True)
    target.unlink(missing_ok=True)


def _give_to(staged: Path, owner: int, group: int) -> bool:
    """Can the new file have the old one's owner? Only root can give files away."""
    try:
        os.chown(staged, owner, group)
    except OSError:
        return False
    return True


def _move(staged: Path, real: Path) -> None:
    if real.parent.stat().st_dev != staged.stat().st_dev:
        beside = real.with_name(f".{real.name}.hookpm")  # a link led to another disk
        shutil.copy2(staged, beside)
        beside.replace(real)
        staged.unlink()
    else:
        staged.replace(real)


def _write_in_place(real: Path, data: bytes, mode: int) -> None:
    """Write through a user's file that a new one in its place would change for him.

    One that is somebody else's would be ours from then on, and one with a second name (a hard link,
    as some keep for their settings) would be two files. A reader may see a half for the moment;
    what is staged stays until the whole is on the disk, so a run that is killed here is ended by
    the next one. Room on the disk that the file has is kept: nothing is cut off before the end.
    """
    with real.open("r+b") as file:
        file.write(data)
        file.truncate()
        file.flush()
        os.fsync(file.fileno())
    if real.stat().st_mode & 0o7777 != mode:
        with suppress(PermissionError):  # only its owner can; the proof says that it does not run
            real.chmod(mode)


def _with_parents(folders: Sequence[str]) -> list[str]:
    every = {f for folder in folders for f in (folder, *map(str, Path(folder).parents))}
    return [f for f in every if f.startswith(".agents/hookpm")]


def _remove_empty(root: Path, folders: Sequence[str]) -> None:
    for folder in sorted(set(folders), key=len, reverse=True):
        _remove_if_empty(root / folder)


def _remove_if_empty(folder: Path) -> None:
    try:
        folder.rmdir()
    except OSError as error:
        if error.errno not in _STAYS:
            raise


def _write_through(path: Path, data: bytes) -> None:
    with path.open("wb") as file:
        file.write(data)
        file.flush()
        os.fsync(file.fileno())
