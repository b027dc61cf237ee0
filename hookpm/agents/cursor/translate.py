"""Cursor's payloads and answers, by its documentation and by payloads that others published.

Vendored. Nothing here was run. Cursor also runs .claude/settings.json by itself, with the payloads
below.
"""

from hookpm.contract.answer import Answer, Reply
from hookpm.contract.events import TOOL_EVENTS
from hookpm.contract.forms import (
    arguments,
    asked,
    base,
    context,
    mcp_tool,
    reason,
    renamed,
    reply,
    restored,
    rewrite,
    shell_result,
)

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

SUPPORTED = {
    "PreToolUse": ("deny", "updatedInput"),
    "PostToolUse": ("block", "additionalContext"),
    "UserPromptSubmit": ("block", "additionalContext", "continue:false"),
    "SessionStart": ("additionalContext",),
    "SessionEnd": (),
    "Stop": ("block", "continue:false"),
    "PreCompact": ("systemMessage",),
    "PostToolUseFailure": (),
    "SubagentStart": (),
    "SubagentStop": ("block",),
    "PermissionRequest": (),
    "Notification": (),
}
EVENTS = {  # native -> Claude's
    "preToolUse": "PreToolUse",
    "postToolUse": "PostToolUse",
    "beforeSubmitPrompt": "UserPromptSubmit",
    "sessionStart": "SessionStart",
    "sessionEnd": "SessionEnd",
    "stop": "Stop",
    "preCompact": "PreCompact",
    "postToolUseFailure": "PostToolUseFailure",
    "subagentStart": "SubagentStart",
    "subagentStop": "SubagentStop",
}
CONFIG_VERSION = 1  # a file without it is dropped
CONTEXT_CHARS = 10000  # as JavaScript counts them; it drops a longer context whole
CONTEXT_FIELD = "additional_context"

TOOLS = {"Shell": "Bash", "StrReplace": "Edit"}
_FILE = {"path": "file_path"}
ARGUMENTS = {  # native -> Claude's; published payloads hold file_path, some of them path
    "Bash": {},
    "Read": _FILE,
    "Write": {**_FILE, "contents": "content"},
    "Edit": _FILE,
    "Delete": _FILE,
    "Grep": {"file_path": "path"},
}
_NONE: "dict[str, str]" = {}


def recognises(payload: "dict[str, Any]") -> bool:
    """Does Cursor call? It says so, with its version, in every payload."""
    return isinstance(payload.get("cursor_version"), str)


def to_claude(event: str, payload: "dict[str, Any]") -> "list[dict[str, Any]]":
    """The call in Claude's form. An MCP tool's server is not always named: "unknown" then."""
    call = base(event, payload)
    if not call.get("session_id"):
        call["session_id"] = payload.get("conversation_id") or ""
    if event == "SessionStart":
        call.setdefault("source", "startup")
    if event in ("Stop", "SubagentStop") and "stop_hook_active" not in call:
        call["stop_hook_active"] = _number(payload.get("loop_count")) > 0
    if event in TOOL_EVENTS:
        _tool_call(call, payload)
    if not call.get("cwd"):
        cwd = _folder(call.get("tool_input"), payload.get("workspace_roots"))
        if cwd:
            call["cwd"] = cwd
        else:
            call.pop("cwd", None)
    return [call]


def _tool_call(call: "dict[str, Any]", payload: "dict[str, Any]") -> None:
    name = call["tool_name"]
    tool = TOOLS.get(name, name)
    given = call["tool_input"]
    if name.startswith("MCP:"):
        server = payload.get("mcp_server_name")
        tool = mcp_tool(server if isinstance(server, str) and server else "unknown", name[4:])
    elif tool == "Write" and "old_string" in given and "content" not in given:
        tool = "Edit"
    call["tool_name"] = tool
    names = ARGUMENTS.get(tool, _NONE)
    call["tool_input"] = renamed(given, {k: v for k, v in names.items() if v not in given})
    if "tool_output" not in call:
        return
    result = call.pop("tool_output")
    if isinstance(result, str):
        inside = arguments(result)
        result = result if "input" in inside else inside
    if tool == "Bash":
        text = result.get("output") if isinstance(result, dict) else result
        result = shell_result(result, text)
    call["tool_response"] = result


def started_in(payload: "dict[str, Any]") -> str:
    """The workspace: Cursor runs a hook of the user's in a folder of its own."""
    return _folder(None, payload.get("workspace_roots"))


def _folder(given: "Any", roots: "Any") -> str:
    """Where the agent works: a shell call's own folder, else the workspace."""
    inside = given.get("cwd") if isinstance(given, dict) else None
    for folder in (inside, roots[0] if isinstance(roots, list) and roots else None):
        if isinstance(folder, str) and folder.startswith("/"):
            return folder
    return ""


def _number(value: "Any") -> float:
    return value if isinstance(value, (int, float)) else 0


def from_claude(
    event: str, answer: Answer, payload: "dict[str, Any]", calls: "list[dict[str, Any]]"
) -> Reply:
    """The answer in Cursor's fields. Seen by others: user_message reaches the model, agent_message
    may not; so both hold the reason."""
    out: "dict[str, Any]" = {}
    said: "list[str]" = []
    if event == "PreToolUse":
        updated = rewrite(event, answer)
        if answer.refuses():
            why = reason(answer)
            out = {"permission": "deny", "user_message": why, "agent_message": why}
            said = ["deny"]
        elif updated is not None and calls:
            tool = str(calls[0].get("tool_name"))
            given = arguments(payload.get("tool_input"))
            out = {"updated_input": restored(updated, given, ARGUMENTS.get(tool))}
            said = ["updatedInput"]
    elif event == "UserPromptSubmit" and (answer.refuses() or answer.stop):
        why = reason(answer) if answer.refuses() else answer.stop_reason or reason(answer)
        out = {"continue": False, "user_message": why}
        said = ["block", "continue:false", "additionalContext"]
    elif event in ("PostToolUse", "UserPromptSubmit", "SessionStart"):
        told = context(answer, with_reason=event == "PostToolUse")
        out = {"additional_context": told} if told else {}
        said = ["additionalContext", *(["block"] if event == "PostToolUse" else [])]
    elif event in ("Stop", "SubagentStop"):
        if answer.refuses() and not answer.stop:
            out = {"followup_message": reason(answer)}
        said = ["block", "continue:false"]
    elif event == "PreCompact" and answer.system_message:
        out = {"user_message": answer.system_message}
        said = ["systemMessage"]
    else:
        return Reply(None, asked(event, answer))
    return reply(event, answer, out, said)
