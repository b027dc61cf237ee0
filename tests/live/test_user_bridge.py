"""The user bridge on real agents, where they do not look at a project's own files."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from hookpm.probe.run import Outcome, run_agent
from hookpm.probe.script import Write, do, say

if TYPE_CHECKING:
    from tests.live.conftest import World

AGENTS = ("claude", "gemini", "qwen")
PACK = """\
[pack]
name = "counter"
version = "1.0.0"
description = "Counts the writes, and refuses one"
license = "MIT"

[[hooks]]
id = "count"
event = "PreToolUse"
matcher = "Write"
run = "count.py"
needs = ["deny"]
"""
HOOK = """\
import json
import sys

call = json.load(sys.stdin)
with open({log!r}, "a") as log:
    log.write(call["harness"] + " " + call["tool_name"] + "\\n")
if "secret" in call["tool_input"]["file_path"]:
    print("not the secret one", file=sys.stderr)
    sys.exit(2)
"""


@pytest.fixture(params=AGENTS)
def name(request: pytest.FixtureRequest, need: Callable[[str], str]) -> str:
    return need(request.param)


def hookpm(world: World, *arguments: str) -> str:
    done = world.hookpm(*arguments)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


def prepared(world: World, name: str, wire: str) -> Path:
    """The repo with a pack, wired for the agent `wire`, and the user bridge; returns its log."""
    log = world.base / "count.log"
    pack = world.repo / "counter-pack"
    pack.mkdir()
    (pack / "hookpack.toml").write_text(PACK)
    (pack / "count.py").write_text(HOOK.format(log=str(log)))
    (world.repo / "sub" / "deep").mkdir(parents=True)
    hookpm(world, "install", "./counter-pack", "--agent", wire, "--yes")
    hookpm(world, "init", "--user-bridge", "--agent", name, "--yes")
    return log


def drive(world: World, name: str, repo: Path, cwd: str) -> Outcome:
    turns = [
        do(Write("sub/deep/secret.txt", "no\n")),
        do(Write("sub/deep/notes.txt", "yes\n")),
        say("done"),
    ]
    outcome = run_agent(name, repo, turns, home=world.home, cwd=cwd, env=world.xdg)
    assert (outcome.ending, outcome.rc) == ("exit", 0), outcome.report()
    return outcome


def test_started_in_a_subfolder_of_an_allowed_project_the_agent_is_refused(
    name: str, world: World
) -> None:
    log = prepared(world, name, wire=name)
    hookpm(world, "allow", "--yes")

    outcome = drive(world, name, world.repo, "sub/deep")

    assert not (world.repo / "sub/deep/secret.txt").exists(), outcome.report()
    assert outcome.model_saw("not the secret one", after=0), outcome.report()
    assert (world.repo / "sub/deep/notes.txt").exists(), outcome.report()
    assert log.read_text().splitlines() == [f"{name} Write"] * 2


def test_a_clone_that_is_not_allowed_runs_nothing(name: str, world: World) -> None:
    log = prepared(world, name, wire=name)
    hookpm(world, "allow", "--yes")
    clone = world.base / "clone"
    shutil.copytree(world.repo, clone)

    outcome = drive(world, name, clone, "sub/deep")

    assert not log.exists(), outcome.report()
    assert (clone / "sub/deep/secret.txt").exists(), outcome.report()


def test_started_in_the_root_that_is_wired_itself_a_hook_runs_once(name: str, world: World) -> None:
    log = prepared(world, name, wire=name)
    hookpm(world, "allow", "--yes")

    outcome = drive(world, name, world.repo, ".")

    assert not (world.repo / "sub/deep/secret.txt").exists(), outcome.report()
    assert log.read_text().splitlines() == [f"{name} Write"] * 2, outcome.report()


def test_started_in_the_root_of_a_project_wired_for_others_alone_the_user_bridge_holds(
    name: str, world: World
) -> None:
    log = prepared(world, name, wire="codex")
    hookpm(world, "allow", "--yes")

    outcome = drive(world, name, world.repo, ".")

    assert not (world.repo / "sub/deep/secret.txt").exists(), outcome.report()
    assert log.read_text().splitlines() == [f"{name} Write"] * 2, outcome.report()


def test_removed_the_users_own_file_is_as_before(name: str, world: World) -> None:
    folder = world.home / f".{name}"
    folder.mkdir()
    before = '{\n  // mine\n  "a": 1\n}\n' if name != "claude" else '{\n    "a":1 }'
    (folder / "settings.json").write_text(before)
    hookpm(world, "init", "--user-bridge", "--agent", name, "--yes")
    hookpm(world, "init", "--user-bridge", "--remove", "--yes")
    assert (folder / "settings.json").read_text() == before
    assert not (world.home / ".local").exists()
