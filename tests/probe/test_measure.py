"""The measuring itself, with a small program in the place of an agent that runs Claude's hooks."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from hookpm.agents.local import HELD, NOT_HELD, NOT_MEASURED
from hookpm.probe import agents, packages
from hookpm.probe.agent import Agent, Launch, Stage
from hookpm.probe.agents import claude
from hookpm.probe.measure import Measured, measure
from hookpm.probe.protocols import anthropic
from hookpm.probe.world import ProbeError, World

# It obeys a deny before a tool and a block at Stop, and takes no other answer.
PROGRAM = """\
#!{python}
import json, os, subprocess, sys, urllib.request
TALKS, SESSION = os.environ["TALKS"] == "yes", "s1"
HOOKS = json.load(open(".claude/settings.json"))["hooks"]
TRANSCRIPT = os.environ["HOME"] + "/.claude/projects/p/" + SESSION + ".jsonl"
ENV = dict(os.environ, CLAUDE_PROJECT_DIR=os.getcwd())


def fire(event, **fields):
    said = {{}}
    data = dict(fields, hook_event_name=event, session_id=SESSION, transcript_path=TRANSCRIPT,
                cwd=os.getcwd())
    for group in HOOKS.get(event, ()):
        for hook in group["hooks"]:
            done = subprocess.run(hook["command"], shell=True, input=json.dumps(data).encode(),
                                  stdout=subprocess.PIPE, env=ENV, check=True)
            said.update(json.loads(done.stdout or b"{{}}"))
    return said


def run(call):
    given = dict(tool_name=call["name"], tool_input=call["input"])
    specific = fire("PreToolUse", **given).get("hookSpecificOutput", {{}})
    if specific.get("permissionDecision") == "deny":
        return specific["permissionDecisionReason"]
    subprocess.run(call["input"].get("command", "false"), shell=True, check=False)
    fire("PostToolUse", tool_response={{}}, **given)
    return "ran"


def ask(messages):
    body = {{"tools": [{{}}], "messages": messages}}
    url = os.environ["MODEL"] + "/v1/messages"
    with urllib.request.urlopen(url, json.dumps(body).encode()) as answer:
        return json.load(answer)["content"]


if not TALKS:
    sys.exit("no licence for this")
fire("SessionStart", source="startup")
fire("UserPromptSubmit", prompt="p")
messages = [{{"role": "user", "content": "p"}}]
while True:
    blocks = ask(messages)
    messages.append({{"role": "assistant", "content": blocks}})
    calls = [b for b in blocks if b["type"] == "tool_use"]
    if calls:
        results = [{{"type": "tool_result", "content": run(c)}} for c in calls]
        messages.append({{"role": "user", "content": results}})
        continue
    said = fire("Stop", stop_hook_active=False)
    if said.get("decision") != "block":
        break
    messages.append({{"role": "user", "content": said["reason"]}})
"""


def stand_in(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, talks: str = "yes") -> None:
    place = tmp_path / "program"
    place.write_text(PROGRAM.format(python=sys.executable))
    place.chmod(0o755)

    def launch(stage: Stage) -> Launch:
        return Launch([], {"MODEL": stage.model_url, "TALKS": talks})

    known = Agent("claude", "none", "none", anthropic.WIRE, launch, claude.translate)
    known = known._replace(unseen={"PreToolUse.ask": "it cannot be told"})
    monkeypatch.setattr(agents, "load", lambda _: known)
    monkeypatch.setattr(packages, "executable", lambda _: place)
    monkeypatch.setenv("HOOKPM_AGENTS_HOME", str(tmp_path / "agents"))


def measured(tmp_path: Path, *cells: str, limit: float = 300.0) -> Measured:
    world = World(tmp_path / "the world")
    return measure("claude", world, "1.0.0", cells=cells or None, limit=limit)


def test_cells_are_measured_through_the_bridge_and_told_apart(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    stand_in(tmp_path, monkeypatch)
    found = measured(
        tmp_path,
        "PreToolUse.deny",
        "PreToolUse.ask",
        "PreToolUse.updatedInput",
        "PreToolUse.continue:false",
        "PostToolUse.additionalContext",
        "Stop.block",
        "PreCompact.block",
    )
    outcomes = {cell: verdict.outcome for cell, verdict in found.cells.items()}
    assert outcomes == {
        "PreToolUse.deny": HELD,
        "PreToolUse.ask": NOT_MEASURED,
        "PreToolUse.updatedInput": NOT_HELD,
        "PreToolUse.continue:false": NOT_HELD,
        "PostToolUse.additionalContext": NOT_HELD,
        "Stop.block": HELD,
        "PreCompact.block": NOT_MEASURED,
    }, found
    assert found.cells["PreToolUse.ask"].why == "it cannot be told"
    assert found.runs == 2
    assert found.fires == {
        "SessionStart": True,
        "UserPromptSubmit": True,
        "PreToolUse": True,
        "PostToolUse": True,
        "Stop": True,
        "SessionEnd": False,
    }


def test_an_agent_that_never_asks_the_model_is_one_clear_error(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    stand_in(tmp_path, monkeypatch, talks="no")
    with pytest.raises(ProbeError) as caught:
        measured(tmp_path, "PreToolUse.deny")
    assert "never asked the model" in caught.value.message
    assert caught.value.cause == "no licence for this"


def test_what_the_time_does_not_reach_is_not_measured(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    stand_in(tmp_path, monkeypatch)
    found = measured(tmp_path, "PreToolUse.deny", limit=0.0)
    assert found.cells["PreToolUse.deny"] == (NOT_MEASURED, "the time was up")
    assert (found.runs, found.fires) == (0, {})


def test_nothing_is_written_outside_the_throw_away_folder(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    stand_in(tmp_path, monkeypatch)
    home = tmp_path / "real home"
    home.mkdir()
    monkeypatch.setenv("HOME", str(home))
    for name in ("XDG_CACHE_HOME", "XDG_DATA_HOME", "XDG_CONFIG_HOME", "XDG_STATE_HOME"):
        monkeypatch.setenv(name, str(home / name))
    measured(tmp_path, "PreToolUse.deny")
    assert not list(home.iterdir())
