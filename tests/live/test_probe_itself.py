"""The probe sees what hooks do: each agent, with a hook of its own kind, written by hand."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import pytest

from hookpm.probe.run import Outcome
from hookpm.probe.script import Edit, Mcp, Read, Shell, Write, do, say

if TYPE_CHECKING:
    from tests.live.conftest import World

REASON = "This folder is closed by the test."
CLAUDE_DENIAL = {
    "hookSpecificOutput": {
        "hookEventName": "PreToolUse",
        "permissionDecision": "deny",
        "permissionDecisionReason": REASON,
    }
}
COPILOT_DENIAL = {"permissionDecision": "deny", "permissionDecisionReason": REASON}
GEMINI_DENIAL = {"decision": "deny", "reason": REASON}


def handler(answer: dict[str, Any], key: str = "command") -> dict[str, str]:
    """A hook that reads its input and prints the answer."""
    return {"type": "command", key: f"cat > /dev/null; printf %s '{json.dumps(answer)}'"}


def grouped(event: str, matcher: str, answer: dict[str, Any]) -> dict[str, Any]:
    """The form that Claude Code's config and those made after it have."""
    return {"hooks": {event: [{"matcher": matcher, "hooks": [handler(answer)]}]}}


CLINE_DENIAL = {"overrideInput": None, "contextModification": REASON}

# agent -> its config, in the project or in the home, and what denies every new file there
NATIVE_HOOKS: dict[str, tuple[str, dict[str, Any] | str]] = {
    "claude": (".claude/settings.json", grouped("PreToolUse", "Write", CLAUDE_DENIAL)),
    "cline": (
        ".clinerules/hooks/PreToolUse",  # for every tool: there are no matchers
        f"#!/bin/sh\n{handler(CLINE_DENIAL)['command']}\n",
    ),
    "codex": (".codex/hooks.json", grouped("PreToolUse", "Write", CLAUDE_DENIAL)),
    "droid": (
        ".factory/hooks.json",  # the events stand at the top of this one
        grouped("PreToolUse", "Create", CLAUDE_DENIAL)["hooks"],
    ),
    "gemini": (".gemini/settings.json", grouped("BeforeTool", "write_file", GEMINI_DENIAL)),
    "kimi": (
        "~/.kimi-code/config.toml",
        "[[hooks]]\nevent = 'PreToolUse'\nmatcher = '^Write$'\n"
        f"command = {json.dumps(handler(CLAUDE_DENIAL)['command'])}\n",
    ),
    "opencode": (
        ".opencode/plugins/test.js",
        "export const Test = async () => ({\n"
        '  "tool.execute.before": async (input) => {\n'
        f'    if (input.tool === "write") throw new Error({json.dumps(REASON)})\n'
        "  },\n"
        "})\n",
    ),
    "pi": (
        ".pi/extensions/test.js",
        "export default function (pi) {\n"
        f"  const denial = {{ block: true, reason: {json.dumps(REASON)} }}\n"
        '  pi.on("tool_call", (event) => (event.toolName === "write" ? denial : undefined))\n'
        "}\n",
    ),
    "qwen": (".qwen/settings.json", grouped("PreToolUse", "write_file", CLAUDE_DENIAL)),
    "copilot": (
        ".github/hooks/test.json",
        {
            "version": 1,
            "hooks": {"preToolUse": [{"matcher": "create", **handler(COPILOT_DENIAL, "bash")}]},
        },
    ),
}


# The reason comes after the tool's own result, as a message.
BESIDE_THE_RESULT = ("cline",)


def wire(agent: str, world: World) -> None:
    name, config = NATIVE_HOOKS[agent]
    path = world.home / name[2:] if name.startswith("~/") else world.repo / name
    path.parent.mkdir(parents=True)
    path.write_text(config if isinstance(config, str) else json.dumps(config))


WRITE = [do(Write("new.txt", "one\n")), say("done")]


def test_a_native_hook_denies_a_write_and_its_reason_reaches_the_model(
    agent: str, world: World
) -> None:
    wire(agent, world)

    outcome = world.drive(agent, WRITE)

    assert not (world.repo / "new.txt").exists(), outcome.report()
    assert outcome.model_saw(REASON, after=0), outcome.report()
    assert REASON in outcome.tool_results[0] or agent in BESIDE_THE_RESULT


def test_without_a_hook_every_tool_of_the_vocabulary_works(agent: str, world: World) -> None:
    outcome = world.drive(
        agent,
        [
            do(Write("new.txt", "one\ntwo\n")),
            do(Read("new.txt")),
            do(Edit("new.txt", "two\n", "three\n")),
            do(Shell("echo from the shell > shell.txt")),
            do(Mcp({"text": "from the test"})),
            say("done"),
        ],
    )

    assert (world.repo / "new.txt").read_text() == "one\nthree\n", outcome.report()
    assert (world.repo / "shell.txt").read_text() == "from the shell\n"
    assert "two" in outcome.tool_results[1]
    assert "echo: from the test" in outcome.tool_results[4]
    assert [r.turn for r in outcome.requests if r.turn is not None] == [0, 1, 2, 3, 4, 5]
    assert not outcome.model_saw(REASON)
    assert sorted(world.git("status", "--porcelain").split()) == [
        "??",
        "??",
        "new.txt",
        "shell.txt",
    ]


@pytest.mark.parametrize("name", ["codex", "copilot", "pi"])
def test_without_trust_these_agents_skip_a_projects_hook(
    name: str, need: Callable[[str], str], world: World
) -> None:
    wire(need(name), world)

    outcome: Outcome = world.drive(name, WRITE, trust=False)

    assert (world.repo / "new.txt").exists(), outcome.report()


def test_gemini_refuses_a_dotenv_by_itself_before_any_hook(
    need: Callable[[str], str], world: World
) -> None:
    wire(need("gemini"), world)

    outcome = world.drive("gemini", [do(Write(".env", "A")), do(Write("b/.env", "A")), say("done")])

    assert len(outcome.tool_results) == 2, outcome.report()
    assert all("Path not in workspace" in result for result in outcome.tool_results)
    assert not outcome.model_saw(REASON)
