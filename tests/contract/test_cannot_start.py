"""A missing script is a failure, though some interpreters end with the code of a block then."""

from __future__ import annotations

import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from hookpm.contract.answer import BLOCKED, cannot_start, read, refusal
from hookpm.contract.events import CANNOT_BLOCK, EVENTS

SEEN = [
    (2, "/usr/bin/python3: can't open file '/r/gone.py': [Errno 2] No such file or directory"),
    (2, "python3.8: can't open file 'gone.py': [Errno 2] No such file or directory"),
    (2, "/opt/my tools/pypy3: can't open file '/r/a b.py': [Errno 13] Permission denied"),
    (2, "sh: 0: cannot open gone.sh: No such file"),
    (2, "/bin/sh: 0: cannot open /r/gone.sh: Permission denied"),
    (2, "guard.sh: 3: .: cannot open ./lib.sh: No such file"),
    (2, "sh: can't open 'gone.sh': No such file or directory"),  # busybox
    (2, 'Can\'t open perl script "gone.pl": No such file or directory'),
    (2, "error: Failed to spawn: gone.py\n  cause: No such file or directory (os error 2)"),  # uv
    (127, "sh: 1: gone: not found"),
    (127, "bash: line 1: gone: command not found"),
    (127, "bash: gone.sh: No such file or directory"),
    (127, "env: 'gone': No such file or directory"),
    (127, "sh: 0: Can't open gone.sh"),  # older dash
    (126, "sh: 1: /r/guard.sh: Permission denied"),
    (126, "bash: /r: Is a directory"),
    (126, "bash: ./x: cannot execute binary file: Exec format error"),
]


@pytest.mark.parametrize(("code", "stderr"), SEEN)
@pytest.mark.parametrize("event", EVENTS)
def test_a_missing_script_is_a_failure_and_no_block(event: str, code: int, stderr: str) -> None:
    assert cannot_start(code, b"", stderr.encode())
    answer = read(event, code, b"", stderr.encode() + b"\n")
    assert answer.is_empty()
    assert answer.failure == "it could not start: " + stderr.split("\n")[0]


def test_warnings_before_the_message_do_not_hide_it() -> None:
    warning = "bash: warning: setlocale: LC_ALL: cannot change locale (xx_YY)\n"
    answer = read("PreToolUse", 2, b"", (warning + SEEN[0][1]).encode())
    assert answer.failure == "it could not start: " + SEEN[0][1]


@pytest.mark.parametrize(
    "reason",
    [
        "No such file or directory",
        "No such file",
        "Refused: No such file or directory: .env",
        "cannot open .env: No such file",
        "guard: cannot open .env: secrets stay closed",
        "Blocked, python3: can't open file '/x.py': [Errno 2] No such file or directory",
        "Blocked: python3: can't open file '/x.py': [Errno 2] No such file or directory",
        "It failed:\npython3: can't open file '/x.py': [Errno 2] No such file or directory",
        "python3: can't open file '/x.py'",
        "cat: can't open file 'x': [Errno 2] No such file or directory",
        "you can't open 'x'",
        "error: Failed to spawn: more than two agents\nask a human",
        "error: Failed to spawn: x",
        "guard.sh: 7: cannot open patterns.txt: No such file",  # a redirection in a script that ran
        "x.sh: line 3: syntax error near unexpected token `fi'",  # what `bash -n x.sh` says
        "",
    ],
)
def test_a_guard_whose_reason_only_sounds_like_it_still_blocks(reason: str) -> None:
    assert not cannot_start(2, b"", reason.encode())
    for event in EVENTS:
        if event not in CANNOT_BLOCK:
            answer = read(event, 2, b"", reason.encode())
            assert answer.decision == refusal(event)
            assert answer.reason == (reason or "No stderr output")


@pytest.mark.parametrize(("code", "stderr"), SEEN)
def test_a_hook_that_printed_something_did_start(code: int, stderr: str) -> None:
    assert not cannot_start(code, b"{}", stderr.encode())
    block = read("PreToolUse", code, b'{"decision": "block"}', stderr.encode())
    assert block.decision == "deny"
    assert code != 2 or block.reason == stderr
    assert code == 2 or block.reason == BLOCKED


@pytest.mark.parametrize("code", [0, 1, 3, -9])
def test_no_other_exit_code_means_that_it_could_not_start(code: int) -> None:
    assert not cannot_start(code, b"", SEEN[0][1].encode())


@pytest.mark.parametrize(
    "line",
    [
        "python3 gone.py",
        "'{python}' -I -S '{folder}/not here.py'",
        "'{python}' 'ünï code.py'",
        "sh gone.sh",
        "sh ./gone/gone.sh",
        "dash gone.sh",
        "bash gone.sh",
        "busybox sh gone.sh",
        "perl gone.pl",
        "node gone.js",
        "uv run --offline gone.py",
        "gone-program --check",
        "./gone.sh",
        "exec ./gone.sh",
        ". ./gone.sh",
        "'{folder}'",
        "'{folder}/not-executable.sh'",
        "env gone-program",
    ],
)
def test_the_real_interpreters_words_are_known(tmp_path: Path, line: str) -> None:
    program = line.split()[0]
    if program in ("dash", "bash", "busybox", "perl", "node", "uv") and not shutil.which(program):
        pytest.skip(program + " is not on PATH")
    (tmp_path / "not-executable.sh").write_text("exit 0\n")
    line = line.format(python=sys.executable, folder=tmp_path)
    done = subprocess.run(["sh", "-c", line], cwd=tmp_path, capture_output=True, timeout=60)
    answer = read("PreToolUse", done.returncode, done.stdout, done.stderr)
    assert answer.decision == "", done.stderr
    assert answer.failure, done
    if done.returncode in (2, 126, 127):
        assert answer.failure.startswith("it could not start: ")


def test_a_real_guard_that_speaks_of_missing_files_blocks(tmp_path: Path) -> None:
    guard = tmp_path / "guard.sh"
    guard.write_text("echo 'No such file may be made here' >&2\nexit 2\n")
    done = subprocess.run(["sh", str(guard)], capture_output=True, timeout=60)
    assert read("PreToolUse", done.returncode, done.stdout, done.stderr).decision == "deny"
