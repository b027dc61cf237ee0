"""A registry in memory, from which packs can be resolved and fetched."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path

import pytest

from hookpm.packs import archive, content
from hookpm.packs.content import Content, FileEntry
from hookpm.registry.index import Listing, PackPage, Release


def manifest_text(name: str, version: str, needs: dict[str, str], hookpm: str) -> str:
    wants = "".join(f'{k} = "{v}"\n' for k, v in needs.items())
    return (
        f'[pack]\nname = "{name}"\nversion = "{version}"\ndescription = "x"\n'
        f'requires-hookpm = "{hookpm}"\n[dependencies]\n{wants}'
    )


class Memory:
    """A registry in memory; `add` puts a version in."""

    def __init__(self, source: str = "memory") -> None:
        self.source = source
        self.pages: dict[str, list[Release]] = {}
        self.archives: dict[str, bytes] = {}
        self.asked: list[str] = []
        self.prefetched: list[str] = []

    def add(
        self,
        name: str,
        version: str,
        needs: dict[str, str] | None = None,
        *,
        yanked: bool = False,
        hookpm: str = "",
    ) -> None:
        text = manifest_text(name, version, needs or {}, hookpm)
        files = {"hookpack.toml": FileEntry(text.encode(), False)}
        made: Content = content.from_files(files, "x")
        data = archive.build(made)
        path = f"archives/{name}-{version}.tar.gz"
        self.archives[path] = data
        self.pages.setdefault(name, []).append(
            Release(
                version=version,
                archive=path,
                sha256=hashlib.sha256(data).hexdigest(),
                size=len(data),
                description="x",
                requires_hookpm=hookpm,
                dependencies=needs or {},
                hooks=(),
                yanked=yanked,
            )
        )

    @property
    def local(self) -> bool:
        return True

    def prefetch(self, names: Iterable[str]) -> None:
        self.prefetched += names

    def names(self) -> Sequence[str]:
        return sorted(self.pages)

    def listing(self) -> dict[str, Listing]:
        return {n: Listing(description="x", latest=p[-1].version) for n, p in self.pages.items()}

    def pack(self, name: str) -> PackPage | None:
        if name not in self.pages:
            return None
        return PackPage(format=1, name=name, versions=tuple(self.pages[name]))

    def archive(self, name: str, release: Release) -> bytes:
        self.asked.append(release.archive)
        return self.archives[release.archive]

    def content(self, name: str, release: Release) -> Content:
        return archive.unpack(self.archive(name, release), release.archive)


@pytest.fixture
def memory() -> Memory:
    return Memory()


@pytest.fixture
def another() -> Callable[[str], Memory]:
    return Memory


@pytest.fixture
def make_folder(tmp_path: Path) -> Callable[..., Path]:
    def make(
        name: str,
        version: str = "1.0",
        needs: dict[str, str] | None = None,
        *,
        hookpm: str = "",
        folder: str = "",
    ) -> Path:
        where = tmp_path / (folder or name)
        where.mkdir(parents=True)
        (where / "hookpack.toml").write_text(manifest_text(name, version, needs or {}, hookpm))
        return where

    return make
