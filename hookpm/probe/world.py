"""The throw-away folder of a measuring: a home, a repository, and the probe's pack wired in it."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

import hookpm
from hookpm import agents as all_agents
from hookpm.contract.events import CAPABILITIES, EVENTS
from hookpm.errors import SystemFailureError

INSTALL_S = 120.0
PACK = "probe"


# One program for all hooks: what it says is looked up in the plan of the run that is played.
HOOK = """\
import json
import sys

EVENT, HOOK, PLAN, LOG = sys.argv[1], int(sys.argv[2]), {plan!r}, {log!r}


def answer(data):
    text = json.dumps(data.get("tool_input"))
    with open(PLAN, encoding="utf-8") as file:
        plan = json.load(file)
    with open(LOG, encoding="utf-8") as file:
        before = file.read().splitlines()
    for number, said in enumerate(plan):
        taken = (said["event"], said["hook"]) == (EVENT, HOOK) and said["mark"] in text
        if not taken or before.count("said %d" % number) >= said["times"]:
            continue
        with open(LOG, "a", encoding="utf-8") as file:
            file.write("said %d\\n" % number)
        specific = said["answer"].get("hookSpecificOutput", {{}})
        if said["rewrite"]:
            changed = dict(data["tool_input"], command=said["rewrite"])
            specific.get("decision", specific)["updatedInput"] = changed
        return said["answer"]
    return None


def main():
    data = json.load(sys.stdin)
    if HOOK == 1:
        with open(LOG, "a", encoding="utf-8") as file:
            file.write("fired %s\\n" % EVENT)
    said = answer(data)
    if said:
        print(json.dumps(said))


main()
"""
PACK_HEAD = """\
[pack]
name = "{name}"
version = "1.0.0"
description = "Says what the probe wants to see honoured"
"""
PACK_HOOK = """
[[hooks]]
id = "{id}"
event = "{event}"
command = '"${{HOOKPM_PYTHON:-python3}}" -I -S "$HOOKPM_PACK_DIR/hook.py" {event} {number}'
timeout = 60
uses = {uses}
"""


class ProbeError(SystemFailureError):
    """The agent cannot be measured here: it does not start, or never asks the model."""

    code = "probe"


class World(NamedTuple):
    """The throw-away folder of one measuring."""

    base: Path

    @property
    def repo(self) -> Path:
        """The repository, with the pack wired in it."""
        return self.base / "repo"

    @property
    def home(self) -> Path:
        """The HOME of hookpm and of the agent."""
        return self.base / "home"

    @property
    def plan(self) -> Path:
        """What the hooks are to say in the run that is played."""
        return self.base / "plan.json"

    @property
    def log(self) -> Path:
        """A line per hook that was asked, and per answer given."""
        return self.base / "log.txt"

    @property
    def env(self) -> dict[str, str]:
        """Where programs keep things; the same for hookpm and for the bridge below the agent."""
        kinds = ("CACHE", "CONFIG", "DATA", "STATE")
        return {f"XDG_{kind}_HOME": str(self.base / kind.lower()) for kind in kinds}


def prepare(agent: str, world: World) -> None:
    """A repository with the probe's pack in it, installed for this agent by hookpm itself.

    Raises ProbeError.
    """
    for folder in (world.home, world.repo):
        folder.mkdir(parents=True)
    pack = world.base / "pack"
    pack.mkdir()
    (pack / "hookpack.toml").write_text(_manifest(), encoding="utf-8")
    hook = HOOK.format(plan=str(world.plan), log=str(world.log))
    (pack / "hook.py").write_text(hook, encoding="utf-8")
    world.plan.write_text("[]", encoding="utf-8")
    world.log.write_text("", encoding="utf-8")
    (world.repo / "README.md").write_text("A repository\n", encoding="utf-8")
    env = _hookpm_environment(world)
    if shutil.which("git"):
        _run(["git", "init", "-q"], world.repo, env)
    for words in _wiring(agent, pack):
        done = _run([sys.executable, "-m", "hookpm", *words, "--yes"], world.repo, env)
        if done.returncode:
            raise ProbeError(
                f"hookpm could not wire its own pack for {agent}",
                cause=(done.stderr.strip() or done.stdout.strip())[-1000:],
            )


def _wiring(agent: str, pack: Path) -> list[list[str]]:
    """The command lines of hookpm that a user of this agent gives."""
    install = ["install", str(pack), "--allow-gaps", "--agent"]
    if all_agents.load(agent).scope == "project":
        return [[*install, agent]]
    # The project has to be wired for some agent; what it writes for this one means nothing there.
    other = all_agents.wirable()[0].name
    return [[*install, other], ["init", "--user-bridge", "--agent", agent], ["allow"]]


def _manifest() -> str:
    hooks = [
        PACK_HOOK.format(
            id=f"{event}-{number}".lower(),
            event=event,
            number=number,
            uses=json.dumps(CAPABILITIES[event]),
        )
        for event in EVENTS
        for number in ((1, 2) if event == "Stop" else (1,))
    ]
    return PACK_HEAD.format(name=PACK) + "".join(hooks)


def _hookpm_environment(world: World) -> dict[str, str]:
    return {
        "HOME": str(world.home),
        "PATH": os.environ.get("PATH", os.defpath),
        "PYTHONPATH": str(Path(hookpm.__file__).parents[1]),
        "LANG": "C.UTF-8",
        "GIT_CONFIG_GLOBAL": os.devnull,
        "GIT_CONFIG_NOSYSTEM": "1",
        **world.env,
    }


def _run(
    command: Sequence[str], cwd: Path, env: Mapping[str, str]
) -> subprocess.CompletedProcess[str]:
    try:
        return subprocess.run(
            command,
            cwd=cwd,
            env=env,
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            errors="replace",
            timeout=INSTALL_S,
            check=False,
        )
    except (OSError, subprocess.TimeoutExpired) as error:
        raise ProbeError(f"{command[0]} cannot be run", cause=str(error)) from None
