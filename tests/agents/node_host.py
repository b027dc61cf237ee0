"""A generated plugin under Node: a project with a bridge that plays answers, and a host that plays
the agent."""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from hookpm import agents
from hookpm.contract.events import EVENTS
from hookpm.project import agentfiles

# Answers with what answers.json has for the event, and keeps what it was asked.
BRIDGE = """\
import json, os, sys
here = os.path.dirname(os.path.abspath(__file__))
agent, event = sys.argv[1:3]
asked = {"agent": agent, "event": event, "cwd": os.getcwd(), "payload": json.load(sys.stdin)}
with open(here + "/asked.jsonl", "a") as log:
    log.write(json.dumps(asked) + "\\n")
with open(here + "/answers.json") as file:
    answer = json.load(file).get(event, "")
sys.stdout.write(answer if isinstance(answer, str) else json.dumps(answer))
"""


class Result(NamedTuple):
    """What the host saw (its own JSON), what the bridge was asked, and stderr."""

    seen: Any
    asked: list[dict[str, Any]]
    stderr: str

    def payloads(self, event: str) -> list[dict[str, Any]]:
        """What the bridge was asked at an event."""
        return [one["payload"] for one in self.asked if one["event"] == event]


def node() -> str:
    """Node's path; skips the test where there is none."""
    found = shutil.which("node")
    if found is None:
        pytest.skip("no Node here to run the plugin with")
    return found


def project(root: Path, agent: str, answers: Mapping[str, Any], bridge: str = BRIDGE) -> Path:
    """A project with hooks for all events; returns the plugin's path."""
    folder = root / ".agents" / "hookpm"
    folder.mkdir(parents=True)
    (folder / "bridge.py").write_text(bridge, encoding="utf-8")
    (folder / "answers.json").write_text(json.dumps(answers), encoding="utf-8")
    group = {"hooks": [{"type": "command", "command": "true"}]}
    hooks = {"hooks": {event: [group] for event in EVENTS}}
    (root / ".agents" / "hooks.json").write_text(json.dumps(hooks), encoding="utf-8")
    (file,) = agentfiles.generated(agents.load(agent), EVENTS, 10)
    path: Path = root / file.path
    path.parent.mkdir(parents=True)
    path.write_text(file.text, encoding="utf-8")
    # OpenCode and Pi take a .js file for a module by themselves.
    (path.parent / "package.json").write_text('{"type": "module"}', encoding="utf-8")
    return path


def play(host: str, plugin: Path, steps: Sequence[Any], root: Path, *flags: str) -> Result:
    """Run the host, JavaScript that reads `plugin` and `steps` and prints one JSON document."""
    start = "const [plugin, steps] = JSON.parse(process.env.TEST_SCENE);\n"
    done = subprocess.run(
        [node(), "--input-type=module", "-e", start + host, "--", *flags],
        env={
            "PATH": f"{Path(sys.executable).parent}:/usr/bin:/bin",
            "HOME": str(root / "no-home"),
            "TEST_SCENE": json.dumps([str(plugin), list(steps)]),
        },
        cwd="/",
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    log = root / ".agents" / "hookpm" / "asked.jsonl"
    asked = log.read_text("utf-8").splitlines() if log.exists() else []
    return Result(json.loads(done.stdout), [json.loads(line) for line in asked], done.stderr)
