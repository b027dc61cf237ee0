"""Why no set of versions fits, in words, and what would work."""

from __future__ import annotations

from collections.abc import Iterable

from hookpm.errors import HookpmError, NotFoundError
from hookpm.packs.tomltext import near, one_of
from hookpm.resolve.world import Need, World


class ConflictError(HookpmError):
    """Packs that want what cannot be had together."""

    code = "conflict"


def unknown_pack(world: World, need: Need) -> NotFoundError:
    """No registry has the pack."""
    known = sorted({name for registry in world.registries for name in registry.names()})
    meant = near(need.name, known)
    if meant:
        hint = f"did you mean {meant}?"
    elif 0 < len(known) <= 10:
        hint = f"packs there are: {', '.join(known)}"
    else:
        hint = "`hookpm search WORD` finds packs; one in a folder is installed by ./path"
    places = one_of(r.source for r in world.registries)
    return NotFoundError(f"no pack named {need.name!r} in the registry {places}", hint=hint)


def unknown_version(world: World, need: Need) -> NotFoundError:
    """The pack is there, in other versions only."""
    return NotFoundError(
        f"no version of {need.name} fits {need.specifier}"
        if need.specifier
        else f"no version of {need.name} can be installed",
        cause=f"versions of {need.name}: {world.versions(need.name)}",
        hint=_ask_for_prerelease(world, need),
    )


def conflict(world: World, causes: Iterable[Need], works: list[str]) -> HookpmError:
    """No set of versions meets all needs. works: what would, in words."""
    needs = sorted(set(causes), key=lambda need: (need.name, need.by))
    names = sorted({need.name for need in needs})
    lines = []
    for need in needs:
        known = need.name in world.folders or world.page(need.name) is not None
        lines.append(str(need) if known else f"{need}, which no registry has")
    lines += [
        f"versions of {name}: {world.versions(name)}"
        for name in names
        if name in world.folders or world.page(name) is not None
    ]
    unknown = all(line.endswith("which no registry has") for line in lines)
    kind = NotFoundError if unknown else ConflictError
    return kind(
        f"{one_of(names)} is wanted, but not there"
        if unknown
        else f"no version of {one_of(names)} is right for all who want it",
        cause="\n".join(lines),
        hint=f"what works: {'; or '.join(works[:3])}" if works else None,
    )


def _ask_for_prerelease(world: World, need: Need) -> str | None:
    """How to ask for a prerelease, if that is all that fits."""
    found = world.page(need.name)
    for release in reversed(found[1].versions if found else ()):
        fits = need.specifier.contains(release.version, prereleases=True)
        if fits and world.obstacle(need.name, release) == "a prerelease":
            return f"to take the prerelease, ask for {need.name}=={release.version}"
    return None
