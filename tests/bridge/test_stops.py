"""Blocks at Stop: their cap, what resets it, and the prompt that only repeats their reason."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from tests.bridge.rig import AGENTS, Heard, Repo

CAPPED_BY_US = ("codex", "gemini", "cursor")
TELLS = ("codex", "gemini")


def stop(repo: Repo, agent: str, going_on: bool, session: str = "s1", **variables: Any) -> Heard:
    payload = repo.payload(agent, "Stop", session)
    if agent == "cursor":
        payload["loop_count"] = int(going_on)
    else:
        payload["stop_hook_active"] = going_on
    return repo.call(agent, "Stop", payload, **variables)


def prompt(repo: Repo, agent: str, text: str, session: str = "s1") -> Heard:
    payload = repo.payload(agent, "UserPromptSubmit", session, prompt=text)
    return repo.call(agent, "UserPromptSubmit", payload)


@pytest.mark.parametrize("agent", AGENTS)
def test_the_agent_is_kept_going_eight_times_where_it_has_no_cap_of_its_own(
    agent: str, repo: Repo
) -> None:
    repo.hook("echo more tests >&2; exit 2", event="Stop")
    heard = [stop(repo, agent, going_on=number > 0) for number in range(10)]
    refused = [bool(one.refusal()) for one in heard]
    if agent in CAPPED_BY_US:
        assert refused == [True] * 8 + [False] * 2
        assert "8 times" in heard[8].stderr
        assert "more tests" in heard[8].stderr
        assert ("8 times" in heard[8].told()) == (agent in TELLS)
    else:
        assert refused == [True] * 10


@pytest.mark.parametrize("agent", ["codex", "copilot"])
@pytest.mark.parametrize("active", [True, False])
def test_subagents_are_capped_also_where_the_agent_says_nothing_of_a_continuation(
    agent: str, active: bool, repo: Repo
) -> None:
    repo.hook("echo more >&2; exit 2", event="SubagentStop")
    payload = repo.payload(agent, "SubagentStop", "s1")
    heard = []
    for number in range(9):
        payload["stop_hook_active"] = active and number > 0
        heard.append(bool(repo.call(agent, "SubagentStop", payload).refusal()))
    assert heard == [True] * 8 + [False]


@pytest.mark.parametrize("agent", CAPPED_BY_US)
def test_the_users_next_prompt_starts_the_count_anew(agent: str, repo: Repo) -> None:
    repo.hook("echo more >&2; exit 2", event="Stop").hook("exit 0", event="UserPromptSubmit")
    for number in range(9):
        stop(repo, agent, going_on=number > 0)
    prompt(repo, agent, "go on then")
    assert stop(repo, agent, going_on=True).refusal() == "more"


@pytest.mark.parametrize("agent", CAPPED_BY_US)
def test_a_stop_that_is_no_continuation_starts_the_count_anew(agent: str, repo: Repo) -> None:
    repo.hook("echo more >&2; exit 2", event="Stop")
    for number in range(9):
        stop(repo, agent, going_on=number > 0)
    assert stop(repo, agent, going_on=False).refusal() == "more"


@pytest.mark.parametrize("agent", CAPPED_BY_US)
def test_sessions_are_counted_apart(agent: str, repo: Repo) -> None:
    repo.hook("echo more >&2; exit 2", event="Stop")
    for number in range(9):
        stop(repo, agent, going_on=number > 0)
    assert stop(repo, agent, going_on=True, session="s2").refusal() == "more"
    assert stop(repo, agent, going_on=True).refusal() == ""


@pytest.mark.parametrize("agent", CAPPED_BY_US)
@pytest.mark.parametrize("cache", ["/dev/null/x", "relative", "/proc/nothing"])
def test_where_nothing_can_be_remembered_no_loop_is_endless(
    agent: str, cache: str, repo: Repo
) -> None:
    repo.hook("echo more >&2; exit 2", event="Stop")
    variables = {"XDG_CACHE_HOME": cache, "HOME": ""}
    assert stop(repo, agent, going_on=False, **variables).refusal() == "more"
    assert stop(repo, agent, going_on=True, **variables).refusal() == ""
    assert not (repo.root / "relative").exists()


@pytest.mark.parametrize("agent", AGENTS)
def test_hooks_learn_whether_they_keep_the_agent_going(agent: str, repo: Repo) -> None:
    repo.hook("grep -q 'stop_hook_active\": *true' && exit 0; echo once >&2; exit 2", event="Stop")
    assert stop(repo, agent, going_on=False).refusal() == "once"
    assert stop(repo, agent, going_on=True).refusal() == ""


@pytest.mark.parametrize("agent", AGENTS)
def test_the_prompt_that_repeats_our_block_runs_no_hook_where_agents_do_this(
    agent: str, repo: Repo
) -> None:
    repo.hook("printf 'run the\\n tests' >&2; exit 2", event="Stop")
    repo.hook('echo x >> "$CLAUDE_PROJECT_DIR/log"', event="UserPromptSubmit")
    log = repo.root / "log"
    stop(repo, agent, going_on=False)
    assert prompt(repo, agent, "run the\n tests").stdout == b""
    assert log.exists() == (agent not in ("gemini", "copilot"))
    log.unlink(missing_ok=True)
    prompt(repo, agent, "run the\n tests")
    assert log.read_text() == "x\n", "the same words a second time are the user's"


def test_a_repeated_reason_beside_another_hooks_is_known(repo: Repo) -> None:
    repo.hook("echo run the tests >&2; exit 2", event="Stop")
    repo.hook("echo no >&2; exit 2", event="UserPromptSubmit")
    stop(repo, "gemini", going_on=False)
    assert prompt(repo, "gemini", "theirs\nrun the tests").refusal() == ""


@pytest.mark.parametrize("text", ["fix it", "please fix", "prefix", "a\nfixes"])
def test_a_prompt_that_only_holds_the_reason_is_the_users(text: str, repo: Repo) -> None:
    repo.hook("echo fix >&2; exit 2", event="Stop")
    repo.hook("echo no >&2; exit 2", event="UserPromptSubmit")
    stop(repo, "gemini", going_on=False)
    assert prompt(repo, "gemini", text).refusal() == "no"


def test_the_repeated_prompt_does_not_reset_the_count(repo: Repo) -> None:
    repo.hook("echo more >&2; exit 2", event="Stop").hook("exit 0", event="UserPromptSubmit")
    refused = []
    for number in range(9):
        refused.append(bool(stop(repo, "gemini", going_on=number > 0).refusal()))
        prompt(repo, "gemini", "more")
    assert refused == [True] * 8 + [False]


def test_what_is_remembered_lies_in_the_cache_and_old_sessions_go(repo: Repo) -> None:
    import os

    repo.hook("echo more >&2; exit 2", event="Stop")
    stop(repo, "codex", going_on=False, session="../../x/y\ud800 é")
    sessions = repo.home / ".cache" / "hookpm" / "sessions"
    (kept,) = sessions.iterdir()
    assert kept.name == "codex-%2e%2e%2f%2e%2e%2fx%2fy%d800%20%e9"
    os.utime(kept, (0, 0))
    stop(repo, "codex", going_on=False, session="new")
    assert [path.name for path in sessions.iterdir()] == ["codex-new"]


@pytest.mark.parametrize("text", ["", "{", "[]", '{"stops": "x", "reason": 1, "told": 5}', "\0"])
def test_a_garbled_memory_counts_as_none(text: str, repo: Repo, tmp_path: Path) -> None:
    repo.hook("echo more >&2; exit 2", event="Stop")
    stop(repo, "codex", going_on=False)
    (kept,) = (repo.home / ".cache" / "hookpm" / "sessions").iterdir()
    kept.write_text(text)
    assert stop(repo, "codex", going_on=True).refusal() == "more"
