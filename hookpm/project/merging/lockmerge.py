"""A lock that git could not merge: both sides as one, so that a sync can make it anew.

The lock says what hookpm wrote and how to take it back. Of two branches both did: what either of
them wrote may be here, and has to be known to be removed.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from pathlib import Path
from typing import TypeVar

from hookpm.project.vendor import FOLDER
from hookpm.resolve import lock as locks
from hookpm.resolve.lock import Lock, LockedFile

T = TypeVar("T")


def sides(text: str) -> tuple[str, str] | None:
    """The text of our side and of theirs; None where there are no whole conflicts in it."""
    ours: list[str] = []
    theirs: list[str] = []
    into: tuple[list[str], ...] = (ours, theirs)
    conflicts = 0
    for line in text.splitlines(keepends=True):
        mark = line[:7]
        if mark == "<" * 7:
            into, conflicts = (ours,), conflicts + 1
        elif mark == "|" * 7:
            into = ()  # what both came from
        elif line.rstrip() == "=" * 7:
            into = (theirs,)
        elif mark == ">" * 7:
            into = (ours, theirs)
        else:
            for side in into:
                side.append(line)
    return ("".join(ours), "".join(theirs)) if conflicts and len(into) == 2 else None


def merged(text: str, file: Path | str) -> Lock | None:
    """Both sides of a lock in one; of what differs ours counts. None where there is no conflict.

    Raises FileFormatError where a side is no lock.
    """
    both = sides(text)
    if both is None:
        return None
    ours, theirs = (locks.loads(side, file) for side in both)
    files = _union(ours.files, theirs.files, lambda part: part.path)
    return Lock(
        profiles=_union(ours.profiles, theirs.profiles, lambda part: part.source),
        scope=ours.scope,
        packs=_union(ours.packs, theirs.packs, lambda pack: pack.name),
        files=(*files, *_of_their_packs(ours, theirs)),
        wirings=_union(ours.wirings, theirs.wirings, lambda part: part.agent),
        edits=_union(ours.edits, theirs.edits, lambda part: part.file),
    )


def _of_their_packs(ours: Lock, theirs: Lock) -> list[LockedFile]:
    """Files that a pack has on their side alone: to be taken out, and no part of the pack as ours
    has it. What is published with neither version must not count as one."""
    return [
        LockedFile(path=f"{FOLDER}/packs/{pack.name}/{path}", sha256=hashed)
        for pack in theirs.packs
        for path, hashed in pack.files.items()
        if (own := ours.pack(pack.name)) is not None and path not in own.files
    ]


def _union(ours: Iterable[T], theirs: Iterable[T], key: Callable[[T], str]) -> tuple[T, ...]:
    parts = {key(part): part for part in theirs}
    return tuple({**parts, **{key(part): part for part in ours}}.values())
