"""Pi's calls, as hookpm's extension for it sends them, and the answers that the extension takes.

Vendored. Observed in Pi 1.6.0. What a codemode script calls comes as calls of its own, beside the
call of the script.
"""

from hookpm.contract.answer import Answer, Reply
from hookpm.contract.events import TOOL_EVENTS
from hookpm.contract.forms import arguments, base, renamed, restored, rewrite, shell_result
from hookpm.contract.plugins import MARK, called_by, express

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

SUPPORTED = {
    "PreToolUse": (
        "deny",
        "ask",
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
    "PreCompact": ("block", "systemMessage"),
    "PostToolUseFailure": (),
    "SubagentStart": (),
    "SubagentStop": (),
    "PermissionRequest": (),
    "Notification": (),
}
EVENTS = {  # native -> Claude's
    "tool_call": "PreToolUse",
    "tool_result": "PostToolUse",
    "input": "UserPromptSubmit",
    "session_start": "SessionStart",
    "agent_before_settle": "Stop",
    "session_before_compact": "PreCompact",
    "session_shutdown": "SessionEnd",
}

TOOLS = {
    "bash": "Bash",
    "powershell": "PowerShell",
    "read": "Read",
    "write": "Write",
    "edit": "Edit",
    "grep": "Grep",
    "find": "Glob",
    "ls": "LS",
}
_FILE = {"path": "file_path"}
ARGUMENTS = {  # native -> Claude's
    "Bash": {},
    "PowerShell": {},
    "Read": _FILE,
    "Write": _FILE,
    "Grep": {},
    "Glob": {},
    "LS": {},
}
_PART = {"oldText": "old_string", "newText": "new_string"}
_NONE: "dict[str, str]" = {}
_SOURCES = {"new": "clear", "reload": "resume", "fork": "resume"}  # Pi's -> Claude's
_REASONS = {"quit": "prompt_input_exit", "new": "clear", "fork": "resume"}


def recognises(payload: "dict[str, Any]") -> bool:
    """Does Pi call? The extension says so."""
    return called_by("pi", payload)


def to_claude(event: str, payload: "dict[str, Any]") -> "list[dict[str, Any]]":
    """The call in Claude's form. An edit of several places is one Edit per place: as one call of
    another name it would slip past every hook that waits for Edit."""
    given = payload
    if event == "SessionEnd":
        given = {**payload, "reason": _word(payload.get("reason"), _REASONS, "other")}
    call = base(event, given)
    call.pop(MARK, None)
    if event == "SessionStart":
        call["source"] = _word(payload.get("source"), _SOURCES, "startup")
    if event not in TOOL_EVENTS:
        return [call]
    native = call["tool_name"]
    if not isinstance(native, str):
        native = call["tool_name"] = ""
    if native == "edit":
        return _edits(call)
    tool = call["tool_name"] = TOOLS.get(native, native)
    call["tool_input"] = renamed(call["tool_input"], ARGUMENTS.get(tool, _NONE))
    result = call.get("tool_response")
    if tool in ("Bash", "PowerShell") and isinstance(result, dict):
        call["tool_response"] = shell_result(result, _text(result.get("content")))
    return [call]


def _word(value: "Any", words: "dict[str, str]", default: str) -> str:
    word = value if isinstance(value, str) and value else default
    return words.get(word, word)


def _edits(call: "dict[str, Any]") -> "list[dict[str, Any]]":
    given = renamed(call["tool_input"], _FILE)
    places = given.pop("edits", None)
    known = [place for place in places if isinstance(place, dict)] if _is_list(places) else []
    return [
        {**call, "tool_name": "Edit", "tool_input": {**given, **renamed(place, _PART)}}
        for place in known or [_NONE]
    ]


def _is_list(value: "Any") -> bool:
    return isinstance(value, list)


def _text(content: "Any") -> str:
    """The text blocks of a result, together."""
    blocks = content if isinstance(content, list) else []
    return "".join([str(b.get("text") or "") for b in blocks if isinstance(b, dict)])


def from_claude(
    event: str, answer: Answer, payload: "dict[str, Any]", calls: "list[dict[str, Any]]"
) -> Reply:
    """The answer in the extension's fields."""
    updated = rewrite(event, answer)
    if updated is not None:  # not where an edit was shown place by place
        updated = _native(updated, payload, calls[0]) if len(calls) == 1 else None
    return express(event, answer, SUPPORTED.get(event, ()), updated)


def _native(
    updated: "dict[str, Any]", payload: "dict[str, Any]", call: "dict[str, Any]"
) -> "dict[str, Any]":
    given = arguments(payload.get("tool_input"))
    if call.get("tool_name") != "Edit":
        return restored(updated, given, ARGUMENTS.get(str(call.get("tool_name"))))
    rest = {key: value for key, value in updated.items() if key not in _PART.values()}
    place = {own: updated[name] for own, name in _PART.items() if name in updated}
    flat = {key: value for key, value in given.items() if key != "edits"}
    return {**restored(rest, flat, _FILE), "edits": [place]}
