"""On a terminal hookpm asks before it writes; a real pseudo-terminal answers."""

from __future__ import annotations

import os
import pty
import select
import sys
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.project.world import CHECKOUT, World

LIMIT = 60.0  # seconds


def converse(
    world: World, arguments: list[str], *answers: bytes | Callable[[], bytes]
) -> tuple[int, str]:
    """Run hookpm on a terminal, answer its questions; exit code and all that was shown.

    A function is called when its question stands, before that is answered.
    """
    child, terminal = pty.fork()
    if child == 0:
        os.chdir(world.repo)
        os.environ["PYTHONPATH"] = str(CHECKOUT)
        os.execv(sys.executable, [sys.executable, "-m", "hookpm", *arguments])
    shown = b""
    left = list(answers)
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
            if left and shown.count(b"[y/N]") > len(answers) - len(left):
                answer = left.pop(0)
                os.write(terminal, answer if isinstance(answer, bytes) else answer())
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
    assert "new hook guard at PreToolUse Read|Edit|Write|Bash\n" in before_question
    assert 'runs: "${HOOKPM_PYTHON:-python3}" ' in before_question
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


# --- what was shown is what is written ---------------------------------------------------------


def test_another_run_does_not_wait_for_a_question(world: World) -> None:
    def meanwhile() -> bytes:
        done = world.spawn("install", world.packs / "helper-1.0.0", "--agent=claude", "--yes")
        assert done.code == 0, done.text
        assert "waiting" not in done.text
        return b"y\n"

    code, shown = converse(world, local(world), meanwhile, b"y\n")
    assert code == 0, shown
    assert shown.count("[y/N]") == 2
    assert "what would be written has changed meanwhile; here it is again" in shown
    assert {p["name"] for p in world.spawn("list", "--json").json["packs"]} == {"guard", "helper"}


@pytest.mark.parametrize("second", [b"n\n", b"y\n"])
def test_a_pack_that_changes_while_the_question_stands_is_shown_and_asked_about_again(
    world: World, second: bytes
) -> None:
    folder = world.packs / "guard-1.0.0"

    def meanwhile() -> bytes:
        (folder / "guard.py").write_text("import evil\n")
        return b"f\n"

    code, shown = converse(world, local(world), meanwhile, b"y\n", second)
    assert "+ import json, sys" in shown  # what f shows is what was summarised
    assert "import evil" not in shown
    assert "has changed meanwhile" in shown
    assert code == (0 if second == b"y\n" else 1), shown
    assert (world.repo / ".agents").exists() is (second == b"y\n")


def test_f_shows_every_file_and_asks_again(world: World) -> None:
    code, shown = converse(world, local(world), b"f\n", b"n\n")
    assert code == 1
    assert shown.count("[y/N]") == 2
    assert "--- guard/guard.py" in shown
    assert "+ call = json.load(sys.stdin)" in shown


def test_review_asks_on_a_terminal_and_yes_is_the_approval(world: World) -> None:
    assert world.spawn(*local(world)).code == 0
    (world.packs / "guard-1.0.0" / "guard.py").write_text("import sys\nsys.exit(0)\n")
    code, shown = converse(world, ["review"], b"n\n")
    assert (code, "+ sys.exit(0)" in shown) == (1, True), shown
    assert world.spawn("review").code == 1
    code, shown = converse(world, ["review"], b"y\n")
    assert code == 0, shown
    assert "sys.exit(0)" in world.read(".agents/hookpm/packs/guard/guard.py")
    assert world.spawn("review").code == 0
    code, shown = converse(world, ["review"])
    assert (code, "[y/N]" in shown) == (0, False)


def test_a_removal_is_asked_about_with_what_no_longer_runs(world: World) -> None:
    assert world.spawn(*local(world)).code == 0
    code, shown = converse(world, ["uninstall", "guard"], b"n\n")
    assert code == 1
    assert "hook guard at PreToolUse Read|Edit|Write|Bash NO LONGER RUNS" in shown
