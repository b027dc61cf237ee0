"""Kimi Code: its payloads in Claude's form, and the one refusal that it obeys."""

from __future__ import annotations

import copy
import importlib
import json
from pathlib import Path
from typing import Any

import pytest

from hookpm import agents
from hookpm.agents.kimi import translate
from hookpm.contract.answer import Answer

SAMPLES: list[dict[str, Any]] = json.loads(
    (Path(__file__).parent / "payloads" / "kimi.json").read_text("utf-8")
)
PRE, POST, PROMPT = "PreToolUse", "PostToolUse", "UserPromptSubmit"
START, END, STOP, COMPACT = "SessionStart", "SessionEnd", "Stop", "PreCompact"


@pytest.mark.parametrize("sample", SAMPLES, ids=lambda sample: sample["name"])
def test_a_payload_is_shown_to_hooks_in_claudes_form(sample: dict[str, Any]) -> None:
    given = copy.deepcopy(sample["payload"])
    (call,) = translate.to_claude(sample["event"], given)
    assert given == sample["payload"]
    assert call["hook_event_name"] == sample["event"]
    if "calls" in sample:
        assert [[call["tool_name"], call["tool_input"]]] == sample["calls"]
    for key, value in sample.get("fields", {}).items():
        assert call[key] == value
    assert not set(sample.get("absent", ())) & set(call)


@pytest.mark.parametrize("sample", SAMPLES, ids=lambda sample: sample["name"])
def test_a_payload_proves_kimi_and_nobody_else(sample: dict[str, Any]) -> None:
    modules = {
        name: importlib.import_module(f"hookpm.agents.{name}.translate") for name in agents.names()
    }
    claims = [name for name in modules if modules[name].recognises(sample["payload"])]
    assert claims == ["kimi"]


@pytest.mark.parametrize("prompt", [None, 5, [], ["x"], [{"type": "text"}], {"text": "x"}])
def test_a_prompt_without_text_is_an_empty_one(prompt: Any) -> None:
    assert translate.to_claude(PROMPT, {"prompt": prompt})[0]["prompt"] == ""
    assert translate.to_claude(PROMPT, {"prompt": "plain"})[0]["prompt"] == "plain"


@pytest.mark.parametrize("folder", [None, 5, "", "/work"])
@pytest.mark.parametrize("named", [None, 5, "", "x", "/x"])
def test_a_shell_calls_folder_is_text_whatever_comes_in(folder: Any, named: Any) -> None:
    payload = {"cwd": folder, "tool_name": "Bash", "tool_input": {"cwd": named}}
    (call,) = translate.to_claude(PRE, payload)
    assert isinstance(call["cwd"], str)
    assert named != "/x" or call["cwd"] == "/x"


def refusal(event: str, why: str) -> dict[str, Any]:
    inner = {"permissionDecision": "deny", "permissionDecisionReason": why}
    return {"hookSpecificOutput": {"hookEventName": event, **inner}}


DENY = {"decision": "deny", "reason": "no"}
BLOCK = {"decision": "block", "reason": "no"}
STOPS = {"stop": True, "stop_reason": "enough"}
TOLD = {"contexts": ["one", "two"]}
MESSAGE = {"system_message": "look"}

ROWS: list[tuple[str, dict[str, Any], dict[str, Any] | None, list[str]]] = [
    (PRE, {}, None, []),
    (PRE, DENY, refusal(PRE, "no"), []),
    (PRE, {"decision": "deny", "reason": " "}, refusal(PRE, "Blocked by hook"), []),
    (PRE, {"decision": "ask"}, None, ["ask"]),
    (PRE, {"decision": "allow"}, None, ["allow"]),
    (PRE, {"decision": "defer"}, None, ["defer"]),
    (PRE, {"updated_input": {"command": "x"}}, None, ["updatedInput"]),
    (PRE, {**DENY, **TOLD}, refusal(PRE, "no"), ["additionalContext"]),
    (PRE, {**STOPS, **MESSAGE}, None, ["continue:false", "systemMessage"]),
    (PROMPT, BLOCK, refusal(PROMPT, "no"), []),
    (PROMPT, STOPS, refusal(PROMPT, "enough"), []),
    (PROMPT, {"stop": True}, refusal(PROMPT, "Blocked by hook"), []),
    (PROMPT, TOLD, {"message": "one\ntwo"}, []),
    (PROMPT, {"contexts": [" "]}, None, []),
    (PROMPT, MESSAGE, None, ["systemMessage"]),
    (PROMPT, {**BLOCK, **TOLD}, refusal(PROMPT, "no"), []),
    (STOP, BLOCK, refusal(STOP, "no"), []),
    (STOP, STOPS, None, []),
    (STOP, {**BLOCK, **STOPS}, None, []),
    (STOP, MESSAGE, None, ["systemMessage"]),
    (POST, {**BLOCK, **TOLD}, None, ["block", "additionalContext"]),
    (START, TOLD, None, ["additionalContext"]),
    (END, MESSAGE, None, ["systemMessage"]),
    (COMPACT, BLOCK, None, ["block"]),
]


@pytest.mark.parametrize(("event", "fields", "out", "dropped"), ROWS)
def test_an_answer_has_this_native_form(
    event: str, fields: dict[str, Any], out: dict[str, Any] | None, dropped: list[str]
) -> None:
    answer = Answer()
    for name, value in fields.items():
        setattr(answer, name, value)
    reply = translate.from_claude(event, answer, {}, [])
    assert (reply.out, reply.dropped) == (out, dropped)
