"""The lock against what was published: a lock can be forged, the archive in a registry cannot."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from typing import TYPE_CHECKING

import msgspec

from hookpm.errors import HookpmError, RefusedError, SystemFailureError
from hookpm.project import gitline, sources
from hookpm.project.generated import digest
from hookpm.project.health.problem import Problem
from hookpm.project.root import LOCK, SETTINGS
from hookpm.resolve.world import is_registry

if TYPE_CHECKING:
    from hookpm.project.state import State
    from hookpm.registry.index import Registry
    from hookpm.resolve.lock import LockedPack


def examine(now: State) -> Iterator[Problem]:
    """What is wrong with the packs that came from a registry or from git, as far as it can be
    asked."""
    registries = {each.source: each for each in sources.registries(now.settings, now.root)}
    for source, each in registries.items():
        each.prefetch(pack.name for pack in now.lock.packs if pack.source == source)
    for pack in now.lock.packs:
        if pack.commit is not None:
            yield from _examine_git(pack, pack.commit)
        registry = registries.get(pack.source)
        if registry is None:
            if is_registry(pack.source):
                yield _unnamed(pack)
            continue
        try:
            problem = _compare(pack, registry)
        except SystemFailureError as error:
            problem = Problem(
                "not-asked",
                "drift" if registry.local else "note",
                LOCK,
                None,
                f"{pack.name}: its archive could not be had: {error.message}",
                "hookpm verify, once the registry can be reached",
            )
        except HookpmError as error:
            problem = Problem(
                "archive", "drift", LOCK, None, f"{pack.name}: {error.message}", "upgrade hookpm"
            )
        if problem is not None:
            yield problem


def prove(now: State, names: Collection[str]) -> None:
    """Raise RefusedError for the first pack that is not what was published. names: for these it is
    not enough that nothing is known against them."""
    required = tuple(pack for pack in now.lock.packs if pack.name in names)
    others = tuple(pack for pack in now.lock.packs if pack.name not in names)
    for packs, allowed in ((required, ("moved-tag",)), (others, _NOTES)):
        for problem in examine(now._replace(lock=msgspec.structs.replace(now.lock, packs=packs))):
            if problem.code not in allowed:
                raise RefusedError(problem.message, hint=problem.fix, file=problem.file)


_NOTES = ("moved-tag", "not-asked", "not-published")


def _compare(pack: LockedPack, registry: Registry) -> Problem | None:
    """Raises what the registry raises."""
    page = registry.pack(pack.name)
    release = page.release(pack.version) if page is not None else None
    if release is None:
        return Problem(
            "not-published",
            "note",
            LOCK,
            None,
            f"{pack.name} {pack.version} is not in the registry {pack.source}",
            "ask whoever keeps it; `hookpm update` takes a version that it has",
        )
    files = registry.content(pack.name, release).files
    hashes = {path: digest(entry.data) for path, entry in files.items()}
    if pack.archive == f"sha256:{release.sha256}" and hashes == pack.files:
        return None
    return _forged(pack)


def _examine_git(pack: LockedPack, commit: str) -> Iterator[Problem]:
    """Is the commit what the lock says, and is a tag still where it was?"""
    from hookpm.project import network
    from hookpm.registry import git, gitaddress

    url, subfolder = gitaddress.of_source(pack.source)
    ref = pack.ref or gitaddress.HEAD
    try:
        found = sources.git(url, ref, subfolder, commit)
        if {p: digest(e.data) for p, e in found.content.files.items()} != pack.files:
            yield _forged(pack)
        tip = commit
        if ref.startswith("tag:") and not network.is_offline():
            tip = git.tip(url, ref)
    except HookpmError as error:
        yield Problem(
            "not-asked",
            "note",
            LOCK,
            None,
            f"{pack.name}: its repository could not be asked: {error.message}",
            "hookpm verify, once it can be reached",
        )
        return
    if tip != commit:
        yield Problem(
            "moved-tag",
            "note",
            LOCK,
            None,
            gitline.moved(pack.name, url, ref, commit, tip),
            "ask whoever keeps it why; `hookpm update` takes what is there now",
        )


def _unnamed(pack: LockedPack) -> Problem:
    return Problem(
        "no-registry",
        "drift",
        LOCK,
        None,
        f"{pack.name} came from the registry {pack.source}, which {SETTINGS} does not name",
        "hookpm sync, once its line says where it is to come from",
    )


def _forged(pack: LockedPack) -> Problem:
    return Problem(
        "forged",
        "broken",
        LOCK,
        None,
        f"{pack.name} {pack.version} in the lock is not the one that was published",
        "remove its block from the lock, then hookpm sync",
    )
