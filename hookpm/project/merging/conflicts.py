"""hookpm.toml and hooks.json that git could not merge: what two branches only added, as one. Pure.

What both of them changed in the same place is the user's to decide: None is the answer then.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from typing import Any, NamedTuple

from hookpm.edit import jsondoc, jsonedit, tomltext
from hookpm.errors import HookpmError
from hookpm.project.merging.lockmerge import sides

_KEY = re.compile(r"\s*([A-Za-z0-9_-]+|\"[^\"]*\"|'[^']*')\s*=")
_HEADER = re.compile(r"\s*\[")


class Hunk(NamedTuple):
    """A conflict: the lines of our side, and of theirs."""

    ours: list[str]
    theirs: list[str]


Lines = Mapping[tuple[str, str], str]  # (table, key) -> line


def has_markers(text: str) -> bool:
    """Did git leave a conflict in a text?"""
    return "\n<<<<<<< " in f"\n{text}"


def settings(text: str, base: str) -> str | None:
    """A hookpm.toml with conflicts as one text; base: what both sides came from.

    Lines that one side added, changed or removed count; where both did, they have to agree. Of
    `agents` both sides' changes are taken together.
    """
    known = _keyed(base.splitlines(keepends=True))
    made: list[str] = []
    for part in _parts(text):
        if isinstance(part, str):
            made.append(part)
            continue
        lines = _resolved(part, _table(made), known)
        if lines is None:
            return None
        made += lines
    return "".join(made)


def hooks(text: str, base: str | None) -> str | None:
    """A hooks file with conflicts as one text. The packs' groups in it are made anew by a sync, so
    the sides may differ in them; in the user's own only one side may have changed."""
    both = sides(text)
    if both is None:
        return None
    ours, theirs = (_own(side) for side in both)
    before = None if base is None else _own(base)
    if ours is None or theirs is None:
        return None
    if theirs in (ours, before):
        return _without_one_sided(both[0], both[1])
    return _without_one_sided(both[1], both[0]) if ours == before else None


def _without_one_sided(text: str, other: str) -> str:
    """A side without those of the packs' groups that the other has not: who takes a pack out took
    its groups out, and those of a pack that is wanted come back with the sync."""
    kept = {place[:3] for place in _places(other)}
    going = [("hooks", place[0], place[3]) for place in _places(text) if place[:3] not in kept]
    return jsonedit.remove_many(text, going, (), "hooks.json")


def _places(text: str) -> list[tuple[str, str, str, int]]:
    """Event, pack, id and index of every group of a pack."""
    table = (jsondoc.parse(text, "hooks.json").value or {}).get("hooks", {})
    return [
        (event, str(group["pack"]), str(group.get("id")), index)
        for event, groups in table.items()
        for index, group in enumerate(groups if isinstance(groups, list) else [])
        if isinstance(group, dict) and "pack" in group
    ]


# --- hookpm.toml -------------------------------------------------------------------------------


def _parts(text: str) -> Iterator[str | Hunk]:
    """Lines outside of conflicts, and the conflicts."""
    hunk: Hunk | None = None
    into: list[str] | None = None
    for line in text.splitlines(keepends=True):
        mark = line[:7]
        if mark == "<" * 7:
            hunk = Hunk([], [])
            into = hunk.ours
        elif hunk is None:
            yield line
        elif mark == "|" * 7:
            into = None
        elif line.rstrip() == "=" * 7:
            into = hunk.theirs
        elif mark == ">" * 7:
            yield hunk
            hunk = None
        elif into is not None:
            into.append(line)


def _resolved(hunk: Hunk, table: str, base: Lines) -> list[str] | None:
    if any(_HEADER.match(line) for line in (*hunk.ours, *hunk.theirs)):
        return None
    if not all(_key(line) or _is_silent(line) for line in (*hunk.ours, *hunk.theirs)):
        return None
    ours, theirs = _keyed(hunk.ours, table), _keyed(hunk.theirs, table)
    made = [line for line in hunk.ours if _is_silent(line)]
    for place in dict.fromkeys([*ours, *theirs]):
        taken = _three_way(place, base.get(place), ours.get(place), theirs.get(place))
        if taken is None:
            return None
        made.append(taken)
    return [line for line in made if line]


def _three_way(
    place: tuple[str, str], base: str | None, ours: str | None, theirs: str | None
) -> str | None:
    """The line that counts; "" for none, None where the sides do not agree."""
    if ours == theirs or theirs == base:
        return ours or ""
    if ours == base:
        return theirs or ""
    if place == ("", "agents") and ours and theirs:
        return _together(base, ours, theirs)
    return None


def _together(base: str | None, ours: str, theirs: str) -> str | None:
    """`agents` with what each side added, and without what either took out."""
    lists = [_value(line) for line in (base or "agents = []", ours, theirs)]
    if not all(isinstance(each, list) for each in lists) or "#" in ours + theirs:
        return None
    before, mine, other = lists
    kept = [name for name in mine if name in other or name not in before]
    added = [name for name in other if name not in mine and name not in before]
    return f"agents = {json.dumps([*kept, *added])}\n"


def _keyed(lines: list[str], table: str = "") -> dict[tuple[str, str], str]:
    found = {}
    for line in lines:
        if _HEADER.match(line):
            table = line.split("#")[0].strip()
        elif key := _key(line):
            found[table, key] = line if line.endswith("\n") else f"{line}\n"
    return found


def _table(lines: list[str]) -> str:
    headers = [line for line in lines if _HEADER.match(line)]
    return headers[-1].split("#")[0].strip() if headers else ""


def _key(line: str) -> str | None:
    """The key of a line that is a whole `key = value`."""
    found = _KEY.match(line)
    return found[1].strip("\"'") if found and _value(line) is not None else None


def _value(line: str) -> Any:
    try:
        return next(iter(tomltext.loads(line).values()))
    except (ValueError, RecursionError, StopIteration):
        return None


def _is_silent(line: str) -> bool:
    return not line.strip() or line.lstrip().startswith("#")


# --- hooks.json --------------------------------------------------------------------------------


def _own(text: str) -> Any:
    """All of a hooks file but the packs' groups; None where it does not read."""
    try:
        value = jsondoc.parse(text or "{}", "hooks.json").value
    except HookpmError:
        return None
    if not isinstance(value, dict) or not isinstance(value.get("hooks", {}), dict):
        return None
    rest = {name: each for name, each in value.items() if name not in ("hooks", "$schema")}
    own = {event: _users(groups) for event, groups in value.get("hooks", {}).items()}
    return {**rest, "hooks": {event: groups for event, groups in own.items() if groups}}


def _users(groups: Any) -> Any:
    if not isinstance(groups, list):
        return groups
    return [each for each in groups if not (isinstance(each, dict) and "pack" in each)]
