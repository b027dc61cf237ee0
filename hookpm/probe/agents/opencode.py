"""OpenCode. Its hooks are plugins, which it loads without any trust (observed, 1.18.33)."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from hookpm.probe.agent import Agent, Compaction, Launch, Stage, mcp_command
from hookpm.probe.protocols import openai_chat
from hookpm.probe.script import PROBE_SERVER, Call, Edit, Mcp, Read, Shell, Write
from hookpm.probe.wire import NativeCall

_LIMITS = {"context": 100_000, "output": 1000}


def launch(stage: Stage) -> Launch:
    """By environment alone. At its start it installs its plugin package from npm into every config
    folder, the repository's .opencode too: the model stands in for npm and has no such package."""
    provider = {
        "npm": "@ai-sdk/openai-compatible",
        "name": "Probe",
        "options": {"baseURL": f"{stage.model_url}/v1", "apiKey": "none"},
        "models": {"probe": {"name": "Probe", "limit": _LIMITS}},
    }
    config: dict[str, Any] = {
        "model": "probe/probe",
        "small_model": "probe/probe",
        "permission": {"*": "allow"},  # headless it would refuse what it asks for
        "autoupdate": False,
        "share": "disabled",
        "provider": {"probe": provider},
    }
    if stage.mcp:
        server = {"type": "local", "command": mcp_command(), "enabled": True}
        config["mcp"] = {PROBE_SERVER: server}
    env = {
        "OPENCODE_CONFIG_CONTENT": json.dumps(config),
        "OPENCODE_DISABLE_AUTOUPDATE": "1",
        "OPENCODE_DISABLE_LSP_DOWNLOAD": "1",
        "OPENCODE_DISABLE_MODELS_FETCH": "1",
        "npm_config_fetch_retries": "0",
        "npm_config_registry": stage.model_url,
    }
    return Launch(["run", "--title", "probe", stage.prompt], env)


def translate(call: Call, repo: Path) -> NativeCall:
    """An MCP tool's name is the server's and the tool's with an underscore between them."""
    if isinstance(call, Shell):
        return NativeCall("bash", {"command": call.command, "description": "Run it"})
    if isinstance(call, Write):
        return NativeCall("write", {"filePath": str(repo / call.path), "content": call.content})
    if isinstance(call, Edit):
        strings = {"oldString": call.old, "newString": call.new}
        return NativeCall("edit", {"filePath": str(repo / call.path), **strings})
    if isinstance(call, Read):
        return NativeCall("read", {"filePath": str(repo / call.path)})
    if isinstance(call, Mcp):
        return NativeCall(f"{call.server}_{call.tool}", call.arguments)
    return NativeCall(call.tool, call.arguments)


AGENT = Agent(
    "opencode",
    "opencode-ai",
    "opencode",
    openai_chat.WIRE,
    launch,
    translate,
    compaction=Compaction(
        _LIMITS["context"] - 500, "Do not mention the summary process or that context was compacted"
    ),
    unseen={
        "PreToolUse.allow": "it asks only where its settings say so, and refuses that headless",
        "Stop.continue:false": "no block holds there, so there is nothing that it could stop",
    },
)
