"""Wires Gemini CLI: groups in `.gemini/settings.json`, with timeouts in milliseconds."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from hookpm.agents import home_line, shell_line, user_line
from hookpm.agents import wiring as shared
from hookpm.agents.home import Home
from hookpm.agents.shell_line import Form
from hookpm.agents.wiring import Entry, Finding, Owned, Todo
from hookpm.contract.events import CANARY_SESSION
from hookpm.edit.jsondoc import Document

FILE = ".gemini/settings.json"
HOME = Home(".gemini", "settings.json", "GEMINI_CLI_HOME", below=".gemini")
USER_FILE = HOME.path  # for the user bridge
# With braces: Gemini CLI replaces a bare $GEMINI_PROJECT_DIR in the text of a command by a quoted
# path, which breaks inside double quotes (observed with a space in the path).
FORM = Form(root="${GEMINI_PROJECT_DIR:-.}", tells=True)
SHELL = ("bash", "-c")
SKELETON: dict[str, Any] = {"hooks": {}}

_NATIVE = {
    "SessionStart": "SessionStart",
    "UserPromptSubmit": "BeforeAgent",
    "PreToolUse": "BeforeTool",
    "PostToolUse": "AfterTool",
    "Stop": "AfterAgent",
    "PreCompact": "PreCompress",
    "SessionEnd": "SessionEnd",
    "Notification": "Notification",
}


def entries(events: Sequence[str], longest: float) -> list[Entry]:
    """One group per event. longest: the longest hook's timeout, in seconds."""
    milliseconds = shared.whole_seconds(longest) * 1000
    return [
        Entry(event, ("hooks", _NATIVE[event]), shared.group("gemini", event, milliseconds))
        for event in events
        if event in _NATIVE
    ]


def owner_of(value: object) -> Owned | None:
    """What is ours in an element of an event's list."""
    return shared.owner_of_group(value)


def dropped_by(document: Document) -> list[Finding]:
    """Trailing commas alone: with one Gemini CLI does not even start. Comments are fine."""
    consequence = "Gemini CLI does not start with one in its settings"
    findings = shared.trailing_commas(document, consequence)
    return shared.in_order(findings + shared.misshapen(document, "Gemini CLI"))


def switched_off(document: Document) -> list[Finding]:
    """`hooksConfig.enabled: false`, or our line in `hooksConfig.disabled`."""
    findings = []
    enabled = document.get(("hooksConfig", "enabled"))
    if enabled is not None and enabled.value is False:
        line = document.line_at(("hooksConfig", "enabled")) or 1
        findings.append(Finding(line, "hooksConfig.enabled is false: Gemini CLI runs no hook"))
    disabled = document.get(("hooksConfig", "disabled"))
    for item in disabled.items if disabled is not None else ():
        text = item.value if item.kind == "string" else ""
        ours = shell_line.read(text) or home_line.read(text) or user_line.read(text)
        if ours is not None:
            message = f"hooksConfig.disabled names hookpm's line for {ours.event}"
            findings.append(Finding(document.line_of(item.start), message))
    return findings


def canary(event: str, nonce: str, root: Path) -> dict[str, Any]:
    """The payload as Gemini CLI 0.61.0 sends it."""
    extra = {"timestamp": "2026-01-01T00:00:00.000Z"}
    payload = shared.claude_payload(event, nonce, root, extra, name=_NATIVE[event])
    payload.pop("tool_use_id", None)
    payload.pop("custom_instructions", None)
    if event == "PostToolUse":
        payload["tool_response"] = {"llmContent": "", "returnDisplay": ""}
    if event == "Stop":
        payload.update(prompt="hookpm canary", prompt_response="")
    if event == "SessionEnd":
        payload["reason"] = "exit"
    if event == "Notification":
        payload.update(notification_type="ToolPermission", details={})
    return payload


def environment(root: Path) -> dict[str, str]:
    """The variables that Gemini CLI gives its hooks."""
    names = ("GEMINI_PROJECT_DIR", "GEMINI_CWD", "CLAUDE_PROJECT_DIR")
    return {**dict.fromkeys(names, str(root)), "GEMINI_SESSION_ID": CANARY_SESSION}


def read_canary(event: str, nonce: str, stdout: str, stderr: str) -> bool:
    """A top-level deny; context after tools and at the start; stderr at the other events."""
    answer = shared.one_object(stdout)
    if event in ("PreToolUse", "UserPromptSubmit", "Stop"):
        denied = answer.get("decision") in ("deny", "block")
        return denied and shared.says(answer.get("reason"), nonce)
    if event in ("PostToolUse", "SessionStart"):
        inner = answer.get("hookSpecificOutput")
        return isinstance(inner, dict) and shared.says(inner.get("additionalContext"), nonce)
    return shared.on_stderr(stderr, nonce)


def todo(root: Path) -> list[Todo]:
    """Trust, and where to start it."""
    return [
        Todo(
            "trust the folder in Gemini CLI",
            f"start `gemini` in {root.name or root} and accept the question; headless: set "
            "GEMINI_CLI_TRUST_WORKSPACE=true (--skip-trust runs without the hooks)",
        ),
        Todo(
            "start Gemini CLI in the project's root folder",
            "started in a folder below it, it does not read the root's .gemini/settings.json; "
            "`hookpm init --user-bridge` and `hookpm allow` cover that",
        ),
        Todo("restart open sessions", "leave Gemini CLI and start it again"),
    ]
