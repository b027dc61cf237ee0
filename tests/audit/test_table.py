"""docs/agents.md is generated from the facts, and current."""

from __future__ import annotations

from pathlib import Path

import pytest

from hookpm import agents
from hookpm.audit import table


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
    text = table.document([agent.facts for agent in agents.all_agents()])
    for agent in agents.all_agents():
        assert f"## {agent.facts.title}\n" in text
    assert "Observed in version 0.171.0 on" in text
    assert "Documented, not run by us" in text
