"""Wires VS Code's own agent: a file of our own in `.github/hooks`, by its documentation.

Nothing was run. Copilot CLI reads that folder too, and VS Code reads Copilot CLI's file in it and
Claude Code's settings: the bridge knows who calls, and a line stands down where the caller has one
of its own.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from hookpm.agents import shell_line
from hookpm.agents import wiring as shared
from hookpm.agents.home import Home
from hookpm.agents.shell_line import Form
from hookpm.agents.vscode.translate import EVENTS
from hookpm.agents.wiring import Entry, Finding, Owned, Todo
from hookpm.edit.jsondoc import Document

FILE = ".github/hooks/hookpm-vscode.json"
ALSO_READS = (".github/hooks/*.json",)
HOME = Home(".copilot", "hooks/hookpm-vscode.json")
FORM = Form(root="", tells=True, foreign_shell=True)
SHELL = ("/bin/sh", "-c")
SKELETON: dict[str, Any] = {"hooks": {}}


def entries(events: Sequence[str], longest: float) -> list[Entry]:
    """One entry per event that VS Code has. longest: the longest hook's timeout, in seconds.

    Without a cwd a hook starts in the project by the documentation and at home by the source, and
    VS Code gives no variable that names the project.
    """
    seconds = shared.whole_seconds(longest)
    return [
        Entry(
            event,
            ("hooks", event),
            {
                "type": "command",
                "command": shell_line.present("vscode", event),
                "cwd": ".",
                "timeout": seconds,
            },
        )
        for event in events
        if event in EVENTS
    ]


def owner_of(value: object) -> Owned | None:
    """What is ours in an element of an event's list."""
    return shared.owner_of_flat(value)


def dropped_by(document: Document) -> list[Finding]:
    """A shape that VS Code cannot read, and what Copilot CLI drops, which reads the file too."""
    findings = shared.comments(document, "Copilot CLI, which reads this folder too,")
    findings += shared.trailing_commas(document, "Copilot CLI drops the file")
    return shared.in_order(findings + shared.misshapen(document, "VS Code"))


def switched_off(document: Document) -> list[Finding]:
    """`disableAllHooks`, which Copilot CLI honours in this folder; VS Code may not."""
    return shared.all_hooks_off(document, "Copilot CLI")


def canary(event: str, nonce: str, root: Path) -> dict[str, Any]:
    """The payload as VS Code's public source sends it."""
    extra = {"timestamp": "2026-01-01T00:00:00.000Z"}
    payload = shared.claude_payload(event, nonce, root, extra)
    payload.pop("custom_instructions", None)
    if event == "SessionStart":
        payload["source"] = "new"
    return payload


def environment(root: Path) -> dict[str, str]:  # noqa: ARG001
    """VS Code gives its hooks no variable that tells the project root."""
    return {}


def read_canary(event: str, nonce: str, stdout: str, stderr: str) -> bool:
    """A denial that names its event, a block at the top level, a stop at the prompt."""
    answer = shared.one_object(stdout)
    if event == "PreToolUse":
        return shared.specific(answer, event, "permissionDecision") == "deny" and shared.says(
            shared.specific(answer, event, "permissionDecisionReason"), nonce
        )
    if event in ("PostToolUse", "Stop", "SubagentStop"):
        return answer.get("decision") == "block" and shared.says(answer.get("reason"), nonce)
    if event == "UserPromptSubmit":
        return answer.get("continue") is False and shared.says(answer.get("stopReason"), nonce)
    if event in ("SessionStart", "SubagentStart"):
        return shared.says(shared.specific(answer, event, "additionalContext"), nonce)
    return shared.on_stderr(stderr, nonce)


def todo(root: Path) -> list[Todo]:
    """Trust, and which of VS Code's sessions these hooks are for."""
    return [
        Todo(
            "trust the workspace in VS Code",
            f"open {root.name or root} in VS Code and trust its authors; the organization may have "
            "switched hooks off",
        ),
        Todo(
            "look which kind of session you use in VS Code",
            "these hooks are for its Local sessions; Copilot, Claude and Codex sessions run the "
            "hooks of copilot, claude and codex",
        ),
    ]
