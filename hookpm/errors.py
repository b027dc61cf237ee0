"""Errors that users see: what is wrong, where, and what to do about it."""

from __future__ import annotations

TYPE_CHECKING = False  # `typing` is not imported for a name: `hookpm --help` has to be quick
if TYPE_CHECKING:
    from pathlib import Path


class HookpmError(Exception):
    """An expected failure; the command line prints it as `error:`, `cause:` and `hint:` lines.

    message: one sentence, no trailing full stop.
    cause: the underlying reason, often the operating system's own words.
    hint: what the user can do now.
    file, line: the place, where there is one; line counts from 1.
    """

    exit_code = 3
    code = "failed"

    def __init__(
        self,
        message: str,
        *,
        cause: str | None = None,
        hint: str | None = None,
        file: Path | str | None = None,
        line: int | None = None,
    ) -> None:
        super().__init__(message)
        self.message = message
        self.cause = cause
        self.hint = hint
        self.file = None if file is None else str(file)
        self.line = line

    @property
    def place(self) -> str | None:
        """`file:line`, or the file alone, or None."""
        if self.file is None:
            return None
        return self.file if self.line is None else f"{self.file}:{self.line}"


class UsageError(HookpmError):
    """The command line is refused: unknown command, option or agent, malformed specifier."""

    exit_code = 2
    code = "usage"


class RefusedError(HookpmError):
    """The answer is no: a gap in needs, drift, a finding."""

    exit_code = 1
    code = "refused"


class FileFormatError(HookpmError):
    """A file that hookpm reads does not hold what it should."""

    code = "bad-file"


class NotFoundError(HookpmError):
    """No such pack, version, option or schema."""

    code = "not-found"


class SystemFailureError(HookpmError):
    """The disk, the network or a permission stood in the way."""

    code = "system"
