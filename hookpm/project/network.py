"""How this run may use the network: decided once by the command line, asked wherever files are
fetched.

A property of the run, as the locale is, and not of what is wanted: which is why it is not handed
through every function on the way.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Callable

    from hookpm.registry.fetch import Fetcher, Watch


class Access(NamedTuple):
    """offline: only what is in the cache; watch: is told of downloads; fetcher: once it is made."""

    offline: bool = False
    watch: Watch | None = None
    fetcher: Fetcher | None = None


_access: ContextVar[Access] = ContextVar("access", default=Access())  # noqa: B039  (immutable)


@contextmanager
def access(*, offline: bool = False, watch: Watch | None = None) -> Iterator[None]:
    """What is fetched inside the block is fetched in this way, over the same connections."""
    token = _access.set(Access(offline, watch))
    try:
        yield
    finally:
        _access.reset(token)


def is_offline() -> bool:
    """Must this run do without a network?"""
    return _access.get().offline


def git_watch(url: str) -> Callable[[int, bool], None] | None:
    """What is to be told of the bytes of a git repository; None where nobody looks on."""
    watch = _access.get().watch
    if watch is None:
        return None
    from hookpm.registry.fetch import Progress

    return lambda come, ended: watch(Progress(url, come, None, ended))


def fetcher() -> Fetcher:
    """The run's fetcher. Raises what userconfig.read raises."""
    now = _access.get()
    if now.fetcher is None:
        now = now._replace(fetcher=_made(now))
        _access.set(now)
    assert now.fetcher is not None
    return now.fetcher


def _made(how: Access) -> Fetcher:
    from hookpm.project.home import userconfig
    from hookpm.registry.cache import Cache
    from hookpm.registry.fetch import Fetcher
    from hookpm.registry.transport import Transport
    from hookpm.registry.userfolders import cache_folder

    config = userconfig.read()
    transport = Transport(config.hosts, config.ca_bundle)
    return Fetcher(Cache(cache_folder()), transport, how.offline, how.watch)
