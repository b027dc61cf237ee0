"""What the tables predicted of real runs is counted, kept and shown."""

from __future__ import annotations

from pathlib import Path

from hookpm import agents
from hookpm.audit import table
from tests.live import predictions
from tests.live.predictions import PROPERTY, Report, Score


def test_only_tests_about_a_prediction_count_and_only_passed_ones_are_right() -> None:
    reports = [
        Report("passed", [(PROPERTY, "pi")]),
        Report("failed", [(PROPERTY, "pi")]),
        Report("passed", [(PROPERTY, "claude"), ("other", 1)]),
        Report("passed", []),
    ]
    scores = predictions.count(reports)
    assert scores == {"claude": Score(1, 1), "pi": Score(1, 2)}
    assert predictions.line(scores) == "predictions right: 2 of 3 (claude 1 of 1, pi 1 of 2)"


def test_what_a_run_keeps_is_what_the_page_shows(tmp_path: Path) -> None:
    file = tmp_path / "predictions.toml"
    predictions.record(file, {"claude": Score(3, 4), "pi": Score(5, 5)})
    assert table.predictions(file) == {"claude": (3, 4), "pi": (5, 5)}
    text = table.document(agents.all_facts(), table.predictions(file))
    assert "8 of 9 predictions" in text
    assert "| 3 of 4 |" in text


def test_every_measured_agent_and_no_other_has_its_predictions_recorded() -> None:
    measured = {one.name for one in agents.all_facts() if one.measured}
    assert set(table.predictions()) == measured
