"""Wires Claude Code: groups in `.claude/settings.json`, which is strict JSON."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from hookpm.agents import wiring as shared
from hookpm.agents.home import Home
from hookpm.agents.shell_line import Form
from hookpm.agents.wiring import Entry, Finding, Owned, Todo
from hookpm.edit.jsondoc import Document, Node

FILE = ".claude/settings.json"
LOCAL_FILE = ".claude/settings.local.json"  # not committed
ALSO_READS = (".claude/settings.local.json",)  # beside FILE, hooks of all are run
HOME = Home(".claude", "settings.json", "CLAUDE_CONFIG_DIR")
USER_FILE = HOME.path  # for the user bridge
FORM = Form(root="${CLAUDE_PROJECT_DIR:-.}", tells=True)
SHELL = ("/bin/sh", "-c")
SKELETON: dict[str, Any] = {"hooks": {}}

# One bad entry under these makes Claude Code ignore the whole file, its permission rules included
# (observed); under other events it drops that entry alone.
_FATAL_EVENTS = ("PreToolUse", "PermissionRequest")
_NEEDED = {
    "command": ("command",),
    "http": ("url",),
    "mcp_tool": ("server", "tool"),
    "prompt": ("prompt",),
    "agent": ("prompt",),
}
_SESSION_END = 60  # seconds; without a timeout of its own a SessionEnd hook has 1.5


def entries(events: Sequence[str], longest: float) -> list[Entry]:
    """One group per event. longest: the longest hook's timeout, in seconds."""
    seconds = shared.whole_seconds(longest)
    return [
        Entry(
            event,
            ("hooks", event),
            shared.group("claude", event, _SESSION_END if event == "SessionEnd" else seconds),
        )
        for event in events
    ]


def owner_of(value: object) -> Owned | None:
    """What is ours in an element of an event's list."""
    return shared.owner_of_group(value)


def dropped_by(document: Document) -> list[Finding]:
    """Comments, trailing commas, and bad entries under PreToolUse and PermissionRequest."""
    findings = shared.comments(document, "Claude Code")
    findings += shared.trailing_commas(document, "Claude Code drops the file")
    findings += shared.misshapen(document, "Claude Code")
    for event in _FATAL_EVENTS:
        for element in shared.elements(document, event):
            for node, problem in _bad_group(element):
                message = f"Claude Code drops the whole file for one bad {event} entry: {problem}"
                findings.append(Finding(document.line_of(node.start), message))
    return shared.in_order(findings)


def _bad_group(node: Node) -> Iterator[tuple[Node, str]]:
    if node.kind != "object":
        yield node, "a group has to be an object"
        return
    matcher, handlers = node.child("matcher"), node.child("hooks")
    if matcher is not None and matcher.kind != "string":
        yield matcher, "the matcher has to be a string"
    if handlers is None or handlers.kind != "array":
        yield handlers or node, '"hooks" has to be a list'
        return
    for handler in handlers.items:
        yield from _bad_handler(handler)


def _bad_handler(node: Node) -> Iterator[tuple[Node, str]]:
    if node.kind != "object":
        yield node, "a handler has to be an object"
        return
    kind, timeout = node.child("type"), node.child("timeout")
    if kind is None:
        yield node, "the type is missing"
    elif kind.value not in _NEEDED if kind.kind == "string" else True:
        yield kind, f"there is no type {kind.text[kind.start : kind.end]}"
    else:
        for key in _NEEDED[kind.value]:
            found = node.child(key)
            if found is None or found.kind != "string":
                yield found or node, f'"{key}" has to be a string'
    if timeout is not None and not (timeout.kind == "number" and timeout.value > 0):
        yield timeout, "the timeout has to be a number above 0"


def switched_off(document: Document) -> list[Finding]:
    """`disableAllHooks` in this file; a more specific settings file may still say otherwise."""
    return shared.all_hooks_off(document, "Claude Code")


def canary(event: str, nonce: str, root: Path) -> dict[str, Any]:
    """The payload as Claude Code 2.1.332 sends it."""
    extra = {"permission_mode": "default"} if event not in ("SessionStart", "SessionEnd") else {}
    return shared.claude_payload(event, nonce, root, extra)


def environment(root: Path) -> dict[str, str]:
    """The variables that Claude Code gives its hooks."""
    return {"CLAUDE_PROJECT_DIR": str(root), "CLAUDECODE": "1", "CLAUDE_CODE_ENTRYPOINT": "cli"}


def read_canary(event: str, nonce: str, stdout: str, stderr: str) -> bool:
    """A deny or block in Claude's form; context where a session or subagent starts; else stderr."""
    answer = shared.one_object(stdout)
    if event == "PreToolUse":
        return shared.specific(answer, event, "permissionDecision") == "deny" and shared.says(
            shared.specific(answer, event, "permissionDecisionReason"), nonce
        )
    if event in ("SessionStart", "SubagentStart"):
        return shared.says(shared.specific(answer, event, "additionalContext"), nonce)
    if event in ("SessionEnd", "PermissionRequest", "Notification"):
        return shared.on_stderr(stderr, nonce)
    return answer.get("decision") == "block" and shared.says(answer.get("reason"), nonce)


def todo(root: Path) -> list[Todo]:
    """Trust, and where to start it: the hooks of a folder above are not read."""
    return [
        Todo(
            "trust the folder in Claude Code",
            f"start `claude` in {root.name or root} and accept the dialog; headless needs nothing",
        ),
        Todo(
            "start Claude Code in the project's root folder",
            "started in a folder below it, it does not read the root's .claude/settings.json; "
            "`hookpm init --user-bridge` and `hookpm allow` cover that",
        ),
        Todo("restart open sessions", "leave Claude Code and start it again"),
    ]
