"""A block of lines of ours in a text file of somebody else's, such as git's list of excludes. Pure.

The block is put at the end and found again as a whole; what stands around it keeps every byte.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import NamedTuple

Undo = tuple[str, ...]
_NEWLINE = "newline"  # the record that the text before the block had no newline at its end


class Edited(NamedTuple):
    """A text after an edit, and the record that takes it back."""

    text: str
    undo: Undo


def put(text: str, lines: Sequence[str], undo: Undo = ()) -> Edited:
    """The text with these lines as our block, in the place of the block that `undo` is of.

    A block that is there already, to the letter, stays where it is.
    """
    if json.dumps(list(lines)) in undo and _place(text, lines) is not None:
        return Edited(text, undo)
    before = removed(text, undo)
    if not lines:
        return Edited(before, ())
    bare = before != "" and not before.endswith("\n")
    record = (json.dumps(list(lines)), *([_NEWLINE] if bare else ()))
    return Edited(before + ("\n" if bare else "") + _block(lines), record)


def removed(text: str, undo: Undo) -> str:
    """The text without the block. Where somebody put lines into it, theirs stay."""
    for record in undo:
        if record == _NEWLINE:
            continue
        lines = json.loads(record)
        at = _place(text, lines)
        if at is None:
            text = _one_by_one(text, lines)
            continue
        before, after = text[:at], text[at + len(_block(lines)) :]
        if _NEWLINE in undo and not after:
            before = before.removesuffix("\n")
        text = before + after
    return text


def _one_by_one(text: str, lines: Sequence[str]) -> str:
    kept = text.splitlines(keepends=True)
    for line in lines:
        ours = next((each for each in kept if each.rstrip("\r\n") == line), None)
        if ours is not None:
            kept.remove(ours)
    return "".join(kept)


def _place(text: str, lines: Sequence[str]) -> int | None:
    """Where the block begins, the last one if it is there twice; None if it is not there."""
    whole, at = f"\n{text}", f"\n{_block(lines)}"
    found = whole.rfind(at)
    return None if found < 0 else found


def _block(lines: Sequence[str]) -> str:
    return "".join(f"{line}\n" for line in lines)
