"""One file that changes: the unit of every plan."""

from __future__ import annotations

from typing import NamedTuple


class Change(NamedTuple):
    """One file that changes. path: relative to the root, with forward slashes.

    old: its bytes now, None where there is none; new: its bytes afterwards, None = it goes.
    executable: the mode of a file that is new; an existing file keeps its mode.
    """

    path: str
    old: bytes | None
    new: bytes | None
    executable: bool = False

    @property
    def action(self) -> str:
        """create, change or remove."""
        if self.new is None:
            return "remove"
        return "create" if self.old is None else "change"
