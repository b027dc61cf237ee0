"""What was fetched is kept, proved, asked after, and enough offline."""

from __future__ import annotations

from pathlib import Path

import pytest

from hookpm.errors import NotFoundError, SystemFailureError
from hookpm.registry.cache import Cache
from hookpm.registry.credentials import HostLine
from hookpm.registry.fetch import Fetcher
from hookpm.registry.transport import Transport
from tests.registry.fetching import BODY, QUICK, SHA, fetcher
from tests.registry.server import Site

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
