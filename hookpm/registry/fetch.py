"""Fetching a file by its address: from the cache where that is enough, else from its server.

What has a sha256 is fetched once and kept by it; everything else is asked after every time, and
comes from the cache where the server says that it is still the same.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple
from urllib.parse import unquote, urlsplit

from hookpm.errors import (
    FileFormatError,
    HookpmError,
    NotFoundError,
    RefusedError,
    SystemFailureError,
)
from hookpm.registry import address
from hookpm.registry.cache import Cache, Page
from hookpm.registry.index import check_sha256
from hookpm.registry.transport import Answer, Request, Transport


class Progress(NamedTuple):
    """How far a download is. total: None where the server does not say; ended: well or not."""

    url: str
    done: int
    total: int | None
    ended: bool = False


Watch = Callable[[Progress], None]


class Fetcher(NamedTuple):
    """Fetches files. offline: from the cache alone; watch: is told of the bytes as they come.

    May be used by several threads.
    """

    cache: Cache
    transport: Transport
    offline: bool = False
    watch: Watch | None = None

    def get(self, url: str, *, limit: int, sha256: str | None = None) -> bytes:
        """The bytes at an address: https, http on this machine, or file.

        limit: more bytes than these are refused before they are taken in. sha256: what the bytes
        must have, in hex.

        Raises RefusedError (an address that is not allowed, a redirect to another server),
        NotFoundError (no such file), FileFormatError (too large, other bytes than expected),
        SystemFailureError (network, server, not in the cache while offline). No message holds a
        user name, a password, a token or a query.
        """
        wrong = address.problem(url)
        if wrong is not None:
            raise RefusedError(
                f"nothing is fetched from {address.shown(url)}: {wrong.what}", hint=wrong.hint
            )
        if url.startswith("file:"):
            return _checked(_from_disk(url, limit), sha256, url)
        if sha256 is None:
            return self._page(url, limit)
        return self._archive(url, limit, sha256)

    def _archive(self, url: str, limit: int, sha256: str) -> bytes:
        if re.fullmatch(r"[0-9a-f]{64}", sha256) is None:
            raise FileFormatError(f"{sha256!r} is not a sha256", file=address.shown(url))
        kept = self.cache.archive(sha256)
        if kept is not None:
            return kept
        if self.offline:
            raise _not_kept(url)
        answer = self._watched(Request(url, limit, True, {}))
        if answer.status == 404:
            raise _missing(url)
        data = _checked(answer.body, sha256, url)
        self.cache.keep_archive(sha256, data)
        return data

    def _page(self, url: str, limit: int) -> bytes:
        kept = self.cache.page(url)
        if self.offline:
            if kept is None:
                raise _not_kept(url)
            return _body(kept, url)
        answer = self.transport.get(Request(url, limit, False, _validators(kept)))
        if answer.status == 304 and kept is not None:
            return _body(kept, url)
        page = Page(answer.body if answer.status == 200 else None, answer.etag, answer.modified)
        self.cache.keep_page(url, page)
        return _body(page, url)

    def _watched(self, request: Request) -> Answer:
        watch, url = self.watch, request.url
        if watch is None:
            return self.transport.get(request)
        last = Progress(url, 0, None)

        def tell(done: int, total: int | None) -> None:
            nonlocal last
            last = Progress(url, done, total)
            watch(last)

        try:
            return self.transport.get(request._replace(watch=tell))
        finally:
            watch(last._replace(ended=True))


def _validators(kept: Page | None) -> dict[str, str]:
    """The headers that ask whether a kept page is still the same."""
    if kept is None or kept.body is None:
        return {}
    found = {"If-None-Match": kept.etag, "If-Modified-Since": kept.modified}
    return {name: value for name, value in found.items() if value}


def _body(page: Page, url: str) -> bytes:
    if page.body is None:
        raise _missing(url)
    return page.body


def _checked(data: bytes, sha256: str | None, url: str) -> bytes:
    if sha256 is not None:
        check_sha256(data, sha256, url.rpartition("/")[2], address.shown(url))
    return data


def _from_disk(url: str, limit: int) -> bytes:
    file = Path(unquote(urlsplit(url).path))
    try:
        with file.open("rb") as source:
            data = source.read(limit + 1)
    except (FileNotFoundError, NotADirectoryError, ValueError):  # the last: a null character
        raise _missing(url) from None
    except OSError as error:
        raise SystemFailureError(f"cannot read {file}", cause=error.strerror, file=file) from None
    if len(data) > limit:
        raise FileFormatError(f"more than the {limit:,} bytes that such a file may have", file=file)
    return data


def _missing(url: str) -> HookpmError:
    return NotFoundError(f"there is no {address.shown(url)}")


def _not_kept(url: str) -> HookpmError:
    return SystemFailureError(
        f"{address.shown(url)} is not in the cache, and --offline allows no network",
        hint="run the command once without --offline",
    )
