"""What each agent sends, in Claude's form; and who is recognised by what it sends."""

from __future__ import annotations

import copy
import importlib
import json
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

from hookpm.agents.facts import MEETS, Facts, read
from hookpm.contract.events import CAPABILITIES, EVENTS

AGENTS = ("claude", "codex", "copilot", "cursor", "gemini")
PAYLOADS = Path(__file__).parent / "payloads"


def translate(agent: str) -> ModuleType:
    return importlib.import_module(f"hookpm.agents.{agent}.translate")


def samples(agent: str) -> list[dict[str, Any]]:
    loaded: list[dict[str, Any]] = json.loads((PAYLOADS / f"{agent}.json").read_text("utf-8"))
    return loaded


def each_sample() -> list[Any]:
    return [
        pytest.param(agent, sample, id=f"{agent}-{sample['name']}")
        for agent in AGENTS
        for sample in samples(agent)
    ]


@pytest.mark.parametrize(("agent", "sample"), each_sample())
def test_a_payload_is_shown_to_hooks_in_claudes_form(agent: str, sample: dict[str, Any]) -> None:
    payload = copy.deepcopy(sample["payload"])
    calls = translate(agent).to_claude(sample["event"], payload)
    assert payload == sample["payload"]
    assert all(call["hook_event_name"] == sample["event"] for call in calls)
    if "calls" in sample:
        seen = [[call["tool_name"], call["tool_input"]] for call in calls]
        assert seen == sample["calls"]
    else:
        assert len(calls) == 1
    for call in calls:
        for key, value in sample.get("fields", {}).items():
            assert call[key] == value
        for key in sample.get("absent", ()):
            assert key not in call


@pytest.mark.parametrize(("agent", "sample"), each_sample())
def test_a_payload_proves_its_agent_and_no_other(agent: str, sample: dict[str, Any]) -> None:
    assert [name for name in AGENTS if translate(name).recognises(sample["payload"])] == [agent]


@pytest.mark.parametrize("sample", samples("others"), ids=lambda s: s["agent"])
def test_the_payload_of_an_agent_without_a_translation_is_nobodys(sample: dict[str, Any]) -> None:
    assert not [name for name in AGENTS if translate(name).recognises(sample["payload"])]


@pytest.mark.parametrize("agent", AGENTS)
def test_a_payload_without_marks_proves_nobody(agent: str) -> None:
    bare = {"hook_event_name": "PreToolUse", "tool_name": "Bash", "tool_input": {"command": "ls"}}
    assert not translate(agent).recognises(bare)
    assert not translate(agent).recognises({})


def test_claudes_own_payload_is_passed_on_as_the_same_object() -> None:
    for sample in samples("claude"):
        assert translate("claude").to_claude(sample["event"], sample["payload"]) == [
            sample["payload"]
        ]
        assert (
            translate("claude").to_claude(sample["event"], sample["payload"])[0]
            is sample["payload"]
        )


@pytest.mark.parametrize("agent", AGENTS)
@pytest.mark.parametrize("given", [None, "text", ["a"], 5, '{"command": 1}'])
def test_a_tool_input_that_is_no_object_still_becomes_one(agent: str, given: Any) -> None:
    for keys in (("tool_name", "tool_input"), ("toolName", "toolArgs")):
        for call in translate(agent).to_claude("PreToolUse", {keys[0]: ["x"], keys[1]: given}):
            assert isinstance(call["tool_input"], dict)
            assert isinstance(call["tool_name"], str)


@pytest.mark.parametrize("agent", AGENTS)
def test_native_event_names_lead_to_claudes(agent: str) -> None:
    module = translate(agent)
    facts = facts_of(agent)
    has = [event for event in EVENTS if facts.native(event)]
    for event in has:
        assert module.EVENTS[facts.native(event)] == event
    assert set(module.EVENTS.values()) >= set(has)


@pytest.mark.parametrize("agent", AGENTS)
def test_what_can_be_expressed_is_what_the_facts_say(agent: str) -> None:
    facts = facts_of(agent)
    supported = translate(agent).SUPPORTED
    assert set(supported) == set(EVENTS)
    for event, words in CAPABILITIES.items():
        assert set(supported[event]) <= set(words)
        for word in words:
            cell = facts.cell(event, word)
            meets = {cell.support, *dict(cell.surfaces or {}).values()} & set(MEETS)
            if cell.support != "unknown" or meets:
                assert (word in supported[event]) == bool(meets), f"{event}.{word}"


def facts_of(agent: str) -> Facts:
    return read(Path(translate(agent).__file__ or "").parent / "facts.toml")
