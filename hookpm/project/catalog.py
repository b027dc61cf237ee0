"""What registries offer: packs found by words, and what is known of one before it is fetched."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import TYPE_CHECKING, NamedTuple

from packaging.specifiers import SpecifierSet
from packaging.version import Version

import hookpm
from hookpm.contract.events import CAPABILITIES
from hookpm.edit.tomltext import near, one_of
from hookpm.errors import HookpmError, NotFoundError
from hookpm.project import sources
from hookpm.registry.embedded import SOURCE
from hookpm.registry.parallel import side_by_side
from hookpm.resolve.explain import known_names

if TYPE_CHECKING:
    from hookpm.agents.facts import Facts
    from hookpm.project.state import State
    from hookpm.registry.index import Listing, PackPage, Registry, Release
    from hookpm.resolve.requirement import NameRequirement


class Hit(NamedTuple):
    """A pack that was found. installed: its version here, None where it is not."""

    name: str
    latest: str
    description: str
    registry: str
    installed: str | None


class Failure(NamedTuple):
    """A registry that could not be asked."""

    registry: str
    error: HookpmError


class Found(NamedTuple):
    """What a search came to. total: how many there are, also beyond the limit."""

    hits: tuple[Hit, ...]
    total: int
    failures: tuple[Failure, ...]


class Drop(NamedTuple):
    """What an agent does not do of what a pack asks. capability: "PreToolUse.ask"; needed: without
    it the hook is no use there."""

    hook: str
    capability: str
    needed: bool


class Info(NamedTuple):
    """A pack, as its registry tells. release: the version that was asked for, else the one that an
    install would take; elsewhere: further registries that have the name; drops: per agent."""

    name: str
    registry: str
    release: Release
    page: PackPage
    installed: str | None
    elsewhere: tuple[str, ...]
    drops: dict[str, tuple[Drop, ...]]


def search(now: State, words: Sequence[str], limit: int | None = None) -> Found:
    """The packs whose name or description holds all the words, in all registries; the nearest
    first, at most `limit` of them."""
    wanted = [word.casefold() for word in words]
    lists, failures = _listings(sources.registries(now.settings, now.root))
    scored = sorted(
        (score, name, source)
        for source, listing in lists.items()
        for name, line in listing.items()
        if (score := _score(wanted, name, line.description.casefold())) is not None
    )
    hits = []
    for _, name, source in scored[:limit]:
        line = lists[source][name]
        hits.append(Hit(name, line.latest, line.description, source, _installed(now, name, source)))
    return Found(tuple(hits), len(scored), tuple(failures))


def info(
    now: State, asked: NameRequirement, agents: Sequence[Facts], registry: str | None = None
) -> Info:
    """What the registries tell of a pack, with one version of it in full.

    registry: the one to ask; else the one it was installed from, else the first that has it.
    Raises NotFoundError (no such pack, version or registry), and what registries raise.
    """
    name = asked.name
    registries = [
        each
        for each in sources.registries(now.settings, now.root)
        if registry in (None, each.source)
    ]
    if not registries:
        raise NotFoundError(
            f"there is no registry {registry}",
            hint=f"registries: {', '.join((SOURCE, *now.settings.registries))}",
        )
    pages = {r.source: page for r in registries if (page := r.pack(name)) is not None}
    locked = now.lock.pack(name)
    if not pages:
        raise _unknown(name, registries)
    preferred = locked.source if locked is not None else None
    source = preferred if preferred in pages else next(iter(pages))
    page = pages[source]
    release = _release(page, asked.specifier)
    return Info(
        name,
        source,
        release,
        page,
        _installed(now, name, source),
        tuple(other for other in pages if other != source),
        _drops(name, release, agents),
    )


def _listings(
    registries: Sequence[Registry],
) -> tuple[dict[str, dict[str, Listing]], list[Failure]]:
    """The lists of all registries, fetched side by side."""
    lists: dict[str, dict[str, Listing]] = {}
    failures = []
    asked = side_by_side([partial(_listing, each) for each in registries])
    for registry, found in zip(registries, asked, strict=True):
        if isinstance(found, HookpmError):
            failures.append(Failure(registry.source, found))
        else:
            lists[registry.source] = found
    return lists, failures


def _listing(registry: Registry) -> dict[str, Listing] | HookpmError:
    try:
        return registry.listing()
    except HookpmError as error:
        return error


def _score(words: Sequence[str], name: str, description: str) -> int | None:
    """How far a pack is from what was searched for; None where a word is missing."""
    score = 0
    for word in words:
        if word == name:
            continue
        if name.startswith(word):
            score += 1
        elif word in name:
            score += 2
        elif word in description:
            score += 3
        else:
            return None
    return score


def _installed(now: State, name: str, source: str) -> str | None:
    pack = now.lock.pack(name)
    return pack.version if pack is not None and pack.source == source else None


def _release(page: PackPage, wanted: SpecifierSet) -> Release:
    """The version that fits best: not withdrawn, no prerelease, for this hookpm, and the highest.

    Where none is all of that, the highest that fits. Raises NotFoundError.
    """
    fits = [r for r in page.versions if wanted.contains(r.version, prereleases=True)]
    if not fits:
        there = ", ".join(r.version for r in page.versions[-20:]) or "none"
        raise NotFoundError(
            f"no version of {page.name} fits {wanted}" if str(wanted) else f"{page.name} is empty",
            cause=f"versions of {page.name}: {there}",
        )
    return max(fits, key=lambda r: (_is_takeable(r), Version(r.version)))


def _is_takeable(release: Release) -> bool:
    """Would an install that names no version take it?"""
    here = SpecifierSet(release.requires_hookpm).contains(hookpm.__version__, prereleases=True)
    return here and not release.yanked and not Version(release.version).is_prerelease


def _drops(name: str, release: Release, agents: Sequence[Facts]) -> dict[str, tuple[Drop, ...]]:
    """From what the index tells of the hooks; no archive is fetched for it."""
    from hookpm.audit import gaps
    from hookpm.packs.manifest import Hook

    known = [h for h in release.hooks if h.event in CAPABILITIES]
    hooks = [
        Hook(id=h.id, event=h.event, matcher=h.matcher, needs=h.needs, uses=h.uses) for h in known
    ]
    found = gaps.audit([gaps.PackHooks(name, hooks)], agents)
    # What no agent of this hookpm has: a later one may know more events.
    nowhere = [Drop(h.id, h.event, True) for h in release.hooks if h not in known]
    return {
        facts.name: tuple(
            dict.fromkeys(
                [
                    *nowhere,
                    *(
                        Drop(gap.hook, gap.capability, gap.kind == "needs")
                        for gap in found.gaps
                        if gap.agent == facts.name and gap.support in ("dropped", "absent")
                    ),
                ]
            )
        )
        for facts in agents
    }


def _unknown(name: str, registries: Sequence[Registry]) -> NotFoundError:
    meant = near(name, [known for known in known_names(registries) if known != name])
    return NotFoundError(
        f"no pack named {name!r} in the registry {one_of(r.source for r in registries)}",
        hint=f"did you mean {meant}?" if meant else "`hookpm search WORD` finds packs",
    )
