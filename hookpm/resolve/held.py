"""What a repo holds already, as registries: a lock is met again without asking anybody.

Packs from registries over the network are vendored and hashed in the lock, so that resolving what
the lock has already needs no network. Local registries are asked all the same: that costs nothing,
and shows a lock that was forged.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple

from hookpm.errors import NotFoundError
from hookpm.packs.content import Content
from hookpm.registry.index import FORMAT, Listing, PackPage, Registry, Release
from hookpm.resolve.world import Pin


class HeldRegistry(NamedTuple):
    """The packs of one registry that lie in the repo just as the lock has them."""

    source: str
    packs: Mapping[str, Content]
    pins: Mapping[str, Pin]

    @property
    def local(self) -> bool:
        """Nothing here asks a network."""
        return True

    def names(self) -> Sequence[str]:
        """The names of all packs, sorted."""
        return sorted(self.packs)

    def listing(self) -> dict[str, Listing]:
        """Name -> description and latest version."""
        return {
            name: Listing(description=c.manifest.pack.description, latest=c.manifest.version)
            for name, c in self.packs.items()
        }

    def prefetch(self, names: Iterable[str]) -> None:
        """Nothing has to be fetched."""

    def pack(self, name: str) -> PackPage | None:
        """A page with the one version that is here."""
        content = self.packs.get(name)
        if content is None:
            return None
        manifest = content.manifest
        release = Release(
            version=manifest.version,
            archive="",
            sha256=self.pins[name].archive or "",
            size=0,
            description=manifest.pack.description,
            requires_hookpm=manifest.pack.requires_hookpm,
            dependencies=manifest.dependencies,
            hooks=(),
        )
        return PackPage(format=FORMAT, name=name, versions=(release,))

    def archive(self, name: str, release: Release) -> bytes:
        """There are files here, no archives. Raises NotFoundError."""
        raise NotFoundError(f"the archive of {name} {release.version} is not in the repo")

    def content(self, name: str, release: Release) -> Content:  # noqa: ARG002  (there is one)
        """The files of a release."""
        return self.packs[name]


def at_hand(
    registries: Sequence[Registry], held: Mapping[str, Content], pins: Mapping[str, Pin]
) -> list[Registry]:
    """The same registries, those over the network replaced by what the repo holds of them."""
    return [
        registry
        if registry.local
        else HeldRegistry(
            registry.source,
            {name: c for name, c in held.items() if pins[name].source == registry.source},
            pins,
        )
        for registry in registries
    ]
