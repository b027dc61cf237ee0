"""Factory Droid, with a model of the user's own and no login.

It first tries to reach its vendor and goes on without. Headless it asks for no trust (observed,
0.225.2). The package is the binary for Linux on x64 by itself.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from hookpm.probe.agent import Agent, Launch, Stage, mcp_servers
from hookpm.probe.protocols import openai_chat
from hookpm.probe.script import Call, Edit, Mcp, Read, Shell, Write
from hookpm.probe.wire import NativeCall


def launch(stage: Stage) -> Launch:
    """Settings come in a file of their own, beside those in the home."""
    model: dict[str, Any] = {
        "model": "probe",
        "displayName": "Probe",
        "baseUrl": f"{stage.model_url}/v1",
        "apiKey": "none",
        "provider": "generic-chat-completion-api",
        "maxOutputTokens": 4096,
    }
    settings = stage.scratch / "droid-settings.json"
    settings.write_text(json.dumps({"customModels": [model]}), encoding="utf-8")
    if stage.mcp:
        place = stage.home / ".factory" / "mcp.json"
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_text(json.dumps(mcp_servers(type="stdio")), encoding="utf-8")
    arguments = ["exec", "--settings", str(settings), "-m", "custom:Probe-0", "--auto", "high"]
    return Launch([*arguments, stage.prompt], {"FACTORY_DROID_AUTO_UPDATE_ENABLED": "false"})


def translate(call: Call, repo: Path) -> NativeCall:
    """A shell command says how risky it is; an MCP tool's name has three underscores in it."""
    if isinstance(call, Shell):
        words = {"summary": "Run it", "riskLevel": "low", "riskLevelReason": "It is scripted"}
        return NativeCall(
            "Execute", {"command": call.command, **words, "timeout": 60, "fireAndForget": False}
        )
    if isinstance(call, Write):
        path = str(repo / call.path)
        return NativeCall("Create", {"file_path": path, "content": call.content})
    if isinstance(call, Edit):
        strings = {"old_str": call.old, "new_str": call.new}
        return NativeCall("Edit", {"file_path": str(repo / call.path), **strings})
    if isinstance(call, Read):
        return NativeCall("Read", {"file_path": str(repo / call.path)})
    if isinstance(call, Mcp):
        return NativeCall(f"{call.server}___{call.tool}", call.arguments)
    return NativeCall(call.tool, call.arguments)


_PACKAGE = "@factory/cli-linux-x64"
AGENT = Agent(
    "droid",
    _PACKAGE,
    f"{_PACKAGE}/bin/droid",
    openai_chat.WIRE,
    launch,
    translate,
    unseen={
        "PreToolUse.allow": "it never asks before a call that the model calls a low risk",
        "PreCompact.block": "droid exec compacts nothing on demand: seen through JSON-RPC",
    },
)
