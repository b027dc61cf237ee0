"""Codex's payloads and answers: Claude's names, strict answers, patches instead of file tools.

Vendored. Observed in Codex 0.171.0: one unknown or unsupported field makes it ignore the whole
answer, and the tool runs. So every answer is built from the fields it is known to take.
"""

from hookpm.contract.answer import Answer, Reply
from hookpm.contract.events import CLAUDE_EVENTS, TOOL_EVENTS
from hookpm.contract.forms import asked, base, context, reason, reply, rewrite, shell_result

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from hookpm.contract.patch import FileChange

SUPPORTED = {
    "PreToolUse": ("deny", "updatedInput", "additionalContext", "systemMessage"),
    "PostToolUse": ("block", "additionalContext", "systemMessage"),
    "UserPromptSubmit": ("block", "additionalContext", "continue:false", "systemMessage"),
    "SessionStart": ("additionalContext", "systemMessage"),
    "SessionEnd": (),
    "Stop": ("block", "continue:false", "systemMessage"),
    "PreCompact": ("block", "systemMessage"),
    "PostToolUseFailure": (),
    "SubagentStart": ("additionalContext",),
    "SubagentStop": ("block",),
    "PermissionRequest": ("deny", "allow"),
    "Notification": (),
}
EVENTS = {  # native -> Claude's
    event: event for event in SUPPORTED if event not in ("PostToolUseFailure", "Notification")
}

# 2,500 tokens, of four bytes each as Codex estimates them. Observed.
CONTEXT_CHARS, CONTEXT_FIELD = 10000, "additionalContext"
KEEPS_WHOLE = True  # in a file, whose path, start and end the model gets

_ELSEWHERE = ("cursor_version", "timestamp", "prompt_id", "client_type")


def recognises(payload: "dict[str, Any]") -> bool:
    """Does Codex call? By turn_id; at a session's start by model and permission_mode; at its end by
    the name of the transcript."""
    event = payload.get("hook_event_name")
    if not isinstance(event, str) or any(key in payload for key in _ELSEWHERE):
        return False
    if isinstance(payload.get("turn_id"), str):
        return True
    if event not in CLAUDE_EVENTS:
        return False
    if event == "SessionStart" and "model" in payload and "permission_mode" in payload:
        return True
    transcript = payload.get("transcript_path")
    if not isinstance(transcript, str):
        return False
    return transcript.replace("\\", "/").rpartition("/")[2].startswith("rollout-")


def to_claude(event: str, payload: "dict[str, Any]") -> "list[dict[str, Any]]":
    """The call in Claude's form. A patch becomes one call per file; a patch made in the shell is
    shown as the shell call and then file by file. A patch that cannot be read stays apply_patch."""
    call = base(event, payload)
    if event not in TOOL_EVENTS:
        return [call]
    tool = call["tool_name"]
    if tool == "apply_patch":
        texts = [text for text in call["tool_input"].values() if isinstance(text, str)]
        return _files(call, _patch("\n".join(texts))) or [call]
    if tool != "Bash":
        return [call]
    command = call["tool_input"].get("command")
    if "tool_response" in call:
        call["tool_response"] = shell_result(call["tool_response"], call["tool_response"])
    if isinstance(command, str) and "apply" in command:
        from hookpm.contract.patch import read_shell

        return [call, *_files(call, read_shell(command))]
    return [call]


def _patch(text: str) -> "list[FileChange]":
    from hookpm.contract.patch import read

    return read(text)


def _files(call: "dict[str, Any]", changes: "list[FileChange]") -> "list[dict[str, Any]]":
    return [
        {**call, "tool_name": tool, "tool_input": given}
        for change in changes
        for tool, given in change.as_calls()
    ]


def can_rewrite(payload: "dict[str, Any]", calls: "list[dict[str, Any]]") -> bool:
    """Can this call's input be replaced? Shell and MCP calls only: a patch is shown to hooks in
    another form, and what they make of one file is no patch."""
    tool = payload.get("tool_name")
    known = tool == "Bash" or (isinstance(tool, str) and tool.startswith("mcp__"))
    return known and len(calls) == 1


def from_claude(
    event: str, answer: Answer, payload: "dict[str, Any]", calls: "list[dict[str, Any]]"
) -> Reply:
    """The answer in the fields that Codex takes at this event."""
    out: "dict[str, Any]" = {}
    if event == "PreToolUse":
        said = _before_tool(out, answer, payload, calls)
    elif event == "PermissionRequest":
        return reply(event, answer, out, _permission(out, answer, calls))
    elif event == "SubagentStart":
        return reply(event, answer, out, _after(out, event, answer))
    elif event in ("PostToolUse", "SessionStart"):
        said = _after(out, event, answer)
    elif event in ("UserPromptSubmit", "Stop", "SubagentStop"):
        said = _turn(out, event, answer)
    elif event == "PreCompact" and (answer.refuses() or answer.stop):
        out["continue"] = False
        why = reason(answer) if answer.refuses() else answer.stop_reason
        if why:
            out["stopReason"] = why
        said = ["block", "continue:false"]
    elif event == "PreCompact":
        said = []
    else:
        return Reply(None, asked(event, answer))
    if answer.system_message and event != "SubagentStop":  # not known to be taken there
        out["systemMessage"] = answer.system_message
        said.append("systemMessage")
    return reply(event, answer, out, said)


def _permission(
    out: "dict[str, Any]", answer: Answer, calls: "list[dict[str, Any]]"
) -> "list[str]":
    """Where Codex is about to ask its user. A rewrite there is an error to it, and what a hook
    allows is another input then; what it allows of a patch is one file of several."""
    if answer.refuses():
        decision = {"behavior": "deny", "message": reason(answer)}
    elif answer.decision == "allow" and answer.updated_input is None and len(calls) < 2:
        decision = {"behavior": "allow"}
    else:
        return []
    _specific(out, "PermissionRequest", {"decision": decision})
    return [decision["behavior"]]


def _before_tool(
    out: "dict[str, Any]", answer: Answer, payload: "dict[str, Any]", calls: "list[dict[str, Any]]"
) -> "list[str]":
    """`allow` counts there only as the word that goes with a rewrite; it skips no approval."""
    specific: "dict[str, Any]" = {}
    said = []
    updated = rewrite("PreToolUse", answer)
    if answer.refuses():
        specific["permissionDecision"] = "deny"
        specific["permissionDecisionReason"] = reason(answer)
        said.append("deny")
    elif updated is not None and can_rewrite(payload, calls):
        specific["permissionDecision"] = "allow"
        specific["updatedInput"] = updated
        said.append("updatedInput")
    if answer.contexts:
        specific["additionalContext"] = context(answer)
        said.append("additionalContext")
    _specific(out, "PreToolUse", specific)
    return said


def _after(out: "dict[str, Any]", event: str, answer: Answer) -> "list[str]":
    """A block after a tool would replace the tool's output, so the reason goes as context."""
    told = context(answer, with_reason=event == "PostToolUse")
    _specific(out, event, {"additionalContext": told} if told else {})
    return ["additionalContext", "block"] if event == "PostToolUse" else ["additionalContext"]


def _turn(out: "dict[str, Any]", event: str, answer: Answer) -> "list[str]":
    """The prompt and the stop. At Stop continue:false wins, and hookSpecificOutput is an error."""
    at_stop = event != "UserPromptSubmit"
    if answer.refuses() and not (at_stop and answer.stop):
        out["decision"] = "block"
        out["reason"] = reason(answer)
    elif answer.stop:
        out["continue"] = False
        if answer.stop_reason:
            out["stopReason"] = answer.stop_reason
    if at_stop:
        return ["block", "continue:false"]
    _specific(out, event, {"additionalContext": context(answer)} if answer.contexts else {})
    return ["block", "continue:false", "additionalContext"]


def _specific(out: "dict[str, Any]", event: str, fields: "dict[str, Any]") -> None:
    if fields:
        out["hookSpecificOutput"] = {"hookEventName": event, **fields}
