"""Pi. Headless it skips the extensions of a project that is not trusted, in silence (1.6.0)."""

from __future__ import annotations

import json
from pathlib import Path

from hookpm.probe.agent import Agent, Compaction, Launch, Stage, mcp_servers
from hookpm.probe.protocols import openai_chat
from hookpm.probe.script import PROBE_SERVER, Call, Edit, Mcp, Read, Shell, Write
from hookpm.probe.wire import NativeCall

_MODEL = Path(__file__).parents[1] / "pi_model.js"


def launch(stage: Stage) -> Launch:
    """The model comes with an extension of the probe's own, which needs no trust."""
    arguments = ["-p", "-e", str(_MODEL), "--provider", "probe", "--model", "probe"]
    if stage.trust:
        arguments.append("--approve")
    env = {
        "PI_OFFLINE": "1",
        "PI_SKIP_VERSION_CHECK": "1",
        "PI_TELEMETRY": "0",
        "PROBE_MODEL_URL": stage.model_url,
    }
    if stage.mcp:
        config = mcp_servers()["mcpServers"][PROBE_SERVER]
        env["PROBE_MCP_SERVER"] = json.dumps({"name": PROBE_SERVER, "config": config})
    return Launch([*arguments, stage.prompt], env)


def translate(call: Call, repo: Path) -> NativeCall:
    """An edit is a list of replacements."""
    if isinstance(call, Shell):
        return NativeCall("bash", {"command": call.command})
    if isinstance(call, Write):
        return NativeCall("write", {"path": str(repo / call.path), "content": call.content})
    if isinstance(call, Edit):
        edits = [{"oldText": call.old, "newText": call.new}]
        return NativeCall("edit", {"path": str(repo / call.path), "edits": edits})
    if isinstance(call, Read):
        return NativeCall("read", {"path": str(repo / call.path)})
    if isinstance(call, Mcp):
        return NativeCall(f"mcp__{call.server}__{call.tool}", call.arguments)
    return NativeCall(call.tool, call.arguments)


AGENT = Agent(
    "pi",
    "@earendil-works/pi-coding-agent",
    "pi",
    openai_chat.WIRE,
    launch,
    translate,
    compaction=Compaction(127_000, "Only summarize information explicitly present above"),
    unseen={"PreToolUse.allow": "it never asks before a tool"},
)
