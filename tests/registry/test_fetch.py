"""Fetching from a real server with TLS that misbehaves in every way."""

from __future__ import annotations

import gzip
import hashlib
import os
import threading
import time
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path

import pytest
import trustme
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from hookpm.errors import (
    FileFormatError,
    HookpmError,
    NotFoundError,
    RefusedError,
    SystemFailureError,
)
from hookpm.registry.cache import Cache
from hookpm.registry.credentials import HostLine
from hookpm.registry.fetch import Fetcher, Progress
from hookpm.registry.transport import Limits, Transport
from tests.registry.conftest import tls_of
from tests.registry.server import Handler, Site, proxying, serving

QUICK = Limits(connect=5, read=5, total=10, pause=0.01)
BODY = b"the pack's bytes" * 100
SHA = hashlib.sha256(BODY).hexdigest()


def fetcher(
    home: Path,
    *,
    limits: Limits = QUICK,
    hosts: dict[str, HostLine] | None = None,
    bundle: str | None = None,
    offline: bool = False,
) -> Fetcher:
    return Fetcher(Cache(home / "cache"), Transport(hosts or {}, bundle, limits), offline)


def said(error: HookpmError) -> str:
    return "\n".join(filter(None, (error.message, error.cause, error.hint, error.file)))


# --- what comes through ----------------------------------------------------------------------


def test_a_file_comes_over_https(site: Site, home: Path) -> None:
    site.files["/a"] = BODY
    assert fetcher(home).get(f"{site.url}/a", limit=10_000) == BODY


def test_a_file_comes_over_http_from_this_machine(home: Path) -> None:
    with serving() as plain:
        plain.files["/a"] = BODY
        assert fetcher(home).get(f"{plain.url}/a", limit=10_000) == BODY


def test_a_file_url_is_read_from_the_disk(home: Path) -> None:
    file = home / "a b"
    file.write_bytes(BODY)
    get = fetcher(home).get
    assert get(file.as_uri(), limit=10_000, sha256=SHA) == BODY
    with pytest.raises(FileFormatError, match="more than the 10 bytes"):
        get(file.as_uri(), limit=10)
    with pytest.raises(NotFoundError):
        get((home / "gone").as_uri(), limit=10)


def test_a_compressed_page_is_unpacked_and_an_archive_is_taken_as_it_lies_there(
    site: Site, home: Path
) -> None:
    packed = gzip.compress(BODY[:100]) + gzip.compress(BODY[100:])  # two members, which is allowed
    site.files["/a"] = partial(packed_as, "gzip", packed)
    get = fetcher(home).get
    assert get(f"{site.url}/a", limit=10_000) == BODY
    sha = hashlib.sha256(packed).hexdigest()
    assert get(f"{site.url}/a", limit=10_000, sha256=sha) == packed
    assert [asked.headers["accept-encoding"] for asked in site.log] == ["gzip", "identity"]


def test_the_way_of_a_download_is_told(site: Site, home: Path) -> None:
    site.files["/a"] = BODY
    told: list[Progress] = []
    watching = fetcher(home)._replace(watch=told.append)
    watching.get(f"{site.url}/a", limit=10_000, sha256=SHA)
    assert told[-2:] == [
        Progress(f"{site.url}/a", len(BODY), len(BODY)),
        Progress(f"{site.url}/a", len(BODY), len(BODY), ended=True),
    ]
    with pytest.raises(NotFoundError):
        watching.get(f"{site.url}/gone", limit=10_000, sha256="0" * 64)
    assert told[-1] == Progress(f"{site.url}/gone", 0, None, ended=True)


def test_several_threads_fetch_at_once(site: Site, home: Path) -> None:
    together = threading.Barrier(4, timeout=10)

    def wait_for_all(to: Handler) -> None:
        together.wait()
        to.reply(200, to.path.encode())

    site.elsewhere = lambda _: wait_for_all
    one = fetcher(home)
    got: list[bytes] = []
    threads = [
        threading.Thread(target=lambda n=n: got.append(one.get(f"{site.url}/{n}", limit=9)))
        for n in range(4)
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(20)
    assert sorted(got) == [b"/0", b"/1", b"/2", b"/3"]


# --- addresses and redirects -----------------------------------------------------------------


@pytest.mark.parametrize(
    "url",
    [
        "http://hooks.example.com/a",
        "ftp://hooks.example.com/a",
        "https://user:s3cret@hooks.example.com/a",
        "https://s3cret@hooks.example.com/a",
        "https:///a",
        "https://hooks.example.com\\@127.0.0.1/a",
        "https://hooks.ex\u0430mple.com/a",
        "https://hooks.example.com:port/a",
        "file://elsewhere/a",
        "/a",
    ],
)
def test_other_addresses_are_refused_and_their_secrets_are_not_repeated(
    home: Path, url: str
) -> None:
    with pytest.raises(RefusedError) as caught:
        fetcher(home).get(url, limit=10)
    assert "s3cret" not in said(caught.value)
    assert caught.value.hint


def test_a_redirect_on_the_same_server_is_followed(site: Site, home: Path) -> None:
    site.files["/a"] = lambda to: to.reply(302, Location="/b?x=1")
    site.files["/b?x=1"] = BODY
    assert fetcher(home).get(f"{site.url}/a", limit=10_000) == BODY


@pytest.mark.parametrize("status", [301, 302, 303, 307, 308])
def test_a_redirect_to_another_server_is_refused_before_it_is_asked(
    site: Site, home: Path, authority: trustme.CA, status: int
) -> None:
    with serving(tls_of(authority)) as other:
        other.files["/b"] = BODY
        site.files["/a"] = lambda to: to.reply(status, Location=f"{other.url}/b")
        with pytest.raises(RefusedError, match="sends on to another server"):
            fetcher(home).get(f"{site.url}/a", limit=10_000, sha256=SHA)
        assert other.log == []


@pytest.mark.parametrize(
    "place",
    ["http://127.0.0.1:1/b", "file:///etc/passwd", "https://u:p@127.0.0.1/b", "//x/b"],
)
def test_a_redirect_out_of_https_is_refused(site: Site, home: Path, place: str) -> None:
    site.files["/a"] = lambda to: to.reply(302, Location=place)
    with pytest.raises(RefusedError, match="sends on to another server") as caught:
        fetcher(home).get(f"{site.url}/a", limit=10_000)
    assert "u:p" not in said(caught.value)


def test_redirects_in_a_circle_end(site: Site, home: Path) -> None:
    site.files["/a"] = lambda to: to.reply(302, Location="/a")
    with pytest.raises(SystemFailureError, match="circle of redirects"):
        fetcher(home).get(f"{site.url}/a", limit=10_000)
    assert len(site.log) == QUICK.redirects + 1


# --- bytes that are not what they should be --------------------------------------------------


def test_other_bytes_than_the_published_are_refused_and_not_kept(site: Site, home: Path) -> None:
    site.files["/a"] = BODY[:-1] + b"x"
    with pytest.raises(FileFormatError, match="not the one that was published") as caught:
        fetcher(home).get(f"{site.url}/a", limit=10_000, sha256=SHA)
    assert SHA in (caught.value.cause or "")
    assert not list((home / "cache").rglob("*"))


def test_what_should_be_a_hash_never_becomes_a_path(site: Site, home: Path) -> None:
    with pytest.raises(FileFormatError, match="not a sha256"):
        fetcher(home).get(f"{site.url}/a", limit=10, sha256="../../../a")
    assert site.log == []


def short(to: Handler) -> None:
    to.begin(200, Content_Length=str(len(BODY)))
    to.wfile.write(BODY[:-7])
    to.cut()


def short_chunk(to: Handler) -> None:
    to.begin(200, Transfer_Encoding="chunked")
    to.wfile.write(b"%x\r\n%s" % (len(BODY), BODY[:-7]))
    to.cut()


def no_last_chunk(to: Handler) -> None:
    to.begin(200, Transfer_Encoding="chunked")
    to.wfile.write(b"%x\r\n%s\r\n" % (len(BODY), BODY))
    to.cut()


@pytest.mark.parametrize("fault", [short, short_chunk, no_last_chunk])
@pytest.mark.parametrize("sha", [None, SHA])
def test_a_download_that_breaks_off_is_tried_again_and_never_taken_for_whole(
    site: Site, home: Path, fault: Callable[[Handler], None], sha: str | None
) -> None:
    site.files["/a"] = fault
    with pytest.raises(SystemFailureError, match="broke off") as caught:
        fetcher(home).get(f"{site.url}/a", limit=10_000, sha256=sha)
    assert "bytes came" in (caught.value.cause or "")
    assert len(site.log) == QUICK.tries
    assert not list((home / "cache").rglob("*"))
    site.files["/a"] = failing_once(fault)
    assert fetcher(home).get(f"{site.url}/a", limit=10_000, sha256=sha) == BODY


def failing_once(fault: Callable[[Handler], None]) -> Callable[[Handler], None]:
    first = iter([fault])
    return lambda to: next(first, lambda well: well.reply(200, BODY))(to)


def endless(to: Handler) -> None:
    to.begin(200)
    sent = 0
    while sent < 50_000_000 and not to.server.site.over.is_set():
        to.wfile.write(b"x" * 10_000)
        sent += 10_000
    to.cut()


def endless_chunks(to: Handler) -> None:
    to.begin(200, Transfer_Encoding="chunked")
    for _ in range(5_000):
        to.wfile.write(b"2710\r\n" + b"x" * 10_000 + b"\r\n")
    to.cut()


def announced(to: Handler) -> None:
    to.begin(200, Content_Length="50000000000")
    to.cut()


@pytest.mark.parametrize("fault", [endless, endless_chunks, announced])
@pytest.mark.parametrize("sha", [None, SHA])
def test_a_huge_answer_is_refused_while_it_comes(
    site: Site, home: Path, fault: Callable[[Handler], None], sha: str | None
) -> None:
    site.files["/a"] = fault
    with pytest.raises(FileFormatError, match="more than the 10,000 bytes"):
        fetcher(home).get(f"{site.url}/a", limit=10_000, sha256=sha)


def packed_as(encoding: str, body: bytes, to: Handler) -> None:
    to.reply(200, body, Content_Encoding=encoding)


def test_a_small_answer_that_becomes_huge_is_refused(site: Site, home: Path) -> None:
    bomb = gzip.compress(b"x" * 5_000_000)
    assert len(bomb) < 10_000
    for body in (bomb, gzip.compress(b"x" * 9_000) * 2):
        site.files["/a"] = partial(packed_as, "gzip", body)
        with pytest.raises(FileFormatError, match="more than the 10,000 bytes"):
            fetcher(home).get(f"{site.url}/a", limit=10_000)


def test_a_compressed_answer_of_very_many_parts_is_refused(site: Site, home: Path) -> None:
    site.files["/a"] = partial(packed_as, "gzip", gzip.compress(b"") * 1000)
    with pytest.raises(FileFormatError, match="cannot be unpacked"):
        fetcher(home).get(f"{site.url}/a", limit=100_000)


@pytest.mark.parametrize(
    ("encoding", "body", "words"),
    [
        ("gzip", gzip.compress(BODY)[:-9], "cannot be unpacked"),
        ("gzip", BODY, "cannot be unpacked"),
        ("br", BODY, "was not asked for"),
    ],
    ids=["cut", "plain", "other"],
)
def test_broken_compression_is_refused(
    site: Site, home: Path, encoding: str, body: bytes, words: str
) -> None:
    site.files["/a"] = partial(packed_as, encoding, body)
    with pytest.raises(FileFormatError, match=words):
        fetcher(home).get(f"{site.url}/a", limit=10_000)


_PIECES = st.sampled_from(
    [
        b"HTTP/1.1 200 OK\r\n",
        b"HTTP/1.1 302 Found\r\n",
        b"HTTP/1.0 304 Not Modified\r\n",
        b"HTTP/1.1 100 Continue\r\n\r\n",
        b"Content-Length: 5\r\n",
        b"Content-Length: -1\r\n",
        b"Content-Length: 5, 6\r\n",
        b"Transfer-Encoding: chunked\r\n",
        b"Content-Encoding: gzip\r\n",
        b"Location: http://[\r\n",
        b"Location: \xff\x00//\r\n",
        b"ETag: \xe9\r\n",
        b"Retry-After: \xb2\r\n",
        b"\r\n",
        b"5\r\nhello\r\n",
        b"-5\r\n",
        b"0\r\n\r\n",
        b"hello",
    ]
)


@settings(deadline=None, max_examples=60, suppress_health_check=list(HealthCheck))
@given(pieces=st.lists(st.one_of(_PIECES, st.binary(max_size=20)), max_size=10))
def test_whatever_a_server_sends_is_an_answer_or_an_error_that_can_be_told(
    pieces: list[bytes], open_site: Site, home: Path
) -> None:
    def anything(to: Handler) -> None:
        to.wfile.write(b"".join(pieces))
        to.cut()

    open_site.files["/a"] = anything
    once = fetcher(home, limits=QUICK._replace(tries=1, read=2))
    try:
        once.get(f"{open_site.url}/a", limit=100)
    except HookpmError as error:
        assert said(error)


@pytest.fixture
def open_site(home: Path) -> Iterator[Site]:
    with serving() as plain:
        yield plain


# --- time ------------------------------------------------------------------------------------


def silent(to: Handler) -> None:
    to.pause(15)


def dripping_headers(to: Handler) -> None:
    to.wfile.write(b"HTTP/1.1 200 OK\r\nX-Slow: ")
    while to.pause(0.05):
        to.wfile.write(b"x")
        to.wfile.flush()


def dripping_body(to: Handler) -> None:
    to.begin(200, Content_Length="10000")
    while to.pause(0.05):
        to.wfile.write(b"x")
        to.wfile.flush()


@pytest.mark.parametrize("fault", [silent, dripping_headers, dripping_body])
def test_a_slow_server_is_given_up(
    site: Site, home: Path, fault: Callable[[Handler], None]
) -> None:
    site.files["/a"] = fault
    slow = Limits(connect=5, read=0.5, total=1.0, pause=0.01)
    began = time.monotonic()
    with pytest.raises(SystemFailureError, match="did not send"):
        fetcher(home, limits=slow).get(f"{site.url}/a", limit=10_000)
    assert time.monotonic() - began < 10  # the server would go on until the end of the test


# --- statuses and retries --------------------------------------------------------------------


@pytest.mark.parametrize("status", [404, 410])
def test_a_missing_file_is_not_found(site: Site, home: Path, status: int) -> None:
    site.files["/a"] = lambda to: to.reply(status)
    for sha in (None, SHA):
        with pytest.raises(NotFoundError, match="there is no https://"):
            fetcher(home).get(f"{site.url}/a", limit=10, sha256=sha)
    assert len(site.log) == 2


@pytest.mark.parametrize("status", [400, 401, 403, 405, 418, 429, 451, 501, 999, 206, 300])
def test_other_refusals_of_a_server_are_said_and_not_tried_again(
    site: Site, home: Path, status: int
) -> None:
    site.files["/a"] = lambda to: to.reply(status)
    with pytest.raises(SystemFailureError, match=f"answers {status}"):
        fetcher(home).get(f"{site.url}/a", limit=10)
    assert len(site.log) == 1


@pytest.mark.parametrize("status", [500, 502, 503, 504])
def test_a_fault_of_the_server_is_tried_again_a_few_times(
    site: Site, home: Path, status: int
) -> None:
    site.files["/a"] = lambda to: to.reply(status)
    with pytest.raises(SystemFailureError, match=f"answers {status}"):
        fetcher(home).get(f"{site.url}/a", limit=10_000)
    assert len(site.log) == QUICK.tries
    site.files["/a"] = failing_once(lambda to: to.reply(status))
    assert fetcher(home).get(f"{site.url}/a", limit=10_000) == BODY


def test_a_wait_that_a_server_asks_for_is_kept_unless_it_is_too_long(
    site: Site, home: Path
) -> None:
    site.files["/a"] = failing_once(lambda to: to.reply(503, Retry_After="1"))
    began = time.monotonic()
    assert fetcher(home).get(f"{site.url}/a", limit=10_000) == BODY
    assert time.monotonic() - began >= 1
    site.files["/a"] = lambda to: to.reply(503, Retry_After="3600")
    with pytest.raises(SystemFailureError, match="answers 503"):
        fetcher(home).get(f"{site.url}/a", limit=10_000)
    assert len(site.log) == 3


def test_a_connection_that_is_reset_is_tried_again(site: Site, home: Path) -> None:
    for fault in (Handler.reset, Handler.cut):
        site.files["/a"] = failing_once(fault)
        assert fetcher(home).get(f"{site.url}/a", limit=10_000) == BODY
    site.log.clear()
    site.files["/a"] = Handler.reset
    with pytest.raises(SystemFailureError, match="cannot be reached"):
        fetcher(home).get(f"{site.url}/a", limit=10_000)
    assert len(site.log) == QUICK.tries


def test_nobody_there_is_said_with_the_systems_reason(home: Path) -> None:
    with serving() as gone:
        pass
    with pytest.raises(SystemFailureError, match="cannot be reached") as caught:
        fetcher(home).get(f"{gone.url}/a", limit=10)
    assert "refused" in (caught.value.cause or "").lower()


def test_a_host_without_an_address_is_said(home: Path) -> None:
    with pytest.raises(SystemFailureError, match=r"https://no\.such\.host\.invalid cannot be"):
        fetcher(home).get("https://no.such.host.invalid/a", limit=10)


# --- who the server is -----------------------------------------------------------------------


def test_a_server_of_an_unknown_authority_is_refused(
    site: Site, home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("SSL_CERT_FILE")
    with pytest.raises(SystemFailureError, match="cannot prove who it is") as caught:
        fetcher(home).get(f"{site.url}/a", limit=10)
    assert "issuer certificate" in (caught.value.cause or "")
    assert "SSL_CERT_FILE" in (caught.value.hint or "")


def test_a_certificate_for_another_name_is_refused(
    site: Site, home: Path, authority: trustme.CA
) -> None:
    with serving(tls_of(authority, "hooks.example.com")) as other:
        with pytest.raises(SystemFailureError, match="cannot prove who it is") as caught:
            fetcher(home).get(f"{other.url}/a", limit=10)
        assert other.log == []
    assert "127.0.0.1" in (caught.value.cause or "")


@pytest.mark.parametrize("variable", ["REQUESTS_CA_BUNDLE", "SSL_CERT_FILE", None])
def test_authorities_of_ones_own_come_from_variables_or_the_configuration(
    site: Site, home: Path, monkeypatch: pytest.MonkeyPatch, variable: str | None
) -> None:
    bundle = os.environ["SSL_CERT_FILE"]
    monkeypatch.delenv("SSL_CERT_FILE")
    if variable is not None:
        monkeypatch.setenv(variable, bundle)
    site.files["/a"] = BODY
    trusting = fetcher(home, bundle=None if variable else bundle)
    assert trusting.get(f"{site.url}/a", limit=10_000) == BODY


@pytest.mark.parametrize("text", [None, "nothing", "-----BEGIN CERTIFICATE-----\nAAAA\n"])
def test_authorities_that_cannot_be_read_are_said(
    home: Path, monkeypatch: pytest.MonkeyPatch, text: str | None
) -> None:
    if text is not None:
        (home / "a.pem").write_text(text)
    monkeypatch.setenv("SSL_CERT_FILE", str(home / "a.pem"))
    with pytest.raises(SystemFailureError, match=r"no certificates in .*a\.pem, which SSL_CERT"):
        fetcher(home).get("https://hooks.example.com/a", limit=10)


# --- proxies ---------------------------------------------------------------------------------


@pytest.fixture
def named(home: Path, authority: trustme.CA, monkeypatch: pytest.MonkeyPatch) -> None:
    """The authority is trusted; there is no way to hooks.example.com but a proxy."""
    authority.cert_pem.write_to_path(home / "authority.pem")
    monkeypatch.setenv("SSL_CERT_FILE", str(home / "authority.pem"))


@pytest.mark.usefixtures("named")
def test_a_proxy_is_used_and_sees_no_credentials_of_the_host(
    home: Path, authority: trustme.CA, monkeypatch: pytest.MonkeyPatch
) -> None:
    with serving(tls_of(authority, "hooks.example.com")) as there, proxying() as proxy:
        port = there.url.rpartition(":")[2]
        monkeypatch.setenv("HTTPS_PROXY", proxy.url.replace("//", "//me:pr0xy@"))
        there.files["/a"] = BODY
        hosts = {f"hooks.example.com:{port}": HostLine(token="t0ken")}
        url = f"https://hooks.example.com:{port}/a"
        assert fetcher(home, hosts=hosts).get(url, limit=10_000) == BODY
    assert [asked.path for asked in proxy.log] == [f"hooks.example.com:{port}"]
    assert "authorization" not in proxy.log[0].headers
    assert proxy.log[0].headers["proxy-authorization"].startswith("Basic ")
    assert there.log[0].headers["authorization"] == "Bearer t0ken"


@pytest.mark.usefixtures("named")
@pytest.mark.parametrize("status", [403, 407, 502])
def test_a_proxy_that_refuses_is_named_without_its_password(
    home: Path, monkeypatch: pytest.MonkeyPatch, status: int
) -> None:
    with proxying(refuse=status) as proxy:
        monkeypatch.setenv("HTTPS_PROXY", proxy.url.replace("//", "//me:pr0xy@"))
        with pytest.raises(SystemFailureError, match="the proxy does not lead to") as caught:
            fetcher(home).get("https://hooks.example.com/a", limit=10)
    assert "pr0xy" not in said(caught.value)
    assert "HTTPS_PROXY" in said(caught.value)
    assert str(status) in said(caught.value)


def test_this_machine_and_no_proxy_are_asked_without_a_proxy(
    site: Site, home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    site.files["/a"] = BODY
    with proxying(refuse=403) as proxy, serving() as plain:
        for name in ("HTTPS_PROXY", "HTTP_PROXY", "ALL_PROXY"):
            monkeypatch.setenv(name, proxy.url)
        plain.files["/a"] = BODY
        assert fetcher(home).get(f"{site.url}/a", limit=10_000) == BODY
        assert fetcher(home).get(f"{plain.url}/a", limit=10_000) == BODY
        monkeypatch.setenv("NO_PROXY", ".invalid")
        with pytest.raises(SystemFailureError, match="cannot be reached"):
            fetcher(home).get("https://no.such.host.invalid/a", limit=10)
        assert proxy.log == []


# --- the cache -------------------------------------------------------------------------------


def test_a_page_is_asked_after_and_comes_from_the_cache_while_it_is_the_same(
    site: Site, home: Path
) -> None:
    site.files["/a"] = BODY
    get = fetcher(home).get
    url = f"{site.url}/a"
    assert [get(url, limit=10_000), get(url, limit=10_000)] == [BODY, BODY]
    assert [asked.status for asked in site.log] == [200, 304]
    site.files["/a"] = b"new"
    assert get(url, limit=10_000) == b"new"
    assert get(url, limit=10_000) == b"new"
    assert [asked.status for asked in site.log] == [200, 304, 200, 304]


def test_a_page_is_asked_after_even_if_the_server_says_that_it_keeps(
    site: Site, home: Path
) -> None:
    site.files["/a"] = lambda to: to.reply(
        200,
        BODY,
        Cache_Control="max-age=86400, immutable",
        Last_Modified="Tue, 01 Jan 2030 00:00:00 GMT",
    )
    get = fetcher(home).get
    get(f"{site.url}/a", limit=10_000)
    get(f"{site.url}/a", limit=10_000)
    asked = site.log[1].headers
    assert asked["if-modified-since"] == "Tue, 01 Jan 2030 00:00:00 GMT"
    assert "if-none-match" not in asked


def test_an_archive_is_fetched_once(site: Site, home: Path) -> None:
    site.files["/a"] = BODY
    get = fetcher(home).get
    for _ in range(2):
        assert get(f"{site.url}/a", limit=10_000, sha256=SHA) == BODY
    assert get(f"{site.url}/moved", limit=10_000, sha256=SHA) == BODY
    assert site.paths() == ["/a"]


@pytest.mark.parametrize("damage", [b"", b"{", b"x" * 3000])
def test_a_damaged_cache_heals(site: Site, home: Path, damage: bytes) -> None:
    site.files["/a"] = BODY
    get = fetcher(home).get
    url = f"{site.url}/a"
    get(url, limit=10_000)
    get(url, limit=10_000, sha256=SHA)
    files = [file for file in (home / "cache").rglob("*") if file.is_file()]
    assert len(files) == 2
    for file in files:
        file.write_bytes(damage)
    for _ in range(2):
        assert get(url, limit=10_000) == BODY
        assert get(url, limit=10_000, sha256=SHA) == BODY
    assert [asked.status for asked in site.log] == [200, 200, 200, 200, 304]


def test_one_changed_byte_of_a_kept_page_is_noticed(site: Site, home: Path) -> None:
    site.files["/a"] = BODY
    get = fetcher(home).get
    get(f"{site.url}/a", limit=10_000)
    (file,) = (home / "cache" / "pages").rglob("*/*")
    data = file.read_bytes()
    for at in (0, 20, len(data) - len(BODY) - 1, len(data) - 5):
        file.write_bytes(data[:at] + bytes([data[at] ^ 1]) + data[at + 1 :])
        assert get(f"{site.url}/a", limit=10_000) == BODY


def test_the_cache_is_the_users_alone_and_holds_no_address_and_no_token(
    site: Site, home: Path
) -> None:
    site.files["/a?key=k3y"] = BODY
    where = site.url.removeprefix("https://")
    get = fetcher(home, hosts={where: HostLine(token="t0ken")}).get
    get(f"{site.url}/a?key=k3y", limit=10_000)
    get(f"{site.url}/a?key=k3y", limit=10_000, sha256=SHA)
    files = [file for file in (home / "cache").rglob("*") if file.is_file()]
    assert len(files) == 2
    for file in files:
        assert file.stat().st_mode & 0o077 == 0
        text = file.read_bytes() + str(file).encode()
        for secret in (b"t0ken", b"k3y", b"127.0.0.1"):
            assert secret not in text


def test_a_cache_that_cannot_be_written_costs_nothing_but_time(site: Site, home: Path) -> None:
    site.files["/a"] = BODY
    (home / "cache").write_text("a file, where the folder belongs")
    for cache in (Cache(home / "cache"), Cache(None)):
        get = Fetcher(cache, Transport({}, None, QUICK)).get
        assert get(f"{site.url}/a", limit=10_000) == BODY
        assert get(f"{site.url}/a", limit=10_000, sha256=SHA) == BODY
    assert [asked.status for asked in site.log] == [200] * 4


def test_offline_takes_what_was_fetched_and_says_what_was_not(site: Site, home: Path) -> None:
    site.files["/a"] = BODY
    online = fetcher(home).get
    online(f"{site.url}/a", limit=10_000)
    online(f"{site.url}/a", limit=10_000, sha256=SHA)
    with pytest.raises(NotFoundError):
        online(f"{site.url}/gone", limit=10_000)
    site.log.clear()
    offline = fetcher(home, offline=True).get
    assert offline(f"{site.url}/a", limit=10_000) == BODY
    assert offline(f"{site.url}/a", limit=10_000, sha256=SHA) == BODY
    with pytest.raises(NotFoundError):
        offline(f"{site.url}/gone", limit=10_000)
    for sha in (None, "0" * 64):
        with pytest.raises(SystemFailureError, match=r"/b is not in the cache") as caught:
            offline(f"{site.url}/b", limit=10, sha256=sha)
        assert "without --offline" in (caught.value.hint or "")
    assert site.log == []


# --- credentials -----------------------------------------------------------------------------


def sent(site: Site, home: Path, hosts: dict[str, HostLine] | None = None) -> str | None:
    """The Authorization header that the site sees."""
    site.files["/a"] = BODY
    fetcher(home, hosts=hosts).get(f"{site.url}/a", limit=10_000)
    return site.log[-1].headers.get("authorization")


def test_nothing_is_sent_to_a_host_that_nobody_named(site: Site, home: Path) -> None:
    assert sent(site, home, hosts={"hooks.example.com": HostLine(token="t0ken")}) is None
    assert sent(site, home, hosts={"127.0.0.1:1": HostLine(token="t0ken")}) is None


def test_a_token_and_a_password_reach_their_host(
    site: Site, home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    where = site.url.removeprefix("https://")
    assert sent(site, home, hosts={where: HostLine(token="t0ken")}) == "Bearer t0ken"
    both = HostLine(username="me", password="pa:ss")
    assert sent(site, home, hosts={where: both}) == "Basic bWU6cGE6c3M="
    monkeypatch.setenv(f"HOOKPM_TOKEN_127_0_0_1_{where.rpartition(':')[2]}", "n3w")
    assert sent(site, home, hosts={where: both}) == "Bearer n3w"


def test_netrc_is_read_for_its_host_and_its_default_is_not(site: Site, home: Path) -> None:
    netrc = home / ".netrc"
    netrc.write_text("default login x password y\n")
    netrc.chmod(0o600)
    assert sent(site, home) is None
    netrc.write_text("machine 127.0.0.1 login me password pa:ss\n")
    assert sent(site, home) == "Basic bWU6cGE6c3M="
    netrc.write_text("machine")
    assert sent(site, home) is None


def test_a_redirect_on_the_same_host_keeps_the_credentials_and_another_gets_none(
    site: Site, home: Path, authority: trustme.CA
) -> None:
    where = site.url.removeprefix("https://")
    hosts = {where: HostLine(token="t0ken")}
    site.files["/a"] = lambda to: to.reply(302, Location="/b")
    site.files["/b"] = BODY
    get = fetcher(home, hosts=hosts).get
    get(f"{site.url}/a", limit=10_000)
    assert [asked.headers["authorization"] for asked in site.log] == ["Bearer t0ken"] * 2
    with serving(tls_of(authority)) as other:
        site.files["/a"] = lambda to: to.reply(302, Location=f"{other.url}/b")
        with pytest.raises(RefusedError) as caught:
            get(f"{site.url}/a", limit=10_000)
        assert other.log == []
    assert "t0ken" not in said(caught.value)


def test_a_server_that_wants_credentials_is_answered_with_how_to_give_them(
    site: Site, home: Path
) -> None:
    site.files["/a"] = lambda to: to.reply(401)
    where = site.url.removeprefix("https://")
    with pytest.raises(SystemFailureError) as caught:
        fetcher(home).get(f"{site.url}/a", limit=10)
    assert "no credentials for 127.0.0.1" in (caught.value.cause or "")
    assert f"HOOKPM_TOKEN_127_0_0_1_{where.rpartition(':')[2]}" in (caught.value.hint or "")
    with pytest.raises(SystemFailureError) as caught:
        fetcher(home, hosts={where: HostLine(token="t0ken")}).get(f"{site.url}/a", limit=10)
    assert "not accepted" in (caught.value.cause or "")
    assert "t0ken" not in said(caught.value)


def test_cookies_are_not_kept(site: Site, home: Path) -> None:
    site.files["/a"] = lambda to: to.reply(200, BODY, Set_Cookie="a=b; Path=/")
    get = fetcher(home).get
    get(f"{site.url}/a", limit=10_000)
    get(f"{site.url}/a", limit=10_000)
    assert "cookie" not in site.log[1].headers
