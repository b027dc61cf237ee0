"""Several hooks' answers to one input become one: deny beats defer beats ask beats allow.

Vendored. Texts stand in file order, so that the result never depends on who ended first.
"""

from hookpm.contract.answer import Answer

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence
    from typing import Any

_RANK = {"": 0, "allow": 1, "ask": 2, "defer": 3, "deny": 4, "block": 4}


def join(event: str, answers: "Sequence[Answer]") -> Answer:
    """The joined answer. answers: in file order; failures and notes stay with the single ones.

    A rewrite counts from the first answer that holds one; refusals and defers drop it. At Stop,
    continue:false beats a block (observed in Claude Code 2.1.332 and Codex 0.171.0).
    """
    joined = Answer()
    winner = ""
    for answer in answers:
        if _RANK[answer.decision] > _RANK[winner]:
            winner = answer.decision
    joined.decision = winner
    joined.reason = _lines(a.reason for a in answers if winner and a.decision == winner)
    for answer in answers:
        joined.contexts += answer.contexts
        if joined.updated_input is None:
            joined.updated_input = answer.updated_input
        for key, value in answer.extras.items():
            joined.extras.setdefault(key, value)
        for key, value in answer.specific_extras.items():
            if key not in joined.specific_extras or (key == "decision" and _denies(value)):
                joined.specific_extras[key] = value
    if event == "PreCompact":
        _join_instructions(joined, answers)
    joined.stop = any(a.stop for a in answers)
    joined.stop_reason = _lines(a.stop_reason for a in answers if a.stop)
    joined.system_message = _lines(a.system_message for a in answers)
    if winner in ("deny", "defer"):
        joined.updated_input = None
    if event in ("Stop", "SubagentStop") and joined.stop:
        joined.decision = ""
        joined.reason = ""
    return joined


def _denies(decision: "Any") -> bool:
    """Is this a denied PermissionRequest (hookSpecificOutput.decision, Claude's alone)?"""
    return isinstance(decision, dict) and decision.get("behavior") == "deny"


def _join_instructions(joined: Answer, answers: "Sequence[Answer]") -> None:
    """Plain text before a compaction: every hook's counts."""
    text = _lines(str(a.specific_extras.get("text", "")) for a in answers)
    if text:
        joined.specific_extras["text"] = text


def _lines(texts: "Iterable[str]") -> str:
    seen: "list[str]" = []
    for text in texts:
        if text and text not in seen:
            seen.append(text)
    return "\n".join(seen)
