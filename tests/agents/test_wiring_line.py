"""The wired line, run by the shells that agents use: it finds the bridge, and never ends badly."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from hookpm import agents
from hookpm.agents import shell_line
from hookpm.contract.events import EVENTS

SHELLS = [path for name in ("dash", "bash", "zsh", "sh") if (path := shutil.which(name))]
FAKE_BRIDGE = "import json, sys; print(json.dumps(sys.argv[1:] + [sys.stdin.read()]))\n"
TELLS = [name for name in agents.names() if agents.load(name).wiring.FORM.tells]
FOLDERS = ["plain", "with space", 'it\'s "quoted" $HOME `x`', "grün-日本", "back\\slash"]


def project(folder: Path, bridge: str = FAKE_BRIDGE) -> Path:
    vendored = folder / ".agents" / "hookpm"
    vendored.mkdir(parents=True)
    (vendored / "bridge.py").write_text(bridge, encoding="utf-8")
    (folder / shell_line.NO_PYTHON).write_text(shell_line.NO_PYTHON_TEXT, encoding="utf-8")
    return folder


def run(
    agent: str,
    root: Path,
    *,
    event: str = "PreToolUse",
    shell: str = "/bin/sh",
    cwd: Path | None = None,
    **variables: str | None,
) -> subprocess.CompletedProcess[str]:
    """Run an agent's line as the agent does; a variable given as None is taken away."""
    wiring = agents.load(agent).wiring
    environment: dict[str, str | None] = {
        "PATH": f"{Path(sys.executable).parent}:{os.environ['PATH']}",
        "HOME": str(root / "no-home"),
        "LC_ALL": "C.UTF-8",
        **wiring.environment(root),
        **variables,
    }
    return subprocess.run(
        [shell, "-c", shell_line.present(agent, event)],
        input="the payload",
        capture_output=True,
        text=True,
        encoding="utf-8",
        cwd=cwd or root,
        env={key: value for key, value in environment.items() if value is not None},
        timeout=60,
    )


def silence(agent: str, event: str = "PreToolUse") -> str:
    """What an agent hears that hears nothing: an answer without an opinion, where it needs one."""
    neutral = agents.load(agent).wiring.FORM.neutral
    said = neutral(event) if neutral else None
    return "" if said is None else json.dumps(said, separators=(",", ":")) + "\n"


def assert_silent(done: subprocess.CompletedProcess[str], agent: str) -> None:
    assert (done.returncode, done.stdout) == (0, silence(agent))


@pytest.mark.parametrize("agent", agents.names())
@pytest.mark.parametrize("shell", SHELLS)
def test_the_line_starts_the_bridge_with_agent_and_event(
    agent: str, shell: str, tmp_path: Path
) -> None:
    root = project(tmp_path / "with 'space' \"quote\" grün")
    done = run(agent, root, event="Stop", shell=shell)
    assert json.loads(done.stdout) == [agent, "Stop", "the payload"]
    assert done.returncode == 0


@pytest.mark.parametrize("agent", agents.names())
@pytest.mark.parametrize("folder", FOLDERS)
def test_no_folder_name_breaks_the_line(agent: str, folder: str, tmp_path: Path) -> None:
    done = run(agent, project(tmp_path / folder))
    assert json.loads(done.stdout)[:2] == [agent, "PreToolUse"]


@pytest.mark.parametrize("agent", agents.names())
def test_the_line_is_one_line_without_traces_of_a_machine(agent: str) -> None:
    for event in EVENTS:
        line = shell_line.present(agent, event)
        assert "\n" not in line
        assert str(Path.home()) not in line
        assert "//" not in line  # Cursor would cut its file there


@pytest.mark.parametrize(
    "agent", [name for name in agents.names() if agents.load(name).wiring.FORM.foreign_shell]
)
def test_a_shell_that_is_none_of_posix_reads_nothing_but_one_quoted_word(agent: str) -> None:
    start, body, end = shell_line.present(agent, "Stop").split("'")
    assert (start, end) == ("/bin/sh -c ", "")
    # csh expands ! between single quotes, and fish unescapes a double backslash there.
    assert "!" not in body
    assert "\\\\" not in body


@pytest.mark.parametrize("agent", agents.names())
def test_a_missing_bridge_allows_without_a_word(agent: str, tmp_path: Path) -> None:
    done = run(agent, tmp_path)
    assert_silent(done, agent)
    assert done.stderr == ""


@pytest.mark.parametrize("agent", agents.names())
def test_a_bridge_that_is_a_folder_allows(agent: str, tmp_path: Path) -> None:
    (tmp_path / shell_line.BRIDGE).mkdir(parents=True)
    assert_silent(run(agent, tmp_path), agent)


@pytest.mark.parametrize("agent", agents.names())
def test_a_bridge_that_cannot_be_read_allows(agent: str, tmp_path: Path) -> None:
    root = project(tmp_path)
    (root / shell_line.NO_PYTHON).unlink()
    (root / shell_line.BRIDGE).unlink()
    (root / shell_line.BRIDGE).symlink_to("/proc/1/mem")
    assert_silent(run(agent, root), agent)


@pytest.mark.parametrize("agent", agents.names())
@pytest.mark.parametrize("shell", SHELLS)
def test_without_python_the_line_allows_and_tells_where_it_can(
    agent: str, shell: str, tmp_path: Path
) -> None:
    done = run(agent, project(tmp_path), shell=shell, PATH="")
    assert done.returncode == 0
    if agent in TELLS:
        assert "python3" in json.loads(done.stdout)["systemMessage"]
    else:
        assert done.stdout == silence(agent)


@pytest.mark.parametrize("agent", TELLS)
def test_without_python_and_without_the_message_the_line_allows(agent: str, tmp_path: Path) -> None:
    root = project(tmp_path)
    (root / shell_line.NO_PYTHON).unlink()
    assert_silent(run(agent, root, PATH=""), agent)


@pytest.mark.parametrize("agent", agents.names())
@pytest.mark.parametrize("ending", ["exit 2", "exit 1", "exit 127", "kill -9 $$"])
def test_a_python_that_ends_badly_never_becomes_a_refusal(
    agent: str, ending: str, tmp_path: Path
) -> None:
    root = project(tmp_path / "repo")
    fake = tmp_path / "bin" / "python3"
    fake.parent.mkdir()
    fake.write_text(f"#!/bin/sh\n{ending}\n", encoding="utf-8")
    fake.chmod(0o755)
    done = run(agent, root, PATH=str(fake.parent))
    assert done.returncode == 0
    if done.stdout == silence(agent):
        return
    assert "decision" not in done.stdout
    assert list(json.loads(done.stdout)) == ["systemMessage"]


@pytest.mark.parametrize("agent", agents.names())
def test_python_2_as_python3_allows(agent: str, tmp_path: Path) -> None:
    old = shutil.which("python2.7") or shutil.which("python2")
    if old is None:
        pytest.skip("no Python 2 here")
    (tmp_path / "bin").mkdir()
    (tmp_path / "bin" / "python3").symlink_to(old)
    done = run(agent, project(tmp_path / "repo"), PATH=f"{tmp_path / 'bin'}")
    assert done.returncode == 0
    assert done.stdout == (shell_line.NO_PYTHON_TEXT if agent in TELLS else silence(agent))


@pytest.mark.parametrize("agent", agents.names())
@pytest.mark.parametrize("broken", ["raise SystemError\n", "<<<<<<< ours\n", "\0"])
def test_a_bridge_that_does_not_start_allows_and_the_user_is_told(
    agent: str, broken: str, tmp_path: Path
) -> None:
    done = run(agent, project(tmp_path, broken))
    assert done.returncode == 0
    assert done.stdout == (shell_line.NO_PYTHON_TEXT if agent in TELLS else silence(agent))


@pytest.mark.parametrize("agent", agents.names())
def test_a_denial_of_a_bridge_that_then_dies_still_stands_alone(agent: str, tmp_path: Path) -> None:
    died = "import os, sys\nprint('{}', flush=True)\nos.kill(os.getpid(), 9)\n"
    done = run(agent, project(tmp_path, died))
    assert (done.returncode, done.stdout) == (0, "{}\n")


@pytest.mark.parametrize("agent", agents.names())
@pytest.mark.parametrize("where", ["XDG_CACHE_HOME", "HOME"])
def test_the_cached_interpreter_goes_before_the_path(
    agent: str, where: str, tmp_path: Path
) -> None:
    cache = tmp_path / "a cache"
    link = (cache if where == "XDG_CACHE_HOME" else cache / ".cache") / "hookpm" / "python3"
    link.parent.mkdir(parents=True)
    link.symlink_to(sys.executable)
    root = project(tmp_path / "repo")
    xdg = str(cache) if where == "XDG_CACHE_HOME" else None
    done = run(agent, root, PATH="", XDG_CACHE_HOME=xdg, HOME=str(cache))
    assert json.loads(done.stdout)[0] == agent


@pytest.mark.parametrize("agent", agents.names())
@pytest.mark.parametrize("kind", ["dangling", "folder"])
def test_a_broken_cached_interpreter_is_passed_over(agent: str, kind: str, tmp_path: Path) -> None:
    link = tmp_path / "cache" / "hookpm" / "python3"
    link.parent.mkdir(parents=True)
    link.mkdir() if kind == "folder" else link.symlink_to(tmp_path / "gone")
    done = run(agent, project(tmp_path / "repo"), XDG_CACHE_HOME=str(tmp_path / "cache"))
    assert json.loads(done.stdout)[0] == agent


@pytest.mark.parametrize("agent", agents.names())
@pytest.mark.parametrize("variable", ["XDG_CACHE_HOME", "HOME"])
def test_no_interpreter_is_taken_from_a_relative_folder(
    agent: str, variable: str, tmp_path: Path
) -> None:
    """It would be the folder that the agent works in, where anybody can put a program."""
    root = project(tmp_path / "repo")
    below = "here" if variable == "XDG_CACHE_HOME" else "here/.cache"
    planted = root / below / "hookpm" / "python3"
    planted.parent.mkdir(parents=True)
    planted.write_text("#!/bin/sh\necho planted\n")
    planted.chmod(0o755)
    cache = "here" if variable == "XDG_CACHE_HOME" else None
    done = run(agent, root, XDG_CACHE_HOME=cache, HOME=None if cache else "here")
    assert json.loads(done.stdout)[0] == agent


@pytest.mark.parametrize("agent", agents.names())
def test_the_line_needs_no_home(agent: str, tmp_path: Path) -> None:
    done = run(agent, project(tmp_path), HOME=None)
    assert json.loads(done.stdout)[0] == agent


@pytest.mark.parametrize(
    "agent", [name for name in agents.names() if agents.load(name).wiring.FORM.root]
)
def test_a_cd_into_another_repo_does_not_switch_the_guard(agent: str, tmp_path: Path) -> None:
    root = project(tmp_path / "mine")
    other = project(tmp_path / "other", "print('the wrong bridge')")
    assert json.loads(run(agent, root, cwd=other).stdout)[0] == agent


def test_codex_walks_up_to_the_first_bridge(tmp_path: Path) -> None:
    root = project(tmp_path / "repo")
    deep = root / "a" / "b c"
    deep.mkdir(parents=True)
    assert json.loads(run("codex", root, cwd=deep).stdout)[0] == "codex"
    assert_silent(run("codex", root, cwd=tmp_path), "codex")
    assert_silent(run("codex", root, cwd=Path("/")), "codex")


def test_gemini_and_copilot_lines_survive_the_words_those_agents_replace() -> None:
    line = shell_line.present("gemini", "PreToolUse")
    for word in ("GEMINI_PROJECT_DIR", "CLAUDE_PROJECT_DIR", "GEMINI_CWD", "GEMINI_SESSION_ID"):
        assert f"${word}" not in line


@pytest.mark.parametrize("agent", agents.names())
@pytest.mark.parametrize("event", EVENTS)
def test_a_present_line_is_read_back(agent: str, event: str) -> None:
    line = shell_line.present(agent, event)
    assert shell_line.read(line) == (agent, event, True)
    assert shell_line.read(line + " ") is None
    assert shell_line.read(f"echo hi; {line}") is None


@pytest.mark.parametrize(
    "command",
    [
        "hookpm run claude PreToolUse",
        "/home/dev/.cache/uv/archive-v0/abc/bin/hookpm run claude PreToolUse",
        "~/.local/bin/hookpm run claude PreToolUse",
        '"/Users/a b/bin/hookpm" run claude PreToolUse',
        "'/Users/a b/bin/hookpm' run claude PreToolUse",
        ".venv/bin/hookpm  run claude PreToolUse ",
    ],
)
def test_an_old_form_is_ours(command: str) -> None:
    assert shell_line.read(command) == ("claude", "PreToolUse", False)


@pytest.mark.parametrize("agent", agents.names())
def test_a_line_that_took_a_relative_cache_folder_is_an_old_form_of_ours(agent: str) -> None:
    line = former(agent, "PreToolUse")
    assert line != shell_line.present(agent, "PreToolUse")
    assert shell_line.read(line) == (agent, "PreToolUse", False)
    assert shell_line.read(f"{line};") is None


def former(agent: str, event: str) -> str:
    """The line as the first installs have it."""
    return shell_line.present(agent, event).replace("case $y in /*) ;; *) y=;; esac; ", "")


@pytest.mark.parametrize(
    "command",
    [
        "",
        "node /work/hookpm-notes/run.js",
        "hookpm run claude PreToolUse && mine.sh",
        "echo hookpm run claude PreToolUse",
        "true; hookpm run claude PreToolUse",
        "$(x)/hookpm run claude PreToolUse",
        "my-hookpm run claude PreToolUse",
        "hookpm run nobody PreToolUse",
        "hookpm run claude preToolUse",
        "hookpm run claude PreToolUse extra",
        "hookpm run claude",
        ".agents/hookpm/bridge.py claude PreToolUse",
    ],
)
def test_a_command_that_merely_holds_our_words_is_the_users(command: str) -> None:
    assert shell_line.read(command) is None


def test_the_message_about_python_is_one_line_of_json() -> None:
    assert shell_line.NO_PYTHON_TEXT.count("\n") == 1
    assert list(json.loads(shell_line.NO_PYTHON_TEXT)) == ["systemMessage"]
