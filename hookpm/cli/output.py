"""What every command prints with: messages on stderr, results on stdout, one JSON document."""

from __future__ import annotations

import sys

TYPE_CHECKING = False  # `typing` and json are not imported for a help text
if TYPE_CHECKING:
    from typing import Any

    from hookpm.errors import HookpmError


def say(text: str) -> None:
    """A message for the user, on stderr."""
    print(_safe(text, sys.stderr), file=sys.stderr)


def show(text: str) -> None:
    """A line of the result, on stdout."""
    print(_safe(text, sys.stdout))


def show_raw(text: str) -> None:
    """Text of the result that another program may take, such as a patch: to the byte, except on a
    terminal, where it is made harmless."""
    buffer = getattr(sys.stdout, "buffer", None)
    if sys.stdout.isatty():
        show(text.removesuffix("\n"))
    elif buffer is None:
        sys.stdout.write(text)
    else:
        sys.stdout.flush()
        buffer.write(text.encode("utf-8", "surrogateescape"))
        buffer.flush()


def show_json(document: dict[str, Any]) -> None:
    """The one JSON document of a --json run."""
    import json

    print(json.dumps(document, indent=2))


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
