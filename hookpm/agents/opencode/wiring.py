"""Wires OpenCode: a generated plugin, `.opencode/plugins/hookpm.js`, as it runs no commands."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from hookpm.agents import plugin
from hookpm.agents import wiring as shared
from hookpm.agents.home import Home
from hookpm.agents.whole_file import dropped_by as dropped_by
from hookpm.agents.whole_file import entries as entries
from hookpm.agents.whole_file import environment as environment
from hookpm.agents.whole_file import owner_of as owner_of
from hookpm.agents.wiring import Finding, GeneratedFile, Todo
from hookpm.edit.jsondoc import Document

FILE = ".opencode/plugins/hookpm.js"
HOME = Home(".config/opencode", "plugins/hookpm.js", "XDG_CONFIG_HOME", below="opencode")
FORM = plugin.FORM
SHELL = plugin.SHELL
SKELETON: dict[str, Any] = {}

_NATIVE = {
    "SessionStart": "chat.message, the first",
    "UserPromptSubmit": "chat.message",
    "PreToolUse": "tool.execute.before",
    "PostToolUse": "tool.execute.after",
    "Stop": "session.idle",
    "PreCompact": "experimental.session.compacting",
    "SessionEnd": "dispose",
}


def generated(_events: Sequence[str], longest: float) -> list[GeneratedFile]:
    """The plugin: it serves every event. longest: the longest hook's timeout, in seconds."""
    part = Path(__file__).with_name("plugin.js")
    return [GeneratedFile(FILE, plugin.text("opencode", "OpenCode", part, longest))]


def home_generated(file: str, _events: Sequence[str], longest: float) -> list[GeneratedFile]:
    """The plugin in the user's own folder, for user scope."""
    part = Path(__file__).with_name("plugin.js")
    return [GeneratedFile(file, plugin.home_text("opencode", "OpenCode", part, longest))]


def owns(path: str, text: str) -> bool:
    """Is this our plugin, of whatever hookpm version, as hookpm wrote it?"""
    return path == FILE and shared.is_stamped(text)


def switched_off(_document: Document) -> list[Finding]:
    """Nothing in a file; `--pure` and OPENCODE_PURE leave plugins out."""
    return []


def canary(event: str, nonce: str, root: Path) -> dict[str, Any]:
    """The payload as the plugin sends it."""
    payload = plugin.canary("opencode", _NATIVE[event], event, nonce, root)
    if event == "PostToolUse":
        payload["tool_response"] = {"title": "", "output": "", "metadata": {}}
    return payload


def read_canary(event: str, nonce: str, stdout: str, stderr: str) -> bool:
    """The plugin's own form; before a compaction nothing can be refused."""
    return plugin.read_canary(event, nonce, stdout, stderr, blocks=event != "PreCompact")


def todo(root: Path) -> list[Todo]:
    """There is no trust to give; but OpenCode fills the folder that its plugins lie in."""
    return [
        Todo("restart open sessions", "leave OpenCode and start it again: it loads plugins then"),
        Todo(
            f"commit {FILE} and nothing else in .opencode",
            "at its next start OpenCode itself installs its plugin package into "
            f"{root.name or root}/.opencode, with a .gitignore that hides it",
        ),
    ]
