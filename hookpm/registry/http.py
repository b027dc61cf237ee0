"""A registry over https: the same static files as in a folder, behind any web server."""

from __future__ import annotations

import threading
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from urllib.parse import quote

from hookpm.errors import FileFormatError, NotFoundError
from hookpm.packs import names
from hookpm.registry import index
from hookpm.registry.address import shown
from hookpm.registry.fetch import Fetcher
from hookpm.registry.index import INDEX, Listing, PackPage, Release

INDEX_LIMIT = 64 * 1024 * 1024  # bytes; 10,000 packs come to 1 MB
PAGE_LIMIT = 16 * 1024 * 1024  # 50 versions of a pack come to 40 KB
ARCHIVE_LIMIT = 64 * 1024 * 1024
SIDE_BY_SIDE = 8  # requests at a time


class HttpRegistry:
    """A registry at an address. Each page is asked for once; may be used by several threads.

    Its methods raise what Fetcher.get raises, and FileFormatError for what is no registry file.
    """

    def __init__(self, url: str, source: str, fetcher: Fetcher) -> None:
        self.url = url.rstrip("/")
        self.source = source
        self._fetcher = fetcher
        self._listing: dict[str, Listing] | None = None
        self._pages: dict[str, PackPage | None] = {}
        self._asking = threading.Lock()

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
        if name not in self._pages:
            page = self._fetched(name)
            with self._asking:
                self._pages.setdefault(name, page)
        return self._pages[name]

    def prefetch(self, wanted: Sequence[str]) -> None:
        """Fetch the pages of these packs side by side; `pack` then has them at hand."""
        missing = [name for name in dict.fromkeys(wanted) if name not in self._pages]
        if len(missing) > 1:
            side_by_side(self.pack, missing)

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

    def _fetched(self, name: str) -> PackPage | None:
        if names.name_problem(name) is not None:  # the name becomes a part of the address
            return None
        url = f"{self.url}/{index.page_path(name)}"
        try:
            data = self._fetcher.get(url, limit=PAGE_LIMIT)
        except NotFoundError:
            return None
        return index.decode_page(data, name, shown(url))


def side_by_side(work: Callable[[str], object], items: Sequence[str]) -> None:
    """Call `work` with each of the items, several at a time. Raises what the first one raises."""
    with ThreadPoolExecutor(min(SIDE_BY_SIDE, len(items)), "hookpm-pages") as pool:
        for each in [pool.submit(work, item) for item in items]:
            each.result()
