"""Wires Cursor: flat entries in `.cursor/hooks.json`, by its documentation; nothing was run."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from hookpm.agents import shell_line
from hookpm.agents import wiring as shared
from hookpm.agents.home import Home
from hookpm.agents.shell_line import Form
from hookpm.agents.wiring import Entry, Finding, Owned, Todo
from hookpm.contract import jsregex
from hookpm.edit.jsondoc import Document, Node

FILE = ".cursor/hooks.json"
HOME = Home(".cursor", "hooks.json")
FORM = Form(root="${CURSOR_PROJECT_DIR:-${CLAUDE_PROJECT_DIR:-.}}", foreign_shell=True)
SHELL = ("/bin/sh", "-c")
SKELETON: dict[str, Any] = {"version": 1, "hooks": {}}

_NATIVE = {
    "SessionStart": "sessionStart",
    "UserPromptSubmit": "beforeSubmitPrompt",
    "PreToolUse": "preToolUse",
    "PostToolUse": "postToolUse",
    "Stop": "stop",
    "PreCompact": "preCompact",
    "SessionEnd": "sessionEnd",
    "PostToolUseFailure": "postToolUseFailure",
    "SubagentStart": "subagentStart",
    "SubagentStop": "subagentStop",
}
# One event beside these, and Cursor drops the whole file.
_KNOWN_EVENTS = {
    *_NATIVE.values(),
    "beforeShellExecution",
    "afterShellExecution",
    "beforeMCPExecution",
    "afterMCPExecution",
    "beforeReadFile",
    "afterFileEdit",
    "beforeTabFileRead",
    "afterTabFileEdit",
    "afterAgentResponse",
    "afterAgentThought",
    "workspaceOpen",
}


def entries(events: Sequence[str], longest: float) -> list[Entry]:
    """One entry per event. longest: the longest hook's timeout, in seconds; Cursor's own is 60."""
    seconds = shared.whole_seconds(longest)
    return [
        Entry(
            event,
            ("hooks", _NATIVE[event]),
            {"command": shell_line.present("cursor", event), "timeout": seconds},
        )
        for event in events
        if event in _NATIVE
    ]


def owner_of(value: object) -> Owned | None:
    """What is ours in an element of an event's list."""
    return shared.owner_of_flat(value)


def dropped_by(document: Document) -> list[Finding]:
    """A wrong version, an unknown event, a bad matcher, and what its comment stripping breaks.

    A blank file is not named: the entries come with a version.
    """
    findings = shared.misshapen(document, "Cursor")
    findings += shared.trailing_commas(document, "Cursor drops the file")
    findings += [Finding(line, problem) for line, problem in _comments(document)]
    if document.root is not None:
        version = document.get(("version",))
        if version is None:
            line = document.line_of(document.root.start)
            findings.append(Finding(line, 'Cursor drops a file without "version": 1'))
        elif version.value != 1 or version.kind != "number":
            line = document.line_of(version.start)
            findings.append(Finding(line, "Cursor drops a file whose version is not 1"))
    for name, line in shared.event_names(document):
        if name not in _KNOWN_EVENTS:
            findings.append(Finding(line, f'Cursor drops the whole file for the event "{name}"'))
        for node, problem in _bad_matchers(document, name):
            findings.append(Finding(document.line_of(node.start), problem))
    return shared.in_order(findings)


def _comments(document: Document) -> Iterator[tuple[int, str]]:
    # Cursor cuts each line at `//` before it parses, in strings too, and strips nothing else.
    text = document.text
    for start, end in document.comment_spans:
        if text.startswith("/*", start):
            yield document.line_of(start), "Cursor drops a file that holds a /* comment */"
        text = text[:start] + " " * (end - start) + text[end:]
    found = text.find("//")
    while found >= 0:
        line = document.line_of(found)
        yield line, "Cursor takes // inside a string for a comment and drops the file"
        found = text.find("//", found + 2)


def _bad_matchers(document: Document, event: str) -> Iterator[tuple[Node, str]]:
    for element in shared.elements(document, event):
        matcher = element.child("matcher") if element.kind == "object" else None
        if matcher is None or matcher.kind != "string" or matcher.value in ("", "*"):
            continue
        if jsregex.searcher(matcher.value) is None:
            yield matcher, "Cursor drops the file: a matcher is no regular expression"


def switched_off(document: Document) -> list[Finding]:  # noqa: ARG001
    """Nothing in this file switches hooks off."""
    return []


def canary(event: str, nonce: str, root: Path) -> dict[str, Any]:
    """The payload as Cursor's documentation describes it."""
    session = shared.canary_session(event, nonce)
    extra: dict[str, Any] = {
        "conversation_id": session,
        "generation_id": session,
        "model": "hookpm-canary",
        "cursor_version": "2.0.0",
        "workspace_roots": [str(root)],
        "user_email": None,
    }
    payload = shared.claude_payload(event, nonce, root, extra, name=_NATIVE[event])
    payload["transcript_path"] = None
    payload.pop("custom_instructions", None)
    payload.update(_OWN_FIELDS.get(event, {}))
    if event == "PostToolUse":
        del payload["tool_response"]
        payload.update(tool_output='{"output":"","exitCode":0}', duration=0)
    if event in ("Stop", "SubagentStop"):
        del payload["stop_hook_active"]
    return payload


_OWN_FIELDS: dict[str, dict[str, Any]] = {
    "UserPromptSubmit": {"attachments": []},
    "Stop": {"status": "completed", "loop_count": 0},
    "SubagentStop": {"status": "completed", "loop_count": 0},
}


def environment(root: Path) -> dict[str, str]:
    """The variables that Cursor gives its hooks."""
    names = ("CURSOR_PROJECT_DIR", "CLAUDE_PROJECT_DIR")
    return {**dict.fromkeys(names, str(root)), "CURSOR_VERSION": "2.0.0"}


def read_canary(event: str, nonce: str, stdout: str, stderr: str) -> bool:
    """Cursor's own fields, each with the bridge's text."""
    answer = shared.one_object(stdout)
    if event == "PreToolUse":
        denied = answer.get("permission") == "deny"
        return denied and shared.says(answer.get("agent_message"), nonce)
    if event == "UserPromptSubmit":
        stopped = answer.get("continue") is False
        return stopped and shared.says(answer.get("user_message"), nonce)
    if event in ("Stop", "SubagentStop"):
        return shared.says(answer.get("followup_message"), nonce)
    if event in ("PostToolUse", "SessionStart"):
        return shared.says(answer.get("additional_context"), nonce)
    return shared.on_stderr(stderr, nonce)


def todo(root: Path) -> list[Todo]:
    """Trust of the workspace; a changed file is taken up at once."""
    return [
        Todo(
            "trust the workspace in Cursor",
            f"open {root.name or root} in Cursor and trust it; headless: `cursor-agent --trust`",
        ),
    ]
