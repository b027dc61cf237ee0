"""GitHub Copilot CLI's payloads and answers, in both spellings that it sends.

Vendored. Observed in Copilot CLI 1.0.102: entries in camelCase get camelCase payloads; Claude's
event names, as in the .claude/settings.json that it runs by itself, get snake_case payloads with
Claude's tool names but Copilot's arguments. Top-level answer fields count in both.
"""

from hookpm.contract.answer import Answer, Reply
from hookpm.contract.events import CLAUDE_EVENTS, TOOL_EVENTS
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
    "PreToolUse": ("deny", "ask", "allow", "updatedInput", "additionalContext"),
    "PostToolUse": ("block", "additionalContext"),
    "UserPromptSubmit": ("block", "additionalContext", "continue:false"),
    "SessionStart": ("additionalContext",),
    "SessionEnd": (),
    "Stop": ("block", "continue:false"),
    "PreCompact": (),
    "PostToolUseFailure": ("block", "additionalContext"),
    "SubagentStart": ("additionalContext",),
    "SubagentStop": ("block",),
    "PermissionRequest": ("deny", "allow"),
    "Notification": (),
}
EVENTS = {  # native -> Claude's; its camelCase payloads carry no event name
    "preToolUse": "PreToolUse",
    "postToolUse": "PostToolUse",
    "userPromptSubmitted": "UserPromptSubmit",
    "sessionStart": "SessionStart",
    "sessionEnd": "SessionEnd",
    "agentStop": "Stop",
    "preCompact": "PreCompact",
    "postToolUseFailure": "PostToolUseFailure",
    "subagentStart": "SubagentStart",
    "subagentStop": "SubagentStop",
    "permissionRequest": "PermissionRequest",
    "notification": "Notification",
    **{event: event for event in SUPPORTED},
}
CONTEXT_CHARS, CONTEXT_FIELD = 10000, "additionalContext"
CAPS_STOPS = True  # eight continuations, then the run ends
REPEATS_REASON = True  # a block's reason at agentStop comes back as a prompt (observed)
CONFIG_VERSION = 1  # a file with another one is dropped

FIELDS = {
    "sessionId": "session_id",
    "transcriptPath": "transcript_path",
    "toolName": "tool_name",
    "toolArgs": "tool_input",
    "toolInput": "tool_input",
    "permissionSuggestions": "permission_suggestions",
    "response": "last_assistant_message",
    "initialPrompt": "initial_prompt",
    "customInstructions": "custom_instructions",
    "stopReason": "stop_reason",
    "agentId": "agent_id",
    "agentType": "agent_type",
    "agentName": "agent_name",
    "parentAgentId": "parent_agent_id",
    "toolResult": "tool_response",
    "tool_result": "tool_response",
}
TOOLS = {
    "bash": "Bash",
    "powershell": "PowerShell",
    "view": "Read",
    "create": "Write",
    "edit": "Edit",
    "grep": "Grep",
    "glob": "Glob",
    "task": "Agent",
    "web_fetch": "WebFetch",
}
_FILE = {"path": "file_path"}
ARGUMENTS = {  # native -> Claude's
    "Bash": {},
    "Read": _FILE,
    "Grep": {},
    "Glob": {},
    "Write": {**_FILE, "file_text": "content"},
    "Edit": {**_FILE, "old_str": "old_string", "new_str": "new_string"},
    "Agent": {"agent_type": "subagent_type"},
}
_RESULT = {"resultType": "result_type", "textResultForLlm": "text_result_for_llm"}
_NONE: "dict[str, str]" = {}
_DASHED_SERVERS = ("github-mcp-server",)  # built in


def recognises(payload: "dict[str, Any]") -> bool:
    """Does Copilot call? camelCase: sessionId and a timestamp in numbers. Claude's spelling: a
    timestamp in text, and none of the fields that Claude, Gemini, Qwen Code and VS Code send with
    it."""
    stamp = payload.get("timestamp")
    if "cursor_version" in payload:
        return False
    if isinstance(payload.get("sessionId"), str):
        return isinstance(stamp, (int, float)) and not isinstance(stamp, bool)
    if not isinstance(stamp, str) or payload.get("hook_event_name") not in CLAUDE_EVENTS:
        return False
    if "permission_mode" in payload or "prompt_id" in payload or "session_id" not in payload:
        return False
    if "tool_use_id" in payload:
        return False
    return "transcript_path" not in payload or "stop_reason" in payload


def to_claude(event: str, payload: "dict[str, Any]") -> "list[dict[str, Any]]":
    """The call in Claude's form; agent_id and parent_agent_id mark a subagent's. A patch becomes
    one call per file."""
    call = base(event, payload, FIELDS)
    if call.get("source") == "new":
        call["source"] = "startup"
    if event not in TOOL_EVENTS:
        return [call]
    native = call["tool_name"]
    tool = _tool(native)
    call["tool_name"] = tool
    call["tool_input"] = renamed(call["tool_input"], ARGUMENTS.get(tool, _NONE))
    result = call.get("tool_response")
    if isinstance(result, dict):
        result = renamed(result, _RESULT)
        text = result.get("text_result_for_llm")
        call["tool_response"] = shell_result(result, text) if tool == "Bash" else result
    if native == "apply_patch":
        return _files(call) or [call]
    return [call]


def _tool(name: str) -> str:
    """Claude's name. An MCP tool is server-tool, and either may hold a dash: but for the built-in
    server the first dash is taken for the one between them."""
    if "/" in name:  # so they are named where permission is asked for
        server, _, tool = name.partition("/")
        return mcp_tool(server, tool)
    if "-" not in name:
        return TOOLS.get(name, name)
    for server in _DASHED_SERVERS:
        if name.startswith(server + "-"):
            return mcp_tool(server, name[len(server) + 1 :])
    server, _, tool = name.partition("-")
    return mcp_tool(server, tool) if server and tool else name


def _files(call: "dict[str, Any]") -> "list[dict[str, Any]]":
    """Not measured: the changelog knows apply_patch for some models, not how it names the text."""
    from hookpm.contract.patch import read

    calls = []
    for text in call["tool_input"].values():
        for change in read(text) if isinstance(text, str) else ():
            for tool, given in change.as_calls():
                calls.append({**call, "tool_name": tool, "tool_input": given})
    return calls


def can_rewrite(payload: "dict[str, Any]", calls: "list[dict[str, Any]]") -> bool:
    """Can this call's input be replaced? Not a patch: hooks see it in another form."""
    native = payload.get("toolName", payload.get("tool_name"))
    return native != "apply_patch" and len(calls) == 1


def from_claude(
    event: str, answer: Answer, payload: "dict[str, Any]", calls: "list[dict[str, Any]]"
) -> Reply:
    """The answer in Copilot's top-level fields, which it reads in both spellings."""
    out: "dict[str, Any]" = {}
    if event == "PreToolUse":
        said = _before_tool(out, answer, payload, calls)
    elif event in ("PostToolUse", "PostToolUseFailure"):
        # A block would replace the tool's result, or do nothing where there is none.
        told = context(answer, with_reason=True)
        said = ["block", "additionalContext"]
        if told:
            out["additionalContext"] = told
    elif event == "UserPromptSubmit" and (answer.refuses() or answer.stop):
        out["decision"] = "block"
        out["reason"] = reason(answer) if answer.refuses() else answer.stop_reason or reason(answer)
        said = ["block", "continue:false", "additionalContext"]
    elif event in ("UserPromptSubmit", "SessionStart", "SubagentStart"):
        said = ["additionalContext"]
        if answer.contexts:
            out["additionalContext"] = context(answer)
    elif event == "Stop":
        said = ["block", "continue:false"]
        if answer.refuses() and not answer.stop:
            out["decision"] = "block"
            out["reason"] = reason(answer)
    elif event == "SubagentStop":
        said = ["block"]
        if answer.refuses():
            out["decision"] = "block"
            out["reason"] = reason(answer)
    elif event == "PermissionRequest":
        said = _permission(out, answer, calls)
    else:
        return Reply(None, asked(event, answer))
    return reply(event, answer, out, said)


def _permission(
    out: "dict[str, Any]", answer: Answer, calls: "list[dict[str, Any]]"
) -> "list[str]":
    """At the top level; what a hook allows beside a rewrite is another input."""
    if answer.refuses():
        out.update(behavior="deny", message=reason(answer))
        return ["deny"]
    if answer.decision == "allow" and answer.updated_input is None and len(calls) < 2:
        out["behavior"] = "allow"
        return ["allow"]
    return []


def _before_tool(
    out: "dict[str, Any]", answer: Answer, payload: "dict[str, Any]", calls: "list[dict[str, Any]]"
) -> "list[str]":
    said = []
    word = "deny" if answer.refuses() else answer.decision
    if word in ("deny", "ask") or (word == "allow" and len(calls) < 2):  # not one file of several
        out["permissionDecision"] = word
        why = reason(answer) if word == "deny" else answer.reason
        if why:
            out["permissionDecisionReason"] = why
        said.append(word)
    updated = rewrite("PreToolUse", answer)
    if updated is not None and can_rewrite(payload, calls):
        tool = str(calls[0].get("tool_name"))
        given = arguments(payload.get("toolArgs", payload.get("tool_input")))
        out["modifiedArgs"] = restored(updated, given, ARGUMENTS.get(tool))
        said.append("updatedInput")
    if answer.contexts:
        out["additionalContext"] = context(answer)
        said.append("additionalContext")
    return said
