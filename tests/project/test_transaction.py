"""All or nothing: killed at any write, beside other runs, against files that change meanwhile."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from hookpm.project.writing import pending, transaction
from hookpm.project.writing.change import Change
from hookpm.project.writing.pending import PENDING
from tests.project.world import CHECKOUT, FILES, World

# Runs hookpm and dies at the Nth call that changes the disk: before it, or having half done it.
KILLER = """
import os, pathlib, sys
from hookpm.cli import main
from hookpm.registry import embedded
from hookpm.registry.index import FolderRegistry
root, index, at = sys.argv[1], pathlib.Path(sys.argv[2]), int(sys.argv[3])
embedded.registry = lambda: FolderRegistry(index, "embedded")
count = 0
def watch(event, args):
    global count
    if event == "open":
        path, mode, flags = args
        if not isinstance(flags, int) or not flags & (os.O_WRONLY | os.O_RDWR | os.O_CREAT):
            return
    elif event not in ("os.rename", "os.remove", "os.rmdir", "os.mkdir", "os.chmod"):
        return
    else:
        path = args[0]
    if not str(path).startswith(root):
        return
    count += 1
    if count == at:
        os._exit(77)
sys.addaudithook(watch)
code = main.run(sys.argv[4:])
print(count, file=sys.stderr)
os._exit(code)
"""


def killed_at(world: World, at: int, *arguments: str) -> int:
    """Run hookpm so that it dies at its Nth write; its exit code, 77 where it died."""
    done = subprocess.run(
        [sys.executable, "-c", KILLER, str(world.repo), str(world.index), str(at), *arguments],
        cwd=world.repo,
        env={**os.environ, "PYTHONPATH": str(CHECKOUT)},
        capture_output=True,
        check=False,
        timeout=60,
    )
    assert done.returncode in (0, 77), done.stderr.decode()
    return done.returncode


def reset(world: World, files: dict[str, bytes | str]) -> None:
    """Make the repo hold just these files again."""
    for path in sorted(world.tree(), reverse=True):
        file = world.repo / path
        file.rmdir() if file.is_dir() and not file.is_symlink() else file.unlink()
    for path, what in sorted(files.items()):
        if what == "folder":
            (world.repo / path).mkdir()
        else:
            assert isinstance(what, bytes)
            mode, _, data = what.partition(b" ")
            (world.repo / path).write_bytes(data)
            (world.repo / path).chmod(int(mode, 8))


STAGED = (PENDING, ".agents.hookpm-new")
# These hit the staging, each kind of file, and the end; test_every_stop goes through all of them.
POINTS = [1, 3, 20, 41, 61, 85, 95, 99, 110, 126]


@pytest.mark.parametrize("command", ["install", "uninstall"])
def test_a_run_that_is_killed_at_any_write_is_undone_or_completed_by_the_next(
    world: World, command: str
) -> None:
    world.write(FILES["claude"], '{\n  "model": "x"\n}\n')
    empty = world.tree()
    arguments = ["install", "guard", "--agent=claude", "--agent=codex"]
    world.ok(*arguments)
    full = world.tree()
    before, after = (empty, full) if command == "install" else (full, empty)
    run = arguments if command == "install" else ["uninstall", "guard"]
    ends = {"before": 0, "half": 0}
    for at in POINTS:
        reset(world, before)
        if killed_at(world, at, *run) == 0:
            break
        now = {path: w for path, w in world.tree().items() if not path.startswith(STAGED)}
        without_folder = {path: w for path, w in now.items() if path != ".agents"}
        untouched = without_folder == {p: w for p, w in before.items() if p != ".agents"}
        ends["before" if untouched else "half"] += 1
        if (world.repo / PENDING / "journal.json").exists():
            seen = world.run("status", "--json").json["problems"]
            assert "half-done" in [p["code"] for p in seen], at
        # In between nobody is blocked by a half of ours.
        if FILES["claude"] in now and b"bridge.py" in now[FILES["claude"]]:
            assert not world.denies("readme.md"), at
        done = world.run(*run)
        assert done.code == 0, (at, done.text)
        if not untouched:
            assert "an earlier run had been stopped" in done.err, at
        assert world.tree() == after, at
    assert ends["before"] >= 2
    assert ends["half"] >= 2


def test_a_run_that_stops_with_an_error_before_the_first_change_leaves_no_trace(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    real = pending._write_through
    before = world.tree()
    for fail_at in (1, 2, 3):
        calls = iter(range(1, 99))

        def write(path: Path, data: bytes, fail: int = fail_at, calls: object = calls) -> None:
            if next(calls) == fail:  # type: ignore[call-overload]
                raise OSError(28, "No space left on device", str(path))
            real(path, data)

        monkeypatch.setattr(pending, "_write_through", write)
        done = world.run("install", "guard", "--agent=claude")
        assert done.code == 3
        assert "nothing was changed" in done.err
        assert "No space left" in done.err
        assert world.tree() == before


def test_a_run_that_stops_with_an_error_half_way_goes_on_where_it_stopped(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    real = pending._place
    calls = iter(range(1, 999))

    def place(target: Path, *more: object) -> None:
        if next(calls) == 30:
            raise OSError(5, "Input/output error", str(target))
        real(target, *more)  # type: ignore[arg-type]

    monkeypatch.setattr(pending, "_place", place)
    done = world.run("install", "guard", "--agent=claude")
    assert done.code == 3
    assert "stopped half-way" in done.err
    assert "it goes on where it stopped" in done.err
    again = world.ok("install", "guard", "--agent=claude")
    assert "stopped half-way; its changes are now complete" in again.err
    assert world.ok("status", "--json").json["state"] == "ok"
    assert not (world.repo / PENDING).exists()
    world.ok("uninstall", "guard")
    assert world.tree() == {}


def test_a_half_done_run_is_completed_before_another_command_is_carried_out(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    killed_at(world, 90, "install", "guard", "--agent=claude")
    assert (world.repo / PENDING / "journal.json").exists()
    world.ok("install", "helper", "--agent=claude")
    assert [p["name"] for p in world.ok("list", "--json").json["packs"]] == ["guard", "helper"]


def test_a_file_that_changed_meanwhile_is_refused_and_nothing_is_written(tmp_path: Path) -> None:
    (tmp_path / "a").write_text("new")
    with pytest.raises(transaction.ConcurrentChangeError) as raised:
        transaction.apply(tmp_path, [Change("a", b"old", b"x"), Change("b", None, b"y")])
    assert "changed while hookpm was at work" in str(raised.value)
    assert {p.name for p in tmp_path.iterdir()} == {"a"}
    assert (tmp_path / "a").read_text() == "new"


def test_a_journal_that_leads_out_of_the_project_is_not_followed(world: World) -> None:
    """Whoever can put files into a repo could put a journal there."""
    folder = world.repo / PENDING
    folder.mkdir(parents=True)
    (folder / "0.new").write_text("x")
    outside = world.base / "outside"
    outside.write_text("mine")
    for step in (
        {"path": "../outside", "executable": False, "data": None},
        {"path": "../outside", "executable": False, "data": "0.new"},
        {"path": str(outside), "executable": False, "data": "0.new"},
        {"path": "in", "executable": False, "data": "../../../outside"},
    ):
        (folder / "journal.json").write_text(json.dumps({"steps": [step], "made": [], "umask": 18}))
        done = world.run("install", "guard", "--agent=claude")
        assert done.code == 3, done.text
        assert "journal" in done.err
        assert outside.read_text() == "mine"
    (folder / "journal.json").write_text("[broken")
    done = world.run("install", "guard", "--agent=claude")
    assert done.code == 3, done.text
    assert "journal" in done.err


def test_the_order_is_code_hooks_wiring_and_wiring_goes_before_code() -> None:
    def put(path: str, new: bytes | None) -> Change:
        return Change(path, None if new else b"x", new)

    names = [
        put(".claude/settings.json", b"x"),
        put(".agents/hookpm.lock", b"x"),
        put(".agents/hooks.json", b"x"),
        put(".agents/hookpm/bridge.py", b"x"),
        put(".agents/hookpm/old.py", None),
        put(".gemini/settings.json", None),
    ]
    assert [c.path for c in transaction.sort(names)] == [
        ".agents/hookpm/bridge.py",
        ".agents/hooks.json",
        ".claude/settings.json",
        ".gemini/settings.json",
        ".agents/hookpm.lock",
        ".agents/hookpm/old.py",
    ]


def test_modes_of_the_users_files_stay(world: World) -> None:
    file = world.write(FILES["claude"], "{}\n")
    file.chmod(0o600)
    world.install("guard")
    assert file.stat().st_mode & 0o777 == 0o600
    world.ok("uninstall", "guard")
    assert file.stat().st_mode & 0o777 == 0o600


def test_ctrl_c_before_the_first_change_leaves_no_trace(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    before = world.tree()

    def stop(path: Path, data: bytes) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(pending, "_write_through", stop)
    done = world.run("install", "guard", "--agent=claude")
    assert done.code == 130
    assert "nothing is half-written" in done.err
    assert world.tree() == before


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_a_signal_in_the_middle_of_a_change_waits_until_it_is_whole(
    world: World, number: int
) -> None:
    program = (
        "import os, sys; from hookpm.cli import main; from hookpm.project.writing import pending\n"
        "real = pending._place\n"
        "def place(*a):\n    os.kill(os.getpid(), int(sys.argv[1])); real(*a)\n"
        "pending._place = place\n"
        "sys.exit(main.run(sys.argv[2:]))\n"
    )
    pack = world.packs / "guard-1.0.0"
    done = subprocess.run(
        [sys.executable, "-c", program, str(int(number)), "install", str(pack), "--agent=claude"],
        cwd=world.repo,
        env={**os.environ, "PYTHONPATH": str(CHECKOUT)},
        capture_output=True,
        text=True,
        check=False,
        timeout=60,
    )
    assert done.returncode in (130, -signal.SIGTERM), done.stderr
    assert not (world.repo / PENDING).exists()
    assert world.ok("status", "--json").json["state"] == "ok"
