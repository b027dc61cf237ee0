"""Qwen Code. It trusts every folder unless the user's settings say otherwise (observed, 0.24.4)."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from hookpm.probe.agent import Agent, Compaction, Launch, Stage, mcp_servers
from hookpm.probe.protocols import openai_chat
from hookpm.probe.script import SUBAGENT_TASK, Call, Edit, Mcp, Read, Shell, Write
from hookpm.probe.wire import NativeCall


def launch(stage: Stage) -> Launch:
    """Settings come as the machine's own, from a file in the scratch folder: what lies in the home
    and the repository stays as it is. Qwen Code adds a version to every settings file it reads."""
    settings: dict[str, Any] = {
        "security": {"auth": {"selectedType": "openai"}},
        "privacy": {"usageStatisticsEnabled": False},
        "general": {"enableAutoUpdate": False},
        "memory": {"enableManagedAutoMemory": False},
    }
    if stage.mcp:
        settings |= mcp_servers(trust=True)
    system = stage.scratch / "qwen-settings.json"
    system.write_text(json.dumps(settings), encoding="utf-8")
    env = {
        "OPENAI_API_KEY": "none",
        "OPENAI_BASE_URL": f"{stage.model_url}/v1",
        "OPENAI_MODEL": "probe",
        "QWEN_CODE_SYSTEM_SETTINGS_PATH": str(system),
        "QWEN_CODE_NO_RELAUNCH": "true",  # one process less to start
    }
    return Launch(["--approval-mode", "yolo", "-p", stage.prompt], env)


def translate(call: Call, repo: Path) -> NativeCall:
    """Qwen Code wants a file read before it edits or overwrites it."""
    if isinstance(call, Shell):
        words = {"description": "Run it", "is_background": False}
        return NativeCall("run_shell_command", {"command": call.command, **words})
    if isinstance(call, Write):
        path = str(repo / call.path)
        return NativeCall("write_file", {"file_path": path, "content": call.content})
    if isinstance(call, Edit):
        strings = {"old_string": call.old, "new_string": call.new}
        return NativeCall("edit", {"file_path": str(repo / call.path), **strings})
    if isinstance(call, Read):
        return NativeCall("read_file", {"file_path": str(repo / call.path)})
    if isinstance(call, Mcp):
        return NativeCall(f"mcp__{call.server}__{call.tool}", call.arguments)
    return NativeCall(call.tool, call.arguments)


AGENT = Agent(
    "qwen",
    "@qwen-code/qwen-code",
    "qwen",
    openai_chat.WIRE,
    launch,
    translate,
    subagent=NativeCall(
        "agent",
        {
            "description": "A part",
            "prompt": SUBAGENT_TASK,
            "subagent_type": "general-purpose",
            "run_in_background": False,
        },
    ),
    compaction=Compaction(172_000, "<state_snapshot>"),
    unseen={"PreToolUse.allow": "headless it has no shell tool unless it runs without asking"},
)
