"""What is broken allows, ends with 0 and is not silent; on_failure = "block" turns it round."""

from __future__ import annotations

import json
import shutil
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.bridge.rig import AGENTS, CANNOT_SHOW, PYTHON, Repo

GUARDED = "cat .env"


def hooks_file(text: str) -> Callable[[Repo], None]:
    def change(repo: Repo) -> None:
        (repo.root / ".agents" / "hooks.json").write_text(text, "utf-8", "surrogateescape")

    return change


def packs_file(text: str) -> Callable[[Repo], None]:
    def change(repo: Repo) -> None:
        (repo.here / "packs.json").write_text(text, encoding="utf-8")

    return change


def removed(name: str) -> Callable[[Repo], None]:
    def change(repo: Repo) -> None:
        path = repo.root / name
        shutil.rmtree(path) if path.is_dir() else path.unlink()

    return change


def folder_instead(name: str) -> Callable[[Repo], None]:
    def change(repo: Repo) -> None:
        (repo.root / name).unlink()
        (repo.root / name).mkdir()

    return change


def garbled(name: str) -> Callable[[Repo], None]:
    def change(repo: Repo) -> None:
        (repo.here / name).write_text("def (:\n", encoding="utf-8")

    return change


BROKEN_HOOKS = {
    "missing": removed(".agents/hooks.json"),
    "a folder": folder_instead(".agents/hooks.json"),
    "empty": hooks_file(""),
    "cut off": hooks_file('{"hooks": {"PreToolUse": ['),
    "a comment": hooks_file('// mine\n{"hooks": {}}'),
    "a list": hooks_file("[]"),
    "hooks is a list": hooks_file('{"hooks": []}'),
    "the event is an object": hooks_file('{"hooks": {"PreToolUse": {}}}'),
    "a group is text": hooks_file('{"hooks": {"PreToolUse": ["x"]}}'),
    "no command": hooks_file('{"hooks": {"PreToolUse": [{"hooks": [{"type": "command"}]}]}}'),
    "http": hooks_file('{"hooks": {"PreToolUse": [{"hooks": [{"type": "http", "url": "x"}]}]}}'),
    "nested too deep": hooks_file("[" * 100000),
    "not utf-8": hooks_file("\udcff\udcfe{"),
}
BROKEN_CODE = {
    "the translation is gone": removed(".agents/hookpm/agents"),
    "the contract is gone": removed(".agents/hookpm/contract"),
    "a module is gone": removed(".agents/hookpm/bridge/judge.py"),
    "a module is no python": garbled("bridge/main.py"),
    "a late module is no python": garbled("bridge/reply.py"),
}


@pytest.mark.parametrize("agent", AGENTS)
@pytest.mark.parametrize("how", BROKEN_HOOKS)
def test_a_broken_hooks_file_allows_and_tells_once_a_session(
    agent: str, how: str, repo: Repo
) -> None:
    BROKEN_HOOKS[how](repo.guard(".env"))
    first = repo.shell(agent, GUARDED, line=True)
    again = repo.shell(agent, GUARDED, line=True)
    assert first.refusal() == again.refusal() == ""
    assert ".agents/hooks.json" in first.stderr
    assert first.stderr == again.stderr
    assert ("hookpm: " in first.told()) == (agent not in CANNOT_SHOW)
    assert again.answer == {}
    payload = repo.shell_payload(agent, GUARDED, session="s2")
    assert repo.call(agent, "PreToolUse", payload).told() == first.told()


@pytest.mark.parametrize("agent", AGENTS)
@pytest.mark.parametrize("how", BROKEN_CODE)
def test_a_broken_bridge_allows_and_tells_once_a_session(agent: str, how: str, repo: Repo) -> None:
    BROKEN_CODE[how](repo.guard(".env"))
    first = repo.shell(agent, GUARDED, line=True)
    again = repo.shell(agent, GUARDED, line=True)
    assert first.refusal() == again.refusal() == ""
    assert "the bridge is broken" in first.stderr
    assert "the bridge is broken" in again.stderr
    assert ("hookpm: " in first.told()) == (agent not in CANNOT_SHOW)
    assert again.answer == {}


@pytest.mark.parametrize("event", ["SessionEnd", "nonsense", ""])
def test_a_broken_bridge_never_ends_badly(event: str, repo: Repo) -> None:
    removed(".agents/hookpm/contract")(repo)
    for payload in (b"", b"\xff", b"[]", b"{}", b'{"session_id": 5}'):
        repo.call("claude", event, payload).answer  # noqa: B018


@pytest.mark.parametrize("arguments", [[], ["claude"], ["nobody", "PreToolUse"], ["../x", "Stop"]])
def test_a_broken_command_line_never_ends_badly(arguments: list[str], repo: Repo) -> None:
    import subprocess

    done = subprocess.run(
        [PYTHON, "-I", "-S", str(repo.here / "bridge.py"), *arguments],
        input=b"{}",
        capture_output=True,
        timeout=60,
    )
    assert (done.returncode, done.stdout) == (
        0,
        b"" if arguments[:1] != ["claude"] else done.stdout,
    )
    assert b"hookpm: the bridge is broken" in done.stderr


BROKEN_PACKS = {
    "missing": removed(".agents/hookpm/packs.json"),
    "cut off": packs_file('{"packs": {'),
    "a list": packs_file("[]"),
    "no packs": packs_file("{}"),
    "packs is a list": packs_file('{"packs": []}'),
    "another pack": packs_file('{"packs": {"q": {}}}'),
    "the pack is text": packs_file('{"packs": {"p": "x"}}'),
}
ODD_PACKS = {
    "agents is text": packs_file('{"packs": {"p": {"agents": "claude", "hooks": 5}}}'),
    "hooks are text": packs_file('{"packs": {"p": {"hooks": {"h0": "x"}, "options": 5}}}'),
    "terms are odd": packs_file(
        '{"packs": {"p": {"hooks": {"h0": {"fallback": [], "rewrites": "x", "on_failure": 1,'
        ' "agents": 7}}}}}'
    ),
}


@pytest.mark.parametrize("agent", AGENTS)
@pytest.mark.parametrize("how", BROKEN_PACKS)
def test_a_broken_packs_file_tells_and_the_guard_still_holds(
    agent: str, how: str, repo: Repo
) -> None:
    BROKEN_PACKS[how](repo.guard(".env", pack="p"))
    heard = repo.shell(agent, GUARDED)
    assert heard.refusal() == "no .env"
    assert "packs.json" in heard.stderr
    assert ("packs.json" in heard.told()) == (agent not in CANNOT_SHOW)


@pytest.mark.parametrize("how", ODD_PACKS)
def test_odd_terms_never_switch_a_guard_off(how: str, repo: Repo) -> None:
    ODD_PACKS[how](repo.guard(".env", pack="p"))
    assert repo.shell("codex", GUARDED).refusal() == "no .env"


FAILURES = {
    "python gone": '"$HOOKPM_PYTHON" gone.py',
    "sh gone": "sh gone.sh",
    "program gone": "./gone.sh",
    "no such program": "no-such-program-here",
    "crash": "exit 1",
    "traceback": '"$HOOKPM_PYTHON" -c "raise ValueError(5)"',
    "signal": "kill -9 $$",
    "timeout": "sleep 30",
    "NUL": "echo \0",
    "too much": "head -c 40000000 /dev/zero",
}


@pytest.mark.parametrize("agent", AGENTS)
@pytest.mark.parametrize("how", FAILURES)
def test_a_hook_that_fails_allows_with_a_note_that_names_it(
    agent: str, how: str, repo: Repo
) -> None:
    repo.hook(FAILURES[how], pack="p", timeout=0.3 if how == "timeout" else 20)
    heard = repo.shell(agent, line=True)
    assert heard.refusal() == ""
    assert "p/h0 failed and allows" in heard.stderr
    assert ("p/h0" in heard.told()) == (agent not in CANNOT_SHOW)
    assert repo.shell(agent).answer == {}, "told once a session"


@pytest.mark.parametrize("agent", AGENTS)
@pytest.mark.parametrize("how", FAILURES)
def test_on_failure_block_refuses_then(agent: str, how: str, repo: Repo) -> None:
    terms = {"on_failure": "block"}
    repo.hook(FAILURES[how], pack="p", terms=terms, timeout=0.3 if how == "timeout" else 20)
    assert repo.shell(agent).refusal().startswith("p/h0 failed (")


@pytest.mark.parametrize("event", ["UserPromptSubmit", "Stop"])
def test_on_failure_block_holds_at_other_events_too(event: str, repo: Repo) -> None:
    repo.hook("exit 1", event=event, pack="p", terms={"on_failure": "block"})
    for agent in AGENTS:
        assert repo.call(agent, event, repo.payload(agent, event)).refusal(), agent


def test_a_handlers_own_on_failure_counts_for_the_users_hooks(repo: Repo) -> None:
    repo.hook("exit 1", onFailure="block")
    assert "set to block" in repo.shell("codex").refusal()


UNREADABLE = {
    "empty": b"",
    "space": b" \n",
    "cut off": b'{"tool_name": "Bash", "tool_input": {"command": "cat .env',
    "a list": b"[1]",
    "text": b'"x"',
    "nan": b'{"tool_name": nan}',
    "utf-16": '{"tool_name": "Bash"}'.encode("utf-16"),
    "two": b"{} {}",
    "not json": b"\xff\xfe\x00",
    "open brackets": b'{"a":' + b"[" * 200000,
}


@pytest.mark.parametrize("agent", AGENTS)
@pytest.mark.parametrize("how", UNREADABLE)
def test_unreadable_input_allows_with_a_note(agent: str, how: str, repo: Repo) -> None:
    repo.guard(".env", matcher="Bash")
    heard = repo.call(agent, "PreToolUse", UNREADABLE[how], line=True)
    assert heard.refusal() == ""
    assert ("no input" if not UNREADABLE[how] else "not one JSON") in heard.stderr
    assert ("no hook ran" in heard.told()) == (agent not in CANNOT_SHOW)


@pytest.mark.parametrize("agent", AGENTS)
@pytest.mark.parametrize("how", UNREADABLE)
def test_unreadable_input_is_refused_where_a_hook_is_set_to_block(
    agent: str, how: str, repo: Repo
) -> None:
    repo.guard(".env", matcher="Bash", pack="p", terms={"on_failure": "block"})
    assert "p/h0 cannot judge" in repo.call(agent, "PreToolUse", UNREADABLE[how]).refusal()


def test_unreadable_input_and_a_broken_hooks_file_give_one_answer(repo: Repo) -> None:
    hooks_file("{")(repo)
    assert repo.call("claude", "PreToolUse", b"").told().count("hookpm: ") == 1


@pytest.mark.parametrize("agent", AGENTS)
def test_where_no_hook_asks_unreadable_input_is_nobodys_concern(agent: str, repo: Repo) -> None:
    heard = repo.call(agent, "PreToolUse", b"")
    assert (heard.stdout, heard.stderr) == (b"", "")


def test_a_pipe_in_the_hooks_files_place_does_not_hang(repo: Repo) -> None:
    import os

    (repo.root / ".agents" / "hooks.json").unlink()
    os.mkfifo(repo.root / ".agents" / "hooks.json")
    assert "not JSON" in repo.shell("claude").stderr


def test_a_deleted_pack_folder_allows(repo: Repo) -> None:
    command = '"${HOOKPM_PYTHON:-python3}" -I -S "$HOOKPM_PACK_DIR/guard.py"'
    repo.hook(command, pack="p")
    heard = repo.shell("claude")
    assert heard.refusal() == ""
    assert "could not start" in heard.stderr


@pytest.mark.skipif(sys.platform != "linux", reason="the versions lie where pyenv puts them")
@pytest.mark.parametrize("version", ["2.7", "3.6", "3.7"])
def test_an_ancient_python_tells_and_allows(version: str, repo: Repo) -> None:
    python = ancient(version)
    if python is None:
        pytest.skip(f"no Python {version}")
    repo.guard(".env")
    for agent in AGENTS:
        import subprocess

        options = [] if version == "2.7" else ["-I", "-S"]
        done = subprocess.run(
            [python, *options, str(repo.here / "bridge.py"), agent, "PreToolUse"],
            input=json.dumps(repo.shell_payload(agent, GUARDED)).encode(),
            capture_output=True,
            timeout=60,
        )
        assert (done.returncode, done.stderr) == (0, b"")
        told = json.loads(done.stdout)["systemMessage"] if done.stdout else ""
        assert ("older than 3.8" in told) == (agent not in CANNOT_SHOW)


def ancient(version: str) -> str | None:
    versions = Path.home() / ".pyenv" / "versions"
    for folder in sorted(versions.glob(f"{version}.*")):
        return str(folder / "bin" / f"python{version}")
    return shutil.which(f"python{version}")
