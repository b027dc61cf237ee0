"""A registry over https gives what the same files in a folder give, with no request too many."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from pathlib import Path

import pytest

from hookpm.errors import FileFormatError, NotFoundError, SystemFailureError
from hookpm.registry import publish
from hookpm.registry.cache import Cache
from hookpm.registry.fetch import Fetcher
from hookpm.registry.http import HttpRegistry
from hookpm.registry.index import FolderRegistry
from hookpm.registry.transport import Limits, Transport
from tests.registry.conftest import MakePack
from tests.registry.server import Handler, Site

Open = Callable[..., HttpRegistry]


@pytest.fixture
def served(site: Site, make_pack: MakePack, index: Path) -> Site:
    """guard 1.0 and 2.0, and helper 1.0, below /hooks."""
    packs = [make_pack("guard", "1.0"), make_pack("guard", "2.0"), make_pack("helper", "1.0")]
    publish.apply(publish.plan(packs, index), index)
    site.put_tree(index, "/hooks")
    return site


@pytest.fixture
def opened(served: Site, home: Path) -> Open:
    def open_(offline: bool = False) -> HttpRegistry:
        transport = Transport({}, None, Limits(total=10, pause=0.01))
        fetcher = Fetcher(Cache(home / "cache"), transport, offline)
        return HttpRegistry(f"{served.url}/hooks/", "acme", fetcher)

    return open_


def test_it_is_the_registry_that_lies_in_the_folder(opened: Open, index: Path) -> None:
    registry, folder = opened(), FolderRegistry(index, "acme")
    assert registry.source == "acme"
    assert registry.names() == folder.names()
    assert registry.listing() == folder.listing()
    page = registry.pack("guard")
    assert page is not None
    assert page == folder.pack("guard")
    assert registry.pack("gone") is None
    for release in page.versions:
        assert registry.archive("guard", release) == folder.archive("guard", release)


def test_each_page_is_asked_for_once(opened: Open, served: Site) -> None:
    registry = opened()
    for _ in range(2):
        registry.pack("guard")
        registry.pack("gone")
        registry.names()
    assert served.paths() == [
        "/hooks/packs/guard.json",
        "/hooks/packs/gone.json",
        "/hooks/index.json",
    ]


def test_pages_are_fetched_side_by_side_and_then_at_hand(opened: Open, served: Site) -> None:
    registry = opened()
    registry.prefetch(["guard", "helper", "guard", "gone"])
    assert len(served.log) == 3
    assert registry.pack("guard") is not None
    assert registry.pack("gone") is None
    registry.prefetch(["guard", "gone"])
    assert len(served.log) == 3


def test_a_name_that_is_none_is_not_asked_for(opened: Open, served: Site) -> None:
    for name in ("../index", "a/b", "a?b", "A"):
        assert opened().pack(name) is None
    assert served.log == []


def test_an_address_without_an_index_is_no_registry(opened: Open, served: Site) -> None:
    del served.files["/hooks/index.json"]
    with pytest.raises(NotFoundError, match=r"is no registry: it has no index\.json"):
        opened().names()


def test_an_error_of_the_server_is_not_taken_for_a_missing_pack(opened: Open, served: Site) -> None:
    for status in (401, 403, 500):
        served.files["/hooks/packs/guard.json"] = partial(Handler.reply, status=status)
        with pytest.raises(SystemFailureError):
            opened().pack("guard")


def test_a_page_of_another_shape_is_refused_with_its_address(opened: Open, served: Site) -> None:
    served.files["/hooks/packs/guard.json"] = b"<html>please log in</html>"
    with pytest.raises(FileFormatError, match="not a registry file") as caught:
        opened().pack("guard")
    assert caught.value.file == f"{served.url}/hooks/packs/guard.json"


def test_an_archive_that_is_gone_changed_or_too_long_is_refused(opened: Open, served: Site) -> None:
    page = opened().pack("guard")
    assert page is not None
    release = page.versions[0]
    where = f"/hooks/{release.archive}"
    data = served.files[where]
    assert isinstance(data, bytes)
    served.files[where] = data[:-1] + b"x"
    with pytest.raises(FileFormatError, match="not the one that was published"):
        opened().archive("guard", release)
    served.files[where] = data + b"x"
    with pytest.raises(FileFormatError, match="more than"):
        opened().archive("guard", release)
    served.files[where] = lambda to: to.reply(404)
    with pytest.raises(NotFoundError, match="lacks its archive"):
        opened().archive("guard", release)
    served.files[where] = data
    assert opened().archive("guard", release) == data


def test_offline_everything_that_was_seen_is_there(opened: Open, served: Site) -> None:
    online = opened()
    page = online.pack("guard")
    assert page is not None
    data = online.archive("guard", page.versions[0])
    online.pack("gone")
    served.log.clear()
    offline = opened(offline=True)
    assert offline.pack("guard") == page
    assert offline.pack("gone") is None
    assert offline.archive("guard", page.versions[0]) == data
    for ask in (offline.names, lambda: offline.pack("helper")):
        with pytest.raises(SystemFailureError, match="not in the cache"):
            ask()
    with pytest.raises(SystemFailureError, match="not in the cache"):
        offline.archive("guard", page.versions[1])
    assert served.log == []
