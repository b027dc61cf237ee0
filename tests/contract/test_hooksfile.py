from __future__ import annotations

from typing import Any

import pytest

from hookpm.contract.events import CLAUDE_EVENTS, EVENTS
from hookpm.contract.hooksfile import Hook, check, hooks_for, is_antigravitys


def handler(**fields: Any) -> dict[str, Any]:
    return {"type": "command", "command": "true", **fields}


def file(*handlers: object, event: str = "PreToolUse", **group: Any) -> dict[str, Any]:
    return {"hooks": {event: [{**group, "hooks": list(handlers)}]}}


def only(document: object, event: str = "PreToolUse") -> Hook:
    hooks, problems = hooks_for(document, event)
    assert problems == []
    assert len(hooks) == 1
    return hooks[0]


def found(document: object) -> list[tuple[str, str]]:
    """Each problem as (its place joined with dots, its message)."""
    return [(".".join(map(str, p.place)), p.message) for p in check(document)]


# Good files


def test_a_hook_is_read_with_everything_it_says() -> None:
    line = '"${HOOKPM_PYTHON:-python3}" "$HOOKPM_PACK_DIR/guard.py"'
    document = file(
        handler(command=line, timeout=2.5, onFailure="block", shell="bash"),
        matcher="Read|Edit",
        pack="protect-secrets",
        id="guard-files",
    )
    hook = only(document)
    assert (hook.event, hook.matcher, hook.command) == ("PreToolUse", "Read|Edit", line)
    assert (hook.timeout, hook.on_failure, hook.shell) == (2.5, "block", "bash")
    assert (hook.pack, hook.id, hook.name()) == (
        "protect-secrets",
        "guard-files",
        "protect-secrets/guard-files",
    )
    assert hook.place == ("hooks", "PreToolUse", 0, "hooks", 0)
    assert check(document) == []


def test_what_is_left_out_has_its_usual_value() -> None:
    hook = only(file(handler()))
    assert (hook.matcher, hook.timeout, hook.args, hook.on_failure) == (None, 60.0, None, "allow")
    assert (hook.pack, hook.id, hook.name()) == ("", "", "true")


def test_a_users_hook_is_named_by_its_command_and_a_long_one_is_cut() -> None:
    assert only(file(handler(command="x" * 81))).name() == "x" * 77 + "..."
    assert only(file(handler(), pack="guard")).name() == "guard"


def test_hooks_come_in_file_order_over_all_groups() -> None:
    groups = [{"hooks": [handler(command=c) for c in pair]} for pair in ("ab", "", "c")]
    hooks, problems = hooks_for({"hooks": {"Stop": groups}}, "Stop")
    assert [h.command for h in hooks] == ["a", "b", "c"]
    assert [h.place[2::2] for h in hooks] == [(0, 0), (0, 1), (2, 0)]
    assert problems == []


@pytest.mark.parametrize("event", CLAUDE_EVENTS)
def test_every_event_that_claude_code_has_is_known(event: str) -> None:
    assert check(file(handler(), event=event)) == []


@pytest.mark.parametrize("document", [{"hooks": {}}, {"hooks": {"Stop": []}}, file()])
def test_a_file_without_hooks_is_sound(document: object) -> None:
    assert check(document) == []
    assert hooks_for(document, "PreToolUse") == ([], [])


def test_unknown_keys_are_tolerated_on_every_level() -> None:
    document = file(handler(statusMessage="s", once=True, colour="red"), note="n")
    document["$schema"] = "./hookpm/hooks.schema.json"
    document["description"] = "d"
    assert check(document) == []
    only(document)


@pytest.mark.parametrize(
    "fields", [{"if": ""}, {"async": False}, {"shell": ""}, {"onFailure": "continue"}]
)
def test_a_field_that_asks_for_nothing_is_honoured(fields: dict[str, Any]) -> None:
    assert only(file(handler(**fields))).on_failure == "allow"


def test_arguments_make_it_a_program_without_a_shell() -> None:
    assert only(file(handler(args=["-x", "$HOME"]))).args == ["-x", "$HOME"]
    assert only(file(handler(args=[]))).args == []


def test_a_request_is_read_with_everything_it_says() -> None:
    given = {"url": "https://h/x", "headers": {"A": "$B"}, "allowedEnvVars": ["B"], "timeout": 3}
    hook = only(file({"type": "http", "args": 1, **given}))
    assert (hook.url, hook.headers, hook.allowed) == ("https://h/x", {"A": "$B"}, ["B"])
    assert (hook.timeout, hook.args, hook.name()) == (3, None, "POST https://h/x")
    assert only(file(handler(url="https://h"))).url == ""


@pytest.mark.parametrize("timeout", [86401, 1e300, float("inf"), 10**400])
def test_a_time_limit_beyond_a_day_is_taken_as_a_day(timeout: float) -> None:
    assert only(file(handler(timeout=timeout))).timeout == 86400.0


# Bad files


@pytest.mark.parametrize("document", [None, [], "text", 5])
def test_a_document_that_is_no_object_is_refused(document: object) -> None:
    assert found(document) == [("", "expected an object")]
    assert hooks_for(document, "Stop")[0] == []


@pytest.mark.parametrize(
    "document",
    [
        {"hooks": [{"event": "PreToolUse", "command": "guard.sh"}]},
        {"hooks": None},
        {"hooks": "PreToolUse"},
        {},
        {"PreToolUse": []},
    ],
)
def test_hooks_have_to_be_an_object_of_events(document: object) -> None:
    ((place, message),) = found(document)
    assert place == "hooks"
    assert 'an object "hooks"' in message
    hooks, problems = hooks_for(document, "PreToolUse")
    assert (hooks, len(problems)) == ([], 1)


@pytest.mark.parametrize(
    ("event", "meant"),
    [
        ("preToolUse", "PreToolUse"),
        ("pre_tool_use", "PreToolUse"),
        ("PRETOOLUSE", "PreToolUse"),
        ("user-prompt-submit", "UserPromptSubmit"),
        ("stop", "Stop"),
    ],
)
def test_a_misspelled_event_is_named_with_the_one_that_was_meant(event: str, meant: str) -> None:
    message = f"unknown event {event}: did you mean {meant}?"
    assert found({"hooks": {event: []}}) == [("hooks." + event, message)]


def test_invented_events_are_named_one_by_one() -> None:
    document = {"hooks": {"pre-push": ["make check"], "after-edit": ["make format"]}}
    assert found(document) == [
        ("hooks.pre-push", "unknown event pre-push"),
        ("hooks.after-edit", "unknown event after-edit"),
    ]


@pytest.mark.parametrize("event", EVENTS)
@pytest.mark.parametrize("groups", [{"matcher": "Bash", "hooks": []}, None, "true", 1])
def test_an_event_has_to_hold_a_list_of_groups(event: str, groups: object) -> None:
    assert found({"hooks": {event: groups}}) == [("hooks." + event, "expected a list of groups")]


@pytest.mark.parametrize(
    ("group", "word"),
    [
        ("true", "group"),
        ([], "group"),
        ({}, "hooks"),
        ({"hooks": None}, "hooks"),
        ({"hooks": handler()}, "hooks"),
        (handler(), "hooks"),
        ({"matcher": {}, "hooks": []}, "matcher"),
        ({"matcher": ["Bash"], "hooks": []}, "matcher"),
        ({"matcher": None, "hooks": []}, "matcher"),
        ({"pack": 1, "hooks": []}, "pack"),
        ({"id": [], "hooks": []}, "id"),
    ],
)
def test_a_bad_group_is_named_by_its_place_and_the_others_run(group: object, word: str) -> None:
    document = {"hooks": {"PreToolUse": [group, {"hooks": [handler()]}]}}
    ((place, message),) = found(document)
    assert place == "hooks.PreToolUse.0"
    assert word in message
    assert len(hooks_for(document, "PreToolUse")[0]) == 1


@pytest.mark.parametrize(
    ("bad", "word"),
    [
        ("true", "handler"),
        (None, "handler"),
        ({"command": "true"}, "type"),
        (handler(type="shell"), "type"),
        (handler(type=["command"]), "type"),
        (handler(type="http"), "url"),
        ({"type": "http", "url": "https://"}, "url"),
        ({"type": "http", "url": "ftp://example.com"}, "url"),
        ({"type": "http", "url": "https://user:word@example.com"}, "url"),
        ({"type": "http", "url": "http://h", "headers": {"A:": "b"}}, "headers"),
        ({"type": "http", "url": "http://h", "headers": {"A": None}}, "headers"),
        ({"type": "http", "url": "http://h", "allowedEnvVars": "A"}, "allowedEnvVars"),
        ({"type": "http", "url": "http://h", "timeout": 0}, "timeout"),
        (handler(type="prompt"), "prompt"),
        (handler(type="agent"), "agent"),
        (handler(type="mcp_tool"), "mcp_tool"),
        ({"type": "command"}, "command"),
        (handler(command=""), "command"),
        (handler(command="  "), "command"),
        (handler(command=["true"]), "command"),
        (handler(timeout=0), "timeout"),
        (handler(timeout=-1), "timeout"),
        (handler(timeout="10"), "timeout"),
        (handler(timeout=True), "timeout"),
        (handler(timeout=None), "timeout"),
        (handler(timeout=float("nan")), "timeout"),
        (handler(args="-x"), "args"),
        (handler(args=[1]), "args"),
        (handler(onFailure="deny"), "onFailure"),
        (handler(onFailure=True), "onFailure"),
        (handler(shell="powershell"), "shell"),
        (handler(**{"if": "Bash(rm *)"}), "if"),
        (handler(**{"async": True}), "async"),
        (handler(asyncRewake=True), "async"),
    ],
)
def test_a_bad_handler_is_named_by_its_place_and_its_siblings_run(bad: object, word: str) -> None:
    document = file(handler(), bad, handler())
    ((place, message),) = found(document)
    assert place == "hooks.PreToolUse.0.hooks.1"
    assert word in message
    assert [h.place[-1] for h in hooks_for(document, "PreToolUse")[0]] == [0, 2]


@pytest.mark.parametrize("matcher", ["(", "**", "|"])
def test_a_matcher_that_takes_nothing_is_named_once_for_its_group(matcher: str) -> None:
    for handlers in ([], [handler()], [handler(), handler()]):
        ((place, message),) = found(file(*handlers, matcher=matcher))
        assert place == "hooks.PreToolUse.0.matcher"
        assert "matches nothing" in message


@pytest.mark.parametrize("event", ["Stop", "UserPromptSubmit"])
def test_where_matchers_are_ignored_a_broken_one_does_no_harm(event: str) -> None:
    assert check(file(handler(), event=event, matcher="(")) == []


@pytest.mark.parametrize("key", ["toolName", "tool_name", "tools"])
def test_another_word_for_the_matcher_is_named_since_the_hook_would_run_for_everything(
    key: str,
) -> None:
    ((place, message),) = found(file(handler(), **{key: "Bash"}))
    assert place == "hooks.PreToolUse.0." + key
    assert 'did you mean "matcher"?' in message
    assert found(file(handler(), matcher="Bash", **{key: "Bash"})) == []


# Google Antigravity reads the same path in a form of its own


@pytest.mark.parametrize(
    "document",
    [
        {
            "house-rules": {
                "enabled": True,
                "PreToolUse": [{"matcher": "run_command", "hooks": [handler()]}],
                "Stop": [handler()],
            }
        },
        {"one": {"Stop": []}, "two": {"PreInvocation": []}},
        {"gate": {"pre_tool_execution": []}},
        {"hooks": {"enabled": True, "PreToolUse": []}},
        {"hooks": {"PreToolUse": []}, "house-rules": {"Stop": []}},
    ],
)
def test_a_file_whose_keys_are_hook_names_is_antigravitys(document: object) -> None:
    assert is_antigravitys(document)


@pytest.mark.parametrize(
    "document",
    [
        {"hooks": {"PreToolUse": [{"matcher": "Bash", "hooks": [handler(command="guard.sh")]}]}},
        {"$schema": "./hookpm/hooks.schema.json", "hooks": {}},
        {"hooks": {}},
        {"hooks": {"pre-push": ["make check"]}},
        {"hooks": []},
        {"hooks": None},
        {"PreToolUse": []},
        {"version": 1, "house-rules": {"Stop": []}},
        {},
        [],
        None,
        "text",
    ],
)
def test_claudes_form_and_broken_files_are_not_antigravitys(document: object) -> None:
    assert not is_antigravitys(document)
