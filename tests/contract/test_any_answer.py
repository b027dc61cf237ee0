"""Whatever a hook prints is read without a crash, and asks for nothing that its event has not."""

from __future__ import annotations

import json
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from hookpm.contract import jsontext
from hookpm.contract.answer import Answer, cannot_start, read, refusal
from hookpm.contract.events import CANNOT_BLOCK, CLAUDE_EVENTS
from hookpm.contract.join import join

WORDS = ("block", "deny", "ask", "allow", "defer", "approve", "PreToolUse", "Stop", "", "x")
TEXT = st.sampled_from(WORDS) | st.text(max_size=5)
ANY = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | TEXT,
    lambda inner: st.lists(inner, max_size=2) | st.dictionaries(TEXT, inner, max_size=2),
    max_leaves=4,
)
PERMISSION = st.fixed_dictionaries(
    {"behavior": st.sampled_from(("allow", "deny")) | ANY},
    optional={"message": ANY, "updatedInput": st.just({"command": "ls"}) | ANY},
)
SPECIFIC = st.fixed_dictionaries(
    {},
    optional={
        "hookEventName": st.sampled_from(CLAUDE_EVENTS) | ANY,
        "permissionDecision": st.sampled_from(WORDS) | ANY,
        "permissionDecisionReason": ANY,
        "updatedInput": st.just({"command": "ls"}) | ANY,
        "additionalContext": TEXT | ANY,
        "decision": PERMISSION | ANY,
    },
)
DOCUMENT = st.fixed_dictionaries(
    {},
    optional={
        "decision": st.sampled_from(WORDS) | ANY,
        "reason": TEXT | ANY,
        "continue": ANY,
        "stopReason": ANY,
        "systemMessage": TEXT | ANY,
        "hookSpecificOutput": SPECIFIC | ANY,
        "permissionDecision": st.sampled_from(WORDS),
        "async": ANY,
        "more": ANY,
    },
)
OUT = st.one_of(
    st.binary(max_size=30),
    DOCUMENT.map(lambda document: json.dumps(document).encode()),
    st.tuples(TEXT, DOCUMENT, TEXT).map(lambda t: f"{t[0]}\n{json.dumps(t[1])}{t[2]}".encode()),
    st.text('{}[]",: \n"deny"block', max_size=40).map(str.encode),
)
EVENT = st.sampled_from(CLAUDE_EVENTS)
CODE = st.sampled_from((0, 1, 2, 3, 126, 127, -9))


def check(event: str, answer: Answer) -> None:
    """What holds for every answer of an event."""
    allowed = {""} if event in CANNOT_BLOCK else {"", refusal(event)}
    if event == "PreToolUse":
        allowed |= {"ask", "allow", "defer"}
    if event == "PermissionRequest":  # exit code 2 does nothing there, its own decision does
        allowed = {"", "allow", "deny"}
    assert answer.decision in allowed
    assert not answer.refuses() or answer.reason
    if answer.updated_input is not None:
        assert event in ("PreToolUse", "PermissionRequest")
        assert answer.decision not in ("deny", "defer")
    texts = [answer.reason, answer.stop_reason, answer.system_message, *answer.contexts]
    assert all(isinstance(text, str) for text in [*texts, answer.failure, *answer.notes])
    assert "async" not in answer.extras
    jsontext.dumps([answer.extras, answer.specific_extras, answer.updated_input, texts])


@given(st.sampled_from((0, 2)), PERMISSION)
def test_a_decision_on_a_permission_is_an_answer_of_its_event(code: int, decision: Any) -> None:
    said = json.dumps({"hookSpecificOutput": {"decision": decision}}).encode()
    answer = read("PermissionRequest", code, said, b"")
    check("PermissionRequest", answer)
    assert code == 2 or answer.refuses() == (decision["behavior"] == "deny")


@given(EVENT, CODE, OUT, st.binary(max_size=30))
def test_whatever_a_hook_prints_is_an_answer_of_its_event(
    event: str, code: int, out: bytes, err: bytes
) -> None:
    answer = read(event, code, out, err)
    check(event, answer)
    if code == 2 and event not in CANNOT_BLOCK and not cannot_start(code, out, err):
        assert answer.refuses()
    if answer.failure:
        assert code != 0
        assert answer.is_empty()


@given(EVENT, st.lists(st.tuples(CODE, OUT), max_size=4))
def test_a_refusal_among_any_answers_refuses_and_the_joined_answer_is_one_of_its_event(
    event: str, said: list[tuple[int, bytes]]
) -> None:
    answers = [read(event, code, out, b"") for code, out in said]
    joined = join(event, answers)
    check(event, joined)
    if any(answer.refuses() for answer in answers):
        assert joined.refuses() or (event in ("Stop", "SubagentStop") and joined.stop)
    if joined.decision == "allow":
        assert all(answer.decision in ("allow", "") for answer in answers)


@given(EVENT, DOCUMENT, TEXT, TEXT)
def test_a_refusal_holds_with_any_text_around_it(
    event: str, document: dict[str, Any], before: str, after: str
) -> None:
    text = json.dumps(document)
    alone = read(event, 0, text.encode(), b"")
    around = read(event, 0, f"{before}\n{text}\n{after}".encode(), b"")
    if alone.refuses() and '"' not in before + after:
        assert around.refuses()
