"""The audit as text: per agent what holds, what would be dropped, and what happens instead."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import groupby

from hookpm.agents.facts import Facts
from hookpm.audit.gaps import ALL, Audit, Gap, HookLine
from hookpm.contract.events import DENIES

_WORDS = {
    "dropped": "dropped",
    "absent": "no such event",
    "unknown": "not known whether it holds",
    "emulated": "comes near",
}


def lines(found: Audit, agents: Sequence[Facts]) -> list[str]:
    """The report, one line each, without a newline at the end; plugins have the last word."""
    told = [line for facts in agents for line in _agent(found, facts)]
    return told + [line for pack, each in found.plugins.items() for line in each.lines(pack)]


def summary(found: Audit) -> str:
    """One line: how many gaps, and whether any need is unmet."""
    if not found.gaps:
        return f"no gaps in {_count(len(found.agents), 'agent')}"
    unmet = len(found.unmet)
    told = f"{_count(len(found.gaps), 'gap')} in {_count(len(found.agents), 'agent')}"
    return f"{told}, {_count(unmet, 'need')} not met" if unmet else f"{told}, every need is met"


def _agent(found: Audit, facts: Facts) -> Iterator[str]:
    hooks = [hook for hook in found.hooks if hook.agent == facts.name]
    if not hooks:
        return
    yield f"{facts.name} ({facts.title} {facts.version}, {facts.basis})"
    for pack, group in groupby(hooks, key=lambda hook: hook.pack):
        yield from _pack(found, facts, pack, list(group))
    for warning in found.warnings:
        if warning.agent == facts.name:
            yield f"  warning: {warning.message}"


def _pack(found: Audit, facts: Facts, pack: str, hooks: Sequence[HookLine]) -> Iterator[str]:
    gaps = [gap for gap in found.gaps if (gap.agent, gap.pack) == (facts.name, pack)]
    if not gaps:
        yield f"  {pack}: holds ({', '.join(hook.title for hook in hooks)})"
        return
    yield f"  {pack}: {'NEEDS NOT MET' if any(gap.unmet for gap in gaps) else 'every need is met'}"
    for hook in hooks:
        if not any(gap.hook == hook.hook for gap in gaps):
            yield f"    {hook.title}: holds"
        elif hook.holds:
            yield f"    {hook.title}: {', '.join(hook.holds)} {_hold(hook.holds)}"
    # Hooks that lack the same thing in the same way share a line.
    same: dict[tuple[str, str], list[Gap]] = {}
    for gap in gaps:
        same.setdefault((gap.capability, _told(gap, facts)), []).append(gap)
    for (_, told), group in same.items():
        yield f"    {', '.join(dict.fromkeys(gap.hook for gap in group))}: {told}"


def _told(gap: Gap, facts: Facts) -> str:
    """Such as "uses ask: dropped headless, so it denies (headless the run dies)"."""
    where = "" if gap.surface == ALL else f" {gap.surface}"
    note = facts.cell(gap.event, gap.word).note
    instead = {
        "deny": ", so it denies" if gap.event in DENIES else ", so it blocks",
        "drop": ", so it goes without",
    }.get(gap.fallback or "", "")
    told = f"{gap.kind} {gap.word}: {_WORDS[gap.support]}{where}{instead}"
    return f"{told} ({note})" if note else told


def _hold(words: Sequence[str]) -> str:
    return "holds" if len(words) == 1 else "hold"


def _count(number: int, noun: str) -> str:
    return f"{number} {noun}" if number == 1 else f"{number} {noun}s"
