"""Wires Copilot CLI: a file of our own, `.github/hooks/hookpm.json`, in its native form."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from hookpm.agents import shell_line
from hookpm.agents import wiring as shared
from hookpm.agents.home import Home
from hookpm.agents.shell_line import Form
from hookpm.agents.wiring import Entry, Finding, Owned, Todo
from hookpm.contract.events import CANARY_TOOL, TOOL_EVENTS
from hookpm.edit.jsondoc import Document

FILE = ".github/hooks/hookpm.json"
ALSO_READS = (".github/hooks/*.json",)
AT_TOP_ONLY = True  # of a checkout: hooks of a folder below it are not read
HOME = Home(".copilot", "hooks/hookpm.json", "COPILOT_HOME")
FORM = Form(root="${COPILOT_PROJECT_DIR:-${CLAUDE_PROJECT_DIR:-.}}")
SHELL = ("/bin/bash", "--norc", "--noprofile", "-c")
SKELETON: dict[str, Any] = {"version": 1, "hooks": {}}

# Copilot answers differently to Claude's event names in the same file; these are its own.
_NATIVE = {
    "SessionStart": "sessionStart",
    "UserPromptSubmit": "userPromptSubmitted",
    "PreToolUse": "preToolUse",
    "PostToolUse": "postToolUse",
    "Stop": "agentStop",
    "PreCompact": "preCompact",
    "SessionEnd": "sessionEnd",
    "PostToolUseFailure": "postToolUseFailure",
    "SubagentStart": "subagentStart",
    "SubagentStop": "subagentStop",
    "PermissionRequest": "permissionRequest",
    "Notification": "notification",
}


def entries(events: Sequence[str], longest: float) -> list[Entry]:
    """One entry per event. longest: the longest hook's timeout, in seconds; Copilot's own is 30."""
    seconds = shared.whole_seconds(longest)
    return [
        Entry(
            event,
            ("hooks", _NATIVE[event]),
            {
                "type": "command",
                "bash": shell_line.present("copilot", event),
                "timeoutSec": seconds,
            },
        )
        for event in events
    ]


def owner_of(value: object) -> Owned | None:
    """What is ours in an element of an event's list."""
    return shared.owner_of_flat(value)


def dropped_by(document: Document) -> list[Finding]:
    """Comments, trailing commas, and any version but 1 (a missing one is fine)."""
    findings = shared.comments(document, "Copilot CLI")
    findings += shared.trailing_commas(document, "Copilot CLI drops the file")
    findings += shared.misshapen(document, "Copilot CLI")
    version = document.get(("version",))
    if version is not None and version.value != 1:
        line = document.line_of(version.start)
        findings.append(Finding(line, "Copilot CLI drops a file whose version is not 1"))
    return shared.in_order(findings)


def switched_off(document: Document) -> list[Finding]:
    """`disableAllHooks`, which in this folder counts for its own file only."""
    return shared.all_hooks_off(document, "Copilot CLI")


def canary(event: str, nonce: str, root: Path) -> dict[str, Any]:
    """The payload as Copilot CLI 1.0.102 sends it under its native event names."""
    payload: dict[str, Any] = {
        "sessionId": shared.canary_session(event, nonce),
        "timestamp": 1767225600000,
        "cwd": str(root),
    }
    if event == "PermissionRequest":
        payload.update(hookName="permissionRequest", toolName=CANARY_TOOL)
        payload["toolInput"] = {"nonce": nonce}
    elif event in TOOL_EVENTS:
        payload.update(toolName=CANARY_TOOL, toolArgs={"nonce": nonce})
    if event == "PostToolUse":
        payload["toolResult"] = {"resultType": "success", "textResultForLlm": ""}
    payload.update(_OWN_FIELDS.get(event, {}))
    return payload


_OWN_FIELDS: dict[str, dict[str, Any]] = {
    "SessionStart": {"source": "new", "initialPrompt": "hookpm canary"},
    "SessionEnd": {"reason": "complete"},
    "UserPromptSubmit": {"prompt": "hookpm canary"},
    "Stop": {"transcriptPath": "", "stopReason": "end_turn", "stop_hook_active": False},
    "PreCompact": {"transcriptPath": "", "trigger": "manual", "customInstructions": ""},
    "PostToolUseFailure": {"error": ""},
    "SubagentStart": {"agentName": CANARY_TOOL, "agentId": CANARY_TOOL},
    "SubagentStop": {"agentName": CANARY_TOOL, "agentId": CANARY_TOOL, "stop_hook_active": False},
    "Notification": {"message": "hookpm canary"},
}


def environment(root: Path) -> dict[str, str]:
    """The variables that Copilot CLI gives its hooks."""
    return {
        "COPILOT_PROJECT_DIR": str(root),
        "CLAUDE_PROJECT_DIR": str(root),
        "COPILOT_HOOK_DIR": str(root / ".github" / "hooks"),
        "COPILOT_CLI": "1",
    }


def read_canary(event: str, nonce: str, stdout: str, stderr: str) -> bool:
    """Copilot's top-level fields: hookSpecificOutput would be ignored."""
    answer = shared.one_object(stdout)
    if event == "PreToolUse":
        denied = answer.get("permissionDecision") == "deny"
        return denied and shared.says(answer.get("permissionDecisionReason"), nonce)
    if event in ("UserPromptSubmit", "Stop", "SubagentStop"):
        return answer.get("decision") == "block" and shared.says(answer.get("reason"), nonce)
    if event in ("PostToolUse", "PostToolUseFailure", "SessionStart", "SubagentStart"):
        return shared.says(answer.get("additionalContext"), nonce)
    return shared.on_stderr(stderr, nonce)


def todo(root: Path) -> list[Todo]:
    """Trust: without it Copilot CLI skips the hooks, headless without a word."""
    return [
        Todo(
            "trust the folder in Copilot CLI",
            f"start `copilot` in {root.name or root} and accept the question, or list the folder "
            "under trustedFolders in ~/.copilot/config.json; headless: --trust-folder "
            "(--yolo does not trust it)",
        ),
        Todo("restart open sessions", "leave Copilot CLI and start it again"),
    ]
