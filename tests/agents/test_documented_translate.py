"""VS Code and Antigravity, by their documentation: payloads, answers, and who is recognised.

Their payload samples say where each is from; none was recorded here.
"""

from __future__ import annotations

import copy
import importlib
import json
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

from hookpm import agents
from hookpm.contract.answer import Answer, Reply
from hookpm.contract.events import CAPABILITIES, EVENTS

AGENTS = ("antigravity", "vscode")
PAYLOADS = Path(__file__).parent / "payloads"
ALL = [name for name in agents.names() if (Path(agents.__file__).parent / name).is_dir()]
SAMPLED = ("claude", "codex", "copilot", "cursor", "gemini", *AGENTS)

PRE, POST, PROMPT = "PreToolUse", "PostToolUse", "UserPromptSubmit"
START, END, STOP, COMPACT = "SessionStart", "SessionEnd", "Stop", "PreCompact"


def translate(agent: str) -> ModuleType:
    return importlib.import_module(f"hookpm.agents.{agent}.translate")


def samples(agent: str) -> list[dict[str, Any]]:
    loaded: list[dict[str, Any]] = json.loads((PAYLOADS / f"{agent}.json").read_text("utf-8"))
    return loaded


def each_sample(names: tuple[str, ...]) -> list[Any]:
    return [
        pytest.param(agent, sample, id=f"{agent}-{sample['name']}")
        for agent in names
        for sample in samples(agent)
    ]


@pytest.mark.parametrize(("agent", "sample"), each_sample(AGENTS))
def test_a_payload_is_shown_to_hooks_in_claudes_form(agent: str, sample: dict[str, Any]) -> None:
    assert sample["from"]
    payload = copy.deepcopy(sample["payload"])
    calls = translate(agent).to_claude(sample["event"], payload)
    assert payload == sample["payload"]
    assert all(call["hook_event_name"] == sample["event"] for call in calls)
    if "calls" in sample:
        assert [[call["tool_name"], call["tool_input"]] for call in calls] == sample["calls"]
    else:
        assert len(calls) == 1
    for call in calls:
        for key, value in sample.get("fields", {}).items():
            assert call[key] == value
        for key in sample.get("absent", ()):
            assert key not in call


@pytest.mark.parametrize(("agent", "sample"), each_sample(SAMPLED))
def test_a_payload_proves_its_agent_and_no_other(agent: str, sample: dict[str, Any]) -> None:
    payload = sample["payload"]
    assert [name for name in ALL if translate(name).recognises(payload)] == [agent]


@pytest.mark.parametrize("agent", AGENTS)
def test_a_payload_without_marks_proves_nobody(agent: str) -> None:
    bare = {"hook_event_name": PRE, "tool_name": "Bash", "tool_input": {"command": "ls"}}
    assert not translate(agent).recognises(bare)
    assert not translate(agent).recognises({})


def test_copilots_answer_to_claudes_event_names_is_not_taken_for_vs_codes() -> None:
    common = {"session_id": "p", "timestamp": "2026-11-30T10:00:00.000Z", "cwd": "/work/repo"}
    transcript = {"transcript_path": "/h/.copilot/session-state/p/events.jsonl"}
    for payload in (
        {**common, "hook_event_name": PRE, "tool_name": "Bash", "tool_input": {"command": "ls"}},
        {**common, "hook_event_name": START, "source": "new", "initial_prompt": "do it"},
        {**common, "hook_event_name": PROMPT, "prompt": "do it"},
        {**common, **transcript, "hook_event_name": STOP, "stop_reason": "end_turn"},
        {**common, **transcript, "hook_event_name": COMPACT, "custom_instructions": ""},
    ):
        assert not translate("vscode").recognises(payload)


@pytest.mark.parametrize("agent", AGENTS)
def test_native_event_names_lead_to_claudes(agent: str) -> None:
    facts = agents.facts_of(agent)
    native = {facts.native(event): event for event in EVENTS if facts.native(event)}
    assert native == translate(agent).EVENTS
    assert set(translate(agent).SUPPORTED) == set(EVENTS)


@pytest.mark.parametrize("agent", AGENTS)
@pytest.mark.parametrize("given", [None, "text", ["a"], 5, '{"command": 1}'])
def test_a_tool_input_that_is_no_object_still_becomes_one(agent: str, given: Any) -> None:
    for payload in (
        {"tool_name": ["x"], "tool_input": given},
        {"tool_name": "editFiles", "tool_input": {"files": given}},
        {"toolCall": {"name": "run_command", "args": given}},
        {"toolCall": {"name": "call_mcp_tool", "args": {"Arguments": given}}},
        {"toolCall": given},
    ):
        for call in translate(agent).to_claude(PRE, payload):
            assert isinstance(call["tool_input"], dict)
            assert isinstance(call["tool_name"], str)


# --- answers ---------------------------------------------------------------------------------

SHELL = {
    "vscode": {"tool_name": "run_in_terminal", "tool_input": {"command": "old", "explanation": 1}},
    "antigravity": {
        "toolCall": {"name": "run_command", "args": {"CommandLine": "old", "Cwd": "/r"}}
    },
}


def said(agent: str, event: str, fields: dict[str, Any], payload: Any = None) -> Reply:
    made = Answer()
    for name, value in fields.items():
        setattr(made, name, value)
    module = translate(agent)
    payload = SHELL[agent] if payload is None else payload
    reply: Reply = module.from_claude(event, made, payload, module.to_claude(event, payload))
    return reply


def hso(event: str, **fields: Any) -> dict[str, Any]:
    return {"hookSpecificOutput": {"hookEventName": event, **fields}}


DENY = {"decision": "deny", "reason": "no"}
ASK = {"decision": "ask", "reason": "sure?"}
BLOCK = {"decision": "block", "reason": "no"}
REWRITE = {"updated_input": {"command": "new"}}
STOPS = {"stop": True, "stop_reason": "enough"}
CONTEXT = {"contexts": ["one", "two"]}
MESSAGE = {"system_message": "look"}
ENDED = {"continue": False, "stopReason": "enough"}
DENIED = {"permissionDecision": "deny", "permissionDecisionReason": "no"}
SHOWN = {"systemMessage": "look"}
TOLD = {"additionalContext": "one\ntwo"}
NEW = {"command": "new", "explanation": 1}
OVERWRITE = {"CommandLine": "new", "Cwd": "/r"}

Row = tuple[str, str, dict[str, Any], dict[str, Any] | None, list[str]]
TABLE: list[Row] = [
    ("vscode", PRE, {}, None, []),
    ("vscode", PRE, DENY, hso(PRE, **DENIED), []),
    (
        "vscode",
        PRE,
        ASK,
        hso(PRE, permissionDecision="ask", permissionDecisionReason="sure?"),
        [],
    ),
    ("vscode", PRE, {"decision": "allow"}, hso(PRE, permissionDecision="allow"), []),
    ("vscode", PRE, {"decision": "defer"}, None, ["defer"]),
    ("vscode", PRE, REWRITE, hso(PRE, updatedInput=NEW), []),
    ("vscode", PRE, {**DENY, **REWRITE}, hso(PRE, **DENIED), []),
    (
        "vscode",
        PRE,
        {**DENY, **CONTEXT, **STOPS, **MESSAGE, "extras": {"foo": 1}},
        {**hso(PRE, **DENIED, **TOLD), **ENDED, **SHOWN},
        [],
    ),
    ("vscode", POST, {**BLOCK, **CONTEXT}, {**BLOCK, **hso(POST, **TOLD)}, []),
    ("vscode", POST, STOPS, ENDED, []),
    ("vscode", PROMPT, BLOCK, {"continue": False, "stopReason": "no"}, []),
    ("vscode", PROMPT, {**BLOCK, **STOPS}, {"continue": False, "stopReason": "no"}, []),
    ("vscode", PROMPT, {**CONTEXT, **MESSAGE}, {**hso(PROMPT, **TOLD), **SHOWN}, []),
    ("vscode", START, {**CONTEXT, **MESSAGE}, {**hso(START, **TOLD), **SHOWN}, []),
    ("vscode", START, {**BLOCK, **STOPS}, None, ["block", "continue:false"]),
    ("vscode", STOP, BLOCK, {**BLOCK, **hso(STOP, **BLOCK)}, []),
    ("vscode", STOP, {**BLOCK, **STOPS}, ENDED, []),
    ("vscode", STOP, CONTEXT, None, ["additionalContext"]),
    ("vscode", COMPACT, {**BLOCK, **MESSAGE}, SHOWN, ["block"]),
    ("vscode", END, MESSAGE, None, ["systemMessage"]),
    ("antigravity", PRE, {}, None, []),
    ("antigravity", PRE, DENY, {"decision": "deny", "reason": "no"}, []),
    (
        "antigravity",
        PRE,
        {"decision": "deny", "reason": " "},
        {"decision": "deny", "reason": "Blocked by hook"},
        [],
    ),
    ("antigravity", PRE, ASK, {"decision": "ask", "reason": "sure?"}, []),
    ("antigravity", PRE, {"decision": "allow"}, None, ["allow"]),
    ("antigravity", PRE, {"decision": "defer"}, None, ["defer"]),
    ("antigravity", PRE, REWRITE, {"decision": "allow", "overwrite": OVERWRITE}, []),
    (
        "antigravity",
        PRE,
        {**ASK, **REWRITE},
        {"decision": "ask", "reason": "sure?", "overwrite": OVERWRITE},
        [],
    ),
    ("antigravity", PRE, {**DENY, **REWRITE}, {"decision": "deny", "reason": "no"}, []),
    (
        "antigravity",
        PRE,
        {**CONTEXT, **STOPS, **MESSAGE},
        None,
        ["additionalContext", "continue:false", "systemMessage"],
    ),
    ("antigravity", POST, {**BLOCK, **CONTEXT}, None, ["block", "additionalContext"]),
    ("antigravity", START, CONTEXT, None, ["additionalContext"]),
    ("antigravity", STOP, BLOCK, {"decision": "continue", "reason": "no"}, []),
    ("antigravity", STOP, {**BLOCK, **STOPS}, None, []),
    ("antigravity", STOP, MESSAGE, None, ["systemMessage"]),
]


@pytest.mark.parametrize(
    ("agent", "event", "fields", "out", "dropped"),
    [pytest.param(*row, id=f"{row[0]}-{row[1]}-{number}") for number, row in enumerate(TABLE)],
)
def test_an_answer_has_this_native_form(
    agent: str,
    event: str,
    fields: dict[str, Any],
    out: dict[str, Any] | None,
    dropped: list[str],
) -> None:
    reply = said(agent, event, fields)
    assert reply.out == out
    assert reply.dropped == dropped


@pytest.mark.parametrize("agent", AGENTS)
def test_every_word_that_is_supported_is_in_the_contract(agent: str) -> None:
    for event, words in translate(agent).SUPPORTED.items():
        assert set(words) <= set(CAPABILITIES[event])


def test_a_rewritten_file_goes_back_in_vs_codes_names() -> None:
    edit = {
        "tool_name": "replace_string_in_file",
        "tool_input": {"filePath": "a", "oldString": "x", "newString": "y"},
    }
    wanted = {"file_path": "b", "old_string": "x", "new_string": "z"}
    out = said("vscode", PRE, {"updated_input": wanted}, edit).out
    assert out == hso(PRE, updatedInput={"filePath": "b", "oldString": "x", "newString": "z"})


def test_a_rewrite_is_refused_where_vs_code_changes_several_files_or_a_patch() -> None:
    for tool, given in (
        ("multi_replace_string_in_file", {"replacements": [{"filePath": "a"}]}),
        ("editFiles", {"files": ["a"]}),
        ("apply_patch", {"input": "*** Begin Patch\n*** Add File: a\n+1\n*** End Patch"}),
    ):
        payload = {"tool_name": tool, "tool_input": given}
        calls = translate("vscode").to_claude(PRE, payload)
        assert len(calls) == 1
        assert not translate("vscode").can_rewrite(payload, calls)
        assert said("vscode", PRE, REWRITE, payload).dropped == ["updatedInput"]


def test_a_rewritten_mcp_call_of_antigravity_keeps_server_and_tool() -> None:
    payload = {
        "toolCall": {
            "name": "call_mcp_tool",
            "args": {"ServerName": "s", "ToolName": "t", "Arguments": {"a": 1}},
        }
    }
    out = said("antigravity", PRE, {"updated_input": {"a": 2}}, payload).out
    assert out == {"decision": "allow", "overwrite": {"Arguments": {"a": 2}}}


def test_antigravitys_neutral_answer_decides_before_a_tool_and_says_nothing_elsewhere() -> None:
    neutral = translate("antigravity").NEUTRAL
    assert neutral(PRE) == {"decision": "allow"}
    assert all(neutral(event) == {} for event in EVENTS if event != PRE)


def test_no_other_agent_has_a_neutral_answer() -> None:
    assert [name for name in ALL if hasattr(translate(name), "NEUTRAL")] == ["antigravity"]
