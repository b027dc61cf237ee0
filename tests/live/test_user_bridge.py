"""The user bridge on real agents, where they do not look at a project's own files."""

from __future__ import annotations

import shutil
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from hookpm.probe.run import Outcome, run_agent
from hookpm.probe.script import Write, do, say

if TYPE_CHECKING:
    from tests.live.conftest import World

AGENTS = ("claude", "gemini", "kimi", "pi", "qwen")
BY_THE_USER_ALONE = ("kimi",)  # a project cannot wire them
OWN_FILES = {
    "claude": (".claude/settings.json", '{\n    "a":1 }'),
    "gemini": (".gemini/settings.json", '{\n  // mine\n  "a": 1\n}\n'),
    "kimi": (".kimi-code/config.toml", "# mine\nmodel = 'x'"),
    "pi": (".pi/agent/settings.json", "{}"),
    "qwen": (".qwen/settings.json", '{\n  // mine\n  "a": 1\n}\n'),
}
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
    wire = "codex" if wire in BY_THE_USER_ALONE else wire
    log = world.base / "count.log"
    pack = world.repo / "counter-pack"
    pack.mkdir()
    (pack / "hookpack.toml").write_text(PACK)
    (pack / "count.py").write_text(HOOK.format(log=str(log)))
    (world.repo / "sub" / "deep").mkdir(parents=True)
    hookpm(world, "install", "./counter-pack", "--agent", wire, "--yes")
    hookpm(world, "init", "--user-bridge", "--agent", name, "--yes")
    return log


def drive(
    world: World,
    name: str,
    repo: Path,
    cwd: str,
    arguments: Sequence[str] = (),
    trust: bool = True,
) -> Outcome:
    turns = [
        do(Write("sub/deep/secret.txt", "no\n")),
        do(Write("sub/deep/notes.txt", "yes\n")),
        say("done"),
    ]
    outcome = run_agent(
        name,
        repo,
        turns,
        home=world.home,
        cwd=cwd,
        env=world.xdg,
        arguments=arguments,
        trust=trust,
    )
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
    path, before = OWN_FILES[name]
    file = world.home / path
    file.parent.mkdir(parents=True)
    file.write_text(before)
    hookpm(world, "init", "--user-bridge", "--agent", name, "--yes")
    hookpm(world, "init", "--user-bridge", "--remove", "--yes")
    assert file.read_text() == before
    assert list(file.parent.iterdir()) == [file]
    assert not (world.home / ".local").exists()


@pytest.mark.parametrize(
    ("name", "arguments", "trust"),
    [("claude", ["--setting-sources", "user"], True), ("gemini", ["--skip-trust"], False)],
)
def test_told_to_leave_the_projects_settings_out_an_agent_still_has_the_user_bridge(
    name: str, arguments: list[str], trust: bool, need: Callable[[str], str], world: World
) -> None:
    need(name)
    log = prepared(world, name, wire=name)
    hookpm(world, "allow", "--yes")

    outcome = drive(world, name, world.repo, ".", arguments, trust)

    assert not (world.repo / "sub/deep/secret.txt").exists(), outcome.report()
    assert log.read_text().splitlines() == [f"{name} Write"] * 2, outcome.report()
