"""Kimi Code CLI. It reads hooks from the user's own config alone, so that no trust is asked for.

Whatever lies in the repository is not looked at (observed, 2.1.0). Headless everything is approved.
"""

from __future__ import annotations

import json
from pathlib import Path

from hookpm.probe.agent import Agent, Compaction, Launch, Stage, mcp_servers
from hookpm.probe.model import last_message
from hookpm.probe.protocols import openai_chat
from hookpm.probe.script import SUBAGENT_TASK, Call, Edit, Mcp, Read, Shell, Write
from hookpm.probe.wire import Body, NativeCall

_SUMMARY = "Create a handoff summary"


def continues(path: str, body: Body) -> bool:
    """A request for a summary offers tools too, but is none of the script's."""
    return openai_chat.continues(path, body) and _SUMMARY not in last_message(body)


def launch(stage: Stage) -> Launch:
    """The model comes by environment, so that config.toml in the home stays as it is.

    An MCP server can only be named in a file of the home.
    """
    if stage.mcp:
        place = stage.home / ".kimi-code" / "mcp.json"
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_text(json.dumps(mcp_servers()), encoding="utf-8")
    env = {
        "KIMI_MODEL_NAME": "probe",
        "KIMI_MODEL_API_KEY": "none",
        "KIMI_MODEL_PROVIDER_TYPE": "openai",
        "KIMI_MODEL_BASE_URL": f"{stage.model_url}/v1",
        "KIMI_MODEL_CAPABILITIES": "tool_use",
        "KIMI_CODE_NO_AUTO_UPDATE": "1",
        "KIMI_DISABLE_TELEMETRY": "1",
    }
    return Launch(["-p", stage.prompt], env)


def translate(call: Call, repo: Path) -> NativeCall:
    """Claude's names, but for the path of a file."""
    if isinstance(call, Shell):
        return NativeCall("Bash", {"command": call.command})
    if isinstance(call, Write):
        return NativeCall("Write", {"path": str(repo / call.path), "content": call.content})
    if isinstance(call, Edit):
        strings = {"old_string": call.old, "new_string": call.new}
        return NativeCall("Edit", {"path": str(repo / call.path), **strings})
    if isinstance(call, Read):
        return NativeCall("Read", {"path": str(repo / call.path)})
    if isinstance(call, Mcp):
        return NativeCall(f"mcp__{call.server}__{call.tool}", call.arguments)
    return NativeCall(call.tool, call.arguments)


AGENT = Agent(
    "kimi",
    "@moonshot-ai/kimi-code",
    "kimi",
    openai_chat.WIRE._replace(continues=continues),
    launch,
    translate,
    subagent=NativeCall("Agent", {"prompt": SUBAGENT_TASK, "description": "A part"}),
    compaction=Compaction(60_000, _SUMMARY, env={"KIMI_MODEL_MAX_CONTEXT_SIZE": "65000"}),
    unseen={"PreToolUse.allow": "with -p it approves every call by itself"},
)
