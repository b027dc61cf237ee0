"""Real agents, a throw-away home, git repositories, and hookpm's command line.

Whatever is made here lies below pytest's temporary folder: the real home is never seen. The folders
of the repositories have a space and a letter outside ASCII in their names, everywhere: a path that
is quoted wrongly must not pass in any live test.
"""

from __future__ import annotations

import functools
import os
import shutil
import subprocess
import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import NamedTuple

import pytest

import hookpm
from hookpm.probe import agents, packages
from hookpm.probe.run import Outcome, run_agent
from hookpm.probe.script import Turn
from tests.live import predictions

HERE = Path(__file__).parent


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Mark the live tests; side by side, one process drives all the runs of one agent."""
    for item in items:
        if HERE in item.path.parents:
            item.add_marker(pytest.mark.live)
            values = item.callspec.params if hasattr(item, "callspec") else {}
            group = values.get("agent") or values.get("name") or item.path.stem
            item.add_marker(pytest.mark.xdist_group(str(group)))
            if item.get_closest_marker("prediction"):
                item.user_properties.append((predictions.PROPERTY, str(group)))


def pytest_addoption(parser: pytest.Parser) -> None:
    """Where to keep the figures of a whole run."""
    parser.addoption("--predictions", type=Path, help="write what came true of the tables here")


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """Say, and keep if asked to, how many predictions of the tables came true."""
    stats = terminalreporter.stats
    # A fixture that fails is an error of the set-up: its tests made a prediction that nobody saw.
    ran = [*stats.get("passed", ()), *stats.get("failed", ()), *stats.get("error", ())]
    scores = predictions.count(predictions.Report(r.outcome, r.user_properties) for r in ran)
    if scores:
        terminalreporter.write_line(predictions.line(scores))
    file = terminalreporter.config.getoption("--predictions", None)
    if file and scores:
        predictions.record(file, scores)


@functools.cache
def obstacle(name: str) -> str | None:
    """Why this agent cannot be had here; None once it is installed."""
    try:
        packages.ensure(agents.load(name))
    except packages.AgentInstallError as error:
        return f"{name}: {error.message} ({error.cause or error.hint})"
    return None


def installed(name: str) -> str:
    """The name of an agent that is installed; skips the test where it cannot be."""
    reason = obstacle(name)
    if reason is not None:
        pytest.skip(reason)
    return name


class World(NamedTuple):
    """A home and two repositories side by side, below one folder."""

    base: Path

    @property
    def home(self) -> Path:
        return self.base / "home"

    @property
    def repo(self) -> Path:
        return self.base / "the répo"

    @property
    def other(self) -> Path:
        return self.base / "another répo"

    @property
    def xdg(self) -> dict[str, str]:
        """Where programs keep things; the same for hookpm and for the agent's hooks."""
        return {
            "XDG_CACHE_HOME": str(self.base / "cache"),
            "XDG_CONFIG_HOME": str(self.home / ".config"),
        }

    def git(self, *arguments: str) -> str:
        """Output of git in the repository."""
        return git(self.repo, *arguments)

    def status(self) -> list[str]:
        """What git sees changed in the repository, ignored files too."""
        flags = ("--porcelain", "--ignored", "--untracked-files=all")
        return self.git("status", *flags).splitlines()

    def files(self) -> set[str]:
        """Every file in the repository, relative to it; without git's own."""
        found = (f.relative_to(self.repo) for f in self.repo.rglob("*") if not f.is_dir())
        return {f.as_posix() for f in found if f.parts[0] != ".git"}

    def drive(
        self,
        agent: str,
        turns: Sequence[Turn],
        *,
        trust: bool = True,
        arguments: Sequence[str] = (),
        cwd: str = ".",
    ) -> Outcome:
        """One run of an agent in the repository, which has to end by itself.

        cwd: the folder it is started in, relative to the repository.
        """
        outcome = run_agent(
            agent,
            self.repo,
            turns,
            home=self.home,
            prompt=f"Do the task in {self.repo}.",
            trust=trust,
            cwd=cwd,
            arguments=arguments,
            env=self.xdg,
        )
        assert (outcome.ending, outcome.rc) == ("exit", 0), outcome.report()
        return outcome

    def hookpm(self, *arguments: str) -> subprocess.CompletedProcess[str]:
        """`hookpm ARGUMENTS` in the repository. No agent is on its PATH."""
        tools = [Path(sys.executable).parent, Path(shutil.which("git") or "/usr/bin/git").parent]
        return subprocess.run(
            [sys.executable, "-m", "hookpm", *arguments],
            cwd=self.repo,
            env={
                "HOME": str(self.home),
                "PATH": os.pathsep.join([*map(str, tools), "/usr/bin", "/bin"]),
                "PYTHONPATH": str(Path(hookpm.__file__).parents[1]),
                "LANG": "C.UTF-8",
                **self.xdg,
            },
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            timeout=120,
            check=False,
        )


def git(folder: Path, *arguments: str) -> str:
    identity = ("-c", "user.name=Test", "-c", "user.email=test@localhost")
    isolated = {**os.environ, "GIT_CONFIG_GLOBAL": os.devnull, "GIT_CONFIG_NOSYSTEM": "1"}
    command = ["git", *identity, *arguments]
    done = subprocess.run(
        command, cwd=folder, env=isolated, capture_output=True, text=True, check=True
    )
    return done.stdout


def make_world(base: Path) -> World:
    world = World(base)
    world.home.mkdir()
    for repo in (world.repo, world.other):
        repo.mkdir()
        (repo / "README.md").write_text("A repository\n")
        git(repo, "init", "-q")
        git(repo, "add", "README.md")
        git(repo, "commit", "-q", "-m", "Start")
    return world


@pytest.fixture(scope="session", params=agents.names())
def agent(request: pytest.FixtureRequest) -> str:
    """Each agent in turn, installed."""
    return installed(request.param)


@pytest.fixture
def world(tmp_path: Path) -> World:
    return make_world(tmp_path)


@pytest.fixture(scope="session")
def new_world(tmp_path_factory: pytest.TempPathFactory) -> Callable[[], World]:
    """For fixtures that several tests share."""
    return lambda: make_world(tmp_path_factory.mktemp("world"))


@pytest.fixture(scope="session")
def need() -> Callable[[str], str]:
    """`installed`, for tests about certain agents."""
    return installed
