"""The bridge's own answer to the canary, as each agent's wiring reads it: every agent and event."""

from __future__ import annotations

import json
from typing import Any

import pytest

from hookpm import agents
from hookpm.contract.events import EVENTS

TEXT = "hookpm canary n0nce: 3 hooks"


def hso(event: str, **fields: str) -> dict[str, Any]:
    return {"hookSpecificOutput": {"hookEventName": event, **fields}}


def denied_at(event: str) -> dict[str, Any]:
    return hso(event, permissionDecision="deny", permissionDecisionReason=TEXT)


DENY = denied_at("PreToolUse")
DENIED = {"decision": "deny", "reason": TEXT}
BLOCK = {"decision": "block", "reason": TEXT}
STOPPED = {"continue": False, "stopReason": TEXT}
# Agent -> event -> the answer; None: it can say nothing there, and the text goes to stderr.
ANSWERS: dict[str, dict[str, Any]] = {
    "claude": {
        "PreToolUse": DENY,
        "PostToolUse": BLOCK,
        "UserPromptSubmit": BLOCK,
        "Stop": BLOCK,
        "PreCompact": BLOCK,
        "SessionStart": hso("SessionStart", additionalContext=TEXT),
        "SessionEnd": None,
        "PostToolUseFailure": BLOCK,
        "SubagentStart": hso("SubagentStart", additionalContext=TEXT),
        "SubagentStop": BLOCK,
        "PermissionRequest": None,
        "Notification": None,
    },
    "codex": {
        "PreToolUse": DENY,
        "PostToolUse": hso("PostToolUse", additionalContext=TEXT),
        "UserPromptSubmit": BLOCK,
        "Stop": BLOCK,
        "PreCompact": STOPPED,
        "SessionStart": hso("SessionStart", additionalContext=TEXT),
        "SessionEnd": None,
        "SubagentStart": hso("SubagentStart", additionalContext=TEXT),
        "SubagentStop": BLOCK,
        "PermissionRequest": None,
    },
    "gemini": {
        "PreToolUse": DENIED,
        "PostToolUse": hso("AfterTool", additionalContext=TEXT),
        "UserPromptSubmit": DENIED,
        "Stop": BLOCK,
        "PreCompact": None,
        "SessionStart": hso("SessionStart", additionalContext=TEXT),
        "SessionEnd": None,
        "Notification": None,
    },
    "copilot": {
        "PreToolUse": {"permissionDecision": "deny", "permissionDecisionReason": TEXT},
        "PostToolUse": {"additionalContext": TEXT},
        "UserPromptSubmit": BLOCK,
        "Stop": BLOCK,
        "PreCompact": None,
        "SessionStart": {"additionalContext": TEXT},
        "SessionEnd": None,
        "PostToolUseFailure": {"additionalContext": TEXT},
        "SubagentStart": {"additionalContext": TEXT},
        "SubagentStop": BLOCK,
        "PermissionRequest": None,
        "Notification": None,
    },
    "cursor": {
        "PreToolUse": {"permission": "deny", "agent_message": TEXT, "user_message": TEXT},
        "PostToolUse": {"additional_context": TEXT},
        "UserPromptSubmit": {"continue": False, "user_message": TEXT},
        "Stop": {"followup_message": TEXT},
        "PreCompact": None,
        "SessionStart": {"additional_context": TEXT},
        "SessionEnd": None,
        "PostToolUseFailure": None,
        "SubagentStart": None,
        "SubagentStop": {"followup_message": TEXT},
    },
    "qwen": {
        "SessionStart": hso("SessionStart", additionalContext=TEXT),
        "UserPromptSubmit": BLOCK,
        "PreToolUse": {**DENIED, "continue": False},
        "PostToolUse": hso("PostToolUse", additionalContext=TEXT),
        "Stop": BLOCK,
        "PreCompact": None,
        "SessionEnd": None,
        "PostToolUseFailure": hso("PostToolUseFailure", additionalContext=TEXT),
        "SubagentStart": None,
        "SubagentStop": BLOCK,
        "PermissionRequest": None,
        "Notification": None,
    },
    "droid": {
        "SessionStart": hso("SessionStart", additionalContext=TEXT),
        "UserPromptSubmit": STOPPED,
        "PreToolUse": DENY,
        "PostToolUse": None,
        "Stop": BLOCK,
        "PreCompact": None,
        "SessionEnd": None,
        "SubagentStop": None,
        "Notification": None,
    },
    "kimi": {
        "SessionStart": None,
        "UserPromptSubmit": hso(
            "UserPromptSubmit", permissionDecision="deny", permissionDecisionReason=TEXT
        ),
        "PreToolUse": DENY,
        "PostToolUse": None,
        "Stop": denied_at("Stop"),
        "PreCompact": None,
        "SessionEnd": None,
        "PostToolUseFailure": None,
        "SubagentStart": None,
        "SubagentStop": None,
        "PermissionRequest": None,
        "Notification": None,
    },
    "opencode": {
        "SessionStart": {"additionalContext": TEXT},
        "UserPromptSubmit": BLOCK,
        "PreToolUse": DENIED,
        "PostToolUse": {"additionalContext": TEXT},
        "Stop": BLOCK,
        "PreCompact": None,
        "SessionEnd": None,
    },
    "pi": {
        "SessionStart": {"additionalContext": TEXT},
        "UserPromptSubmit": BLOCK,
        "PreToolUse": DENIED,
        "PostToolUse": {"additionalContext": TEXT},
        "Stop": BLOCK,
        "PreCompact": BLOCK,
        "SessionEnd": None,
    },
    "cline": {
        "SessionStart": None,
        "UserPromptSubmit": None,
        "PreToolUse": {"cancel": True, "errorMessage": TEXT},
        "PostToolUse": {"contextModification": TEXT},
        "Stop": None,
        "SessionEnd": None,
    },
    "vscode": {
        "SessionStart": hso("SessionStart", additionalContext=TEXT),
        "UserPromptSubmit": STOPPED,
        "PreToolUse": DENY,
        "PostToolUse": BLOCK,
        "Stop": BLOCK,
        "PreCompact": None,
        "SubagentStart": hso("SubagentStart", additionalContext=TEXT),
        "SubagentStop": BLOCK,
    },
    "antigravity": {
        "SessionStart": None,
        "PreToolUse": DENIED,
        "PostToolUse": None,
        "Stop": {"decision": "continue", "reason": TEXT},
    },
}
EACH = [(name, event) for name, answers in ANSWERS.items() for event in answers]


def test_every_agent_and_event_has_an_answer_to_read() -> None:
    known = {(n, e) for n in agents.names() for e in EVENTS if agents.load(n).facts.native(e)}
    assert set(EACH) == known


@pytest.mark.parametrize(("name", "event"), EACH)
def test_the_bridges_own_answer_is_read_in_the_agents_form_only(name: str, event: str) -> None:
    read = agents.load(name).wiring.read_canary
    answer = ANSWERS[name][event]
    # Antigravity takes silence for a refusal: its line says {} where there is nothing to say.
    nothing = "{}" if name == "antigravity" else ""
    stdout, stderr = (nothing, f"note: {TEXT}\n") if answer is None else (json.dumps(answer), "")
    assert read(event, "n0nce", stdout, stderr)
    assert not read(event, "other", stdout, stderr)
    assert not read(event, "n0nce", nothing, "")
    if answer is not None:
        assert not read(event, "n0nce", "log\n" + stdout, stderr)
        assert not read(event, "n0nce", f"[{stdout}]", stderr)


def test_an_answer_that_the_agent_itself_would_ignore_is_no_proof() -> None:
    wrong_event = json.dumps(denied_at("Stop"))
    for name in ("claude", "codex"):
        assert not agents.load(name).wiring.read_canary("PreToolUse", "n0nce", wrong_event, "")
    for name in ("gemini", "copilot", "cursor"):
        read = agents.load(name).wiring.read_canary
        assert not read("PreToolUse", "n0nce", json.dumps(DENY), "")
    unknown_key = json.dumps({**DENY, "extra": 1})
    assert not agents.load("codex").wiring.read_canary("PreToolUse", "n0nce", unknown_key, "")
