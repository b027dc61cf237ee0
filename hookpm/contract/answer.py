"""What a hook says, read as Claude Code reads it: exit code, stdout, stderr -> Answer.

Vendored. Observed in Claude Code 2.1.332: JSON on stdout counts at any exit code, exit 2 blocks
whatever the JSON allows, other codes without JSON allow. Where Claude would lose a refusal (a
missing hookEventName, text around the JSON, a bad field beside it) it is kept, with a note; what
Claude would lose beside a wrong event name never becomes more than Claude would make of it.
"""

from hookpm.contract.events import CANNOT_BLOCK, DENIES, TEXT_IS_CONTEXT
from hookpm.contract.jsontext import JsonError, loads, scan

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

REFUSED = 42  # the bridge's exit code that the wired line turns into 2, and nothing else into it
BLOCKED = "Blocked by hook"  # Claude's own words where a hook gives no reason

_MANY_BRACES = 400  # how many places in a text are tried for a JSON object
_DECISIONS = ("deny", "defer", "ask", "allow")
_READ_TOP = ("decision", "reason", "continue", "stopReason", "systemMessage", "hookSpecificOutput")
_READ_SPECIFIC = (
    "hookEventName",
    "permissionDecision",
    "permissionDecisionReason",
    "updatedInput",
    "additionalContext",
)
# Read elsewhere or without effect; async would send the whole joined answer to the background.
_NOT_EXTRA = (
    "suppressOutput",
    "permissionDecision",
    "permissionDecisionReason",
    "async",
    "asyncTimeout",
)
_STOPS_NOTHING = ("SessionStart", "SessionEnd")  # continue:false was seen to do nothing there


class Answer:
    """One hook's answer, or several joined.

    decision: "", "deny", "defer", "ask", "allow" before a tool; "", "deny" or "allow" where
    permission is asked for; "" or "block" elsewhere.
    stop: the hook said continue:false. extras, specific_extras: fields that only Claude Code
    knows, at the top level and inside hookSpecificOutput.
    failure: why the hook counts as failed ("" if it does not); notes: remarks for stderr.
    """

    __slots__ = (
        "contexts",
        "decision",
        "extras",
        "failure",
        "notes",
        "reason",
        "specific_extras",
        "stop",
        "stop_reason",
        "system_message",
        "updated_input",
    )

    def __init__(self) -> None:
        self.decision = ""
        self.reason = ""
        self.contexts: "list[str]" = []
        self.updated_input: "dict[str, Any] | None" = None
        self.stop = False
        self.stop_reason = ""
        self.system_message = ""
        self.extras: "dict[str, Any]" = {}
        self.specific_extras: "dict[str, Any]" = {}
        self.failure = ""
        self.notes: "list[str]" = []

    def refuses(self) -> bool:
        """Does it deny or block?"""
        return self.decision in ("deny", "block")

    def is_empty(self) -> bool:
        """Does it ask nothing of the agent?"""
        return not (
            self.decision
            or self.contexts
            or self.updated_input is not None
            or self.stop
            or self.system_message
            or self.extras
            or self.specific_extras
        )


class Reply:
    """An answer in one agent's form: the JSON object for stdout, and what had to be left out.

    out: None where nothing is printed. dropped: capability words (see events.CAPABILITIES).
    refusal: the reason, for an agent that is best refused by exit code 2 with the reason on stderr.
    """

    __slots__ = ("dropped", "out", "refusal")

    def __init__(self, out: "dict[str, Any] | None", dropped: "list[str]") -> None:
        self.out = out
        self.dropped = dropped
        self.refusal = ""


def refusal(event: str) -> str:
    """The word for a refusal at an event: deny where a tool is to run, block elsewhere."""
    return "deny" if event in DENIES else "block"


def read(event: str, exit_code: int, stdout: bytes, stderr: bytes) -> Answer:
    """Read what a hook that has ended said. event: Claude's name; exit_code < 0: a signal."""
    text = _decoded(stdout)
    said = _decoded(stderr)
    answer = Answer()
    not_started = _start_failure(exit_code, text, said)
    if not_started:
        answer.failure = "it could not start: " + first_line(not_started)
        return answer
    text = _without_async(answer, text)
    document = _whole_object(text)
    if document is not None:
        _read_document(answer, event, document)
    elif text:
        _read_text(answer, event, exit_code, text)
    if exit_code == 2:
        _read_exit_2(answer, event, said, text if document is None else "")
    elif exit_code != 0 and document is None and not answer.refuses():
        answer.failure = _ending(exit_code) + (": " + first_line(said) if said else "")
    if answer.refuses():
        answer.reason = answer.reason or BLOCKED
        if event in DENIES:
            answer.updated_input = None
    return answer


def cannot_start(exit_code: int, stdout: bytes, stderr: bytes) -> bool:
    """Did an interpreter or shell say that there is no such script or program?"""
    return bool(_start_failure(exit_code, _decoded(stdout), _decoded(stderr)))


def _start_failure(exit_code: int, text: str, said: str) -> str:
    """The line that says so, or ""."""
    if text or exit_code not in (2, 126, 127):
        return ""
    from hookpm.contract import starting

    return starting.failure(exit_code, said)


def _decoded(output: bytes) -> str:
    return output.decode("utf-8", "replace").lstrip("\ufeff").strip()


def first_line(text: str, limit: int = 300) -> str:
    """The first line of a text, cut at `limit` characters."""
    line = text.strip().split("\n", 1)[0].strip()
    return line if len(line) <= limit else line[:limit] + "..."


def _ending(exit_code: int) -> str:
    if exit_code < 0:
        return "ended by signal " + str(-exit_code)
    return "exit code " + str(exit_code) + ", which is no block"


def _whole_object(text: str) -> "dict[str, Any] | None":
    if not text.startswith("{"):
        return None
    try:
        value = loads(text)
    except JsonError:
        return None
    return value if isinstance(value, dict) else None


def _without_async(answer: Answer, text: str) -> str:
    """Without a first line that asks to go on in the background: the bridge has waited."""
    line, _, rest = text.partition("\n")
    if '"async"' in line:
        document = _whole_object(line.strip())
        if document is not None and document.get("async") is True:
            answer.notes.append("async is not honoured: its answer was waited for")
            return rest.strip()
    return text


def _read_document(answer: Answer, event: str, document: "dict[str, Any]") -> None:
    specific = document.get("hookSpecificOutput")
    if specific is not None and not isinstance(specific, dict):
        answer.notes.append("hookSpecificOutput is not an object and was left out")
        specific = None
    specific = specific or {}
    named = specific.get("hookEventName")
    wrong_event = named is not None and named != event
    if specific and named != event:
        answer.notes.append(
            "hookSpecificOutput names no event"
            if named is None
            else "hookSpecificOutput names the event " + str(named)[:40]
        )
    _read_decision(answer, event, document, specific)
    _read_texts(answer, event, document, specific)
    updated = specific.get("updatedInput")
    if event == "PermissionRequest":
        updated = _read_permission(answer, specific)
    if wrong_event and (updated is not None or answer.decision == "allow"):
        answer.notes.append("what it allows or rewrites is for another event and was left out")
        updated = None
        if answer.decision == "allow":
            answer.decision = answer.reason = ""
    if isinstance(updated, dict) and event in DENIES:
        answer.updated_input = updated
    elif updated is not None:
        answer.notes.append("updatedInput is no object at this event and was left out")
    answer.extras = {k: v for k, v in document.items() if k not in _READ_TOP}
    answer.specific_extras = {k: v for k, v in specific.items() if k not in _READ_SPECIFIC}
    if wrong_event and not answer.refuses():
        answer.specific_extras.pop("decision", None)
    for key in _NOT_EXTRA:
        answer.extras.pop(key, None)
    for key in ("additionalContext", "updatedInput"):
        if answer.extras.pop(key, None) is not None:
            answer.notes.append(key + " counts only inside hookSpecificOutput")


def _read_decision(
    answer: Answer, event: str, document: "dict[str, Any]", specific: "dict[str, Any]"
) -> None:
    word = document.get("decision")
    if word in ("block", "deny") and event not in CANNOT_BLOCK:
        if word == "deny":
            answer.notes.append('decision "deny" is not a word of the contract; read as "block"')
        answer.decision = refusal(event)
        answer.reason = _text(document.get("reason"))
        return
    if word is not None and word not in ("block", "approve"):
        answer.notes.append("unknown decision " + str(word)[:40] + " was left out")
    permission, reason = specific.get("permissionDecision"), "permissionDecisionReason"
    if permission is None and document.get("permissionDecision") == "deny":
        answer.notes.append("permissionDecision belongs inside hookSpecificOutput")
        permission, specific = "deny", document
    if event != "PreToolUse":
        if permission is not None:
            answer.notes.append("permissionDecision counts only at PreToolUse")
        return
    if permission in _DECISIONS:
        answer.decision = str(permission)
        answer.reason = _text(specific.get(reason))
        if permission in ("deny", "defer"):
            specific.pop("updatedInput", None)
    elif permission is not None:
        answer.notes.append("unknown permissionDecision " + str(permission)[:40])
    elif word == "approve":
        answer.decision = "allow"
        answer.reason = _text(document.get("reason"))


def _read_permission(answer: Answer, specific: "dict[str, Any]") -> "Any":
    """The decision on a permission that is asked for; returns the input that it allows instead.

    The only field that counts there: exit code 2, decision and permissionDecision do nothing
    (observed). It stays among the extras as well, with what only Claude Code reads in it.
    """
    decision = specific.get("decision")
    if specific.get("updatedInput") is not None:
        answer.notes.append("updatedInput counts only inside decision there")
    if not isinstance(decision, dict):
        if decision is not None:
            answer.notes.append("hookSpecificOutput.decision is no object and was left out")
        return None
    behavior = decision.get("behavior")
    if behavior not in ("allow", "deny"):
        answer.notes.append("unknown behavior " + str(behavior)[:40] + " was left out")
        return None
    answer.decision = behavior
    answer.reason = _text(decision.get("message"))
    return decision.get("updatedInput") if behavior == "allow" else None


def _read_texts(
    answer: Answer, event: str, document: "dict[str, Any]", specific: "dict[str, Any]"
) -> None:
    context = specific.get("additionalContext")
    if isinstance(context, str):
        if context:
            answer.contexts.append(context)
    elif context is not None:
        answer.notes.append("additionalContext is not text and was left out")
    message = document.get("systemMessage")
    if isinstance(message, str):
        answer.system_message = message
    elif message is not None:
        answer.notes.append("systemMessage is not text and was left out")
    going_on = document.get("continue")
    if going_on is False and event in _STOPS_NOTHING:
        answer.notes.append("continue:false stops nothing at " + event)
    elif going_on is False:
        answer.stop = True
        answer.stop_reason = _text(document.get("stopReason"))
    elif going_on is not None and going_on is not True:
        answer.notes.append("continue is neither true nor false and was left out")


def _read_text(answer: Answer, event: str, exit_code: int, text: str) -> None:
    """Plain text: context at some events; a refusal somewhere inside it still counts."""
    if event in DENIES or event not in CANNOT_BLOCK:
        inside = _refusal_inside(text, event)
        if inside is not None:
            answer.decision, answer.reason = inside.decision, inside.reason
            answer.notes.append("there is other text around the JSON; the refusal in it counts")
            return
    if exit_code != 0:
        return
    if event in TEXT_IS_CONTEXT and not (event == "SessionStart" and _is_broken(text)):
        answer.contexts.append(text)
    elif event == "PreCompact":
        answer.specific_extras["text"] = text  # instructions for Claude Code's own compaction
    elif text.startswith(("{", "[")):
        answer.notes.append("what it printed is not one JSON object and was left out")


def _is_broken(text: str) -> bool:
    """Does it look like one JSON object without being one? (Several of them are plain text.)"""
    if not (text.startswith("{") and text.endswith("}")):
        return False
    try:
        scan(text, 0)
    except JsonError:
        return True
    return False


def _refusal_inside(text: str, event: str) -> "Answer | None":
    """The last JSON object in the text that refuses."""
    if "block" not in text and "deny" not in text:
        return None
    found = None
    behind = 0
    for at in _objects(text):
        if at < behind:
            continue  # inside an object that was read
        try:
            value, behind = scan(text, at)
        except JsonError:
            continue
        candidate = Answer()
        _read_document(candidate, event, value)
        if candidate.refuses():
            found = candidate
    return found


def _objects(text: str) -> "list[int]":
    """Where JSON objects with something in them may begin: the first and the last such places."""
    places: "list[int]" = []
    at = text.find("{")
    while at >= 0:
        if text[at + 1 : at + 80].lstrip().startswith('"'):
            places.append(at)
        at = text.find("{", at + 1)
    if len(places) <= _MANY_BRACES:
        return places
    return places[: _MANY_BRACES // 2] + places[-_MANY_BRACES // 2 :]


def _read_exit_2(answer: Answer, event: str, stderr: str, text: str) -> None:
    if event in CANNOT_BLOCK:
        if stderr:
            answer.notes.append(first_line(stderr))
        return
    if not answer.refuses():
        answer.decision = refusal(event)
        answer.reason = ""
    answer.reason = answer.reason or stderr or text or "No stderr output"


def _text(value: "Any") -> str:
    return value if isinstance(value, str) else ""
