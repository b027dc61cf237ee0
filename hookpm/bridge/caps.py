"""Contexts longer than the agent takes: cut at a line, and said; never lost without a word.

Vendored; imported only for a long answer. What an agent takes is in its translation: CONTEXT_CHARS,
and the field that it counts for. Claude Code and Codex keep the whole of a longer one in a file and
tell the model where, which is better than any cut of ours: there it is only said.
"""

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from hookpm.bridge.event import Event


def fit(event: "Event", out: "dict[str, Any]") -> str:
    """Cut the context in an answer that is to be printed, where the agent would cut or drop it.

    Returns what is to be said about it, "" if it fits.
    """
    most: int = event.translate.CONTEXT_CHARS
    field = event.translate.CONTEXT_FIELD
    for place in (out, out.get("hookSpecificOutput") or {}):
        text = place.get(field) or ""
        if units(text) > most:
            if getattr(event.translate, "KEEPS_WHOLE", False):
                return "%s shows the model a part of a context this long (%d characters)" % (
                    event.agent,
                    units(text),
                )
            place[field] = cut(text, most, event.agent)
            kept = len(place[field].rpartition("\n")[0])
            return "%d of %d characters of context were cut: %s takes %d" % (
                len(text) - kept,
                len(text),
                event.agent,
                most,
            )
    return ""


def cut(text: str, most: int, agent: str) -> str:
    """As many whole lines as fit, and a remark. most: characters as JavaScript counts them.

    A line that would take more than half of the room is cut within.
    """
    remark = "\n[hookpm cut %d characters here: %s takes %d]"
    room = most - len(remark % (len(text), agent, most))
    wide = text.encode("utf-16-le", "surrogatepass")
    kept = wide[: 2 * room].decode("utf-16-le", "surrogatepass")
    if "\ud800" <= kept[-1] <= "\udbff":  # the first half of a character
        kept = kept[:-1]
    end = kept.rfind("\n")
    if 2 * end > len(kept):
        kept = kept[:end]
    return kept + remark % (len(text) - len(kept), agent, most)


def units(text: str) -> int:
    """Its length in UTF-16."""
    return len(text) + sum([character > "\uffff" for character in text])
