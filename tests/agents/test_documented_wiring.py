"""VS Code's and Antigravity's wiring, and the bridge in front of an agent that silence denies."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from hookpm import agents
from hookpm.agents import shell_line
from hookpm.contract.events import EVENTS
from hookpm.edit.jsondoc import parse
from hookpm.project.vendor import bridge_files

TEXT = "hookpm canary n0nce: 3 hooks"
ALLOW = {"decision": "allow"}
PYTHON = str(Path(getattr(sys, "_base_executable", sys.executable)).resolve())


def lines(name: str, text: str) -> list[int]:
    findings = agents.load(name).wiring.dropped_by(parse(text, "the file"))
    return [finding.line for finding in findings]


def hso(event: str, **fields: str) -> dict[str, Any]:
    return {"hookSpecificOutput": {"hookEventName": event, **fields}}


# --- the files -------------------------------------------------------------------------------


def test_antigravity_is_wired_in_its_users_config_under_a_name_of_our_own() -> None:
    agent = agents.load("antigravity")
    assert agent.scope == "user"
    assert ".agents/hooks.json" in agent.why_not
    assert "--user-bridge" in agent.why_not
    assert agent.name not in [one.name for one in agents.wirable()]
    entries = agent.wiring.entries(EVENTS, 10)
    assert [entry.path for entry in entries] == [("hookpm", entry.event) for entry in entries]
    assert {e.event for e in entries} == {"SessionStart", "PreToolUse", "PostToolUse", "Stop"}
    groups = {entry.event: entry.value for entry in entries}
    assert set(groups["PreToolUse"]) == {"hooks"}
    assert set(groups["Stop"]) == {"type", "command", "timeout"}


def test_an_agent_that_is_wired_in_the_project_has_no_reason_against_it() -> None:
    assert agents.load("vscode").why_not == agents.load("claude").why_not == ""
    assert agents.load("vscode") in agents.wirable()


def test_vs_codes_file_is_not_copilots_though_both_read_the_folder() -> None:
    files = {agents.load(name).wiring.FILE for name in ("vscode", "copilot")}
    assert len(files) == 2
    assert {Path(file).parent.as_posix() for file in files} == {".github/hooks"}
    for entry in agents.load("vscode").wiring.entries(EVENTS, 700):
        assert entry.event != "SessionEnd"
        assert entry.value["timeout"] == 710
        assert entry.value["cwd"] == "."


@pytest.mark.parametrize(
    ("text", "line"),
    [
        ('{"version": 1}', 1),
        ('{"a": {},\n"$schema": "x"}', 2),
        ('{"a": {"enabled":\n"yes"}}', 2),
        ('{"a": {"PreToolUse":\n{}}}', 2),
        ('{"a": {"pretooluse":\n{}}}', 2),
        ('{"a": {"PreToolUse": [\n5]}}', 2),
        ('{"a": {"PreToolUse": [{"hooks":\n5}]}}', 2),
        ('{"a": {"PreToolUse": [{"hooks": [\n"x"]}]}}', 2),
        ('{"a": {"PreToolUse": [{"hooks": [{"timeout":\n1.5}]}]}}', 2),
        ('{"a": {"Stop": [{"type":\n"Command"}]}}', 2),
        ('{"a": {"Stop": [{"command":\n["x"]}]}}', 2),
        ('{ // x\n"a": {}}', 1),
    ],
)
def test_what_makes_antigravity_drop_the_file_is_named(text: str, line: int) -> None:
    assert lines("antigravity", text) == [line]


def test_antigravity_takes_unknown_events_and_unknown_keys() -> None:
    good = {
        "mine": {
            "enabled": True,
            "PreToolUse": [{"matcher": "run_command", "hooks": [{"command": "x", "env": {}}]}],
            "Stop": [{"type": "command", "command": "x", "timeout": 5}],
            "PreCompact": 5,
        }
    }
    assert lines("antigravity", json.dumps(good)) == []


def test_our_own_hook_switched_off_is_named() -> None:
    off = agents.load("antigravity").wiring.switched_off
    assert [f.line for f in off(parse('{"hookpm": {\n"enabled": false}}', "f"))] == [2]
    assert off(parse('{"other": {"enabled": false}, "hookpm": {}}', "f")) == []


# --- the bridge and the line where silence denies ----------------------------------------------


@pytest.fixture
def repo(tmp_path: Path) -> Path:
    """A project with the bridge in it, and a hook that refuses what says so."""
    here = tmp_path / "repo" / ".agents" / "hookpm"
    for name, data in bridge_files().items():
        (here / name).parent.mkdir(parents=True, exist_ok=True)
        (here / name).write_bytes(data)
    guard = "grep -q forbidden && { echo no >&2; exit 2; }; exit 0"
    group = {"matcher": "Bash", "hooks": [{"type": "command", "command": guard}]}
    hooks = {"hooks": {"PreToolUse": [group], "PostToolUse": [group]}}
    (here.parent / "hooks.json").write_text(json.dumps(hooks), encoding="utf-8")
    (here / "packs.json").write_text('{"packs": {}, "wired": {}}', encoding="utf-8")
    return tmp_path / "repo"


def call(command: str, tool: str = "run_command") -> dict[str, Any]:
    return {
        "conversationId": "c1",
        "workspacePaths": ["/work/repo"],
        "toolCall": {"name": tool, "args": {"CommandLine": command}},
    }


def heard(
    repo: Path, event: str, payload: Any, *, line: bool = False, agent: str = "antigravity"
) -> Any:
    """The one JSON object that Antigravity gets; through the wired line, or the bridge alone."""
    argv = [PYTHON, "-I", "-S", str(repo / ".agents/hookpm/bridge.py"), agent, event]
    if line:
        argv = ["/bin/sh", "-c", shell_line.present(agent, event)]
    done = subprocess.run(
        argv,
        input=payload if isinstance(payload, str) else json.dumps(payload),
        capture_output=True,
        text=True,
        cwd=repo,
        env={"PATH": f"{Path(PYTHON).parent}:/usr/bin:/bin", "HOME": str(repo.parent / "home")},
        timeout=60,
    )
    assert done.returncode == 0
    assert done.stdout.count("\n") == 1, done
    return json.loads(done.stdout)


@pytest.mark.parametrize("line", [False, True])
def test_every_call_gets_an_answer_that_decides(repo: Path, line: bool) -> None:
    assert heard(repo, "PreToolUse", call("ls"), line=line) == ALLOW
    assert heard(repo, "PreToolUse", call("ls", "view_file"), line=line) == ALLOW
    assert heard(repo, "PreToolUse", call("forbidden"), line=line) == {
        "decision": "deny",
        "reason": "no",
    }
    assert heard(repo, "PostToolUse", call("ls"), line=line) == {}
    assert heard(repo, "PostToolUse", call("forbidden"), line=line) == {}
    assert heard(repo, "Stop", {"conversationId": "c1", "workspacePaths": []}, line=line) == {}


@pytest.mark.parametrize("payload", ["", "not json", "[]", "{}"])
def test_odd_input_gets_an_answer_that_decides(repo: Path, payload: str) -> None:
    assert heard(repo, "PreToolUse", payload) == ALLOW


@pytest.mark.parametrize("content", [None, "", "not json", '{"hooks": 5}', "{}"])
def test_broken_hooks_get_an_answer_that_decides(repo: Path, content: str | None) -> None:
    file = repo / ".agents" / "hooks.json"
    file.unlink()
    if content is not None:
        file.write_text(content, encoding="utf-8")
    assert heard(repo, "PreToolUse", call("ls")) == ALLOW


@pytest.mark.parametrize("module", ["bridge/main.py", "agents/antigravity/translate.py"])
def test_a_broken_bridge_leaves_the_line_to_answer(repo: Path, module: str) -> None:
    (repo / ".agents" / "hookpm" / module).write_text("raise SystemError\n", encoding="utf-8")
    assert heard(repo, "PreToolUse", call("ls"), line=True) == ALLOW


def test_a_project_without_hookpm_leaves_the_line_to_answer(tmp_path: Path) -> None:
    assert heard(tmp_path, "PreToolUse", call("ls"), line=True) == ALLOW


def test_antigravity_through_another_agents_line_gets_an_answer_too(repo: Path) -> None:
    assert heard(repo, "PreToolUse", call("ls"), agent="claude") == ALLOW
