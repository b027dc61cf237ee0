"""The contract table: what a hook answers at an event, and the exact JSON each agent is given."""

from __future__ import annotations

import importlib
from typing import Any

import pytest

from hookpm.contract.answer import Answer, Reply

PRE, POST, PROMPT = "PreToolUse", "PostToolUse", "UserPromptSubmit"
START, END, STOP, COMPACT = "SessionStart", "SessionEnd", "Stop", "PreCompact"

# The native payload of a call whose input is {"command": "old", "dir_path"/"extra": kept}.
SHELL: dict[str, dict[str, Any]] = {
    "claude": {"tool_name": "Bash", "tool_input": {"command": "old"}},
    "codex": {"tool_name": "Bash", "tool_input": {"command": "old"}},
    "gemini": {
        "tool_name": "run_shell_command",
        "tool_input": {"command": "old", "dir_path": "sub"},
    },
    "copilot": {"toolName": "bash", "toolArgs": {"command": "old", "description": "d"}},
    "cursor": {"tool_name": "Shell", "tool_input": {"command": "old", "timeout": 5}},
}


def answer(**fields: Any) -> Answer:
    made = Answer()
    for name, value in fields.items():
        setattr(made, name, value)
    return made


def said(agent: str, event: str, given: Answer, payload: dict[str, Any] | None = None) -> Reply:
    module = importlib.import_module(f"hookpm.agents.{agent}.translate")
    payload = SHELL[agent] if payload is None else payload
    reply: Reply = module.from_claude(event, given, payload, module.to_claude(event, payload))
    return reply


def hso(event: str, **fields: Any) -> dict[str, Any]:
    return {"hookSpecificOutput": {"hookEventName": event, **fields}}


NO_REASON = {"permissionDecision": "deny", "permissionDecisionReason": "Blocked by hook"}
NEW = {"command": "new"}
ASK = {"decision": "ask", "reason": "sure?"}
ASKED = {"permissionDecision": "ask", "permissionDecisionReason": "sure?"}
DENY = {"decision": "deny", "reason": "no"}
BLOCK = {"decision": "block", "reason": "no"}
REWRITE = {"updated_input": NEW}
STOPS = {"stop": True, "stop_reason": "enough"}
CONTEXT = {"contexts": ["one", "two"]}
MESSAGE = {"system_message": "look"}

ENDED = {"continue": False, "stopReason": "enough"}
BLOCKED = {"decision": "block", "reason": "no"}
DENIED = {"permissionDecision": "deny", "permissionDecisionReason": "no"}
SHOWN = {"systemMessage": "look"}
TOLD = {"additionalContext": "one\ntwo"}

Row = tuple[str, dict[str, Any], dict[str, Any] | None, list[str]]

TABLE: dict[str, list[Row]] = {
    "claude": [
        (PRE, {}, None, []),
        (PRE, DENY, hso(PRE, **DENIED), []),
        (PRE, {"decision": "deny"}, hso(PRE, **NO_REASON), []),
        (PRE, ASK, hso(PRE, **ASKED), []),
        (PRE, {"decision": "allow"}, hso(PRE, permissionDecision="allow"), []),
        (PRE, {"decision": "defer"}, hso(PRE, permissionDecision="defer"), []),
        (PRE, REWRITE, hso(PRE, updatedInput=NEW), []),
        (PRE, {**DENY, **REWRITE}, hso(PRE, **DENIED), []),
        (
            PRE,
            {"decision": "allow", **REWRITE},
            hso(PRE, permissionDecision="allow", updatedInput=NEW),
            [],
        ),
        (PRE, CONTEXT, hso(PRE, **TOLD), []),
        (PRE, STOPS, ENDED, []),
        (PRE, MESSAGE, SHOWN, []),
        (
            PRE,
            {**DENY, **CONTEXT, **STOPS, **MESSAGE},
            {**hso(PRE, **DENIED, **TOLD), **ENDED, **SHOWN},
            [],
        ),
        (PRE, {**DENY, "extras": {"async": True, "terminalSequence": 5}}, hso(PRE, **DENIED), []),
        (POST, BLOCK, BLOCKED, []),
        (POST, {**BLOCK, **CONTEXT}, {**BLOCKED, **hso(POST, **TOLD)}, []),
        (
            POST,
            {"specific_extras": {"updatedToolOutput": {"stdout": "x"}}},
            hso(POST, updatedToolOutput={"stdout": "x"}),
            [],
        ),
        (POST, {**STOPS, **MESSAGE}, {**ENDED, **SHOWN}, []),
        (
            PROMPT,
            {**BLOCK, "extras": {"suppressOriginalPrompt": True, "sessionTitle": 5}},
            {**BLOCKED, "suppressOriginalPrompt": True},
            [],
        ),
        (PROMPT, CONTEXT, hso(PROMPT, **TOLD), []),
        (PROMPT, STOPS, ENDED, []),
        (
            START,
            {**CONTEXT, **MESSAGE, "specific_extras": {"initialUserMessage": "hi"}},
            {**hso(START, initialUserMessage="hi", **TOLD), **SHOWN},
            [],
        ),
        (START, {**BLOCK, **STOPS}, None, ["block", "continue:false"]),
        (END, MESSAGE, None, ["systemMessage"]),
        (STOP, BLOCK, BLOCKED, []),
        (STOP, STOPS, ENDED, []),
        (STOP, CONTEXT, hso(STOP, **TOLD), []),
        (COMPACT, BLOCK, BLOCKED, []),
        (COMPACT, MESSAGE, SHOWN, []),
        (COMPACT, {**BLOCK, **CONTEXT}, BLOCKED, ["additionalContext"]),
        (COMPACT, {"specific_extras": {"text": "keep the plan"}}, None, []),
        (COMPACT, {**BLOCK, "specific_extras": {"text": "keep the plan"}}, BLOCKED, ["text"]),
    ],
    "codex": [
        (PRE, {}, None, []),
        (PRE, DENY, hso(PRE, **DENIED), []),
        (PRE, {"decision": "deny", "reason": " \n"}, hso(PRE, **NO_REASON), []),
        (PRE, ASK, None, ["ask"]),
        (PRE, {"decision": "allow"}, None, ["allow"]),
        (PRE, {"decision": "defer"}, None, ["defer"]),
        (PRE, {"decision": "allow", **CONTEXT}, hso(PRE, **TOLD), ["allow"]),
        (PRE, REWRITE, hso(PRE, permissionDecision="allow", updatedInput=NEW), []),
        (
            PRE,
            {"decision": "ask", **REWRITE},
            hso(PRE, permissionDecision="allow", updatedInput=NEW),
            ["ask"],
        ),
        (PRE, CONTEXT, hso(PRE, **TOLD), []),
        (PRE, STOPS, None, ["continue:false"]),
        (PRE, MESSAGE, SHOWN, []),
        (
            PRE,
            {**DENY, **REWRITE, **CONTEXT, **STOPS, **MESSAGE, "extras": {"foo": 1}},
            {**hso(PRE, **DENIED, **TOLD), **SHOWN},
            ["continue:false"],
        ),
        (POST, BLOCK, hso(POST, additionalContext="no"), []),
        (
            POST,
            {**BLOCK, **CONTEXT, **MESSAGE},
            {**hso(POST, additionalContext="no\none\ntwo"), **SHOWN},
            [],
        ),
        (POST, STOPS, None, ["continue:false"]),
        (PROMPT, BLOCK, BLOCKED, []),
        (PROMPT, {**CONTEXT, **MESSAGE}, {**hso(PROMPT, **TOLD), **SHOWN}, []),
        (PROMPT, STOPS, ENDED, []),
        (PROMPT, {**BLOCK, **STOPS}, BLOCKED, []),
        (START, {**CONTEXT, **MESSAGE}, {**hso(START, **TOLD), **SHOWN}, []),
        (START, {**BLOCK, **STOPS}, None, ["block", "continue:false"]),
        (END, {**CONTEXT, **MESSAGE}, None, ["additionalContext", "systemMessage"]),
        (STOP, BLOCK, BLOCKED, []),
        (STOP, STOPS, ENDED, []),
        (STOP, {**BLOCK, **STOPS, **CONTEXT}, ENDED, ["additionalContext"]),
        (STOP, MESSAGE, SHOWN, []),
        (COMPACT, BLOCK, {"continue": False, "stopReason": "no"}, []),
        (COMPACT, {**BLOCK, **MESSAGE}, {"continue": False, "stopReason": "no", **SHOWN}, []),
    ],
    "gemini": [
        (PRE, {}, None, []),
        (PRE, DENY, {"decision": "deny", "reason": "no"}, []),
        (PRE, ASK, {"decision": "ask", "systemMessage": "sure?"}, []),
        (
            PRE,
            {"decision": "ask", "reason": "sure?", **MESSAGE},
            {"decision": "ask", "systemMessage": "sure?\nlook"},
            [],
        ),
        (PRE, {"decision": "allow", "reason": "fine"}, None, ["allow"]),
        (PRE, {"decision": "defer"}, None, ["defer"]),
        (PRE, REWRITE, hso("BeforeTool", tool_input={"command": "new", "dir_path": "sub"}), []),
        (PRE, {**DENY, **REWRITE}, {"decision": "deny", "reason": "no"}, []),
        (PRE, CONTEXT, None, ["additionalContext"]),
        (PRE, STOPS, ENDED, []),
        (
            PRE,
            {**DENY, **STOPS, **MESSAGE},
            {"decision": "deny", "reason": "no", **ENDED, **SHOWN},
            [],
        ),
        (POST, BLOCK, hso("AfterTool", additionalContext="no"), []),
        (
            POST,
            {**BLOCK, **CONTEXT, **STOPS, **MESSAGE},
            {**hso("AfterTool", additionalContext="no\none\ntwo"), **ENDED, **SHOWN},
            [],
        ),
        (PROMPT, BLOCK, {"decision": "deny", "reason": "no"}, []),
        (PROMPT, CONTEXT, hso("BeforeAgent", **TOLD), []),
        (PROMPT, STOPS, ENDED, []),
        (START, {**CONTEXT, **MESSAGE}, {**hso("SessionStart", **TOLD), **SHOWN}, []),
        (START, {**BLOCK, **STOPS}, None, ["block", "continue:false"]),
        (END, MESSAGE, None, ["systemMessage"]),
        (STOP, BLOCK, {"decision": "deny", "reason": "no"}, []),
        (STOP, STOPS, ENDED, []),
        (STOP, {**BLOCK, **STOPS}, ENDED, []),
        (STOP, CONTEXT, None, ["additionalContext"]),
        (COMPACT, {**BLOCK, **MESSAGE}, SHOWN, ["block"]),
    ],
    "copilot": [
        (PRE, {}, None, []),
        (PRE, DENY, DENIED, []),
        (PRE, ASK, ASKED, []),
        (PRE, {"decision": "allow"}, {"permissionDecision": "allow"}, []),
        (PRE, {"decision": "defer"}, None, ["defer"]),
        (PRE, REWRITE, {"modifiedArgs": {"command": "new", "description": "d"}}, []),
        (
            PRE,
            {"decision": "ask", **REWRITE},
            {"permissionDecision": "ask", "modifiedArgs": {"command": "new", "description": "d"}},
            [],
        ),
        (PRE, CONTEXT, TOLD, []),
        (PRE, {**STOPS, **MESSAGE}, None, ["continue:false", "systemMessage"]),
        (PRE, {**DENY, **REWRITE, **CONTEXT, **STOPS}, {**DENIED, **TOLD}, ["continue:false"]),
        (POST, {**BLOCK, **CONTEXT}, {"additionalContext": "no\none\ntwo"}, []),
        (POST, STOPS, None, ["continue:false"]),
        (PROMPT, BLOCK, BLOCKED, []),
        (PROMPT, STOPS, {"decision": "block", "reason": "enough"}, []),
        (PROMPT, CONTEXT, TOLD, []),
        (START, CONTEXT, TOLD, []),
        (START, {**BLOCK, **STOPS, **MESSAGE}, None, ["block", "continue:false", "systemMessage"]),
        (END, MESSAGE, None, ["systemMessage"]),
        (STOP, BLOCK, BLOCKED, []),
        (STOP, STOPS, None, []),
        (STOP, {**BLOCK, **STOPS, **CONTEXT}, None, ["additionalContext"]),
        (COMPACT, {**BLOCK, **MESSAGE}, None, ["block", "systemMessage"]),
    ],
    "cursor": [
        (PRE, {}, None, []),
        (PRE, DENY, {"permission": "deny", "user_message": "no", "agent_message": "no"}, []),
        (PRE, {"decision": "ask"}, None, ["ask"]),
        (PRE, {"decision": "allow"}, None, ["allow"]),
        (PRE, {"decision": "defer"}, None, ["defer"]),
        (PRE, REWRITE, {"updated_input": {"command": "new", "timeout": 5}}, []),
        (
            PRE,
            {"decision": "allow", **REWRITE},
            {"updated_input": {"command": "new", "timeout": 5}},
            ["allow"],
        ),
        (
            PRE,
            {**DENY, **REWRITE, **CONTEXT, **STOPS, **MESSAGE},
            {"permission": "deny", "user_message": "no", "agent_message": "no"},
            ["additionalContext", "continue:false", "systemMessage"],
        ),
        (POST, {**BLOCK, **CONTEXT}, {"additional_context": "no\none\ntwo"}, []),
        (POST, {**STOPS, **MESSAGE}, None, ["continue:false", "systemMessage"]),
        (PROMPT, BLOCK, {"continue": False, "user_message": "no"}, []),
        (PROMPT, STOPS, {"continue": False, "user_message": "enough"}, []),
        (PROMPT, CONTEXT, {"additional_context": "one\ntwo"}, []),
        (START, CONTEXT, {"additional_context": "one\ntwo"}, []),
        (START, {**BLOCK, **STOPS}, None, ["block", "continue:false"]),
        (END, MESSAGE, None, ["systemMessage"]),
        (STOP, BLOCK, {"followup_message": "no"}, []),
        (STOP, STOPS, None, []),
        (STOP, {**BLOCK, **STOPS}, None, []),
        (COMPACT, MESSAGE, {"user_message": "look"}, []),
        (COMPACT, BLOCK, None, ["block"]),
    ],
}

ROWS = [
    pytest.param(agent, *row, id=f"{agent}-{row[0]}-{number}")
    for agent, rows in TABLE.items()
    for number, row in enumerate(rows)
]


@pytest.mark.parametrize(("agent", "event", "fields", "out", "dropped"), ROWS)
def test_an_answer_has_this_native_form(
    agent: str,
    event: str,
    fields: dict[str, Any],
    out: dict[str, Any] | None,
    dropped: list[str],
) -> None:
    reply = said(agent, event, answer(**fields))
    assert reply.out == out
    assert reply.dropped == dropped


def test_both_spellings_of_copilot_get_the_same_answer() -> None:
    pascal = {"hook_event_name": PRE, "tool_name": "Edit", "tool_input": {"path": "a"}}
    assert said("copilot", PRE, answer(**DENY), pascal).out == DENIED
