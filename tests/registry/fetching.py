"""What the tests of fetching share: a body, and a fetcher with a home of the test's own."""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from pathlib import Path

from hookpm.errors import HookpmError
from hookpm.registry.cache import Cache
from hookpm.registry.credentials import HostLine
from hookpm.registry.fetch import Fetcher
from hookpm.registry.transport import Limits, Transport
from tests.registry.server import Handler

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


def failing_once(fault: Callable[[Handler], None]) -> Callable[[Handler], None]:
    """What goes wrong once, and then gives BODY."""
    first = iter([fault])
    return lambda to: next(first, lambda well: well.reply(200, BODY))(to)
