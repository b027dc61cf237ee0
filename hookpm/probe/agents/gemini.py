"""Gemini CLI. In a folder that is not trusted a headless run ends with 55 (observed, 0.61.0)."""

from __future__ import annotations

import json
from pathlib import Path

from hookpm.probe.agent import Agent, Launch, Stage, mcp_servers
from hookpm.probe.protocols import gemini
from hookpm.probe.script import PROBE_SERVER, Call, Edit, Mcp, Read, Shell, Write
from hookpm.probe.wire import NativeCall


def launch(stage: Stage) -> Launch:
    """By environment alone; the MCP server comes as an extension, the user's settings stay.

    Vertex is the one way to the model for which no settings file has to choose an account type.
    """
    env = {
        "GOOGLE_GENAI_USE_VERTEXAI": "true",
        "GOOGLE_API_KEY": "none",
        "GOOGLE_VERTEX_BASE_URL": stage.model_url,
        "GEMINI_CLI_NO_RELAUNCH": "1",  # one process less to start
    }
    if stage.mcp:
        extension = {"name": PROBE_SERVER, "version": "1.0.0", **mcp_servers()}
        place = stage.home / ".gemini" / "extensions" / PROBE_SERVER
        place.mkdir(parents=True, exist_ok=True)
        manifest = place / "gemini-extension.json"
        manifest.write_text(json.dumps(extension), encoding="utf-8")
    if stage.trust:
        env["GEMINI_CLI_TRUST_WORKSPACE"] = "true"
    arguments = ["--approval-mode", "yolo", "-m", "gemini-2.5-flash", "-p", stage.prompt]
    return Launch(arguments, env)


def translate(call: Call, repo: Path) -> NativeCall:
    """An MCP tool's name has single underscores here."""
    if isinstance(call, Shell):
        return NativeCall("run_shell_command", {"command": call.command})
    if isinstance(call, Write):
        path = str(repo / call.path)
        return NativeCall("write_file", {"file_path": path, "content": call.content})
    if isinstance(call, Edit):
        strings = {"old_string": call.old, "new_string": call.new, "instruction": "Replace it"}
        return NativeCall("replace", {"file_path": str(repo / call.path), **strings})
    if isinstance(call, Read):
        return NativeCall("read_file", {"file_path": str(repo / call.path)})
    if isinstance(call, Mcp):
        return NativeCall(f"mcp_{call.server}_{call.tool}", call.arguments)
    return NativeCall(call.tool, call.arguments)


AGENT = Agent(
    "gemini",
    "@google/gemini-cli",
    "gemini",
    gemini.WIRE,
    launch,
    translate,
    unseen={
        "PreToolUse.allow": "headless it has no shell tool unless it runs without asking",
        "Notification": "it notifies where it would ask, which it does in a terminal only",
        "PreCompact.block": "its event fires before every turn, whether or not it compacts",
    },
)
