"""A rewritten input goes back in the agent's own names, or is dropped where it has none."""

from __future__ import annotations

import importlib
from typing import Any

import pytest

from hookpm.contract.answer import Answer, Reply


def rewritten(agent: str, payload: dict[str, Any], updated: dict[str, Any]) -> Reply:
    module = importlib.import_module(f"hookpm.agents.{agent}.translate")
    answer = Answer()
    answer.updated_input = updated
    calls = module.to_claude("PreToolUse", payload)
    reply: Reply = module.from_claude("PreToolUse", answer, payload, calls)
    return reply


@pytest.mark.parametrize(
    ("agent", "payload", "rewrite", "native"),
    [
        (
            "gemini",
            {
                "tool_name": "replace",
                "tool_input": {
                    "file_path": "a",
                    "instruction": "i",
                    "old_string": "x",
                    "new_string": "y",
                    "allow_multiple": True,
                },
            },
            {"file_path": "b", "old_string": "x", "new_string": "z"},
            {"file_path": "b", "instruction": "i", "old_string": "x", "new_string": "z"},
        ),
        (
            "copilot",
            {"toolName": "edit", "toolArgs": {"path": "a", "old_str": "x", "new_str": "y"}},
            {"file_path": "b", "old_string": "x", "new_string": "z"},
            {"path": "b", "old_str": "x", "new_str": "z"},
        ),
        (
            "copilot",
            {"tool_name": "Read", "tool_input": {"path": "a", "view_range": [1, 2]}},
            {"file_path": "b"},
            {"path": "b", "view_range": [1, 2]},
        ),
        (
            "copilot",
            {"toolName": "view", "toolArgs": {"path": "a", "file_path": "decoy"}},
            {"file_path": "b"},
            {"path": "b"},
        ),
        (
            "cursor",
            {"tool_name": "Write", "tool_input": {"path": "a", "contents": "x"}},
            {"file_path": "b", "content": "y"},
            {"path": "b", "contents": "y"},
        ),
        (
            "cursor",
            {"tool_name": "Write", "tool_input": {"file_path": "a", "content": "x"}},
            {"file_path": "b", "content": "y"},
            {"file_path": "b", "content": "y"},
        ),
        (
            "gemini",
            {
                "tool_name": "mcp_probe_echo",
                "tool_input": {"text": "a", "loud": True},
                "mcp_context": {"server_name": "probe", "tool_name": "echo"},
            },
            {"text": "b"},
            {"text": "b"},
        ),
        ("codex", {"tool_name": "mcp__p__e", "tool_input": {"a": 1}}, {"b": 2}, {"b": 2}),
    ],
)
def test_a_rewrite_goes_back_under_the_agents_own_names(
    agent: str, payload: dict[str, Any], rewrite: dict[str, Any], native: dict[str, Any]
) -> None:
    out = rewritten(agent, payload, rewrite).out or {}
    specific = out.get("hookSpecificOutput", {})
    given = [
        out.get("modifiedArgs"),
        out.get("updated_input"),
        specific.get("tool_input"),
        specific.get("updatedInput"),
    ]
    assert [one for one in given if one is not None] == [native]


PATCH = "*** Begin Patch\n*** Add File: a\n+1\n*** End Patch"


@pytest.mark.parametrize(
    ("agent", "payload"),
    [
        ("codex", {"tool_name": "apply_patch", "tool_input": {"command": PATCH}}),
        ("codex", {"tool_name": "view_image", "tool_input": {"path": "a"}}),
        (
            "codex",
            {
                "tool_name": "Bash",
                "tool_input": {"command": f"apply_patch <<'EOF'\n{PATCH}\nEOF"},
            },
        ),
        ("copilot", {"toolName": "apply_patch", "toolArgs": {"input": PATCH}}),
    ],
)
def test_what_has_no_native_form_for_a_rewrite_is_not_rewritten(
    agent: str, payload: dict[str, Any]
) -> None:
    reply = rewritten(agent, payload, {"content": "2"})
    assert reply.out is None
    assert reply.dropped == ["updatedInput"]
