"""Measured beside shipped: differences first, and an outcome only where the table makes one."""

from __future__ import annotations

import pytest

from hookpm import agents
from hookpm.agents.facts import SUPPORT
from hookpm.agents.local import HELD, NOT_HELD, NOT_MEASURED
from hookpm.probe import compare
from hookpm.probe.measure import Measured
from hookpm.probe.verdicts import Verdict

CODEX = agents.facts_of("codex")


def measured(cells: dict[str, str], fires: dict[str, bool] | None = None) -> Measured:
    verdicts = {cell: Verdict(outcome, "seen") for cell, outcome in cells.items()}
    return Measured("codex", "9.9.9", verdicts, fires or {}, 1, 1.0)


@pytest.mark.parametrize("support", SUPPORT)
def test_every_support_word_predicts_or_says_that_it_cannot(support: str) -> None:
    expected = {"native": HELD, "translated": HELD, "emulated": HELD, "unknown": None}
    assert compare.predicted(support) == expected.get(support, NOT_HELD)


def test_differences_stand_first() -> None:
    rows = compare.rows(
        CODEX,
        measured(
            {
                "PreToolUse.deny": HELD,
                "PreToolUse.allow": NOT_MEASURED,
                "PreToolUse.ask": HELD,
                "Stop.block": NOT_HELD,
            }
        ),
    )
    assert [(row.cell, row.status) for row in rows] == [
        ("PreToolUse.ask", compare.DIFFERS),
        ("Stop.block", compare.DIFFERS),
        ("PreToolUse.deny", compare.AGREES),
        ("PreToolUse.allow", compare.UNSEEN),
    ]


def test_what_nobody_knew_is_new_and_no_difference() -> None:
    claude = agents.facts_of("cursor")
    unknown = [
        f"{event}.{word}"
        for event in claude.events
        for word, cell in claude.cells(event).items()
        if cell.on("headless") == "unknown"
    ]
    rows = compare.rows(claude, measured({unknown[0]: HELD}))
    assert rows[0].status == compare.NEW


def test_the_headless_surface_is_compared_not_the_weakest() -> None:
    rows = compare.rows(agents.facts_of("claude"), measured({"PreToolUse.defer": HELD}))
    assert rows[0].status == compare.AGREES


def test_events_are_told_only_where_they_differ() -> None:
    rows = compare.event_rows(CODEX, measured({}, {"Stop": False, "SessionEnd": True}))
    assert rows == [compare.EventRow("Stop", shipped=True, measured=False)]
