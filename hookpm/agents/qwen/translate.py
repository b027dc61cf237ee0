"""Qwen Code's payloads and answers: Claude's event names and fields, tool names of its own.

Vendored. Observed in Qwen Code 0.24.4; what 0.15.10 does otherwise (it is what npm installs under
Node 20) is read in its code.
"""

from hookpm.contract.answer import Answer, Reply
from hookpm.contract.events import CLAUDE_EVENTS, TOOL_EVENTS
from hookpm.contract.forms import asked, base, context, reason, reply, rewrite, shell_result

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

SUPPORTED = {
    "PreToolUse": ("deny", "ask"),
    "PostToolUse": ("block", "additionalContext"),
    "UserPromptSubmit": ("block", "additionalContext", "continue:false"),
    "SessionStart": ("additionalContext",),
    "SessionEnd": (),
    "Stop": ("block", "continue:false", "systemMessage"),
    "PreCompact": (),
    "PostToolUseFailure": ("block", "additionalContext"),
    "SubagentStart": (),
    "SubagentStop": ("block",),
    "PermissionRequest": ("deny", "allow", "updatedInput"),
    "Notification": (),
}
EVENTS = {event: event for event in SUPPORTED}  # native -> Claude's
# No CAPS_STOPS: 0.24.4 overrides the eighth block in a row, 0.15.10 none, so the bridge counts.
REPEATS_REASON = True  # a block's reason at Stop comes back as a prompt

TOOLS = {
    "run_shell_command": "Bash",
    "monitor": "Bash",  # runs a shell command too, and shows its lines as they come
    "read_file": "Read",
    "write_file": "Write",
    "edit": "Edit",
    "notebook_edit": "NotebookEdit",
    "glob": "Glob",
    "grep_search": "Grep",
    "search_file_content": "Grep",  # its name in earlier versions
    "list_directory": "LS",
    "agent": "Agent",
    "task": "Agent",  # its name in earlier versions
    "skill": "Skill",
    "todo_write": "TodoWrite",
    "web_fetch": "WebFetch",
    "web_search": "WebSearch",
    "ask_user_question": "AskUserQuestion",
    "exit_plan_mode": "ExitPlanMode",
}


def recognises(payload: "dict[str, Any]") -> bool:
    """Does Qwen Code call? It sends Claude's events with a timestamp and its mode; 0.15.10 leaves
    the mode out at some, but has the session's transcript in projects/FOLDER/chats/."""
    if payload.get("hook_event_name") not in CLAUDE_EVENTS or "cursor_version" in payload:
        return False
    if not isinstance(payload.get("timestamp"), str):
        return False
    transcript = payload.get("transcript_path")
    if not isinstance(transcript, str):
        return isinstance(payload.get("permission_mode"), str)
    name = str(payload.get("session_id")) + ".jsonl"
    parts = transcript.replace("\\", "/").split("/")
    return parts[-2:] == ["chats", name] and parts[-4:-3] == ["projects"]


def to_claude(event: str, payload: "dict[str, Any]") -> "list[dict[str, Any]]":
    """The call in Claude's form; its arguments have Claude's names already.

    Nothing to judge where the prompt event only passes on a tool's result: the prompt is empty
    then. (That submitted_prompt is missing proves less: it also is for what the user typed in Vim
    mode or took from the history.)
    """
    call = base(event, payload)
    if event == "UserPromptSubmit" and "submitted_prompt" not in payload:
        prompt = payload.get("prompt")
        if isinstance(prompt, str) and not prompt.strip():
            return []
    if event not in TOOL_EVENTS:
        return [call]
    tool = TOOLS.get(call["tool_name"], call["tool_name"])
    call["tool_name"] = tool
    result = call.get("tool_response")
    if tool == "Bash" and isinstance(result, dict):
        shown = result.get("returnDisplay")
        text = shown if isinstance(shown, str) else result.get("llmContent")
        call["tool_response"] = shell_result(result, text)
    return [call]


def from_claude(
    event: str,
    answer: Answer,
    payload: "dict[str, Any]",  # noqa: ARG001
    calls: "list[dict[str, Any]]",  # noqa: ARG001
) -> Reply:
    """The answer in the fields that Qwen Code obeys; many more it takes and ignores."""
    out: "dict[str, Any]" = {}
    said = []
    if event == "PreToolUse":
        said = _before_tool(out, answer)
    elif event == "PermissionRequest":
        said = _permission(out, answer)
    elif event == "SessionStart":
        said = ["additionalContext"]
        _tell(out, event, context(answer))
    elif event in ("PostToolUse", "PostToolUseFailure"):  # a block there is ignored
        said = ["additionalContext", "block"]
        _tell(out, event, context(answer, with_reason=True))
    elif event == "UserPromptSubmit":
        said = ["block", "additionalContext", "continue:false"]
        if answer.refuses():
            out["decision"] = "block"
            out["reason"] = reason(answer)
        elif answer.stop:
            out["continue"] = False
            if answer.stop_reason:
                out["stopReason"] = answer.stop_reason
        _tell(out, event, context(answer))
    elif event in ("Stop", "SubagentStop"):
        said = ["block", "continue:false", "systemMessage"]
        if answer.refuses() and not answer.stop:  # continue:false would keep it going
            out["decision"] = "block"
            out["reason"] = reason(answer)
        if answer.system_message:
            out["systemMessage"] = answer.system_message
    else:
        return Reply(None, asked(event, answer))
    return reply(event, answer, out, said)


def _before_tool(out: "dict[str, Any]", answer: Answer) -> "list[str]":
    """A refusal says it in all three ways: another hook's "allow" undoes the first one always and
    the second one if it comes later, but not the third, which fails this one call here.

    "allow" is never said: it spares no dialog, and would undo other hooks' refusals.
    """
    word = "deny" if answer.refuses() else answer.decision
    if word not in ("deny", "ask"):
        return []
    specific = {"hookEventName": "PreToolUse", "permissionDecision": word}
    why = reason(answer) if word == "deny" else answer.reason
    out["decision"] = word
    if why:
        out["reason"] = why
        specific["permissionDecisionReason"] = why
    if word == "deny":
        out["continue"] = False
        out["stopReason"] = why
    out["hookSpecificOutput"] = specific
    return [word]


def _permission(out: "dict[str, Any]", answer: Answer) -> "list[str]":
    """Where Qwen Code is about to ask its user; the one place where it takes another input."""
    decision: "dict[str, Any]"
    updated = rewrite("PermissionRequest", answer)
    if answer.refuses():
        said = ["deny"]
        decision = {"behavior": "deny", "message": reason(answer)}
    elif answer.decision == "allow":
        said = ["allow", "updatedInput"]
        decision = {"behavior": "allow"}
        if updated is not None:
            decision["updatedInput"] = updated
    else:
        return []
    out["hookSpecificOutput"] = {"hookEventName": "PermissionRequest", "decision": decision}
    return said


def _tell(out: "dict[str, Any]", event: str, text: str) -> None:
    if text:
        out["hookSpecificOutput"] = {"hookEventName": event, "additionalContext": text}
