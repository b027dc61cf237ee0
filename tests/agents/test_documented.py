"""Agents that are known by their documentation only: in the table and the audit, never wired."""

from __future__ import annotations

import pytest

from hookpm import agents
from hookpm.agents import facts as facts_module
from hookpm.agents.facts import SURFACES
from hookpm.contract.events import CAPABILITIES
from hookpm.errors import UsageError

DOCUMENTED = [
    "amp",
    "auggie",
    "continue",
    "crush",
    "devin",
    "goose",
    "grok",
    "hermes",
    "junie",
    "kilo",
    "kiro",
    "openhands",
    "trae",
    "windsurf",
]
NEVER_RUN = [*DOCUMENTED, "antigravity", "cursor", "vscode"]


def test_an_agent_with_facts_alone_is_known_and_not_wired() -> None:
    assert list(agents.not_wired()) == DOCUMENTED
    assert not set(DOCUMENTED) & set(agents.names())
    assert set(agents.known()) == {*DOCUMENTED, *agents.names()}
    assert all(facts.wired for facts in map(agents.facts_of, agents.names()))


def test_all_facts_are_given_once_with_the_wired_agents_first() -> None:
    order = [facts.name for facts in agents.all_facts()]
    assert order == [*agents.names(), *DOCUMENTED]


@pytest.mark.parametrize("name", DOCUMENTED)
def test_to_wire_such_an_agent_is_refused_with_the_reason_and_a_way_out(name: str) -> None:
    with pytest.raises(UsageError) as caught:
        agents.load(name)
    facts = agents.facts_of(name)
    assert caught.value.message == f"hookpm does not wire {facts.title} yet"
    assert caught.value.cause == facts.why_not
    assert "docs/adding-an-agent.md" in (caught.value.hint or "")


def test_a_name_close_to_such_an_agent_leads_to_it() -> None:
    with pytest.raises(UsageError) as caught:
        agents.load("windsurff")
    assert "windsurf" in (caught.value.hint or "")


@pytest.mark.parametrize("name", NEVER_RUN)
def test_what_nobody_ran_here_is_never_called_observed(name: str) -> None:
    facts = agents.facts_of(name)
    assert facts.basis == "documented"
    assert facts.measured is None
    cells = [cell for event in CAPABILITIES for cell in facts.cells(event).values()]
    assert {cell.basis for cell in cells} <= {"documented", "unknown"}


@pytest.mark.parametrize("name", NEVER_RUN)
def test_what_nobody_documents_is_unknown_on_no_evidence(name: str) -> None:
    facts = agents.facts_of(name)
    for event in CAPABILITIES:
        for cell in facts.cells(event).values():
            words = {cell.on(surface) for surface in SURFACES}
            assert (cell.basis == "unknown") == ("unknown" in words), (event, cell)


@pytest.mark.parametrize("name", DOCUMENTED)
@pytest.mark.parametrize("words", [("wired = false\n", ""), ('why_not = "', 'why_not = ""  # "')])
def test_an_agent_is_either_wired_or_says_why_not(name: str, words: tuple[str, str]) -> None:
    import msgspec

    path = agents._FOLDER / name / "facts.toml"
    text = path.read_text(encoding="utf-8").replace(*words, 1)
    problems = facts_module.check(msgspec.toml.decode(text, type=facts_module.Facts))
    assert any("why_not" in line for line in problems)
