"""The hook as a program: what it reads, what it answers, and what it does with the disk."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from tests.packs_protect_secrets import GUARD, PACK, answer_of, bash


def run(stdin: bytes, **environment: str) -> subprocess.CompletedProcess[bytes]:
    return subprocess.run(
        [sys.executable, "-I", "-S", str(GUARD)],
        input=stdin,
        capture_output=True,
        env=environment,
        check=False,
    )


def call(tool: str, given: Any, **more: Any) -> bytes:
    return json.dumps({"tool_name": tool, "tool_input": given, **more}).encode()


def test_broken_input_blocks_nothing_and_is_not_silent(tmp_path: Path) -> None:
    for stdin in (b"", b"{", b"[]", b"\xff\xfe", b'{"a":1} x', b"[" * 100_000):
        done = run(stdin, HOME=str(tmp_path))
        assert done.returncode == 1, stdin[:20]
        assert done.stdout == b""
        assert b"not judged" in done.stderr


def test_odd_but_whole_input_is_judged(tmp_path: Path) -> None:
    for stdin in (
        b"\xef\xbb\xbf" + call("Read", {"file_path": ".env"}),
        b' \n{"tool_name":"Read","tool_input":{"file_path":".env","x":"\\ud800\xff"}}\n',
        call("Read", {"file_path": ".env", "limit": 1e999, "offset": None}),
    ):
        done = run(stdin, HOME=str(tmp_path))
        assert json.loads(done.stdout)["hookSpecificOutput"]["permissionDecision"] == "deny"


def test_other_events_are_silent(tmp_path: Path) -> None:
    done = run(call("Read", {"file_path": ".env"}, hook_event_name="PostToolUse"))
    assert (done.returncode, done.stdout, done.stderr) == (0, b"", b"")


def test_broken_options_leave_the_defaults_in_force_with_a_note(tmp_path: Path) -> None:
    for options in ("{", "[]", '"x"', "nan", "[" * 50_000):
        done = run(call("Read", {"file_path": ".env"}), HOME=str(tmp_path), HOOKPM_OPTIONS=options)
        assert b'"deny"' in done.stdout
        assert b"HOOKPM_OPTIONS" in done.stderr


def test_options_of_a_wrong_type_are_passed_over() -> None:
    odd: Any
    for odd in (None, 3, {}, [1, None, ""], ["/"], True):
        assert answer_of("Read", {"file_path": ".env"}, options={"extra": odd, "except": odd})[0]
        assert answer_of("Read", {"file_path": "a"}, options={"unsure": odd, "extra": odd}) == (
            "",
            "",
        )


def test_compiled_code_goes_to_the_cache_and_never_beside_the_code(tmp_path: Path) -> None:
    run(call("Bash", {"command": "cat a"}), HOME=str(tmp_path))
    assert list((tmp_path / ".cache/hookpm/pycache").rglob("shellrun*.pyc"))
    assert not list(PACK.rglob("__pycache__"))
    run(call("Bash", {"command": "cat a"}))  # no home at all
    assert not list(PACK.rglob("__pycache__"))


def test_the_quiet_path_imports_nothing_that_costs(tmp_path: Path) -> None:
    code = (
        "import sys; sys.argv = [G]; sys.path.insert(0, P); import hook; "
        "hook.main(); print(sorted(set(sys.modules) & {'re', 'json', 'os', 'typing'}))"
    )
    code = code.replace("G", repr(str(GUARD))).replace("P", repr(str(PACK)), 1)
    for stdin in (call("Read", {"file_path": "a.py"}), call("Bash", {"command": "ls | head"})):
        done = subprocess.run(
            [sys.executable, "-B", "-I", "-S", "-c", code],
            input=stdin,
            capture_output=True,
            check=True,
        )
        assert done.stdout == b"[]\n"


def test_a_link_to_a_secret_is_a_secret(tmp_path: Path) -> None:
    (tmp_path / ".env").write_text("A=1")
    (tmp_path / "notes.txt").symlink_to(".env")
    (tmp_path / "sub").mkdir()
    (tmp_path / "sub/again").symlink_to("../notes.txt")
    (tmp_path / "loop").symlink_to("loop")
    here = str(tmp_path)
    assert answer_of("Read", {"file_path": "notes.txt"}, here)[0] == "deny"
    assert bash("cat sub/again", here) == "deny"
    assert bash("cd sub && cat again", here) == "deny"
    assert bash("cat loop", here) == ""


def test_a_link_into_a_secret_folder_is_followed(tmp_path: Path) -> None:
    (tmp_path / ".ssh").mkdir()
    (tmp_path / "keys").symlink_to(".ssh")
    assert bash("cat keys/deploy", str(tmp_path)) == "deny"


def test_a_virtual_environment_called_env_may_be_removed(tmp_path: Path) -> None:
    (tmp_path / ".env").mkdir()
    assert bash("rm -rf .env", str(tmp_path)) == "ask"
    (tmp_path / ".env/pyvenv.cfg").write_text("")
    assert bash("rm -rf .env", str(tmp_path)) == ""


def test_a_star_that_takes_in_a_secret_of_the_disk_is_a_question(tmp_path: Path) -> None:
    for name in ("a.txt", ".env", "config"):
        (tmp_path / name).write_text("")
    assert bash("cat *", str(tmp_path)) == ""  # a star takes no hidden file
    (tmp_path / "server.key").write_text("")
    assert bash("cat *", str(tmp_path)) == "ask"
    assert bash("wc -l s*", str(tmp_path)) == "ask"
    assert bash("wc -l a*", str(tmp_path)) == ""
    assert bash("cat .e*", str(tmp_path)) == "deny"


def test_no_file_is_opened(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / ".env")  # a reader would hang here
    assert bash("cat .env", str(tmp_path)) == "deny"


def test_the_home_folder_is_known(tmp_path: Path) -> None:
    payload = call("Read", {"file_path": "~/private/x"}, cwd="/nowhere")
    done = run(payload, HOME=str(tmp_path), HOOKPM_OPTIONS='{"extra": ["~/private"]}')
    assert b'"deny"' in done.stdout


def test_the_reason_names_the_path_once_and_stays_on_one_line() -> None:
    reason = answer_of("Bash", {"command": "cat .env .env './x\n/.env' " + "a/" * 90 + ".env"})[1]
    assert "\n" not in reason
    assert len(reason) < 900
    assert "`except`" in reason


def test_at_most_three_paths_are_named() -> None:
    reason = answer_of("Bash", {"command": "cat id_rsa .netrc secrets.yml .env.local"})[1]
    assert ".env.local" not in reason


def test_values_in_odd_places_break_nothing() -> None:
    odd: Any
    for odd in (None, 3, [], {}, [[[[[[[[[[{"path": ".env"}]]]]]]]]]], "x", [None, 1.5, True]):
        for key in ("file_path", "command", "paths", "glob", "patch"):
            assert answer_of("Read", {key: odd})[0] in ("", "ask", "deny")
        assert answer_of("Read", odd)[0] in ("", "ask")


@settings(max_examples=300, deadline=None)
@given(st.text(alphabet=".envENV/\\~$:*?[]{}% \0é😀\ud800abk_", max_size=40))
def test_no_path_breaks_the_guard(path: str) -> None:
    assert answer_of("Read", {"file_path": path})[0] in ("", "ask", "deny")
    assert answer_of("Grep", {"glob": path, "path": path})[0] in ("", "ask", "deny")


@settings(max_examples=25, deadline=None)
@given(st.binary(max_size=200))
def test_no_bytes_make_the_program_block(data: bytes) -> None:
    done = run(data)
    assert done.returncode in (0, 1)
    assert done.stdout == b""
