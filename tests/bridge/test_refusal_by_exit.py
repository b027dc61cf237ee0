"""Droid is best refused by exit code 2: the bridge asks its line for that, and nobody else's."""

from __future__ import annotations

import json

import pytest

from hookpm.contract.answer import REFUSED
from tests.bridge.rig import AGENTS, Heard, Repo


def after_tool(repo: Repo) -> Heard:
    payload = repo.payload("droid", "PostToolUse", tool="Execute", given={"command": "ls rm"})
    return repo.call("droid", "PostToolUse", payload, line=True)


def test_a_denied_call_ends_droids_line_with_2_and_the_reason(repo: Repo) -> None:
    repo.guard("rm")
    heard = repo.shell("droid", "rm x", line=True)
    assert heard.code == 2
    assert heard.stderr == "no rm\n"
    inner = json.loads(heard.stdout)["hookSpecificOutput"]
    assert (inner["permissionDecision"], inner["permissionDecisionReason"]) == ("deny", "no rm")


def test_what_is_not_denied_ends_it_with_0(repo: Repo) -> None:
    repo.guard("rm")
    heard = repo.shell("droid", "ls", line=True)
    assert (heard.code, heard.stdout, heard.stderr) == (0, b"", "")


def test_a_block_after_a_tool_is_said_by_the_exit_code_alone(repo: Repo) -> None:
    repo.guard("rm", event="PostToolUse")
    heard = after_tool(repo)
    assert (heard.code, heard.stdout, heard.stderr) == (2, b"", "no rm\n")


def test_notes_stand_behind_the_reason(repo: Repo) -> None:
    repo.guard("rm", event="PostToolUse")
    repo.hook("exit 7", event="PostToolUse")
    lines = after_tool(repo).stderr.splitlines()
    assert lines[0] == "no rm"
    assert all(line.startswith("hookpm: ") for line in lines[1:])
    assert len(lines) > 1


def test_without_its_line_the_bridge_never_ends_with_2(repo: Repo) -> None:
    repo.guard("rm")
    assert repo.shell("droid", "rm x").code == REFUSED


@pytest.mark.parametrize("agent", AGENTS)
def test_the_other_agents_are_refused_with_exit_code_0(agent: str, repo: Repo) -> None:
    repo.guard("rm")
    for line in (True, False):
        assert repo.shell(agent, "rm x", line=line).code == 0
