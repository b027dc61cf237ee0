"""The agent that is installed on this machine, found and measured in a throw-away folder."""

from __future__ import annotations

import os
import re
import shutil
import tempfile
from pathlib import Path

from hookpm import agents as all_agents
from hookpm.errors import HookpmError, NotFoundError
from hookpm.probe import agents, packages
from hookpm.probe.measure import ALL_S, Measured, Progress, measure
from hookpm.probe.run import Installed
from hookpm.probe.world import ProbeError, World

_NAMED = re.compile(r"\d+\.\d+\.\d+")


class CannotProbeError(HookpmError):
    """No run of this agent is possible without its vendor, or not on this system."""

    code = "cannot-probe"


def check(agent: str) -> None:
    """Raise UsageError for an unknown agent, CannotProbeError for one that cannot be driven."""
    facts = all_agents.facts_of(agent)
    if os.name == "nt":
        raise CannotProbeError("agents are measured on Linux and macOS only")
    if agent not in agents.names():
        raise CannotProbeError(
            f"{facts.title} cannot be measured: there is no way known to run it without a terminal "
            "against another model than its vendor's",
            cause=f"its table is {facts.basis}: {facts.source}",
            hint="these can be measured: " + ", ".join(agents.names()),
        )


def locate(agent: str, named: Path | None) -> Path:
    """The agent's binary: the one named, else the first of its commands that is on PATH.

    Raises NotFoundError.
    """
    if named is not None:
        if not (named.is_file() and os.access(named, os.X_OK)):
            raise NotFoundError("no program that can be run", file=named)
        return named.absolute()
    facts = all_agents.facts_of(agent)
    for command in facts.commands:
        program = shutil.which(command)
        if program:
            return Path(program).absolute()
    raise NotFoundError(
        f"{facts.title} is not on PATH ({', '.join(facts.commands)})",
        hint="install it, or name the program with --installed PATH",
    )


def measure_installed(
    agent: str, program: Path, progress: Progress, limit: float = ALL_S
) -> Measured:
    """Measure this binary. limit: seconds for all runs together.

    The real home is not seen: not by the agent, not by hookpm, not by the hooks.
    Raises CannotProbeError, ProbeError.
    """
    check(agent)
    with tempfile.TemporaryDirectory(prefix="hookpm-", ignore_cleanup_errors=True) as folder:
        base = Path(folder).resolve()
        cache = base / "agent-cache"
        progress(f"asking {program} for its version")
        path = os.environ.get("PATH", os.defpath)
        version = packages.reported_version(program, path, cache)
        if not _NAMED.fullmatch(version):
            raise ProbeError(f"{program} does not name its version", cause=version)
        return measure(
            agent,
            World(base / "world"),
            version,
            installed=Installed(program, path, cache),
            progress=progress,
            limit=limit,
        )
