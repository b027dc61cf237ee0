"""Run commands side by side, each with its own input and time limit.

Vendored. On `posix_spawn` and `poll`: `subprocess` alone costs more than Python's start. A hook's
end is its process's end: a child that it leaves behind with our pipe open is not waited for.
"""

import _signal  # type: ignore[import-not-found]  # `signal` itself imports enum
import posix
import select
import time
from posix import POSIX_SPAWN_DUP2, posix_spawnp  # none on Windows: see spawn_portable.py

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from hookpm.bridge.job import Job

MOST_OUTPUT = 32 << 20  # bytes of one stream; what prints more has failed
MOST_AT_ONCE = 32  # a patch of 500 files must not run into the limits on processes and files
_PIECE = 1 << 16
_LEFT_OVER = 17  # pieces; no pipe holds more than 1 MB of what an ended hook wrote


def run_all(jobs: "Sequence[Job]") -> None:
    """Run the jobs side by side and fill in their results; never raises for what a hook does."""
    running: "list[Job]" = []
    waiting = list(reversed(jobs))
    poll = select.poll()
    wake_read, wake_write = posix.pipe()
    for handle in (wake_read, wake_write):
        posix.set_blocking(handle, False)
    old_handler = _signal.signal(_signal.SIGCHLD, _wake_up)
    old_wakeup = _signal.set_wakeup_fd(wake_write, warn_on_full_buffer=False)
    old_mask = _signal.pthread_sigmask(_signal.SIG_UNBLOCK, (_signal.SIGCHLD,))
    end_handlers = _end_with_us(running)
    poll.register(wake_read, select.POLLIN)
    try:
        while running or waiting:
            while waiting and len(running) < MOST_AT_ONCE:
                _start(waiting.pop(), poll, running)
            for job in list(running):
                if _reap(job, poll):
                    running.remove(job)
            if running and (not waiting or len(running) == MOST_AT_ONCE):
                _serve(running, poll, wake_read)
    finally:
        _signal.pthread_sigmask(_signal.SIG_SETMASK, old_mask)
        _signal.set_wakeup_fd(old_wakeup)
        _signal.signal(_signal.SIGCHLD, old_handler or _signal.SIG_DFL)
        for number, handler in end_handlers:
            _signal.signal(number, handler or _signal.SIG_DFL)
        posix.close(wake_read)
        posix.close(wake_write)


def _wake_up(_number: int, _frame: object) -> None:
    """Nothing to do: the signal's number in the wake-up pipe is what ends the poll."""


def _end_with_us(running: "list[Job]") -> "list[tuple[int, object]]":
    """When the agent ends the bridge, the hooks end too: nothing is left running."""

    def end(_number: int, _frame: object) -> None:
        for job in running:
            _kill(job)
        posix._exit(0)

    numbers = (_signal.SIGTERM, _signal.SIGINT, _signal.SIGHUP)
    return [(number, _signal.signal(number, end)) for number in numbers]


def _start(job: "Job", poll: "select.poll", running: "list[Job]") -> None:
    handles: "list[int]" = []  # stdin, stdout, stderr, two ends each
    try:
        for _ in range(3):
            handles += posix.pipe()
        theirs = (handles[0], handles[3], handles[5])
        job.pid = posix_spawnp(
            job.argv[0],
            job.argv,
            job.environment,
            file_actions=[(POSIX_SPAWN_DUP2, handle, to) for to, handle in enumerate(theirs)],
            setpgroup=0,
            setsigmask=(),
            setsigdef=(_signal.SIGPIPE, _signal.SIGXFSZ),  # Python ignores them, hooks must not
        )
        running.append(job)
    except (OSError, ValueError) as error:  # ValueError: a NUL in a word
        job.error = str(getattr(error, "strerror", None) or error)
        for handle in handles:
            posix.close(handle)
        return
    for handle in theirs:
        posix.close(handle)
    job.deadline = time.monotonic() + job.timeout
    job.pipes = {handles[1]: "input", handles[2]: "stdout", handles[4]: "stderr"}
    for handle, name in job.pipes.items():
        posix.set_blocking(handle, False)
        poll.register(handle, select.POLLOUT if name == "input" else select.POLLIN)


def _serve(running: "list[Job]", poll: "select.poll", wake: int) -> None:
    """Wait for the next thing to happen, and move bytes."""
    nearest = min(job.deadline for job in running) - time.monotonic()
    for handle, _ in poll.poll(max(0, int(nearest * 1000) + 1)):
        if handle == wake:
            posix.read(wake, 512)
            continue
        for job in running:
            if handle in job.pipes:
                _move(job, handle, poll)
    now = time.monotonic()
    for job in running:
        if now >= job.deadline and not job.late:
            job.late = True
            _kill(job)


def _move(job: "Job", handle: int, poll: "select.poll") -> None:
    name = job.pipes[handle]
    try:
        if name == "input":
            sent = posix.write(handle, job.input[:_PIECE])
            job.input = job.input[sent:]
            if not job.input:
                _close(job, handle, poll)
            return
        piece = posix.read(handle, _PIECE)
    except BlockingIOError:
        return
    except OSError:  # it reads no stdin (EPIPE), which is its right
        piece = b""
    if not piece:
        _close(job, handle, poll)
        return
    taken: bytearray = getattr(job, name)
    taken += piece
    if len(taken) > MOST_OUTPUT:
        job.error = "it printed more than " + str(MOST_OUTPUT >> 20) + " MB"
        _kill(job)


def _reap(job: "Job", poll: "select.poll") -> bool:
    """Has the process ended? Then take what is left in its pipes."""
    pid, status = posix.waitpid(job.pid, posix.WNOHANG)
    if not pid:
        return False
    for handle, name in list(job.pipes.items()):
        for _ in range(_LEFT_OVER if name != "input" else 0):
            before = len(getattr(job, name))
            if handle in job.pipes and not job.error:
                _move(job, handle, poll)
            if len(getattr(job, name)) == before:
                break
        if handle in job.pipes:
            _close(job, handle, poll)
    if posix.WIFSIGNALED(status):
        job.exit_code = -posix.WTERMSIG(status)
    else:
        job.exit_code = posix.WEXITSTATUS(status)
    return True


def _close(job: "Job", handle: int, poll: "select.poll") -> None:
    poll.unregister(handle)
    posix.close(handle)
    del job.pipes[handle]


def _kill(job: "Job") -> None:
    """End the hook's whole process group."""
    try:
        posix.killpg(job.pid, _signal.SIGKILL)
    except OSError:
        pass  # gone already
