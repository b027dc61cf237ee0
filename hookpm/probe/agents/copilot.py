"""GitHub Copilot CLI, with a model of the user's own and no login.

Headless it skips a repository's hooks in silence unless the folder is trusted; allowing all tools
does not trust it (observed, 1.0.102).
"""

from __future__ import annotations

import json
from pathlib import Path

from hookpm.probe.agent import Agent, Compaction, Launch, Stage, mcp_servers
from hookpm.probe.protocols import openai_chat
from hookpm.probe.script import SUBAGENT_TASK, Call, Edit, Mcp, Read, Shell, Write
from hookpm.probe.wire import NativeCall


def launch(stage: Stage) -> Launch:
    """It unpacks itself at the first start, 230 MB, so that its cache has to outlive the run."""
    arguments = ["-p", stage.prompt, "--allow-all-tools", "--allow-all-paths", "--no-color"]
    arguments += ["--log-dir", str(stage.scratch / "logs")]
    if stage.trust:
        arguments.append("--trust-folder")
    if stage.mcp:
        servers = mcp_servers(type="local", tools=["*"])
        arguments += ["--additional-mcp-config", json.dumps(servers)]
    env = {
        "COPILOT_PROVIDER_BASE_URL": f"{stage.model_url}/v1",
        "COPILOT_PROVIDER_API_KEY": "none",
        "COPILOT_MODEL": "probe",
        "COPILOT_OFFLINE": "true",
        "COPILOT_AUTO_UPDATE": "false",
        "COPILOT_CACHE_HOME": str(stage.cache),
    }
    return Launch(arguments, env)


def translate(call: Call, repo: Path) -> NativeCall:
    """`create` refuses to overwrite a file."""
    if isinstance(call, Shell):
        return NativeCall("bash", {"command": call.command, "description": "Run it"})
    if isinstance(call, Write):
        return NativeCall("create", {"path": str(repo / call.path), "file_text": call.content})
    if isinstance(call, Edit):
        strings = {"old_str": call.old, "new_str": call.new}
        return NativeCall("edit", {"path": str(repo / call.path), **strings})
    if isinstance(call, Read):
        return NativeCall("view", {"path": str(repo / call.path)})
    if isinstance(call, Mcp):
        return NativeCall(f"{call.server}-{call.tool}", call.arguments)
    return NativeCall(call.tool, call.arguments)


AGENT = Agent(
    "copilot",
    "@github/copilot",
    "copilot",
    openai_chat.WIRE,
    launch,
    translate,
    unattended=("--allow-all-tools",),
    subagent=NativeCall(
        "task",
        {
            "description": "A part",
            "prompt": SUBAGENT_TASK,
            "agent_type": "task",
            "name": "part",
            "mode": "sync",
        },
    ),
    compaction=Compaction(
        15_000,
        "Please create a detailed summary of the conversation so far",
        env={
            "COPILOT_PROVIDER_MAX_PROMPT_TOKENS": "16000",
            "COPILOT_PROVIDER_MAX_OUTPUT_TOKENS": "1000",
        },
    ),
)
