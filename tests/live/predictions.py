"""Counts what the agents' tables predicted of real runs, and what of it came true."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from pathlib import Path
from typing import NamedTuple

PROPERTY = "prediction of"
_HEAD = """\
# What the tables of hookpm/agents/*/facts.toml predicted of runs of the real agents, and how much
# of it came true. Written by `python3 tests/run.py live --predictions docs/predictions.toml`.
"""


class Report(NamedTuple):
    """One test that ran: its outcome ("passed", "failed") and its user properties."""

    outcome: str
    properties: Iterable[tuple[str, object]]


class Score(NamedTuple):
    """Predictions about one agent."""

    right: int
    made: int


def count(reports: Iterable[Report]) -> dict[str, Score]:
    """Agent -> score, of the reports that are about a prediction; in the order of the names."""
    right: Counter[str] = Counter()
    made: Counter[str] = Counter()
    for report in reports:
        for key, agent in report.properties:
            if key == PROPERTY:
                made[str(agent)] += 1
                right[str(agent)] += report.outcome == "passed"
    return {agent: Score(right[agent], made[agent]) for agent in sorted(made)}


def line(scores: dict[str, Score]) -> str:
    """The figures in one line, what is wrong first to be seen in the number."""
    right = sum(score.right for score in scores.values())
    made = sum(score.made for score in scores.values())
    each = ", ".join(f"{agent} {one.right} of {one.made}" for agent, one in scores.items())
    return f"predictions right: {right} of {made} ({each})"


def record(file: Path, scores: dict[str, Score]) -> None:
    """Write the scores where `python -m hookpm.audit.table` reads them."""
    rows = (f"{agent} = {{ right = {s.right}, made = {s.made} }}" for agent, s in scores.items())
    file.write_text(_HEAD + "\n" + "\n".join(rows) + "\n", encoding="utf-8")
