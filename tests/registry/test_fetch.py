"""Fetching from a real server with TLS: what comes through, and what is refused."""

from __future__ import annotations

import gzip
import hashlib
import threading
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
from hookpm.registry.fetch import Progress
from tests.registry.conftest import tls_of
from tests.registry.fetching import BODY, QUICK, SHA, failing_once, fetcher, said
from tests.registry.server import Handler, Site, serving

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
