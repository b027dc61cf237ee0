"""docs/agents.md is generated from the facts, and current."""

from __future__ import annotations

from pathlib import Path

import pytest

from hookpm import agents
from hookpm.audit import table
from hookpm.contract.events import CAPABILITIES, EVENTS


def test_the_page_in_docs_is_current() -> None:
    assert table.main(["--check"]) == 0, "run: python -m hookpm.audit.table"


def test_a_page_that_is_missing_or_not_current_is_told(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    page = tmp_path / "agents.md"
    assert table.main(["--check", str(page)]) == 1
    assert table.main([str(page)]) == 0
    assert table.main(["--check", str(page)]) == 0
    page.write_text(page.read_text(encoding="utf-8") + "x", encoding="utf-8")
    assert table.main(["--check", str(page)]) == 1
    assert "python -m hookpm.audit.table" in capsys.readouterr().err


def test_a_page_that_cannot_be_written_is_one_message(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert table.main([str(tmp_path / "gone" / "agents.md")]) == 3
    assert "No such file" in capsys.readouterr().err


def test_every_row_of_the_tables_has_as_many_columns_as_its_head() -> None:
    columns = 0
    for line in table.FILE.read_text(encoding="utf-8").splitlines():
        if not line.startswith("|"):
            columns = 0
            continue
        count = line.replace("\\|", "").count("|")
        assert columns in (0, count), line
        columns = count


def test_the_page_names_every_agent_and_its_evidence() -> None:
    text = table.document(agents.all_facts(), table.predictions())
    for facts in agents.all_facts():
        assert f"## {facts.title}\n" in text
    assert "Observed in version 0.171.0 on" in text
    assert "Documented, not run by us" in text


def test_the_page_says_which_agents_are_not_wired_and_why() -> None:
    text = table.document(agents.all_facts(), table.predictions())
    section = text.partition("## Windsurf")[2].partition("\n## ")[0]
    assert f"**Not wired:** {agents.facts_of('windsurf').why_not}." in section
    assert "adding-an-agent.md" in section
    assert "Wired in" not in section
    section = text.partition("## Google Antigravity\n")[2].partition("\n## ")[0]
    assert "Wired in `~/.gemini/config/hooks.json`" in section


def test_every_link_to_an_agent_leads_to_its_heading() -> None:
    text = table.document(agents.all_facts(), table.predictions())
    headings = {table._anchor(line[3:]) for line in text.splitlines() if line.startswith("## ")}
    links = {part.partition(")")[0] for part in text.split("](#")[1:]}
    assert links
    assert links <= headings


def test_an_agent_stands_at_each_event_once_with_its_own_name_or_as_lacking_it() -> None:
    text = table.document(agents.all_facts(), table.predictions())
    for event in EVENTS:
        section = text.partition(f"\n## {event}\n")[2].partition("\n## ")[0]
        lacking = section.partition("No such event: ")[2].rstrip(".\n").split(", ")
        for facts in agents.all_facts():
            row = f"| {facts.name} | `{facts.native(event)}` |"
            assert (row in section) == bool(facts.native(event))
            assert (facts.name in lacking) == (not facts.native(event))


def test_the_figures_count_each_cell_of_an_event_that_the_agent_has() -> None:
    codex, windsurf = agents.facts_of("codex"), agents.facts_of("windsurf")
    found = table.figures([codex, windsurf])
    assert (found.measured, found.documented) == (1, 1)
    assert found.observed_cells + found.documented_cells + found.unknown_cells == sum(
        len(words)
        for facts in (codex, windsurf)
        for event, words in CAPABILITIES.items()
        if facts.native(event)
    )
    assert found.documented_cells > 0
    assert f"{found.observed_cells} are observed" in table.document([codex, windsurf], {})
