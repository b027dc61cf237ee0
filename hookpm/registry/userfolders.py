"""Where the user's cache is: the same folder that the wired line looks into, on every system."""

from __future__ import annotations

import os
from pathlib import Path


def cache_folder() -> Path | None:
    """`${XDG_CACHE_HOME:-~/.cache}/hookpm`; None where there is no home.

    A relative path does not count, as XDG says: it would be another folder in every project.
    """
    base = os.environ.get("XDG_CACHE_HOME", "")
    if base.startswith("/"):
        return Path(base, "hookpm")
    home = os.environ.get("HOME", "")
    return Path(home, ".cache", "hookpm") if home.startswith("/") else None
