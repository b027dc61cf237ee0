"""Why no set of versions fits, in words, and what would work."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from contextlib import suppress
from typing import TYPE_CHECKING

from hookpm.edit.tomltext import near, one_of
from hookpm.errors import HookpmError, NotFoundError, SystemFailureError
from hookpm.resolve.world import Need, World

if TYPE_CHECKING:
    from hookpm.registry.index import Registry


class ConflictError(HookpmError):
    """Packs that want what cannot be had together."""

    code = "conflict"


def unknown_pack(world: World, need: Need) -> NotFoundError:
    """No registry has the pack."""
    places = world.places(need)
    known = known_names([r for r in world.registries if r.source in places])
    meant = near(need.name, [name for name in known if name != need.name])
    if meant:
        hint = f"did you mean {meant}?"
    elif 0 < len(known) <= 10:
        hint = f"packs there are: {', '.join(known)}"
    else:
        hint = "`hookpm search WORD` finds packs; one in a folder is installed by ./path"
    return NotFoundError(f"no pack named {need.name!r} in the registry {one_of(places)}", hint=hint)


def known_names(registries: Iterable[Registry]) -> list[str]:
    """The names of all packs, for a hint: a list that cannot be had now is left out.

    Raises NotFoundError for what is no registry at all.
    """
    found: set[str] = set()
    for registry in registries:
        with suppress(SystemFailureError):
            found.update(registry.names())
    return sorted(found)


def unknown_version(world: World, need: Need) -> NotFoundError:
    """The pack is there, in other versions only."""
    return NotFoundError(
        f"no version of {need.name} fits {need.specifier}"
        if need.specifier
        else f"no version of {need.name} can be installed",
        cause=f"versions of {need.name}: {world.versions(need)}",
        hint=_ask_for_prerelease(world, need),
    )


def conflict(world: World, causes: Iterable[Need], works: list[str]) -> HookpmError:
    """No set of versions meets all needs. works: what would, in words."""
    needs = sorted(set(causes), key=lambda need: (need.name, need.by))
    names = sorted({need.name for need in needs})
    known = {need.name: need for need in needs if _is_known(world, need)}
    lines = [_wish(world, need, needs) for need in needs]
    lines += [
        f"versions of {name}: {world.versions(known[name])}" for name in names if name in known
    ]
    unknown = not known
    kind = NotFoundError if unknown else ConflictError
    hint = f"what works: {'; or '.join(works[:3])}" if works else None
    swapped = next((name for name in names if len(_origins(needs, name)) > 1), None)
    if hint is None and swapped is not None:
        hint = f'say in hookpm.toml which one is meant: {swapped} = {{ registry = "..." }}'
    return kind(
        f"{one_of(names)} is wanted, but not there"
        if unknown
        else f"no version of {one_of(names)} is right for all who want it",
        cause="\n".join(lines),
        hint=hint,
    )


def _wish(world: World, need: Need, needs: Sequence[Need]) -> str:
    """Who wants what; with its source where that is what they do not agree on."""
    if not _is_known(world, need):
        others = [r.source for r in world.registries if r.pack(need.name) is not None]
        if not others:
            return f"{need}, which no registry has"
        return f"{need}; only {one_of(others)} has one, which hookpm.toml would have to choose"
    origins = _origins(needs, need.name)
    return f"{need} from {need.origin}" if len(origins) > 1 else str(need)


def _origins(needs: Sequence[Need], name: str) -> set[str]:
    return {need.origin for need in needs if need.name == name and need.origin is not None}


def _is_known(world: World, need: Need) -> bool:
    return need.name in world.given or world.page(need) is not None


def _ask_for_prerelease(world: World, need: Need) -> str | None:
    """How to ask for a prerelease, if that is all that fits."""
    page = world.page(need)
    for release in reversed(page.versions if page is not None else ()):
        fits = need.specifier.contains(release.version, prereleases=True)
        origin = need.origin or ""
        if fits and world.obstacle(need.name, origin, release) == "a prerelease":
            return f"to take the prerelease, ask for {need.name}=={release.version}"
    return None
