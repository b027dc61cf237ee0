"""What the agents' wiring modules share: their words, and the checks that several of them make.

An agent's own `wiring.py` says which file it reads, what an entry in it looks like, what makes the
agent drop the file, and what an answer of the bridge looks like in its form.
"""

from __future__ import annotations

import json
import math
import re
from collections.abc import Iterator, Mapping, Sequence
from hashlib import sha256
from pathlib import Path
from typing import Any, NamedTuple, Protocol

from hookpm.agents import shell_line
from hookpm.agents.home import Home
from hookpm.contract.events import CANARY_SESSION, CANARY_TOOL, TOOL_EVENTS
from hookpm.edit.jsondoc import Document, Key, Node


class Entry(NamedTuple):
    """One element to append to the list at `path` of the agent's file; event: Claude's name."""

    event: str
    path: tuple[str, ...]
    value: dict[str, Any]


class Finding(NamedTuple):
    """Something in an agent's file: the line, from 1, and what is wrong there."""

    line: int
    message: str


class Todo(NamedTuple):
    """What is left to the user: what has to be done, and how."""

    what: str
    how: str


class Handler(NamedTuple):
    """A command of ours in a list element.

    path: where the handler stands in the element, () for the element itself. agent, event: whose
    line it is, which may be another agent's that was copied here. present: in today's form.
    """

    path: tuple[Key, ...]
    agent: str
    event: str
    present: bool


class Owned(NamedTuple):
    """What is ours in a list element; whole: nothing in it is anybody else's."""

    handlers: tuple[Handler, ...]
    whole: bool

    @property
    def events(self) -> tuple[str, ...]:
        """Claude's events that the handlers are for, each once, in order."""
        return tuple(dict.fromkeys(handler.event for handler in self.handlers))


class GeneratedFile(NamedTuple):
    """A file that is ours as a whole. path: relative to the project root, forward slashes."""

    path: str
    text: str
    executable: bool = False


class Wiring(Protocol):
    """What every agent's `wiring` module holds.

    An agent without command hooks has whole files instead of entries: its module also has
    `generated(events, longest) -> list[GeneratedFile]` and `owns(path, text) -> bool` (is this file
    ours, as it is written today or was before, and not changed by anybody?). For user scope it has
    `home_generated(file, events, longest)`: the same for the user's folder, where `file` is HOME's.
    """

    FILE: str  # relative to the project root, with forward slashes
    FORM: shell_line.Form
    SHELL: tuple[str, ...]  # what the agent runs a command line with
    SKELETON: dict[str, Any]  # what a new file holds beside the entries
    HOME: Home  # the user's own file, for user scope

    def entries(self, events: Sequence[str], longest: float) -> list[Entry]:
        """The entries for these events (Claude's); longest: the longest hook's timeout, in s."""

    def owner_of(self, value: object) -> Owned | None:
        """What is ours in an element of an event's list; None if nothing is."""

    def dropped_by(self, document: Document) -> list[Finding]:
        """Why the agent would drop this file, or would still after our entries were added."""

    def switched_off(self, document: Document) -> list[Finding]:
        """Why hooks in this file do not run although the agent reads it."""

    def canary(self, event: str, nonce: str, root: Path) -> dict[str, Any]:
        """The agent's own payload of the canary for one of Claude's events."""

    def environment(self, root: Path) -> dict[str, str]:
        """The variables that the agent gives its hooks."""

    def read_canary(self, event: str, nonce: str, stdout: str, stderr: str) -> bool:
        """Did the bridge's own answer to the canary come out in this agent's form?"""

    def todo(self, root: Path) -> list[Todo]:
        """What is left to the user once the file is written."""


# --- entries ---------------------------------------------------------------------------------


def whole_seconds(longest: float, least: int = 600) -> int:
    """A native timeout that lets the longest hook end first, in whole seconds.

    longest: the longest hook's own timeout, in seconds.
    """
    return max(least, math.ceil(longest) + 10)


def group(agent: str, event: str, timeout: int) -> dict[str, Any]:
    """A group without a matcher around one command, as Claude, Codex and Gemini write it."""
    command = shell_line.present(agent, event)
    return {"hooks": [{"type": "command", "command": command, "timeout": timeout}]}


def owner_of_group(value: object) -> Owned | None:
    """What is ours in a group `{"matcher": ..., "hooks": [HANDLER, ...]}`."""
    handlers = value.get("hooks") if isinstance(value, dict) else None
    if not isinstance(handlers, list):
        return None
    found = [
        Handler(("hooks", index), *line)
        for index, handler in enumerate(handlers)
        if (line := _line_in(handler)) is not None
    ]
    return Owned(tuple(found), whole=len(found) == len(handlers)) if found else None


def owner_of_flat(value: object) -> Owned | None:
    """What is ours in an entry that is a handler itself, as Copilot and Cursor write it.

    A group in such a file is looked into as well: both agents read Claude's form too.
    """
    line = _line_in(value)
    if line is not None:
        return Owned((Handler((), *line),), whole=True)
    return owner_of_group(value)


def _line_in(handler: object) -> shell_line.Ours | None:
    if isinstance(handler, dict):
        for key in ("command", "bash"):
            if isinstance(handler.get(key), str):
                return shell_line.read(handler[key])
    return None


# --- whole files -----------------------------------------------------------------------------


def stamped(first: str, body: str, comment: str = "//") -> str:
    """The text of a generated file: `first` and a comment line that proves the body untouched.

    first: whole lines before the stamp, each ending in a newline; body: all that follows it.
    """
    return f"{first}{comment} {_STAMP}{_digest(first, body)}\n{body}"


def is_stamped(text: str) -> bool:
    """Did hookpm write this text, in this version or another, and nobody change it since?

    Line endings may have been changed: git does that.
    """
    found = _STAMP_LINE.search(text.replace("\r\n", "\n"))
    if found is None:
        return False
    first, body = found.string[: found.start()], found.string[found.end() :]
    return found["digest"] == _digest(first, body)


def _digest(first: str, body: str) -> str:
    return sha256((first + body).encode("utf-8", "surrogatepass")).hexdigest()


_STAMP = "generated by hookpm, not to be edited; sha256 of all other lines: "
_STAMP_LINE = re.compile(rf"^\S+ {re.escape(_STAMP)}(?P<digest>[0-9a-f]{{64}})\n", re.MULTILINE)


# --- findings --------------------------------------------------------------------------------


def comments(document: Document, title: str) -> list[Finding]:
    """A finding for each comment, for an agent that reads strict JSON."""
    message = f"{title} drops a file that holds a comment"
    return [Finding(line, message) for line in document.comments]


def trailing_commas(document: Document, consequence: str) -> list[Finding]:
    """A finding for each comma before a closing bracket; consequence: what the agent does."""
    message = f"a comma before a closing bracket: {consequence}"
    return [Finding(line, message) for line in document.trailing_commas]


def misshapen(document: Document, title: str) -> list[Finding]:
    """The places where the file's outer shape is not `{"hooks": {EVENT: [...]}}`."""
    root, hooks = document.root, document.get(("hooks",))
    if root is not None and root.kind != "object":
        return [Finding(document.line_of(root.start), f"{title} expects an object here")]
    if hooks is None or hooks.kind == "null":
        return []
    if hooks.kind != "object":
        message = f'{title} expects "hooks" to be an object of events'
        return [Finding(document.line_of(hooks.start), message)]
    return [
        Finding(document.line_of(member.start), f'{title} expects "{member.name}" to be a list')
        for member in hooks.members
        if member.value.kind != "array"
    ]


def elements(document: Document, event: str) -> Iterator[Node]:
    """The elements of an event's list (the agent's name of it); none where it is no list."""
    found = document.get(("hooks", event))
    if found is not None and found.kind == "array":
        yield from found.items


def event_names(document: Document) -> list[tuple[str, int]]:
    """The events under "hooks", each with its line."""
    hooks = document.get(("hooks",))
    if hooks is None or hooks.kind != "object":
        return []
    return [(member.name, document.line_of(member.start)) for member in hooks.members]


def all_hooks_off(document: Document, title: str) -> list[Finding]:
    """A finding where the file itself says `disableAllHooks: true`."""
    node = document.get(("disableAllHooks",))
    if node is None or node.value is not True:
        return []
    line = document.line_at(("disableAllHooks",)) or 1
    return [Finding(line, f"disableAllHooks is true: {title} runs no hook")]


def in_order(findings: Sequence[Finding]) -> list[Finding]:
    """Each finding once, by line."""
    return sorted(dict.fromkeys(findings))


# --- the canary ------------------------------------------------------------------------------


def canary_text(nonce: str) -> str:
    """What the bridge's answer to the canary starts with."""
    return f"hookpm canary {nonce}: "


def canary_session(event: str, nonce: str) -> str:
    """The canary's session id; at events without a tool it carries the nonce."""
    return CANARY_SESSION if event in TOOL_EVENTS else f"{CANARY_SESSION}:{nonce}"


def claude_payload(
    event: str, nonce: str, root: Path, extra: Mapping[str, Any], name: str = ""
) -> dict[str, Any]:
    """The canary as Claude Code spells it, for agents that took over its fields.

    extra: what the agent adds at every event. name: the agent's own word for the event.
    """
    payload: dict[str, Any] = {
        "session_id": canary_session(event, nonce),
        "transcript_path": "",
        "cwd": str(root),
        "hook_event_name": name or event,
        **extra,
    }
    payload.update(_OWN_FIELDS.get(event, {}))
    if event in TOOL_EVENTS:
        payload.update(tool_name=CANARY_TOOL, tool_input={"nonce": nonce}, tool_use_id=CANARY_TOOL)
    if event == "PostToolUse":
        payload["tool_response"] = ""
    return payload


_OWN_FIELDS: dict[str, dict[str, Any]] = {
    "UserPromptSubmit": {"prompt": "hookpm canary"},
    "SessionStart": {"source": "startup"},
    "SessionEnd": {"reason": "other"},
    "Stop": {"stop_hook_active": False},
    "PreCompact": {"trigger": "manual", "custom_instructions": ""},
    "PostToolUseFailure": {"error": "", "is_interrupt": False},
    "SubagentStart": {"agent_id": "hookpm-canary", "agent_type": "hookpm-canary"},
    "SubagentStop": {
        "stop_hook_active": False,
        "agent_id": "hookpm-canary",
        "agent_type": "hookpm-canary",
    },
    "PermissionRequest": {"permission_suggestions": []},
    "Notification": {"message": "hookpm canary", "notification_type": "idle_prompt"},
}


def one_object(stdout: str) -> dict[str, Any]:
    """The one JSON object on stdout; {} when it is anything else."""
    try:
        value = json.loads(stdout)
    except ValueError:
        return {}
    return value if isinstance(value, dict) else {}


def says(value: object, nonce: str) -> bool:
    """Is this the bridge's text for that nonce?"""
    return isinstance(value, str) and value.startswith(canary_text(nonce))


def specific(answer: Mapping[str, Any], event: str, field: str) -> object:
    """A field of hookSpecificOutput, if that is an object and names this event."""
    inner = answer.get("hookSpecificOutput")
    if not isinstance(inner, dict) or inner.get("hookEventName") != event:
        return None
    return inner.get(field)


def on_stderr(stderr: str, nonce: str) -> bool:
    """Is the bridge's text in stderr? So it answers where an event can express nothing."""
    return canary_text(nonce) in stderr
