"""Wires Cline's command line: one file of ours per event, `.cline/hooks/EVENT.bash`.

Cline runs every file there and in `.clinerules/hooks` that is named after an event, whatever its
extension: a hook of the user's own, `PreToolUse` or `PreToolUse.sh`, lives beside ours, and both
run. Only a file at our very path that is not ours stands in the way; it is left alone. In
`.clinerules`, which often is a file and not a folder, nothing is written.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from hookpm.agents import home_line, shell_line
from hookpm.agents import wiring as shared
from hookpm.agents.home import Home
from hookpm.agents.shell_line import Form
from hookpm.agents.whole_file import dropped_by as dropped_by
from hookpm.agents.whole_file import entries as entries
from hookpm.agents.whole_file import environment as environment
from hookpm.agents.whole_file import owner_of as owner_of
from hookpm.agents.wiring import Finding, GeneratedFile, Todo
from hookpm.contract.events import CANARY_TOOL
from hookpm.edit.jsondoc import Document

FOLDER = ".cline/hooks"
FILE = f"{FOLDER}/PreToolUse.bash"
AT_TOP_ONLY = True  # of a checkout: hooks of a folder below it are not read
HOME = Home(".cline", "hooks/PreToolUse.bash", "CLINE_DIR")
# Cline names no folder to its hooks, but starts the file by its whole path.
FORM = Form(root="${HOOKPM_PROJECT_DIR:-.}")
SHELL = ("/bin/sh", "-c")
SKELETON: dict[str, Any] = {}

_NATIVE = {
    "SessionStart": "TaskStart",
    "UserPromptSubmit": "UserPromptSubmit",
    "PreToolUse": "PreToolUse",
    "PostToolUse": "PostToolUse",
    "Stop": "TaskComplete",
    "SessionEnd": "SessionShutdown",
}
_ABOUT = """\
# Lets the hooks of .agents/hooks.json decide in Cline, through the bridge in .agents/hookpm.
# It is the same whichever packs are installed. Hooks of your own go into files beside it.
"""
_ABOUT_HOME = """\
# Lets the hooks of the .agents/hooks.json in the home folder decide in Cline, in every project.
# It is the same whichever packs are installed. Hooks of your own go into files beside it.
"""
_ROOT = "HOOKPM_PROJECT_DIR=${0%/.cline/hooks/*}\n"
# What Cline takes for a hook, beside a name without an extension.
_EXTENSIONS = (".sh", ".bash", ".zsh", ".js", ".mjs", ".cjs", ".ts", ".mts", ".cts", ".py", ".ps1")


def generated(events: Sequence[str], longest: float) -> list[GeneratedFile]:  # noqa: ARG001
    """One file per event that Cline has; its limit of 120 seconds cannot be set."""
    return [
        _file(FOLDER, event, _ABOUT + _ROOT + shell_line.present("cline", event))
        for event in events
        if event in _NATIVE
    ]


def home_generated(file: str, events: Sequence[str], longest: float) -> list[GeneratedFile]:  # noqa: ARG001
    """The files of user scope, in Cline's own folder of the user."""
    folder = file.rpartition("/")[0]
    return [
        _file(folder, event, _ABOUT_HOME + home_line.present("cline", event))
        for event in events
        if event in _NATIVE
    ]


def _file(folder: str, event: str, body: str) -> GeneratedFile:
    text = shared.stamped("#!/bin/sh\n", body + "\n", comment="#")
    return GeneratedFile(f"{folder}/{_NATIVE[event]}.bash", text, executable=True)


def owns(path: str, text: str) -> bool:
    """Is this a file of ours, of whatever hookpm version, as hookpm wrote it?"""
    paths = [f"{FOLDER}/{native}.bash" for native in _NATIVE.values()]
    return path in paths and shared.is_stamped(text)


def switched_off(document: Document) -> list[Finding]:  # noqa: ARG001
    """Nothing switches them off."""
    return []


def canary(event: str, nonce: str, root: Path) -> dict[str, Any]:
    """The payload as Cline 3.0.65 sends it."""
    session = shared.canary_session(event, nonce)
    payload: dict[str, Any] = {
        "clineVersion": "",
        "hookName": _HOOK_NAMES.get(event, ""),
        "timestamp": "2026-01-01T00:00:00.000Z",
        "taskId": session,
        "sessionContext": {"rootSessionId": session},
        "workspaceRoots": [str(root)],
        "workspaceInfo": {"rootPath": str(root), "hint": root.name},
        "userId": "unknown",
        "agent_id": "hookpm-canary",
        "parent_agent_id": None,
    }
    call = {"id": CANARY_TOOL, "name": CANARY_TOOL, "input": {"nonce": nonce}}
    shown = {"toolName": CANARY_TOOL, "parameters": {"nonce": nonce}}
    if event == "PreToolUse":
        payload.update(iteration=1, tool_call=call, preToolUse=shown)
    elif event == "PostToolUse":
        result = {**call, "output": "", "durationMs": 0}
        payload.update(iteration=1, tool_result=result, postToolUse={**shown, "success": True})
    elif event == "UserPromptSubmit":
        payload["userPromptSubmit"] = {"prompt": "hookpm canary", "attachments": []}
    return payload


_HOOK_NAMES = {
    "SessionStart": "agent_start",
    "UserPromptSubmit": "prompt_submit",
    "PreToolUse": "tool_call",
    "PostToolUse": "tool_result",
    "Stop": "agent_end",
    "SessionEnd": "session_shutdown",
}


def read_canary(event: str, nonce: str, stdout: str, stderr: str) -> bool:
    """A refusal of a tool that is not Cline's own is a cancel; after a tool there is context."""
    if event not in ("PreToolUse", "PostToolUse"):
        return shared.on_stderr(stderr, nonce)
    answer = shared.one_object(stdout)
    if event == "PostToolUse":
        return shared.says(answer.get("contextModification"), nonce)
    return answer.get("cancel") is True and shared.says(answer.get("errorMessage"), nonce)


def todo(root: Path) -> list[Todo]:
    """Nothing has to be trusted; but of several hooks that replace an input the last one wins."""
    later = _later_hooks(root)
    if not later:
        return []
    return [
        Todo(
            "look at hooks that Cline runs after hookpm's",
            f"if {', '.join(later)} answers overrideInput, Cline runs that input, although a pack "
            "refused the call; leave the field out there, or move the check into a pack",
        )
    ]


def _later_hooks(root: Path) -> list[str]:
    """The project's files that Cline runs before a tool and after ours: it goes by their paths."""
    found = []
    for folder in (FOLDER, ".clinerules/hooks"):
        place = root / folder
        for file in sorted(place.iterdir()) if place.is_dir() else ():
            name = file.name.lower()
            is_hook = name in ("pretooluse", *(f"pretooluse{end}" for end in _EXTENSIONS))
            path = f"{folder}/{file.name}"
            if is_hook and path > FILE:
                found.append(path)
    return found
