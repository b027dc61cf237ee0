"""Every run that changes something, stopped at each of its writes in turn: before, or after."""

from __future__ import annotations

import os
import subprocess
import sys

import pytest

from tests.conftest import Tally
from tests.project.faults import KILL, TORN, Faults, Kept, Tree
from tests.project.stage import RUNS, Command, Stage, configs, left_behind
from tests.project.world import CHECKOUT, World

# What a stop left -> what the next run says, and what status says until then.
SAYS = {
    "half": (
        "an earlier run had been stopped half-way; its changes are now complete",
        "stopped half-way; the next run completes it",
    ),
    "whole": (
        "an earlier run had been stopped with all its changes made; its leftovers are gone",
        "stopped with all its changes made; its leftovers are still here",
    ),
    "begun": (
        "an earlier run had been stopped before it changed a file; its leftovers are gone",
        "stopped before it changed a file; its leftovers are still here",
    ),
}


def check_the_stop(stage: Stage, tree: Tree, at: str) -> None:
    """Between the stop and the next run nobody meets a half of anything."""
    now, before, after = (configs(stage, t) for t in (tree, stage.before, stage.after))
    for place in {*now, *before, *after}:
        assert now.get(place) in (before.get(place), after.get(place)), (at, place)
        data = now[place].data if place in now and stage.is_in_repo(place) else None
        if isinstance(data, bytes) and b".agents/hookpm/bridge.py" in data:
            assert str(stage.world.repo / ".agents/hookpm/bridge.py") in tree, at


def check_the_next(stage: Stage, tree: Tree, command: Command, at: str) -> None:
    """The next run says which it was, ends it, and does its own work on that."""
    left = left_behind(tree)
    after = left in ("half", "whole") or tree == stage.after
    wanted, whole = stage.known(after, command)
    done, now = stage.goes_on(tree, command)
    assert stage.same(now, whole), (at, command, done.text)
    assert done.code in (wanted.code, 0), (at, command, done.text)
    said = [which for which, (words, _) in SAYS.items() if words in done.err]
    assert said == ([left] if left else []), (at, command, done.text)


def check_status(stage: Stage, tree: Tree, at: str) -> None:
    """Looking says which it is, and changes nothing."""
    done, now = stage.goes_on(tree, ("status", "--json"))
    assert now == tree, at
    told = [p["message"] for p in done.json["problems"] if p["code"] == "half-done"]
    left = left_behind({path: k for path, k in tree.items() if stage.is_in_repo(path)})
    assert [SAYS[left][1] in message for message in told] == ([True] if left else []), (at, told)
    assert done.code == 1 or not left, at


@pytest.mark.parametrize("name", RUNS)
def test_a_run_that_stops_at_any_write_is_undone_or_completed_by_whatever_comes_next(
    world: World, name: str, tally: Tally
) -> None:
    stage = Stage(world, RUNS[name])
    stops = [(at, KILL) for at, _ in enumerate(stage.calls, 1)]
    stops += [(at, TORN) for at, call in enumerate(stage.calls, 1) if call.startswith("write ")]
    seen: set[frozenset[tuple[str, Kept]]] = set()  # some stops leave the very same disk
    for at, how in stops:
        call = f"{at} of {len(stage.calls)}: {how} {stage.calls[at - 1]}"
        done, tree = stage.faulty(Faults(at, how))
        assert done is None, call
        if frozenset(tree.items()) in seen:
            continue
        seen.add(frozenset(tree.items()))
        if stage.run.steps:
            check_status(stage, tree, call)
            stage.check_the_steps(tree, call)
            continue
        check_the_stop(stage, tree, call)
        check_status(stage, tree, call)
        for command in stage.run.then:
            check_the_next(stage, tree, command, call)
    assert len(stops) >= 10
    tally(writes_at_which_a_run_was_killed=len(stops), disks_that_a_kill_left=len(seen))


AUDITED = """
import os, sys
from tests.project.faults import Faults, injected
from hookpm.cli import main
seen = 0
def watch(event, args):
    global seen
    if event == "open":
        flags = args[2]
        if isinstance(flags, int) and flags & (os.O_WRONLY | os.O_RDWR | os.O_CREAT):
            seen += args[0] != os.devnull and not isinstance(args[0], int)
    else:
        seen += event in ("os.rename", "os.remove", "os.rmdir", "os.mkdir", "os.chmod",
            "os.symlink", "os.link", "os.truncate", "os.chown", "os.utime")
faults = Faults()
sys.addaudithook(watch)
with injected(faults):
    seen = 0
    code = main.run(sys.argv[1:])
    audited = seen
print([c for c in faults.calls if c.split()[0] not in ("write", "fsync")], file=sys.stderr)
print(audited, sum(c.split()[0] not in ("write", "fsync") for c in faults.calls))
sys.exit(code)
"""


def test_the_interpreter_itself_reports_no_write_that_is_not_counted(world: World) -> None:
    for arguments in (
        ["install", "protect-secrets", "--agent=claude", "-q"],
        ["uninstall", "protect-secrets", "-q"],
    ):
        done = subprocess.run(
            [sys.executable, "-c", AUDITED, *arguments],
            env={**os.environ, "PYTHONPATH": str(CHECKOUT)},
            capture_output=True,
            text=True,
            check=True,
        )
        audited, counted = map(int, done.stdout.split())
        assert audited == counted > 60, done.stderr
