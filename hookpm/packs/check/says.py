"""What a script answers, as far as its text shows it, held against what its hooks declare."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

from hookpm.contract.answer import refusal
from hookpm.contract.events import CANNOT_BLOCK, CAPABILITIES
from hookpm.packs.check.finding import Finding, Source


class Saying(NamedTuple):
    """A key of an answer and its value ("" where that is not fixed), or key "exit" and a code."""

    key: str
    value: str
    line: int


_DENIES = (
    '{"hookSpecificOutput": {"hookEventName": "PreToolUse", "permissionDecision": "deny", '
    '"permissionDecisionReason": "..."}}'
)
_KEYS = (
    "permissionDecision|decision|behavior|updatedInput|additionalContext|systemMessage|continue"
    "|hookEventName|hookSpecificOutput"
)
KEYS = frozenset(_KEYS.split("|"))
# In JSON, and in jq's and JavaScript's objects, whose keys need no quotes.
_SAYING = re.compile(
    rf"""(?<![\w.$])(["']?)({_KEYS})\1\s*:\s*(?:["']([^"'\n]*)["']|(false|true))?"""
)

# What stands for a word of the contract in any language, where a text has to hold at least that.
_REFUSES = r"\bdeny\b|\bblock\b|exit\s*\(?\s*2\b|exitCode\s*=\s*2|SystemExit\(2|return 2\b|\.deny\("
_HINTS = {
    "deny": _REFUSES,
    "block": _REFUSES,
    "ask": r"\bask\b",
    "allow": r"\ballow\b|\bapprove\b",
    "defer": r"\bdefer\b",
    "continue:false": r"\bcontinue\b",
    # Plain text counts as context at some events.
    "additionalContext": r"additionalContext|\becho\b|\bprint|\bwrite\(|console\.log|\bcat\b",
}

# A refusal in words, and words that say the opposite.
_REFUSAL = re.compile(
    r"(?i)\b(block(ed|s|ing)?|den(y|ied|ies|ying)|refus\w+|forbid\w*|forbidden|prohibit\w*"
    r"|disallow\w*|reject\w*|off.limits|not (allowed|permitted)|must not|never allowed)\b"
)
_NO_REFUSAL = re.compile(
    r"(?i)\b(not|nothing|nobody|never|cannot|can't|un|no)[ -](be |was |is )?(block|den|refus)"
    r"|blocks (nothing|nobody|no\b)|not judged|permission denied"
)


def refuses_in_words(text: str) -> bool:
    """Does a message say that something is refused?"""
    return bool(_REFUSAL.search(text)) and not _NO_REFUSAL.search(text)


def can_refuse(source: Source) -> bool:
    """Does exit code 2 refuse anything at an event of this script?"""
    return any(event not in CANNOT_BLOCK for event in source.events())


def in_text(text: str, line: int) -> Iterator[Saying]:
    """The sayings in a text that holds JSON, or what looks like it. line: where it begins."""
    for found in _SAYING.finditer(text):
        at = line + text.count("\n", 0, found.start())
        yield Saying(found[2], found[3] or found[4] or "", at)


def findings(source: Source, sayings: Sequence[Saying]) -> Iterator[Finding]:
    """What is wrong with what a script answers."""
    yield from _allows(source, sayings)
    yield from _old_decisions(source, sayings)
    yield from _event_names(source, sayings)
    yield from _undeclared(source, sayings)


def word(event: str, saying: Saying) -> str:
    """The capability that a saying asks for at an event, "" for none."""
    key, value = saying.key, saying.value
    if key == "permissionDecision":
        return value if event == "PreToolUse" else ""
    if key == "behavior":
        return value if event == "PermissionRequest" else ""
    if key == "decision" and event == "PermissionRequest":
        return ""  # an object there
    if key == "decision" and value == "approve":
        return "allow" if event == "PreToolUse" else ""
    if key == "decision" and value in ("block", "deny"):
        return refusal(event)
    if key == "exit":
        return refusal(event) if value == "2" and event not in CANNOT_BLOCK else ""
    if key == "continue":
        return "continue:false" if value == "false" else ""
    return key if key in ("updatedInput", "additionalContext", "systemMessage") else ""


def unanswered(words: Iterable[str], texts: Iterable[str]) -> list[str]:
    """Those of `words` that nothing in `texts` (all code of the pack) can answer."""
    all_of_it = "\n".join(texts)
    return [w for w in words if not re.search(_HINTS.get(w, re.escape(w)), all_of_it)]


def _allows(source: Source, sayings: Sequence[Saying]) -> Iterator[Finding]:
    approving = (("permissionDecision", "allow"), ("decision", "approve"), ("behavior", "allow"))
    for saying in sayings:
        if (saying.key, saying.value) in approving:
            yield source.at(
                "allow-answer",
                saying.line,
                "this approves the call: the user is not asked any more, whatever his rules say",
                "print nothing for no objection (a rewrite needs no approval either)",
            )


def _old_decisions(source: Source, sayings: Sequence[Saying]) -> Iterator[Finding]:
    if source.events() != {"PreToolUse"}:
        return
    for saying in sayings:
        if saying.key == "decision" and saying.value in ("block", "approve"):
            yield source.at(
                "old-decision",
                saying.line,
                f'"decision": "{saying.value}" is the old form before a tool',
                _DENIES if saying.value == "block" else "nothing, for no objection",
            )


def _event_names(source: Source, sayings: Sequence[Saying]) -> Iterator[Finding]:
    events = sorted(source.events())
    names = [saying for saying in sayings if saying.key == "hookEventName"]
    specific = [saying for saying in sayings if saying.key == "hookSpecificOutput"]
    if specific and not names and events and "hookEventName" not in source.text:
        yield source.at(
            "event-name",
            specific[0].line,
            "hookSpecificOutput names no event: Claude Code drops all of it",
            f'"hookEventName": "{events[0]}" inside it',
        )
    for saying in names:
        if saying.value and events and saying.value not in events and saying.value.isalnum():
            yield source.at(
                "event-name",
                saying.line,
                f"the answer names {saying.value}, but the hook runs at {' and '.join(events)}",
                f'"hookEventName": "{events[0]}"',
            )


def _undeclared(source: Source, sayings: Sequence[Saying]) -> Iterator[Finding]:
    """An answer that none of the hooks that could give it lists in needs or uses."""
    seen: set[str] = set()
    for saying in sayings:
        able = [h for h in source.hooks if word(h.event, saying) in CAPABILITIES[h.event]]
        if not able or (asked := word(able[0].event, saying)) in ("allow", *seen):
            continue
        if any(word(h.event, saying) in (*h.needs, *h.uses) for h in able):
            continue
        seen.add(asked)
        names = " and ".join(sorted({h.id for h in able}))
        yield source.at(
            "answer-undeclared",
            saying.line,
            f"this answers {asked}, which the hook {names} does not declare: the audit misses it",
            f'needs = ["{asked}"] (or uses) at that hook in hookpack.toml',
        )
