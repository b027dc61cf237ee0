"""From requirements to exact packs: the highest versions that fit together, one per pack."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import partial
from typing import NamedTuple

from packaging.specifiers import SpecifierSet
from packaging.version import Version

import hookpm as package
from hookpm.errors import FileFormatError, NotFoundError, RefusedError
from hookpm.packs.content import Content
from hookpm.registry.index import Registry
from hookpm.registry.parallel import side_by_side
from hookpm.resolve import explain, held
from hookpm.resolve.world import Candidate, Need, Pin, Wanted, World

_MAX_ROUNDS = 20_000


class Resolved(NamedTuple):
    """A pack as it will be installed.

    source: the registry's name, "path:FOLDER" or "git+URL". archive_sha256: in hex, None for a
    folder and git. wanted_by: who wants it, packs by name and users by their `by`. commit, ref: of
    git. withdrawn: what its registry says of that, "" where it still offers it.
    """

    name: str
    version: str
    source: str
    content: Content
    archive_sha256: str | None
    wanted_by: tuple[str, ...]
    commit: str | None = None
    ref: str | None = None
    withdrawn: str = ""


def resolve(
    wanted: Sequence[Wanted],
    registries: Sequence[Registry],
    *,
    locked: Mapping[str, Pin] | None = None,
    in_repo: Mapping[str, Content] | None = None,
    hookpm: str = package.__version__,
) -> list[Resolved]:
    """All packs for what is wanted, dependencies included, by name, with their files.

    locked: versions that stay if they still fit. in_repo: locked packs whose files lie in the repo
    just as the lock has them; where they are all that is wanted, no network is asked.
    A prerelease is taken only if the user asks for it (`>=2.0rc1`), a withdrawn version only if
    the user pins it with `==` or has it locked.

    Raises NotFoundError (no such pack or version), ConflictError, RefusedError (a pack in two
    registries, an archive that is not the locked one), and what reading packs raises.
    """
    pins = locked or {}
    world, picked = _without_network(wanted, registries, pins, in_repo or {}, hookpm) or _searched(
        wanted, registries, pins, hookpm
    )
    wanters: dict[str, set[str]] = {name: set() for name in picked}
    for need in world.needs:
        wanters[need.name].add(need.by)
    for candidate in picked.values():
        for need in world.dependencies(candidate):
            wanters[need.name].add(candidate.name)
    names = sorted(picked)
    jobs = [
        partial(_fetch, picked[name], world.locked.get(name), tuple(sorted(wanters[name])))
        for name in names
    ]
    downloads = sum(c.registry is not None and not c.registry.local for c in picked.values())
    return [job() for job in jobs] if downloads < 2 else side_by_side(jobs)


def solve(
    wanted: Sequence[Wanted],
    registries: Sequence[Registry],
    *,
    locked: Mapping[str, Pin] | None = None,
    hookpm: str = package.__version__,
) -> dict[str, Candidate]:
    """As `resolve`, but only which versions: no archive is fetched."""
    return _searched(wanted, registries, locked or {}, hookpm)[1]


def _searched(
    wanted: Sequence[Wanted],
    registries: Sequence[Registry],
    locked: Mapping[str, Pin],
    hookpm: str,
) -> tuple[World, dict[str, Candidate]]:
    world = World(wanted, registries, locked=locked, hookpm=Version(hookpm))
    return world, _solve(world)


def _without_network(
    wanted: Sequence[Wanted],
    registries: Sequence[Registry],
    locked: Mapping[str, Pin],
    in_repo: Mapping[str, Content],
    hookpm: str,
) -> tuple[World, dict[str, Candidate]] | None:
    """The locked packs, where just they are wanted and all of them are at hand; else None.

    Anything that is not locked has to be looked for in every registry.
    """
    if not in_repo or all(registry.local for registry in registries):
        return None
    try:
        found = _searched(wanted, held.at_hand(registries, in_repo, locked), locked, hookpm)
    except (NotFoundError, RefusedError, explain.ConflictError):
        return None
    for name, candidate in found[1].items():
        pin = locked.get(name)
        if candidate.given is None and (
            pin is None or (pin.version, pin.source) != (str(candidate.version), candidate.source)
        ):
            return None
    return found


def _solve(world: World) -> dict[str, Candidate]:
    from resolvelib import ResolutionImpossible

    for need in world.needs:
        candidates = world.candidates(need.name, need.origin)
        if not candidates and world.page(need) is None:
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
    if candidate.given is not None:
        content, source, commit, ref = candidate.given
        return Resolved(name, version, source, content, None, wanted_by, commit, ref)
    registry, release = candidate.registry, candidate.release
    assert registry is not None and release is not None
    same = pin is not None and (pin.version, pin.source) == (version, candidate.source)
    if pin is not None and same and pin.archive not in (None, release.sha256):
        raise RefusedError(
            f"{name} {version} is not the one in the lock: it was published again, changed",
            cause=f"sha256 in the lock: {pin.archive}, in the registry: {release.sha256}",
            hint=f"ask whoever keeps the registry {candidate.source} why",
        )
    content = registry.content(name, release)
    manifest = content.manifest
    got = (manifest.name, manifest.version, manifest.dependencies, manifest.pack.requires_hookpm)
    if got != (name, version, release.dependencies, release.requires_hookpm):
        raise FileFormatError(
            f"the archive of {name} {version} holds something else than the registry says",
            cause=f"it is {manifest.name} {manifest.version}",
            hint=f"tell whoever keeps the registry {candidate.source}",
            file=release.archive,
        )
    found = Resolved(name, version, candidate.source, content, release.sha256, wanted_by)
    return found._replace(withdrawn=release.withdrawn)
