"""Waiting for a lock on a file that another run holds.

On `fcntl`, which costs nothing to import: a lock library costs more than all else that a small
install does. A lock goes with its process, however that ends.
"""

from __future__ import annotations

import fcntl
import time
from collections.abc import Callable

_PAUSE = 0.05


def acquire(handle: int, seconds: float, on_wait: Callable[[], None] | None = None) -> bool:
    """Lock an open file; False where another holds it for all of `seconds`.

    on_wait: called once, if there is anything to wait for.
    """
    deadline = time.monotonic() + seconds
    while True:
        try:
            fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
            return True
        except BlockingIOError:
            if on_wait is not None:
                on_wait()
                on_wait = None
        if time.monotonic() > deadline:
            return False
        time.sleep(_PAUSE)
