"""Factory Droid's payloads and answers: Claude's protocol with names and gaps of its own.

Vendored. Observed in Droid 0.225.2, headless; prompts and compactions through the JSON-RPC that its
terminal and the vendor's SDK use.
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
    "PreToolUse": ("deny", "updatedInput", "continue:false"),
    "PostToolUse": ("block", "additionalContext", "continue:false", "systemMessage"),
    "UserPromptSubmit": ("block", "additionalContext", "continue:false"),
    "SessionStart": ("additionalContext",),
    "SessionEnd": (),
    "Stop": ("block", "continue:false", "systemMessage"),
    "PreCompact": ("block",),
    "PostToolUseFailure": (),
    "SubagentStart": (),
    "SubagentStop": (),
    "PermissionRequest": (),
    "Notification": (),
}
EVENTS = {  # native -> Claude's
    event: event
    for event in SUPPORTED
    if event not in ("PostToolUseFailure", "SubagentStart", "PermissionRequest")
}

_PATCH = "ApplyPatch"
TOOLS = {
    "Execute": "Bash",
    "Create": "Write",
    "Task": "Agent",
    "FetchUrl": "WebFetch",
    "AskUser": "AskUserQuestion",
}
ARGUMENTS = {  # native -> Claude's
    "Bash": {},
    "Read": {},
    "Write": {},
    "Edit": {"old_str": "old_string", "new_str": "new_string", "change_all": "replace_all"},
    "LS": {"directory_path": "path", "ignorePatterns": "ignore"},
    "Glob": {"folder": "path"},
    "Grep": {
        "glob_pattern": "glob",
        "case_insensitive": "-i",
        "context_before": "-B",
        "context_after": "-A",
        "context": "-C",
        "line_numbers": "-n",
    },
}
_NONE: "dict[str, str]" = {}


def recognises(payload: "dict[str, Any]") -> bool:
    """Does Droid call? By its words for the permission mode, which it sends at every event."""
    if payload.get("hook_event_name") not in CLAUDE_EVENTS:
        return False
    if "timestamp" in payload or "cursor_version" in payload:
        return False
    mode = payload.get("permission_mode")
    return isinstance(mode, str) and (mode in ("off", "spec") or mode.startswith("auto-"))


def to_claude(event: str, payload: "dict[str, Any]") -> "list[dict[str, Any]]":
    """The call in Claude's form: one per file of a patch, one per pattern of a Glob."""
    call = base(event, payload)
    if event not in TOOL_EVENTS:
        return [call]
    native = call["tool_name"]
    tool = _tool(native)
    call["tool_name"] = tool
    given = renamed(call["tool_input"], ARGUMENTS.get(tool, _NONE))
    call["tool_input"] = given
    if "tool_response" in call:
        call["tool_response"] = _result(tool, call["tool_response"])
    if native == _PATCH:
        return _files(call) or [{**call, "tool_name": "apply_patch"}]
    patterns = given.get("patterns")
    if tool == "Glob" and isinstance(patterns, (list, str)):
        rest = {key: value for key, value in given.items() if key != "patterns"}
        each = [patterns] if isinstance(patterns, str) else patterns  # a text is taken for one
        inputs = [{"pattern": pattern, **rest} for pattern in each]
        return [{**call, "tool_input": one} for one in inputs] or [call]
    return [call]


def _tool(name: str) -> str:
    """Claude's name; an MCP tool is server___tool."""
    server, mark, tool = name.partition("___")
    if mark and server and tool:
        return mcp_tool(server, tool)
    return TOOLS.get(name, name)


def _result(tool: str, value: "Any") -> "Any":
    """Results are texts; file tools give JSON as text."""
    if tool == "Bash":
        return shell_result(value, value)
    if tool in ("Write", "Edit") and isinstance(value, str) and value.startswith("{"):
        inside = arguments(value)
        return value if "input" in inside else inside
    return value


def _files(call: "dict[str, Any]") -> "list[dict[str, Any]]":
    """The patch is in "input"; not measured: only some models are given this tool."""
    from hookpm.contract.patch import read

    calls = []
    for text in call["tool_input"].values():
        for change in read(text) if isinstance(text, str) else ():
            for tool, given in change.as_calls():
                calls.append({**call, "tool_name": tool, "tool_input": given})
    return calls


def can_rewrite(payload: "dict[str, Any]", calls: "list[dict[str, Any]]") -> bool:
    """Can this call's input be replaced? Not a patch's: hooks are shown it in another form."""
    return payload.get("tool_name") != _PATCH and len(calls) == 1


def from_claude(
    event: str, answer: Answer, payload: "dict[str, Any]", calls: "list[dict[str, Any]]"
) -> Reply:
    """The answer in Droid's fields, which are Claude's; "refusal" where exit code 2 says it, which
    another hook's "allow" does not undo."""
    out: "dict[str, Any]" = {}
    specific: "dict[str, Any]" = {}
    said = ["block"]
    refusal = reason(answer) if answer.refuses() and event != "Stop" else ""
    if event == "PreToolUse":
        said = _before_tool(specific, answer, payload, calls)
    elif event in ("PostToolUse", "UserPromptSubmit", "SessionStart"):
        said = ["additionalContext", *(["block"] if event != "SessionStart" else [])]
        if answer.contexts:
            specific["additionalContext"] = context(answer)
    elif event == "Stop" and answer.refuses() and not answer.stop:
        out["decision"] = "block"
        out["reason"] = reason(answer)
    elif event not in ("Stop", "PreCompact"):
        return Reply(None, asked(event, answer))
    if specific:
        out["hookSpecificOutput"] = {"hookEventName": event, **specific}
    if event == "SessionStart":
        refusal = ""
    elif event != "PreCompact":
        _stop(out, event, answer)
        said.append("continue:false")
    if answer.system_message and event in ("PostToolUse", "Stop"):
        out["systemMessage"] = answer.system_message
        said.append("systemMessage")
    made = reply(event, answer, out, said)
    made.refusal = refusal
    return made


def _before_tool(
    specific: "dict[str, Any]",
    answer: Answer,
    payload: "dict[str, Any]",
    calls: "list[dict[str, Any]]",
) -> "list[str]":
    """The first hook that says permissionDecision decides, so "allow" is never said: it would undo
    the refusals of hooks behind it. A rewrite needs none."""
    if answer.refuses():
        specific["permissionDecision"] = "deny"
        specific["permissionDecisionReason"] = reason(answer)
        return ["deny"]
    updated = rewrite("PreToolUse", answer)
    if updated is None or not can_rewrite(payload, calls):
        return []
    tool = str(calls[0].get("tool_name"))
    given = arguments(payload.get("tool_input"))
    back = restored(updated, given, ARGUMENTS.get(tool))
    if tool == "Glob" and "patterns" in given and "pattern" in back:
        back["patterns"] = [back.pop("pattern")]
    specific["updatedInput"] = back
    return ["updatedInput"]


def _stop(out: "dict[str, Any]", event: str, answer: Answer) -> None:
    """continue:false; at the prompt a refusal as well, which has no other word in JSON."""
    refuses = event == "UserPromptSubmit" and answer.refuses()
    if not (answer.stop or refuses):
        return
    why = reason(answer) if refuses else answer.stop_reason
    out["continue"] = False
    if why:
        out["stopReason"] = why
