"""Wires Pi: a generated extension, `.pi/extensions/hookpm.js`, as it runs no commands."""

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

FILE = ".pi/extensions/hookpm.js"
USER_FILE = ".pi/agent/extensions/hookpm.js"  # from the home folder: for the user bridge
HOME = Home(".pi/agent", "extensions/hookpm-user.js", "PI_CODING_AGENT_DIR")
FORM = plugin.FORM
SHELL = plugin.SHELL
SKELETON: dict[str, Any] = {}

_NATIVE = {
    "SessionStart": "session_start",
    "UserPromptSubmit": "input",
    "PreToolUse": "tool_call",
    "PostToolUse": "tool_result",
    "Stop": "agent_before_settle",
    "PreCompact": "session_before_compact",
    "SessionEnd": "session_shutdown",
}


def generated(_events: Sequence[str], longest: float) -> list[GeneratedFile]:
    """The extension: it serves every event. longest: the longest hook's timeout, in seconds."""
    part = Path(__file__).with_name("extension.js")
    return [GeneratedFile(FILE, plugin.text("pi", "Pi", part, longest))]


def user_generated(file: str, _events: Sequence[str], _longest: float) -> list[GeneratedFile]:
    """The extension in the user's own folder, which needs no trust and is loaded everywhere."""
    part = Path(__file__).with_name("extension.js")
    return [GeneratedFile(file, plugin.user_text("pi", "Pi", part))]


def home_generated(file: str, _events: Sequence[str], longest: float) -> list[GeneratedFile]:
    """The extension of user scope. It lies beside the user bridge's."""
    part = Path(__file__).with_name("extension.js")
    return [GeneratedFile(file, plugin.home_text("pi", "Pi", part, longest))]


def owns(path: str, text: str) -> bool:
    """Is this our extension, of whatever hookpm version, as hookpm wrote it?"""
    return path == FILE and shared.is_stamped(text)


def switched_off(_document: Document) -> list[Finding]:
    """Nothing in a file; `--no-extensions` leaves extensions out."""
    return []


def canary(event: str, nonce: str, root: Path) -> dict[str, Any]:
    """The payload as the extension sends it."""
    payload = plugin.canary("pi", _NATIVE[event], event, nonce, root)
    if event == "PostToolUse":
        payload["tool_response"] = {"content": [], "isError": False}
    if event == "SessionEnd":
        payload["reason"] = "quit"
    return payload


def read_canary(event: str, nonce: str, stdout: str, stderr: str) -> bool:
    """The extension's own form."""
    return plugin.read_canary(event, nonce, stdout, stderr, blocks=True)


def todo(root: Path) -> list[Todo]:
    """Trust, and where to start it: otherwise Pi skips the extension, headless without a word."""
    return [
        Todo(
            "trust the project in Pi",
            f"start `pi` in {root.name or root} and accept the question; headless: --approve, or "
            '"defaultProjectTrust": "always" in ~/.pi/agent/settings.json',
        ),
        Todo(
            "start Pi in the project's root folder",
            "started in a folder below it, it does not load the root's .pi/extensions",
        ),
        Todo("restart open sessions", "type /reload in Pi, or start it again"),
    ]
