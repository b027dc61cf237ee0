"""Claude Code. Headless it runs a project's hooks without any trust (observed, 2.1.332)."""

from __future__ import annotations

import json
from pathlib import Path

from hookpm.probe.agent import Agent, Compaction, Launch, Stage, mcp_servers
from hookpm.probe.protocols import anthropic
from hookpm.probe.script import SUBAGENT_TASK, Call, Edit, Mcp, Read, Shell, Write
from hookpm.probe.wire import NativeCall


def launch(stage: Stage) -> Launch:
    """Without permission prompts, so that only hooks can stand in the way of a tool."""
    arguments = ["-p", stage.prompt, "--dangerously-skip-permissions"]
    if stage.mcp:
        arguments += ["--mcp-config", json.dumps(mcp_servers())]
    env = {
        "ANTHROPIC_API_KEY": "none",
        "ANTHROPIC_BASE_URL": stage.model_url,
        "CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC": "1",
        "DISABLE_AUTOUPDATER": "1",
        "IS_SANDBOX": "1",  # root may skip permissions only in what it takes for a sandbox
    }
    return Launch(arguments, env)


def translate(call: Call, repo: Path) -> NativeCall:
    """Claude Code wants a file read before it edits or overwrites it."""
    if isinstance(call, Shell):
        return NativeCall("Bash", {"command": call.command, "description": "Run it"})
    if isinstance(call, Write):
        return NativeCall("Write", {"file_path": str(repo / call.path), "content": call.content})
    if isinstance(call, Edit):
        strings = {"old_string": call.old, "new_string": call.new}
        return NativeCall("Edit", {"file_path": str(repo / call.path), **strings})
    if isinstance(call, Read):
        return NativeCall("Read", {"file_path": str(repo / call.path)})
    if isinstance(call, Mcp):
        return NativeCall(f"mcp__{call.server}__{call.tool}", call.arguments)
    return NativeCall(call.tool, call.arguments)


AGENT = Agent(
    "claude",
    "@anthropic-ai/claude-code",
    "claude",
    anthropic.WIRE,
    launch,
    translate,
    unattended=("--dangerously-skip-permissions",),
    subagent=NativeCall(
        "Agent",
        {
            "description": "A part",
            "prompt": SUBAGENT_TASK,
            "subagent_type": "general-purpose",
            "run_in_background": False,
        },
    ),
    # Its default model takes a million tokens.
    compaction=Compaction(990_000, "Your task is to create a detailed summary"),
    verbose=("--output-format", "stream-json", "--verbose"),
)
