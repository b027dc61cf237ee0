"""Kimi Code's payloads and answers: Claude's events and tools, few answers that it obeys.

Vendored. Observed in Kimi Code 2.1.0: JSON counts at exit code 0 and where it is all of stdout; a
refusal has one form at every event. Before a prompt any other JSON is pasted into the model's
context as it stands, so nothing is printed there but a refusal or a message.
"""

from hookpm.contract.answer import Answer, Reply
from hookpm.contract.events import TOOL_EVENTS
from hookpm.contract.forms import asked, base, context, reason, renamed, reply, shell_result

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

SUPPORTED: "dict[str, tuple[str, ...]]" = {
    "PreToolUse": ("deny",),
    "PostToolUse": (),
    "UserPromptSubmit": ("block", "additionalContext", "continue:false"),
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
EVENTS = {event: event for event in SUPPORTED}  # native -> Claude's
CAPS_STOPS = True  # after one block in a turn it does not ask again

TOOLS = {"FetchURL": "WebFetch", "TodoList": "TodoWrite"}
_WITH_PATH = ("Read", "Write", "Edit")


def recognises(payload: "dict[str, Any]") -> bool:
    """Does Kimi Code call? It says so in every payload."""
    return payload.get("client_type") == "kimi_code_cli"


def to_claude(event: str, payload: "dict[str, Any]") -> "list[dict[str, Any]]":
    """The call in Claude's form. A shell call may name the folder that it runs in."""
    call = base(event, payload, {"agent_name": "agent_type"})
    if event == "UserPromptSubmit":
        call["prompt"] = _text(payload.get("prompt"))
    error = call.get("error")
    if isinstance(error, dict):
        call["error"] = str(error.get("message") or "")
    if event not in TOOL_EVENTS:
        return [call]
    tool = call["tool_name"] = TOOLS.get(call["tool_name"], call["tool_name"])
    given = call["tool_input"]
    if tool in _WITH_PATH:
        call["tool_input"] = renamed(given, {"path": "file_path"})
    elif tool == "Bash":
        call["cwd"] = _below(payload.get("cwd"), given.get("cwd"))
    if "tool_call_id" in call:
        call["tool_use_id"] = call.pop("tool_call_id")
    if "tool_output" in call:
        result = call.pop("tool_output")
        call["tool_response"] = shell_result(result, result) if tool == "Bash" else result
    return [call]


def _text(prompt: "Any") -> str:
    """The text of a prompt, which comes in parts."""
    if isinstance(prompt, str):
        return prompt
    parts = [part for part in prompt if isinstance(part, dict)] if isinstance(prompt, list) else []
    texts = [part.get("text") for part in parts if part.get("type") == "text"]
    return "\n".join([text for text in texts if isinstance(text, str)])


def _below(folder: "Any", named: "Any") -> str:
    above: str = folder if isinstance(folder, str) else ""
    if not isinstance(named, str) or not named:
        return above
    return named if named.startswith("/") or not above else above.rstrip("/") + "/" + named


def from_claude(
    event: str,
    answer: Answer,
    payload: "dict[str, Any]",  # noqa: ARG001
    calls: "list[dict[str, Any]]",  # noqa: ARG001
) -> Reply:
    """The answer as Kimi reads it: a refusal, or a message before a prompt, or nothing."""
    out: "dict[str, Any]" = {}
    if event == "PreToolUse":
        said = ["deny"]
        if answer.refuses():
            out = _refusal(event, reason(answer))
    elif event == "UserPromptSubmit" and (answer.refuses() or answer.stop):
        why = reason(answer) if answer.refuses() else answer.stop_reason
        out = _refusal(event, why if why.strip() else reason(answer))
        said = ["block", "continue:false", "additionalContext"]
    elif event == "UserPromptSubmit":
        said = ["additionalContext"]
        told = context(answer)
        if told.strip():
            out = {"message": told}
    elif event == "Stop":
        said = ["block", "continue:false"]
        if answer.refuses() and not answer.stop:
            out = _refusal(event, reason(answer))
    else:
        return Reply(None, asked(event, answer))
    return reply(event, answer, out, said)


def _refusal(event: str, why: str) -> "dict[str, Any]":
    return {
        "hookSpecificOutput": {
            "hookEventName": event,
            "permissionDecision": "deny",
            "permissionDecisionReason": why,
        }
    }
