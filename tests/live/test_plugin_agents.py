"""Agents that run no commands, on the real binaries: what the generated plugin lets through.

A plugin of ours that fails must not look like a refusal, which is what an error in one means there.
"""

from __future__ import annotations

import shutil
from collections.abc import Callable
from typing import TYPE_CHECKING

import pytest

from hookpm.probe.run import run_agent
from hookpm.probe.script import Native, Shell, Write, do, say

if TYPE_CHECKING:
    from tests.live.conftest import World

AGENTS = ("opencode", "pi")
REASON = "secret"


def wired(agent: str, world: World) -> None:
    done = world.hookpm("install", "protect-secrets", "--agent", agent, "--yes")
    assert done.returncode == 0, done.stdout + done.stderr


def no_bridge(world: World) -> None:
    (world.repo / ".agents/hookpm/bridge.py").unlink()


def no_vendored_code(world: World) -> None:
    shutil.rmtree(world.repo / ".agents")


def crashing_bridge(world: World) -> None:
    (world.repo / ".agents/hookpm/bridge.py").write_text("raise SystemError\n")


def babbling_bridge(world: World) -> None:
    (world.repo / ".agents/hookpm/bridge.py").write_text("print('deny')\n")


def unreadable_hooks(world: World) -> None:
    (world.repo / ".agents/hooks.json").write_text("{")


def no_python(world: World) -> None:
    """The fast interpreter that the line looks for first stands for all of them."""
    link = world.base / "cache" / "hookpm" / "python3"
    link.parent.mkdir(parents=True, exist_ok=True)
    link.unlink(missing_ok=True)
    link.write_text("#!/bin/sh\nexit 2\n")
    link.chmod(0o755)


@pytest.mark.parametrize(
    "damage",
    [no_bridge, no_vendored_code, crashing_bridge, babbling_bridge, unreadable_hooks, no_python],
)
@pytest.mark.parametrize("agent", AGENTS)
def test_what_is_broken_of_ours_allows(
    agent: str, damage: Callable[[World], None], need: Callable[[str], str], world: World
) -> None:
    wired(need(agent), world)
    damage(world)

    outcome = world.drive(agent, [do(Write("id_rsa", "key\n")), say("done")])

    assert (world.repo / "id_rsa").exists(), outcome.report()


def test_opencode_is_guarded_in_folders_below_the_root_too(
    need: Callable[[str], str], world: World
) -> None:
    wired(need("opencode"), world)
    (world.repo / "a" / "b").mkdir(parents=True)

    outcome = run_agent(
        "opencode",
        world.repo,
        [do(Shell("cp ../../README.md .env")), say("done")],
        home=world.home,
        cwd="a/b",
        env=world.xdg,
    )

    assert not (world.repo / "a/b/.env").exists(), outcome.report()
    assert REASON in outcome.tool_results[0], outcome.report()


def test_pis_edit_of_several_places_is_judged_place_by_place(
    need: Callable[[str], str], world: World
) -> None:
    wired(need("pi"), world)
    (world.repo / ".env").write_text("a\nb\n")
    edits = [{"oldText": "a", "newText": "c"}, {"oldText": "b", "newText": "d"}]

    outcome = world.drive("pi", [do(Native("edit", {"path": ".env", "edits": edits})), say("done")])

    assert (world.repo / ".env").read_text() == "a\nb\n", outcome.report()
    assert REASON in outcome.tool_results[0], outcome.report()
