"""One event on its way through the bridge, and the files that are read for it.

Vendored. What every part of the bridge stands on: it imports none of them.
"""

import posix

from hookpm.contract.jsontext import JsonError, loads

TYPE_CHECKING = False
if TYPE_CHECKING:
    from types import ModuleType
    from typing import Any

    from hookpm.contract.hooksfile import Hook

# Not to wait where somebody has put a pipe in a file's place. (Windows has O_BINARY instead.)
_FLAGS: int = getattr(posix, "O_NONBLOCK", 0) | getattr(posix, "O_BINARY", 0)
HOOKS_FILES = ("hookpm-hooks.json", "hooks.json")  # the first where the second is Antigravity's


_NULL = "nul" if posix.__name__ == "nt" else "/dev/null"


class Event:
    """One event as the bridge sees it, and where the bridge stands.

    wired: the agent whose line started the bridge; agent: the one that really calls, whose
    `translate` module is used. raw: stdin to the byte, b"" where hooks must not get it so; calls:
    Claude-form inputs, one per file; problems: what of the hooks file or the input cannot count.
    root: the project; here: `.agents/hookpm`; code: where the bridge itself lies, another folder
    for the user bridge alone; base: where the agents' own files lie, "" = in the project; cache:
    the user's cache folder of hookpm, or None.
    answered: something was printed on stdout. exit_code: 0, or answer.REFUSED.
    """

    __slots__ = (
        "agent",
        "answered",
        "base",
        "cache",
        "calls",
        "code",
        "exit_code",
        "here",
        "hooks",
        "name",
        "payload",
        "problems",
        "raw",
        "root",
        "translate",
        "wired",
    )

    def __init__(self, wired: str, name: str, here: str, cache: "str | None", raw: bytes) -> None:
        self.wired = self.agent = wired
        self.name = name
        here = _tidy(here)
        self.here = self.code = here
        self.cache = cache
        self.root = here.rpartition("/")[0].rpartition("/")[0] or "/"
        self.base = ""
        self.raw = raw
        self.answered = False
        self.exit_code = 0
        self.problems: "list[str]" = []
        self.payload: "dict[str, Any]" = {}
        self.calls: "list[dict[str, Any]]" = []
        self.hooks: "list[Hook]" = []
        self.translate: "ModuleType"

    def session(self) -> str:
        """The agent's session id, "" where it gives none."""
        call = self.calls[0] if self.calls else self.payload
        return str(call.get("session_id") or "")


def translation(agent: str) -> "ModuleType":
    """The translate module of an agent. Raises ImportError."""
    name = "hookpm.agents." + agent + ".translate"
    __import__(name)
    import sys

    return sys.modules[name]


def read_hooks_file(here: str) -> "tuple[Any, str]":
    """The hooks file's document, and "" or what is wrong with the file."""
    folder = here.rpartition("/")[0]
    for name in HOOKS_FILES:
        try:
            data = read_file(folder + "/" + name)
        except FileNotFoundError:
            continue
        except OSError as error:
            return None, ".agents/" + name + " cannot be read (" + str(error.strerror) + ")"
        try:
            return loads(data.decode("utf-8", "replace")), ""
        except JsonError as error:
            return None, ".agents/" + name + " is not JSON (" + str(error) + ")"
    return None, ".agents/hooks.json is missing"


def read_file(path: str) -> bytes:
    """A file's bytes, without the io module's detours. Raises OSError."""
    handle = posix.open(path, posix.O_RDONLY | _FLAGS)
    pieces: "list[bytes]" = []
    try:
        while True:
            piece = posix.read(handle, 1 << 20)
            if not piece:
                return b"".join(pieces)
            pieces.append(piece)
    finally:
        posix.close(handle)


def write_all(handle: int, data: bytes) -> None:
    """Write all of it, or as much as the other side takes."""
    rest = memoryview(data)
    while rest:
        try:
            rest = rest[posix.write(handle, rest) :]
        except BlockingIOError:
            posix.set_blocking(handle, True)
        except OSError:
            return  # the agent has gone or does not listen: there is nobody left to tell


def take_input() -> bytes:
    """All of stdin. A closed stdin, stdout or stderr becomes the null device first, lest a file or
    pipe of ours takes its number."""
    handle = 0
    while handle <= 2:
        handle = posix.open(_NULL, posix.O_RDWR)
    posix.close(handle)
    pieces: "list[bytes]" = []
    while True:
        try:
            piece = posix.read(0, 1 << 20)
        except BlockingIOError:
            posix.set_blocking(0, True)
            continue
        except OSError:  # a folder, or open for writing only: nothing to read
            piece = b""
        if not piece:
            return b"".join(pieces)
        pieces.append(piece)


def _tidy(path: str) -> str:
    """Without empty parts and dots, which hooks that compare paths would stumble over."""
    start = "/" if path.startswith("/") else ""
    return start + "/".join([part for part in path.split("/") if part not in ("", ".")])
