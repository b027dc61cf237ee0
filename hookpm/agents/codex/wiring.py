"""Wires Codex CLI: one constant group per event in `.codex/hooks.json`, which it reads strictly.

Codex trusts a hook by file, position and hash; matcher and timeout are in the hash. So the entries
never depend on the packs: the user approves them once.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from hookpm.agents import wiring as shared
from hookpm.agents.codex import translate
from hookpm.agents.home import Home
from hookpm.agents.shell_line import Form
from hookpm.agents.wiring import Entry, Finding, Owned, Todo
from hookpm.contract.events import EVENTS
from hookpm.edit.jsondoc import Document, Node

FILE = ".codex/hooks.json"
ALSO_READS = (".codex/config.toml",)  # hooks of both are run
HOME = Home(".codex", "hooks.json", "CODEX_HOME")
FORM = Form(root="", tells=True, foreign_shell=True)
SHELL = ("/bin/bash", "-c")
SKELETON: dict[str, Any] = {"hooks": {}}

_TIMEOUT = 600  # seconds, Codex's own default: written or not, the hash is the same
_SESSION_END = 3  # seconds, the most that Codex gives a SessionEnd hook; its default is 1

_OURS = tuple(event for event in EVENTS if event in translate.EVENTS)
_TOP_LEVEL = ("hooks", "description")
_TYPES = ("command", "mcp_tool", "prompt", "agent")
# Under other names Codex ignores what stands there.
_NATIVE_EVENTS = (
    *_OURS,
    "PostCompact",
    "Interrupt",
    "PreModelRequest",
    "PostModelRequest",
)


def entries(events: Sequence[str], longest: float) -> list[Entry]:  # noqa: ARG001
    """One group for every event that Codex has, whatever is asked for; none if nothing is."""
    return [
        Entry(
            event,
            ("hooks", event),
            shared.group("codex", event, _SESSION_END if event == "SessionEnd" else _TIMEOUT),
        )
        for event in (_OURS if events else ())
    ]


def owner_of(value: object) -> Owned | None:
    """What is ours in an element of an event's list.

    Codex's import copies Claude's hooks into this file: those lines of ours say agent claude.
    """
    return shared.owner_of_group(value)


def dropped_by(document: Document) -> list[Finding]:
    """All that makes Codex 0.171.0 drop the file (observed).

    An empty file is dropped too, but no longer when the entries stand in it.
    """
    findings = shared.comments(document, "Codex")
    findings += shared.trailing_commas(document, "Codex drops the file")
    findings += shared.misshapen(document, "Codex")
    if document.has_bom:
        findings.append(Finding(1, "Codex drops a file that starts with a byte order mark"))
    if document.root is not None:
        findings += [
            Finding(
                document.line_of(member.start),
                f'Codex drops a file with the top-level key "{member.name}"',
            )
            for member in document.root.members
            if member.name not in _TOP_LEVEL
        ]
    for event in _NATIVE_EVENTS:
        for element in shared.elements(document, event):
            findings += [
                Finding(document.line_of(node.start), f"Codex drops the file: {problem}")
                for node, problem in _bad_group(element)
            ]
    return shared.in_order(findings)


def _bad_group(node: Node) -> Iterator[tuple[Node, str]]:
    if node.kind != "object":
        yield node, "a group has to be an object"
        return
    matcher, handlers = node.child("matcher"), node.child("hooks")
    if matcher is not None and matcher.kind not in ("string", "null"):
        yield matcher, "a matcher has to be a string"
    if handlers is not None and handlers.kind != "array":
        yield handlers, '"hooks" has to be a list'
        return
    for handler in handlers.items if handlers else ():
        yield from _bad_handler(handler)


def _bad_handler(node: Node) -> Iterator[tuple[Node, str]]:
    if node.kind != "object":
        yield node, "a handler has to be an object"
        return
    kind, timeout, command = (node.child(key) for key in ("type", "timeout", "command"))
    if kind is None:
        yield node, "a handler without a type"
    elif kind.value not in _TYPES:
        yield kind, f"a handler of type {kind.text[kind.start : kind.end]}"
    elif kind.value == "command" and (command is None or command.kind != "string"):
        yield command or node, "a command has to be a string"
    if timeout is not None and not _is_whole(timeout):
        yield timeout, "a timeout has to be a whole number of seconds"
    twice = node.child("command_windows")
    if twice is not None and node.child("commandWindows") is not None:
        yield twice, "command_windows beside commandWindows"


def _is_whole(node: Node) -> bool:
    return node.kind == "null" or node.text[node.start : node.end].isdigit()


def switched_off(document: Document) -> list[Finding]:  # noqa: ARG001
    """Nothing in this file: `[features] hooks = false` stands in config.toml."""
    return []


def canary(event: str, nonce: str, root: Path) -> dict[str, Any]:
    """The payload as Codex 0.171.0 sends it."""
    if event == "SessionEnd":
        return shared.claude_payload(event, nonce, root, {})
    extra: dict[str, Any] = {"model": "hookpm-canary"}
    if event != "SessionStart":
        extra["turn_id"] = "hookpm-canary"
    if event != "PreCompact":
        extra["permission_mode"] = "default"
    payload = shared.claude_payload(event, nonce, root, extra)
    payload.pop("custom_instructions", None)
    if event == "PermissionRequest":
        del payload["permission_suggestions"], payload["tool_use_id"]
    return payload


def environment(root: Path) -> dict[str, str]:  # noqa: ARG001
    """Codex gives its hooks no variable that tells the project root."""
    return {}


# What Codex reads at each event; one key more, and the whole answer is lost.
_KNOWN = {"continue", "stopReason", "suppressOutput", "systemMessage", "decision", "reason"}
_KNOWN_WITH_SPECIFIC = {*_KNOWN, "hookSpecificOutput"}


def read_canary(event: str, nonce: str, stdout: str, stderr: str) -> bool:
    """A deny or block that Codex's strict reader takes; context after tools and at the start."""
    if event in ("SessionEnd", "PermissionRequest"):
        return shared.on_stderr(stderr, nonce)
    answer = shared.one_object(stdout)
    if event == "PreCompact":
        stopped = answer.get("continue") is False
        return set(answer) <= _KNOWN and stopped and shared.says(answer.get("stopReason"), nonce)
    if event in ("Stop", "SubagentStop", "UserPromptSubmit"):
        blocked = answer.get("decision") == "block" and shared.says(answer.get("reason"), nonce)
        known = _KNOWN_WITH_SPECIFIC if event == "UserPromptSubmit" else _KNOWN
        return blocked and set(answer) <= known
    if not set(answer) <= _KNOWN_WITH_SPECIFIC:
        return False
    if event == "PreToolUse":
        return shared.specific(answer, event, "permissionDecision") == "deny" and shared.says(
            shared.specific(answer, event, "permissionDecisionReason"), nonce
        )
    return shared.says(shared.specific(answer, event, "additionalContext"), nonce)


def home_todo() -> list[Todo]:
    """The hooks of the user's own file need no trusted folder, but each an approval."""
    return [
        Todo(
            "approve the hooks in Codex",
            'choose "Trust all and continue" at the next start, or press t in /hooks; '
            "until then `codex exec` skips them without a word",
        ),
        Todo("restart open sessions", "a Codex session keeps the hooks it started with"),
    ]


def todo(root: Path) -> list[Todo]:
    """Two gates of trust, and a worktree's own file, which Codex does not read."""
    left = [
        Todo(
            "trust the folder in Codex",
            f"start `codex` in {root.name or root} and accept the question, "
            "or run `codex exec --trust` once",
        ),
        *home_todo(),
    ]
    if (root / ".git").is_file():
        left.append(
            Todo(
                "install in the main checkout too",
                "this is a linked git worktree: Codex reads the main checkout's .codex instead",
            )
        )
    return left
