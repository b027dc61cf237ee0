"""A registry over https: the same static files as in a folder, behind any web server."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import partial
from typing import TYPE_CHECKING
from urllib.parse import quote

from hookpm.errors import FileFormatError, HookpmError, NotFoundError
from hookpm.packs.names import name_problem
from hookpm.registry import index
from hookpm.registry.address import shown
from hookpm.registry.fetch import Fetcher
from hookpm.registry.index import INDEX, Listing, PackPage, Release
from hookpm.registry.parallel import side_by_side

if TYPE_CHECKING:
    from hookpm.packs.content import Content

INDEX_LIMIT = 32 * 1024 * 1024  # bytes; 10,000 packs come to 1 MB
PAGE_LIMIT = 8 * 1024 * 1024  # 50 versions of a pack come to 40 KB
ARCHIVE_LIMIT = 64 * 1024 * 1024


class HttpRegistry:
    """A registry at an address. Each page is asked for once; may be used by several threads.

    Its methods raise what Fetcher.get raises, and FileFormatError for what is no registry file.
    """

    def __init__(self, url: str, source: str, fetcher: Fetcher) -> None:
        self.url = url.rstrip("/")
        self.source = source
        self._fetcher = fetcher
        self._listing: dict[str, Listing] | None = None
        self._pages: dict[str, PackPage | HookpmError | None] = {}

    @property
    def local(self) -> bool:
        """It is asked over a network."""
        return False

    def names(self) -> Sequence[str]:
        """The names of all packs, sorted."""
        return sorted(self.listing())

    def listing(self) -> dict[str, Listing]:
        """Name -> description and latest version. Raises NotFoundError without an index.json."""
        if self._listing is None:
            url = f"{self.url}/{INDEX}"
            try:
                data = self._fetcher.get(url, limit=INDEX_LIMIT)
            except NotFoundError:
                raise NotFoundError(
                    f"{shown(self.url)} is no registry: it has no {INDEX}",
                    hint=f"look at the address of {self.source} in hookpm.toml",
                ) from None
            self._listing = index.decode(data, index.Index, shown(url)).packs
        return self._listing

    def pack(self, name: str) -> PackPage | None:
        """The page of a pack; None if there is none."""
        page = self._look(name)
        if isinstance(page, HookpmError):
            raise page
        return page

    def prefetch(self, names: Iterable[str]) -> None:
        """Fetch the pages of these packs side by side; `pack` then has them, or raises."""
        missing = [name for name in dict.fromkeys(names) if name not in self._pages]
        if len(missing) > 1:
            side_by_side([partial(self._look, name) for name in missing])

    def archive(self, name: str, release: Release) -> bytes:
        """The archive of a release. Raises NotFoundError (gone), FileFormatError (other bytes)."""
        url = f"{self.url}/{quote(release.archive)}"
        if not 0 <= release.size <= ARCHIVE_LIMIT:
            raise FileFormatError(
                f"{name} {release.version} cannot have {release.size:,} bytes", file=shown(url)
            )
        try:
            return self._fetcher.get(url, limit=release.size, sha256=release.sha256)
        except NotFoundError:
            raise NotFoundError(
                f"the registry {self.source} lists {name} {release.version}, but lacks its archive",
                hint="tell whoever keeps the registry, or take another version",
                file=shown(url),
            ) from None

    def content(self, name: str, release: Release) -> Content:
        """The files of a release. Raises as `archive` does, and what unpacking raises."""
        from hookpm.packs import archive

        return archive.unpack(self.archive(name, release), release.archive)

    def _look(self, name: str) -> PackPage | HookpmError | None:
        """The page, or what is wrong with it; both are remembered."""
        if name not in self._pages:
            try:
                found: PackPage | HookpmError | None = self._fetched(name)
            except HookpmError as error:
                found = error
            self._pages.setdefault(name, found)
        return self._pages[name]

    def _fetched(self, name: str) -> PackPage | None:
        if name_problem(name) is not None:  # the name becomes a part of the address
            return None
        url = f"{self.url}/{index.page_path(name)}"
        try:
            data = self._fetcher.get(url, limit=PAGE_LIMIT)
        except NotFoundError:
            return None
        return index.decode_page(data, name, shown(url))
