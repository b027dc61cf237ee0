"""Cline's command line. A hook is a file named after its event, and no trust is asked for.

It leaves a daemon behind, which ends with the run (observed, 3.0.65).
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from hookpm.probe.agent import Agent, Launch, Stage, mcp_servers
from hookpm.probe.protocols import openai_chat
from hookpm.probe.script import Call, Edit, Mcp, Read, Shell, Write
from hookpm.probe.wire import NativeCall

_PROVIDER = "openai-compatible"


def launch(stage: Stage) -> Launch:
    """The model is named in a folder of its own: Cline has no variable for it, and the home stays
    as it is."""
    data = stage.scratch / "cline"
    _write(data / "settings" / "providers.json", _providers(f"{stage.model_url}/v1"))
    if stage.mcp:
        _write(data / "settings" / "cline_mcp_settings.json", mcp_servers())
    env = {
        "CLINE_DATA_DIR": str(data),
        "CLINE_NO_AUTO_UPDATE": "1",
        "CLINE_TELEMETRY_DISABLED": "1",
        "DO_NOT_TRACK": "1",
    }
    return Launch([stage.prompt], env)


def _write(path: Path, value: dict[str, Any]) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(json.dumps(value), encoding="utf-8")


def _providers(url: str) -> dict[str, Any]:
    settings = {"provider": _PROVIDER, "apiKey": "none", "model": "probe", "baseUrl": url}
    entry = {
        "settings": settings,
        "updatedAt": "2026-01-01T00:00:00.000Z",
        "tokenSource": "manual",
    }
    return {
        "version": 1,
        "lastUsedProvider": _PROVIDER,
        "modes": {},
        "providers": {_PROVIDER: entry},
    }


def translate(call: Call, repo: Path) -> NativeCall:
    """One call may hold several commands or files; an MCP tool's name has two underscores."""
    if isinstance(call, Shell):
        return NativeCall("run_commands", {"commands": [call.command]})
    if isinstance(call, Write):
        return NativeCall("editor", {"path": str(repo / call.path), "new_text": call.content})
    if isinstance(call, Edit):
        texts = {"old_text": call.old, "new_text": call.new}
        return NativeCall("editor", {"path": str(repo / call.path), **texts})
    if isinstance(call, Read):
        return NativeCall("read_files", {"files": [{"path": str(repo / call.path)}]})
    if isinstance(call, Mcp):
        return NativeCall(f"{call.server}__{call.tool}", call.arguments)
    return NativeCall(call.tool, call.arguments)


AGENT = Agent(
    "cline",
    "cline",
    "cline",
    openai_chat.WIRE,
    launch,
    translate,
    unseen={
        "PreToolUse.allow": "headless it approves every call by itself",
        "Stop.continue:false": "no block holds there, so there is nothing that it could stop",
    },
)
