"""What is played: every cell once, sound company, texts that cannot be mistaken."""

from __future__ import annotations

import json

import pytest

from hookpm.contract.events import CAPABILITIES
from hookpm.probe import scenarios
from hookpm.probe.scenarios import Case, all_cases, plays, token
from hookpm.probe.script import Shell

CELLS = [f"{event}.{word}" for event, words in CAPABILITIES.items() for word in words]


def case(cell: str) -> Case:
    return next(c for c in all_cases() if c.cell == cell)


def test_every_cell_of_the_contract_has_one_case() -> None:
    assert sorted(c.cell for c in all_cases()) == sorted(CELLS)


def test_every_case_is_played_once() -> None:
    played = [c.cell for play in plays(all_cases()) for c in play.cases]
    assert sorted(played) == sorted(CELLS)


def test_no_text_of_an_answer_stands_in_a_call() -> None:
    commands = [call.command for play in plays(all_cases()) for call in shells(play)]
    assert commands
    assert not [c for c in commands for cell in CELLS if token(cell) in c]


def test_no_mark_is_a_part_of_another_cases_call() -> None:
    for one in all_cases():
        marks = {said.mark for said in one.said if said.mark}
        others = [str(c.call) for c in all_cases() if c.cell != one.cell]
        assert not [m for m in marks for other in others if m in other]


def test_no_answer_that_may_end_a_run_shares_it() -> None:
    for play in plays(all_cases()):
        if len(play.cases) > 1:
            assert not {"continue:false", "defer"} & {c.word for c in play.cases}
            assert len({c.asks for c in play.cases}) == 1
            assert not {"UserPromptSubmit.block"} & {c.cell for c in play.cases}


def test_an_event_that_fires_once_is_answered_once_in_a_run() -> None:
    for play in plays(all_cases()):
        once = [c.event for c in play.cases if not c.call]
        assert len(once) == len(set(once))


def test_a_run_with_calls_begins_with_one_that_nobody_answers() -> None:
    for play in plays(all_cases()):
        calls = shells(play)
        if calls:
            assert scenarios.PLAIN in calls[0].command
            assert not [s for s in play.said if s.mark and s.mark in calls[0].command]


def test_a_turn_is_found_by_its_case() -> None:
    for play in plays(all_cases()):
        for one in play.cases:
            turn = play.turn(one)
            assert (turn is None) == (not one.call)
            if turn is not None:
                assert play.turns[turn].calls == (one.call,)


def test_a_stop_is_seen_only_beside_a_hook_that_wants_to_go_on() -> None:
    first, second = case("Stop.continue:false").said
    assert (first.answer["decision"], first.hook) == ("block", 1)
    assert (second.answer["continue"], second.hook) == (False, 2)


@pytest.mark.parametrize("cell", CELLS)
def test_an_answer_asks_for_its_word_alone(cell: str) -> None:
    one = case(cell)
    answer = next(s for s in reversed(one.said)).answer
    text = json.dumps(answer)
    if one.word == "updatedInput":
        assert one.said[0].rewrite
        return
    assert (token(cell) in text) == (cell != "PermissionRequest.allow")  # it takes no reason
    specific = answer.get("hookSpecificOutput", {})
    decision = specific.get("decision", {})
    words = [
        *({decision["behavior"]} if decision else ()),
        *({"block"} if answer.get("decision") == "block" else ()),
        *({"continue:false"} if answer.get("continue") is False else ()),
        *({"systemMessage"} if "systemMessage" in answer else ()),
        *({"additionalContext"} if "additionalContext" in specific else ()),
        *({specific["permissionDecision"]} if "permissionDecision" in specific else ()),
    ]
    assert words == [one.word]


def shells(play: scenarios.Play) -> list[Shell]:
    return [c for turn in play.turns for c in turn.calls if isinstance(c, Shell)]
