"""OpenAI Codex CLI.

Two gates stand before a project's hooks, and `codex exec` passes them by in silence: the folder has
to be trusted, and the hash of each hook (observed, 0.171.0).
"""

from __future__ import annotations

import json
import shlex
from pathlib import Path

from hookpm.probe.agent import Agent, Compaction, Launch, Stage, mcp_command
from hookpm.probe.protocols import openai_responses
from hookpm.probe.script import PROBE_SERVER, SUBAGENT_TASK, Call, Edit, Mcp, Read, Shell, Write
from hookpm.probe.wire import NativeCall

# The one catalogued model that is given plain tools; the others get one tool that runs JavaScript.
MODEL = "gpt-5.5"


def launch(stage: Stage) -> Launch:
    """Settings by `-c`, trust included, so that config.toml in the home stays as it is."""
    provider = {
        "name": '"probe"',
        "base_url": _toml(f"{stage.model_url}/v1"),
        "wire_api": '"responses"',
        "env_key": '"PROBE_API_KEY"',
        "request_max_retries": "0",
        "stream_max_retries": "0",
        "supports_websockets": "false",
    }
    settings = {
        "model": _toml(MODEL),
        "model_provider": '"probe"',
        "model_providers.probe": _table(provider),
        "check_for_update_on_startup": "false",
        "analytics.enabled": "false",
    }
    arguments = ["exec", "--skip-git-repo-check", "--dangerously-bypass-approvals-and-sandbox"]
    if stage.trust:
        arguments.append("--dangerously-bypass-hook-trust")
        settings["projects"] = _table({_toml(str(stage.repo)): '{trust_level = "trusted"}'})
    if stage.mcp:
        command, *rest = mcp_command()
        server = {"command": _toml(command), "args": _toml(rest)}
        settings[f"mcp_servers.{PROBE_SERVER}"] = _table(server)
    for key, value in settings.items():
        arguments += ["-c", f"{key}={value}"]
    return Launch([*arguments, stage.prompt], {"PROBE_API_KEY": "none"})


def _toml(value: str | list[str]) -> str:
    """Strings and lists of strings are written alike in JSON and TOML, unescaped."""
    return json.dumps(value, ensure_ascii=False)


def _table(items: dict[str, str]) -> str:
    return "{" + ", ".join(f"{key} = {value}" for key, value in items.items()) + "}"


def translate(call: Call, repo: Path) -> NativeCall:
    """Codex writes with patches and reads through the shell."""
    if isinstance(call, Shell):
        return NativeCall("exec_command", {"cmd": call.command})
    if isinstance(call, Write):
        return _patch("Add", repo / call.path, _marked("+", call.content))
    if isinstance(call, Edit):
        body = ["@@", *_marked("-", call.old), *_marked("+", call.new)]
        return _patch("Update", repo / call.path, body)
    if isinstance(call, Read):
        return NativeCall("exec_command", {"cmd": f"cat {shlex.quote(str(repo / call.path))}"})
    if isinstance(call, Mcp):
        return NativeCall(call.tool, call.arguments, namespace=f"mcp__{call.server}")
    return NativeCall(call.tool, call.arguments)


def _marked(mark: str, text: str) -> list[str]:
    return [mark + line for line in text.splitlines()]


def _patch(action: str, path: Path, body: list[str]) -> NativeCall:
    lines = ["*** Begin Patch", f"*** {action} File: {path}", *body, "*** End Patch"]
    return NativeCall("apply_patch", "\n".join(lines))


AGENT = Agent(
    "codex",
    "@openai/codex",
    "codex",
    openai_responses.WIRE,
    launch,
    translate,
    subagent=NativeCall("spawn_agent", {"message": SUBAGENT_TASK}, namespace="multi_agent_v1"),
    compaction=Compaction(400_000, "You are performing a CONTEXT CHECKPOINT COMPACTION"),
    unseen={"PreToolUse.allow": "codex exec never asks before a tool"},
)
