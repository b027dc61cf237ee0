"""What was measured beside what the table says: differences first. Pure."""

from __future__ import annotations

from typing import Any, NamedTuple

from hookpm.agents.facts import MEETS, Facts
from hookpm.agents.local import HEADLESS, HELD, NOT_HELD, NOT_MEASURED, Evidence, Outcome
from hookpm.probe.measure import Measured

DIFFERS = "differs"
NEW = "new"  # nobody knew it before
AGREES = "agrees"
UNSEEN = "not measured here"
_ORDER = (DIFFERS, NEW, AGREES, UNSEEN)


class Row(NamedTuple):
    """One cell, headless. shipped: the table's support word. status: one of the words above."""

    cell: str
    shipped: str
    outcome: str
    why: str
    status: str

    def json(self) -> dict[str, Any]:
        """The row as `hookpm probe --json` gives it."""
        return {
            "capability": self.cell,
            "shipped": self.shipped,
            "outcome": self.outcome,
            "why": self.why,
            "status": self.status,
        }


class EventRow(NamedTuple):
    """Does an event fire headless: by the table, and as measured."""

    event: str
    shipped: bool
    measured: bool


def predicted(support: str) -> str | None:
    """What the table's word lets one expect; None where it says that nobody knows."""
    if support == "unknown":
        return None
    return HELD if support in MEETS else NOT_HELD


def rows(facts: Facts, measured: Measured) -> list[Row]:
    """A row per cell, differences first, otherwise in the contract's order."""
    found = []
    for cell, verdict in measured.cells.items():
        event, _, word = cell.partition(".")
        shipped = facts.cell(event, word).on(HEADLESS)
        status = _status(shipped, verdict.outcome)
        found.append(Row(cell, shipped, verdict.outcome, verdict.why, status))
    return sorted(found, key=lambda row: _ORDER.index(row.status))


def _status(shipped: str, outcome: str) -> str:
    if outcome == NOT_MEASURED:
        return UNSEEN
    expected = predicted(shipped)
    if expected is None:
        return NEW
    return AGREES if expected == outcome else DIFFERS


def event_rows(facts: Facts, measured: Measured) -> list[EventRow]:
    """The events that fire where the table says they do not, and the other way round."""
    found = []
    for event, fires in measured.fires.items():
        known = facts.events[event]
        shipped = bool(known.native) and known.fires.get(HEADLESS, True)
        if shipped != fires:
            found.append(EventRow(event, shipped, fires))
    return found


def evidence(measured: Measured, when: str) -> Evidence:
    """What is kept of a measuring. when: its day and time in UTC, as ISO 8601 spells it."""
    return Evidence(
        agent=measured.agent,
        version=measured.version,
        measured=when,
        cells={cell: Outcome(v.outcome, v.why) for cell, v in measured.cells.items()},
        fires=dict(measured.fires),
    )
