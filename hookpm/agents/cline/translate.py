"""Cline's payloads and answers: its own events, tools that take lists, three answer fields.

Vendored. Observed in the command line of Cline 3.0.65. Exit codes mean nothing there, and there is
no deny: `cancel` ends the whole run without a word to the model. So a refusal of a built-in tool
replaces its input by null, which no built-in tool takes, and tells the reason as context. An MCP
server would be called all the same, with nothing: there only `cancel` keeps the call from it.
"""

from hookpm.contract.answer import BLOCKED, Answer, Reply
from hookpm.contract.forms import asked, context, mcp_tool, reason, reply, rewrite, shell_result

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

SUPPORTED: "dict[str, tuple[str, ...]]" = {
    "PreToolUse": ("deny", "updatedInput", "additionalContext", "continue:false"),
    "PostToolUse": ("block", "additionalContext", "continue:false"),
    "UserPromptSubmit": (),
    "SessionStart": (),
    "SessionEnd": (),
    "Stop": (),
    "PreCompact": (),
    "PostToolUseFailure": (),
    "SubagentStart": (),
    "SubagentStop": (),
    "PermissionRequest": (),
    "Notification": (),
}
EVENTS = {  # native, the name of a hook's file -> Claude's
    "PreToolUse": "PreToolUse",
    "PostToolUse": "PostToolUse",
    "UserPromptSubmit": "UserPromptSubmit",
    "TaskStart": "SessionStart",
    "SessionShutdown": "SessionEnd",
    "TaskComplete": "Stop",
}
CONTEXT_CHARS, CONTEXT_FIELD = 50000, "contextModification"  # it cuts what is longer
_AWAITED = ("PreToolUse", "PostToolUse")
REFUSED = "Refused, so this call was not run: "  # the tool's own result only says "Invalid input"

# Their input is checked against a schema, which null does not fit (each was tried but the last
# two). All other tools may be a server's.
_BUILT_IN = (
    "run_commands",
    "read_files",
    "editor",
    "apply_patch",
    "search_codebase",
    "fetch_web_content",
    "ask_question",
    "spawn_agent",
    "skills",
    "submit_and_exit",
)
_FILE = {"path": "file_path"}
_WRITE = {**_FILE, "new_text": "content"}
_EDIT = {**_FILE, "old_text": "old_string", "new_text": "new_string"}


def recognises(payload: "dict[str, Any]") -> bool:
    """Does Cline call? By its version, which it names without knowing it, and its event's name."""
    return isinstance(payload.get("clineVersion"), str) and isinstance(payload.get("hookName"), str)


def to_claude(event: str, payload: "dict[str, Any]") -> "list[dict[str, Any]]":
    """The call in Claude's form: one for each command, file, query or page of a tool's list."""
    base = _base(event, payload)
    if event not in _AWAITED:
        return [base]
    native = _object(payload.get("tool_call" if event == "PreToolUse" else "tool_result"))
    name = native.get("name")
    name = name if isinstance(name, str) else ""
    parts = _parts(name, native.get("input"))
    results = _results(native.get("output"), len(parts))
    calls = []
    for (tool, given), result in zip(parts, results):  # noqa: B905 (3.8)
        call = {**base, "tool_name": tool, "tool_input": given}
        if "id" in native:
            call["tool_use_id"] = native["id"]
        if event == "PostToolUse":
            text = result.get("result") if isinstance(result, dict) else result
            call["tool_response"] = shell_result(result, text) if tool == "Bash" else result
            if native.get("error"):
                call["error"] = native["error"]
        calls.append(call)
    return calls


def _base(event: str, payload: "dict[str, Any]") -> "dict[str, Any]":
    """What every event has. An agent_id marks a subagent's calls for Claude's hooks, so the main
    agent's goes."""
    left_out = ("tool_call", "tool_result", "preToolUse", "postToolUse", "userPromptSubmit")
    call = {key: value for key, value in payload.items() if key not in left_out}
    session = _object(payload.get("sessionContext")).get("rootSessionId")
    call["session_id"] = str(session or payload.get("taskId") or "")
    call["hook_event_name"] = event
    if not payload.get("parent_agent_id"):
        call.pop("agent_id", None)
    folder = _folder(payload)
    if folder:
        call["cwd"] = folder
    if event == "UserPromptSubmit":
        prompt = _object(payload.get("userPromptSubmit")).get("prompt")
        call["prompt"] = prompt if isinstance(prompt, str) else ""
    elif event == "SessionStart":
        call["source"] = "startup"
    elif event == "SessionEnd":
        call["reason"] = "other"
    elif event == "Stop":
        call["stop_hook_active"] = False
        said = _object(payload.get("turn")).get("outputText")
        if isinstance(said, str):
            call["last_assistant_message"] = said
    return call


def _folder(payload: "dict[str, Any]") -> str:
    """Where the agent works. Cline names the root of the repository only; where it was started in a
    folder below, its tools work there, and so do its hooks."""
    roots = payload.get("workspaceRoots")
    root = roots[0] if isinstance(roots, list) and roots else None
    if not isinstance(root, str) or not root.startswith("/"):
        return ""
    import posix

    try:
        here = posix.getcwd()
    except OSError:
        return root
    return here if here.startswith(root.rstrip("/") + "/") else root


def _object(value: "Any") -> "dict[str, Any]":
    return value if isinstance(value, dict) else {}


def _parts(name: str, given: "Any") -> "list[tuple[str, dict[str, Any]]]":
    """A native call as Claude's tools and inputs; as it is where it holds nothing to take apart.

    Cline takes lists and files in many spellings; where several stand side by side it obeys one,
    and all are shown to hooks.
    """
    parts: "list[tuple[str, dict[str, Any]]]" = []
    if name == "run_commands":
        parts = [("Bash", {"command": command}) for command in _commands(given)]
    elif name == "read_files":
        parts = [("Read", read) for read in _reads(given)]
    elif name == "editor":
        parts = [_edit(_object(given))]
    elif name == "apply_patch":
        parts = _patched(given)
    elif name == "search_codebase":
        found = given.get("queries") if isinstance(given, dict) else given
        parts = [("Grep", {"pattern": text}) for text in _list(found) if isinstance(text, str)]
    elif name == "fetch_web_content":
        pages = _list(_object(given).get("requests"))
        parts = [("WebFetch", page) for page in pages if isinstance(page, dict)]
    tool = {"run_commands": "Bash", "read_files": "Read"}.get(name) or _tool(name)
    return parts or [(tool, given if isinstance(given, dict) else {"input": given})]


def _tool(name: str) -> str:
    """An MCP tool's name is server__tool."""
    if name.startswith("mcp__"):
        return name
    server, _, tool = name.partition("__")
    return mcp_tool(server, tool) if server and tool else name


def _list(value: "Any") -> "list[Any]":
    if isinstance(value, list):
        return value
    return [] if value is None else [value]


def _commands(given: "Any", inside: bool = False) -> "list[str]":
    """inside: `given` stands in a list of commands already."""
    found = []
    for item in _list(given):
        if isinstance(item, str):
            found.append(item)
        elif isinstance(item, dict):
            if not inside:
                found += _commands(item.get("commands"), inside=True)
            if isinstance(item.get("command"), str):
                words = [arg for arg in _list(item.get("args")) if isinstance(arg, str)]
                found.append(" ".join([item["command"], *[_quoted(word) for word in words]]))
            if isinstance(item.get("cmd"), str):
                found.append(item["cmd"])
    return found


def _quoted(word: str) -> str:
    """An argument that no shell takes apart, as a shell would have to be given it."""
    if word and all(c.isalnum() or c in "-_./=:,@%+" for c in word):
        return word
    return "'" + word.replace("'", "'\\''") + "'"


def _reads(given: "Any", inside: bool = False) -> "list[dict[str, Any]]":
    """inside: `given` stands in a list of files already."""
    found: "list[dict[str, Any]]" = []
    for item in _list(given):
        if isinstance(item, str):
            found.append({"file_path": item})
        elif isinstance(item, dict):
            for key in () if inside else ("files", "paths", "file_paths"):
                found += _reads(item.get(key), inside=True)
            for key in ("path", "file_path", "filePath"):
                if isinstance(item.get(key), str):
                    rest = {k: v for k, v in item.items() if k in ("start_line", "end_line")}
                    found.append({"file_path": item[key], **rest})
    return found


def _edit(given: "dict[str, Any]") -> "tuple[str, dict[str, Any]]":
    """Without old_text it makes a new file; with insert_line it puts lines into one."""
    inserts = given.get("insert_line") is not None
    if given.get("old_text") is None and not inserts:
        rest = {key: value for key, value in given.items() if key not in ("old_text", *_WRITE)}
        return "Write", {**rest, **{_WRITE[key]: given[key] for key in _WRITE if key in given}}
    rest = {key: value for key, value in given.items() if key not in _EDIT}
    out = {_EDIT[key]: given[key] for key in _EDIT if key in given}
    if out.get("old_string") is None:
        out["old_string"] = ""
    return "Edit", {**rest, **out}


def _patched(given: "Any") -> "list[tuple[str, dict[str, Any]]]":
    from hookpm.contract.patch import read

    values = given.values() if isinstance(given, dict) else _list(given)
    texts = [text for text in values if isinstance(text, str)]
    found: "list[tuple[str, dict[str, Any]]]" = []
    for change in read("\n".join(texts)):
        found += change.as_calls()
    return found


def _results(output: "Any", count: int) -> "list[Any]":
    """Each part's own result where the tool gives a list of them, else the whole for each."""
    if isinstance(output, list) and len(output) == count:
        return output
    return [output] * count


def can_rewrite(payload: "dict[str, Any]", calls: "list[dict[str, Any]]") -> bool:
    """Can this call's input be replaced? Not a patch: it is shown to hooks in another form."""
    return len(calls) == 1 and _object(payload.get("tool_call")).get("name") != "apply_patch"


def from_claude(
    event: str, answer: Answer, payload: "dict[str, Any]", calls: "list[dict[str, Any]]"
) -> Reply:
    """The answer in Cline's fields. What else it fires ends before anybody reads an answer."""
    out: "dict[str, Any]" = {}
    if event not in ("PreToolUse", "PostToolUse"):
        return Reply(None, asked(event, answer))
    name = _object(payload.get("tool_call")).get("name")
    refuses = event == "PreToolUse" and answer.refuses()
    said = ["deny", "block", "additionalContext", "continue:false"]
    if answer.stop or (refuses and not _is_built_in(name)):
        why = reason(answer) if answer.refuses() else answer.stop_reason
        out["cancel"] = True
        out["errorMessage"] = why if why.strip() else BLOCKED
        said.remove("additionalContext")  # the model hears no more
        return reply(event, answer, out, said)
    if refuses:
        out["overrideInput"] = None
        out["contextModification"] = REFUSED + context(answer, with_reason=True)
        return reply(event, answer, out, said)
    updated = rewrite(event, answer)
    if updated is not None and calls and can_rewrite(payload, calls):
        given = _object(payload.get("tool_call")).get("input")
        out["overrideInput"] = _native(name, str(calls[0].get("tool_name")), updated, given)
        said.append("updatedInput")
    told = context(answer, with_reason=event == "PostToolUse")
    if told.strip():
        out["contextModification"] = told
    return reply(event, answer, out, said)


def _is_built_in(name: "Any") -> bool:
    return isinstance(name, str) and (name in _BUILT_IN or name.startswith("team_"))


def _native(name: "Any", tool: str, updated: "dict[str, Any]", given: "Any") -> "dict[str, Any]":
    """A rewritten input in Cline's first spelling; no other one of the same input is left."""
    if name == "run_commands" and "command" in updated:
        return {"commands": [updated["command"]]}
    if name == "read_files" and "file_path" in updated:
        lines = {key: updated[key] for key in ("start_line", "end_line") if key in updated}
        return {"files": [{"path": updated["file_path"], **lines}]}
    if name == "search_codebase" and "pattern" in updated:
        return {"queries": [updated["pattern"]]}
    if name == "fetch_web_content" and "url" in updated:
        return {"requests": [updated]}
    if name == "editor":
        names = _WRITE if tool == "Write" else _EDIT
        back = {claude: native for native, claude in names.items()}
        out = {back.get(key, key): value for key, value in updated.items()}
        line = _object(given).get("insert_line")
        if line is not None and tool == "Edit":
            out.setdefault("insert_line", line)
        return out
    return updated
