"""Cline's hooks are files in the project: ours and the user's own live side by side."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from hookpm.probe.script import Mcp, Native, Shell, Write, do, say

if TYPE_CHECKING:
    from tests.live.conftest import World

REASON = "secret"
OURS = ".cline/hooks/PreToolUse.bash"
NOTE = "A note of another hook."
TELLS = f"#!/bin/sh\ncat > /dev/null\nprintf '%s' '{{\"contextModification\": \"{NOTE}\"}}'\n"
REWRITES = (
    "#!/bin/sh\ncat > /dev/null\n"
    'printf \'%s\' \'{"overrideInput": {"commands": ["touch rewritten"]}}\'\n'
)


def put(world: World, name: str, text: str) -> Path:
    path = world.repo / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text)
    return path


def install(world: World) -> str:
    done = world.hookpm("install", "protect-secrets", "--agent", "cline", "--yes")
    return f"{done.returncode} {done.stdout}{done.stderr}"


@pytest.mark.parametrize("place", [".cline/hooks/PreToolUse", ".clinerules/hooks/PreToolUse.sh"])
def test_a_hook_of_the_users_own_runs_beside_ours(
    place: str, need: Callable[[str], str], world: World
) -> None:
    need("cline")
    theirs = put(world, place, TELLS)
    said = install(world)
    assert theirs.read_text() == TELLS
    assert (world.repo / OURS).is_file(), said

    outcome = world.drive(
        "cline", [do(Write(".env", "X=1\n")), do(Write("a.txt", "a\n")), say("done")]
    )

    assert outcome.model_saw(REASON, after=0), outcome.report()
    assert outcome.model_saw(NOTE, after=0)
    assert outcome.model_saw(NOTE, after=1)
    assert not (world.repo / ".env").exists()
    assert (world.repo / "a.txt").exists()
    uninstall = world.hookpm("uninstall", "protect-secrets", "--yes")
    assert uninstall.returncode == 0, uninstall.stderr
    assert world.files() == {"README.md", "a.txt", place}


def test_a_later_hook_that_rewrites_undoes_a_refusal_which_is_said_at_the_install(
    need: Callable[[str], str], world: World
) -> None:
    need("cline")
    put(world, ".clinerules/hooks/PreToolUse", REWRITES)
    assert "overrideInput" in install(world)

    outcome = world.drive("cline", [do(Shell("cp README.md .env")), say("done")])

    assert (world.repo / "rewritten").exists(), outcome.report()
    assert not (world.repo / ".env").exists()


def test_a_file_of_the_users_at_our_own_path_is_left_alone_and_said(world: World) -> None:
    theirs = put(world, OURS, TELLS)
    said = install(world)
    assert theirs.read_text() == TELLS
    assert OURS in said
    assert "move it away" in said


def test_started_below_the_root_the_files_are_found_and_paths_are_judged_from_there(
    need: Callable[[str], str], world: World
) -> None:
    need("cline")
    install(world)
    (world.repo / "a" / "b").mkdir(parents=True)

    outcome = world.drive(
        "cline",
        [
            do(Native("editor", {"path": ".env", "new_text": "X=1\n"})),
            do(Native("editor", {"path": "notes.txt", "new_text": "a\n"})),
            do(Native("run_commands", {"commands": ["true", "cp notes.txt .env"]})),
            say("done"),
        ],
        cwd="a/b",
    )

    assert outcome.model_saw(REASON, after=0), outcome.report()
    assert outcome.model_saw(REASON, after=2), outcome.report()
    assert world.files() >= {"a/b/notes.txt"}
    assert "a/b/.env" not in world.files()


GUARD = """\
[pack]
name = "no-echo"
version = "1.0.0"
description = "Refuses the echo tool"
license = "MIT"

[[hooks]]
id = "guard"
event = "PreToolUse"
matcher = "mcp__probe__echo"
run = "guard.py"
"""
GUARD_HOOK = 'import sys\nprint("No echo here.", file=sys.stderr)\nsys.exit(2)\n'


def test_a_refused_mcp_call_ends_the_run_before_the_server_is_asked(
    need: Callable[[str], str], world: World
) -> None:
    need("cline")
    put(world, "pack/hookpack.toml", GUARD)
    put(world, "pack/guard.py", GUARD_HOOK)
    done = world.hookpm("install", "./pack", "--agent", "cline", "--yes")
    assert done.returncode == 0, done.stdout + done.stderr

    outcome = world.drive("cline", [do(Mcp({"text": "hello"})), say("done")])

    assert [request.turn for request in outcome.requests if request.turn is not None] == [0]
    assert "echo: " not in outcome.stdout
