"""Where the project's files are: what can be read there, and what stands in the way of writing."""

from __future__ import annotations

import os
import stat
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from pathlib import Path

from hookpm.errors import NotFoundError, SystemFailureError

GENERATED = ".agents/hookpm/"


def read(root: Path, path: str) -> bytes | None:
    """A file's bytes, None where there is none. Raises SystemFailureError if it cannot be read.

    A link among the generated files is not what was installed, wherever it leads: it reads as the
    text of the link.
    """
    try:
        if is_own_link(root / path, path):
            return f"-> {(root / path).readlink()}".encode()
        what = special(root / path)
        if what is not None:
            raise SystemFailureError(
                f"{path} is {what}, where a file belongs",
                hint="move it out of the way, and run the command again",
                file=root / path,
            )
        return (root / path).read_bytes()
    except FileNotFoundError:
        return None
    except NotADirectoryError:
        return None
    except OSError as error:
        raise SystemFailureError(
            f"cannot read {path}", cause=words(error), file=root / path
        ) from None


def named(text: str, base: Path) -> Path:
    """The place that somebody's text names, relative to `base`; `~` is a home folder.

    Raises NotFoundError for what can name no place here: nobody's `~name`, a null character.
    """
    try:
        place = base / Path(text).expanduser()
    except RuntimeError:
        raise NotFoundError(
            f"{text} is in the home folder of a user who is not known here",
            hint="write ./ in front where it is the name of a folder",
        ) from None
    if "\0" in text:
        raise NotFoundError(f"{text!r} names no folder: it has a null character")
    return place


def is_there(text: str, base: Path) -> bool:
    """Is there anything at the place that a text names?"""
    try:
        return named(text, base).exists()
    except NotFoundError:
        return False


def typed(text: str, cwd: Path) -> Path:
    """The place that was typed, with the links on its way followed as far as they lead somewhere.

    Raises as `named` does; also for a name that is no text, which no file of ours could hold.
    """
    place = Path(os.path.realpath(named(text, cwd)))
    try:
        str(place).encode()
    except UnicodeEncodeError:
        raise NotFoundError(
            f"{text!r} cannot be written down: its name is not UTF-8", hint="rename the folder"
        ) from None
    return place


def special(file: Path) -> str | None:
    """What a path leads to in words if it is neither a file nor a folder nor nothing.

    Asked before it is opened: opening a pipe waits for somebody who writes into it.
    """
    try:
        mode = file.stat().st_mode
    except OSError:
        return None
    if stat.S_ISREG(mode) or stat.S_ISDIR(mode):
        return None
    if stat.S_ISFIFO(mode):
        return "a named pipe"
    return "a socket" if stat.S_ISSOCK(mode) else "a device"


_followed: ContextVar[bool] = ContextVar("followed", default=False)


@contextmanager
def following(links: bool) -> Iterator[None]:
    """For the block: may agents' files be written through links that lead out of the project?

    Only where the user asked for it. What is hookpm's own, below `.agents`, never is.
    """
    token = _followed.set(links)
    try:
        yield
    finally:
        _followed.reset(token)


def _leads_astray(root: Path, path: Path) -> bool:
    """Is it a link out of the project, and one that is not to be followed?"""
    if not path.is_symlink() or _real(path).is_relative_to(_real(root)):
        return False
    return not _followed.get() or _named(root, path).split("/")[0] == ".agents"


def obstacle(root: Path, path: str, known: dict[str, str | None] | None = None) -> str | None:
    """Why no file of the project can be at `path`, in words; None where one is or can be.

    What leads out of the project is somebody else's: it would not be in a clone, and other
    projects may share it. known: what was found of folders so far, for many paths at once.
    """
    folder = path.rpartition("/")[0]
    known = {} if known is None else known
    if folder not in known:
        known[folder] = _folder_obstacle(root, folder)
    wrong = known[folder]
    if wrong is not None:
        return wrong.replace(_THE_FILE, path)
    file = root / path
    if is_own_link(file, path):
        return None
    if file.is_dir():
        return f"{path} is a folder, where a file belongs"
    what = special(file)
    if what is not None:
        return f"{path} is {what}, where a file belongs"
    if _leads_astray(root, file):
        return f"{path} is a link that leads out of the project, to {_real(file)}"
    if file.is_symlink() and not file.exists():  # its maker meant a file of his own to be there
        return f"{path} is a link that leads nowhere"
    return None


_THE_FILE = "\0"  # stands for the path of the file until that is known


def _folder_obstacle(root: Path, folder: str) -> str | None:
    """What is wrong with a folder, or one above it, as a place for files."""
    at = root
    for name in folder.split("/") if folder else ():
        at /= name
        if at.is_symlink():
            if _leads_astray(root, at):
                return f"{_named(root, at)} is a link that leads out of the project, to {_real(at)}"
            if _named(root, at).startswith(GENERATED):
                return f"{_named(root, at)} is a link, where hookpm keeps a folder"
        elif not at.exists():
            return None  # nothing is there, and so nothing below it
        if not at.is_dir():
            return f"{_named(root, at)} is not a folder, but {_THE_FILE} belongs in it"
    return None


def is_own_link(file: Path, path: str) -> bool:
    """Is the file a link among the generated ones? They are replaced, never written through."""
    return path.startswith(GENERATED) and file.is_symlink()


def refuse_obstacles(root: Path, paths: Sequence[str], folder: str = "") -> None:
    """Raise SystemFailureError where something stands in the place of one of these files.

    folder: one that is to hold files, whatever their names.
    """
    known: dict[str, str | None] = {}
    for path in (*paths, folder):
        if path == folder:
            wrong = (_folder_obstacle(root, folder) or "").replace(_THE_FILE, "what hookpm keeps")
        else:
            wrong = obstacle(root, path, known) or ""
        if wrong:
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


def words(error: OSError) -> str:
    """What the system said, with the file it said it of."""
    return f"{error.strerror}: {error.filename}" if error.filename else str(error)


def me_on_the_disk() -> int:
    """The user's number as files have it for their owner; 0, as files say there, on Windows."""
    return os.geteuid() if hasattr(os, "geteuid") else 0
