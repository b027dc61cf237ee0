"""A link to a fast Python in the user's cache: a version manager's shim costs 100 to 200 ms a call.

The wired lines of all projects use `${XDG_CACHE_HOME:-$HOME/.cache}/hookpm/python3` where it is
there, and else `python3` from PATH. The link is the machine's, never a project's.
"""

from __future__ import annotations

import os
import sys
from pathlib import Path

from hookpm.registry.userfolders import cache_folder

OLDEST = (3, 8)  # the Python that the bridge needs


def version(program: str) -> tuple[int, int] | None:
    """Major and minor version of an interpreter; None for what does not start or is none."""
    import subprocess

    try:
        done = subprocess.run(
            [program, "-I", "-S", "-c", "import sys; print(*sys.version_info[:2])"],
            capture_output=True,
            text=True,
            timeout=20,
            check=True,
            stdin=subprocess.DEVNULL,
        )
        major, minor = done.stdout.split()
        return int(major), int(minor)
    except (OSError, subprocess.SubprocessError, ValueError):
        return None


def is_taken(link: Path) -> bool:
    """Do the wired lines take it? They ask no more than this, and then PATH's is not looked at."""
    return link.is_file() and os.access(link, os.X_OK)


def real_python() -> Path:
    """The interpreter behind this one: no virtual environment, no shim, no link."""
    base = getattr(sys, "_base_executable", None) or sys.executable
    return Path(base).resolve()


def keep_link() -> Path | None:
    """Make or mend the link; a working one is left alone. None where that cannot be done."""
    folder = cache_folder()
    if folder is None:
        return None
    link = folder / "python3"
    try:
        if _works(link):
            return link
        folder.mkdir(parents=True, exist_ok=True)
        draft = folder / f"python3.{os.getpid()}"
        draft.unlink(missing_ok=True)
        draft.symlink_to(real_python())
        draft.replace(link)
    except OSError:
        return None  # the line falls back to python3 on PATH
    return link


def _works(link: Path) -> bool:
    return link.is_symlink() and is_taken(link) and (version(str(link)) or (0, 0)) >= OLDEST
