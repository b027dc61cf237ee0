"""Claude Code's payloads and answers. They are the contract, so this mends and hardly translates.

Vendored. Observed in Claude Code 2.1.332.
"""

from hookpm.contract.answer import BLOCKED, Answer, Reply
from hookpm.contract.events import CLAUDE_EVENTS, MATCHED_FIELD, TOOL_EVENTS
from hookpm.contract.forms import asked, base, context, rewrite
from hookpm.contract.jsontext import JsonError, loads

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

SUPPORTED = {
    "PreToolUse": (
        "deny",
        "ask",
        "allow",
        "defer",
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
    "PreCompact": ("block",),
    "PostToolUseFailure": ("block", "additionalContext", "systemMessage"),
    "SubagentStart": ("additionalContext",),
    "SubagentStop": ("block",),
    "PermissionRequest": ("deny", "allow", "updatedInput"),
    "Notification": ("systemMessage",),
}
EVENTS = {event: event for event in SUPPORTED}  # native -> Claude's
CONTEXT_CHARS, CONTEXT_FIELD = 10000, "additionalContext"  # observed
KEEPS_WHOLE = True  # in a file, whose path and first 2,000 characters the model gets
CAPS_STOPS = True  # eight blocks in a row, then it stops whatever hooks say

# Whole answers are lost for one field of the wrong type, a refusal with them.
_TYPES = {
    "continue": bool,
    "decision": str,
    "displayContent": str,
    "hookSpecificOutput": dict,
    "initialUserMessage": str,
    "permissionDecisionReason": str,
    "reason": str,
    "reloadSkills": bool,
    "retry": bool,
    "sessionTitle": str,
    "stopReason": str,
    "suppressOriginalPrompt": bool,
    "suppressOutput": bool,
    "systemMessage": str,
    "terminalSequence": str,
    "watchPaths": list,
}
_DEAF = ("async", "asyncTimeout")  # a late answer is ignored, and the bridge has waited already
_NOTHING_SPECIFIC = ("PreCompact", "Notification")  # no hookSpecificOutput is known there


def recognises(payload: "dict[str, Any]") -> bool:
    """Does Claude Code call? It always sends the session's transcript, projects/FOLDER/ID.jsonl.

    No other agent measured keeps one just so, so no field that a later Claude Code may add beside
    it counts against it; Cursor, which has taken over much of Claude's form, names itself.
    """
    if payload.get("hook_event_name") not in CLAUDE_EVENTS or "cursor_version" in payload:
        return False
    transcript = payload.get("transcript_path")
    if not isinstance(transcript, str):
        return False
    parts = transcript.replace("\\", "/").split("/")
    return parts[-1:] == [str(payload.get("session_id")) + ".jsonl"] and parts[-3:-2] == [
        "projects"
    ]


def to_claude(event: str, payload: "dict[str, Any]") -> "list[dict[str, Any]]":
    """The payload itself, so that hooks get its bytes; a mended copy where a field is no use."""
    field = MATCHED_FIELD.get(event, "")
    sound = isinstance(payload.get(field, ""), str) and payload.get("hook_event_name") == event
    if event in TOOL_EVENTS:
        sound = sound and field in payload and isinstance(payload.get("tool_input"), dict)
    return [payload if sound else base(event, payload)]


def reads(stdout: bytes) -> bool:
    """Does Claude Code read what a hook printed just as the contract does?

    It does not where a field has the wrong type or a text holds a bare line break.
    """
    text = stdout.decode("utf-8", "replace").lstrip("\ufeff").strip()
    if not text.startswith("{"):
        return True
    try:
        document = loads(text)
        if min(text) < " ":
            import json

            json.loads(text)  # unlike loads, it takes no control characters in a text
    except JsonError:
        return True  # no JSON in either reading
    except ValueError:
        return False
    specific = document.get("hookSpecificOutput", {})
    fields = [*document.items(), *(specific.items() if isinstance(specific, dict) else ())]
    return all(isinstance(value, _TYPES.get(key, object)) for key, value in fields)


def from_claude(
    event: str,
    answer: Answer,
    payload: "dict[str, Any]",  # noqa: ARG001
    calls: "list[dict[str, Any]]",  # noqa: ARG001
) -> Reply:
    """The answer as Claude Code reads it: hookEventName is always right, types are right."""
    if event == "SessionEnd":
        return Reply(None, asked(event, answer))
    dropped = []
    specific = _kept(answer.specific_extras)
    text = specific.pop("text", None) if event == "PreCompact" else None
    out = _kept(answer.extras)
    if event == "PreToolUse":
        if answer.refuses():  # nothing may stand beside a refusal that could cost it
            out, specific = {}, {}
        _permission(answer, specific)
    elif event == "PermissionRequest":
        _decision(answer, specific)
    elif answer.refuses():
        if event == "SessionStart":
            dropped.append("block")
        else:
            out["decision"] = "block"
            out["reason"] = answer.reason or BLOCKED
    if answer.contexts and event == "PermissionRequest":
        dropped.append("additionalContext")
    elif answer.contexts:
        specific["additionalContext"] = context(answer)
    if specific and event in _NOTHING_SPECIFIC:
        if answer.contexts:
            dropped.append("additionalContext")
    elif specific:
        out["hookSpecificOutput"] = {"hookEventName": event, **specific}
    if answer.stop:
        if event == "SessionStart":
            dropped.append("continue:false")
        else:
            out["continue"] = False
            if answer.stop_reason:
                out["stopReason"] = answer.stop_reason
    if answer.system_message:
        out["systemMessage"] = answer.system_message
    if text is not None and out:
        dropped.append("text")  # plain text and JSON cannot both be printed
    return Reply(out or None, dropped)


def _permission(answer: Answer, specific: "dict[str, Any]") -> None:
    word = "deny" if answer.refuses() else answer.decision
    updated = rewrite("PreToolUse", answer)
    if word:
        specific["permissionDecision"] = word
        why = answer.reason or (BLOCKED if word == "deny" else "")
        if why:
            specific["permissionDecisionReason"] = why
    if updated is not None:
        specific["updatedInput"] = updated


def _decision(answer: Answer, specific: "dict[str, Any]") -> None:
    """What a hook decided on a permission, with what it gave beside it (interrupt and the like)."""
    given = answer.specific_extras.get("decision")
    if answer.decision not in ("deny", "allow"):
        return
    decision = {**given} if isinstance(given, dict) else {}
    decision["behavior"] = answer.decision
    decision.pop("updatedInput", None)
    if answer.decision == "deny":
        decision["message"] = answer.reason or BLOCKED
    elif answer.updated_input is not None:
        decision["updatedInput"] = answer.updated_input
    specific["decision"] = decision


def _kept(extras: "dict[str, Any]") -> "dict[str, Any]":
    return {
        key: value
        for key, value in extras.items()
        if key not in _DEAF and isinstance(value, _TYPES.get(key, object))
    }


def skips_project(arguments: "list[str]") -> bool:
    """Was it started so that it reads its user's settings and not the project's? Observed.

    Not the local ones counts as well: our line may be in either.
    """
    for number, word in enumerate(arguments):
        name, _, value = word.partition("=")
        if name == "--setting-sources":
            sources = value or "".join(arguments[number + 1 : number + 2])
            return not {"project", "local"}.issubset(sources.split(","))
    return False


def drops(config: "dict[str, Any]") -> bool:
    """Does it ignore the whole settings file, for one bad entry under these two? Observed."""
    for event in ("PreToolUse", "PermissionRequest"):
        for group in config["hooks"].get(event) or ():
            sound = isinstance(group.get("matcher", ""), str) and isinstance(group["hooks"], list)
            if not sound or not all(_is_sound(handler) for handler in group["hooks"]):
                return True
    return False


def _is_sound(handler: "dict[str, Any]") -> bool:
    timeout = handler.get("timeout", 1)
    if isinstance(timeout, bool) or not isinstance(timeout, (int, float)) or timeout <= 0:
        return False
    needed = _NEEDED.get(handler.get("type") or "")
    return needed is not None and all(isinstance(handler.get(key), str) for key in needed)


_NEEDED = {
    "command": ("command",),
    "http": ("url",),
    "mcp_tool": ("server", "tool"),
    "prompt": ("prompt",),
    "agent": ("prompt",),
}
