"""A plan while it is being made: what changes, and what the lock will say of it."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from hookpm.project.writing.change import Change

if TYPE_CHECKING:
    from hookpm.agents.wiring import Finding
    from hookpm.project.state import State
    from hookpm.resolve import lock as locks


class AgentPlan(NamedTuple):
    """What becomes of one agent. findings: why its file is left alone; off: why its hooks do not
    run although they are wired; notes: what is put right in its file; idle: it has none of the
    events that there are hooks for, so that there is nothing to wire."""

    agent: str
    file: str
    wired: bool
    findings: tuple[Finding, ...] = ()
    off: tuple[Finding, ...] = ()
    notes: tuple[str, ...] = ()
    idle: bool = False


@dataclass(slots=True)
class Draft:
    """Filled part by part; `put` leaves out what stays as it is."""

    state: State
    changes: dict[str, Change] = field(default_factory=dict)
    edits: list[locks.Edit] = field(default_factory=list)
    wirings: list[locks.Wiring] = field(default_factory=list)
    agents: list[AgentPlan] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)
    strangers: list[str] = field(default_factory=list)
    not_run: list[str] = field(default_factory=list)
    made: list[str] = field(default_factory=list)

    def put(
        self,
        path: str,
        old: bytes | None,
        new: bytes | None,
        executable: bool = False,
        *,
        anew: bool = False,
    ) -> None:
        """A file's content before and after. anew: for the mode, even where that is the same."""
        if old != new or anew:
            self.changes[path] = Change(path, old, new, executable)


def missing_folders(root: Path, path: str) -> list[str]:
    """The folders above a file that do not exist yet, from the root down."""
    parents = [str(p) for p in reversed(Path(path).parents) if str(p) != "."]
    return [p for p in parents if not (root / p).exists()]
