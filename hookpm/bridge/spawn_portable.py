"""Run commands side by side where there is no `posix_spawn`: on `subprocess` and threads.

Vendored. Stands in for spawn.py, with the same meaning, at the price of slower imports. Tested on
Linux; untested on Windows.
"""

import subprocess
import threading

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import IO

    from hookpm.bridge.job import Job

MOST_OUTPUT = 32 << 20  # bytes of one stream; what prints more has failed
MOST_AT_ONCE = 32
_WAIT = 0.2  # seconds for what an ended hook has left in its pipes
_LEFT_OVER = 17  # pieces; no pipe holds more than 1 MB of it
_PIECE = 1 << 16


def run_all(jobs: "Sequence[Job]") -> None:
    """Run the jobs side by side and fill in their results; never raises for what a hook does."""
    running: "list[subprocess.Popen[bytes]]" = []
    _end_with_us(running)
    for start in range(0, len(jobs), MOST_AT_ONCE):
        threads = [
            threading.Thread(target=_run, args=(job, running), daemon=True)
            for job in jobs[start : start + MOST_AT_ONCE]
        ]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()


def _end_with_us(running: "list[subprocess.Popen[bytes]]") -> None:
    """When the agent ends the bridge, the hooks end too."""
    import os
    import signal

    def end(_number: int, _frame: object) -> None:
        for process in running:
            _kill(process)
        os._exit(0)

    for name in ("SIGTERM", "SIGINT", "SIGHUP", "SIGBREAK"):
        if hasattr(signal, name):
            signal.signal(getattr(signal, name), end)
    if hasattr(signal, "pthread_sigmask"):  # what the agent ignores or blocks, hooks do not inherit
        signal.signal(signal.SIGCHLD, signal.SIG_DFL)
        signal.pthread_sigmask(signal.SIG_SETMASK, ())


def _run(job: "Job", running: "list[subprocess.Popen[bytes]]") -> None:
    try:
        process = _start(job)
    except (OSError, ValueError) as error:
        job.error = str(getattr(error, "strerror", None) or error)
        return
    running.append(process)
    streams = ((process.stdout, job.stdout), (process.stderr, job.stderr))
    threads = [threading.Thread(target=_feed, args=(job, process), daemon=True)]
    threads += [
        threading.Thread(target=_take, args=(job, process, *stream), daemon=True)
        for stream in streams
    ]
    for thread in threads:
        thread.start()
    try:
        process.wait(job.timeout)
    except subprocess.TimeoutExpired:
        job.late = True
        _kill(process)
        process.wait()
    for thread in threads[1:]:
        thread.join(_WAIT)
    running.remove(process)
    job.exit_code = process.returncode


def _start(job: "Job") -> "subprocess.Popen[bytes]":
    import os

    words = [os.fsdecode(word) for word in job.argv]
    given = {os.fsdecode(name): os.fsdecode(value) for name, value in job.environment.items()}
    if os.name == "nt" and words[0] == "/bin/sh":
        words[0] = "sh"  # Git's, which also runs the wired line
    return subprocess.Popen(
        words,
        env=given,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        start_new_session=os.name != "nt",
    )


def _feed(job: "Job", process: "subprocess.Popen[bytes]") -> None:
    try:
        with process.stdin as stdin:  # type: ignore[union-attr]
            stdin.write(job.input)
    except (OSError, ValueError):
        pass  # it reads no stdin, which is its right


def _take(
    job: "Job", process: "subprocess.Popen[bytes]", stream: "IO[bytes]", into: bytearray
) -> None:
    import os

    left_over = _LEFT_OVER
    while left_over:
        try:
            piece = os.read(stream.fileno(), _PIECE)
        except (OSError, ValueError):
            return
        if not piece:
            return
        into += piece
        if process.poll() is not None:
            left_over -= 1
        elif len(into) > MOST_OUTPUT:
            job.error = "it printed more than " + str(MOST_OUTPUT >> 20) + " MB"
            _kill(process)
            return


def _kill(process: "subprocess.Popen[bytes]") -> None:
    """End the hook and what it started."""
    import os
    import signal

    try:
        if os.name == "nt":
            subprocess.call(["taskkill", "/T", "/F", "/PID", str(process.pid)])
        else:
            os.killpg(process.pid, signal.SIGKILL)
    except OSError:
        pass  # gone already
