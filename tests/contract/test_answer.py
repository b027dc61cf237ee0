"""Answers are read as Claude Code 2.1.332 was seen to read them, but for lost refusals."""

from __future__ import annotations

import json
from typing import Any

import pytest

from hookpm.contract import jsontext
from hookpm.contract.answer import BLOCKED, Answer, first_line, read, refusal
from hookpm.contract.events import CANNOT_BLOCK, EVENTS

BLOCKABLE = [event for event in EVENTS if event not in CANNOT_BLOCK]
CONTEXT_FROM_TEXT = ["SessionStart", "UserPromptSubmit"]
NO_CONTEXT_FROM_TEXT = ["PreToolUse", "PostToolUse", "Stop", "SessionEnd"]


def said(
    event: str, out: object = "", *, code: int = 0, err: str | bytes = "", raw: bytes | None = None
) -> Answer:
    """The answer of a hook that printed `out`: an object as JSON, a text as it is, or raw bytes."""
    text = out if isinstance(out, str) else json.dumps(out)
    stderr = err if isinstance(err, bytes) else err.encode()
    return read(event, code, text.encode() if raw is None else raw, stderr)


def specific(event: str, **fields: Any) -> dict[str, Any]:
    return {"hookSpecificOutput": {"hookEventName": event, **fields}}


def permission(word: str, **fields: Any) -> dict[str, Any]:
    return specific("PreToolUse", permissionDecision=word, **fields)


def deny(reason: str = "no") -> dict[str, Any]:
    return permission("deny", permissionDecisionReason=reason)


# Exit codes


@pytest.mark.parametrize("event", EVENTS)
def test_exit_0_without_a_word_asks_nothing(event: str) -> None:
    answer = said(event)
    assert answer.is_empty()
    assert (answer.failure, answer.notes) == ("", [])


@pytest.mark.parametrize("event", BLOCKABLE)
def test_exit_2_refuses_with_the_reason_from_stderr(event: str) -> None:
    answer = said(event, code=2, err="use pnpm\nand nothing else\n")
    assert (answer.decision, answer.reason) == (refusal(event), "use pnpm\nand nothing else")
    assert answer.refuses()
    assert answer.failure == ""


@pytest.mark.parametrize("event", ["SessionStart", "SessionEnd"])
def test_exit_2_stops_no_session_and_stderr_is_a_note(event: str) -> None:
    answer = said(event, code=2, err="too bad\nmore")
    assert answer.is_empty()
    assert answer.notes == ["too bad"]


def test_exit_2_without_any_text_refuses_and_says_that_there_was_none() -> None:
    assert said("PreToolUse", code=2).reason == "No stderr output"


@pytest.mark.parametrize("event", BLOCKABLE)
def test_exit_2_with_its_reason_on_the_wrong_stream_still_tells_it(event: str) -> None:
    # Claude Code blocks too, and tells the model nothing.
    answer = said(event, "use pnpm\n", code=2)
    assert (answer.decision, answer.reason) == (refusal(event), "use pnpm")
    assert answer.contexts == []


@pytest.mark.parametrize("code", [1, 3, 126, 127, 255, -9, -15])
@pytest.mark.parametrize("event", EVENTS)
def test_any_other_exit_code_is_a_failure_that_refuses_nothing(event: str, code: int) -> None:
    answer = said(event, "some text", code=code, err="Traceback\nKeyError: 'x'")
    assert answer.is_empty()
    assert "Traceback" in answer.failure
    assert str(abs(code)) in answer.failure


def test_a_signal_is_named_as_one() -> None:
    assert "signal 9" in said("PreToolUse", code=-9).failure


@pytest.mark.parametrize("code", [0, 1, 2, 3, 127, -9])
@pytest.mark.parametrize("event", BLOCKABLE)
def test_a_block_in_json_counts_at_any_exit_code(event: str, code: int) -> None:
    answer = said(event, {"decision": "block", "reason": "json"}, code=code, err="stderr")
    assert (answer.decision, answer.reason) == (refusal(event), "json")
    assert answer.failure == ""


def test_allow_and_a_rewrite_in_json_count_at_exit_1() -> None:
    answer = said("PreToolUse", permission("allow", updatedInput={"command": "ls"}), code=1)
    assert (answer.decision, answer.updated_input) == ("allow", {"command": "ls"})


@pytest.mark.parametrize("code", [0, 1, 2])
def test_context_at_a_session_start_counts_at_every_exit_code(code: int) -> None:
    answer = said("SessionStart", specific("SessionStart", additionalContext="c"), code=code)
    assert answer.contexts == ["c"]


# Exit 2 together with JSON


@pytest.mark.parametrize("word", ["allow", "ask", "defer"])
def test_exit_2_beats_a_weaker_decision_in_json(word: str) -> None:
    document = permission(word, permissionDecisionReason="json", updatedInput={"command": "x"})
    answer = said("PreToolUse", document, code=2, err="stderr")
    assert (answer.decision, answer.reason, answer.updated_input) == ("deny", "stderr", None)


@pytest.mark.parametrize("document", [deny("json"), {"decision": "block", "reason": "json"}])
def test_exit_2_with_a_refusal_in_json_gives_the_reason_of_the_json(document: object) -> None:
    assert said("PreToolUse", document, code=2, err="stderr").reason == "json"


def test_exit_2_with_a_refusal_without_reason_falls_back_to_stderr() -> None:
    assert said("Stop", {"decision": "block"}, code=2, err="stderr").reason == "stderr"


def test_exit_2_keeps_context_and_message_of_the_json() -> None:
    document = {**specific("PreToolUse", additionalContext="c"), "systemMessage": "m"}
    answer = said("PreToolUse", document, code=2, err="e")
    assert (answer.decision, answer.reason) == ("deny", "e")
    assert (answer.contexts, answer.system_message) == (["c"], "m")


@pytest.mark.parametrize("event", ["PreToolUse", "PostToolUse", "UserPromptSubmit"])
def test_exit_2_beside_json_for_another_event_still_refuses(event: str) -> None:
    # Claude Code loses the block at PostToolUse and UserPromptSubmit.
    answer = said(event, specific("Stop", additionalContext="c"), code=2, err="e")
    assert (answer.decision, answer.reason) == (refusal(event), "e")


@pytest.mark.parametrize("out", ["{broken", '{"a": }', "[1, 2]", '{"systemMessage": 5}'])
def test_exit_2_beside_json_that_cannot_be_used_refuses_with_stderr(out: str) -> None:
    assert said("PreToolUse", out, code=2, err="e").reason == "e"


# Before a tool


@pytest.mark.parametrize("word", ["deny", "ask", "allow", "defer"])
def test_a_permission_decision_is_taken_with_its_reason(word: str) -> None:
    answer = said("PreToolUse", permission(word, permissionDecisionReason="why"))
    assert (answer.decision, answer.reason, answer.notes) == (word, "why", [])


@pytest.mark.parametrize("event", BLOCKABLE)
def test_a_refusal_without_reason_gets_claudes_own_words(event: str) -> None:
    assert said(event, {"decision": "block"}).reason == BLOCKED


def test_approve_is_allow() -> None:
    answer = said("PreToolUse", {"decision": "approve", "reason": "fine"})
    assert (answer.decision, answer.reason) == ("allow", "fine")


def test_block_beats_a_permission_to_allow_in_one_answer() -> None:
    answer = said("PreToolUse", {**permission("allow"), "decision": "block", "reason": "b"})
    assert (answer.decision, answer.reason) == ("deny", "b")


def test_deny_beats_an_approve_in_one_answer() -> None:
    assert said("PreToolUse", {**deny("d"), "decision": "approve"}).decision == "deny"


def test_a_rewrite_without_decision_is_taken_whole() -> None:
    answer = said("PreToolUse", specific("PreToolUse", updatedInput={"command": "ls"}))
    assert (answer.decision, answer.updated_input) == ("", {"command": "ls"})
    assert not answer.is_empty()


@pytest.mark.parametrize(("word", "kept"), [("allow", 1), ("ask", 1), ("deny", 0), ("defer", 0)])
def test_a_rewrite_goes_with_allow_and_ask_and_is_dropped_with_deny_and_defer(
    word: str, kept: int
) -> None:
    answer = said("PreToolUse", permission(word, updatedInput={"command": "ls"}))
    assert answer.updated_input == ({"command": "ls"} if kept else None)


def test_context_is_delivered_with_a_deny() -> None:
    document = permission("deny", permissionDecisionReason="r", additionalContext="c")
    answer = said("PreToolUse", document)
    assert (answer.decision, answer.contexts) == ("deny", ["c"])


@pytest.mark.parametrize("key", ["updatedInput", "additionalContext"])
def test_rewrite_and_context_count_only_inside_the_specific_output(key: str) -> None:
    answer = said("PreToolUse", {key: {"command": "x"} if key == "updatedInput" else "x"})
    assert answer.is_empty()
    assert key in answer.notes[0]


def test_continue_false_is_taken_with_its_reason() -> None:
    answer = said("PreToolUse", {"continue": False, "stopReason": "enough"})
    assert (answer.stop, answer.stop_reason, answer.decision) == (True, "enough", "")


def test_the_message_for_the_user_is_taken_and_output_suppression_has_no_effect() -> None:
    answer = said("PreToolUse", {"systemMessage": "m", "suppressOutput": True})
    assert (answer.system_message, answer.extras) == ("m", {})


def test_unknown_keys_are_tolerated_and_kept_for_claude() -> None:
    answer = said("PreToolUse", {**specific("PreToolUse", colour="red"), "terminalSequence": "\a"})
    assert answer.extras == {"terminalSequence": "\a"}
    assert answer.specific_extras == {"colour": "red"}
    assert answer.notes == []


def test_another_agents_form_of_a_deny_has_no_effect() -> None:
    assert said("PreToolUse", {"permission": "deny"}).decision == ""


# After a tool


def test_after_a_tool_block_and_context_go_together() -> None:
    document = {
        "decision": "block",
        "reason": "r",
        **specific("PostToolUse", additionalContext="c"),
    }
    answer = said("PostToolUse", document)
    assert (answer.decision, answer.reason, answer.contexts) == ("block", "r", ["c"])


@pytest.mark.parametrize(
    "document", [{"decision": "approve"}, permission("deny"), permission("ask")]
)
@pytest.mark.parametrize("event", ["PostToolUse", "UserPromptSubmit", "Stop"])
def test_approve_and_permissions_decide_nothing_elsewhere(event: str, document: object) -> None:
    answer = said(event, document)
    assert answer.decision == ""
    assert answer.is_empty()


def test_a_changed_tool_output_is_kept_for_claude() -> None:
    answer = said("PostToolUse", specific("PostToolUse", updatedToolOutput={"stdout": "x"}))
    assert answer.specific_extras == {"updatedToolOutput": {"stdout": "x"}}


# Prompt, session, stop, compaction


@pytest.mark.parametrize("event", CONTEXT_FROM_TEXT)
def test_plain_text_at_exit_0_is_context(event: str) -> None:
    assert said(event, "  two\nlines \n").contexts == ["two\nlines"]


@pytest.mark.parametrize("event", CONTEXT_FROM_TEXT)
@pytest.mark.parametrize("code", [1, 2, 127])
def test_plain_text_at_another_exit_code_is_no_context(event: str, code: int) -> None:
    assert said(event, "text", code=code).contexts == []


@pytest.mark.parametrize("event", NO_CONTEXT_FROM_TEXT)
def test_plain_text_elsewhere_says_nothing(event: str) -> None:
    answer = said(event, "all fine")
    assert answer.is_empty()
    assert answer.notes == []


@pytest.mark.parametrize(
    "text", ["Ready\n{}", '{"a": 1} tail', '[{"a": 1}]', '"text"', '{"a": 1}\n{"b": 2}', "{broken"]
)
@pytest.mark.parametrize("event", CONTEXT_FROM_TEXT)
def test_text_that_is_not_one_json_object_is_context_as_it_is(event: str, text: str) -> None:
    assert said(event, text).contexts == [text]


def test_a_broken_json_object_is_context_for_a_prompt_but_dropped_at_a_session_start() -> None:
    assert said("UserPromptSubmit", '{"a": }').contexts == ['{"a": }']
    answer = said("SessionStart", '{"a": }')
    assert answer.contexts == []
    assert "not one JSON object" in answer.notes[0]


def test_a_prompts_own_fields_are_kept_for_claude() -> None:
    answer = said("UserPromptSubmit", {"decision": "block", "suppressOriginalPrompt": True})
    assert answer.extras == {"suppressOriginalPrompt": True}


@pytest.mark.parametrize("event", ["SessionStart", "SessionEnd"])
@pytest.mark.parametrize(
    "document", [{"decision": "block", "reason": "r"}, {"continue": False, "stopReason": "s"}]
)
def test_nothing_stops_a_session_from_starting_or_ending(event: str, document: object) -> None:
    assert said(event, document).is_empty()


def test_at_stop_context_and_continue_false_are_taken() -> None:
    answer = said("Stop", {"continue": False, **specific("Stop", additionalContext="c")})
    assert (answer.stop, answer.contexts) == (True, ["c"])


def test_before_a_compaction_plain_text_is_instructions_for_it() -> None:
    answer = said("PreCompact", "keep the file names")
    assert answer.specific_extras == {"text": "keep the file names"}
    assert answer.contexts == []


# What Claude Code would lose, and does not get lost


@pytest.mark.parametrize(
    "document",
    [
        {"hookSpecificOutput": {"permissionDecision": "deny", "permissionDecisionReason": "no"}},
        specific("Stop", permissionDecision="deny", permissionDecisionReason="no"),
        {"permissionDecision": "deny", "permissionDecisionReason": "no"},
        {"decision": "deny", "reason": "no"},
        {**deny(), "systemMessage": 5},
        {**deny(), "continue": "false"},
        {"decision": "block", "reason": "no", "hookSpecificOutput": "oops"},
        permission("deny", permissionDecisionReason="no", additionalContext=["x"]),
    ],
)
def test_a_deny_in_bad_company_holds_with_a_note(document: object) -> None:
    answer = said("PreToolUse", document)
    assert (answer.decision, answer.reason) == ("deny", "no")
    assert answer.notes


@pytest.mark.parametrize(
    "document",
    [
        specific("PostToolUse", permissionDecision="allow"),
        specific("PostToolUse", updatedInput={"command": "x"}),
        specific("PostToolUse", permissionDecision="allow", updatedInput={"command": "x"}),
        {**specific("PostToolUse", additionalContext="c"), "decision": "approve"},
    ],
)
def test_what_allows_or_rewrites_under_another_events_name_is_lost_as_in_claude(
    document: object,
) -> None:
    answer = said("PreToolUse", document)
    assert (answer.decision, answer.reason, answer.updated_input) == ("", "", None)
    assert any("another event" in note for note in answer.notes)


@pytest.mark.parametrize(
    "document",
    [
        permission("nope"),
        permission("DENY"),
        {"decision": "ask"},
        {"decision": ["block"]},
        {"systemMessage": 5},
        {"continue": "false"},
        {"continue": 0},
        specific("PreToolUse", updatedInput="ls"),
        specific("PreToolUse", additionalContext=5),
        {"hookSpecificOutput": [1]},
    ],
)
def test_a_value_of_the_wrong_kind_says_nothing_but_leaves_a_note(document: object) -> None:
    answer = said("PreToolUse", document)
    assert answer.is_empty()
    assert len(answer.notes) == 1


@pytest.mark.parametrize("event", BLOCKABLE)
@pytest.mark.parametrize(
    "text",
    [
        "Shell ready\n{}",
        "{} bye",
        '{"systemMessage": "first"}\n{}\n',
        "{}\n{{}}",
        "[{}]",
        "`{}`",
        "{ {} ",
    ],
)
def test_a_refusal_inside_other_text_counts_with_a_note(event: str, text: str) -> None:
    inner = json.dumps({"decision": "block", "reason": "inner"})
    answer = said(event, text.replace("{}", inner))
    assert (answer.decision, answer.reason) == (refusal(event), "inner")
    assert any("around" in note for note in answer.notes)
    assert answer.contexts == []


def test_of_two_refusals_in_a_text_the_last_counts() -> None:
    text = "\n".join(json.dumps(deny(word)) for word in ("one", "two"))
    assert said("PreToolUse", text).reason == "two"


def test_a_refusal_behind_a_thousand_braces_is_found() -> None:
    noise = 'if (a) { b({"k": 1}); }\n' * 1000 + '{"open": \n' * 50
    assert said("PreToolUse", noise + json.dumps(deny("late"))).reason == "late"


@pytest.mark.parametrize(
    "text",
    [
        json.dumps(permission("allow")) + "\ntail",
        json.dumps(permission("ask")) + "\ntail",
        'x {"note": {"decision": "block"}} y',
        'x "{\\"decision\\": \\"block\\"}" y',
        "deny block {",
    ],
)
def test_other_text_with_json_in_it_decides_nothing(text: str) -> None:
    assert said("PreToolUse", text).decision == ""


def test_a_refusal_in_text_at_a_session_start_stays_text() -> None:
    text = "hooks may print " + json.dumps({"decision": "block"})
    assert said("SessionStart", text).contexts == [text]


def test_the_request_to_go_on_in_the_background_is_not_passed_on() -> None:
    # In the joined answer it would make Claude Code overlook every other hook's deny.
    answer = said("PreToolUse", {"async": True, "asyncTimeout": 5})
    assert answer.is_empty()
    assert answer.extras == {}
    assert "async" in answer.notes[0]


def test_what_follows_the_request_to_go_on_in_the_background_is_read() -> None:
    text = '{"async": true}\n' + json.dumps(specific("PostToolUse", additionalContext="late"))
    answer = said("PostToolUse", text)
    assert answer.contexts == ["late"]
    assert "async" in answer.notes[0]


# Bytes


@pytest.mark.parametrize(
    "raw",
    [
        b"\xef\xbb\xbf" + json.dumps(deny()).encode(),
        json.dumps(deny(), indent=2).replace("\n", "\r\n").encode() + b"\r\n\r\n",
        b"\n\t " + json.dumps(deny()).encode() + b" \n",
    ],
)
def test_a_byte_order_mark_and_windows_line_ends_do_not_matter(raw: bytes) -> None:
    answer = said("PreToolUse", raw=raw)
    assert (answer.decision, answer.reason, answer.notes) == ("deny", "no", [])


def test_bytes_that_are_not_utf_8_are_replaced() -> None:
    raw = b'{"decision": "block", "reason": "caf\xe9"}'
    assert said("PreToolUse", raw=raw).reason == "caf\ufffd"
    assert said("PreToolUse", code=2, err=b"caf\xe9").reason == "caf\ufffd"
    assert said("SessionStart", raw=b"\xff\xfe text").contexts == ["\ufffd\ufffd text"]


def test_lone_surrogates_survive_into_the_next_json() -> None:
    answer = said("PreToolUse", '{"decision": "block", "reason": "\\ud83d!"}')
    assert jsontext.dumps(answer.reason) == '"\\ud83d!"'


@pytest.mark.parametrize("event", BLOCKABLE)
def test_a_very_long_reason_is_kept_whole(event: str) -> None:
    reason = "r" * 300_000
    assert said(event, {"decision": "block", "reason": reason}).reason == reason
    assert said(event, code=2, err=reason).reason == reason


@pytest.mark.parametrize("opening", ['{"a":', "[", "{"])
def test_output_nested_beyond_all_measure_says_nothing(opening: str) -> None:
    assert said("PreToolUse", opening * 100_000).decision == ""


def test_a_first_line_is_cut_to_its_limit() -> None:
    assert first_line(" one \ntwo") == "one"
    assert first_line("x" * 400) == "x" * 300 + "..."
    assert first_line("") == ""
