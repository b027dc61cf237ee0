"""On a terminal hookpm asks before it writes; a real pseudo-terminal answers."""

from __future__ import annotations

import os
import pty
import select
import sys
import time
from pathlib import Path

import pytest

from tests.project.world import CHECKOUT, World

LIMIT = 60.0  # seconds


def converse(world: World, arguments: list[str], answer: bytes) -> tuple[int, str]:
    """Run hookpm on a terminal, answer its question; exit code and all that was shown."""
    child, terminal = pty.fork()
    if child == 0:
        os.chdir(world.repo)
        os.environ["PYTHONPATH"] = str(CHECKOUT)
        os.execv(sys.executable, [sys.executable, "-m", "hookpm", *arguments])
    shown = b""
    answered = False
    until = time.monotonic() + LIMIT
    try:
        while time.monotonic() < until:
            if not select.select([terminal], [], [], 0.2)[0]:
                continue
            try:
                piece = os.read(terminal, 65536)
            except OSError:  # the other side is closed
                break
            if not piece:
                break
            shown += piece
            if b"[y/N]" in shown and not answered:
                answered = True
                os.write(terminal, answer)
    finally:
        os.close(terminal)
        _, status = os.waitpid(child, 0)
    return os.waitstatus_to_exitcode(status), shown.decode("utf-8", "replace").replace("\r\n", "\n")


def local(world: World) -> list[str]:
    return ["install", str(world.packs / "guard-1.0.0"), "--agent=claude"]


@pytest.mark.parametrize("answer", [b"n\n", b"\n", b"what\n", b"\x04"])
def test_anything_but_yes_changes_nothing(world: World, answer: bytes) -> None:
    before = world.stamped()
    code, shown = converse(world, local(world), answer)
    assert code == 1, shown
    assert "nothing was changed" in shown
    assert world.stamped() == before


def test_ctrl_c_in_the_question_leaves_the_repo_as_it_was(world: World) -> None:
    before = world.stamped()
    code, shown = converse(world, local(world), b"\x03")
    assert code in (1, 130), shown
    assert "Traceback" not in shown
    assert "nothing was changed" in shown
    assert world.stamped() == before


def test_the_question_shows_first_what_would_run_and_yes_goes_on(world: World) -> None:
    code, shown = converse(world, local(world), b"y\n")
    assert code == 0, shown
    before_question = shown[: shown.index("[y/N]")]
    assert "guard/guard at PreToolUse Read|Edit|Write|Bash: " in before_question
    assert "guard.py" in before_question
    assert ".claude/settings.json" in before_question
    assert world.denies(".env")


def test_yes_asks_nothing_and_an_unchanged_project_neither(world: World) -> None:
    code, shown = converse(world, [*local(world), "--yes"], b"")
    assert code == 0, shown
    assert "[y/N]" not in shown
    code, shown = converse(world, ["sync"], b"")
    assert code == 0, shown
    assert "[y/N]" not in shown


def test_without_a_terminal_nothing_is_asked(world: World, tmp_path: Path) -> None:
    done = world.spawn(*local(world))
    assert done.code == 0, done.text
    assert "[y/N]" not in done.text
