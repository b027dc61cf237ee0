"""Which installed packs are not the newest there are, and what keeps them back."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, NamedTuple

from packaging.specifiers import SpecifierSet
from packaging.version import Version

import hookpm
from hookpm.errors import NotFoundError
from hookpm.project import graph, wishes
from hookpm.project.generated import digest
from hookpm.project.profiles import profile

if TYPE_CHECKING:
    from hookpm.project.profiles.profile import Moved
    from hookpm.project.state import State
    from hookpm.resolve.lock import LockedPack
    from hookpm.resolve.world import Candidate


class Outdated(NamedTuple):
    """A pack that could be another. wanted: what `update` would bring; None: it would go; latest:
    the highest version for this hookpm, wherever it may be taken; yanked: what is installed was
    withdrawn; moved: the same version in other bytes, of a folder or of git. file, line: where a
    line keeps it from the latest, else None."""

    name: str
    source: str
    installed: str
    wanted: str | None
    latest: str
    yanked: bool
    moved: bool
    file: str | None
    line: int | None


class Found(NamedTuple):
    """What is not the newest: packs by name, and profiles that have moved on."""

    packs: Sequence[Outdated]
    profiles: Sequence[Moved]


def find(now: State) -> Found:
    """Every installed pack that is not the newest one, and every profile.

    Raises NotFoundError where nothing is installed, and what resolving raises.
    """
    if not now.lock.packs or not now.settings.packs:
        raise NotFoundError(
            "no packs are installed here", hint="`hookpm install PACK` adds one, `hookpm sync` all"
        )
    fresh, moved = profile.refresh(now)
    best = wishes.solve(fresh, wishes.wanted(fresh), [pack.name for pack in now.lock.packs])
    found = [_look(fresh, pack, best.get(pack.name)) for pack in now.lock.packs]
    return Found([each for each in found if each is not None], moved)


def _look(now: State, pack: LockedPack, best: Candidate | None) -> Outdated | None:
    yanked, latest = _published(pack, best)
    wanted = None if best is None else str(best.version)
    moved = wanted == pack.version and best is not None and _is_other(pack, best)
    if pack.version == wanted == latest and not yanked and not moved:
        return None
    kept = wanted != latest and pack.name in now.settings.packs
    place = graph.origin(now, ("packs", pack.name)) if kept else None
    file, line = (place.file, place.line) if place else (None, None)
    return Outdated(pack.name, pack.source, pack.version, wanted, latest, yanked, moved, file, line)


def _published(pack: LockedPack, best: Candidate | None) -> tuple[bool, str]:
    """Was the installed version withdrawn, and what is the highest that this hookpm can take?"""
    page = best.registry.pack(pack.name) if best and best.registry else None
    if page is None or best is None:
        return False, str(best.version) if best else pack.version
    here = Version(hookpm.__version__)
    usable = [
        Version(release.version)
        for release in page.versions
        if not release.yanked
        and SpecifierSet(release.requires_hookpm).contains(here, prereleases=True)
        and not Version(release.version).is_prerelease
    ]
    release = page.release(pack.version) if best.source == pack.source else None
    latest = max([*usable, best.version])
    return release is not None and release.yanked, str(latest)


def _is_other(pack: LockedPack, best: Candidate) -> bool:
    """Has a pack at hand other files than the lock?"""
    if best.given is None:
        return best.source != pack.source
    entries = best.given.content.files.items()
    return pack.files != {path: digest(entry.data) for path, entry in entries}
