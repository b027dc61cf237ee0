"""What packs get: their options, their folder, the interpreter, their limits; and no caches."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

import pytest

from tests.bridge.rig import AGENTS, Repo, pythons

HERE = "macos" if sys.platform == "darwin" else "linux"


def shown(repo: Repo, name: str, **settings: Any) -> str:
    repo.hook(f'printf "[%s]" "${name}" >&2; exit 2', **settings)
    return repo.shell("claude").refusal()[1:-1]


def test_a_pack_learns_its_folder_under_both_names(repo: Repo) -> None:
    for name in ("HOOKPM_PACK_DIR", "CLAUDE_PLUGIN_ROOT"):
        repo.hooks = {}
        assert shown(repo, name, pack="p") == str(repo.here / "packs" / "p")


def test_options_reach_the_hook_as_json(repo: Repo) -> None:
    options = {"extra": ["a b", "é\n", "\ud800"], "n": 1.5, "none": None}
    repo.packs["packs"]["p"] = {"options": options, "agents": None, "hooks": {}}
    assert json.loads(shown(repo, "HOOKPM_OPTIONS", pack="p")) == options


def test_a_pack_without_options_gets_an_empty_object(repo: Repo) -> None:
    assert shown(repo, "HOOKPM_OPTIONS", pack="p") == "{}"


def test_the_users_own_hooks_get_no_packs_variables(repo: Repo) -> None:
    assert shown(repo, "HOOKPM_PACK_DIR") == ""


def test_the_interpreter_is_the_bridges_own(repo: Repo) -> None:
    assert Path(shown(repo, "HOOKPM_PYTHON")).exists()


@pytest.mark.parametrize("agent", AGENTS)
@pytest.mark.parametrize("level", ["pack", "hook"])
def test_a_pack_or_hook_runs_only_in_its_agents(agent: str, level: str, repo: Repo) -> None:
    limited = ["codex", "gemini"]
    if level == "pack":
        repo.packs["packs"]["p"] = {"options": {}, "agents": limited, "hooks": {}}
        repo.hook("echo no >&2; exit 2", pack="p")
    else:
        repo.hook("echo no >&2; exit 2", pack="p", terms={"agents": limited})
        repo.hook("exit 0", pack="p")
    heard = repo.shell(agent)
    assert heard.refusal() == ("no" if agent in limited else "")
    assert heard.stderr == ""


def test_a_pack_for_no_agent_runs_nowhere(repo: Repo) -> None:
    repo.hook("echo no >&2; exit 2", pack="p", terms={"agents": []})
    assert repo.shell("claude").stdout == b""


@pytest.mark.parametrize("agent", AGENTS)
@pytest.mark.parametrize(
    ("systems", "runs"),
    [
        ([HERE], True),
        ([HERE, "windows"], True),
        ([n for n in ("linux", "macos", "windows") if n != HERE], False),
        ([], False),
        (None, True),
    ],
)
def test_a_hook_runs_only_on_its_systems(
    systems: list[str] | None, runs: bool, agent: str, repo: Repo
) -> None:
    repo.hook("echo no >&2; exit 2", pack="p", terms={"os": systems})
    heard = repo.shell(agent)
    assert heard.refusal() == ("no" if runs else "")
    assert heard.stderr == ""


@pytest.mark.parametrize("python", pythons())
@pytest.mark.parametrize("home", ["home", "no home", "unwritable", "relative"])
def test_no_cache_ever_lies_in_the_repo(python: str, home: str, repo: Repo) -> None:
    pack = repo.here / "packs" / "p"
    pack.mkdir(parents=True)
    (pack / "beside.py").write_text("WORD = 'no'\n")
    (pack / "guard.py").write_text(
        "import beside, sys\nsys.stderr.write(beside.WORD)\nsys.exit(2)\n"
    )
    run = '-EsS -X pycache_prefix="$HOOKPM_PYCACHE" "$HOOKPM_PACK_DIR/guard.py"'
    repo.hook(f'"${{HOOKPM_PYTHON:-python3}}" {run}', pack="p")
    repo.hook('"$HOOKPM_PYTHON" "$CLAUDE_PLUGIN_ROOT/guard.py"', pack="p")
    variables: dict[str, Any] = {}
    if home == "no home":
        variables = {"HOME": None}
    elif home == "unwritable":
        variables = {"XDG_CACHE_HOME": "/proc/nowhere"}
    elif home == "relative":
        variables = {"XDG_CACHE_HOME": "rel", "HOME": "rel"}
    before = sorted(repo.root.rglob("*"))
    for _ in range(2):
        assert repo.shell("claude", python=python, **variables).refusal() == "no"
    assert sorted(repo.root.rglob("*")) == before
    caches = list(repo.home.rglob("*.pyc"))
    assert any("beside" in path.name for path in caches) == (home == "home")
    assert any("judge" in path.name for path in caches) == (home == "home")


@pytest.mark.parametrize("python", pythons())
@pytest.mark.parametrize("agent", AGENTS)
def test_every_python_from_3_8_judges_alike(python: str, agent: str, repo: Repo) -> None:
    repo.guard(".env", pack="p").hook('echo \'x {"decision": "block"\'', event="PreToolUse")
    heard = repo.shell(agent, "cat .env", python=python)
    assert heard.refusal() == "no .env"
    assert repo.shell(agent, "ls", python=python).answer == {}
    prompt = repo.payload(agent, "UserPromptSubmit", prompt="hi")
    assert repo.call(agent, "UserPromptSubmit", prompt, python=python).answer == {}
