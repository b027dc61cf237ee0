"""What can be wrong in a project: one value, that status, verify and doctor print."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

SYNC = "hookpm sync"


class Problem(NamedTuple):
    """One thing that is wrong. severity: "broken" (hooks do not run as they should), "drift" (the
    files are not what the lock says) or "note"; fix: the command that mends it."""

    code: str
    severity: str
    file: str | None
    agent: str | None
    message: str
    fix: str
    line: int | None = None


def state_word(problems: Sequence[Problem]) -> str:
    """ok, drift or broken."""
    if any(problem.severity == "broken" for problem in problems):
        return "broken"
    return "drift" if any(problem.severity == "drift" for problem in problems) else "ok"
