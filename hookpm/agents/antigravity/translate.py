"""Antigravity's payloads and answers, as others measured them (1.0 to 1.2) and Google documents.

Vendored. Nothing here was run. Before a tool Antigravity takes silence, {} and every exit code but
0 for a refusal, so each call gets an answer that decides. That answer is "allow": it was seen to
grant nothing (1.1.2, 1.1.18 and 1.2.7 still ask as the user's rules want it), while "ask" would ask
even where those rules do not.
"""

from hookpm.contract.answer import Answer, Reply
from hookpm.contract.events import TOOL_EVENTS
from hookpm.contract.forms import (
    arguments,
    asked,
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
    "PreToolUse": ("deny", "ask", "updatedInput"),
    "PostToolUse": (),
    "UserPromptSubmit": (),
    "SessionStart": (),
    "SessionEnd": (),
    "Stop": ("block", "continue:false"),
    "PreCompact": (),
    "PostToolUseFailure": (),
    "SubagentStart": (),
    "SubagentStop": (),
    "PermissionRequest": (),
    "Notification": (),
}
# Native -> Claude's; its payloads carry no event name. PreInvocation fires before every call of the
# model and holds no prompt, so it is no UserPromptSubmit.
EVENTS = {event: event for event in ("PreToolUse", "PostToolUse", "SessionStart", "Stop")}
CAPS_STOPS = True  # ten continuations, then the turn ends

FIELDS = {
    "conversationId": "session_id",
    "transcriptPath": "transcript_path",
    "modelName": "model",
}
TOOLS = {
    "run_command": "Bash",
    "view_file": "Read",
    "view_file_outline": "Read",
    "list_dir": "LS",
    "grep_search": "Grep",
    "code_search": "Grep",
    "find_by_name": "Glob",
    "write_to_file": "Write",
    "replace_file_content": "Edit",
    "multi_replace_file_content": "Edit",
    "invoke_subagent": "Agent",
    "search_web": "WebSearch",
    "read_url_content": "WebFetch",
}
ARGUMENTS = {  # native -> Claude's; those of the searches are Windsurf's, which it grew from
    "Bash": {"CommandLine": "command"},
    "Read": {"AbsolutePath": "file_path"},
    "LS": {"DirectoryPath": "path"},
    "Grep": {"Query": "pattern", "SearchPath": "path"},
    "Glob": {"Pattern": "pattern", "SearchDirectory": "path"},
    "Write": {"TargetFile": "file_path", "CodeContent": "content"},
    "Edit": {
        "TargetFile": "file_path",
        "TargetContent": "old_string",
        "ReplacementContent": "new_string",
    },
}
_NONE: "dict[str, str]" = {}


def NEUTRAL(event: str) -> "dict[str, Any]":  # noqa: N802
    """The answer that has no opinion: the bridge gives it wherever it has nothing else to say."""
    return {"decision": "allow"} if event == "PreToolUse" else {}


def recognises(payload: "dict[str, Any]") -> bool:
    """Does Antigravity call? No other agent sends conversationId with workspacePaths."""
    if not isinstance(payload.get("conversationId"), str):
        return False
    return isinstance(payload.get("workspacePaths"), list) or "toolCall" in payload


def to_claude(event: str, payload: "dict[str, Any]") -> "list[dict[str, Any]]":
    """The call in Claude's form. A prompt is in none of its events."""
    call = renamed(payload, FIELDS)
    call["hook_event_name"] = event
    for key in ("session_id", "transcript_path"):
        if key in call and not isinstance(call[key], str):
            del call[key]
    if event == "SessionStart":
        call.setdefault("source", "startup")
    given = _NONE
    if event in TOOL_EVENTS:
        given = _tool_call(call)
    if event == "PostToolUse":  # the contract wants one, and Antigravity shows none
        call["tool_response"] = shell_result({}, "") if call["tool_name"] == "Bash" else ""
    cwd = _folder(given.get("Cwd"), payload.get("workspacePaths"))
    if cwd:
        call["cwd"] = cwd
    return [call]


def _tool_call(call: "dict[str, Any]") -> "dict[str, Any]":
    """Fill in the tool; its own arguments. After a tool there is no output, only an error."""
    used = call.pop("toolCall", None)
    used = used if isinstance(used, dict) else {}
    name = used.get("name")
    name = name if isinstance(name, str) else ""
    given = arguments(used.get("args"))
    if name == "call_mcp_tool":
        server, tool = given.get("ServerName"), given.get("ToolName")
        call["tool_name"] = mcp_tool(
            server if isinstance(server, str) and server else "unknown",
            tool if isinstance(tool, str) else "",
        )
        call["tool_input"] = arguments(given.get("Arguments"))
        return given
    tool = TOOLS.get(name, name)
    call["tool_name"] = tool
    call["tool_input"] = renamed(given, ARGUMENTS.get(tool, _NONE))
    return given


def _folder(given: "Any", roots: "Any") -> str:
    """Where the agent works: a shell call's own folder, else the workspace."""
    for folder in (given, roots[0] if isinstance(roots, list) and roots else None):
        if isinstance(folder, str) and folder.startswith("/"):
            return folder
    return ""


def started_in(payload: "dict[str, Any]") -> str:
    """The workspace, for the user bridge: a hook of the user's runs in Antigravity's own folder,
    and no variable names another. Unlike a shell call's folder it does not follow a `cd`."""
    return _folder(None, payload.get("workspacePaths"))


def from_claude(
    event: str, answer: Answer, payload: "dict[str, Any]", calls: "list[dict[str, Any]]"
) -> Reply:
    """The answer in Antigravity's fields; a rewrite is merged into the old arguments there."""
    out: "dict[str, Any]" = {}
    said: "list[str]" = []
    if event == "PreToolUse":
        updated = rewrite(event, answer)
        if answer.refuses():
            out = {"decision": "deny", "reason": reason(answer)}
            said = ["deny"]
        elif answer.decision == "ask":
            out = {"decision": "ask"}
            if answer.reason:
                out["reason"] = answer.reason
            said = ["ask"]
        if updated is not None and calls:
            out.setdefault("decision", "allow")
            out["overwrite"] = _native_input(payload, calls[0], updated)
            said.append("updatedInput")
    elif event == "Stop":
        if answer.refuses() and not answer.stop:
            out = {"decision": "continue", "reason": reason(answer)}
        said = ["block", "continue:false"]
    else:
        return Reply(None, asked(event, answer))
    return reply(event, answer, out, said)


def _native_input(
    payload: "dict[str, Any]", call: "dict[str, Any]", updated: "dict[str, Any]"
) -> "dict[str, Any]":
    used = payload.get("toolCall")
    used = used if isinstance(used, dict) else {}
    if used.get("name") == "call_mcp_tool":
        return {"Arguments": updated}
    return restored(updated, arguments(used.get("args")), ARGUMENTS.get(str(call.get("tool_name"))))
