"""Agents from npm, at exact versions, in a cache folder.

`python -m hookpm.probe.packages [NAME...]` installs those named, or all.

Every agent has a folder NAME-VERSION of its own, so that two versions never mix. It is filled
beside its place and renamed into it: a folder with that name is whole.
"""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import NamedTuple, Protocol

from hookpm.errors import HookpmError, SystemFailureError
from hookpm.probe import agents

HOME_VARIABLE = "HOOKPM_AGENTS_HOME"
INSTALL_S = 900
VERSION_S = 120
NPM_INSTALL = (
    "npm",
    "install",
    "--save-exact",
    "--no-audit",
    "--no-fund",
    "--loglevel=error",
    # On a Node older than a package's `engines` names, npm leaves out that package's optional
    # parts without a word, and these hold the binary, which needs no Node at all.
    "--force",
    "--engine-strict=false",
)


class Package(Protocol):
    """A package of npm at an exact version, with a command of its own: an agent, or Node."""

    @property
    def name(self) -> str:
        """What its folder is called."""

    @property
    def package(self) -> str:
        """Its name on npm."""

    @property
    def binary(self) -> str:
        """The command that it installs, or its path below node_modules."""

    @property
    def version(self) -> str:
        """The exact version."""

    @property
    def node(self) -> str:
        """The version of Node that it is run under; "" = the one on PATH, or none at all."""


class Node(NamedTuple):
    """The Node that an agent needs, as npm's package of that name."""

    version: str
    name: str = "node"
    package: str = "node"
    binary: str = "node"
    node: str = ""


class AgentInstallError(SystemFailureError):
    """An agent cannot be installed here: no npm, no network, a version that is not there."""

    code = "agent-install"


def agents_home() -> Path:
    """The folder of all agents: $HOOKPM_AGENTS_HOME, else in the user's cache folder."""
    named = os.environ.get(HOME_VARIABLE)
    if named:
        return Path(named).absolute()
    from platformdirs import user_cache_path

    return user_cache_path("hookpm") / "agents"


def search_path(agent: Package) -> str:
    """PATH for the agent, with the Node that it needs first."""
    inherited = os.environ.get("PATH", os.defpath)
    if not agent.node:
        return inherited
    return f"{executable(Node(agent.node)).parent}{os.pathsep}{inherited}"


def folder(agent: Package) -> Path:
    """Where this version of the agent lies, installed or not."""
    return agents_home() / f"{agent.name}-{agent.version}"


def executable(agent: Package) -> Path:
    """The agent's command, installed or not."""
    return _command(agent, folder(agent))


def _command(agent: Package, place: Path) -> Path:
    """A package that holds nothing but a binary may name no command: then its path is given."""
    modules = place / "node_modules"
    return modules / agent.binary if "/" in agent.binary else modules / ".bin" / agent.binary


def ensure(agent: Package) -> Path:
    """Install the agent, and the Node it needs, unless they work at their pinned versions.

    Returns its executable. Safe against another process that does the same. Raises
    AgentInstallError.
    """
    if agent.node:
        ensure(Node(agent.node))
    place = folder(agent)
    if complaint(agent, place) is None:
        return executable(agent)
    with _lock(place):
        if complaint(agent, place) is None:  # the other process was first
            return executable(agent)
        fresh = place.with_name(f"{place.name}.new")
        shutil.rmtree(fresh, ignore_errors=True)  # what an install that was killed left
        try:
            _npm_install(agent, fresh)
            wrong = complaint(agent, fresh)
            if wrong is not None:
                message = f"{_spec(agent)} was installed but does not work"
                raise AgentInstallError(message, cause=wrong)
            shutil.rmtree(place, ignore_errors=True)
            fresh.rename(place)
        finally:
            shutil.rmtree(fresh, ignore_errors=True)
    return executable(agent)


def complaint(agent: Package, place: Path) -> str | None:
    """Why the agent in this folder is not usable, or None: what npm wrote, and what it says."""
    manifest = place / "node_modules" / agent.package / "package.json"
    try:
        found = json.loads(manifest.read_text("utf-8"))["version"]
    except (OSError, ValueError, KeyError):
        return f"{manifest} is missing or unreadable"
    if found != agent.version:
        return f"{manifest} is of version {found}, not {agent.version}"
    binary = _command(agent, place)
    said = reported_version(binary, search_path(agent))
    return None if said == agent.version else f"--version says {said}"


def reported_version(binary: Path, path: str | None = None, kept: Path | None = None) -> str:
    """The version that `BINARY --version` names, else what went wrong; the home is a throw-away.

    path: the PATH to run it with, if it is another one than ours. kept: what the agent may keep
    for the next time, by default the cache of the pinned agents.
    """
    own = {} if path is None else {"PATH": path}
    with tempfile.TemporaryDirectory(prefix="hookpm-", ignore_cleanup_errors=True) as home:
        try:
            done = subprocess.run(
                [binary, "--version"],
                env={**os.environ, **own, "HOME": home, "COPILOT_CACHE_HOME": str(kept or cache())},
                stdin=subprocess.DEVNULL,
                capture_output=True,
                text=True,
                errors="replace",
                timeout=VERSION_S,
                check=False,
            )
        except (OSError, subprocess.TimeoutExpired) as error:
            return str(error)
    said = done.stdout + done.stderr
    found = re.search(r"\d+\.\d+\.\d+", said)
    return found.group() if found and not done.returncode else said.strip()[-300:] or "nothing"


def cache() -> Path:
    """What agents may keep from run to run."""
    return agents_home() / "cache"


def _npm_install(agent: Package, place: Path) -> None:
    spec = _spec(agent)
    try:
        place.mkdir(parents=True)
        done = subprocess.run(
            [*NPM_INSTALL, "--prefix", str(place), spec],
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            errors="replace",
            timeout=INSTALL_S,
            check=False,
        )
    except FileNotFoundError:
        hint = "install Node.js 20 or newer, which brings npm"
        raise AgentInstallError(f"{spec} needs npm, which is not on PATH", hint=hint) from None
    except subprocess.TimeoutExpired:
        raise AgentInstallError(f"npm install {spec} took more than {INSTALL_S} s") from None
    except OSError as error:
        raise AgentInstallError(f"{spec} cannot be installed", cause=str(error)) from None
    if done.returncode:
        cause = (done.stderr or done.stdout).strip()[-600:]
        raise AgentInstallError(f"npm install {spec} failed", cause=cause)


def _spec(agent: Package) -> str:
    return f"{agent.package}@{agent.version}"


@contextmanager
def _lock(place: Path) -> Iterator[None]:
    """One installer per agent at a time; others wait as long as an install may take."""
    from filelock import FileLock, Timeout

    try:
        place.parent.mkdir(parents=True, exist_ok=True)
        with FileLock(place.with_name(f".{place.name}.lock"), timeout=INSTALL_S):
            yield
    except Timeout:
        raise AgentInstallError(
            f"another process has been installing {place.name} too long"
        ) from None
    except OSError as error:
        raise AgentInstallError(f"{place.parent} cannot be written", cause=str(error)) from None


def main(names: Sequence[str]) -> int:
    """Install the agents named, or all; one line each; returns the exit code."""
    worst = 0
    for name in names or agents.names():
        try:
            line = f"{name}: {ensure(agents.load(name))}"
        except HookpmError as error:
            worst = max(worst, error.exit_code)
            details = [error.message, error.cause, error.hint]
            line = f"{name}: error: " + "; ".join(detail for detail in details if detail)
        sys.stdout.write(line + "\n")
        sys.stdout.flush()
    return worst


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
