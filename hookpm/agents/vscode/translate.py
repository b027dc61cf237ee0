"""The payloads and answers of VS Code's own agent, by its documentation and its public source.

Vendored. Nothing here was run. VS Code also runs .claude/settings.json and Copilot CLI's hooks by
itself, with the payloads below. The documentation shows hookEventName and sessionId where the
source sends hook_event_name and session_id: both are read.
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
    "PreToolUse": (
        "deny",
        "ask",
        "allow",
        "updatedInput",
        "additionalContext",
        "continue:false",
        "systemMessage",
    ),
    "PostToolUse": ("block", "additionalContext", "continue:false", "systemMessage"),
    "UserPromptSubmit": ("block", "additionalContext", "continue:false", "systemMessage"),
    "SessionStart": ("additionalContext", "systemMessage"),
    "SessionEnd": (),
    "Stop": ("block", "continue:false", "systemMessage"),
    "PreCompact": ("systemMessage",),
    "PostToolUseFailure": (),
    "SubagentStart": ("additionalContext",),
    "SubagentStop": ("block",),
    "PermissionRequest": (),
    "Notification": (),
}
EVENTS = {  # native -> Claude's
    event: event
    for event in SUPPORTED
    if event not in ("SessionEnd", "PostToolUseFailure", "PermissionRequest", "Notification")
}

_ELSEWHERE = ("cursor_version", "permission_mode", "prompt_id", "turn_id", "client_type")
TOOLS = {
    "run_in_terminal": "Bash",
    "runInTerminal": "Bash",
    "runTerminalCommand": "Bash",
    "read_file": "Read",
    "readFile": "Read",
    "create_file": "Write",
    "createFile": "Write",
    "replace_string_in_file": "Edit",
    "insert_edit_into_file": "Edit",
    "edit_notebook_file": "NotebookEdit",
    "grep_search": "Grep",
    "file_search": "Glob",
    "list_dir": "LS",
    "fetch_webpage": "WebFetch",
    "runSubagent": "Agent",
}
_FILE = {"filePath": "file_path"}
_CHANGE = {**_FILE, "oldString": "old_string", "newString": "new_string", "code": "new_string"}
ARGUMENTS = {  # native -> Claude's
    "Bash": {},
    "Read": _FILE,
    "Write": _FILE,
    "Edit": _CHANGE,
    "NotebookEdit": {"filePath": "notebook_path", "newCode": "new_source"},
    "Grep": {"query": "pattern", "includePattern": "glob"},
    "Glob": {"query": "pattern"},
    "LS": {},
}
_NONE: "dict[str, str]" = {}
# One call of these touches several files.
_LISTS = {"multi_replace_string_in_file": "replacements", "editFiles": "files"}


def recognises(payload: "dict[str, Any]") -> bool:
    """Does VS Code call? The documented spelling is its own. The other is Claude's with a timestamp
    in text: Gemini CLI names no event so but a session's start; Copilot CLI sends no call's id, and
    a transcript at a stop (with a reason) and before a compaction (with instructions) only."""
    if not isinstance(payload.get("timestamp"), str):
        return False
    if any(key in payload for key in _ELSEWHERE):
        return False
    if payload.get("hookEventName") in EVENTS:
        return True
    event = payload.get("hook_event_name")
    if event not in EVENTS or "stop_reason" in payload or "custom_instructions" in payload:
        return False
    if event == "SessionStart":
        return payload.get("source") == "new" and "transcript_path" in payload
    return "transcript_path" in payload or "tool_use_id" in payload


def to_claude(event: str, payload: "dict[str, Any]") -> "list[dict[str, Any]]":
    """The call in Claude's form; one that touches several files becomes one call per file."""
    call = base(event, payload, {"sessionId": "session_id"})
    call.pop("hookEventName", None)
    if call.get("source") == "new":
        call["source"] = "startup"
    if event not in TOOL_EVENTS:
        return [call]
    native = call["tool_name"]
    if native in _LISTS or native == "apply_patch":
        return _files(call) or [call]
    tool = _tool(native)
    call["tool_name"] = tool
    call["tool_input"] = renamed(call["tool_input"], ARGUMENTS.get(tool, _NONE))
    if tool == "Bash" and "tool_response" in call:
        call["tool_response"] = shell_result(call["tool_response"], call["tool_response"])
    return [call]


def _tool(name: str) -> str:
    """An MCP tool is mcp_server_tool, and either may hold a "_": the first one is taken for the one
    between them."""
    if name.startswith("mcp_") and not name.startswith("mcp__"):
        server, _, tool = name[4:].partition("_")
        if tool:
            return mcp_tool(server, tool)
    return TOOLS.get(name, name)


def _files(call: "dict[str, Any]") -> "list[dict[str, Any]]":
    given = call["tool_input"]
    parts = given.get(_LISTS.get(call["tool_name"], ""))
    calls = []
    for part in parts if isinstance(parts, list) else ():
        if isinstance(part, str):
            calls.append({**call, "tool_name": "Edit", "tool_input": {"file_path": part}})
        elif isinstance(part, dict):
            calls.append({**call, "tool_name": "Edit", "tool_input": renamed(part, _CHANGE)})
    if call["tool_name"] != "apply_patch":
        return calls
    from hookpm.contract.patch import read

    for text in given.values():
        for change in read(text) if isinstance(text, str) else ():
            for tool, inside in change.as_calls():
                calls.append({**call, "tool_name": tool, "tool_input": inside})
    return calls


def can_rewrite(payload: "dict[str, Any]", calls: "list[dict[str, Any]]") -> bool:
    """Can this call's input be replaced? Not where hooks see it in another form."""
    native = payload.get("tool_name")
    return len(calls) == 1 and native not in _LISTS and native != "apply_patch"


def from_claude(
    event: str, answer: Answer, payload: "dict[str, Any]", calls: "list[dict[str, Any]]"
) -> Reply:
    """The answer in VS Code's fields. A stopReason alone would end the session, too."""
    if event not in EVENTS:
        return Reply(None, asked(event, answer))
    out: "dict[str, Any]" = {}
    specific: "dict[str, Any]" = {}
    said = []
    if event == "PreToolUse":
        said += _before_tool(specific, answer, payload, calls)
    if event in ("PostToolUse", "UserPromptSubmit", "SessionStart", "SubagentStart"):
        if answer.contexts:
            specific["additionalContext"] = context(answer)
        said.append("additionalContext")
    if answer.stop and event not in ("SessionStart", "SubagentStart", "PreCompact"):
        out["continue"] = False
        if answer.stop_reason:
            out["stopReason"] = answer.stop_reason
        said.append("continue:false")
    if event in ("PostToolUse", "UserPromptSubmit", "Stop", "SubagentStop"):
        _refuse(event, answer, out, specific)
        said.append("block")
    if answer.system_message:
        out["systemMessage"] = answer.system_message
        said.append("systemMessage")
    if specific:
        out["hookSpecificOutput"] = {"hookEventName": event, **specific}
    return reply(event, answer, out, said)


def _refuse(event: str, answer: Answer, out: "dict[str, Any]", specific: "dict[str, Any]") -> None:
    """A prompt is refused by stopping there. At Stop the documentation wants the block inside
    hookSpecificOutput and the source reads it at the top: it is given twice."""
    if not answer.refuses():
        return
    if event == "UserPromptSubmit":
        out["continue"] = False
        out["stopReason"] = reason(answer)
    elif event == "PostToolUse" or not answer.stop:
        out["decision"] = "block"
        out["reason"] = reason(answer)
        if event == "Stop":
            specific.update(decision="block", reason=reason(answer))


def _before_tool(
    specific: "dict[str, Any]",
    answer: Answer,
    payload: "dict[str, Any]",
    calls: "list[dict[str, Any]]",
) -> "list[str]":
    said = []
    word = "deny" if answer.refuses() else answer.decision
    if word in ("deny", "ask") or (word == "allow" and len(calls) < 2):  # not one file of several
        specific["permissionDecision"] = word
        why = reason(answer) if word == "deny" else answer.reason
        if why:
            specific["permissionDecisionReason"] = why
        said.append(word)
    updated = rewrite("PreToolUse", answer)
    if updated is not None and can_rewrite(payload, calls):
        tool = str(calls[0].get("tool_name"))
        given = arguments(payload.get("tool_input"))
        specific["updatedInput"] = restored(updated, given, ARGUMENTS.get(tool))
        said.append("updatedInput")
    if answer.contexts:
        specific["additionalContext"] = context(answer)
        said.append("additionalContext")
    return said
