"""An install and an uninstall where Python has none of what only POSIX systems have."""

from __future__ import annotations

import os
import subprocess
import sys

import pytest

from tests.project.world import CHECKOUT, World

# What Windows' Python lacks goes before hookpm is imported; `msvcrt` is a stand-in.
WITHOUT = """
import fcntl, os, signal, subprocess, sys, types
import platformdirs.unix  # of the system that it runs on, not of hookpm
calls = []
def locking(handle, mode, count):
    fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
    calls.append((mode, count))
sys.modules["msvcrt"] = types.SimpleNamespace(locking=locking, LK_NBLCK=2)
for name in ("fcntl", "grp", "pwd", "termios", "resource"):
    sys.modules[name] = None
for name in ("getuid", "geteuid", "getgid", "chown", "mkfifo", "O_CLOEXEC", "O_NONBLOCK"):
    delattr(os, name)
for name in ("pthread_sigmask", "SIGHUP"):
    delattr(signal, name)
from hookpm.cli import main
code = main.run(sys.argv[1:])
assert calls == [(2, 1)], calls
sys.exit(code)
"""


def without_posix(world: World, *arguments: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-c", WITHOUT, *arguments],
        cwd=world.repo,
        env={**os.environ, "PYTHONPATH": str(CHECKOUT)},
        capture_output=True,
        text=True,
        check=False,
    )


def test_a_project_is_changed_and_changed_back(world: World) -> None:
    world.write(".claude/settings.json", '{\r\n  "model": "x"\r\n}\r\n')
    before = world.tree()
    done = without_posix(world, "install", "protect-secrets", "--agent=claude", "--agent=codex")
    assert done.returncode == 0, done.stderr
    with_all = world.tree()
    done = without_posix(world, "uninstall", "protect-secrets")
    assert done.returncode == 0, done.stderr
    assert world.tree() == before
    assert world.spawn("install", "protect-secrets", "--agent=claude", "--agent=codex").code == 0
    assert world.tree() == with_all


@pytest.mark.parametrize("error", ["BlockingIOError", "PermissionError(13, 'Permission denied')"])
def test_a_lock_that_is_held_is_waited_for_whatever_the_system_calls_it(
    monkeypatch: pytest.MonkeyPatch, error: str
) -> None:
    from hookpm.registry import waiting

    tries = iter([eval(error), eval(error), None])
    waits: list[str] = []

    def lock(_: int) -> None:
        found = next(tries)
        if found is not None:
            raise found

    monkeypatch.setattr(waiting, "_lock", lock)
    assert waiting.acquire(0, 60, lambda: waits.append("once"))
    assert waits == ["once"]
