"""hookpm probe: what it prints, keeps and refuses; the measuring itself is another test's."""

from __future__ import annotations

import json
import signal
from pathlib import Path

import pytest

from hookpm import agents
from hookpm.agents import local
from hookpm.agents.local import HELD, NOT_HELD, NOT_MEASURED
from hookpm.cli import main
from hookpm.contract.events import CAPABILITIES
from hookpm.probe import compare, here
from hookpm.probe.measure import Measured, Progress
from hookpm.probe.verdicts import Verdict
from tests.cli import jsonpage


@pytest.fixture(autouse=True)
def data(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The user's data folder."""
    monkeypatch.setattr(local, "folder", lambda: tmp_path / "measured")
    return tmp_path / "measured"


@pytest.fixture
def program(tmp_path: Path) -> Path:
    place = tmp_path / "codex"
    place.write_text("#!/bin/sh\n")
    place.chmod(0o755)
    return place


def as_shipped(**others: str) -> dict[str, Verdict]:
    """All cells of Codex as the table predicts them, but for those named with _ for the dot."""
    facts, cells = agents.facts_of("codex"), {}
    for event, words in CAPABILITIES.items():
        for word in words:
            outcome = compare.predicted(facts.cell(event, word).on("headless")) or NOT_MEASURED
            cells[f"{event}.{word}"] = Verdict(
                others.get(f"{event}_{word}", outcome), "it was seen"
            )
    return cells


def stand_in(monkeypatch: pytest.MonkeyPatch, cells: dict[str, Verdict]) -> list[Path]:
    """A measuring that finds these; returns the programs it was given."""
    asked: list[Path] = []

    def found(agent: str, program: Path, progress: Progress, limit: float) -> Measured:
        assert limit > 0
        progress("at work")
        asked.append(program)
        return Measured(agent, "9.9.9", cells, {"Stop": True}, 10, 12.3)

    monkeypatch.setattr(here, "measure_installed", found)
    return asked


def test_a_table_that_is_right_is_exit_code_0(
    monkeypatch: pytest.MonkeyPatch,
    program: Path,
    data: Path,
    capsys: pytest.CaptureFixture[str],
) -> None:
    asked = stand_in(monkeypatch, as_shipped())
    assert main.run(["probe", "codex", "--installed", str(program)]) == 0
    assert asked == [program]
    out = capsys.readouterr().out
    assert "9.9.9" in out
    assert "0 other than the table says" in out
    assert not data.exists()


def test_a_difference_stands_first_and_is_exit_code_1(
    monkeypatch: pytest.MonkeyPatch, program: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    stand_in(monkeypatch, as_shipped(PreToolUse_deny=NOT_HELD))
    assert main.run(["probe", "codex", "--installed", str(program)]) == 1
    lines = capsys.readouterr().out.splitlines()
    heads = [line for line in lines if line.endswith(":")]
    assert heads[0] == "other than the table says:"
    found = lines[lines.index(heads[0]) + 2]
    assert found.split()[:4] == ["PreToolUse.deny", "native", "not", "held"]
    assert any("--update" in line for line in lines)


def test_update_keeps_what_was_measured_and_the_other_commands_go_by_it(
    monkeypatch: pytest.MonkeyPatch,
    program: Path,
    data: Path,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
) -> None:
    stand_in(monkeypatch, as_shipped(PreToolUse_deny=NOT_HELD))
    agents.facts_here.cache_clear()
    try:
        assert main.run(["probe", "codex", "--installed", str(program), "--update"]) == 0
        assert [path.name for path in data.iterdir()] == ["codex-9.9.9.json"]
        capsys.readouterr()
        (tmp_path / ".git").mkdir()
        assert main.run(["agents", "codex", "--json", "--root", str(tmp_path)]) == 0
        (shown,) = json.loads(capsys.readouterr().out)["agents"]
        deny = shown["events"]["PreToolUse"]["answers"]["deny"]
        assert (deny["basis"], deny["version"]) == ("observed", "9.9.9")
        assert deny["surfaces"] == {"headless": "dropped", "interactive": "native"}
        assert "measured here" in deny["source"]
        assert main.run(["probe", "codex", "--forget"]) == 0
        assert not list(data.iterdir())
    finally:
        agents.facts_here.cache_clear()


def test_json_is_one_document_with_both_tables(
    monkeypatch: pytest.MonkeyPatch, program: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    stand_in(monkeypatch, as_shipped(PreToolUse_ask=HELD))
    assert main.run(["probe", "codex", "--installed", str(program), "--json"]) == 1
    document = json.loads(capsys.readouterr().out)
    assert (document["agent"], document["version"], document["kept"]) == ("codex", "9.9.9", None)
    first = document["cells"][0]
    assert first == {
        "capability": "PreToolUse.ask",
        "shipped": "dropped",
        "outcome": "held",
        "why": "it was seen",
        "status": "differs",
    }
    assert len(document["cells"]) == sum(map(len, CAPABILITIES.values()))
    known = jsonpage.blocks()
    assert not list(jsonpage.differences(document, known["probe"], known))
    assert main.run(["probe", "codex", "--forget", "--json"]) == 0
    gone = json.loads(capsys.readouterr().out)
    assert not list(jsonpage.differences(gone, known["probe --forget"], known))


@pytest.mark.parametrize("name", ["cursor", "vscode", "windsurf"])
def test_an_agent_that_cannot_be_driven_is_refused_in_clear_words(
    name: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main.run(["probe", name]) == 3
    said = capsys.readouterr().err
    assert "cannot be measured" in said
    assert "these can be measured: " in said


def test_an_unknown_agent_is_refused_with_near_names(capsys: pytest.CaptureFixture[str]) -> None:
    assert main.run(["probe", "codx"]) == 2
    assert "codex" in capsys.readouterr().err


def test_an_agent_that_is_not_installed_is_said_with_the_way_out(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    assert main.run(["probe", "codex"]) == 3
    said = capsys.readouterr().err
    assert "is not on PATH" in said
    assert "--installed" in said
    assert main.run(["probe", "codex", "--installed", str(tmp_path / "gone")]) == 3


def test_the_program_on_path_is_the_one_that_is_measured(
    monkeypatch: pytest.MonkeyPatch, program: Path
) -> None:
    monkeypatch.setenv("PATH", str(program.parent))
    asked = stand_in(monkeypatch, as_shipped())
    assert main.run(["probe", "codex"]) == 0
    assert asked == [program]


def test_a_program_that_names_no_version_is_not_measured(
    program: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    program.write_text("#!/bin/sh\necho hello\n")
    assert main.run(["probe", "codex", "--installed", str(program)]) == 3
    said = capsys.readouterr().err
    assert "does not name its version" in said
    assert "hello" in said


def test_an_end_from_outside_is_taken_as_ctrl_c_and_the_handler_goes(
    monkeypatch: pytest.MonkeyPatch, program: Path
) -> None:
    def killed(agent: str, program: Path, progress: Progress, limit: float) -> Measured:
        signal.raise_signal(signal.SIGTERM)
        raise AssertionError("it went on")

    before = signal.getsignal(signal.SIGTERM)
    monkeypatch.setattr(here, "measure_installed", killed)
    assert main.run(["probe", "codex", "--installed", str(program)]) == 130
    assert signal.getsignal(signal.SIGTERM) == before
