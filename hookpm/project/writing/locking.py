"""One hookpm at a time in a project: a second run waits for the first."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from hashlib import sha256
from pathlib import Path

from hookpm.errors import SystemFailureError
from hookpm.registry import waiting
from hookpm.registry.userfolders import cache_folder

WAIT = 60.0  # seconds that a second run waits for the first


@contextmanager
def locked(root: Path, on_wait: Callable[[], None] | None = None) -> Iterator[None]:
    """Hold the project's lock; `on_wait` is called once where another run holds it.

    The lock lies in the user's cache, so that a repo is not littered. Raises SystemFailureError
    after WAIT seconds, or where there is no place for the lock.
    """
    folder = (cache_folder() or _without_a_home()) / "locks"
    name = sha256(str(root.resolve()).encode("utf-8", "surrogateescape")).hexdigest()[:32]
    try:
        folder.mkdir(parents=True, exist_ok=True)
        handle = os.open(folder / name, os.O_RDWR | os.O_CREAT | getattr(os, "O_CLOEXEC", 0), 0o600)
    except OSError as error:
        raise SystemFailureError(
            "cannot take the project's lock",
            cause=str(error),
            hint="make the folder writable, or set XDG_CACHE_HOME to one that is",
            file=folder,
        ) from None
    try:
        _acquire(handle, root, on_wait)
        yield
    finally:
        os.close(handle)


def _without_a_home() -> Path:
    user = os.getuid() if hasattr(os, "getuid") else "me"
    return Path(tempfile.gettempdir(), f"hookpm-{user}")


def _acquire(handle: int, root: Path, on_wait: Callable[[], None] | None) -> None:
    if not waiting.acquire(handle, WAIT, on_wait):
        raise SystemFailureError(
            f"another hookpm has been at work in this project for {WAIT:.0f} seconds",
            hint="wait until it is done, or end it",
            file=root,
        )
