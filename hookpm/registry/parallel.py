"""Waits for a network: several at a time, for so long, and none keeps the process from ending.

The threads of a ThreadPoolExecutor are waited for, also by an interpreter that wants to end: a slow
server would hold up Ctrl-C for as long as it likes.
"""

from __future__ import annotations

import queue
import threading
import time
from collections.abc import Callable, Sequence
from typing import TypeVar

T = TypeVar("T")
AT_ONCE = 8


def side_by_side(jobs: Sequence[Callable[[], T]], at_once: int = AT_ONCE) -> list[T]:
    """The results of the jobs, in their order. Raises what the first one raises that fails; jobs
    that have not begun by then never do."""
    todo: queue.SimpleQueue[int] = queue.SimpleQueue()
    done: queue.SimpleQueue[tuple[int, T | None, BaseException | None]] = queue.SimpleQueue()
    stopped = threading.Event()
    for number in range(len(jobs)):
        todo.put(number)

    def work() -> None:
        while not stopped.is_set():
            try:
                number = todo.get_nowait()
            except queue.Empty:
                return
            try:
                done.put((number, jobs[number](), None))
            except BaseException as error:
                done.put((number, None, error))

    results: dict[int, T] = {}
    try:
        for _ in range(min(at_once, len(jobs))):
            threading.Thread(target=work, daemon=True, name="hookpm-wait").start()
        while len(results) < len(jobs):
            number, result, error = done.get()
            if error is not None:
                raise error
            results[number] = result  # type: ignore[assignment]
    finally:
        stopped.set()
    return [results[number] for number in range(len(jobs))]


def within(deadline: float, work: Callable[[], T], late: Exception) -> T:
    """The result of `work`, or `late` raised once `time.monotonic()` is beyond the deadline.

    No timeout of a socket bounds a server that sends a byte now and then. What comes too late is
    left to itself.
    """
    done: queue.SimpleQueue[tuple[T | None, BaseException | None]] = queue.SimpleQueue()

    def run() -> None:
        try:
            done.put((work(), None))
        except BaseException as error:
            done.put((None, error))

    threading.Thread(target=run, daemon=True, name="hookpm-get").start()
    try:
        result, error = done.get(timeout=max(0.0, deadline - time.monotonic()))
    except queue.Empty:
        raise late from None
    if error is not None:
        raise error
    return result  # type: ignore[return-value]
