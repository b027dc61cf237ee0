"""From the joined answer to what is printed: fallbacks, stop caps, notes, the agent's own form.

Vendored. A fallback never becomes a native allow.
"""

from hookpm.bridge.event import write_all
from hookpm.contract.answer import REFUSED, Answer, Reply, first_line, refusal
from hookpm.contract.jsontext import dumps

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from hookpm.bridge.event import Event
    from hookpm.bridge.judge import Said
    from hookpm.bridge.session import Session

MOST_STOPS = 8  # blocks at Stop until the user's next prompt, as in Claude Code


class Notes:
    """Remarks for stderr, and for the user where the agent can show one: there once a session."""

    def __init__(self, event: "Event") -> None:
        self.event = event
        self.lines: "list[str]" = []
        self.for_user: "list[str]" = []
        self._memory: "Session | None" = None

    def memory(self) -> "Session":
        """What is remembered of the session; most calls need none of it."""
        if self._memory is None:
            from hookpm.bridge import session

            event = self.event
            self._memory = session.load(event.cache, event.agent, event.session())
        return self._memory

    def add(self, text: str) -> None:
        """A remark on stderr."""
        if text not in self.lines:
            self.lines.append(text)

    def tell(self, key: str, text: str) -> None:
        """A remark that the user has to hear of; key: what makes it the same again."""
        self.add(text)
        shown = self.event.translate.SUPPORTED.get(self.event.name, ())
        if "systemMessage" in shown and self.memory().tell_once(key):
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
    event: "Event", name: str, answer: Answer, fallback: "dict[str, Any]", notes: Notes
) -> None:
    """Where the agent cannot do what the hook `name` asks, do what its pack says instead."""
    word = answer.decision
    if word in ("ask", "defer") and not supports(event, word):
        if fallback.get(word) == "deny":
            _refuse(event, answer, answer.reason or "this needs the user's consent")
            answer.reason += _instead(event, word)
        else:
            answer.decision = answer.reason = ""
            notes.add("%s: %s cannot be done in %s and was left out" % (name, word, event.agent))
    if answer.updated_input is not None and _rewrite_is_lost(event):
        wanted = answer.updated_input
        answer.updated_input = None
        if fallback.get("updatedInput") == "deny":
            _refuse(event, answer, "Use this input instead: " + dumps(wanted)[:4000])
        else:
            why = "this call touches several files" if len(event.calls) > 1 else event.agent
            notes.add("%s: updatedInput cannot be done here (%s) and was left out" % (name, why))
            _take_back_allow(name, answer, notes)
    lost_stop = answer.stop and not supports(event, "continue:false")
    if lost_stop and fallback.get("continue:false") == "deny" and not answer.refuses():
        _refuse(event, answer, answer.stop_reason or "Stop here and wait for the user.")
        answer.stop = False


def _refuse(event: "Event", answer: Answer, reason: str) -> None:
    answer.decision = refusal(event.name)
    answer.reason = reason
    answer.updated_input = None


def _take_back_allow(name: str, answer: Answer, notes: Notes) -> None:
    """What the hook allowed was its own input, and another one is about to run."""
    if answer.decision == "allow":
        answer.decision = answer.reason = ""
        notes.add(name + ": allow was left out with it")


def _rewrite_is_lost(event: "Event") -> bool:
    if len(event.calls) > 1 or not supports(event, "updatedInput"):
        return True
    can_rewrite = getattr(event.translate, "can_rewrite", None)
    return can_rewrite is not None and not can_rewrite(event.payload, event.calls)


def _instead(event: "Event", word: str) -> str:
    if word == "ask":
        return " (%s cannot ask the user here, so this is denied)" % event.agent
    return ""


def is_continuation(event: "Event", notes: Notes) -> bool:
    """Is this prompt only the reason of our own block at Stop, given back to us? Once per block.

    Other blocking hooks' reasons may stand beside ours, on lines of their own. It does not start
    the count of blocks anew; hooks are spared it only in agents that are known to do this.
    """
    memory = notes.memory()
    if not memory.stops and not memory.reason:
        return False
    prompt = event.calls[0].get("prompt") if event.calls else None
    expected = "\n" + memory.reason.strip() + "\n"
    repeated = bool(memory.reason) and expected in "\n%s\n" % str(prompt).strip()
    memory.reason = ""
    if not repeated:
        memory.stops = 0
    memory.save()
    return repeated and getattr(event.translate, "REPEATS_REASON", False)


def send(event: "Event", said: "list[Said]", joined: Answer, notes: Notes) -> None:
    """Print the answer in the agent's form, and the notes on stderr."""
    if event.name in ("Stop", "SubagentStop"):
        _cap_stops(event, joined, notes)
    if notes.for_user:
        notes.memory().save()
        shown = [joined.system_message] if joined.system_message else []
        joined.system_message = "\n".join(shown + notes.for_user)
    raw = _as_it_came(event, said, notes)
    if raw:
        event.answered = True
        write_all(1, raw)
        _fit(event, joined, {"additionalContext": "\n".join(joined.contexts)}, notes)
        for line in notes.lines:
            note(line)
        return
    out: "dict[str, Any] | None" = None
    if not joined.is_empty():
        made = event.translate.from_claude(event.name, joined, event.payload, event.calls)
        out = made.out
        refuse(event, made)
        for word in made.dropped:
            _note_dropped(event, joined, word, notes)
        if out is not None:
            _fit(event, joined, out, notes)
    for line in notes.lines:
        note(line)
    if out is not None:
        event.answered = True
        print_json(out)


def _fit(event: "Event", joined: Answer, out: "dict[str, Any]", notes: Notes) -> None:
    """Cut what the agent would cut or drop, and say so; most answers are far from that long."""
    most: int = getattr(event.translate, "CONTEXT_CHARS", 0)
    length = sum([len(text) + 1 for text in (joined.reason, *joined.contexts)])
    if most and 2 * length > most:
        from hookpm.bridge import caps

        said = caps.fit(event, out)
        if said:
            notes.add(said)


def refuse(event: "Event", made: Reply) -> None:
    """The reason on stderr, and the exit code for the line, where this agent is refused so."""
    if made.refusal:
        event.exit_code = REFUSED
        write_all(2, (made.refusal + "\n").encode("utf-8", "backslashreplace"))


def note(text: str) -> None:
    """One line on stderr."""
    write_all(2, ("hookpm: " + text + "\n").encode("utf-8", "backslashreplace"))


def print_json(document: "dict[str, Any]") -> None:
    """The one JSON object that the agent reads."""
    write_all(1, (dumps(document) + "\n").encode("ascii"))


def _note_dropped(event: "Event", joined: Answer, word: str, notes: Notes) -> None:
    if word == "systemMessage":  # stderr is the next best place for it
        notes.add(joined.system_message)
    else:
        notes.add("%s cannot be done in %s at %s" % (word, event.agent, event.name))


def _as_it_came(event: "Event", said: "list[Said]", notes: Notes) -> bytes:
    """One hook's own bytes, where Claude Code reads them just as the contract does."""
    reads = getattr(event.translate, "reads", None)
    if reads is None or len(said) != 1 or notes.lines:
        return b""
    one = said[0]
    if one.exit_code != 0 or one.answer.failure or one.answer.notes:
        return b""
    return one.stdout if reads(one.stdout) else b""


def _cap_stops(event: "Event", joined: Answer, notes: Notes) -> None:
    """Count blocks at Stop; past the cap the agent may stop, and the user is told.

    Where nothing can be remembered, a stop after a block is not blocked again. Without a word on
    stop_hook_active, and of subagents, the very reason of the block before tells a continuation.
    """
    call = event.calls[0] if event.calls else {}
    memory = notes.memory()
    going_on = bool(call.get("stop_hook_active"))
    if event.name == "SubagentStop" or "stop_hook_active" not in call:
        going_on = going_on or (joined.refuses() and memory.reason == joined.reason)
    if not joined.refuses():
        if memory.stops or memory.reason:
            memory.reason = ""
            memory.stops = memory.stops if going_on else 0
            memory.save()
        return
    memory.stops = memory.stops + 1 if going_on else 1
    memory.reason = joined.reason
    kept = memory.save()
    if event.name == "Stop" and getattr(event.translate, "CAPS_STOPS", False):
        return  # a subagent's stop has no cap even in some of these (observed: Copilot 1.0.102)
    if memory.stops > MOST_STOPS or (going_on and not kept):
        memory.reason = ""
        memory.save()
        joined.decision = ""
        times = "%d times" % MOST_STOPS if kept else "once, and nothing can be remembered here"
        notes.tell(
            "stops",
            "hooks kept the agent going %s; it may stop now. The last reason: %s"
            % (times, first_line(joined.reason)),
        )
