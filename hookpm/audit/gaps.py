"""What each agent would drop of what packs need and use, and what the packs do there instead.

Pure: manifests and facts in, values out. Native, translated and emulated meet a need; dropped and
absent do not; unknown warns.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

import msgspec

from hookpm.agents.facts import MEETS, SURFACES, Cell, Facts, weakest
from hookpm.contract import matcher as matchers
from hookpm.contract.events import CAPABILITIES, DENIES, TOOL_EVENTS

if TYPE_CHECKING:
    from hookpm.packs.manifest import Hook
    from hookpm.packs.plugin import Plugin

ALL = "all"  # the surface of a gap that is the same on every surface
_AS_IS = frozenset({"native", "translated"})  # no gap
_LOST = frozenset({"dropped", "absent"})


class PackHooks(NamedTuple):
    """The hooks of one pack that are to run; agents: the agents they are limited to, None = all.

    plugin: of a pack that is a Claude Code plugin: its needs and uses are an estimate then.
    """

    pack: str
    hooks: Sequence[Hook]
    agents: Sequence[str] | None = None
    plugin: Plugin | None = None


class Gap(msgspec.Struct, frozen=True, kw_only=True):
    """A capability that a hook needs or uses and an agent does not meet as it is.

    capability: such as "PreToolUse.ask". kind: "needs" or "uses". surface: "headless",
    "interactive", or "all" where they do not differ; support: the word there. surfaces: the word
    on each. fallback: what the hook asks for instead, None where nothing has to be put instead.
    estimated: that the hook needs or uses it is read from its script, nobody has declared it.
    """

    id: str
    pack: str
    hook: str
    event: str
    capability: str
    kind: str
    agent: str
    surface: str
    support: str
    surfaces: Mapping[str, str]
    fallback: str | None
    evidence: str
    message: str
    estimated: bool = False

    @property
    def word(self) -> str:
        """The capability without its event."""
        return self.capability.partition(".")[2]

    @property
    def unmet(self) -> bool:
        """A need that is not met: the pack is no use there."""
        return self.kind == "needs" and self.support in _LOST


class HookLine(msgspec.Struct, frozen=True, kw_only=True):
    """How one hook fares in one agent: the weakest of its event and its needs.

    holds: the words of its needs and uses that are no gap there. os: the systems it is limited to.
    """

    pack: str
    hook: str
    event: str
    matcher: str
    agent: str
    support: str
    holds: tuple[str, ...]
    os: tuple[str, ...] | None = None
    estimated: bool = False

    @property
    def title(self) -> str:
        """Its id, and the systems it is limited to."""
        return self.hook if self.os is None else f"{self.hook} on {' and '.join(self.os)} only"


class Warning(msgspec.Struct, frozen=True, kw_only=True):  # noqa: A001
    """Something to know that is no gap; code: matches-nothing, no-event or on-failure."""

    code: str
    pack: str
    hook: str
    agent: str
    message: str


class Audit(msgspec.Struct, frozen=True, kw_only=True):
    """Everything the audit found, in the order of packs, hooks and agents.

    plugins: pack -> what there is to say about it, for packs that are Claude Code plugins.
    """

    gaps: tuple[Gap, ...]
    hooks: tuple[HookLine, ...]
    warnings: tuple[Warning, ...]
    agents: tuple[str, ...]
    packs: tuple[str, ...]
    plugins: Mapping[str, Plugin] = {}

    @property
    def unmet(self) -> tuple[Gap, ...]:
        """The gaps that make an install of these packs in these agents a refusal."""
        return tuple(gap for gap in self.gaps if gap.unmet)

    def json(self) -> dict[str, Any]:
        """The document of `hookpm audit --json`."""
        return {
            "gaps": _plain(self.gaps),
            "hooks": _plain(self.hooks),
            "warnings": _plain(self.warnings),
            "plugins": [{"pack": pack, **each.json()} for pack, each in self.plugins.items()],
            "summary": {
                "gaps": len(self.gaps),
                "unmet": len(self.unmet),
                "warnings": len(self.warnings),
                "agents": len(self.agents),
                "packs": len(self.packs),
            },
        }


def _plain(values: Sequence[msgspec.Struct]) -> Any:
    return msgspec.json.decode(msgspec.json.encode(values))


def audit(packs: Sequence[PackHooks], agents: Sequence[Facts]) -> Audit:
    """Hold every hook of the packs against every agent it is meant for."""
    gaps: list[Gap] = []
    hooks: list[HookLine] = []
    warnings: list[Warning] = []
    plugins = {pack.pack: pack.plugin for pack in packs if pack.plugin is not None}
    for pack, hook, facts in _pairs(packs, agents):
        found = list(_gaps_of(pack, hook, facts, pack in plugins))
        gaps += found
        hooks.append(_line_of(pack, hook, facts, found, pack in plugins))
        warnings.extend(warnings_of(pack, hook, facts))
    return Audit(
        gaps=tuple(gaps),
        hooks=tuple(hooks),
        warnings=tuple(warnings),
        agents=tuple(facts.name for facts in agents),
        packs=tuple(pack.pack for pack in packs),
        plugins=plugins,
    )


def _pairs(
    packs: Iterable[PackHooks], agents: Sequence[Facts]
) -> Iterator[tuple[str, Hook, Facts]]:
    for pack in packs:
        for hook in pack.hooks:
            for facts in agents:
                limits = (pack.agents, hook.agents)
                if all(limit is None or facts.name in limit for limit in limits):
                    yield pack.pack, hook, facts


# --- gaps ------------------------------------------------------------------------------------


def _gaps_of(pack: str, hook: Hook, facts: Facts, estimated: bool) -> Iterator[Gap]:
    for kind, words in (("needs", hook.needs), ("uses", hook.uses)):
        for word in words:
            if word in CAPABILITIES[hook.event] and not (kind == "uses" and word in hook.needs):
                yield from _gaps_at(pack, hook, facts, kind, word, estimated)


def _gaps_at(
    pack: str, hook: Hook, facts: Facts, kind: str, word: str, estimated: bool
) -> Iterator[Gap]:
    cell = facts.cell(hook.event, word)
    surfaces = {surface: cell.on(surface) for surface in SURFACES}
    differ = len(set(surfaces.values())) > 1
    for surface, support in surfaces.items() if differ else [(ALL, cell.support)]:
        if support in _AS_IS:
            continue
        capability = f"{hook.event}.{word}"
        place = f"/{surface}" if differ else ""
        fallback = hook.fallback.get(word, "drop") if support in ("dropped", "unknown") else None
        yield Gap(
            id=f"{pack}/{hook.id}/{facts.name}/{capability}{place}",
            pack=pack,
            hook=hook.id,
            event=hook.event,
            capability=capability,
            kind=kind,
            agent=facts.name,
            surface=surface,
            support=support,
            surfaces=surfaces,
            fallback=fallback,
            evidence=cell.evidence,
            message=_message(hook, facts, word, cell, surface, support, fallback),
            estimated=estimated,
        )


def _message(
    hook: Hook,
    facts: Facts,
    word: str,
    cell: Cell,
    surface: str,
    support: str,
    fallback: str | None,
) -> str:
    where = "" if surface == ALL else f" {surface}"
    told = {
        "dropped": f"{facts.title}{where} drops {word} at {hook.event}",
        "absent": f"{facts.title}{where} has no {hook.event}, so no {word}",
        "unknown": f"{facts.title}{where} may or may not honour {word} at {hook.event}",
        "emulated": f"{facts.title}{where} only comes near to {word} at {hook.event}",
    }[support]
    note = f" ({cell.note})" if cell.note else ""
    instead = f"; {hook.id} {fallback_words(hook.event, fallback)}" if fallback else ""
    return told + note + instead


def fallback_words(event: str, fallback: str) -> str:
    """What a hook does by its fallback, after "the hook": "denies instead", "goes without it"."""
    if fallback == "drop":
        return "goes without it"
    return "denies instead" if event in DENIES else "blocks instead"


# --- hooks and warnings ----------------------------------------------------------------------


def _line_of(pack: str, hook: Hook, facts: Facts, gaps: Sequence[Gap], estimated: bool) -> HookLine:
    missing = {gap.word for gap in gaps}
    words = dict.fromkeys((*hook.needs, *hook.uses))
    return HookLine(
        pack=pack,
        hook=hook.id,
        event=hook.event,
        matcher=hook.matcher,
        agent=facts.name,
        support=_support_of(hook, facts),
        holds=tuple(word for word in words if word not in missing),
        os=hook.os,
        estimated=estimated,
    )


def _support_of(hook: Hook, facts: Facts) -> str:
    native = facts.native(hook.event)
    if not native or not all(facts.events[hook.event].fires.values()):
        return "absent"
    event = "native" if native == hook.event else "translated"
    return weakest([event, *(facts.cell(hook.event, word).support for word in hook.needs)])


def warnings_of(pack: str, hook: Hook, facts: Facts) -> Iterator[Warning]:
    """Why one hook does not do in one agent what it is there for, beside what answers lose."""

    def warning(code: str, message: str) -> Warning:
        return Warning(code=code, pack=pack, hook=hook.id, agent=facts.name, message=message)

    if not facts.native(hook.event):
        yield warning("no-event", f"{facts.title} has no {hook.event}: {hook.id} never runs there")
        return
    nothing = _matches_nothing(hook, facts)
    if nothing:
        yield warning("matches-nothing", nothing)
    if hook.on_failure == "block" and not _can_refuse(hook.event, facts):
        yield warning(
            "on-failure",
            f'{facts.title} cannot refuse at {hook.event}: on_failure = "block" of {hook.id} '
            "does not hold there",
        )


def _matches_nothing(hook: Hook, facts: Facts) -> str | None:
    """Why the matcher takes no tool of the agent; None if it takes one."""
    if hook.event not in TOOL_EVENTS:
        return None
    broken = matchers.problem(hook.matcher)
    if broken:
        return f"the matcher of {hook.id}: {broken}"
    if facts.tools.mcp and "mcp" in hook.matcher:
        return None  # names of MCP servers are the user's: nobody can say that none matches
    if any(matchers.matches(hook.event, hook.matcher, name) for name in facts.tools.names):
        return None
    reads = "" if facts.tools.read else "; it reads and searches files through the shell (Bash)"
    return f"{facts.title} has no tool that {hook.matcher!r} of {hook.id} matches{reads}"


def _can_refuse(event: str, facts: Facts) -> bool:
    word = "deny" if event in DENIES else "block"
    return word in CAPABILITIES[event] and facts.cell(event, word).support in MEETS
