"""Verdicts come from requests, files and output; the hooks' log only says that an event fired."""

from __future__ import annotations

import pytest

from hookpm.agents.local import HELD, NOT_HELD, NOT_MEASURED
from hookpm.contract.events import EVENTS
from hookpm.probe.model import Request
from hookpm.probe.process import Ending
from hookpm.probe.run import Outcome
from hookpm.probe.scenarios import PLAIN, Case, Play, all_cases, slug, token
from hookpm.probe.verdicts import Seen, conclusive, judge

FIRED = dict.fromkeys(EVENTS, 1)


def case(cell: str) -> Case:
    return next(c for c in all_cases() if c.cell == cell)


def seen(
    cell: str,
    asked: int = 3,
    made: tuple[str, ...] = (PLAIN,),
    told_after: int | None = None,
    *,
    stdout: str = "",
    fired: dict[str, int] = FIRED,
    ending: Ending = "exit",
    summaries: int = 0,
) -> Seen:
    """A run of one case. asked: requests; told_after: from the one after that turn on, they hold
    the case's text; made: whose files are there."""
    requests = []
    for turn in range(asked):
        news = [token(cell)] if told_after is not None and turn > told_after else []
        requests.append(Request("/", {"messages": ["Do it.", *news]}, turn))
    outcome = Outcome(0, ending, stdout, "", requests, (), 1.0)
    names = frozenset(f"{name}.made" for name in made)
    return Seen(Play((case(cell),)), outcome, names, fired, summaries)


def verdict(cell: str, **changes: object) -> str:
    return judge(seen(cell, **changes), case(cell)).outcome  # type: ignore[arg-type]


def ran(cell: str) -> tuple[str, ...]:
    return (PLAIN, slug(cell))


DENY, ASK, DEFER = "PreToolUse.deny", "PreToolUse.ask", "PreToolUse.defer"
ALLOW, REWRITE = "PreToolUse.allow", "PreToolUse.updatedInput"
HALT, BLOCK = "PreToolUse.continue:false", "PostToolUse.block"


@pytest.mark.parametrize(
    ("cell", "changes", "expected"),
    [
        (DENY, {"told_after": 1}, HELD),
        (DENY, {}, NOT_HELD),  # the reason is lost
        (DENY, {"told_after": 1, "made": ran(DENY)}, NOT_HELD),
        (ASK, {}, HELD),
        (ASK, {"made": ran(ASK)}, NOT_HELD),
        (ASK, {"asked": 2}, NOT_HELD),  # the run died of it
        (DEFER, {"asked": 2}, HELD),
        (DEFER, {"asked": 3}, NOT_HELD),
        (DEFER, {"asked": 2, "made": ran(DEFER)}, NOT_HELD),
        (REWRITE, {"made": (PLAIN, slug(REWRITE) + "-rewritten")}, HELD),
        (REWRITE, {"made": (*ran(REWRITE), slug(REWRITE) + "-rewritten")}, NOT_HELD),
        (REWRITE, {}, NOT_HELD),
        (HALT, {"asked": 2, "made": ran(HALT)}, HELD),  # the tool may run, the turn ends
        (HALT, {"asked": 3, "made": ran(HALT)}, NOT_HELD),
        (HALT, {"asked": 1}, NOT_MEASURED),
        (BLOCK, {"told_after": 1, "made": ran(BLOCK)}, HELD),
        (BLOCK, {"made": ran(BLOCK)}, NOT_HELD),
        ("PreToolUse.additionalContext", {"told_after": 1}, HELD),
        ("PreToolUse.additionalContext", {}, NOT_HELD),
        ("PreToolUse.systemMessage", {"stdout": token("PreToolUse.systemMessage")}, HELD),
        ("PreToolUse.systemMessage", {"told_after": 1}, NOT_HELD),  # the model is not the user
        ("UserPromptSubmit.block", {"asked": 0}, HELD),
        ("UserPromptSubmit.block", {"asked": 1}, NOT_HELD),
        ("UserPromptSubmit.continue:false", {"asked": 0}, HELD),
        ("SessionStart.additionalContext", {"asked": 1, "told_after": -1}, HELD),
        ("Stop.block", {"asked": 2, "told_after": 0}, HELD),
        ("Stop.block", {"asked": 2}, NOT_HELD),
        ("Stop.block", {"asked": 1}, NOT_HELD),
        ("Stop.continue:false", {"asked": 1}, HELD),
        ("Stop.continue:false", {"asked": 2}, NOT_HELD),
        ("PreCompact.block", {"asked": 4, "summaries": 0}, HELD),
        ("PreCompact.block", {"asked": 4, "summaries": 1}, NOT_HELD),
    ],
)
def test_a_verdict_is_what_was_seen(cell: str, changes: dict[str, object], expected: str) -> None:
    assert verdict(cell, **changes) == expected


def test_an_allow_counts_only_where_another_call_was_refused() -> None:
    assert verdict(ALLOW, made=(slug(ALLOW),)) == HELD
    assert verdict(ALLOW, made=()) == NOT_HELD
    assert verdict(ALLOW, made=ran(ALLOW)) == NOT_MEASURED
    assert verdict(ALLOW, made=(), fired={}) == NOT_MEASURED
    assert verdict(ALLOW, made=(), asked=1) == NOT_MEASURED


def test_where_no_tool_runs_at_all_a_denial_proves_nothing() -> None:
    assert verdict(DENY, told_after=1, made=()) == NOT_MEASURED


def test_where_the_event_does_not_fire_nothing_holds() -> None:
    assert verdict("UserPromptSubmit.block", asked=0, fired={}) == NOT_HELD


def test_an_event_before_compaction_is_not_judged_where_nothing_was_compacted() -> None:
    assert verdict("PreCompact.systemMessage", fired={}) == NOT_MEASURED
    assert verdict("PreCompact.systemMessage", fired={}, summaries=1) == NOT_HELD


def test_a_run_that_had_to_be_ended_says_nothing() -> None:
    assert verdict(DENY, told_after=1, ending="timeout") == NOT_MEASURED


def test_a_run_that_ended_at_a_case_decides_neither_it_nor_what_comes_after() -> None:
    cases = (case(DENY), case(ASK), case("Stop.block"), case("SessionStart.additionalContext"))
    run = seen(DENY, asked=3)._replace(play=Play(cases))
    decided = [one.cell for one in cases if conclusive(run, one)]
    assert decided == [DENY, "SessionStart.additionalContext"]
