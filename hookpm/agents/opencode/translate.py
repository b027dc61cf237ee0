"""OpenCode's calls, as hookpm's plugin for it sends them, and the answers that the plugin takes.

Vendored. Observed in OpenCode 1.18.33. The plugin fires the start of a session with the first
prompt, for OpenCode opens a session no earlier.
"""

from hookpm.contract.answer import Answer, Reply
from hookpm.contract.events import TOOL_EVENTS
from hookpm.contract.forms import (
    arguments,
    base,
    mcp_tool,
    renamed,
    restored,
    rewrite,
    shell_result,
)
from hookpm.contract.plugins import MARK, called_by, express

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

SUPPORTED = {
    "PreToolUse": ("deny", "updatedInput", "additionalContext", "continue:false", "systemMessage"),
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
    "tool.execute.before": "PreToolUse",
    "tool.execute.after": "PostToolUse",
    "chat.message": "UserPromptSubmit",
    "chat.message, the first": "SessionStart",
    "session.idle": "Stop",
    "experimental.session.compacting": "PreCompact",
    "dispose": "SessionEnd",
}

TOOLS = {
    "bash": "Bash",
    "read": "Read",
    "write": "Write",
    "edit": "Edit",
    "glob": "Glob",
    "grep": "Grep",
    "task": "Agent",
    "todowrite": "TodoWrite",
    "webfetch": "WebFetch",
    "websearch": "WebSearch",
    "skill": "Skill",
    "question": "AskUserQuestion",
    "plan_exit": "ExitPlanMode",
}
_OWN_TOOLS = ("apply_patch", "lsp")
_FILE = {"filePath": "file_path"}
ARGUMENTS = {  # native -> Claude's
    "Bash": {},
    "Read": _FILE,
    "Write": _FILE,
    "Edit": {
        **_FILE,
        "oldString": "old_string",
        "newString": "new_string",
        "replaceAll": "replace_all",
    },
    "Glob": {},
    "Grep": {"include": "glob"},
}
_NONE: "dict[str, str]" = {}


def recognises(payload: "dict[str, Any]") -> bool:
    """Does OpenCode call? The plugin says so."""
    return called_by("opencode", payload)


def to_claude(event: str, payload: "dict[str, Any]") -> "list[dict[str, Any]]":
    """The call in Claude's form; a patch file by file. A tool that the model made up is nothing to
    judge: OpenCode hands it to a tool of its own, `invalid`, which only complains."""
    call = base(event, payload)
    call.pop(MARK, None)
    servers = call.pop("mcp_servers", None)
    if event not in TOOL_EVENTS:
        return [call]
    native = call["tool_name"]
    if native == "invalid":
        return []
    tool = call["tool_name"] = _tool(native, servers)
    call["tool_input"] = renamed(call["tool_input"], ARGUMENTS.get(tool, _NONE))
    result = call.get("tool_response")
    if tool == "Bash" and isinstance(result, dict):
        call["tool_response"] = shell_result(result, result.get("output"))
    if native == "apply_patch":
        return _files(call) or [call]
    return [call]


def _tool(native: "Any", servers: "Any") -> str:
    """Claude's name. An MCP tool is called SERVER_TOOL there: the longest name that fits counts."""
    name = native if isinstance(native, str) else ""
    if name in TOOLS or name in _OWN_TOOLS:
        return TOOLS.get(name, name)
    found = ""
    for server in servers if isinstance(servers, list) else ():
        clean = _clean(str(server))
        if name.startswith(clean + "_") and len(clean) > len(found):
            found = clean
    return mcp_tool(found, name[len(found) + 1 :]) if found else name


def _clean(server: str) -> str:
    """A server's name as OpenCode puts it before its tools' names."""
    return "".join([c if c == "-" or (c.isascii() and c.isalnum()) else "_" for c in server])


def _files(call: "dict[str, Any]") -> "list[dict[str, Any]]":
    text = call["tool_input"].get("patchText")
    if not isinstance(text, str):
        return []
    from hookpm.contract.patch import read

    return [
        {**call, "tool_name": tool, "tool_input": given}
        for change in read(text)
        for tool, given in change.as_calls()
    ]


def can_rewrite(payload: "dict[str, Any]", calls: "list[dict[str, Any]]") -> bool:
    """Can this call's input be replaced? What hooks make of a file of a patch is no patch."""
    return len(calls) == 1 and payload.get("tool_name") != "apply_patch"


def from_claude(
    event: str, answer: Answer, payload: "dict[str, Any]", calls: "list[dict[str, Any]]"
) -> Reply:
    """The answer in the plugin's fields."""
    updated = rewrite(event, answer)
    if updated is not None:
        if can_rewrite(payload, calls):
            names = ARGUMENTS.get(str(calls[0].get("tool_name")))
            updated = restored(updated, arguments(payload.get("tool_input")), names)
        else:
            updated = None
    return express(event, answer, SUPPORTED.get(event, ()), updated)
