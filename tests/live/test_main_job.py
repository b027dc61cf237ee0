"""The main job on real agents: with a pack installed they refuse, without it all is as before."""

from __future__ import annotations

import subprocess
from collections.abc import Callable
from typing import TYPE_CHECKING, NamedTuple

import pytest

from hookpm import agents
from hookpm.probe.run import Outcome
from hookpm.probe.script import Shell, Write, do, say

if TYPE_CHECKING:
    from tests.live.conftest import World

# A word of every reason that protect-secrets gives; the agents' own texts have no news of it.
REASON = "secret"

# Gemini CLI's own file tools refuse every path with a part `.env` before any hook is asked (see
# test_probe_itself), so that there the guard can only be seen at another secret file.
SECRET_FILES = {"gemini": ".env.local"}

# There the reason comes after the tool's own result, as a message.
BESIDE_THE_RESULT = ("cline",)

# What the agent itself puts into a folder that hookpm made for it.
LEFT_BY_THE_AGENT = {"opencode": ".opencode/.gitignore"}

WRITE_SECRET, WRITE_NOTES, COPY_TO_ENV, GO_AWAY, WRITE_SECRET_FROM_AFAR = range(5)


class Story(NamedTuple):
    """What one agent lived through; files and git's status are as they were after each run."""

    agent: str
    world: World
    install: subprocess.CompletedProcess[str]
    guarded: Outcome
    guarded_files: set[str]
    uninstall: subprocess.CompletedProcess[str]
    status_after_uninstall: list[str]
    free: Outcome
    free_files: set[str]
    status_at_the_end: list[str]

    @property
    def secret(self) -> str:
        return SECRET_FILES.get(self.agent, ".env")


@pytest.fixture(scope="module")
def story(agent: str, new_world: Callable[[], World]) -> Story:
    """Two runs of an agent, one with the pack and one after its removal, for all tests below."""
    if agents.load(agent).scope != "project":
        pytest.skip(agents.load(agent).why_not)  # see test_user_config
    world, secret = new_world(), SECRET_FILES.get(agent, ".env")
    install = world.hookpm("install", "protect-secrets", "--agent", agent, "--yes")
    assert install.returncode == 0, install.stdout + install.stderr
    guarded = world.drive(
        agent,
        [
            do(Write(secret, "TOKEN=1\n")),
            do(Write("notes.txt", "Allowed\n")),
            do(Shell("cp README.md .env")),
            do(Shell(f"cd '{world.other}' && pwd")),
            do(Write(str(world.repo / secret), "TOKEN=2\n")),
            say("done"),
        ],
        # Claude Code goes back after a `cd` out of the folders that it was given.
        arguments=["--add-dir", str(world.other)] if agent == "claude" else [],
    )
    guarded_files = world.files()
    uninstall = world.hookpm("uninstall", "protect-secrets", "--yes")
    status_after_uninstall = world.status()
    free = world.drive(agent, [do(Write(secret, "TOKEN=3\n")), say("done")])
    return Story(
        agent,
        world,
        install,
        guarded,
        guarded_files,
        uninstall,
        status_after_uninstall,
        free,
        world.files(),
        world.status(),
    )


def refused(story: Story, turn: int) -> bool:
    """Did the call of this turn come back to the model with the guard's reason?"""
    result = REASON in story.guarded.tool_results[turn] or story.agent in BESIDE_THE_RESULT
    return story.guarded.model_saw(REASON, after=turn) and result


def ignored(story: Story) -> list[str]:
    """What git calls the file that the agent left."""
    return [f"!! {LEFT_BY_THE_AGENT[story.agent]}"] if story.agent in LEFT_BY_THE_AGENT else []


def test_a_write_of_a_secret_file_is_denied_and_the_reason_reaches_the_model(story: Story) -> None:
    assert story.secret not in story.guarded_files, story.guarded.report()
    assert refused(story, WRITE_SECRET), story.guarded.report()


def test_an_allowed_write_goes_through(story: Story) -> None:
    assert "notes.txt" in story.guarded_files, story.guarded.report()
    assert not refused(story, WRITE_NOTES), story.guarded.report()


def test_a_shell_copy_onto_a_secret_file_is_denied(story: Story) -> None:
    assert ".env" not in story.guarded_files, story.guarded.report()
    assert refused(story, COPY_TO_ENV), story.guarded.report()


def test_a_cd_into_another_repository_does_not_switch_the_guard_off(story: Story) -> None:
    assert story.world.other.name in story.guarded.tool_results[GO_AWAY], story.guarded.report()
    assert story.secret not in story.guarded_files, story.guarded.report()
    assert refused(story, WRITE_SECRET_FROM_AFAR), story.guarded.report()


def test_a_run_leaves_nothing_beside_the_vendored_code(story: Story) -> None:
    stray = {f for f in story.guarded_files if "__pycache__" in f or f.endswith(".pyc")}
    assert not stray


def test_uninstalling_the_last_pack_leaves_no_trace(story: Story) -> None:
    assert story.uninstall.returncode == 0, story.uninstall.stdout + story.uninstall.stderr
    assert story.status_after_uninstall == ["?? notes.txt", *ignored(story)]


def test_after_uninstall_the_write_goes_through(story: Story) -> None:
    assert not story.free.model_saw(REASON, after=0), story.free.report()
    files = {"README.md", story.secret, "notes.txt"}
    assert story.free_files - {LEFT_BY_THE_AGENT.get(story.agent)} == files, story.free.report()
    assert story.status_at_the_end == [f"?? {story.secret}", "?? notes.txt", *ignored(story)]


COUNTER_PACK = """\
[pack]
name = "counter"
version = "1.0.0"
description = "Counts the writes"
license = "MIT"

[[hooks]]
id = "count"
event = "PreToolUse"
matcher = "Write"
run = "count.py"
"""
COUNTER_HOOK = """\
import json
import sys

call = json.load(sys.stdin)
with open({log!r}, "a") as log:
    log.write(call["harness"] + " " + call["tool_name"] + "\\n")
"""


@pytest.mark.parametrize("name", ["claude", "copilot"])
def test_wired_for_agents_that_read_each_others_files_a_hook_runs_once(
    name: str, need: Callable[[str], str], world: World
) -> None:
    need(name)
    log = world.base / "count.log"
    pack = world.repo / "counter-pack"
    pack.mkdir()
    (pack / "hookpack.toml").write_text(COUNTER_PACK)
    (pack / "count.py").write_text(COUNTER_HOOK.format(log=str(log)))
    names = [word for a in ("claude", "copilot", "cursor") for word in ("--agent", a)]
    install = world.hookpm("install", "./counter-pack", *names, "--yes")
    assert install.returncode == 0, install.stdout + install.stderr
    assert {".claude/settings.json", ".cursor/hooks.json"} < world.files()

    outcome = world.drive(name, [do(Write("notes.txt", "Counted\n")), say("done")])

    assert (world.repo / "notes.txt").exists(), outcome.report()
    assert log.exists(), outcome.report()
    assert log.read_text().splitlines() == [f"{name} Write"], outcome.report()
