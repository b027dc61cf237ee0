"""Files that git could not merge, as one: what they were before is in its index, not guessed."""

from __future__ import annotations

import subprocess
from collections.abc import Callable
from pathlib import Path

from hookpm.errors import FileFormatError
from hookpm.project.merging import conflicts


def healed(root: Path, path: str, text: str, merge: Callable[[str, str | None], str | None]) -> str:
    """The text of a file with git's conflicts in it as one. merge: as in `conflicts`.

    Raises FileFormatError, with the line of the first conflict, where that is the user's to decide.
    """
    made = merge(text, _base(root, path))
    if made is not None:
        return made
    raise FileFormatError(
        "git left a merge conflict that both sides have to be read for",
        cause="both branches changed the same thing, or git no longer knows what it was before",
        hint="take the side that is right, or write what is; then run `hookpm sync`",
        file=root / path,
        line=f"\n{text}".count("\n", 0, f"\n{text}".index("\n<<<<<<< ") + 1),
    )


def settings(text: str, base: str | None) -> str | None:
    """A hookpm.toml as one; None where git does not know what it was before."""
    return None if base is None else conflicts.settings(text, base)


def _base(root: Path, path: str) -> str | None:
    """What both sides of an unmerged file came from; "" where both added it, None for no answer."""
    try:
        listed = _git(root, "ls-files", "-u", "-z", "--", path)
        entries = [entry.split() for entry in listed.split("\0") if entry.strip()]
        stages = {stage: blob for _, blob, stage, *_ in entries}
        if not stages:
            return None
        return _git(root, "cat-file", "blob", stages["1"]) if "1" in stages else ""
    except (OSError, subprocess.SubprocessError, ValueError):
        return None


def _git(root: Path, *arguments: str) -> str:
    done = subprocess.run(
        ["git", *arguments], cwd=root, check=True, capture_output=True, timeout=30
    )
    return done.stdout.decode()
