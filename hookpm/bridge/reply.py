"""From the joined answer to what is printed: fallbacks, stop caps, notes, the agent's own form.

Vendored. A fallback never becomes a native allow.
"""

from hookpm.bridge import session
from hookpm.contract.answer import Answer, first_line, refusal
from hookpm.contract.jsontext import dumps

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from hookpm.bridge.judge import Said
    from hookpm.bridge.main import Event
    from hookpm.contract.hooksfile import Hook

MOST_STOPS = 8  # blocks at Stop until the user's next prompt, as in Claude Code


class Notes:
    """Remarks for stderr, and for the user where the agent can show one: there once a session."""

    def __init__(self, event: "Event", memory: session.Session) -> None:
        self.lines: "list[str]" = []
        self.for_user: "list[str]" = []
        self.memory = memory
        self.can_show = "systemMessage" in event.translate.SUPPORTED.get(event.name, ())

    def add(self, text: str) -> None:
        """A remark on stderr."""
        if text not in self.lines:
            self.lines.append(text)

    def tell(self, key: str, text: str) -> None:
        """A remark that the user has to hear of; key: what makes it the same again."""
        self.add(text)
        if self.can_show and session.tell_once(self.memory, key):
            self.for_user.append("hookpm: " + text)


def supports(event: "Event", word: str) -> bool:
    """Can the calling agent be told this, here and now?"""
    translate = event.translate
    if word not in translate.SUPPORTED.get(event.name, ()):
        return False
    if word == "ask" and getattr(translate, "ASK_NEEDS_TERMINAL", False):
        return _has_terminal()
    return True


def _has_terminal() -> bool:
    import posix

    try:
        posix.close(posix.open("/dev/tty", posix.O_RDWR))
    except OSError:
        return False
    return True


def fall_back(
    event: "Event", hook: "Hook", answer: Answer, fallback: "dict[str, str]", notes: Notes
) -> None:
    """Where the agent cannot do what the hook asks, do what its pack says instead."""
    name = hook.name()
    word = answer.decision
    if word in ("ask", "defer") and not supports(event, word):
        if fallback.get(word) == "deny":
            answer.decision = refusal(event.name)
            reason = answer.reason or "this needs the user's consent"
            answer.reason = reason + _instead(event, word)
        else:
            answer.decision = ""
            notes.add("%s: %s cannot be done in %s and was left out" % (name, word, event.agent))
    if answer.updated_input is not None and _rewrite_is_lost(event):
        if fallback.get("updatedInput") == "deny":
            wanted = dumps(answer.updated_input)
            answer.decision = refusal(event.name)
            answer.reason = "Use this input instead: " + wanted[:4000]
        else:
            notes.add("%s: updatedInput cannot be done here and was left out" % name)
        answer.updated_input = None
    lost_stop = answer.stop and not supports(event, "continue:false")
    if lost_stop and fallback.get("continue:false") == "deny" and not answer.refuses():
        answer.decision = refusal(event.name)
        answer.reason = answer.stop_reason or "Stop here and wait for the user."
        answer.stop = False


def _rewrite_is_lost(event: "Event") -> bool:
    return len(event.calls) > 1 or not supports(event, "updatedInput")


def _instead(event: "Event", word: str) -> str:
    if word == "ask":
        return " (%s cannot ask the user here, so this is denied)" % event.agent
    return ""


def is_continuation(event: "Event", memory: session.Session) -> bool:
    """Is this prompt only the reason of our own block at Stop, given back to us?

    Observed: Gemini 0.61.0 and Copilot 1.0.102 fire the prompt event again then.
    """
    prompt = event.calls[0].get("prompt") if event.calls else None
    if memory.reason and isinstance(prompt, str) and memory.reason in prompt:
        return True
    if memory.stops:
        memory.stops = 0
        memory.reason = ""
        session.save(memory)
    return False


def send(event: "Event", said: "list[Said]", joined: Answer, notes: Notes) -> None:
    """Print the answer in the agent's form, and the notes on stderr."""
    if event.name == "Stop":
        _cap_stops(event, joined, notes)
    if notes.for_user:
        shown = [joined.system_message] if joined.system_message else []
        joined.system_message = "\n".join(shown + notes.for_user)
    if notes.for_user or event.name == "Stop":
        session.save(notes.memory)
    raw = _as_it_came(event, said, notes)
    if raw:
        _write(1, raw)
        return
    out: "dict[str, Any] | None" = None
    if not joined.is_empty():
        made = event.translate.from_claude(event.name, joined, event.payload, event.calls)
        out = made.out
        for word in made.dropped:
            _note_dropped(event, joined, word, notes)
    for line in notes.lines:
        _write(2, ("hookpm: " + line + "\n").encode("utf-8", "backslashreplace"))
    if out is not None:
        _write(1, (dumps(out) + "\n").encode("ascii"))


def _note_dropped(event: "Event", joined: Answer, word: str, notes: Notes) -> None:
    if word == "systemMessage":  # stderr is the next best place for it
        notes.add(joined.system_message)
    else:
        notes.add("%s cannot be done in %s at %s" % (word, event.agent, event.name))


def _as_it_came(event: "Event", said: "list[Said]", notes: Notes) -> bytes:
    """One hook's own bytes, where Claude Code reads them just as the contract does."""
    if event.agent != "claude" or len(said) != 1 or notes.lines:
        return b""
    one = said[0]
    if one.exit_code != 0 or one.answer.failure or one.answer.notes:
        return b""
    if one.answer.updated_input is not None and len(event.calls) != 1:
        return b""
    return one.stdout


def _cap_stops(event: "Event", joined: Answer, notes: Notes) -> None:
    """Count blocks at Stop; past the cap the agent may stop, and the user is told."""
    memory = notes.memory
    call = event.calls[0] if event.calls else {}
    if not call.get("stop_hook_active"):
        memory.stops = 0
    memory.reason = ""
    if not joined.refuses():
        return
    memory.stops += 1
    if memory.stops > MOST_STOPS and not getattr(event.translate, "CAPS_STOPS", False):
        joined.decision = ""
        notes.tell(
            "stops",
            "hooks kept the agent going %d times; it may stop now. The last reason: %s"
            % (MOST_STOPS, first_line(joined.reason)),
        )
        return
    memory.reason = joined.reason


def _write(handle: int, data: bytes) -> None:
    from hookpm.bridge.main import write_all

    write_all(handle, data)
