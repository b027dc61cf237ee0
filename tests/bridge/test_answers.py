"""From the hooks' answers to the agent's form: joins, fallbacks, notes, text around JSON."""

from __future__ import annotations

import fcntl
import json
import os
import subprocess
import termios
from typing import Any

import pytest

from tests.bridge.rig import AGENTS, Heard, Repo

DENY = {"hookEventName": "PreToolUse", "permissionDecision": "deny"}


def says(**fields: Any) -> str:
    """A command that prints hookSpecificOutput at PreToolUse."""
    inner = {"hookEventName": "PreToolUse", **fields}
    return "echo '" + json.dumps({"hookSpecificOutput": inner}) + "'"


def asks(reason: str = "sure?") -> str:
    return says(permissionDecision="ask", permissionDecisionReason=reason)


@pytest.mark.parametrize("agent", AGENTS)
def test_deny_beats_ask_beats_allow_in_every_agent(agent: str, repo: Repo) -> None:
    repo.hook(says(permissionDecision="allow")).hook(asks()).hook("echo first >&2; exit 2")
    repo.hook(says(permissionDecision="deny", permissionDecisionReason="second"))
    assert repo.shell(agent).refusal() == "first\nsecond"


@pytest.mark.parametrize("agent", AGENTS)
@pytest.mark.parametrize("word", ["ask", "defer"])
def test_what_the_agent_cannot_do_is_denied_by_the_packs_fallback(
    agent: str, word: str, repo: Repo
) -> None:
    command = says(permissionDecision=word, permissionDecisionReason="sure?")
    repo.hook(command, pack="p", terms={"fallback": {word: "deny"}})
    heard = repo.shell(agent)
    native = {"ask": ("claude", "copilot"), "defer": ("claude",)}[word]
    if agent in native:
        assert heard.refusal() == ""
        assert json.dumps(word) in json.dumps(heard.answer)
    else:
        assert heard.refusal().startswith("sure?")


@pytest.mark.parametrize("agent", AGENTS)
@pytest.mark.parametrize("fallback", [{}, {"ask": "drop"}, {"defer": "deny"}, {"ask": 5}])
def test_without_a_fallback_an_ask_is_left_out_with_a_note_and_never_allows(
    agent: str, fallback: dict[str, Any], repo: Repo
) -> None:
    repo.hook(asks(), pack="p", terms={"fallback": fallback})
    heard = repo.shell(agent)
    if agent in ("claude", "copilot"):
        assert "ask" in json.dumps(heard.answer)
        return
    assert heard.answer == {}
    assert heard.stderr == f"hookpm: p/h0: ask cannot be done in {agent} and was left out\n"


def in_terminal(repo: Repo, agent: str) -> Heard:
    """The bridge with a controlling terminal, as under an interactive agent."""
    master, slave = os.openpty()

    def take() -> None:
        os.setsid()
        fcntl.ioctl(slave, termios.TIOCSCTTY, 0)

    try:
        done = subprocess.run(
            repo.argv(agent, "PreToolUse"),
            input=json.dumps(repo.shell_payload(agent)).encode(),
            capture_output=True,
            env=repo.environment(agent),
            cwd=repo.root,
            preexec_fn=take,
            timeout=60,
        )
    finally:
        os.close(master)
        os.close(slave)
    return Heard(done.stdout, done.stderr.decode(), done.returncode)


def without_terminal(repo: Repo, agent: str) -> Heard:
    done = subprocess.run(
        repo.argv(agent, "PreToolUse"),
        input=json.dumps(repo.shell_payload(agent)).encode(),
        capture_output=True,
        env=repo.environment(agent),
        cwd=repo.root,
        start_new_session=True,
        timeout=60,
    )
    return Heard(done.stdout, done.stderr.decode(), done.returncode)


def test_gemini_asks_only_where_there_is_a_terminal(repo: Repo) -> None:
    repo.hook(asks(), pack="p", terms={"fallback": {"ask": "deny"}})
    assert in_terminal(repo, "gemini").answer == {"decision": "ask", "systemMessage": "sure?"}
    assert without_terminal(repo, "gemini").refusal().startswith("sure?")


def test_codex_asks_nobody_even_in_a_terminal(repo: Repo) -> None:
    repo.hook(asks(), pack="p", terms={"fallback": {"ask": "deny"}})
    assert in_terminal(repo, "codex").refusal().startswith("sure?")


@pytest.mark.parametrize("agent", AGENTS)
@pytest.mark.parametrize("fallback", ["deny", "drop"])
def test_continue_false_falls_back_before_a_tool(agent: str, fallback: str, repo: Repo) -> None:
    stop = "echo '" + json.dumps({"continue": False, "stopReason": "enough"}) + "'"
    repo.hook(stop, pack="p", terms={"fallback": {"continue:false": fallback}})
    heard = repo.shell(agent)
    if agent in ("claude", "gemini"):
        assert heard.answer["continue"] is False
    elif fallback == "deny":
        assert heard.refusal() == "enough"
    else:
        assert heard.answer == {}
        assert "continue:false cannot be done" in heard.stderr


@pytest.mark.parametrize("agent", AGENTS)
def test_a_system_message_reaches_the_user_or_stderr(agent: str, repo: Repo) -> None:
    repo.hook("echo '" + json.dumps({"systemMessage": "look here"}) + "'")
    heard = repo.shell(agent)
    if agent in ("copilot", "cursor"):
        assert (heard.answer, heard.stderr) == ({}, "hookpm: look here\n")
    else:
        assert heard.told() == "look here"


@pytest.mark.parametrize("agent", AGENTS)
def test_an_allow_is_given_only_by_agents_that_know_it(agent: str, repo: Repo) -> None:
    repo.hook(says(permissionDecision="allow"))
    answer = json.dumps(repo.shell(agent).answer)
    assert ("allow" in answer) == (agent in ("claude", "copilot"))


REASON = "it's no"
SENTENCE = json.dumps({"decision": "block", "reason": "no"})
AROUND = {
    "a banner": f"echo 'Shell ready'; echo '{SENTENCE}'",
    "text behind": f"echo '{SENTENCE}'; echo done",
    "two lines": f"""echo '{{"a": 1}}'; echo '{SENTENCE}'""",
    "two answers": f"""echo '{SENTENCE}'; echo '{{"decision": "approve"}}'""",
    "in a list": f"echo '[{SENTENCE}]'",
    "exit 1": f"echo x; echo '{SENTENCE}'; exit 1",
    "no event name": """echo '{"hookSpecificOutput": {"permissionDecision": "deny",
        "permissionDecisionReason": "no"}}'""",
    "another event name": """echo '{"hookSpecificOutput": {"hookEventName": "Stop",
        "permissionDecision": "deny", "permissionDecisionReason": "no"}}'""",
    "top level": """echo '{"permissionDecision": "deny", "permissionDecisionReason": "no"}'""",
    "a bad field beside it": """echo '{"decision": "block", "reason": "no",
        "systemMessage": 5}'""",
    "decision deny": """echo '{"decision": "deny", "reason": "no"}'""",
}


@pytest.mark.parametrize("agent", AGENTS)
@pytest.mark.parametrize("how", AROUND)
def test_a_refusal_that_claude_would_lose_counts_with_a_note(
    agent: str, how: str, repo: Repo
) -> None:
    repo.hook(AROUND[how])
    heard = repo.shell(agent)
    assert heard.refusal() == "no"
    assert heard.stderr.startswith("hookpm: ")


SILENT_LOSSES = {
    "a reason that is no text": '{"decision": "block", "reason": 5}',
    "a flag that is text": '{"decision": "block", "reason": "no", "suppressOutput": "yes"}',
    "null": '{"decision": "block", "reason": "no", "stopReason": null}',
    "null inside": '{"decision": "block", "reason": "no", "hookSpecificOutput": null}',
    "a bare line break": '{"decision": "block", "reason": "no\n more"}',
    "a field of another event": '{"decision": "block", "reason": "no", "watchPaths": 5}',
}


@pytest.mark.parametrize("how", SILENT_LOSSES)
def test_what_claude_would_throw_away_is_mended_for_it(how: str, repo: Repo) -> None:
    (repo.root / "out").write_text(SILENT_LOSSES[how])
    repo.hook('cat "$CLAUDE_PROJECT_DIR/out"')
    heard = repo.shell("claude")
    assert heard.refusal()
    assert heard.answer["hookSpecificOutput"]["hookEventName"] == "PreToolUse"


@pytest.mark.parametrize(
    "text",
    [
        '{"hookSpecificOutput":{"hookEventName":"PreToolUse","permissionDecision":"ask"}}',
        '  {"decision" :\t"block",\n "reason": "\\ud800 \\u00e9 é"}\r\n\n',
        '\ufeff{"decision": "block", "reason": "bom"}',
        '{"systemMessage": "m", "suppressOutput": true, "later": [1, {"x": null}]}',
        "just text",
        '{"a": 1}',
    ],
)
def test_one_hooks_bytes_reach_claude_unchanged(text: str, repo: Repo) -> None:
    (repo.root / "out").write_text(text, newline="")
    repo.hook('cat "$CLAUDE_PROJECT_DIR/out"')
    assert repo.shell("claude").stdout == text.encode()


def test_plain_text_reaches_claude_as_it_came_where_it_is_context(repo: Repo) -> None:
    repo.hook("printf 'line one\\nline two'", event="UserPromptSubmit")
    payload = repo.payload("claude", "UserPromptSubmit")
    assert repo.call("claude", "UserPromptSubmit", payload).stdout == b"line one\nline two"


@pytest.mark.parametrize("agent", AGENTS)
def test_plain_text_is_context_in_one_json_object_elsewhere(agent: str, repo: Repo) -> None:
    repo.hook("echo hello", event="SessionStart").hook("echo you", event="SessionStart")
    heard = repo.call(agent, "SessionStart", repo.payload(agent, "SessionStart"))
    assert "hello\\nyou" in json.dumps(heard.answer)


def test_exit_2_in_claude_is_a_json_deny_with_its_reason(repo: Repo) -> None:
    repo.hook("echo why >&2; exit 2")
    assert repo.shell("claude").answer["hookSpecificOutput"] == {
        "hookEventName": "PreToolUse",
        "permissionDecision": "deny",
        "permissionDecisionReason": "why",
    }


@pytest.mark.parametrize("agent", AGENTS)
@pytest.mark.parametrize("event", ["UserPromptSubmit", "PostToolUse", "Stop"])
def test_exit_2_with_the_text_on_stdout_keeps_its_reason(
    agent: str, event: str, repo: Repo
) -> None:
    repo.hook("echo why; exit 2", event=event)
    heard = repo.call(agent, event, repo.payload(agent, event, tool="x"))
    assert "why" in json.dumps(heard.answer)


@pytest.mark.parametrize("agent", AGENTS)
@pytest.mark.parametrize(
    "event",
    ["SessionStart", "SessionEnd", "PreCompact", "PostToolUse", "Stop", "UserPromptSubmit"],
)
@pytest.mark.parametrize(
    "command",
    [
        "echo text; exit 2",
        "exit 3",
        "printf '\\377\\376'",
        "echo '[1]'",
        "echo '\"x\"'",
        "echo '{'",
        """echo '{"hookSpecificOutput": {"hookEventName": "PreToolUse"}}'""",
    ],
)
def test_no_answer_makes_more_than_one_json_object(
    agent: str, event: str, command: str, repo: Repo
) -> None:
    repo.hook(command, event=event).hook("echo two", event=event)
    repo.call(agent, event, repo.payload(agent, event, tool="x")).answer  # noqa: B018


@pytest.mark.parametrize("agent", AGENTS)
def test_matchers_follow_claudes_rule_in_every_agent(agent: str, repo: Repo) -> None:
    repo.hook("echo list >&2; exit 2", matcher="Edit|BashOutput, Bas")
    repo.hook("echo broken >&2; exit 2", matcher="(")
    repo.hook("echo regex >&2; exit 2", matcher="^Ba.h$")
    repo.hook("echo exact >&2; exit 2", matcher="Write, Bash")
    assert repo.shell(agent).refusal() == "regex\nexact"
