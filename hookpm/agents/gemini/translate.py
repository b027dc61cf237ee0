"""Gemini CLI's payloads and answers: its own event and tool names, its own fields.

Vendored. Observed in Gemini CLI 0.61.0.
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
    "PreToolUse": ("deny", "ask", "updatedInput", "continue:false", "systemMessage"),
    "PostToolUse": ("block", "additionalContext", "continue:false", "systemMessage"),
    "UserPromptSubmit": ("block", "additionalContext", "continue:false", "systemMessage"),
    "SessionStart": ("additionalContext", "systemMessage"),
    "SessionEnd": (),
    "Stop": ("block", "continue:false", "systemMessage"),
    "PreCompact": ("systemMessage",),
    "PostToolUseFailure": (),
    "SubagentStart": (),
    "SubagentStop": (),
    "PermissionRequest": (),
    "Notification": (),
}
EVENTS = {  # native -> Claude's
    "BeforeTool": "PreToolUse",
    "AfterTool": "PostToolUse",
    "BeforeAgent": "UserPromptSubmit",
    "SessionStart": "SessionStart",
    "SessionEnd": "SessionEnd",
    "AfterAgent": "Stop",
    "PreCompress": "PreCompact",
    "Notification": "Notification",
}
REPEATS_REASON = True  # a block's reason at AfterAgent comes back as BeforeAgent's prompt
ASK_NEEDS_TERMINAL = True  # headless an "ask" ends the run without a word

_OWN_EVENTS = (
    "BeforeTool",
    "AfterTool",
    "BeforeAgent",
    "AfterAgent",
    "PreCompress",
    "BeforeModel",
    "AfterModel",
    "BeforeToolSelection",
)
_NATIVE = {claude: native for native, claude in EVENTS.items()}
TOOLS = {
    "run_shell_command": "Bash",
    "read_file": "Read",
    "write_file": "Write",
    "replace": "Edit",
    "glob": "Glob",
    "grep_search": "Grep",
    "search_file_content": "Grep",  # its name in earlier versions
    "list_directory": "LS",
    "write_todos": "TodoWrite",
    "web_fetch": "WebFetch",
    "google_web_search": "WebSearch",
}
ARGUMENTS = {  # native -> Claude's
    "Bash": {},
    "Read": {},
    "Write": {},
    "Edit": {"allow_multiple": "replace_all"},
    "Glob": {"dir_path": "path"},
    "Grep": {"dir_path": "path"},
    "LS": {"dir_path": "path"},
}
_NONE: "dict[str, str]" = {}


def recognises(payload: "dict[str, Any]") -> bool:
    """Does Gemini call? By its event names; at a session's start and end it sends a timestamp and a
    transcript, and no permission_mode (Qwen Code does, Copilot sends no transcript there, and VS
    Code has another word for a session's start)."""
    event = payload.get("hook_event_name")
    if event in _OWN_EVENTS:
        return "cursor_version" not in payload
    if event not in ("SessionStart", "SessionEnd", "Notification"):
        return False
    if "permission_mode" in payload or "cursor_version" in payload:
        return False
    if event == "SessionStart" and payload.get("source") == "new":
        return False
    return isinstance(payload.get("timestamp"), str) and "transcript_path" in payload


def to_claude(event: str, payload: "dict[str, Any]") -> "list[dict[str, Any]]":
    """The call in Claude's form. Arguments that Claude's tool lacks (instruction, dir_path of a
    shell command, start_line) stay beside the renamed ones."""
    call = base(event, payload, {"prompt_response": "last_assistant_message"})
    if call.get("notification_type") == "ToolPermission":
        call["notification_type"] = "permission_prompt"
    if event not in TOOL_EVENTS:
        return [call]
    tool = _tool(call["tool_name"], payload.get("mcp_context"))
    call["tool_name"] = tool
    call["tool_input"] = renamed(call["tool_input"], ARGUMENTS.get(tool, _NONE))
    result = call.get("tool_response")
    if tool == "Bash" and isinstance(result, dict):
        shown = result.get("returnDisplay")
        text = shown if isinstance(shown, str) else result.get("llmContent")
        call["tool_response"] = shell_result(result, text)
    return [call]


def _tool(name: str, mcp: "Any") -> str:
    """mcp_context says where the server's name ends; without it that is a guess: the first _."""
    if isinstance(mcp, dict):
        server, tool = mcp.get("server_name"), mcp.get("tool_name")
        if isinstance(server, str) and isinstance(tool, str):
            return mcp_tool(server, tool)
    if name.startswith("mcp_") and not name.startswith("mcp__"):
        server, _, tool = name[4:].partition("_")
        if tool:
            return mcp_tool(server, tool)
    return TOOLS.get(name, name)


def from_claude(
    event: str, answer: Answer, payload: "dict[str, Any]", calls: "list[dict[str, Any]]"
) -> Reply:
    """The answer in Gemini's fields. No reason is printed where nothing is refused: Gemini joins
    the reasons of all hooks."""
    native = _NATIVE.get(event)
    if native is None or event == "SessionEnd":
        return Reply(None, asked(event, answer))
    out: "dict[str, Any]" = {}
    specific: "dict[str, Any]" = {}
    said = []
    if event == "PreToolUse":
        said += _before_tool(out, specific, answer, payload, calls)
    elif event == "PostToolUse":  # a refusal there would replace the tool's output
        specific["additionalContext"] = context(answer, with_reason=True)
        said += ["block", "additionalContext"]
    elif event in ("UserPromptSubmit", "SessionStart"):
        specific["additionalContext"] = context(answer)
        said.append("additionalContext")
    if event in ("UserPromptSubmit", "Stop") and answer.refuses():
        if not (event == "Stop" and answer.stop):  # there continue:false wins
            out["decision"] = "deny"
            out["reason"] = reason(answer)
        said.append("block")
    if answer.stop and event not in ("SessionStart", "PreCompact", "Notification"):
        out["continue"] = False
        if answer.stop_reason:
            out["stopReason"] = answer.stop_reason
        said.append("continue:false")
    if answer.system_message:
        shown = out.get("systemMessage")
        text = answer.system_message
        out["systemMessage"] = shown + "\n" + text if shown else text
        said.append("systemMessage")
    specific = {key: value for key, value in specific.items() if value != ""}
    if specific:
        out["hookSpecificOutput"] = {"hookEventName": native, **specific}
    return reply(event, answer, out, said)


def _before_tool(
    out: "dict[str, Any]",
    specific: "dict[str, Any]",
    answer: Answer,
    payload: "dict[str, Any]",
    calls: "list[dict[str, Any]]",
) -> "list[str]":
    """The dialog of an "ask" shows the systemMessage, not the reason."""
    said = []
    if answer.refuses():
        out["decision"] = "deny"
        out["reason"] = reason(answer)
        said.append("deny")
    elif answer.decision == "ask":
        out["decision"] = "ask"
        if answer.reason:
            out["systemMessage"] = answer.reason
        said.append("ask")
    updated = rewrite("PreToolUse", answer)
    if updated is not None and calls:
        names = ARGUMENTS.get(str(calls[0].get("tool_name")))
        specific["tool_input"] = restored(updated, arguments(payload.get("tool_input")), names)
        said.append("updatedInput")
    return said


def skips_project(arguments: "list[str]") -> bool:
    """Was it started so that it runs its user's hooks and not the project's? Observed."""
    return "--skip-trust" in arguments
