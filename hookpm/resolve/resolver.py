"""From requirements to exact packs: the highest versions that fit together, one per pack."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

from packaging.specifiers import SpecifierSet
from packaging.version import Version

import hookpm as package
from hookpm.errors import FileFormatError, RefusedError
from hookpm.packs import archive
from hookpm.packs.content import Content
from hookpm.registry.index import Registry
from hookpm.resolve import explain
from hookpm.resolve.world import Candidate, Need, Pin, Wanted, World

_MAX_ROUNDS = 20_000


class Resolved(NamedTuple):
    """A pack as it will be installed.

    source: the registry's name, or "path:FOLDER". archive_sha256: in hex, None for a folder.
    wanted_by: who wants it, packs by name and users by their `by`.
    """

    name: str
    version: str
    source: str
    content: Content
    archive_sha256: str | None
    wanted_by: tuple[str, ...]


def resolve(
    wanted: Sequence[Wanted],
    registries: Sequence[Registry],
    *,
    base: Path,
    locked: Mapping[str, Pin] | None = None,
    hookpm: str = package.__version__,
) -> list[Resolved]:
    """All packs for what is wanted, dependencies included, by name, with their files.

    base: what relative paths are relative to. locked: versions that stay if they still fit.
    A prerelease is taken only if the user asks for it (`>=2.0rc1`), a withdrawn version only if
    the user pins it with `==` or has it locked.

    Raises NotFoundError (no such pack or version), ConflictError, RefusedError (a pack in two
    registries, an archive that is not the locked one), and what reading packs raises.
    """
    world = World(wanted, registries, base=base, locked=locked or {}, hookpm=Version(hookpm))
    picked = _solve(world)
    wanters: dict[str, set[str]] = {name: set() for name in picked}
    for need in world.needs:
        wanters[need.name].add(need.by)
    for candidate in picked.values():
        for need in world.dependencies(candidate):
            wanters[need.name].add(candidate.name)
    return [
        _fetch(picked[name], world.locked.get(name), tuple(sorted(wanters[name])))
        for name in sorted(picked)
    ]


def solve(
    wanted: Sequence[Wanted],
    registries: Sequence[Registry],
    *,
    base: Path,
    locked: Mapping[str, Pin] | None = None,
    hookpm: str = package.__version__,
) -> dict[str, Candidate]:
    """As `resolve`, but only which versions: no archive is fetched."""
    world = World(wanted, registries, base=base, locked=locked or {}, hookpm=Version(hookpm))
    return _solve(world)


def _solve(world: World) -> dict[str, Candidate]:
    from resolvelib import ResolutionImpossible

    for need in world.needs:
        candidates = world.candidates(need.name)
        if not candidates and world.page(need.name) is None:
            raise explain.unknown_pack(world, need)
        if not any(need.specifier.contains(c.version, prereleases=True) for c in candidates):
            raise explain.unknown_version(world, need)
    try:
        return _run(world, world.needs)
    except ResolutionImpossible as error:
        causes = [cause.requirement for cause in error.causes]
        raise explain.conflict(world, causes, _what_works(world)) from None


def _run(world: World, needs: Sequence[Need]) -> dict[str, Candidate]:
    """Name -> candidate. Raises resolvelib's ResolutionImpossible."""
    from resolvelib import BaseReporter, ResolutionTooDeep, Resolver

    from hookpm.resolve.provider import Provider

    reporter: BaseReporter[Need, Candidate, str] = BaseReporter()
    try:
        return dict(Resolver(Provider(world), reporter).resolve(needs, _MAX_ROUNDS).mapping)
    except ResolutionTooDeep:
        raise explain.ConflictError(
            "gave up looking for versions that fit together",
            hint="narrow the versions down: name them, such as `hookpm install 'guard==1.2'`",
        ) from None


def _what_works(world: World) -> list[str]:
    """Smaller wishes that can be met: another version of one pack, or one pack less."""
    from resolvelib import ResolutionImpossible

    found = []
    for index, need in enumerate(world.needs):
        others = [*world.needs[:index], *world.needs[index + 1 :]]
        tries = [(others, f"leave out {need.name}")] if others else []
        if need.specifier:
            anyhow = need._replace(specifier=SpecifierSet())
            tries.insert(0, ([*others, anyhow], f"{{}} instead of {need.name}{need.specifier}"))
        for needs, words in tries:
            try:
                picked = _run(world, needs)
            except ResolutionImpossible:
                continue
            found.append(words.format(picked.get(need.name)))
            break
    return found


def _fetch(candidate: Candidate, pin: Pin | None, wanted_by: tuple[str, ...]) -> Resolved:
    """The files of a candidate, proved against the index and against the lock."""
    name, version = candidate.name, str(candidate.version)
    if candidate.content is not None:
        return Resolved(name, version, candidate.source, candidate.content, None, wanted_by)
    registry, release = candidate.registry, candidate.release
    assert registry is not None and release is not None
    same = pin is not None and (pin.version, pin.source) == (version, candidate.source)
    if pin is not None and same and pin.archive not in (None, release.sha256):
        raise RefusedError(
            f"{name} {version} is not the one in the lock: it was published again, changed",
            cause=f"sha256 in the lock: {pin.archive}, in the registry: {release.sha256}",
            hint=f"ask whoever keeps the registry {candidate.source} why",
        )
    content = archive.unpack(registry.archive(name, release), release.archive)
    manifest = content.manifest
    got = (manifest.name, manifest.version, manifest.dependencies, manifest.pack.requires_hookpm)
    if got != (name, version, release.dependencies, release.requires_hookpm):
        raise FileFormatError(
            f"the archive of {name} {version} holds something else than the registry says",
            cause=f"it is {manifest.name} {manifest.version}",
            hint=f"tell whoever keeps the registry {candidate.source}",
            file=release.archive,
        )
    return Resolved(name, version, candidate.source, content, release.sha256, wanted_by)
