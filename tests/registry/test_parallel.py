"""Waiting side by side, with an end to it."""

from __future__ import annotations

import threading
import time
from functools import partial

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from hookpm.registry.parallel import side_by_side, within


@settings(deadline=None)
@given(st.lists(st.integers(), max_size=20), st.integers(1, 5))
def test_results_come_in_the_order_of_the_jobs(values: list[int], at_once: int) -> None:
    assert side_by_side([partial(abs, value) for value in values], at_once) == list(
        map(abs, values)
    )


def test_no_more_run_at_once_than_are_allowed_and_as_many_do() -> None:
    together = threading.Barrier(3, timeout=10)
    running: set[int] = set()
    most = []

    def job(number: int) -> None:
        running.add(number)
        together.wait()
        most.append(len(running))
        together.wait()
        running.discard(number)

    side_by_side([partial(job, number) for number in range(6)], 3)
    assert max(most) == 3


def test_an_error_is_raised_without_waiting_and_stops_what_has_not_begun() -> None:
    release = threading.Event()
    begun: list[int] = []

    def job(number: int) -> None:
        begun.append(number)
        if number == 1:
            raise KeyError(number)
        release.wait(20)

    with pytest.raises(KeyError):
        side_by_side([partial(job, number) for number in range(9)], 2)
    assert not release.is_set()
    release.set()
    assert len(begun) <= 3


def test_what_comes_in_time_is_given_and_what_does_not_is_late() -> None:
    assert within(time.monotonic() + 20, lambda: 5, TimeoutError()) == 5
    with pytest.raises(ZeroDivisionError):
        within(time.monotonic() + 20, lambda: 1 // 0, TimeoutError())
    release = threading.Event()
    with pytest.raises(TimeoutError):
        within(time.monotonic() + 0.05, lambda: release.wait(20), TimeoutError())
    release.set()
