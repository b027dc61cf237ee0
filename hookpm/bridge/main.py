"""The bridge's fast path: read the call, find the hooks that match, and mostly end right here.

Vendored. Runs on every tool call of every user, so it imports built-in modules alone until a hook
matches. What has to be done then is in judge.py.
"""

import posix

from hookpm.contract.events import CANARY_SESSION, CANARY_TOOL, MATCHED_FIELD
from hookpm.contract.hooksfile import hooks_for
from hookpm.contract.jsontext import JsonError, loads
from hookpm.contract.matcher import matches

TYPE_CHECKING = False
if TYPE_CHECKING:
    from types import ModuleType
    from typing import Any

    from hookpm.contract.hooksfile import Hook

HOOKS_FILES = ("hookpm-hooks.json", "hooks.json")  # the first where the second is Antigravity's


class Event:
    """One event as the bridge sees it, and where the bridge stands.

    wired: the agent whose line started the bridge; agent: the one that really calls, whose
    `translate` module is used. raw: stdin to the byte; calls: Claude-form inputs, one per file.
    root: the project; here: `.agents/hookpm`; cache: the user's cache folder of hookpm, or None.
    """

    __slots__ = (
        "agent",
        "cache",
        "calls",
        "here",
        "hooks",
        "name",
        "payload",
        "raw",
        "root",
        "translate",
        "wired",
    )

    def __init__(self, wired: str, name: str, here: str, cache: "str | None") -> None:
        self.wired = self.agent = wired
        self.name = name
        self.here = here
        self.cache = cache
        self.root = here.rpartition("/")[0].rpartition("/")[0] or "/"
        self.raw = b""
        self.payload: "dict[str, Any]" = {}
        self.calls: "list[dict[str, Any]]" = []
        self.hooks: "list[Hook]" = []
        self.translate: "ModuleType"

    def session(self) -> str:
        """The agent's session id, "" where it gives none."""
        call = self.calls[0] if self.calls else self.payload
        return str(call.get("session_id") or "")


def main(arguments: "list[str]", here: str, cache: "str | None") -> None:
    """Answer one event on stdout. arguments: agent and event, as the wired line gives them."""
    event = Event(arguments[0], arguments[1], _tidy(here), cache)
    event.raw = read_all(0)
    text = event.raw.decode("utf-8", "replace")
    try:
        payload = loads(text) if text.strip() else {}
    except JsonError:
        payload = None
    if not isinstance(payload, dict):
        from hookpm.bridge import judge

        judge.unreadable_input(event)
        return
    event.payload = payload
    if not find_translation(event):
        return
    event.calls = event.translate.to_claude(event.name, payload)
    if is_canary(event):
        from hookpm.bridge import canary

        canary.answer(event)
        return
    if find_hooks(event):
        from hookpm.bridge import judge

        judge.answer(event)


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


def find_hooks(event: Event) -> bool:
    """Fill event.hooks with those that take at least one of the calls."""
    document, wrong = read_hooks_file(event.here)
    if wrong:
        from hookpm.bridge import judge

        judge.broken(event, wrong)
        return False
    field = MATCHED_FIELD.get(event.name, "")
    hooks, problems = hooks_for(document, event.name)
    event.hooks = [
        hook
        for hook in hooks
        if any(matches(event.name, hook.matcher, call.get(field)) for call in event.calls)
    ]
    if problems:
        from hookpm.bridge import judge

        for problem in problems:
            judge.note(".agents/hooks.json: " + problem.message + "; it does not run")
    return bool(event.hooks)


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
    handle = posix.open(path, posix.O_RDONLY | getattr(posix, "O_CLOEXEC", 0))
    try:
        return read_all(handle)
    finally:
        posix.close(handle)


def read_all(handle: int) -> bytes:
    """Everything up to the end; a pipe gives large input in pieces."""
    pieces: "list[bytes]" = []
    while True:
        piece = posix.read(handle, 1 << 20)
        if not piece:
            return b"".join(pieces)
        pieces.append(piece)


def write_all(handle: int, data: bytes) -> None:
    """Write all of it, or as much as the other side takes."""
    try:
        while data:
            data = data[posix.write(handle, data) :]
    except OSError:
        pass  # the agent has gone or does not listen: there is nobody left to tell


def _tidy(here: str) -> str:
    return here.replace("/./", "/")
