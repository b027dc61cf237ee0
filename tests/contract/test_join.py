from __future__ import annotations

import itertools
from typing import Any

import pytest

from hookpm.contract.answer import Answer
from hookpm.contract.join import join


def said(decision: str = "", **fields: Any) -> Answer:
    answer = Answer()
    answer.decision = decision
    for name, value in fields.items():
        setattr(answer, name, value)
    return answer


ORDER = ["deny", "defer", "ask", "allow", ""]  # the strongest first


@pytest.mark.parametrize(
    "words", [w for n in (1, 2, 3, 5) for w in itertools.permutations(ORDER, n)]
)
def test_deny_beats_defer_beats_ask_beats_allow_in_every_order(words: tuple[str, ...]) -> None:
    joined = join("PreToolUse", [said(word, reason="why " + word) for word in words])
    winner = min(words, key=ORDER.index)
    assert joined.decision == winner
    assert joined.reason == ("why " + winner if winner else "")


@pytest.mark.parametrize("event", ["PostToolUse", "UserPromptSubmit", "Stop", "PreCompact"])
@pytest.mark.parametrize("words", list(itertools.permutations(["block", "", ""])))
def test_one_block_blocks_in_every_order(event: str, words: tuple[str, ...]) -> None:
    joined = join(event, [said(word, reason="r" if word else "") for word in words])
    assert (joined.decision, joined.reason) == ("block", "r")


def test_no_answer_at_all_is_an_empty_one() -> None:
    assert join("PreToolUse", []).is_empty()


def test_reasons_contexts_and_messages_stand_in_file_order() -> None:
    joined = join(
        "PreToolUse",
        [
            said("deny", reason="first", contexts=["a", "b"], system_message="m1"),
            said("allow", reason="not told", contexts=["c"]),
            said("deny", reason="second", system_message="m2"),
        ],
    )
    assert joined.reason == "first\nsecond"
    assert joined.contexts == ["a", "b", "c"]
    assert joined.system_message == "m1\nm2"


def test_the_same_reason_twice_is_told_once() -> None:
    assert join("PreToolUse", [said("deny", reason="no")] * 3).reason == "no"


def test_the_first_rewrite_in_file_order_counts_and_is_taken_whole() -> None:
    answers = [said(), said(updated_input={"a": 1}), said("allow", updated_input={"b": 2})]
    joined = join("PreToolUse", answers)
    assert (joined.decision, joined.updated_input) == ("allow", {"a": 1})


@pytest.mark.parametrize("word", ["deny", "defer"])
@pytest.mark.parametrize("first", [True, False])
def test_a_rewrite_falls_with_another_hooks_deny_or_defer(word: str, first: bool) -> None:
    answers = [said(word), said("allow", updated_input={"a": 1})]
    assert join("PreToolUse", answers if first else answers[::-1]).updated_input is None


def test_a_rewrite_to_an_empty_input_is_a_rewrite() -> None:
    assert join("PreToolUse", [said(updated_input={})]).updated_input == {}


@pytest.mark.parametrize("turn", [1, -1])
def test_continue_false_of_one_hook_is_kept_beside_another_ones_decision(turn: int) -> None:
    answers = [said(stop=True, stop_reason="enough"), said("deny", reason="no")][::turn]
    joined = join("PreToolUse", answers)
    assert (joined.stop, joined.stop_reason, joined.decision) == (True, "enough", "deny")


@pytest.mark.parametrize("turn", [1, -1])
@pytest.mark.parametrize("event", ["Stop", "SubagentStop"])
def test_at_stop_continue_false_beats_a_block(event: str, turn: int) -> None:
    answers = [said(stop=True, stop_reason="enough"), said("block", reason="go on")][::turn]
    joined = join(event, answers)
    assert (joined.stop, joined.decision, joined.reason) == (True, "", "")


def test_a_stop_reason_of_a_hook_that_does_not_stop_is_not_told() -> None:
    answers = [said(stop=True, stop_reason="one"), said(stop_reason="two")]
    assert join("Stop", answers).stop_reason == "one"


def test_claudes_own_fields_count_from_the_first_hook_that_holds_them() -> None:
    answers = [
        said(extras={"a": 1}, specific_extras={"x": 1}),
        said(extras={"a": 2, "b": 2}, specific_extras={"x": 2, "y": 2}),
    ]
    joined = join("PostToolUse", answers)
    assert joined.extras == {"a": 1, "b": 2}
    assert joined.specific_extras == {"x": 1, "y": 2}


@pytest.mark.parametrize("turn", [1, -1])
def test_a_denied_permission_request_beats_an_allowed_one(turn: int) -> None:
    deny, allow = {"behavior": "deny", "message": "no"}, {"behavior": "allow"}
    answers = [said(specific_extras={"decision": d}) for d in (deny, allow)][::turn]
    assert join("PermissionRequest", answers).specific_extras == {"decision": deny}


def test_every_hooks_instructions_for_a_compaction_are_kept() -> None:
    texts = ["keep names", "keep numbers"]
    joined = join("PreCompact", [said(specific_extras={"text": text}) for text in texts])
    assert joined.specific_extras == {"text": "keep names\nkeep numbers"}
    assert join("PreCompact", [said()]).specific_extras == {}


def test_failures_and_notes_stay_with_the_single_answers() -> None:
    joined = join("PreToolUse", [said(failure="it crashed", notes=["odd"])])
    assert (joined.failure, joined.notes) == ("", [])


def test_joining_changes_none_of_the_answers() -> None:
    answers = [said("deny", contexts=["a"], extras={"k": 1}), said("allow", contexts=["b"])]
    join("PreToolUse", answers)
    assert [a.contexts for a in answers] == [["a"], ["b"]]
    assert [a.extras for a in answers] == [{"k": 1}, {}]
