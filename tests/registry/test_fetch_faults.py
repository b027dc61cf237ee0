"""A server that is slow, that fails, or that sends anything at all."""

from __future__ import annotations

import socket
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from hookpm.errors import FileFormatError, NotFoundError, SystemFailureError
from hookpm.registry.transport import Limits
from tests.registry.fetching import BODY, QUICK, SHA, failing_once, fetcher
from tests.registry.server import Handler, Site, serving

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


def test_a_server_that_never_begins_with_tls_is_given_up(home: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as mute:  # connects, and nobody ever answers
        url = f"https://127.0.0.1:{mute.getsockname()[1]}/a"
        once = fetcher(home, limits=Limits(connect=0.3, read=0.3, total=15, tries=1))
        with pytest.raises(SystemFailureError, match="did not send"):
            once.get(url, limit=10)


def test_a_server_that_speaks_no_tls_is_refused(home: Path) -> None:
    with serving() as plain:
        plain.files["/a"] = BODY
        with pytest.raises(SystemFailureError, match="cannot prove who it is"):
            fetcher(home).get(plain.url.replace("http:", "https:") + "/a", limit=10_000)


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


@pytest.mark.parametrize("size", ["9" * 5000, "-1", "1e3", "2, 2"])
def test_a_size_that_is_none_is_no_size(site: Site, home: Path, size: str) -> None:
    def lying(to: Handler) -> None:
        to.begin(200, Content_Length=size)
        to.wfile.write(BODY)
        to.cut()

    site.files["/a"] = lying
    try:
        got = fetcher(home).get(f"{site.url}/a", limit=10_000)
    except (SystemFailureError, FileFormatError):
        return
    assert got == BODY


def test_a_wait_of_any_length_is_read_or_left(site: Site, home: Path) -> None:
    site.files["/a"] = failing_once(lambda to: to.reply(503, Retry_After="9" * 5000))
    assert fetcher(home).get(f"{site.url}/a", limit=10_000) == BODY
