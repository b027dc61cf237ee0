"""A call as the agent itself would send it: hooks have to see it as it was meant."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from hookpm import agents
from hookpm.contract.events import CANARY_TOOL, EVENTS, TOOL_EVENTS
from hookpm.project.trying import native

ROOT = Path("/work/shop")
SHELL = {"tool_name": "Bash", "tool_input": {"command": "git push --force"}}
WRITE = {"tool_name": "Write", "tool_input": {"file_path": "a.txt", "content": "x\n"}}
EDIT = {
    "tool_name": "Edit",
    "tool_input": {"file_path": ".env", "old_string": "a", "new_string": "b"},
}
READ = {"tool_name": "Read", "tool_input": {"file_path": ".env"}}
MCP = {"tool_name": "mcp__files__read", "tool_input": {"path": "x"}}
OTHER: dict[str, dict[str, Any]] = {
    "UserPromptSubmit": {"prompt": "deploy it"},
    "Stop": {"stop_hook_active": True},
    "SubagentStop": {"stop_hook_active": True, "agent_type": "reviewer"},
    "SubagentStart": {"agent_type": "reviewer"},
    "SessionStart": {"source": "startup"},
    "SessionEnd": {"reason": "other"},
    "PreCompact": {"trigger": "auto"},
    "Notification": {"message": "done"},
}
# Cline does not say whether a hook has kept it going; that is in its translation.
CANNOT_SAY = {("cline", "Stop")}
PAIRS = [
    (agent.name, event)
    for agent in agents.all_agents()
    for event in EVENTS
    if agent.facts.native(event)
]


def calls(event: str) -> list[dict[str, Any]]:
    return [SHELL, WRITE, EDIT, READ, MCP] if event in TOOL_EVENTS else [OTHER[event]]


@pytest.mark.parametrize(("name", "event"), PAIRS)
def test_hooks_see_a_call_as_it_was_meant(name: str, event: str) -> None:
    agent = agents.load(name)
    for call in calls(event):
        sent = native.payload(agent, event, call, ROOT)
        if (name, event) not in CANNOT_SAY:
            assert native.differences(agent, event, call, sent) == []
        assert CANARY_TOOL not in json.dumps(sent)
        assert "hookpm-canary" not in json.dumps(sent)


@pytest.mark.parametrize(("name", "event"), PAIRS)
def test_no_other_agent_takes_the_call_for_its_own(name: str, event: str) -> None:
    agent = agents.load(name)
    for call in calls(event):
        sent = native.payload(agent, event, call, ROOT)
        others = [each for each in agents.all_agents() if each.name != name]
        assert [o.name for o in others if native.translation(o).recognises(sent)] == []


@pytest.mark.parametrize(
    ("name", "tool", "words"),
    [
        ("gemini", SHELL, ["run_shell_command"]),
        ("qwen", READ, ["read_file"]),
        ("copilot", WRITE, ["create", "file_text", '"path"']),
        ("cursor", SHELL, ["Shell"]),
        ("codex", EDIT, ["apply_patch", "*** Update File: .env"]),
        ("cline", SHELL, ["run_commands", "commands"]),
        ("pi", EDIT, ["edits", "oldText"]),
        ("opencode", READ, ["filePath"]),
        ("droid", SHELL, ["Execute"]),
        ("antigravity", SHELL, ["run_command", "CommandLine"]),
    ],
)
def test_the_payload_has_the_agents_own_words(
    name: str, tool: dict[str, Any], words: list[str]
) -> None:
    sent = json.dumps(native.payload(agents.load(name), "PreToolUse", tool, ROOT))
    assert [word for word in words if word not in sent] == []


TEXT = st.text(st.characters(blacklist_categories=["Cs"], blacklist_characters="\r\x0b\x0c\x85"))


@settings(max_examples=60, deadline=None)
@given(command=TEXT, name=st.sampled_from(agents.names()))
def test_any_command_arrives_as_it_is(command: str, name: str) -> None:
    agent = agents.load(name)
    call = {"tool_name": "Bash", "tool_input": {"command": command}}
    sent = native.payload(agent, "PreToolUse", call, ROOT)
    seen = native.seen(agent, "PreToolUse", sent)
    assert seen[0]["tool_input"]["command"] == command
