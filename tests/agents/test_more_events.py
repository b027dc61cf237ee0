"""Events beyond the first seven: failed tools, subagents, permissions that are asked for, notices.

Payloads are from real runs, shortened.
"""

from __future__ import annotations

import importlib
import json
from types import ModuleType
from typing import Any

import pytest

from hookpm import agents
from hookpm.agents.facts import MEETS
from hookpm.contract import answer as answers
from hookpm.contract.answer import Answer, Reply
from hookpm.contract.events import CAPABILITIES, EVENTS
from hookpm.contract.join import join

FAILED, ASKED, NOTICE = "PostToolUseFailure", "PermissionRequest", "Notification"
BEGUN, ENDED = "SubagentStart", "SubagentStop"
MORE = (FAILED, BEGUN, ENDED, ASKED, NOTICE)

CODEX = {"session_id": "s", "turn_id": "t", "model": "m", "permission_mode": "default", "cwd": "/r"}
COPILOT = {"sessionId": "s", "timestamp": 1796049353611, "cwd": "/r"}
PATCH = "*** Begin Patch\n*** Add File: a\n+1\n*** Update File: b\n-1\n+2\n*** End Patch"


def translate(agent: str) -> ModuleType:
    return importlib.import_module(f"hookpm.agents.{agent}.translate")


@pytest.mark.parametrize(
    ("agent", "event", "payload", "calls"),
    [
        (
            "codex",
            ASKED,
            {**CODEX, "tool_name": "Bash", "tool_input": {"command": "ls", "description": "d"}},
            [("Bash", {"command": "ls", "description": "d"})],
        ),
        (
            "codex",
            ASKED,
            {**CODEX, "tool_name": "apply_patch", "tool_input": {"command": PATCH}},
            [
                ("Write", {"file_path": "a", "content": "1\n"}),
                ("Edit", {"file_path": "b", "old_string": "1", "new_string": "2"}),
            ],
        ),
        (
            "copilot",
            ASKED,
            {**COPILOT, "hookName": "x", "toolName": "bash", "toolInput": {"command": "ls"}},
            [("Bash", {"command": "ls"})],
        ),
        (
            "copilot",
            ASKED,
            {**COPILOT, "toolName": "edit", "toolInput": {"file_path": "/r/n", "diff": "d"}},
            [("Edit", {"file_path": "/r/n", "diff": "d"})],
        ),
        (
            "copilot",
            ASKED,
            {**COPILOT, "toolName": "probe/echo", "toolInput": {"text": "hey"}},
            [("mcp__probe__echo", {"text": "hey"})],
        ),
        (
            "copilot",
            FAILED,
            {**COPILOT, "toolName": "view", "toolArgs": {"path": "/r/n"}, "error": "gone"},
            [("Read", {"file_path": "/r/n"})],
        ),
        (
            "qwen",
            FAILED,
            {"session_id": "s", "tool_name": "run_shell_command", "tool_input": {"command": "x"}},
            [("Bash", {"command": "x"})],
        ),
    ],
)
def test_a_call_that_failed_or_needs_permission_is_shown_in_claudes_form(
    agent: str, event: str, payload: dict[str, Any], calls: list[tuple[str, dict[str, Any]]]
) -> None:
    seen = translate(agent).to_claude(event, {**payload, "hook_event_name": event})
    assert [(call["tool_name"], call["tool_input"]) for call in seen] == calls
    assert all(call["hook_event_name"] == event for call in seen)


def test_a_subagents_end_is_shown_with_its_last_words() -> None:
    payload = {**COPILOT, "agentId": "a", "agentType": "task", "response": "SUB DONE"}
    (call,) = translate("copilot").to_claude(ENDED, payload)
    assert (call["agent_id"], call["agent_type"]) == ("a", "task")
    assert call["last_assistant_message"] == "SUB DONE"


def test_geminis_notice_of_a_question_has_claudes_type() -> None:
    payload = {"hook_event_name": NOTICE, "notification_type": "ToolPermission", "message": "m"}
    (call,) = translate("gemini").to_claude(NOTICE, payload)
    assert call["notification_type"] == "permission_prompt"


# --- what a hook says ------------------------------------------------------------------------


def read(event: str, said: Any, exit_code: int = 0) -> Answer:
    return answers.read(event, exit_code, json.dumps(said).encode(), b"no")


def permission(event: str = ASKED, **decision: Any) -> dict[str, Any]:
    return {"hookSpecificOutput": {"hookEventName": event, "decision": decision}}


def test_a_decision_on_a_permission_is_read() -> None:
    denied = read(ASKED, permission(behavior="deny", message="not here"))
    assert (denied.decision, denied.reason, denied.refuses()) == ("deny", "not here", True)
    allowed = read(ASKED, permission(behavior="allow", updatedInput={"command": "ls"}))
    assert (allowed.decision, allowed.updated_input) == ("allow", {"command": "ls"})
    silent = read(ASKED, permission(behavior="deny", updatedInput={"command": "ls"}))
    assert (silent.reason, silent.updated_input) == ("Blocked by hook", None)


@pytest.mark.parametrize(
    "said",
    [
        {"decision": "block", "reason": "no"},
        {"hookSpecificOutput": {"hookEventName": ASKED, "permissionDecision": "deny"}},
        {"hookSpecificOutput": {"hookEventName": ASKED, "updatedInput": {"command": "x"}}},
        permission(behavior="ask"),
        permission(),
        {"hookSpecificOutput": {"hookEventName": ASKED, "decision": "deny"}},
    ],
)
def test_nothing_else_decides_on_a_permission_and_that_is_said(said: dict[str, Any]) -> None:
    for exit_code in (0, 2):
        found = read(ASKED, said, exit_code)
        assert (found.decision, found.updated_input) == ("", None)
        assert exit_code == 2 or found.notes or "decision" in said


def test_a_denied_permission_holds_with_text_around_it() -> None:
    text = f"log\n{json.dumps(permission(behavior='deny', message='no'))}\nmore"
    found = answers.read(ASKED, 0, text.encode(), b"")
    assert (found.decision, found.reason) == ("deny", "no")
    assert said("claude", ASKED, found).out == permission(behavior="deny", message="no")


def test_an_allow_that_is_for_another_event_is_left_out_and_a_denial_kept() -> None:
    allowed = read(ASKED, permission("PreToolUse", behavior="allow"))
    assert allowed.decision == ""
    assert allowed.specific_extras == {}
    assert read(ASKED, permission("PreToolUse", behavior="deny")).decision == "deny"


def test_of_several_decisions_a_denial_wins_and_drops_the_rewrite() -> None:
    both = [
        read(ASKED, permission(behavior="allow", updatedInput={"command": "ls"})),
        read(ASKED, permission(behavior="deny", message="no", interrupt=True)),
    ]
    for order in (both, both[::-1]):
        joined = join(ASKED, order)
        assert (joined.decision, joined.reason, joined.updated_input) == ("deny", "no", None)
        out = said("claude", ASKED, joined).out
        assert out == permission(behavior="deny", message="no", interrupt=True)


# --- what each agent is told -----------------------------------------------------------------


def said(agent: str, event: str, given: Answer, payload: dict[str, Any] | None = None) -> Reply:
    module = translate(agent)
    payload = {} if payload is None else payload
    reply: Reply = module.from_claude(event, given, payload, module.to_claude(event, payload))
    return reply


def answer(**fields: Any) -> Answer:
    made = Answer()
    for name, value in fields.items():
        setattr(made, name, value)
    return made


def hso(event: str, **fields: Any) -> dict[str, Any]:
    return {"hookSpecificOutput": {"hookEventName": event, **fields}}


DENY = {"decision": "deny", "reason": "no"}
BLOCK = {"decision": "block", "reason": "no"}
ALLOW = {"decision": "allow"}
REWRITE = {"decision": "allow", "updated_input": {"command": "new"}}
CONTEXT = {"contexts": ["one", "two"]}
MESSAGE = {"system_message": "look"}
TOLD = {"additionalContext": "one\ntwo"}
NO = {"behavior": "deny", "message": "no"}
NO_WORD = {"behavior": "deny", "message": "Blocked by hook"}

Row = tuple[str, str, dict[str, Any], dict[str, Any] | None, list[str]]
TABLE: list[Row] = [
    ("claude", FAILED, {**BLOCK, **CONTEXT}, {**BLOCK, **hso(FAILED, **TOLD)}, []),
    ("claude", BEGUN, CONTEXT, hso(BEGUN, **TOLD), []),
    ("claude", ENDED, BLOCK, BLOCK, []),
    ("claude", ASKED, DENY, hso(ASKED, decision=NO), []),
    ("claude", ASKED, {"decision": "deny"}, hso(ASKED, decision=NO_WORD), []),
    ("claude", ASKED, ALLOW, hso(ASKED, decision={"behavior": "allow"}), []),
    (
        "claude",
        ASKED,
        REWRITE,
        hso(ASKED, decision={"behavior": "allow", "updatedInput": {"command": "new"}}),
        [],
    ),
    ("claude", ASKED, CONTEXT, None, ["additionalContext"]),
    ("claude", NOTICE, MESSAGE, {"systemMessage": "look"}, []),
    ("codex", BEGUN, {**CONTEXT, **MESSAGE}, hso(BEGUN, **TOLD), ["systemMessage"]),
    ("codex", ENDED, {**BLOCK, **MESSAGE}, BLOCK, ["systemMessage"]),
    ("codex", ASKED, DENY, hso(ASKED, decision=NO), []),
    ("codex", ASKED, {"decision": "deny", "reason": " "}, hso(ASKED, decision=NO_WORD), []),
    ("codex", ASKED, ALLOW, hso(ASKED, decision={"behavior": "allow"}), []),
    ("codex", ASKED, REWRITE, None, ["allow", "updatedInput"]),
    ("codex", ASKED, {**CONTEXT, **MESSAGE}, None, ["additionalContext", "systemMessage"]),
    ("codex", FAILED, BLOCK, None, ["block"]),
    ("gemini", NOTICE, MESSAGE, {"systemMessage": "look"}, []),
    ("gemini", ASKED, DENY, None, ["deny"]),
    ("copilot", ASKED, DENY, NO, []),
    ("copilot", ASKED, ALLOW, {"behavior": "allow"}, []),
    ("copilot", ASKED, REWRITE, None, ["allow", "updatedInput"]),
    ("copilot", FAILED, {**BLOCK, **CONTEXT}, {"additionalContext": "no\none\ntwo"}, []),
    ("copilot", BEGUN, CONTEXT, TOLD, []),
    ("copilot", ENDED, BLOCK, BLOCK, []),
    ("cursor", ENDED, BLOCK, {"followup_message": "no"}, []),
    ("cursor", BEGUN, CONTEXT, None, ["additionalContext"]),
    ("vscode", BEGUN, CONTEXT, hso(BEGUN, **TOLD), []),
    ("vscode", ENDED, BLOCK, BLOCK, []),
    ("vscode", ASKED, DENY, None, ["deny"]),
    ("antigravity", ENDED, BLOCK, None, ["block"]),
    ("qwen", FAILED, {**BLOCK, **CONTEXT}, hso(FAILED, additionalContext="no\none\ntwo"), []),
    ("qwen", ENDED, BLOCK, BLOCK, []),
    ("qwen", BEGUN, CONTEXT, None, ["additionalContext"]),
    ("qwen", ASKED, DENY, hso(ASKED, decision=NO), []),
    (
        "qwen",
        ASKED,
        REWRITE,
        hso(ASKED, decision={"behavior": "allow", "updatedInput": {"command": "new"}}),
        [],
    ),
    ("droid", ENDED, BLOCK, None, ["block"]),
    ("kimi", ASKED, DENY, None, ["deny"]),
]


@pytest.mark.parametrize(
    ("agent", "event", "fields", "out", "dropped"),
    [pytest.param(*row, id=f"{row[0]}-{row[1]}-{number}") for number, row in enumerate(TABLE)],
)
def test_an_answer_has_this_native_form(
    agent: str, event: str, fields: dict[str, Any], out: dict[str, Any] | None, dropped: list[str]
) -> None:
    reply = said(agent, event, answer(**fields))
    assert reply.out == out
    assert reply.dropped == dropped


@pytest.mark.parametrize("agent", ["codex", "copilot"])
def test_what_a_hook_allows_of_a_patch_is_one_file_and_not_the_others(agent: str) -> None:
    payload = {
        "codex": {"tool_name": "apply_patch", "tool_input": {"command": PATCH}},
        "copilot": {"toolName": "apply_patch", "toolInput": {"input": PATCH}},
    }[agent]
    assert len(translate(agent).to_claude(ASKED, payload)) == 2
    assert said(agent, ASKED, answer(**ALLOW), payload).out is None
    assert said(agent, ASKED, answer(**DENY), payload).out is not None


@pytest.mark.parametrize("agent", agents.names())
def test_what_can_be_expressed_is_what_the_facts_say(agent: str) -> None:
    supported = translate(agent).SUPPORTED
    assert set(supported) == set(EVENTS)
    facts = agents.facts_of(agent)
    for event in MORE:
        assert set(supported[event]) <= set(CAPABILITIES[event])
        for word in CAPABILITIES[event]:
            cell = facts.cell(event, word)
            meets = {cell.support, *cell.surfaces.values()} & MEETS
            if cell.support != "unknown" or meets:
                assert (word in supported[event]) == bool(meets), f"{event}.{word}"


def test_codexs_constant_entries_hold_what_it_has_and_no_more() -> None:
    events = [entry.event for entry in agents.load("codex").wiring.entries(("Stop",), 10)]
    assert {ASKED, BEGUN, ENDED} <= set(events)
    assert not {FAILED, NOTICE} & set(events)
