"""What the agents' translations share: inputs in Claude's form, renamed arguments, replies.

Vendored.
"""

from hookpm.contract.answer import BLOCKED, Answer, Reply, refusal
from hookpm.contract.events import DENIES, MATCHED_FIELD, TOOL_EVENTS
from hookpm.contract.jsontext import JsonError, loads

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping
    from typing import Any

# Arguments that a rewrite in Claude's form decides about: one that it leaves out is gone. All
# others of the agent's own arguments (a folder, a required explanation) outlive a rewrite.
_DECIDED = frozenset(
    (
        "command",
        "content",
        "file_path",
        "glob",
        "limit",
        "new_string",
        "offset",
        "old_string",
        "path",
        "pattern",
        "replace_all",
    )
)

_ENDINGS = ("clear", "logout", "prompt_input_exit", "resume", "other")  # Claude's reasons


def asked(event: str, answer: Answer) -> "list[str]":
    """What an answer asks of the agent, as words of events.CAPABILITIES."""
    words = []
    if answer.refuses():
        words.append(refusal(event))
    elif event in DENIES and answer.decision:
        words.append(answer.decision)
    if rewrite(event, answer) is not None:
        words.append("updatedInput")
    if answer.contexts:
        words.append("additionalContext")
    if answer.stop:
        words.append("continue:false")
    if answer.system_message:
        words.append("systemMessage")
    return words


def rewrite(event: str, answer: Answer) -> "dict[str, Any] | None":
    """The rewritten input; None where a refusal or a defer makes it moot."""
    if event not in DENIES or answer.refuses() or answer.decision == "defer":
        return None
    return answer.updated_input


def reply(event: str, answer: Answer, out: "dict[str, Any]", said: "Iterable[str]") -> Reply:
    """The reply; what was asked and is not among `said` counts as dropped."""
    said = tuple(said)
    return Reply(out or None, [word for word in asked(event, answer) if word not in said])


def reason(answer: Answer) -> str:
    """Why an answer refuses; never blank, as several agents ignore a refusal without a reason."""
    return answer.reason if answer.reason.strip() else BLOCKED


def context(answer: Answer, with_reason: bool = False) -> str:
    """The contexts as one text; with_reason: a refusal's reason goes first, as context."""
    texts = list(answer.contexts)
    if with_reason and answer.refuses():
        texts.insert(0, reason(answer))
    return "\n".join(texts)


def base(
    event: str, payload: "dict[str, Any]", names: "Mapping[str, str] | None" = None
) -> "dict[str, Any]":
    """The payload with Claude's keys. names: the agent's key -> Claude's.

    What matchers are held against and the transcript are text or absent; a tool event has both
    tool fields.
    """
    call = renamed(payload, names or {})
    call["hook_event_name"] = event
    for field in (MATCHED_FIELD.get(event), "transcript_path"):
        if field in call and not isinstance(call[field], str):
            del call[field]
    if event == "SessionEnd" and call.get("reason") not in _ENDINGS:
        call["reason"] = "other"
    if event in TOOL_EVENTS:
        call.setdefault("tool_name", "")
        call["tool_input"] = arguments(call.get("tool_input"))
    return call


def arguments(value: "Any") -> "dict[str, Any]":
    """A tool's arguments as an object: JSON text is read, anything else is kept under "input"."""
    if isinstance(value, dict):
        return value
    if value is None:
        return {}
    if isinstance(value, str):
        try:
            inside = loads(value)
        except JsonError:
            inside = None
        if isinstance(inside, dict):
            return inside
    return {"input": value}


def mcp_tool(server: str, tool: str) -> str:
    """Claude's name of an MCP tool; what Claude's names cannot hold becomes "_"."""
    name = "mcp__" + server + "__" + tool
    return "".join([c if c.isalnum() or c in "_-" else "_" for c in name])


def renamed(given: "dict[str, Any]", names: "Mapping[str, str]") -> "dict[str, Any]":
    """Keys renamed. The agent's own key wins over one that already has Claude's name: it is the
    one the tool obeys, and a model could add the other to fool a guard."""
    out = {key: value for key, value in given.items() if key not in names}
    for key, name in names.items():
        if key in given:
            out[name] = given[key]
    return out


def restored(
    updated: "dict[str, Any]", native: "dict[str, Any]", names: "Mapping[str, str] | None"
) -> "dict[str, Any]":
    """A rewritten input under the agent's own keys. native: the input as the agent sent it.

    names: as for renamed(); None for a tool that Claude has not, whose input is replaced whole.
    """
    if names is None:
        return updated
    back: "dict[str, str]" = {}
    for key, name in names.items():
        if key in native or (name not in native and name not in back):
            back[name] = key  # the spelling in use, else the first one known
    out = {}
    for key, value in native.items():
        name = names.get(key, key)
        if name not in updated and name not in _DECIDED:
            out[key] = value
    for key, value in updated.items():
        out[back.get(key, key)] = value
    return out


def shell_result(value: "Any", text: "Any") -> "dict[str, Any]":
    """A shell tool's result in Claude's form. text: what it printed; the agent's own fields stay.

    Agents other than Claude Code mix both streams in one text.
    """
    own = value if isinstance(value, dict) else {}
    printed = text if isinstance(text, str) else ""
    return {**own, "stdout": printed, "stderr": "", "interrupted": False, "isImage": False}
