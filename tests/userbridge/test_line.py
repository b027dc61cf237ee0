"""The user's line of every agent: sound shell, known again, and never taken for a project's."""

from __future__ import annotations

import subprocess

import pytest

from hookpm import agents
from hookpm.agents import shell_line, user_line
from hookpm.contract.events import EVENTS


@pytest.mark.parametrize("agent", agents.names())
def test_the_line_is_sound_shell_and_known_again(agent: str) -> None:
    for event in EVENTS:
        line = user_line.present(agent, event)
        done = subprocess.run(["/bin/sh", "-n", "-c", line], capture_output=True, text=True)
        assert (done.returncode, done.stderr) == (0, "")
        assert user_line.read(line) == (agent, event, True)
        assert user_line.read(line.replace("-I -S", "-I")) == (agent, event, False)


@pytest.mark.parametrize("agent", agents.names())
def test_projects_and_users_lines_are_never_taken_for_each_other(agent: str) -> None:
    mine, ours = user_line.present(agent, "Stop"), shell_line.present(agent, "Stop")
    assert shell_line.read(mine) is None
    assert user_line.read(ours) is None


@pytest.mark.parametrize(
    "change", ["; rm x", "\nrm x", " ", "echo 1; {}", "echo '{}'", "FOO=1 {}", "nohup {}"]
)
def test_a_line_that_somebody_built_on_ours_is_theirs(change: str) -> None:
    line = user_line.present("claude", "Stop")
    theirs = change.format(line) if "{}" in change else line + change
    assert user_line.read(theirs) is None


def test_swapped_there_and_back_a_value_is_as_it_was() -> None:
    line = shell_line.present("claude", "Stop")
    value = {"hooks": [{"command": line, "timeout": 3}, {"command": "mine"}], "a": None}
    there = user_line.swapped(value, to_user=True)
    assert there["hooks"][0]["command"] == user_line.present("claude", "Stop")
    assert user_line.swapped(there, to_user=False) == value


def test_a_projects_line_in_the_users_file_is_not_ours() -> None:
    line = shell_line.present("claude", "Stop")
    assert user_line.swapped({"command": line}, to_user=False) == {"command": ""}
