"""Run a program with a time limit, and end everything it started."""

from __future__ import annotations

import os
import signal
import subprocess
import time
import uuid
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Literal, NamedTuple

MARKER = "HOOKPM_PROBE_RUN"
PATIENCE_S = 10.0
_PROC = Path("/proc")

Ending = Literal["exit", "timeout"]


class Finished(NamedTuple):
    """rc: exit code, negative for a signal, None where the time limit ended the program."""

    rc: int | None
    ending: Ending
    stdout: str
    stderr: str
    seconds: float


def run_to_end(
    command: Sequence[str], *, cwd: Path, env: Mapping[str, str], scratch: Path, timeout: float
) -> Finished:
    """Run `command` until it exits or `timeout` seconds have passed; then end its descendants.

    Its output goes to `scratch`/stdout and `scratch`/stderr: a pipe would stay open for as long as
    a daemon of the program holds it. Raises OSError where the program cannot be started.
    """
    mark = uuid.uuid4().hex
    out, err = scratch / "stdout", scratch / "stderr"
    started = time.monotonic()
    with out.open("wb") as stdout, err.open("wb") as stderr:
        process = subprocess.Popen(
            command,
            cwd=cwd,
            env={**env, MARKER: mark},
            stdin=subprocess.DEVNULL,
            stdout=stdout,
            stderr=stderr,
            start_new_session=True,
        )
        ending: Ending = "exit"
        try:
            process.wait(timeout)
        except subprocess.TimeoutExpired:
            ending = "timeout"
        finally:
            seconds = time.monotonic() - started
            end_descendants(process.pid, mark)
            process.wait()
    return Finished(
        rc=process.returncode if ending == "exit" else None,
        ending=ending,
        stdout=out.read_text("utf-8", errors="replace"),
        stderr=err.read_text("utf-8", errors="replace"),
        seconds=seconds,
    )


def end_descendants(group: int, mark: str) -> None:
    """Kill the process group, and on Linux every process whose environment carries the mark.

    Daemons leave the group but keep the environment. Looks again until none is left, for what was
    being forked meanwhile; gives up after PATIENCE_S seconds.
    """
    deadline = time.monotonic() + PATIENCE_S
    while True:
        with suppress(ProcessLookupError, PermissionError):
            os.killpg(group, signal.SIGKILL)
        marked = list(_marked(mark))
        for pid in marked:
            with suppress(ProcessLookupError, PermissionError):
                os.kill(pid, signal.SIGKILL)
        if not marked or time.monotonic() > deadline:
            return
        time.sleep(0.05)


def _marked(mark: str) -> Iterator[int]:
    """Live processes that carry the mark; none where there is no /proc. Zombies show nothing."""
    if not (_PROC / "self/environ").exists():
        return
    wanted = f"{MARKER}={mark}".encode()
    for entry in _PROC.iterdir():
        if entry.name.isdigit():
            with suppress(OSError):  # it is gone, or somebody else's
                if wanted in (entry / "environ").read_bytes().split(b"\0"):
                    yield int(entry.name)
