"""What a call imports: nothing that costs, and the slow path's modules only where a hook runs."""

from __future__ import annotations

import json
import subprocess

import pytest

from tests.bridge.rig import AGENTS, PYTHON, Repo, pythons

COSTLY = {"re", "json", "subprocess", "typing", "enum", "os", "threading", "contextlib", "types"}
SLOW_PATH = {"hookpm.bridge.judge", "hookpm.bridge.reply", "hookpm.bridge.spawn"}
RARE = {
    f"hookpm.bridge.{name}"
    for name in ("session", "packs", "nesting", "callers", "failing", "http", "caps")
}


def imported(repo: Repo, agent: str, python: str) -> set[str]:
    """The modules that a call imports beyond those of a bare start."""
    found = []
    for argv in (repo.argv(agent, "PreToolUse")[1:], ["-I", "-S", "-c", "pass"]):
        done = subprocess.run(
            [python, "-X", "importtime", *argv],
            input=json.dumps(repo.shell_payload(agent)),
            capture_output=True,
            text=True,
            env=repo.environment(agent),
            cwd=repo.root,
            timeout=60,
        )
        found.append({line.rpartition("|")[2].strip() for line in done.stderr.splitlines()})
    return found[0] - found[1]


@pytest.mark.parametrize("python", pythons())
@pytest.mark.parametrize("agent", AGENTS)
def test_a_call_without_a_hook_imports_the_fast_path_alone(
    agent: str, python: str, repo: Repo
) -> None:
    repo.hook("exit 0", matcher="Edit")
    names = imported(repo, agent, python)
    assert "hookpm.bridge.main" in names
    assert not names & (COSTLY | SLOW_PATH | RARE)


@pytest.mark.parametrize("python", pythons())
@pytest.mark.parametrize("agent", AGENTS)
def test_a_call_with_a_hook_imports_nothing_that_costs(agent: str, python: str, repo: Repo) -> None:
    repo.hook("exit 0")
    names = imported(repo, agent, python)
    assert names >= SLOW_PATH
    assert not names & (COSTLY | RARE)


def test_the_bridge_runs_alone(repo: Repo) -> None:
    """Nothing of an installed hookpm is looked at: -I -S leave the site's packages out."""
    code = "import importlib.util as u; print(u.find_spec('hookpm'))"
    done = subprocess.run([PYTHON, "-I", "-S", "-c", code], capture_output=True, cwd=repo.root)
    assert done.stdout == b"None\n"
