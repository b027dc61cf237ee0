"""What was fetched, kept in the user's cache: archives by their sha256, pages by their address.

Every entry is proved when it is read; one that is damaged counts as not there, and is written anew.
A cache that cannot be written costs time, never a result. What lies in it is the user's alone.

An HTTP cache of the usual kind (cachecontrol) answers from itself for as long as a server's headers
allow, so that a withdrawn version would stay unseen; it does not notice a damaged body, and has no
way to answer offline from what is stale. Here a page is asked after every time (`If-None-Match`),
and an archive never again.
"""

from __future__ import annotations

import hashlib
import os
import tempfile
from contextlib import suppress
from pathlib import Path
from typing import NamedTuple

import msgspec

_FORMAT = 1


class Page(NamedTuple):
    """A kept answer. body: None where the server said that there is no such file."""

    body: bytes | None
    etag: str | None
    modified: str | None


class _Head(msgspec.Struct, frozen=True):
    """The first line of a page's file; the body follows."""

    format: int
    key: str
    sha256: str
    missing: bool
    etag: str | None
    modified: str | None


class Cache(NamedTuple):
    """The cache in a folder; with None nothing is kept."""

    folder: Path | None

    def archive(self, sha256: str) -> bytes | None:
        """The bytes with this sha256, if they are here and whole."""
        data = None if self.folder is None else _read(self.folder / _archive_path(sha256))
        return data if data is not None and hashlib.sha256(data).hexdigest() == sha256 else None

    def keep_archive(self, sha256: str, data: bytes) -> None:
        """Keep bytes whose sha256 has been proved."""
        if self.folder is not None:
            _write(self.folder / _archive_path(sha256), data)

    def page(self, url: str) -> Page | None:
        """What was kept of an address, if it is whole."""
        data = None if self.folder is None else _read(self.folder / _page_path(url))
        line, end, body = (data or b"").partition(b"\n")
        try:
            head = msgspec.json.decode(line, type=_Head)
        except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
            return None
        proved = hashlib.sha256(body).hexdigest() == head.sha256
        if head.format != _FORMAT or head.key != _key(url) or not end or not proved:
            return None
        return Page(None if head.missing else body, head.etag, head.modified)

    def keep_page(self, url: str, page: Page) -> None:
        """Keep an answer, in the place of the one before."""
        if self.folder is None:
            return
        body = page.body or b""
        digest = hashlib.sha256(body).hexdigest()
        head = _Head(_FORMAT, _key(url), digest, page.body is None, page.etag, page.modified)
        _write(self.folder / _page_path(url), msgspec.json.encode(head) + b"\n" + body)


def _key(url: str) -> str:
    return hashlib.sha256(url.encode()).hexdigest()


def _page_path(url: str) -> str:
    key = _key(url)
    return f"pages/{key[:2]}/{key}"


def _archive_path(sha256: str) -> str:
    return f"archives/{sha256[:2]}/{sha256}"


def _read(file: Path) -> bytes | None:
    try:
        return file.read_bytes()
    except OSError:
        return None


def _write(file: Path, data: bytes) -> None:
    """In one step: whoever reads sees the old bytes or the new ones, whoever else writes."""
    with suppress(OSError):
        file.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
        handle, draft = tempfile.mkstemp(dir=file.parent, prefix=".")
        try:
            with os.fdopen(handle, "wb") as out:
                out.write(data)
            Path(draft).replace(file)
        except BaseException:
            Path(draft).unlink(missing_ok=True)
            raise
