"""run_agent, with a small program in the place of an agent."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from hookpm.errors import UsageError
from hookpm.probe import agents, packages
from hookpm.probe.agent import Agent, Launch, Stage
from hookpm.probe.packages import AgentInstallError
from hookpm.probe.protocols import anthropic
from hookpm.probe.run import Outcome, run_agent
from hookpm.probe.script import Call, Shell, Write, do, say
from hookpm.probe.wire import NativeCall

# Talks like Claude Code; refuses to write, runs nothing, and says where it is.
PROGRAM = """\
#!/usr/bin/env python3
import json, os, sys, time, urllib.request
messages = [{"role": "user", "content": sys.argv[1]}]
while True:
    body = {"tools": [{}], "messages": messages, "system": "never write secrets"}
    url = os.environ["MODEL"] + "/v1/messages"
    with urllib.request.urlopen(url, json.dumps(body).encode()) as answer:
        blocks = json.load(answer)["content"]
    calls = [b for b in blocks if b["type"] == "tool_use"]
    if not calls:
        break
    texts = ["denied: " + c["name"] if c["name"] == "Write" else "fine" for c in calls]
    results = [{"type": "tool_result", "content": t} for t in texts]
    messages += [{"role": "assistant", "content": blocks}, {"role": "user", "content": results}]
print(json.dumps({**os.environ, "cwd": os.getcwd(), "argv": sys.argv[1:]}))
if "--stay" in sys.argv:
    sys.stdout.flush()
    time.sleep(300)
sys.exit(7)
"""


def launch(stage: Stage) -> Launch:
    return Launch([stage.prompt], {"MODEL": stage.model_url, "TRUST": str(stage.trust)})


def translate(call: Call, repo: Path) -> NativeCall:
    if isinstance(call, Write):
        return NativeCall("Write", {"path": str(repo / call.path)})
    return NativeCall("Other", {})


@pytest.fixture(autouse=True)
def program(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    place = tmp_path / "program"
    place.write_text(PROGRAM)
    place.chmod(0o755)
    stand_in = Agent("claude", "none", "none", anthropic.WIRE, launch, translate)
    monkeypatch.setattr(agents, "load", lambda name: stand_in)
    monkeypatch.setattr(packages, "executable", lambda agent: place)
    (tmp_path / "repo" / "sub").mkdir(parents=True)
    return place


TURNS = [do(Shell("ls")), do(Write("a", "")), do(Shell("ls"), Write("b", "")), say("done")]


def test_an_outcome_tells_what_reached_the_model_and_when(tmp_path: Path) -> None:
    outcome = run_agent("x", tmp_path / "repo", TURNS, home=tmp_path / "home", prompt="Go.")
    assert (outcome.rc, outcome.ending) == (7, "exit")
    assert outcome.tool_results == ("fine", "denied: Write", "fine", "denied: Write")
    assert [request.turn for request in outcome.requests] == [0, 1, 2, 3]
    assert [outcome.model_saw("denied", after=turn) for turn in range(4)] == [
        False,
        True,
        True,  # once more, although the text was there before
        False,
    ]
    assert outcome.model_saw("Go.") and outcome.model_saw("secrets")
    assert not outcome.model_saw("secrets", after=1)  # it is in every request: no news
    assert not outcome.model_saw("nowhere")
    assert "tool result 1: denied: Write" in outcome.report()


def test_the_environment_is_bare_and_the_home_a_throw_away(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SOME_API_KEY", "precious")
    outcome = run_agent(
        "x",
        tmp_path / "repo",
        [],
        home=tmp_path / "home",
        prompt="Go.",
        trust=False,
        cwd="sub",
        arguments=["--more"],
        env={"EXTRA": "1"},
    )
    assert "precious" not in outcome.stdout
    told = _told(outcome)
    assert told["HOME"] == str(tmp_path / "home")
    assert told["cwd"] == str(tmp_path / "repo" / "sub")
    assert told["argv"] == ["Go.", "--more"]
    assert (told["EXTRA"], told["TRUST"]) == ("1", "False")
    assert not Path(str(told["TMPDIR"])).exists()  # it goes with the run


def test_an_agent_that_stays_is_ended(tmp_path: Path) -> None:
    outcome = run_agent(
        "x", tmp_path / "repo", [], home=tmp_path / "home", arguments=["--stay"], timeout=3
    )
    assert (outcome.rc, outcome.ending) == (None, "timeout")
    assert outcome.report().startswith("timeout None after")
    assert len(outcome.requests) == 1


def test_the_real_home_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HOME", str(tmp_path / "me"))
    (tmp_path / "me").mkdir()
    (tmp_path / "link").symlink_to("me")
    with pytest.raises(UsageError):
        run_agent("x", tmp_path / "repo", [], home=tmp_path / "link")


def test_an_agent_that_is_not_installed_is_named_with_the_way_to_install_it(
    tmp_path: Path, program: Path
) -> None:
    program.unlink()
    with pytest.raises(AgentInstallError) as caught:
        run_agent("claude", tmp_path / "repo", [], home=tmp_path / "home")
    assert caught.value.hint == "python -m hookpm.probe.packages claude"


def _told(outcome: Outcome) -> dict[str, object]:
    told: dict[str, object] = json.loads(outcome.stdout)
    return told
