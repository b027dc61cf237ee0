"""Every cell of the table that is called observed, measured again on the real agent, headless.

What each agent cannot be made to show is named with its reason in its module of
`hookpm.probe.agents` (`unseen`); there is no other way out of these tests.
"""

from __future__ import annotations

from collections.abc import Callable

import pytest

from hookpm import agents as known_agents
from hookpm.agents.local import NOT_MEASURED
from hookpm.contract.events import CAPABILITIES
from hookpm.probe import agents, scenarios
from hookpm.probe.compare import event_rows, predicted
from hookpm.probe.measure import Measured, measure
from hookpm.probe.world import World

LIMIT_S = 1800.0  # for one agent, on a machine that has other things to do


def observed(name: str) -> list[str]:
    """The cells that somebody has seen on this agent, at events that it has."""
    facts = known_agents.facts_of(name)
    return [
        f"{event}.{word}"
        for event, words in CAPABILITIES.items()
        for word in words
        if facts.native(event) and facts.cell(event, word).basis == "observed"
    ]


def excuse(name: str, cell: str) -> str:
    """Why no run can show it; "" where one can."""
    unseen = agents.load(name).unseen
    return unseen.get(cell) or unseen.get(cell.partition(".")[0], "")


CELLS = [(name, c) for name in agents.names() for c in observed(name) if not excuse(name, c)]


@pytest.fixture(scope="module")
def measured(
    need: Callable[[str], str], tmp_path_factory: pytest.TempPathFactory
) -> Callable[[str], Measured]:
    """One measuring per agent, shared by all its tests; one that failed fails them all."""
    done: dict[str, Measured | Exception] = {}

    def of(name: str) -> Measured:
        need(name)
        if name not in done:
            world = World(tmp_path_factory.mktemp(name) / "the world")
            try:
                version = agents.load(name).version
                done[name] = measure(name, world, version, limit=LIMIT_S)
            except Exception as error:  # it is raised again below, in every test
                done[name] = error
        found = done[name]
        if isinstance(found, Exception):
            raise found
        return found

    return of


@pytest.mark.prediction
@pytest.mark.parametrize(("name", "cell"), CELLS, ids=[f"{n}-{c}" for n, c in CELLS])
def test_a_cell_holds_headless_as_the_table_says(
    name: str, cell: str, measured: Callable[[str], Measured]
) -> None:
    verdict = measured(name).cells[cell]
    event, _, word = cell.partition(".")
    support = known_agents.facts_of(name).cell(event, word).on("headless")
    assert (verdict.outcome, support) == (predicted(support), support), verdict.why


@pytest.mark.prediction
@pytest.mark.parametrize("name", agents.names())
def test_events_fire_headless_where_the_table_says_so(
    name: str, measured: Callable[[str], Measured]
) -> None:
    found = measured(name)
    rows = [r for r in event_rows(known_agents.facts_of(name), found) if r.event != "PreCompact"]
    assert not rows


@pytest.mark.parametrize("name", agents.names())
def test_what_is_called_unseen_is_a_cell_that_nothing_covers(name: str) -> None:
    words = {f"{event}.{word}" for event, words in CAPABILITIES.items() for word in words}
    unseen = agents.load(name).unseen
    assert set(unseen) <= words | set(CAPABILITIES)
    assert all(unseen.values())


@pytest.mark.parametrize("name", agents.names())
def test_every_cell_called_observed_has_a_scenario_or_a_reason_why_it_cannot(name: str) -> None:
    played = {case.cell for case in scenarios.all_cases()}
    known = agents.load(name)
    if not known.compaction:
        played.discard("PreCompact.block")
    if not known.subagent:
        played -= {cell for cell in played if cell.startswith("Subagent")}
    if not known.unattended:
        played.discard("PreToolUse.allow")
    assert not [c for c in observed(name) if c not in played and not excuse(name, c)]


@pytest.mark.parametrize("name", agents.names())
def test_what_is_excused_was_really_not_measured(
    name: str, measured: Callable[[str], Measured]
) -> None:
    found = measured(name).cells
    excused = [c for c in observed(name) if excuse(name, c)]
    assert all(found[cell].outcome == NOT_MEASURED for cell in excused)
