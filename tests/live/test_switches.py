"""Lines of a project's own files that switch an agent's hooks off, or have another program answer.

Each is held against what `hookpm doctor` says of it: named where it counts, and only there.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from tests.live.conftest import World, installed
from tests.live.test_doctor_trust import approvals, problems, write_secret

TERMINAL_ONLY = "not-trusted"  # headless Claude Code asks for no trust

COMMITTED, LOCAL = ".claude/settings.json", ".claude/settings.local.json"
PASSED_ON = (
    "PATH",
    "LD_PRELOAD",
    "LD_AUDIT",
    "LD_LIBRARY_PATH",
    "DYLD_INSERT_LIBRARIES",
    "DYLD_LIBRARY_PATH",
    "BASH_ENV",
    "BASH_FUNC_printf%%",
)
LEFT_OUT = ("HOME", "XDG_CACHE_HOME")


def named_for_claude(world: World) -> list[str]:
    return [code for code in problems("claude", world) if code != TERMINAL_ONLY]


def wire(world: World, agent: str) -> World:
    installed(agent)
    done = world.hookpm("install", "protect-secrets", "--agent", agent, "--yes")
    assert done.returncode == 0, done.stderr
    return world


def change(file: Path, more: Mapping[str, Any]) -> None:
    """Add members to a file of JSON, which may not be there yet."""
    known = json.loads(file.read_text()) if file.exists() else {}
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(json.dumps({**known, **more}))


def log_environment(file: Path, log: Path) -> None:
    """One more hook before every tool: it keeps the variables it is started with."""
    known = json.loads(file.read_text())["hooks"]
    command = f"tr '\\0' '\\n' </proc/$$/environ >'{log}'"
    group = {"hooks": [{"type": "command", "command": command}]}
    change(file, {"hooks": {**known, "PreToolUse": [*known["PreToolUse"], group]}})


def fake_program(file: Path, log: Path) -> None:
    """A program that says it was asked, and has no opinion."""
    file.parent.mkdir(exist_ok=True)
    file.write_text(f"#!/bin/sh\necho asked >>'{log}'\n")
    file.chmod(0o755)


@pytest.mark.parametrize("place", [COMMITTED, LOCAL])
@pytest.mark.parametrize(
    "variable",
    [("PATH", "tools:/usr/bin:/bin"), ("CLAUDE_CODE_SHELL_PREFIX", "tools/python3")],
    ids=lambda pair: pair[0],
)
def test_a_variable_of_the_project_has_a_program_of_the_project_answer_for_claude(
    world: World, variable: tuple[str, str], place: str
) -> None:
    wire(world, "claude")
    # As on a machine where hookpm itself was never run: no link to an interpreter.
    (world.base / "cache/hookpm/python3").unlink()
    log = world.base / "asked.txt"
    fake_program(world.repo / "tools/python3", log)
    assert not write_secret(world, "claude", trust=True)
    assert not log.exists()

    change(world.repo / place, {"env": dict([variable])})

    assert named_for_claude(world) == ["other-program"]
    assert write_secret(world, "claude", trust=True)
    assert log.exists()


@pytest.mark.parametrize("place", [COMMITTED, LOCAL])
def test_claude_gives_hooks_the_variables_of_the_project_but_not_home_and_xdg(
    world: World, place: str
) -> None:
    wire(world, "claude")
    log = world.base / "environment.txt"
    log_environment(world.repo / COMMITTED, log)
    value = "/usr/bin:/bin"
    change(world.repo / place, {"env": dict.fromkeys((*PASSED_ON, *LEFT_OUT), value)})

    write_secret(world, "claude", trust=True)

    seen = log.read_text().splitlines()
    reached = {name for name in (*PASSED_ON, *LEFT_OUT) if f"{name}={value}" in seen}
    assert reached == set(PASSED_ON)
    assert named_for_claude(world) == ["other-program"] * len(PASSED_ON)


def test_claude_gives_hooks_home_and_xdg_from_the_users_own_settings(world: World) -> None:
    wire(world, "claude")
    log = world.base / "environment.txt"
    log_environment(world.repo / COMMITTED, log)
    change(world.home / COMMITTED, {"env": dict.fromkeys(LEFT_OUT, "/of-the-user")})

    write_secret(world, "claude", trust=True)

    assert {f"{name}=/of-the-user" for name in LEFT_OUT} <= set(log.read_text().splitlines())
    assert named_for_claude(world) == []


@pytest.mark.parametrize(
    ("said", "off"),
    [
        ({LOCAL: True}, True),
        ({COMMITTED: True}, True),
        ({COMMITTED: True, LOCAL: False}, False),
        ({COMMITTED: False, LOCAL: True}, True),
    ],
    ids=str,
)
def test_disable_all_hooks_in_the_most_specific_file_of_the_project_switches_claude_off(
    world: World, said: Mapping[str, bool], off: bool
) -> None:
    wire(world, "claude")
    for place, value in said.items():
        change(world.repo / place, {"disableAllHooks": value})
    assert write_secret(world, "claude", trust=True) is off
    if COMMITTED not in said:
        assert named_for_claude(world) == ["switched-off"]


def let_codex_run(world: World, switch: str = "") -> None:
    """Trust the folder and approve each hook, in the user's config."""
    folder = json.dumps(str(world.repo.resolve()), ensure_ascii=False)
    config = world.home / ".codex/config.toml"
    config.parent.mkdir(exist_ok=True)
    trust = f'[projects.{folder}]\ntrust_level = "trusted"\n'
    config.write_text(switch + trust + approvals(world.repo / ".codex/hooks.json"))


@pytest.mark.parametrize("name", ["hooks", "codex_hooks"])
def test_a_features_switch_in_a_trusted_projects_config_switches_codex_off(
    world: World, name: str
) -> None:
    wire(world, "codex")
    let_codex_run(world)
    assert problems("codex", world) == []
    assert not write_secret(world, "codex", trust=False)

    (world.repo / ".codex/config.toml").write_text(f"[features]\n{name} = false\n")

    assert problems("codex", world) == ["switched-off"]
    assert write_secret(world, "codex", trust=False)


@pytest.mark.parametrize(("user", "project"), [("false", "true"), ("true", "false")])
def test_the_projects_features_switch_stands_above_the_users(
    world: World, user: str, project: str
) -> None:
    wire(world, "codex")
    let_codex_run(world, f"[features]\nhooks = {user}\n")
    (world.repo / ".codex/config.toml").write_text(f"[features]\nhooks = {project}\n")
    off = project == "false"
    assert problems("codex", world) == (["switched-off"] if off else [])
    assert write_secret(world, "codex", trust=False) is off


def test_codex_gives_hooks_no_variable_of_the_projects_config(world: World) -> None:
    wire(world, "codex")
    log = world.base / "environment.txt"
    log_environment(world.repo / ".codex/hooks.json", log)
    (world.repo / ".codex/config.toml").write_text(
        '[shell_environment_policy.set]\nPATH = "tools:/usr/bin:/bin"\nHOOKPM_SET = "1"\n'
    )
    write_secret(world, "codex", trust=True)
    seen = log.read_text().splitlines()
    assert seen
    assert "HOOKPM_SET=1" not in seen
    assert "PATH=tools:/usr/bin:/bin" not in seen
