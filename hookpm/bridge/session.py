"""What has to be remembered between two events of one session: a small file per session.

Vendored. Lies in the user's cache folder, never in the repo. Nothing here may stand in the way
of an answer: what cannot be read or written counts as not remembered.
"""

import posix

from hookpm.bridge.event import read_file
from hookpm.contract.jsontext import JsonError, dumps, loads

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

OLD = 14 * 86400.0  # seconds after which a session's file may go
_PLAIN = frozenset("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_")


class Session:
    """stops: blocks at Stop since the user's last prompt; reason: what the last one said;
    told: what the user has been told already. path: None where nothing can be kept."""

    __slots__ = ("path", "reason", "stops", "told")

    def __init__(self, path: "str | None") -> None:
        self.path = path
        self.stops = 0
        self.reason = ""
        self.told: "list[str]" = []

    def tell_once(self, key: str) -> bool:
        """Is this the first time in the session? Remembered by the next save()."""
        if key in self.told:
            return False
        self.told.append(key)
        return True

    def save(self) -> bool:
        """Keep it for the next event, in one step so that no reader sees half a file.

        False where it cannot be kept.
        """
        if self.path is None:
            return False
        text = dumps({"stops": self.stops, "reason": self.reason, "told": self.told})
        try:
            _write(self.path, text.encode("ascii"))
        except OSError:
            return False
        return True


def load(cache: "str | None", agent: str, session_id: str) -> Session:
    """The session's memory; a new one where there is none."""
    if not cache or not session_id:
        return Session(None)
    clean = "".join([c if c in _PLAIN else "%%%x" % ord(c) for c in session_id])[:150]
    session = Session(cache + "/sessions/" + agent + "-" + clean)
    try:
        kept: "Any" = loads(read_file(str(session.path)).decode("utf-8", "replace"))
        session.stops = int(kept["stops"])
        session.reason = str(kept["reason"])
        session.told = [str(key) for key in kept["told"]]
    except FileNotFoundError:
        _forget_old(cache + "/sessions")
    except (OSError, JsonError, KeyError, TypeError, ValueError, OverflowError):
        pass
    return session


def _write(path: str, data: bytes) -> None:
    _make_folders(path.rpartition("/")[0])
    draft = path + "." + str(posix.getpid())
    flags = posix.O_WRONLY | posix.O_CREAT | posix.O_TRUNC
    handle = posix.open(draft, flags, 0o600)
    try:
        while data:
            data = data[posix.write(handle, data) :]
    finally:
        posix.close(handle)
    try:
        posix.replace(draft, path)
    except OSError:
        posix.unlink(draft)
        raise


def _forget_old(folder: str) -> None:
    """Remove the files of sessions that ended long ago."""
    import time

    oldest = time.time() - OLD
    try:
        with posix.scandir(folder) as entries:
            for entry in entries:
                if entry.stat(follow_symlinks=False).st_mtime < oldest:
                    posix.unlink(entry.path)
    except OSError:
        pass


def _make_folders(path: str) -> None:
    try:
        posix.mkdir(path, 0o700)
    except FileExistsError:
        pass
    except FileNotFoundError:
        _make_folders(path.rpartition("/")[0])
        posix.mkdir(path, 0o700)
