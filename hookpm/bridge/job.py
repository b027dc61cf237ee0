"""One hook as it is to run: on what terms, with which command and environment, and how it ended.

Vendored.
"""

import posix
import sys

TYPE_CHECKING = False
if TYPE_CHECKING:
    from hookpm.bridge.event import Event
    from hookpm.bridge.http import Request
    from hookpm.contract.hooksfile import Hook


class Task:
    """A hook and its terms. number: its place in the file, from 0.

    rewrites: its pack lists updatedInput in needs or uses; fallback: capability word -> "deny" or
    "drop"; on_failure: "allow" or "block"; options: JSON text. A hook of the user's own has none
    of them but its handler's onFailure.
    """

    __slots__ = ("fallback", "hook", "number", "on_failure", "options", "rewrites")

    def __init__(self, hook: "Hook", number: int) -> None:
        self.hook = hook
        self.number = number
        self.rewrites = False
        self.fallback: "dict[str, str]" = {}
        self.on_failure = hook.on_failure
        self.options = "{}"


class Job:
    """One command and, once it has run, what came of it.

    argv: program (looked up on PATH) and arguments; environment: bytes to bytes; timeout: seconds.
    request: where it is to be sent, None for a command.
    exit_code: < 0 for a signal; late: ended by us at its time limit; error: it did not start.
    """

    __slots__ = (
        "argv",
        "deadline",
        "environment",
        "error",
        "exit_code",
        "input",
        "late",
        "pid",
        "pipes",
        "request",
        "stderr",
        "stdout",
        "timeout",
    )

    def __init__(
        self, argv: "list[bytes]", environment: "dict[bytes, bytes]", data: bytes, timeout: float
    ) -> None:
        self.argv = argv
        self.environment = environment
        self.input = memoryview(data)
        self.timeout = timeout
        self.exit_code = 0
        self.stdout = bytearray()
        self.stderr = bytearray()
        self.late = False
        self.error = ""
        self.pid = 0
        self.deadline = 0.0
        self.pipes: "dict[int, str]" = {}
        self.request: "Request | None" = None


def job(event: "Event", task: Task, data: bytes) -> Job:
    """The job of one hook. data: its stdin, or the body of its request."""
    if task.hook.url:
        from hookpm.bridge import http

        made = Job([], {}, data, task.hook.timeout)
        made.request = http.request(task.hook)
        return made
    return Job(command(task.hook), environment(event, task), data, task.hook.timeout)


def command(hook: "Hook") -> "list[bytes]":
    """The hook's command line as words: through the shell, or as it is in exec form."""
    if hook.args is not None:
        words = [hook.command, *hook.args]
    elif hook.shell == "bash":
        words = ["bash", "-c", hook.command]  # not everywhere in /bin
    else:
        words = ["/bin/sh", "-c", hook.command]
    return [word.encode("utf-8", "surrogatepass") for word in words]


def environment(event: "Event", task: Task) -> "dict[bytes, bytes]":
    """The agent's environment plus the contract's variables."""
    folder = event.here + "/packs/" + task.hook.pack
    cache = sys.pycache_prefix or "/dev/null"  # nowhere rather than beside the hashed files
    variables = {
        "CLAUDE_PROJECT_DIR": event.root,
        "HOOKPM_PYTHON": sys.executable or "python3",
        "HOOKPM_PYCACHE": cache,
    }
    if task.hook.pack:
        variables["HOOKPM_PACK_DIR"] = variables["CLAUDE_PLUGIN_ROOT"] = folder
        variables["HOOKPM_OPTIONS"] = task.options
        variables["PYTHONPYCACHEPREFIX"] = cache
    merged = dict(posix.environ)
    merged.setdefault(b"PYTHONUTF8", b"1")
    encoding = sys.getfilesystemencoding()
    for name, value in variables.items():
        merged[name.encode("ascii")] = value.encode(encoding, "surrogateescape")
    return merged
