"""The project root is the folder that the bridge lies in, wherever the model has gone."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.bridge.rig import AGENTS, Repo, repo_at


@pytest.mark.parametrize("agent", AGENTS)
def test_a_cd_into_another_repo_does_not_switch_the_guard_off(
    agent: str, repo: Repo, tmp_path: Path
) -> None:
    repo.guard(".env")
    other = repo_at(tmp_path / "other", tmp_path / "home").hook("echo other >&2; exit 2")
    payload = repo.shell_payload(agent, "cat .env")
    if "cwd" in payload:
        payload["cwd"] = str(other.root)
    # Codex alone has no variable for the root: there the process stays where the session started
    cwd = None if agent == "codex" else other.root
    assert repo.call(agent, "PreToolUse", payload, line=True, cwd=cwd).refusal() == "no .env"
    assert repo.call(agent, "PreToolUse", payload, cwd=other.root).refusal() == "no .env"


@pytest.mark.parametrize("agent", AGENTS)
@pytest.mark.parametrize("folder", ["a b", 'it\'s "q" `x` $HOME', "grün-日本", "back\\slash"])
def test_the_hook_learns_the_root_right(agent: str, folder: str, tmp_path: Path) -> None:
    repo = repo_at(tmp_path / folder, tmp_path / "home")
    repo.hook('printf "%s" "$CLAUDE_PROJECT_DIR" >&2; exit 2')
    below = repo.root / "below"
    below.mkdir()
    for cwd in (repo.root, below):
        assert repo.shell(agent, line=True, cwd=cwd).refusal() == str(repo.root)


def test_the_hook_runs_where_the_agent_works(repo: Repo) -> None:
    below = repo.root / "below"
    below.mkdir()
    repo.hook("pwd >&2; exit 2")
    assert repo.shell("claude", line=True, cwd=below).refusal() == str(below)


def test_codex_finds_the_bridge_by_walking_up(repo: Repo) -> None:
    below = repo.root / "a" / "b"
    below.mkdir(parents=True)
    repo.guard("rm")
    assert repo.shell("codex", "rm x", line=True, cwd=below).refusal() == "no rm"


def test_a_relative_path_to_the_bridge_gives_an_absolute_root(repo: Repo) -> None:
    repo.hook('printf "%s" "$CLAUDE_PROJECT_DIR" >&2; exit 2')
    heard = repo.shell("claude", line=True, CLAUDE_PROJECT_DIR=None)
    assert heard.refusal() == str(repo.root)


@pytest.mark.parametrize("locale", ["C", "POSIX", "C.UTF-8", "xx_XX.ISO-8859-1", None])
def test_no_locale_changes_path_or_command(locale: str | None, tmp_path: Path) -> None:
    repo = repo_at(tmp_path / "grün-日本", tmp_path / "häm")
    repo.hook('printf "%s é" "$CLAUDE_PROJECT_DIR" >&2; exit 2')
    heard = repo.shell("claude", line=True, LC_ALL=locale)
    assert heard.refusal() == f"{repo.root} é"


@pytest.mark.parametrize("agent", AGENTS)
def test_hooks_get_claudes_form_with_harness_and_kind(agent: str, repo: Repo) -> None:
    repo.hook('cat > "$CLAUDE_PROJECT_DIR/seen"')
    repo.shell(agent, "ls -l")
    seen = json.loads((repo.root / "seen").read_text())
    assert (seen["hook_event_name"], seen["tool_name"]) == ("PreToolUse", "Bash")
    assert seen["tool_input"]["command"] == "ls -l"
    assert (seen["harness"], seen["tool_kind"]) == (agent, "shell")


@pytest.mark.parametrize("agent", AGENTS)
@pytest.mark.parametrize("event", ["SessionStart", "UserPromptSubmit", "Stop", "SessionEnd"])
def test_kind_is_given_for_tools_alone(agent: str, event: str, repo: Repo) -> None:
    repo.hook('cat > "$CLAUDE_PROJECT_DIR/seen"', event=event)
    repo.call(agent, event, repo.payload(agent, event))
    seen = json.loads((repo.root / "seen").read_text())
    assert seen["harness"] == agent
    assert "tool_kind" not in seen
    assert seen["hook_event_name"] == event


@pytest.mark.parametrize("tail", ["/", "//", "/.", "/./"])
def test_the_root_comes_without_slashes_and_dots_behind_it(tail: str, repo: Repo) -> None:
    repo.hook('printf "%s" "$CLAUDE_PROJECT_DIR" >&2; exit 2')
    heard = repo.shell("claude", line=True, CLAUDE_PROJECT_DIR=f"{repo.root}{tail}")
    assert heard.refusal() == str(repo.root)


def test_a_link_to_the_repo_stays_the_root_that_the_agent_named(repo: Repo, tmp_path: Path) -> None:
    (tmp_path / "link").symlink_to(repo.root)
    repo.hook('printf "%s" "$CLAUDE_PROJECT_DIR" >&2; exit 2')
    heard = repo.shell("claude", line=True, CLAUDE_PROJECT_DIR=str(tmp_path / "link"))
    assert heard.refusal() == str(tmp_path / "link")
