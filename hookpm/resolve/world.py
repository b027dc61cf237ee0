"""What there is to choose from: registries and pack folders, as candidates for a resolver."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

from packaging.specifiers import SpecifierSet
from packaging.version import Version

from hookpm.errors import NotFoundError, RefusedError
from hookpm.packs import content as contents
from hookpm.packs.content import Content
from hookpm.registry.index import PackPage, Registry, Release
from hookpm.resolve.requirement import NameRequirement, PathRequirement, Requirement


class Wanted(NamedTuple):
    """A requirement, who has it (for messages), and the registry that it is pinned to."""

    requirement: Requirement
    by: str = "the command line"
    registry: str | None = None


class Pin(NamedTuple):
    """What the lock holds of a pack. archive: sha256 in hex, None for a folder."""

    version: str
    source: str
    archive: str | None = None


class Need(NamedTuple):
    """A pack that somebody wants, in these versions. root: it is the user's own wish."""

    name: str
    specifier: SpecifierSet
    by: str
    root: bool

    def __str__(self) -> str:
        return f"{self.by} wants {self.name}{self.specifier}"


class Candidate(NamedTuple):
    """One version of a pack: a release of a registry, or the content of a folder."""

    name: str
    version: Version
    source: str
    registry: Registry | None
    release: Release | None
    content: Content | None

    def __str__(self) -> str:
        return f"{self.name} {self.version}"


class World:
    """Registries, folders and wishes; answers are kept, since a resolver asks again and again."""

    def __init__(
        self,
        wanted: Sequence[Wanted],
        registries: Sequence[Registry],
        *,
        base: Path,
        locked: Mapping[str, Pin],
        hookpm: Version,
    ) -> None:
        self.registries = registries
        self.locked = locked
        self.hookpm = hookpm
        self._pages: dict[str, tuple[Registry, PackPage] | None] = {}
        self._candidates: dict[str, list[Candidate]] = {}
        self._pinned = {
            w.requirement.name: w.registry
            for w in wanted
            if isinstance(w.requirement, NameRequirement) and w.registry is not None
        }
        self.folders: dict[str, Candidate] = {}
        self.needs = [self._need(w, base) for w in wanted]

    def page(self, name: str) -> tuple[Registry, PackPage] | None:
        """The registry that has the pack, and its page.

        Raises RefusedError if two have it and nothing says which one is meant, NotFoundError if
        the one that is meant is not there.
        """
        if name not in self._pages:
            self._pages[name] = self._find_page(name)
        return self._pages[name]

    def candidates(self, name: str) -> list[Candidate]:
        """Every version that may be taken, the best first: the locked one, then the highest."""
        if name in self.folders:
            return [self.folders[name]]
        if name not in self._candidates:
            self._candidates[name] = self._releases(name)
        return self._candidates[name]

    def dependencies(self, candidate: Candidate) -> list[Need]:
        """What a candidate wants."""
        if candidate.content is not None:
            wants = candidate.content.manifest.dependencies
        else:
            wants = candidate.release.dependencies if candidate.release else {}
        return [
            Need(name, SpecifierSet(specifier), str(candidate), False)
            for name, specifier in sorted(wants.items())
        ]

    def obstacle(self, name: str, release: Release) -> str | None:
        """Why a release is no candidate, whatever versions are wanted."""
        wishes = [n.specifier for n in self.needs if n.name == name]
        version = Version(release.version)
        if not SpecifierSet(release.requires_hookpm).contains(self.hookpm, prereleases=True):
            return f"needs hookpm {release.requires_hookpm}, this is {self.hookpm}"
        if release.yanked and not self._is_locked(name, release.version):
            exact = {s.version for wish in wishes for s in wish if s.operator == "=="}
            if not any(Version(v) == version for v in exact if not v.endswith(".*")):
                return "withdrawn"
        if version.is_prerelease and not any(asks_prereleases(wish) for wish in wishes):
            return "a prerelease"
        return None

    def versions(self, name: str) -> str:
        """The versions there are of a pack, in words, with what stands against each."""
        if name in self.folders:
            return f"{self.folders[name].version} (from {self.folders[name].source})"
        found = self.page(name)
        if found is None or not found[1].versions:
            return "none"
        words = []
        for release in found[1].versions[-20:]:
            obstacle = self.obstacle(name, release)
            words.append(f"{release.version} ({obstacle})" if obstacle else release.version)
        more = "older ones, " if len(found[1].versions) > len(words) else ""
        return more + ", ".join(words)

    def _need(self, wanted: Wanted, base: Path) -> Need:
        requirement = wanted.requirement
        if isinstance(requirement, NameRequirement):
            return Need(requirement.name, requirement.specifier, wanted.by, True)
        candidate = _from_folder(requirement, base)
        manifest = candidate.content.manifest if candidate.content else None
        asked = manifest.pack.requires_hookpm if manifest else ""
        if not SpecifierSet(asked).contains(self.hookpm, prereleases=True):
            raise RefusedError(
                f"{candidate} needs hookpm {asked}, this is {self.hookpm}",
                file=base / requirement.path,
            )
        other = self.folders.setdefault(candidate.name, candidate)
        if other.source != candidate.source:
            raise RefusedError(
                f"two folders hold the pack {candidate.name}",
                cause=f"{other.source[5:]} and {candidate.source[5:]}",
            )
        return Need(candidate.name, SpecifierSet(), wanted.by, True)

    def _find_page(self, name: str) -> tuple[Registry, PackPage] | None:
        chosen = self._pinned.get(name)
        registries = [r for r in self.registries if chosen in (None, r.source)]
        if not registries and chosen is not None:
            raise NotFoundError(
                f"{name} is to come from the registry {chosen}, which is not configured",
                hint=f"registries: {', '.join(r.source for r in self.registries)}",
            )
        if chosen is None and name in self.locked:
            locked = [r for r in registries if r.source == self.locked[name].source]
            registries = locked or registries
        found = [(r, page) for r in registries if (page := r.pack(name)) is not None]
        if len(found) > 1:
            raise RefusedError(
                f"{name} is in {len(found)} registries: {', '.join(r.source for r, _ in found)}",
                hint=f'say which in hookpm.toml: {name} = {{ registry = "{found[0][0].source}" }}',
            )
        return found[0] if found else None

    def _releases(self, name: str) -> list[Candidate]:
        found = self.page(name)
        if found is None:
            return []
        registry, page = found
        usable = [
            Candidate(name, Version(r.version), registry.source, registry, r, None)
            for r in page.versions
            if self.obstacle(name, r) is None
        ]
        return sorted(
            usable, key=lambda c: (self._is_locked(name, str(c.version)), c.version), reverse=True
        )

    def _is_locked(self, name: str, version: str) -> bool:
        pin, found = self.locked.get(name), self.page(name)
        if pin is None or found is None:
            return False
        return (pin.version, pin.source) == (version, found[0].source)


def asks_prereleases(specifier: SpecifierSet) -> bool:
    """Does a specifier name a prerelease (`>=2.0rc1`)? Only then may one be taken."""
    return any(
        Version(part.version.removesuffix(".*")).is_prerelease
        for part in specifier
        if part.operator != "!="
    )


def _from_folder(requirement: PathRequirement, base: Path) -> Candidate:
    content = contents.read(base / Path(requirement.path).expanduser())
    path = requirement.path.removeprefix("./") or "."
    version = Version(content.manifest.version)
    return Candidate(content.manifest.name, version, f"path:{path}", None, None, content)
