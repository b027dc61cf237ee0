"""The bridge's fast path: read the call, find the hooks that match, and mostly end right here.

Vendored. Runs on every tool call of every user, so it imports built-in modules alone until a hook
matches. What has to be done then is in judge.py.
"""

import posix

from hookpm.contract.events import CANARY_SESSION, CANARY_TOOL, MATCHED_FIELD
from hookpm.contract.hooksfile import hooks_for
from hookpm.contract.jsontext import JsonError, dumps, loads
from hookpm.contract.matcher import matches

TYPE_CHECKING = False
if TYPE_CHECKING:
    from types import ModuleType
    from typing import Any

    from hookpm.contract.hooksfile import Hook

# Not to wait where somebody has put a pipe in a file's place. (Windows has O_BINARY instead.)
_FLAGS: int = getattr(posix, "O_NONBLOCK", 0) | getattr(posix, "O_BINARY", 0)
_NULL = "nul" if posix.__name__ == "nt" else "/dev/null"
HOOKS_FILES = ("hookpm-hooks.json", "hooks.json")  # the first where the second is Antigravity's


class Event:
    """One event as the bridge sees it, and where the bridge stands.

    wired: the agent whose line started the bridge; agent: the one that really calls, whose
    `translate` module is used. raw: stdin to the byte, b"" where hooks must not get it so; calls:
    Claude-form inputs, one per file; problems: what of the hooks file or the input cannot count.
    root: the project; here: `.agents/hookpm`; code: where the bridge itself lies, another folder
    for the user bridge alone; cache: the user's cache folder of hookpm, or None.
    answered: something was printed on stdout. exit_code: 0, or answer.REFUSED.
    """

    __slots__ = (
        "agent",
        "answered",
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
        self.here = self.code = here
        self.cache = cache
        self.root = here.rpartition("/")[0].rpartition("/")[0] or "/"
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


def main(
    agent: str, name: str, here: str, cache: "str | None", data: bytes, start: "str | None" = None
) -> int:
    """Answer one event on stdout; returns the exit code.

    agent, name: as the wired line gives them; data: the input; start: the user bridge's line alone
    says where the agent was started.
    """
    event = Event(agent, name, _tidy(here), cache, data)
    if start is None:
        _answer(event)
    else:
        from hookpm.bridge import user

        user.answer(event, start)
    neutral = getattr(getattr(event, "translate", None), "NEUTRAL", None)
    if neutral is not None and not event.answered:  # this agent takes silence for a refusal
        write_all(1, (dumps(neutral(name)) + "\n").encode("ascii"))
    return event.exit_code


def _answer(event: Event) -> None:
    if not read_payload(event):
        from hookpm.bridge import judge

        judge.unreadable_input(event)
        return
    if not find_translation(event):
        return
    event.calls = event.translate.to_claude(event.name, event.payload)
    if is_canary(event):
        from hookpm.bridge import canary

        canary.answer(event)
        return
    run_hooks(event)


def run_hooks(event: Event) -> None:
    """Answer from the hooks that match. Mostly there are none, and nothing more is imported."""
    wrong = find_hooks(event)
    if wrong or event.hooks or event.problems:
        from hookpm.bridge import judge

        if wrong:
            judge.broken(event, wrong)
        else:
            judge.answer(event)


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


def read_payload(event: Event) -> bool:
    """Read the agent's input; False if it is not one JSON object.

    Hooks get the very bytes where these are sound JSON text: in UTF-8 and without a BOM, which many
    readers stumble over. event.raw is empty otherwise.
    """
    try:
        text = event.raw.decode("utf-8")
        if text.startswith("\ufeff"):
            event.raw = b""
    except UnicodeDecodeError:
        text = event.raw.decode("utf-8", "replace")
        event.raw = b""
    try:
        payload = loads(text)
    except JsonError:
        from hookpm.bridge import nesting

        payload = nesting.read(event, text)
    if not isinstance(payload, dict):
        return False
    event.payload = payload
    return True


def find_translation(event: Event) -> bool:
    """Choose the translation of the agent that calls; False where its own line answers anyway."""
    event.translate = _translation(event.wired)
    if event.translate.recognises(event.payload):
        return True
    from hookpm.bridge import callers

    return callers.settle(event)


def _translation(agent: str) -> "ModuleType":
    name = "hookpm.agents." + agent + ".translate"
    __import__(name)
    import sys

    return sys.modules[name]


def is_canary(event: Event) -> bool:
    """Is this hookpm's own test of the wiring?"""
    for call in event.calls:
        if call.get("tool_name") == CANARY_TOOL:
            return True
    return event.session().startswith(CANARY_SESSION)


def find_hooks(event: Event) -> str:
    """Fill event.hooks with those that take at least one of the calls; "" or what is wrong."""
    document, wrong = read_hooks_file(event.here)
    if wrong:
        return wrong
    field = MATCHED_FIELD.get(event.name, "")
    hooks, problems = hooks_for(document, event.name)
    event.hooks = [
        hook
        for hook in hooks
        if any(matches(event.name, hook.matcher, call.get(field)) for call in event.calls)
    ]
    for problem in problems:
        event.problems.append(".agents/hooks.json: " + problem.message + "; it does not run")
    return ""


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


def _tidy(path: str) -> str:
    """Without empty parts and dots, which hooks that compare paths would stumble over."""
    start = "/" if path.startswith("/") else ""
    return start + "/".join([part for part in path.split("/") if part not in ("", ".")])
