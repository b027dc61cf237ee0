"""Sizes, streams, time and children: what hooks and agents do to the bridge's pipes."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import TypeVar

import pytest

from tests.bridge.rig import AGENTS, GUARD, PYTHON, Heard, Repo

SPAWNS = ["posix_spawn", "subprocess"]


@pytest.fixture(params=SPAWNS)
def either(request: pytest.FixtureRequest, repo: Repo) -> Repo:
    """A repo whose bridge starts hooks by posix_spawn, or by what stands in for it."""
    if request.param == "subprocess":
        (repo.here / "bridge" / "spawn.py").unlink()
    return repo


T = TypeVar("T")


def timed(call: Callable[[], T]) -> tuple[T, float]:
    """What a call gives, and the seconds that it took."""
    start = time.monotonic()
    result = call()
    return result, time.monotonic() - start


def gone(pid: int) -> bool:
    """Is the process gone, or about to be? Waits a little."""
    for _ in range(100):
        try:
            with open(f"/proc/{pid}/stat", encoding="ascii") as file:
                if file.read().rpartition(")")[2].split()[0] == "Z":
                    return True
        except OSError:
            return True
        time.sleep(0.02)
    return False


def pid_in(path: Path) -> int:
    for _ in range(200):
        if path.exists() and path.read_text().strip():
            return int(path.read_text())
        time.sleep(0.02)
    raise AssertionError(f"nothing in {path}")


@pytest.mark.parametrize("agent", AGENTS)
def test_five_megabytes_get_the_same_verdict(agent: str, either: Repo) -> None:
    either.guard("SECRET")
    payload = either.shell_payload(agent, "x" * (5 << 20) + " SECRET")
    assert either.call(agent, "PreToolUse", payload).refusal() == "no SECRET"
    payload = either.shell_payload(agent, "x" * (5 << 20))
    assert either.call(agent, "PreToolUse", payload).answer == {}


@pytest.mark.parametrize("agent", AGENTS)
def test_a_prompt_of_three_megabytes_is_judged(agent: str, repo: Repo) -> None:
    text = GUARD.replace('call["tool_input"]', 'call["prompt"]')
    repo.hook(repo.script("p.py", text) + " SECRET", event="UserPromptSubmit")
    payload = repo.payload(agent, "UserPromptSubmit", prompt="é" * (3 << 19) + "SECRET")
    assert repo.call(agent, "UserPromptSubmit", payload).refusal() == "no SECRET"


@pytest.mark.parametrize("line", [False, True])
def test_a_payload_in_pieces_through_a_slow_pipe_is_read_whole(line: bool, repo: Repo) -> None:
    from hookpm.agents import shell_line

    repo.guard("SECRET")
    argv = repo.argv("claude", "PreToolUse")
    if line:
        argv = ["/bin/sh", "-c", shell_line.present("claude", "PreToolUse")]
    data = json.dumps(repo.shell_payload("claude", "SECRET " + "x" * 70000)).encode()
    with subprocess.Popen(
        argv,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        env=repo.environment("claude"),
        cwd=repo.root,
    ) as process:
        assert process.stdin is not None
        for start in range(0, len(data), 20000):
            process.stdin.write(data[start : start + 20000])
            process.stdin.flush()
            time.sleep(0.05)
        out, _ = process.communicate(timeout=60)
    assert Heard(out, "", process.returncode).refusal() == "no SECRET"


def test_pipes_that_do_not_block_are_read_and_written_whole(repo: Repo) -> None:
    """Some runtimes hand over pipes with O_NONBLOCK set."""
    reason = "R" * 200000
    repo.hook(
        repo.script("d.py", f"import sys; sys.stderr.write('R' * {len(reason)}); sys.exit(2)")
    )
    in_read, in_write = os.pipe()
    out_read, out_write = os.pipe()
    os.set_blocking(in_read, False)
    os.set_blocking(out_write, False)
    with subprocess.Popen(
        repo.argv("claude", "PreToolUse"),
        stdin=in_read,
        stdout=out_write,
        env=repo.environment("claude"),
        cwd=repo.root,
    ) as process:
        os.close(in_read)
        os.close(out_write)
        time.sleep(0.3)  # the bridge finds nothing to read yet
        with open(in_write, "wb") as file:
            file.write(json.dumps(repo.shell_payload("claude")).encode())
        time.sleep(0.3)  # and its pipe full
        with open(out_read, "rb") as file:
            out = file.read()
        process.wait(60)
    assert Heard(out, "", process.returncode).refusal() == reason


@pytest.mark.parametrize("size", [0, 5 << 20])
def test_a_hook_that_reads_no_stdin_is_heard(size: int, either: Repo) -> None:
    either.hook("exec 0<&-; sleep 0.2; echo no >&2; exit 2").hook("exit 0")
    payload = either.shell_payload("codex", "x" * size)
    heard, seconds = timed(lambda: either.call("codex", "PreToolUse", payload))
    assert heard.refusal() == "no"
    assert seconds < 2


@pytest.mark.parametrize("agent", AGENTS)
def test_a_child_left_behind_is_not_waited_for_and_lives_on(agent: str, either: Repo) -> None:
    either.hook('sleep 30 & echo $! > "$CLAUDE_PROJECT_DIR/pid"; echo no >&2; exit 2')
    heard, seconds = timed(lambda: either.shell(agent, line=True))
    pid = pid_in(either.root / "pid")
    try:
        assert heard.refusal() == "no"
        assert seconds < 5
        assert not gone(pid) or sys.platform != "linux"
    finally:
        os.kill(pid, signal.SIGKILL)


def test_a_hook_that_runs_late_is_ended_with_its_children(either: Repo) -> None:
    either.hook(
        'trap "" TERM; sleep 40 & echo $! > "$CLAUDE_PROJECT_DIR/pid"; sleep 41', timeout=0.5
    )
    heard, seconds = timed(lambda: either.shell("claude"))
    assert heard.refusal() == ""
    assert "ran past its 0.5 seconds" in heard.stderr
    assert seconds < 5
    assert gone(pid_in(either.root / "pid"))


def test_hooks_run_side_by_side_and_each_has_its_own_time(either: Repo) -> None:
    for number in range(3):
        either.hook(f"sleep 1; echo no{number} >&2; exit 2")
    either.hook("sleep 20", timeout=0.2)
    heard, seconds = timed(lambda: either.shell("claude"))
    assert heard.refusal() == "no0\nno1\nno2"
    assert 1 <= seconds < 2.5


def test_texts_stand_in_file_order_whoever_ends_first(either: Repo) -> None:
    for number in range(4):
        answer = {"hookEventName": "PreToolUse", "additionalContext": f"c{number}"}
        text = json.dumps({"hookSpecificOutput": answer, "systemMessage": f"m{number}"})
        either.hook(f"sleep 0.{4 - number}; echo '{text}'")
    joined = either.shell("claude").answer
    assert joined["hookSpecificOutput"]["additionalContext"] == "c0\nc1\nc2\nc3"
    assert joined["systemMessage"] == "m0\nm1\nm2\nm3"


def test_a_hundred_hooks_all_run(either: Repo) -> None:
    for number in range(100):
        either.hook(f"echo n{number} >&2; exit 2")
    assert either.shell("claude").refusal().split() == [f"n{number}" for number in range(100)]


def test_a_patch_of_many_files_is_judged_to_its_last_file(repo: Repo) -> None:
    """Few open files are allowed here: all hooks at once would not start."""
    repo.hook("grep -q '\"[.]env\"' && { echo no .env >&2; exit 2; }; exit 0")
    names = [f"*** Add File: f{n}.txt\n+x\n" for n in range(300)] + ["*** Add File: .env\n+x\n"]
    patch = "*** Begin Patch\n" + "".join(names) + "*** End Patch"
    payload = repo.payload("codex", "PreToolUse", "s", "apply_patch", {"command": patch})
    done = subprocess.run(
        ["/bin/sh", "-c", 'ulimit -n 150; exec "$@"', "-", *repo.argv("codex", "PreToolUse")],
        input=json.dumps(payload).encode(),
        capture_output=True,
        env=repo.environment("codex"),
        cwd=repo.root,
        timeout=100,
    )
    heard = Heard(done.stdout, done.stderr.decode(), done.returncode)
    assert (heard.refusal(), heard.stderr) == ("no .env", "")


@pytest.mark.parametrize("stream", ["stdout", "stderr"])
def test_a_hook_that_prints_without_end_has_failed(stream: str, either: Repo) -> None:
    to = "" if stream == "stdout" else " >&2"
    either.hook(f"cat /dev/zero{to}", timeout=50).hook("echo no >&2; exit 2")
    heard, seconds = timed(lambda: either.shell("claude"))
    assert heard.refusal() == "no"
    assert "printed more than 32 MB" in heard.stderr
    assert seconds < 15


def test_large_output_is_read_whole(either: Repo) -> None:
    size = 3 << 20
    either.hook(f"head -c {size} /dev/zero | tr '\\0' x >&2; exit 2")
    assert len(either.shell("gemini").refusal()) == size


@pytest.mark.parametrize("closed", ["<&-", ">&-", "2>&-", "<&- >&- 2>&-", "<&- 2>&-"])
def test_closed_streams_never_end_badly(closed: str, either: Repo) -> None:
    either.hook('echo context; echo no >&2; echo ran > "$CLAUDE_PROJECT_DIR/ran"; exit 2')
    payload = json.dumps(either.shell_payload("claude")).encode()
    argv = either.argv("claude", "PreToolUse")
    done = subprocess.run(
        ["/bin/sh", "-c", f'exec "$@" {closed}', "-", *argv],
        input=payload,
        capture_output=True,
        env=either.environment("claude"),
        cwd=either.root,
        timeout=60,
    )
    heard = Heard(done.stdout, done.stderr.decode(), done.returncode)
    if "<&-" in closed:
        assert heard.refusal() == ""
        assert "2>&-" in closed or "no input" in heard.stderr
    else:
        assert (either.root / "ran").exists()
        assert heard.refusal() == ("" if " >&-" in f" {closed}" else "no")


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT, signal.SIGHUP])
def test_when_the_agent_ends_the_bridge_its_hooks_end_too(number: int, either: Repo) -> None:
    either.hook('sleep 42 & echo $! > "$CLAUDE_PROJECT_DIR/pid"; wait')
    with subprocess.Popen(
        either.argv("claude", "PreToolUse"),
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        env=either.environment("claude"),
        cwd=either.root,
    ) as process:
        assert process.stdin is not None
        process.stdin.write(json.dumps(either.shell_payload("claude")).encode())
        process.stdin.close()
        pid = pid_in(either.root / "pid")
        process.send_signal(number)
        assert process.wait(10) == 0
        assert process.stdout is not None
        assert process.stdout.read() == b""
    assert gone(pid)


def test_signals_that_the_agent_blocks_or_ignores_change_nothing(either: Repo) -> None:
    def block() -> None:
        signal.pthread_sigmask(signal.SIG_BLOCK, [signal.SIGCHLD, signal.SIGTERM])
        signal.signal(signal.SIGCHLD, signal.SIG_IGN)

    either.hook("sh -c 'kill -TERM $$; exit 0'; echo \"code $?\" >&2; exit 2", timeout=5)
    done, seconds = timed(
        lambda: subprocess.run(
            either.argv("claude", "PreToolUse"),
            input=json.dumps(either.shell_payload("claude")).encode(),
            capture_output=True,
            env=either.environment("claude"),
            cwd=either.root,
            timeout=60,
            preexec_fn=block,
        )
    )
    assert b"code 143" in done.stdout
    assert seconds < 3


def test_a_hook_meets_a_broken_pipe_as_any_program_does(either: Repo) -> None:
    either.hook("yes | head -1 >&2; exit 2", timeout=5)
    assert either.shell("claude").refusal() == "y"


def test_an_agent_that_hangs_up_leaves_no_trace(repo: Repo) -> None:
    repo.hook("echo no >&2; exit 2")
    with subprocess.Popen(
        repo.argv("claude", "PreToolUse"),
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        env=repo.environment("claude"),
        cwd=repo.root,
    ) as process:
        assert process.stdin is not None
        assert process.stdout is not None
        assert process.stderr is not None
        process.stdout.close()
        process.stdin.write(json.dumps(repo.shell_payload("claude")).encode())
        process.stdin.close()
        assert process.wait(20) == 0
        assert process.stderr.read() == b""


@pytest.mark.parametrize("exec_form", [True, False])
def test_exec_form_needs_no_shell(exec_form: bool, either: Repo) -> None:
    if exec_form:
        code = "import sys; sys.stderr.write(sys.argv[1]); sys.exit(2)"
        either.hook(PYTHON, args=["-c", code, "a 'b' $HOME"])
        assert either.shell("codex").refusal() == "a 'b' $HOME"
    else:
        either.hook("[[ x == x ]] && echo bash >&2; exit 2", shell="bash")
        assert either.shell("codex").refusal() == "bash"


def test_a_child_left_behind_that_keeps_printing_drowns_no_refusal(either: Repo) -> None:
    either.hook("echo no >&2; yes >&2 & yes & exit 2")
    either.hook('yes | tr -d y & echo \'{"decision": "block", "reason": "json"}\'')
    heard, seconds = timed(lambda: either.shell("claude"))
    lines = heard.refusal().split("\n")
    assert lines[0] == "no"
    assert lines[-1] == "json"
    assert seconds < 5


def test_a_working_folder_that_is_gone_switches_nothing_off(either: Repo) -> None:
    either.guard("SECRET")
    payload = json.dumps(either.shell_payload("claude", "SECRET")).encode()
    script = 'mkdir gone && cd gone && rmdir ../gone && exec "$@"'
    done = subprocess.run(
        ["/bin/sh", "-c", script, "-", *either.argv("claude", "PreToolUse")],
        input=payload,
        capture_output=True,
        env=either.environment("claude"),
        cwd=either.root,
        timeout=60,
    )
    heard = Heard(done.stdout, done.stderr.decode(), done.returncode)
    assert heard.refusal().endswith("no SECRET")  # sh itself has a word on the folder before it
