"""What was measured here stands in the place of shipped cells, headless, until facts are newer."""

from __future__ import annotations

from pathlib import Path

import msgspec
import pytest

from hookpm import agents
from hookpm.agents import local
from hookpm.agents.facts import Facts, check
from hookpm.agents.local import HELD, NOT_HELD, NOT_MEASURED, Evidence, Outcome
from hookpm.errors import SystemFailureError

GEMINI = agents.facts_of("gemini")
SENT = {"PreToolUse": ("deny", "ask", "updatedInput", "continue:false", "systemMessage")}


@pytest.fixture(autouse=True)
def place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The data folder of a user."""
    monkeypatch.setattr(local, "folder", lambda: tmp_path / "measured")
    return tmp_path / "measured"


def evidence(
    cells: dict[str, str],
    *,
    version: str = "9.9.9",
    measured: str = "2099-01-02T03:04:05+00:00",
    fires: dict[str, bool] | None = None,
) -> Evidence:
    outcomes = {cell: Outcome(outcome, "it was seen") for cell, outcome in cells.items()}
    return Evidence("gemini", version, measured, outcomes, fires or {})


def overlaid(cells: dict[str, str], **more: object) -> Facts:
    facts = local.overlay(GEMINI, evidence(cells, **more), SENT)  # type: ignore[arg-type]
    assert check(facts) == []
    return facts


def test_without_evidence_the_facts_are_those_that_are_shipped() -> None:
    assert local.applied(GEMINI) is GEMINI


def test_a_cell_that_no_longer_holds_is_dropped_headless_and_says_why() -> None:
    cell = overlaid({"PreToolUse.deny": NOT_HELD}).cell("PreToolUse", "deny")
    assert (cell.on("headless"), cell.on("interactive")) == ("dropped", "translated")
    assert cell.support == "dropped"
    assert (cell.basis, cell.version) == ("observed", "9.9.9")
    assert cell.source == "measured here on 2099-01-02, headless"
    assert cell.note == "measured here: it was seen"


def test_a_cell_that_holds_as_shipped_keeps_its_word_and_note_with_new_evidence() -> None:
    cell = overlaid({"PreToolUse.updatedInput": HELD}).cell("PreToolUse", "updatedInput")
    shipped = GEMINI.cell("PreToolUse", "updatedInput")
    assert (cell.support, cell.note) == (shipped.support, shipped.note)
    assert cell.version == "9.9.9"
    assert not cell.surfaces


def test_a_cell_that_holds_now_is_translated_where_the_bridge_sends_it_else_emulated() -> None:
    facts = overlaid({"PreToolUse.ask": HELD, "PreToolUse.defer": HELD})
    assert facts.cell("PreToolUse", "ask").support == "translated"
    assert facts.cell("PreToolUse", "defer").on("headless") == "emulated"


def test_what_was_not_measured_keeps_its_own_version_and_source() -> None:
    facts = overlaid({"PreToolUse.allow": NOT_MEASURED})
    for word in ("allow", "deny"):
        assert facts.cell("PreToolUse", word) == GEMINI.cell("PreToolUse", word)
    assert (facts.version, facts.measured) == ("9.9.9", "2099-01-02")


def test_an_event_that_does_not_fire_makes_its_cells_absent_headless() -> None:
    words = [f"Stop.{word}" for word in GEMINI.cells("Stop")]
    facts = overlaid(dict.fromkeys(words, NOT_HELD), fires={"Stop": False})
    assert facts.events["Stop"].fires == {"headless": False}
    assert {c.on("headless") for c in facts.cells("Stop").values()} == {"absent"}
    assert facts.cell("Stop", "block").on("interactive") == "translated"


def test_the_newest_measuring_counts_whatever_its_version() -> None:
    local.save(evidence({}, version="2.0.0", measured="2099-01-01T00:00:00+00:00"))
    local.save(evidence({}, version="1.0.0", measured="2099-01-02T00:00:00+00:00"))
    newest = local.newest("gemini")
    assert newest is not None
    assert newest.version == "1.0.0"
    assert local.applied(GEMINI).version == "1.0.0"
    assert len(local.files("gemini")) == 2


def test_facts_that_were_measured_later_count_more() -> None:
    local.save(evidence({"PreToolUse.deny": NOT_HELD}, measured="2020-01-01T00:00:00+00:00"))
    assert local.applied(GEMINI) is GEMINI


def test_what_is_kept_reads_back() -> None:
    kept = evidence({"Stop.block": HELD}, fires={"Stop": True})
    assert local.save(kept).name == "gemini-9.9.9.json"
    assert local.newest("gemini") == kept


@pytest.mark.parametrize("data", [b"", b"{", b"[]", b'{"agent": 1}', b"\xff"])
def test_a_file_that_does_not_read_counts_as_none(place: Path, data: bytes) -> None:
    place.mkdir()
    (place / "gemini-1.0.0.json").write_bytes(data)
    assert local.newest("gemini") is None


def test_an_agents_evidence_is_not_anothers(place: Path) -> None:
    place.mkdir()
    text = msgspec.json.encode(evidence({}))
    (place / "codex-1.0.0.json").write_bytes(text)
    assert local.newest("codex") is None


def test_a_folder_that_cannot_be_written_is_one_error(place: Path) -> None:
    place.write_text("a file\n")
    with pytest.raises(SystemFailureError) as caught:
        local.save(evidence({}))
    assert caught.value.file


def test_evidence_reaches_audit_and_install_but_not_the_shipped_table(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    local.save(evidence({"PreToolUse.deny": NOT_HELD}))
    agents.facts_here.cache_clear()
    try:
        assert agents.load("gemini").facts.cell("PreToolUse", "deny").support == "dropped"
        assert agents.facts_of("gemini").cell("PreToolUse", "deny").support == "translated"
    finally:
        agents.facts_here.cache_clear()
