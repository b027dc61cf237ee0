"""Output never decides about the work: a reader that goes, a closed stream, a full disk."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.project.world import CHECKOUT, World

ENDS = ["| true", "| head -1", ">&-", ">&- 2>&-", "2>&-", "2>&1 | true", "<&-", ">&- 2>&- <&-"]


def shell(world: World, line: str, unbuffered: bool = False) -> tuple[int, str]:
    """Run a line of bash in the repo; the exit code of hookpm, and what came out."""
    done = subprocess.run(
        [
            "bash",
            "-c",
            f'set -o pipefail; hookpm() {{ "$0" -m hookpm "$@"; }}; {line}',
            sys.executable,
        ],
        cwd=world.repo,
        env={
            **os.environ,
            "PYTHONPATH": str(CHECKOUT),
            **({"PYTHONUNBUFFERED": "1"} if unbuffered else {}),
        },
        capture_output=True,
        text=True,
        check=False,
        timeout=120,
    )
    return done.returncode, done.stdout + done.stderr


@pytest.mark.parametrize("unbuffered", [False, True])
@pytest.mark.parametrize("end", ENDS)
def test_an_install_is_done_whoever_reads_what_it_says(
    world: World, end: str, unbuffered: bool
) -> None:
    code, said = shell(world, f"hookpm install protect-secrets --agent=claude -v {end}", unbuffered)
    assert code == 0, said
    assert "Traceback" not in said
    assert "Exception" not in said
    assert world.denies()
    code, said = shell(world, f"hookpm uninstall protect-secrets {end}", unbuffered)
    assert code == 0, said
    assert world.tree() == {}


@pytest.mark.parametrize("end", ENDS)
@pytest.mark.parametrize(
    "command",
    ["agents", "--help", "install --help", "status", "list --json", "schema hooks", "--version"],
)
def test_what_only_looks_ends_quietly(world: World, command: str, end: str) -> None:
    code, said = shell(world, f"hookpm {command} {end}")
    assert code == 0, said
    assert "Traceback" not in said
    assert "Exception" not in said


def test_an_error_keeps_its_exit_code_without_a_reader(world: World) -> None:
    for end in ENDS:
        code, said = shell(
            world, f"hookpm install nothing-of-this-name --agent=claude --json {end}"
        )
        assert code == 3, (end, said)
        assert "Traceback" not in said


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="no /dev/full here")
def test_a_full_disk_under_the_output_is_said_and_the_work_is_done(world: World) -> None:
    code, said = shell(world, "hookpm install protect-secrets --agent=claude > /dev/full", True)
    assert code == 3
    assert "error: the output could not be written" in said
    assert world.denies()


def test_messages_do_not_go_among_the_results_where_stderr_is_closed(world: World) -> None:
    world.write(".claude/x", "")
    code, out = shell(world, "cd .claude && hookpm status --json 2>&-")
    assert code == 0
    assert out.startswith("{")
