"""Wires Factory Droid: groups in `.factory/hooks.json`, where the events stand at the top."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from hookpm.agents import wiring as shared
from hookpm.agents.droid.translate import EVENTS
from hookpm.agents.health import read_regular
from hookpm.agents.home import Home
from hookpm.agents.shell_line import Form
from hookpm.agents.wiring import Entry, Finding, Owned, Todo
from hookpm.contract.events import CLAUDE_EVENTS
from hookpm.edit import jsondoc
from hookpm.edit.jsondoc import Document, Node
from hookpm.errors import HookpmError

FILE = ".factory/hooks.json"
TABLE: tuple[str, ...] = ()  # with the events under "hooks" nothing fires
HOME = Home(".factory", "hooks.json")
# Its variable for the project names the folder in which the session started, not the root.
FORM = Form(root="", refuses_by_exit=True)
SHELL = ("/bin/sh", "-c")
SKELETON: dict[str, Any] = {}

_SETTINGS = ".factory/settings.json"
_OLD_FILE = ".factory/hooks/hooks.json"
# Under other names Droid ignores what stands there.
_NATIVE_EVENTS = tuple(EVENTS)


def entries(events: Sequence[str], longest: float) -> list[Entry]:
    """One group per event. longest: the longest hook's timeout, in seconds; Droid's own is 60."""
    seconds = shared.whole_seconds(longest)
    return [
        Entry(event, (event,), shared.group("droid", event, seconds))
        for event in events
        if event in EVENTS
    ]


def owner_of(value: object) -> Owned | None:
    """What is ours in an element of an event's list."""
    return shared.owner_of_group(value)


def dropped_by(document: Document) -> list[Finding]:
    """All that makes Droid 0.225.2 drop the file (observed). Comments are fine."""
    findings = shared.trailing_commas(document, "Droid drops the file")
    if document.has_bom:
        findings.append(Finding(1, "Droid drops a file that starts with a byte order mark"))
    root = document.root
    if root is None:
        return shared.in_order(findings)
    if root.kind != "object":
        findings.append(Finding(document.line_of(root.start), "Droid expects an object here"))
    for node, problem in _bad_members(root):
        message = f"Droid drops the whole file for this: {problem}"
        findings.append(Finding(document.line_of(node.start), message))
    return shared.in_order(findings)


def _bad_members(root: Node) -> Iterator[tuple[Node, str]]:
    for member in root.members:
        value = member.value
        if member.name == "hooksDisabled" and not isinstance(value.value, bool):
            yield value, '"hooksDisabled" has to be true or false'
        if member.name not in _NATIVE_EVENTS:
            continue
        if value.kind != "array":
            yield value, f'"{member.name}" has to be a list'
            continue
        for group in value.items:
            yield from _bad_group(group)


def _bad_group(group: Node) -> Iterator[tuple[Node, str]]:
    matcher = group.child("matcher") if group.kind == "object" else None
    handlers = group.child("hooks") if group.kind == "object" else None
    if handlers is None or handlers.kind != "array":
        yield group, 'a group has to be an object with a list "hooks"'
        return
    if matcher is not None and matcher.kind != "string":
        yield matcher, "a matcher has to be a string"
    for handler in handlers.items:
        fields = {m.name: m.value for m in handler.members} if handler.kind == "object" else {}
        kind, command, timeout = (fields.get(key) for key in ("type", "command", "timeout"))
        if kind is None or kind.value != "command":
            yield handler, 'the type of a handler has to be "command"'
        elif command is None or command.kind != "string":
            yield handler, "the command of a handler has to be a string"
        elif timeout is not None and timeout.kind != "number":
            yield timeout, "a timeout has to be a number"


def switched_off(document: Document) -> list[Finding]:
    """`hooksDisabled: true`."""
    node = document.get(("hooksDisabled",))
    if node is None or node.value is not True:
        return []
    line = document.line_at(("hooksDisabled",)) or 1
    return [Finding(line, "hooksDisabled is true: Droid runs no hook")]


def canary(event: str, nonce: str, root: Path) -> dict[str, Any]:
    """The payload as Droid 0.225.2 sends it."""
    extra = {"permission_mode": "off" if event == "SessionStart" else "auto-high"}
    payload = shared.claude_payload(event, nonce, root, extra)
    payload.pop("tool_use_id", None)
    payload.update(_OWN_FIELDS.get(event, {}))
    return payload


_OWN_FIELDS: dict[str, dict[str, Any]] = {
    "Stop": {"message_id": "hookpm-canary", "tool_execution_count": 0, "elapsed_time": 0},
    "SessionEnd": {"session_duration_ms": 0.0, "message_count": 0},
}


def environment(root: Path) -> dict[str, str]:
    """The variables that Droid gives its hooks."""
    names = ("FACTORY_PROJECT_DIR", "DROID_PROJECT_DIR", "CLAUDE_PROJECT_DIR")
    return dict.fromkeys(names, str(root))


def read_canary(event: str, nonce: str, stdout: str, stderr: str) -> bool:
    """A deny in Claude's form; stderr where only exit code 2 could say it."""
    answer = shared.one_object(stdout)
    if event == "PreToolUse":
        return shared.specific(answer, event, "permissionDecision") == "deny" and shared.says(
            shared.specific(answer, event, "permissionDecisionReason"), nonce
        )
    if event == "UserPromptSubmit":
        return answer.get("continue") is False and shared.says(answer.get("stopReason"), nonce)
    if event == "Stop":
        return answer.get("decision") == "block" and shared.says(answer.get("reason"), nonce)
    if event == "SessionStart":
        return shared.says(shared.specific(answer, event, "additionalContext"), nonce)
    return shared.on_stderr(stderr, nonce)


def conflicts(root: Path, events: Sequence[str]) -> list[Finding]:
    """Hooks of the user's that would stop running once our file names their events (observed).

    Nothing is wired then: they are the user's, and to be moved by the user.
    """
    found = []
    theirs = _events_of(root / FILE, TABLE)  # silenced by the user's own file already
    silenced = [e for e in events if e in _events_of(root / _SETTINGS) and e not in theirs]
    if silenced:
        found.append(
            Finding(
                1,
                f"for an event that {FILE} names, Droid runs nothing of {_SETTINGS}, and that has "
                f"hooks for {', '.join(silenced)}; move them to {FILE} first",
            )
        )
    if (root / _OLD_FILE).is_file() and not theirs:
        message = (
            f"Droid reads {_OLD_FILE} only where there is no {FILE}; move its hooks there first"
        )
        found.append(Finding(1, message))
    return found


def _events_of(path: Path, table: tuple[str, ...] = ("hooks",)) -> tuple[str, ...]:
    """The events that a file has hooks of the user's for; in doubt all."""
    try:
        document = jsondoc.parse(jsondoc.decode(read_regular(path), path), path)
    except (FileNotFoundError, NotADirectoryError):
        return ()
    except (OSError, HookpmError):
        return CLAUDE_EVENTS
    node = document.get(table)
    return tuple(
        member.name
        for member in (node.members if node is not None else ())
        if any(owner_of(item.value) is None for item in member.value.items)
    )


def todo(root: Path) -> list[Todo]:
    """Trust and open sessions."""
    return [
        Todo(
            "trust the folder in Droid",
            f"start `droid` in {root.name or root} and accept the question; headless needs nothing",
        ),
        Todo("restart open sessions", "leave Droid and start it again"),
    ]
