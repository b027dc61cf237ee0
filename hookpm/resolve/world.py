"""What there is to choose from: registries and packs at hand, as candidates for a resolver.

Where a pack comes from is decided before its version. What the user's own line names comes from
there, for everybody. Another pack's dependency comes from the registry of that pack, else from the
embedded one: a name that turns up in a second registry is never taken for the first.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple

from packaging.specifiers import SpecifierSet
from packaging.version import Version

from hookpm.edit.tomltext import one_of
from hookpm.errors import NotFoundError, RefusedError
from hookpm.packs.content import Content
from hookpm.packs.names import name_problem
from hookpm.registry.embedded import SOURCE as EMBEDDED
from hookpm.registry.index import PackPage, Registry, Release
from hookpm.resolve.requirement import NameRequirement


class Given(NamedTuple):
    """A pack whose files are at hand. source: "path:FOLDER" or "git+URL"; of git also the commit
    and what was asked for, such as "tag:v1"."""

    content: Content
    source: str
    commit: str | None = None
    ref: str | None = None


class Wanted(NamedTuple):
    """A requirement, who has it (for messages), and the registry that it is pinned to."""

    requirement: NameRequirement | Given
    by: str = "the command line"
    registry: str | None = None


class Pin(NamedTuple):
    """What the lock holds of a pack. version: None where only the source is to stay; archive:
    sha256 in hex, None for a folder or git; commit and ref: of git; moves: a newer version is
    better, and any other is better than one that was withdrawn."""

    version: str | None
    source: str
    archive: str | None = None
    commit: str | None = None
    ref: str | None = None
    moves: bool = False


class Need(NamedTuple):
    """A pack that somebody wants, in these versions. root: it is the user's own wish; origin: the
    source it has to come from, None where nothing has it."""

    name: str
    specifier: SpecifierSet
    by: str
    root: bool
    origin: str | None

    def __str__(self) -> str:
        return f"{self.by} wants {self.name}{self.specifier}"


class Candidate(NamedTuple):
    """One version of a pack: a release of a registry, or a pack that is at hand."""

    name: str
    version: Version
    source: str
    registry: Registry | None = None
    release: Release | None = None
    given: Given | None = None

    def __str__(self) -> str:
        return f"{self.name} {self.version}"

    @property
    def wants(self) -> Mapping[str, str]:
        """Its dependencies: name -> specifier."""
        if self.given is not None:
            return self.given.content.manifest.dependencies
        return self.release.dependencies if self.release is not None else {}


class World:
    """Registries, packs at hand and wishes; answers are kept: a resolver asks again and again.

    Its methods raise what registries raise.
    """

    def __init__(
        self,
        wanted: Sequence[Wanted],
        registries: Sequence[Registry],
        *,
        locked: Mapping[str, Pin],
        hookpm: Version,
    ) -> None:
        self.registries = registries
        self.locked = locked
        self.hookpm = hookpm
        self._pages: dict[tuple[str, str], PackPage | None] = {}
        self._candidates: dict[tuple[str, str], list[Candidate]] = {}
        self.given: dict[str, Candidate] = {}
        for each in wanted:
            if isinstance(each.requirement, Given):
                self._take(each.requirement)
        self._prefetch(
            w.requirement.name for w in wanted if isinstance(w.requirement, NameRequirement)
        )
        self._own: dict[str, str | None] = {}
        for each in wanted:
            if isinstance(each.requirement, NameRequirement):
                name = each.requirement.name
                self._own[name] = self._own.get(name) or self._chosen(name, each.registry)
        self.needs = [self._need(each) for each in wanted]

    def page(self, need: Need) -> PackPage | None:
        """The page of a pack in the registry that it has to come from."""
        return None if need.origin is None else self._page(need.name, need.origin)

    def candidates(self, name: str, origin: str | None) -> list[Candidate]:
        """Every version that may be taken, the best first: the locked one, then the highest.

        Where the locked one is to move, it is like any other, and the last choice if withdrawn.
        """
        if name in self.given:
            return [self.given[name]] if origin == self.given[name].source else []
        if origin is None:
            return []
        key = (name, origin)
        if key not in self._candidates:
            self._candidates[key] = self._releases(name, origin)
        return self._candidates[key]

    def dependencies(self, candidate: Candidate) -> list[Need]:
        """What a candidate wants."""
        wants = sorted(candidate.wants.items())
        self._prefetch((name for name, _ in wants), candidate.source)
        return [
            Need(
                name, SpecifierSet(specifier), str(candidate), False, self._origin(name, candidate)
            )
            for name, specifier in wants
        ]

    def obstacle(self, name: str, origin: str, release: Release) -> str | None:
        """Why a release is no candidate, whatever versions are wanted."""
        wishes = [n.specifier for n in self.needs if n.name == name]
        version = Version(release.version)
        if not SpecifierSet(release.requires_hookpm).contains(self.hookpm, prereleases=True):
            return f"needs hookpm {release.requires_hookpm}, this is {self.hookpm}"
        if release.yanked and not self._is_locked(name, origin, release.version):
            exact = {s.version for wish in wishes for s in wish if s.operator == "=="}
            if not any(Version(v) == version for v in exact if not v.endswith(".*")):
                return release.withdrawn
        if version.is_prerelease and not any(asks_prereleases(wish) for wish in wishes):
            return "a prerelease"
        return None

    def versions(self, need: Need) -> str:
        """The versions there are of a pack, in words, with what stands against each."""
        name = need.name
        if name in self.given:
            return f"{self.given[name].version} (from {self.given[name].source})"
        page = self.page(need)
        if page is None or not page.versions or need.origin is None:
            return "none"
        words = []
        for release in page.versions[-20:]:
            obstacle = self.obstacle(name, need.origin, release)
            words.append(f"{release.version} ({obstacle})" if obstacle else release.version)
        more = "older ones, " if len(page.versions) > len(words) else ""
        return more + ", ".join(words)

    def places(self, need: Need) -> list[str]:
        """The registries where a pack was looked for."""
        chosen = [need.origin] if need.origin else [r.source for r in self.registries]
        return chosen or [EMBEDDED]

    # --- where packs come from ---

    def _take(self, given: Given) -> None:
        """A pack at hand stands in for every other pack of its name."""
        manifest = given.content.manifest
        candidate = Candidate(manifest.name, Version(manifest.version), given.source, given=given)
        asked = manifest.pack.requires_hookpm
        if not SpecifierSet(asked).contains(self.hookpm, prereleases=True):
            raise RefusedError(
                f"{candidate} needs hookpm {asked}, this is {self.hookpm}", file=given.source
            )
        other = self.given.setdefault(candidate.name, candidate)
        if other.source != candidate.source:
            raise RefusedError(
                f"the pack {candidate.name} is wanted from two places",
                cause=f"{other.source} and {candidate.source}",
            )

    def _need(self, wanted: Wanted) -> Need:
        asked = wanted.requirement
        if isinstance(asked, Given):
            name = asked.content.manifest.name
            return Need(name, SpecifierSet(), wanted.by, True, asked.source)
        given = self.given.get(asked.name)
        origin = given.source if given is not None else self._own[asked.name]
        return Need(asked.name, asked.specifier, wanted.by, True, origin)

    def _origin(self, name: str, parent: Candidate) -> str | None:
        """Where a dependency comes from."""
        if name in self.given:
            return self.given[name].source
        if self._own.get(name) is not None:
            return self._own[name]
        if parent.registry is None:  # a folder or a repo stands in no registry
            return self._chosen(name, None)
        places = [parent.source, EMBEDDED]
        pin = self.locked.get(name)
        if pin is not None and pin.source in places:  # wherever the name has turned up since
            places.insert(0, pin.source)
        for source in dict.fromkeys(places):
            if any(r.source == source for r in self.registries) and self._page(name, source):
                return source
        return None

    def _chosen(self, name: str, registry: str | None) -> str | None:
        """The source of what the user wants: the named registry, else the only one that has it.

        Raises RefusedError if two have it and nothing says which one is meant, or if the one that
        it was locked from is gone and another has the name; NotFoundError if
        the one that is meant is not there.
        """
        if name in self.given:
            return self.given[name].source
        sources = [r.source for r in self.registries]
        if registry is not None and registry not in sources:
            raise NotFoundError(
                f"{name} is to come from the registry {registry}, which is not configured",
                hint=f"registries: {', '.join(sources)}",
            )
        held = self.locked[name].source if name in self.locked else None
        if registry is None and held in sources:
            registry = held
        asked = sources if registry is None else [registry]
        found = [source for source in asked if self._page(name, source) is not None]
        if registry is None and found and held is not None and is_registry(held):
            raise RefusedError(
                f"{name} was installed from the registry {held}, which is not configured any more",
                cause=f"a pack of the same name is in {one_of(found)}",
                hint="if that is the one, say so in hookpm.toml: "
                f'{name} = {{ registry = "{found[0]}" }}',
            )
        if len(found) > 1:
            raise RefusedError(
                f"{name} is in {len(found)} registries: {', '.join(found)}",
                hint=f'say which in hookpm.toml: {name} = {{ registry = "{found[0]}" }}',
            )
        return found[0] if found else registry

    # --- what they hold ---

    def _page(self, name: str, source: str) -> PackPage | None:
        key = (name, source)
        if key not in self._pages:
            registry = self._registry(source)
            self._pages[key] = None if registry is None else registry.pack(name)
        return self._pages[key]

    def _registry(self, source: str) -> Registry | None:
        return next((r for r in self.registries if r.source == source), None)

    def _prefetch(self, names: Iterable[str], parent: str | None = None) -> None:
        """Tell registries what they will be asked for, so that they can fetch side by side."""
        wanted = [name for name in names if name not in self.given]
        for registry in self.registries:
            if parent is None or registry.source in (parent, EMBEDDED):
                registry.prefetch([n for n in wanted if (n, registry.source) not in self._pages])

    def _releases(self, name: str, origin: str) -> list[Candidate]:
        page = self._page(name, origin)
        registry = self._registry(origin)
        usable = [
            Candidate(name, Version(r.version), origin, registry, r)
            for r in (page.versions if page is not None else ())
            if self.obstacle(name, origin, r) is None
        ]
        pin = self.locked.get(name)
        stays = pin is not None and not pin.moves

        def rank(candidate: Candidate) -> tuple[bool, bool, Version]:
            locked = stays and self._is_locked(name, origin, str(candidate.version))
            yanked = candidate.release is not None and candidate.release.yanked
            return locked, not yanked, candidate.version

        return sorted(usable, key=rank, reverse=True)

    def _is_locked(self, name: str, origin: str, version: str) -> bool:
        pin = self.locked.get(name)
        return pin is not None and (pin.version, pin.source) == (version, origin)


def is_registry(source: str) -> bool:
    """Is a pack's source, as the lock has it, a registry: neither a folder nor a git repository?"""
    return name_problem(source) is None


def asks_prereleases(specifier: SpecifierSet) -> bool:
    """Does a specifier name a prerelease (`>=2.0rc1`)? Only then may one be taken."""
    return any(
        Version(part.version.removesuffix(".*")).is_prerelease
        for part in specifier
        if part.operator != "!="
    )
