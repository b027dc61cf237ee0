"""One GET over https within bounds: of size, of time, of tries, and of the host that was meant.

No cache and no files; `fetch` has those. requests does TLS, proxies and HTTP; what it would do by
itself (follow redirects, read netrc, keep cookies, unpack without a bound) it does not do here.
"""

from __future__ import annotations

import os
import threading
import time
import zlib
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple
from urllib.parse import urljoin

from hookpm.errors import FileFormatError, RefusedError, SystemFailureError
from hookpm.registry import address, credentials, faults, parallel
from hookpm.registry.credentials import HostLine

if TYPE_CHECKING:
    from requests import Response, Session

_CHUNK = 64 * 1024
_MEMBERS = 64  # parts of a compressed answer; servers send one
_REDIRECTS = (301, 302, 303, 307, 308)
_CA_VARIABLES = ("REQUESTS_CA_BUNDLE", "CURL_CA_BUNDLE", "SSL_CERT_FILE")


class Limits(NamedTuple):
    """Seconds and counts. total: for one answer, all tries and redirects together."""

    connect: float = 10.0
    read: float = 30.0
    total: float = 300.0
    tries: int = 3
    pause: float = 0.3  # before the second try; doubled before each further one
    redirects: int = 5


class Request(NamedTuple):
    """What is asked for. plain: the bytes as they lie on the server, never compressed on the way;
    headers: further ones; limit: bytes, of what is sent and of what comes out of it."""

    url: str
    limit: int
    plain: bool
    headers: Mapping[str, str]
    watch: Callable[[int, int | None], None] | None = None


class Answer(NamedTuple):
    """status is 200, 304 or 404; body is empty for the last two."""

    status: int
    body: bytes
    etag: str | None
    modified: str | None


class Transport:
    """Connections that are kept open between requests. May be used by several threads.

    hosts: the user's credentials; ca_bundle: the user's own certificate authorities, a PEM file.
    The environment is asked for tokens, proxies and authorities as well, and comes first.
    """

    def __init__(
        self,
        hosts: Mapping[str, HostLine],
        ca_bundle: str | None = None,
        limits: Limits = Limits(),  # noqa: B008  (an immutable value)
    ) -> None:
        self._hosts = hosts
        self._ca_bundle = ca_bundle
        self._limits = limits
        self._session: Session | None = None
        self._starting = threading.Lock()

    def get(self, request: Request) -> Answer:
        """Fetch. Raises RefusedError (a redirect elsewhere), FileFormatError (too large, broken
        compression), SystemFailureError (everything else that kept the answer away)."""
        deadline = time.monotonic() + self._limits.total
        pause = self._limits.pause
        tries = self._limits.tries
        while True:
            try:
                return self._in_time(request, deadline)
            except faults.AgainError as again:
                tries -= 1
                wait = pause if again.wait is None else again.wait
                pause *= 2
                if not tries or time.monotonic() + wait > deadline:
                    raise again.told from None
            time.sleep(wait)

    def _in_time(self, request: Request, deadline: float) -> Answer:
        late = faults.late(request.url, self._limits.total)
        return parallel.within(deadline, lambda: self._try(request, deadline), late)

    def _try(self, request: Request, deadline: float) -> Answer:
        """One try, redirects on the same host followed."""
        url = request.url
        for _ in range(self._limits.redirects + 1):
            with self._send(url, request) as response:
                if response.status_code not in _REDIRECTS or not response.headers.get("Location"):
                    return _answer(response, request, url, deadline)
                url = _target(url, response.headers["Location"])
        raise SystemFailureError(
            f"{address.shown(request.url)} leads in a circle of redirects",
            hint="tell whoever keeps the server",
        )

    def _send(self, url: str, request: Request) -> Response:
        import requests

        where = address.origin(url)
        headers = {
            **request.headers,
            "Accept": "*/*",
            "Accept-Encoding": "identity" if request.plain else "gzip",
            "User-Agent": "hookpm",
        }
        allowed = credentials.authorization(where, self._hosts, os.environ)
        if allowed is not None:
            headers["Authorization"] = allowed
        proxies = self._proxies(url, where.host)
        try:
            return self._started().get(
                url,
                headers=headers,
                allow_redirects=False,
                stream=True,
                timeout=(self._limits.connect, self._limits.read),
                proxies=proxies,
            )
        except (requests.RequestException, ValueError) as error:
            raise faults.failed(error, url, bool(proxies)) from None

    def _started(self) -> Session:
        with self._starting:
            if self._session is None:
                self._session = _session(_authorities(self._ca_bundle))
        return self._session

    def _proxies(self, url: str, host: str) -> dict[str, str]:
        """From the usual variables; this machine itself is never asked through a proxy."""
        if address.is_loopback(host):
            return {}
        from requests.utils import get_environ_proxies

        found: dict[str, str] = get_environ_proxies(url)
        return found


def _authorities(configured: str | None) -> str | bool:
    """The file or folder of certificate authorities that count; True: those of certifi."""
    import ssl

    named = [(name, os.environ.get(name)) for name in _CA_VARIABLES]
    named.append(("ca-bundle in hookpm's config.toml", configured))
    for name, place in named:
        if not place:
            continue
        folder = Path(place).is_dir()
        try:
            ssl.create_default_context(
                cafile=None if folder else place, capath=place if folder else None
            )
        except OSError as error:
            raise SystemFailureError(
                f"there are no certificates in {place}, which {name} names",
                cause=error.strerror,
                hint="name a PEM file that holds them",
            ) from None
        return place
    return True


def _session(authorities: str | bool) -> Session:
    from http.cookiejar import DefaultCookiePolicy

    import requests
    from requests.adapters import HTTPAdapter

    session = requests.Session()
    session.verify = authorities
    session.trust_env = False  # credentials, proxies and authorities are chosen here
    session.cookies.set_policy(DefaultCookiePolicy(allowed_domains=[]))
    session.mount("https://", HTTPAdapter(pool_maxsize=16))
    session.mount("http://", HTTPAdapter(pool_maxsize=16))
    return session


def _target(url: str, location: str) -> str:
    """Where a redirect leads. Raises RefusedError for anywhere but the same server."""
    target = urljoin(url, location)
    allowed = address.problem(target) is None and not target.startswith("file:")
    if allowed and address.origin(target) == address.origin(url):
        return target
    raise RefusedError(
        f"{address.origin(url)} sends on to another server, {address.shown(target)}",
        cause=f"asked for was {address.shown(url)}",
        hint="if you trust that server, name it in hookpm.toml instead",
    )


def _answer(response: Response, request: Request, url: str, deadline: float) -> Answer:
    """The answer that a response holds. Raises for every status but 200, 304 and 404."""
    status = response.status_code
    if status == 200:
        raw = _body(response, request, url, deadline)
        encoding = response.headers.get("Content-Encoding", "").strip().lower()
        body = raw if request.plain else _unpacked(raw, encoding, request.limit, url)
        return Answer(
            200, body, response.headers.get("ETag"), response.headers.get("Last-Modified")
        )
    if status in (404, 410):
        return Answer(404, b"", None, None)
    if status == 304 and request.headers:
        return Answer(304, b"", None, None)
    told = faults.unwelcome(status, url, "Authorization" in response.request.headers)
    if status in (500, 502, 503, 504):
        raise faults.AgainError(told, _count(response.headers.get("Retry-After")))
    raise told


def _count(text: str | None) -> int | None:
    """A header's number; None for what is none, or for more digits than any file or wait needs."""
    return int(text) if text and text.isascii() and text.isdigit() and len(text) < 20 else None


def _body(response: Response, request: Request, url: str, deadline: float) -> bytes:
    """The bytes as they were sent; never more than the limit is taken in."""
    from urllib3.exceptions import HTTPError

    size = _count(response.headers.get("Content-Length"))
    if size is not None and size > request.limit:
        raise faults.too_large(url, request.limit)
    got = bytearray()
    try:
        while chunk := response.raw.read1(_CHUNK, decode_content=False):
            got += chunk
            if len(got) > request.limit:
                raise faults.too_large(url, request.limit)
            if request.watch is not None:
                request.watch(len(got), size)
            if time.monotonic() > deadline:
                raise faults.late(url)
    except (HTTPError, OSError) as error:
        raise faults.broken_off(error, url, len(got), size) from None
    if size is not None and len(got) != size:
        raise faults.broken_off(None, url, len(got), size)
    return bytes(got)


def _unpacked(raw: bytes, encoding: str, limit: int, url: str) -> bytes:
    """A body without its compression; a small body that becomes a huge one is refused."""
    if encoding in ("", "identity"):
        return raw
    if encoding not in ("gzip", "x-gzip"):
        raise FileFormatError(
            f"the server compresses in a way that was not asked for: {encoding}",
            file=address.shown(url),
        )
    out = bytearray()
    try:
        for _ in range(_MEMBERS):
            if not raw:
                return bytes(out)
            member = zlib.decompressobj(zlib.MAX_WBITS | 16)
            out += member.decompress(raw, limit - len(out) + 1)
            if len(out) > limit:
                raise faults.too_large(url, limit)
            if not member.eof:
                raise zlib.error("it ends in the middle")
            raw = member.unused_data
        raise zlib.error("it has too many parts")
    except zlib.error as error:
        raise FileFormatError(
            "what the server sent cannot be unpacked", cause=str(error), file=address.shown(url)
        ) from None
