"""The undo record: what a text does not show later, as strings that JSON and TOML can hold.

Each string is a JSON list of kind and path: ["made", path] for a container that we made,
["empty", path, inside] for a container of the user's that was empty, ["blank", [], text] for a
document that was blank, ["set", path, value] for a member that we set.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any, NamedTuple

Undo = tuple[str, ...]

# How much a record holds after its kind and path.
_EXTRA = {"made": 0, "empty": 1, "blank": 1, "set": 1}


class Records(NamedTuple):
    """An undo record, read."""

    made: frozenset[tuple[str | int, ...]]
    empty: dict[tuple[str | int, ...], str]
    blank: str | None

    @classmethod
    def read(cls, undo: Undo) -> Records:
        """The records of `undo` by kind."""
        records = read(undo)
        return cls(
            frozenset(tuple(path) for kind, path, *_ in records if kind == "made"),
            {tuple(path): inner[0] for kind, path, *inner in records if kind == "empty"},
            next((rest[0] for kind, _, *rest in records if kind == "blank"), None),
        )


def merge_undo(*undos: Undo) -> Undo:
    """One record for several edits of one text, given in the order in which they were made.

    Of one place the latest word counts: a container that we made, that went, and that the user then
    made again is the user's.
    """
    latest: dict[tuple[bool, str], str] = {}
    for kind, path, *rest in (record for undo in undos for record in read(undo)):
        place = (kind == "set", json.dumps(path))
        latest.pop(place, None)
        latest[place] = record(kind, path, *rest)
    return tuple(latest.values())


def record(kind: str, path: Sequence[str | int], *rest: Any) -> str:
    """One line of an undo record."""
    return json.dumps([kind, list(path), *rest])


def read(undo: Undo) -> list[list[Any]]:
    """The records of an undo; a damaged one is passed over, which leaves a container too much."""
    return [found for found in map(_read_line, undo) if found is not None]


def _read_line(line: str) -> list[Any] | None:
    try:
        kind, path, *rest = json.loads(line)
        sound = len(rest) == _EXTRA[kind] and all(isinstance(key, str) for key in path)
    except (ValueError, TypeError, KeyError):
        return None
    texts = kind == "set" or all(isinstance(part, str) for part in rest)
    return [kind, path, *rest] if sound and texts else None
