"""Every run that changes something, with a disk that says no at each of its writes in turn."""

from __future__ import annotations

import os

import pytest

from tests.conftest import Tally
from tests.project.faults import BROKEN, DISK_FULL, NOT_ALLOWED, READ_ONLY, Faults, Tree
from tests.project.stage import RUNS, USERS, Stage, configs, left_behind
from tests.project.world import Result, World

NUMBERS = (DISK_FULL, READ_ONLY, NOT_ALLOWED, BROKEN)
LASTING = (DISK_FULL, READ_ONLY)
WITH_ALL = ("install", "uninstall of the last")  # the others meet one of the four at each write


def failures(stage: Stage, name: str) -> list[Faults]:
    """What is to go wrong, once for each run."""
    found = []
    for at, _ in enumerate(stage.calls, 1):
        numbers = NUMBERS if name in WITH_ALL else (NUMBERS[at % len(NUMBERS)],)
        found += [Faults(at, number, lasting=number in LASTING) for number in numbers]
    return found


def without_leftovers(stage: Stage, tree: Tree) -> Tree:
    """The disk without what is staged, and the `.agents` that was made for that alone."""
    kept = {p: k for p, k in tree.items() if not any(mark in p for mark in (".hookpm-", "-new"))}
    made = [f"{top}/.agents" for top in stage.tops]
    empty = [
        m for m in made if m not in stage.before and not any(p.startswith(f"{m}/") for p in kept)
    ]
    return {path: k for path, k in kept.items() if path not in empty}


def check_message(faults: Faults, done: Result, call: str) -> None:
    """The user is told what the system said, what that left, and what to do."""
    assert isinstance(faults.how, int)
    assert done.code == 3, (call, done.text)
    assert done.err.startswith("error: ") or "\nerror: " in done.err, (call, done.text)
    assert os.strerror(faults.how) in done.err, (call, done.text)
    assert "hint: " in done.err, (call, done.text)
    assert "Traceback" not in done.err


@pytest.mark.parametrize("name", RUNS)
def test_a_disk_that_says_no_at_any_write_is_told_and_leaves_before_or_after(
    world: World, name: str, tally: Tally
) -> None:
    stage = Stage(world, RUNS[name])
    every = failures(stage, name)
    ends = {"whole": 0, "before": 0, "half": 0}
    for faults in every:
        done, tree = stage.faulty(faults)
        call = f"{faults.how} at {faults.at} of {len(stage.calls)}: {stage.calls[faults.at - 1]}"
        assert done is not None
        left = left_behind(tree)
        if stage.run.steps:
            if done.code:
                check_message(faults, done, call)
            stage.check_the_steps(tree, call)
            ends["half" if left == "half" else "before"] += 1
            continue
        if done.code == 0:
            assert stage.same(without_leftovers(stage, tree), stage.after), call
            ends["whole"] += 1
        else:
            check_message(faults, done, call)
            if left == "half":
                assert "stopped half-way" in done.err, (call, done.text)
                assert "goes on where it stopped" in done.err, (call, done.text)
                ends["half"] += 1
            else:
                assert "half-way" not in done.err, (call, done.text)
                now = without_leftovers(stage, tree)
                if stage.run.then is USERS:  # its code is written before it is wired
                    now, *ends_in = (configs(stage, t) for t in (now, stage.before, stage.after))
                else:
                    ends_in = [stage.before, stage.after]
                assert now in ends_in, (call, done.text)
                ends["before"] += 1
        if tree == stage.before:
            continue  # as if it had never been tried
        _, now = stage.goes_on(tree, stage.run.command)
        after = done.code == 0 or left in ("half", "whole")
        assert stage.same(now, stage.known(after, stage.run.command)[1]), (call, done.text)
    assert ends["before"] and ends["half"], ends
    tally(writes_at_which_the_disk_failed=len(every))
