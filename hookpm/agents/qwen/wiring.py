"""Wires Qwen Code: groups in `.qwen/settings.json`, with timeouts in milliseconds."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from hookpm.agents import wiring as shared
from hookpm.agents.home import Home
from hookpm.agents.shell_line import Form
from hookpm.agents.wiring import Entry, Finding, Owned, Todo
from hookpm.contract.events import CANARY_SESSION
from hookpm.edit.jsondoc import Document

FILE = ".qwen/settings.json"
HOME = Home(".qwen", "settings.json", "QWEN_HOME")
USER_FILE = HOME.path  # for the user bridge
FORM = Form(root="${QWEN_PROJECT_DIR:-.}")
SHELL = ("bash", "-c")
# Qwen Code adds its version to a file that has none, and writes the whole file anew for it.
SKELETON: dict[str, Any] = {"$version": 4, "hooks": {}}


def entries(events: Sequence[str], longest: float) -> list[Entry]:
    """One group per event. longest: the longest hook's timeout, in seconds.

    A number from 1000 up is in milliseconds in every version; a smaller one is in seconds from
    some version after 0.15.10 on.
    """
    milliseconds = shared.whole_seconds(longest) * 1000
    return [
        Entry(event, ("hooks", event), shared.group("qwen", event, milliseconds))
        for event in events
    ]


def owner_of(value: object) -> Owned | None:
    """What is ours in an element of an event's list."""
    return shared.owner_of_group(value)


def dropped_by(document: Document) -> list[Finding]:
    """Trailing commas: Qwen Code renames the file and goes on without it. Comments are fine."""
    consequence = "Qwen Code renames the file to settings.json.corrupted and runs no hook"
    findings = shared.trailing_commas(document, consequence)
    return shared.in_order(findings + shared.misshapen(document, "Qwen Code"))


def switched_off(document: Document) -> list[Finding]:
    """`disableAllHooks`; Gemini's hooksConfig has no effect here."""
    return shared.all_hooks_off(document, "Qwen Code")


def canary(event: str, nonce: str, root: Path) -> dict[str, Any]:
    """The payload as Qwen Code 0.24.4 sends it."""
    session = shared.canary_session(event, nonce)
    extra = {"timestamp": "2026-01-01T00:00:00.000Z", "permission_mode": "default"}
    payload = shared.claude_payload(event, nonce, root, extra)
    payload["transcript_path"] = f"{root}/.qwen/projects/hookpm/chats/{session}.jsonl"
    if event == "PostToolUse":
        payload["tool_response"] = {"llmContent": "", "returnDisplay": ""}
    payload.update(_OWN_FIELDS.get(event, {}))
    return payload


_OWN_FIELDS: dict[str, dict[str, Any]] = {
    "SessionStart": {"model": "hookpm-canary"},
    "UserPromptSubmit": {"submitted_prompt": "hookpm canary"},
    "Stop": {"last_assistant_message": "", "background_tasks": [], "crons": []},
}


def environment(root: Path) -> dict[str, str]:
    """The variables that Qwen Code gives its hooks."""
    names = ("QWEN_PROJECT_DIR", "CLAUDE_PROJECT_DIR", "GEMINI_PROJECT_DIR")
    return {**dict.fromkeys(names, str(root)), "QWEN_CODE_SESSION_ID": CANARY_SESSION}


def read_canary(event: str, nonce: str, stdout: str, stderr: str) -> bool:
    """A top-level deny or block; context after tools and at the start; stderr at the others."""
    answer = shared.one_object(stdout)
    if event == "PreToolUse":
        denied = answer.get("decision") == "deny" and answer.get("continue") is False
        return denied and shared.says(answer.get("reason"), nonce)
    if event in ("UserPromptSubmit", "Stop", "SubagentStop"):
        return answer.get("decision") == "block" and shared.says(answer.get("reason"), nonce)
    if event in ("PostToolUse", "PostToolUseFailure", "SessionStart"):
        return shared.says(shared.specific(answer, event, "additionalContext"), nonce)
    return shared.on_stderr(stderr, nonce)


def todo(root: Path) -> list[Todo]:
    """Where to start it, trust only where the user has asked for it, and open sessions."""
    return [
        Todo(
            "start Qwen Code in the project's root folder",
            "started in a folder below it, it does not read the root's .qwen/settings.json; "
            "`hookpm init --user-bridge` and `hookpm allow` cover that",
        ),
        Todo(
            "trust the folder in Qwen Code if you switched folder trust on",
            f"start `qwen` in {root.name or root} and accept the question; without "
            "security.folderTrust.enabled in the user's settings nothing is asked",
        ),
        Todo("restart open sessions", "leave Qwen Code and start it again"),
    ]
