"""A link to a fast Python in the user's cache: a version manager's shim costs 100 to 200 ms a call.

The wired lines of all projects use `${XDG_CACHE_HOME:-$HOME/.cache}/hookpm/python3` where it is
there, and else `python3` from PATH. The link is the machine's, never a project's.
"""

from __future__ import annotations

import os
import sys
from pathlib import Path

from hookpm.registry.userfolders import cache_folder


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
    return link.is_symlink() and os.access(link, os.X_OK) and link.is_file()
