"""Qwen Code: what it sends in Claude's form, the answers that it obeys, its settings file."""

from __future__ import annotations

import copy
import importlib
import json
from pathlib import Path
from typing import Any

import pytest

from hookpm import agents
from hookpm.agents.qwen import translate, wiring
from hookpm.contract.answer import Answer, Reply
from hookpm.contract.events import EVENTS
from hookpm.edit.jsondoc import parse

PAYLOADS = Path(__file__).parent / "payloads"
SAMPLES: list[dict[str, Any]] = json.loads((PAYLOADS / "qwen.json").read_text("utf-8"))
PRE, POST, PROMPT = "PreToolUse", "PostToolUse", "UserPromptSubmit"
START, END, STOP, COMPACT = "SessionStart", "SessionEnd", "Stop", "PreCompact"


@pytest.mark.parametrize("sample", SAMPLES, ids=lambda sample: sample["name"])
def test_a_payload_is_shown_to_hooks_in_claudes_form(sample: dict[str, Any]) -> None:
    payload = copy.deepcopy(sample["payload"])
    calls = translate.to_claude(sample["event"], payload)
    assert payload == sample["payload"]
    if "calls" in sample:
        assert [[call["tool_name"], call["tool_input"]] for call in calls] == sample["calls"]
    (call,) = calls
    assert call["hook_event_name"] == sample["event"]
    for key, value in sample.get("fields", {}).items():
        assert call[key] == value


@pytest.mark.parametrize("sample", SAMPLES, ids=lambda sample: sample["name"])
def test_a_payload_proves_qwen_and_nobody_else(sample: dict[str, Any]) -> None:
    modules = {
        name: importlib.import_module(f"hookpm.agents.{name}.translate") for name in agents.names()
    }
    claims = [name for name in modules if modules[name].recognises(sample["payload"])]
    assert claims == ["qwen"]


def test_an_older_qwen_that_sends_no_mode_is_known_by_its_transcript() -> None:
    given = {
        "session_id": "q1",
        "transcript_path": "/home/u/.qwen/projects/-work-repo/chats/q1.jsonl",
        "hook_event_name": PROMPT,
        "timestamp": "2026-11-30T10:00:00.000Z",
        "prompt": "Do it",
    }
    assert translate.recognises(given)
    assert not translate.recognises({**given, "transcript_path": "/h/chats/q1.jsonl"})
    assert not translate.recognises({**given, "session_id": "q2"})


def test_a_prompt_event_that_only_passes_on_a_tools_result_is_nothing_to_judge() -> None:
    given = {"hook_event_name": PROMPT, "prompt": ""}
    assert translate.to_claude(PROMPT, given) == []
    assert translate.to_claude(PROMPT, {**given, "prompt": " \n"}) == []


def test_a_typed_prompt_is_judged_although_qwen_cannot_prove_who_typed_it() -> None:
    typed = {"hook_event_name": PROMPT, "prompt": "Do it"}  # so it comes from Vim mode
    assert [call["prompt"] for call in translate.to_claude(PROMPT, typed)] == ["Do it"]
    empty = {"hook_event_name": PROMPT, "prompt": "", "submitted_prompt": ""}
    assert len(translate.to_claude(PROMPT, empty)) == 1


def said(event: str, **fields: Any) -> Reply:
    answer = Answer()
    for name, value in fields.items():
        setattr(answer, name, value)
    payload = {"tool_name": "run_shell_command", "tool_input": {"command": "old"}}
    return translate.from_claude(event, answer, payload, translate.to_claude(event, payload))


def hso(event: str, **fields: Any) -> dict[str, Any]:
    return {"hookSpecificOutput": {"hookEventName": event, **fields}}


def denied(reason: str) -> dict[str, Any]:
    return {
        "decision": "deny",
        "reason": reason,
        "continue": False,
        "stopReason": reason,
        **hso(PRE, permissionDecision="deny", permissionDecisionReason=reason),
    }


DENY = {"decision": "deny", "reason": "no"}
BLOCK = {"decision": "block", "reason": "no"}
CONTEXT = {"contexts": ["one", "two"]}
STOPS = {"stop": True, "stop_reason": "enough"}
MESSAGE = {"system_message": "look"}
TOLD = {"additionalContext": "one\ntwo"}
ENDED = {"continue": False, "stopReason": "enough"}
LOST = ["additionalContext", "continue:false", "systemMessage"]

ROWS: list[tuple[str, dict[str, Any], dict[str, Any] | None, list[str]]] = [
    (PRE, {}, None, []),
    (PRE, DENY, denied("no"), []),
    (PRE, {"decision": "deny", "reason": " "}, denied("Blocked by hook"), []),
    (PRE, {**DENY, "updated_input": {"command": "new"}}, denied("no"), []),
    (PRE, {**DENY, **CONTEXT, **STOPS, **MESSAGE}, denied("no"), LOST),
    (
        PRE,
        {"decision": "ask", "reason": "sure?"},
        {
            "decision": "ask",
            "reason": "sure?",
            **hso(PRE, permissionDecision="ask", permissionDecisionReason="sure?"),
        },
        [],
    ),
    (
        PRE,
        {"decision": "ask"},
        {"decision": "ask", **hso(PRE, permissionDecision="ask")},
        [],
    ),
    (PRE, {"decision": "allow", "reason": "fine"}, None, ["allow"]),
    (PRE, {"decision": "defer"}, None, ["defer"]),
    (PRE, {"updated_input": {"command": "new"}}, None, ["updatedInput"]),
    (PRE, {**CONTEXT, **STOPS, **MESSAGE}, None, LOST),
    (POST, BLOCK, hso(POST, additionalContext="no"), []),
    (POST, {**BLOCK, **CONTEXT}, hso(POST, additionalContext="no\none\ntwo"), []),
    (POST, {**STOPS, **MESSAGE}, None, ["continue:false", "systemMessage"]),
    (PROMPT, BLOCK, BLOCK, []),
    (PROMPT, {**BLOCK, **STOPS}, BLOCK, []),
    (PROMPT, CONTEXT, hso(PROMPT, **TOLD), []),
    (PROMPT, {**STOPS, **MESSAGE}, ENDED, ["systemMessage"]),
    (START, {**CONTEXT, **MESSAGE}, hso(START, **TOLD), ["systemMessage"]),
    (START, {**BLOCK, **STOPS}, None, ["block", "continue:false"]),
    (END, MESSAGE, None, ["systemMessage"]),
    (STOP, BLOCK, BLOCK, []),
    (STOP, STOPS, None, []),
    (STOP, {**BLOCK, **STOPS, **MESSAGE}, {"systemMessage": "look"}, []),
    (STOP, CONTEXT, None, ["additionalContext"]),
    (COMPACT, {**BLOCK, **MESSAGE}, None, ["block", "systemMessage"]),
]


@pytest.mark.parametrize(("event", "fields", "out", "dropped"), ROWS)
def test_an_answer_has_this_native_form(
    event: str, fields: dict[str, Any], out: dict[str, Any] | None, dropped: list[str]
) -> None:
    made = said(event, **fields)
    assert made.out == out
    assert made.dropped == dropped
    assert made.refusal == ""


def test_allow_is_never_said_since_it_would_undo_other_hooks_refusals() -> None:
    for event in EVENTS:
        if event == "PermissionRequest":  # there it stands for the user's own word
            continue
        made = said(event, decision="allow", reason="fine", contexts=["x"])
        assert "allow" not in json.dumps(made.out)


def test_continue_false_is_never_said_at_stop_where_it_keeps_the_agent_going() -> None:
    for fields in (STOPS, {**BLOCK, **STOPS}, {**STOPS, **MESSAGE}):
        assert "continue" not in (said(STOP, **fields).out or {})


# --- the settings file -------------------------------------------------------------------------


def findings(text: str) -> list[int]:
    return [finding.line for finding in wiring.dropped_by(parse(text, "the file"))]


def test_the_timeout_is_in_milliseconds_which_every_version_reads_alike() -> None:
    for longest, milliseconds in ((5.0, 600_000), (595.5, 606_000), (3600, 3_610_000)):
        (entry,) = wiring.entries((PRE,), longest)
        assert entry.value["hooks"][0]["timeout"] == milliseconds


def test_a_new_file_has_the_version_that_qwen_would_add() -> None:
    assert wiring.SKELETON["$version"] == 4


def test_comments_and_unknown_events_are_fine_and_a_trailing_comma_is_not() -> None:
    assert findings('{ // one\n"hooks": {"BeforeTool": []}} /* two */') == []
    assert findings('{"hooks": {"Stop": [\n],\n}}') == [2]


def test_only_qwens_own_switch_counts() -> None:
    off = wiring.switched_off(parse('{"hooks": {},\n"disableAllHooks": true}', "the file"))
    assert [finding.line for finding in off] == [2]
    dead = '{"hooksConfig": {"enabled": false}}'
    assert wiring.switched_off(parse(dead, "the file")) == []


TEXT = "hookpm canary n0nce: 3 hooks"


def test_a_deny_that_another_hooks_allow_would_undo_is_no_proof() -> None:
    weak = json.dumps(hso(PRE, permissionDecision="deny", permissionDecisionReason=TEXT))
    assert not wiring.read_canary(PRE, "n0nce", weak, "")
