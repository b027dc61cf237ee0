"""Whoever calls is answered in its own form, once; and hookpm's own test of the wiring."""

from __future__ import annotations

import json
from typing import Any

import pytest

from hookpm import agents
from hookpm.agents import shell_line
from hookpm.contract.events import EVENTS
from tests.bridge.rig import AGENTS, Heard, Repo

FOREIGN = [("claude", "copilot"), ("claude", "cursor"), ("claude", "codex"), ("codex", "claude")]
EVENT = "PreToolUse"


def wire(repo: Repo, agent: str, **top: Any) -> dict[str, Any]:
    """Wire an agent in its own file, and note it down as the installer does."""
    wiring = agents.load(agent).wiring
    document: dict[str, Any] = json.loads(json.dumps(wiring.SKELETON))
    for entry in wiring.entries([EVENT], 60):
        document["hooks"].setdefault(entry.path[-1], []).append(entry.value)
    document.update(top)
    repo.packs["wired"][agent] = {
        "file": wiring.FILE,
        "events": {EVENT: shell_line.present(agent, EVENT)},
    }
    repo.write()
    put(repo, agent, document)
    return document


def put(repo: Repo, agent: str, document: Any) -> None:
    path = repo.root / agents.load(agent).wiring.FILE
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(document if isinstance(document, str) else json.dumps(document))


def claude_line(repo: Repo, line: str, caller: str, payload: dict[str, Any] | None = None) -> Heard:
    """Another agent runs an agent's line with its own payload."""
    return repo.call(line, EVENT, payload or repo.shell_payload(caller, "x danger"))


def pascal(repo: Repo) -> dict[str, Any]:
    """Copilot's payload where it runs .claude/settings.json."""
    return {
        "hook_event_name": EVENT,
        "session_id": "s1",
        "timestamp": "2026-11-30T14:35:46.667Z",
        "cwd": str(repo.root),
        "tool_name": "Bash",
        "tool_input": {"command": "x danger"},
    }


@pytest.mark.parametrize(("line", "caller"), FOREIGN)
def test_a_foreign_caller_is_answered_in_its_own_form(line: str, caller: str, repo: Repo) -> None:
    repo.guard("danger")
    heard = claude_line(repo, line, caller)
    assert heard.refusal() == "no danger"
    assert heard.stdout == repo.call(caller, EVENT, repo.shell_payload(caller, "x danger")).stdout


@pytest.mark.parametrize(("line", "caller"), FOREIGN)
def test_a_foreign_line_stands_down_where_the_callers_own_is_wired(
    line: str, caller: str, repo: Repo
) -> None:
    repo.guard("danger")
    wire(repo, caller)
    assert claude_line(repo, line, caller).stdout == b""
    assert claude_line(repo, caller, caller).refusal() == "no danger"
    assert claude_line(repo, line, line).refusal() == "no danger", "its own agent is not concerned"


def test_copilots_other_spelling_is_known(repo: Repo) -> None:
    repo.guard("danger")
    assert claude_line(repo, "claude", "copilot", pascal(repo)).answer == {
        "permissionDecision": "deny",
        "permissionDecisionReason": "no danger",
    }
    wire(repo, "copilot")
    assert claude_line(repo, "claude", "copilot", pascal(repo)).stdout == b""


NOT_WIRED: dict[str, Any] = {
    "an empty file": "",
    "a list": [],
    "no hooks": {"version": 1},
    "hooks is a list": {"version": 1, "hooks": []},
    "another event": {"version": 1, "hooks": {"postToolUse": [{"command": "LINE"}]}},
    "not under hooks": {"version": 1, "off": {"preToolUse": [{"command": "LINE"}]}},
    "only quoted": {"version": 1, "hooks": {"preToolUse": [{"command": "echo", "note": "LINE"}]}},
    "behind a matcher": {
        "version": 1,
        "hooks": {"preToolUse": [{"command": "LINE", "matcher": "bash"}]},
    },
    "all hooks are off": {
        "version": 1,
        "disableAllHooks": True,
        "hooks": {"preToolUse": [{"command": "LINE"}]},
    },
    "a version it drops": {"version": 2, "hooks": {"preToolUse": [{"command": "LINE"}]}},
    "text in the list": {"version": 1, "hooks": {"preToolUse": ["LINE"]}},
}


@pytest.mark.parametrize("caller", ["copilot", "cursor"])
@pytest.mark.parametrize("how", NOT_WIRED)
def test_in_doubt_a_foreign_line_runs(caller: str, how: str, repo: Repo) -> None:
    repo.guard("danger")
    wire(repo, caller)
    line = shell_line.present(caller, EVENT)
    document = NOT_WIRED[how]
    text = document if isinstance(document, str) else json.dumps(document)
    put(repo, caller, text.replace("LINE", json.dumps(line)[1:-1]))
    assert claude_line(repo, "claude", caller).refusal() == "no danger"


@pytest.mark.parametrize("packs", ["", "{}", '{"wired": []}', '{"wired": {"copilot": 5}}'])
def test_without_the_installers_notes_a_foreign_line_runs(packs: str, repo: Repo) -> None:
    repo.guard("danger")
    wire(repo, "copilot")
    (repo.here / "packs.json").write_text(packs)
    assert claude_line(repo, "claude", "copilot").refusal() == "no danger"


@pytest.mark.parametrize("agent", AGENTS)
def test_a_payload_nobody_knows_is_answered_in_the_lines_form(agent: str, repo: Repo) -> None:
    repo.guard("danger")
    payload = {"tool_name": "Bash", "tool_input": {"command": "danger"}, "toolName": "bash"}
    payload["toolArgs"] = payload["tool_input"]
    assert repo.call(agent, EVENT, payload).refusal() == "no danger"
    assert repo.call(agent, EVENT, {}).refusal() == ""


def test_another_agents_broken_module_is_no_concern(repo: Repo) -> None:
    repo.guard("danger")
    (repo.here / "agents" / "copilot" / "translate.py").write_text("(")
    (repo.here / "agents" / "gemini" / "translate.py").unlink()
    assert claude_line(repo, "claude", "cursor").refusal() == "no danger"


@pytest.mark.parametrize(
    ("agent", "event"),
    [(a, e) for a in AGENTS for e in EVENTS if agents.facts_of(a).native(e)],
)
def test_the_canary_is_answered_through_the_line_and_runs_no_hook(
    agent: str, event: str, repo: Repo
) -> None:
    repo.hook('echo ran > "$CLAUDE_PROJECT_DIR/ran"; exit 2', event=event).hook("x", event=event)
    wiring = agents.load(agent).wiring
    heard = repo.call(agent, event, wiring.canary(event, "N0", repo.root), line=True)
    assert heard.code == 0
    assert wiring.read_canary(event, "N0", heard.stdout.decode(), heard.stderr), heard
    assert "2 hooks" in heard.stdout.decode() + heard.stderr
    assert not wiring.read_canary(event, "other", heard.stdout.decode(), heard.stderr)
    assert not (repo.root / "ran").exists()


@pytest.mark.parametrize("agent", AGENTS)
def test_the_canary_says_what_is_wrong_with_the_hooks_file(agent: str, repo: Repo) -> None:
    (repo.root / ".agents" / "hooks.json").write_text("{")
    wiring = agents.load(agent).wiring
    heard = repo.call(agent, EVENT, wiring.canary(EVENT, "N0", repo.root))
    assert "hooks.json is not JSON" in heard.refusal()
