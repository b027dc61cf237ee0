"""Names that a disk blind to case, or to Unicode forms, takes for one of a project's own.

Git brings both to such a disk, and the one that it writes last is what runs there, while a disk
that tells them apart has nothing to show.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable
from pathlib import Path


def find(root: Path, paths: Iterable[str]) -> list[str]:
    """Paths from the root of what lies beside these files, or beside a folder above one, under a
    name that is the same but for case and form."""
    names: dict[str, dict[str, list[str]]] = {}
    found: set[str] = set()
    for path in paths:
        folder = ""
        for name in path.split("/"):
            if folder not in names:
                names[folder] = _folded(root / folder)
            for other in names[folder].get(_fold(name), ()):
                if other != name and not _is_same(root / folder, name, other):
                    found.add(f"{folder}{other}")
            folder += f"{name}/"
    return sorted(found)


def _folded(folder: Path) -> dict[str, list[str]]:
    found: dict[str, list[str]] = {}
    try:
        listed = [each.name for each in folder.iterdir()]
    except OSError:
        return {}
    for name in listed:
        found.setdefault(_fold(name), []).append(name)
    return found


def _fold(name: str) -> str:
    return unicodedata.normalize("NFD", unicodedata.normalize("NFD", name).casefold())


def _is_same(folder: Path, name: str, other: str) -> bool:
    """Is it one file, on a disk that is blind already?"""
    try:
        return (folder / name).samefile(folder / other)
    except OSError:
        return False
