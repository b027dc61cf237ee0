"""What of a project has to be as the user allowed it, and which projects those are.

Vendored. What `hookpm allow` saw is kept: the bytes of all these files in one, and a copy of them
as a tree. A project is as it was allowed where its bytes are these bytes; no hash could say more.
What runs is the copy, so nothing can change between the check and the run.
"""

import posix
import sys

from hookpm.contract.jsontext import JsonError, loads

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, NoReturn

AGENTS = b"/.agents/"
LOCK = AGENTS + b"hookpm.lock"
FOLDER = AGENTS + b"hookpm"
HOOKS_FILES = (b"hookpm-hooks.json", b"hooks.json")  # the first where the second is Antigravity's
ALLOWED = b"/hookpm/allowed.json"  # below the user's config folder
WHOLE = "whole"  # the file of a copy that holds all bytes in one
_FLAGS: int = posix.O_RDONLY | posix.O_NONBLOCK  # not to wait where a pipe lies in a file's place
_MOST_CONFIG = 4 << 20  # bytes
_HERE: int = getattr(posix, "O_PATH", posix.O_RDONLY)  # also of a folder that cannot be listed


class UnsafeError(Exception):
    """A file that cannot be taken for what it seems. The text says which, and why."""


class File:
    """A file that counts. path: below `.agents/`, bytes; executable: by its owner."""

    __slots__ = ("data", "executable", "path")

    def __init__(self, path: bytes, executable: bool, data: bytes) -> None:
        self.path = path
        self.executable = executable
        self.data = data


def physical(path: bytes) -> bytes:
    """Where a folder really is: no links, no `..`, the disk's own spelling. Raises OSError."""
    back = posix.open(b".", _HERE)
    try:
        posix.chdir(path)
        return posix.getcwdb()
    finally:
        posix.fchdir(back)
        posix.close(back)


def key(path: bytes) -> str:
    """How a path stands in the list of allowed projects, whatever the locale."""
    return path.decode("utf-8", "surrogateescape")


def text(path: bytes) -> str:
    """A path as Python's own functions take it."""
    return path.decode(sys.getfilesystemencoding(), "surrogateescape")


def config_folder() -> "bytes | None":
    """The user's config folder. A relative one would lie in whatever folder the agent works in."""
    base = posix.environ.get(b"XDG_CONFIG_HOME") or b""
    if base.startswith(b"/"):
        return base
    home = posix.environ.get(b"HOME") or b""
    return home + b"/.config" if home.startswith(b"/") else None


def allowed_projects() -> "dict[str, Any]":
    """Real path -> what is known of a project that the user allowed. {} where there is no list.

    Raises UnsafeError for a list that cannot be read, or that others can write to.
    """
    folder = config_folder()
    if folder is None:
        return {}
    file = folder + ALLOWED
    try:
        mode, data = _read(file)
        if mode & 0o022:
            _refuse(file, "others can write to it; chmod 600 it, if it holds what you allowed")
        document = loads(data.decode("utf-8", "replace"))
        found: "dict[str, Any]" = document["projects"]
        found.get("")
    except (FileNotFoundError, NotADirectoryError):
        return {}
    except OSError as error:
        _refuse(file, str(error.strerror))
    except (JsonError, KeyError, TypeError, AttributeError):
        _refuse(file, "it is not what hookpm wrote")
    return found


def read_config(path: str) -> bytes:
    """A config file of a project that is not trusted yet: no device without an end, nothing huge.
    Raises OSError."""
    data = _read(path.encode(sys.getfilesystemencoding(), "surrogateescape"), _MOST_CONFIG)[1]
    if len(data) > _MOST_CONFIG:
        raise OSError(0, "it is too large")
    return data


def collect(root: bytes, most: int) -> "list[File]":
    """Every file that counts: the hooks file, the lock, and all below `.agents/hookpm/`, by path.

    most: bytes that they may come to, in one; what is beyond is not read. Raises UnsafeError where
    there is more, where one cannot be read, or is neither a file nor a folder.
    """
    paths = [AGENTS + _hooks_file(root), LOCK]
    folders = [FOLDER]
    while folders:
        folder = folders.pop()
        try:
            with posix.scandir(root + folder) as entries:
                for entry in entries:
                    path = folder + b"/" + entry.name
                    if entry.is_dir(follow_symlinks=False):
                        folders.append(path)
                    elif entry.is_file(follow_symlinks=False):
                        paths.append(path)
                    else:
                        _refuse(path[1:], "it is a link, or no file at all")
                    if len(paths) * 8 > most:
                        _refuse(folder[1:], "there are too many files")
        except OSError as error:
            _refuse(folder[1:], str(error.strerror))
    paths.sort()
    files = []
    for path in paths:
        try:
            mode, data = _read(root + path, most)
        except OSError as error:
            _refuse(path[1:], str(error.strerror))
        most -= len(data)
        if most < 0:
            _refuse(path[1:], "there is more of it than can be")
        files.append(File(path[len(AGENTS) :], bool(mode & 0o100), data))
    return files


def whole(files: "list[File]") -> bytes:
    """All files in one: paths, modes and contents, so that no two sets of files give the same."""
    pieces = []
    for file in files:
        pieces.append(b"%d %d %d " % (file.executable, len(file.path), len(file.data)))
        pieces += (file.path, b"\n", file.data, b"\n")
    return b"".join(pieces)


def is_as_allowed(root: bytes, kept: str) -> bool:
    """Is the project, byte for byte, what the copy in the folder `kept` was made of?

    Raises UnsafeError as `collect` does, and where the copy is gone.
    """
    try:
        _, expected = _read(
            (kept + "/" + WHOLE).encode(sys.getfilesystemencoding(), "surrogateescape")
        )
    except OSError:
        raise UnsafeError("what you allowed is not kept any more") from None
    return whole(collect(root, len(expected))) == expected


def _hooks_file(root: bytes) -> bytes:
    for name in HOOKS_FILES:
        try:
            posix.stat(root + AGENTS + name)
            return name
        except FileNotFoundError:
            pass
        except OSError:
            return name  # reading it says what is wrong
    return HOOKS_FILES[-1]


def _read(path: bytes, most: int = 1 << 30) -> "tuple[int, bytes]":
    """A file's mode and bytes, one more than `most` at most. Raises OSError, also for what is no
    regular file."""
    handle = posix.open(path, _FLAGS)
    try:
        stat = posix.fstat(handle)
        if stat.st_mode & 0o170000 != 0o100000:
            raise OSError(0, "it is no regular file")
        pieces: "list[bytes]" = []
        left = most + 1
        while left > 0:
            piece = posix.read(handle, min(left, stat.st_size + 1, 1 << 24))
            if not piece:
                break
            pieces.append(piece)
            left -= len(piece)
        return stat.st_mode, b"".join(pieces)
    finally:
        posix.close(handle)


def _refuse(path: bytes, why: str) -> "NoReturn":
    raise UnsafeError(key(path) + ": " + why)
