from __future__ import annotations

import os
import sys
import time
from pathlib import Path

import pytest

from hookpm.probe import process
from hookpm.probe.process import Finished, run_to_end

ENV = {"PATH": os.environ["PATH"]}
LINUX = pytest.mark.skipif(not Path("/proc/self/environ").exists(), reason="needs /proc")

# A child in a session of its own, as daemons are; it writes its process id and stays.
DAEMON = """
import os, subprocess, sys, time
child = subprocess.Popen(["sleep", "300"], start_new_session=True)
open("pid", "w").write(str(child.pid))
print("started", flush=True)
time.sleep(float(sys.argv[1]))
"""
CHILD = DAEMON.replace("start_new_session=True", "start_new_session=False")


def run(folder: Path, *command: str, timeout: float = 30) -> Finished:
    return run_to_end(command, cwd=folder, env=ENV, scratch=folder, timeout=timeout)


def is_alive(pid: int) -> bool:
    """A process that waits to be collected by its parent counts as dead."""
    deadline = time.monotonic() + 5
    while time.monotonic() < deadline:
        try:
            os.kill(pid, 0)
        except ProcessLookupError:
            return False
        stat = Path(f"/proc/{pid}/stat")
        if stat.exists() and stat.read_text().rpartition(")")[2].split()[0] == "Z":
            return False
        time.sleep(0.05)
    return True


def test_output_and_exit_code_are_reported(tmp_path: Path) -> None:
    done = run(tmp_path, "sh", "-c", r"printf 'a\377b'; echo no >&2; exit 3")
    assert (done.rc, done.ending) == (3, "exit")
    assert (done.stdout, done.stderr) == ("a�b", "no\n")
    assert 0 < done.seconds < 30


def test_a_program_that_does_not_end_is_ended_and_has_no_exit_code(tmp_path: Path) -> None:
    done = run(tmp_path, "sh", "-c", "echo begun; trap '' TERM; sleep 300", timeout=0.5)
    assert (done.rc, done.ending, done.stdout) == (None, "timeout", "begun\n")
    assert done.seconds < 20


def test_nothing_can_be_read_from_stdin(tmp_path: Path) -> None:
    assert run(tmp_path, "sh", "-c", "cat; echo end").stdout == "end\n"


@LINUX
@pytest.mark.parametrize("stays", ["0", "300"])
def test_a_daemon_that_left_the_group_is_ended_too(tmp_path: Path, stays: str) -> None:
    done = run(tmp_path, sys.executable, "-c", DAEMON, stays, timeout=3)
    assert done.stdout == "started\n"
    assert not is_alive(int((tmp_path / "pid").read_text()))


def test_without_proc_the_process_group_is_ended(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(process, "_PROC", tmp_path / "no-proc")
    run(tmp_path, sys.executable, "-c", CHILD, "0")
    assert not is_alive(int((tmp_path / "pid").read_text()))


@LINUX
def test_processes_of_another_run_are_left_alone(tmp_path: Path) -> None:
    first, second = tmp_path / "first", tmp_path / "second"
    first.mkdir()
    second.mkdir()
    script = f"""
from pathlib import Path
from hookpm.probe.process import run_to_end
run_to_end(["true"], cwd=Path({str(second)!r}), env={{}}, scratch=Path({str(second)!r}), timeout=9)
print("still here")
"""
    root = str(Path(process.__file__).parents[2])
    done = run(first, "env", f"PYTHONPATH={root}", sys.executable, "-c", script)
    assert (done.rc, done.stdout) == (0, "still here\n"), done.stderr
