"""Waiting for a lock on a file that another run holds.

On `fcntl`, which costs nothing to import: a lock library costs more than all else that a small
install does; on Windows, where there is none, on `msvcrt`. A lock goes with its process, however
that ends.
"""

from __future__ import annotations

import time
from collections.abc import Callable

_PAUSE = 0.05


def _lock(handle: int) -> None:
    """Lock an open file. Raises OSError at once where another holds it."""
    try:
        import fcntl
    except ImportError:
        import msvcrt  # the first byte stands for the file; it need not be there

        msvcrt.locking(handle, msvcrt.LK_NBLCK, 1)  # type: ignore[attr-defined]
    else:
        fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)


def acquire(handle: int, seconds: float, on_wait: Callable[[], None] | None = None) -> bool:
    """Lock an open file; False where another holds it for all of `seconds`.

    on_wait: called once, if there is anything to wait for.
    """
    deadline = time.monotonic() + seconds
    while True:
        try:
            _lock(handle)
            return True
        except (BlockingIOError, PermissionError):  # the second is what Windows says
            if on_wait is not None:
                on_wait()
                on_wait = None
        if time.monotonic() > deadline:
            return False
        time.sleep(_PAUSE)
