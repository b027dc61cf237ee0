"""What every command prints with: messages on stderr, results on stdout, one JSON document.

Output never decides about the work: a reader that goes away, a stream that is closed or a full disk
stops nothing that a command is about to do. What could not be written is asked for at the end.
"""

from __future__ import annotations

import os
import sys

TYPE_CHECKING = False  # `typing` and json are not imported for a help text
if TYPE_CHECKING:
    from typing import Any

    from hookpm.errors import HookpmError


def say(text: str) -> None:
    """A message for the user, on stderr."""
    _write(sys.stderr, _safe(text, sys.stderr) + "\n")


def show(text: str) -> None:
    """A line of the result, on stdout."""
    _write(sys.stdout, _safe(text, sys.stdout) + "\n")


def show_raw(text: str) -> None:
    """Text of the result that another program may take, such as a patch: to the byte, except on a
    terminal, where it is made harmless."""
    buffer = getattr(sys.stdout, "buffer", None)
    if sys.stdout is not None and sys.stdout.isatty():
        show(text.removesuffix("\n"))
    elif buffer is None:
        _write(sys.stdout, text)
    else:
        _write(sys.stdout, "", text.encode("utf-8", "surrogateescape"))


def show_json(document: dict[str, Any]) -> None:
    """The one JSON document of a --json run."""
    import json

    _write(sys.stdout, json.dumps(document, indent=2) + "\n")


def finish(code: int) -> int:
    """Write out what is still held back; the exit code: `code`, or 3 where a result is lost.

    A reader that went away has what he wanted, so that is no loss.
    """
    for stream in (sys.stdout, sys.stderr):
        _write(stream, "", flush=True)
    if not _lost:
        return code
    say(f"error: the output could not be written: {_lost.pop()}")
    return code or 3


_lost: list[Exception] = []


def _write(stream: Any, text: str, data: bytes = b"", *, flush: bool = False) -> None:
    """Write text, and bytes after it. A stream that takes no more is led to nowhere."""
    if stream is None:
        return  # closed before we were started
    try:
        stream.write(text)
        if data:
            stream.flush()
            stream.buffer.write(data)
        if flush or data:
            stream.flush()
    except (OSError, ValueError) as error:
        if stream is sys.stdout and not isinstance(error, BrokenPipeError):
            _lost.append(error)
        _lead_to_nowhere(stream)


def _lead_to_nowhere(stream: Any) -> None:
    """What is still in the stream's buffer goes there too, or Python would complain at its end."""
    try:
        os.dup2(os.open(os.devnull, os.O_WRONLY), stream.fileno())
    except (OSError, ValueError):
        return  # not a stream of the system's


def fail(error: HookpmError, as_json: bool) -> int:
    """Say what is wrong, where, and what to do; returns the error's exit code."""
    if as_json:
        show_json({"error": describe(error)})
    place = f" ({error.place})" if error.place else ""
    say(f"error: {error.message}{place}")
    if error.cause:
        first, *more = error.cause.splitlines()
        say(f"cause: {first}")
        for line in more:
            say(f"       {line}")
    if error.hint:
        say(f"hint: {error.hint}")
    return error.exit_code


def describe(error: HookpmError) -> dict[str, Any]:
    """An error as --json shows it."""
    return {
        "code": error.code,
        "message": error.message,
        "cause": error.cause,
        "hint": error.hint,
        "file": error.file,
        "line": error.line,
    }


def _safe(text: str, stream: Any) -> str:
    """Text that cannot drive the terminal, in an encoding that the stream has.

    Names of files and packs are other people's: control and bidirectional characters are shown.
    """
    shown = "".join(c if c.isprintable() or c in "\n\t" else ascii(c)[1:-1] for c in text)
    encoding = getattr(stream, "encoding", None) or "utf-8"
    return shown.encode(encoding, "backslashreplace").decode(encoding)
