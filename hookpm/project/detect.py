"""Which agents are in use: by their files in the project, and by their commands on PATH."""

from __future__ import annotations

import re
import shutil
import subprocess
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from hookpm import agents

if TYPE_CHECKING:
    from collections.abc import Iterable


class Found(NamedTuple):
    """An agent in use. why: the file or command that shows it."""

    agent: str
    why: str


def in_use(root: Path, candidates: Iterable[agents.Agent] | None = None) -> list[Found]:
    """The agents in use, alphabetically. candidates: those to look for, all by default."""
    found = []
    for agent in agents.all_agents() if candidates is None else candidates:
        why = _why(root, agent)
        if why is not None:
            found.append(Found(agent.name, why))
    return found


def installed_version(agent: agents.Agent) -> str | None:
    """The version of the agent on PATH, from its own `--version`; None where it does not say."""
    for command in agent.facts.commands:
        program = shutil.which(command)
        if program is None:
            continue
        try:
            done = subprocess.run(
                [program, "--version"],
                capture_output=True,
                text=True,
                errors="replace",
                stdin=subprocess.DEVNULL,
                timeout=20,
                check=False,
            )
        except (OSError, subprocess.TimeoutExpired):
            continue
        found = re.search(r"\d+\.\d+(\.\d+)?[\w.-]*", done.stdout)
        if found:
            return found.group()
    return None


def _why(root: Path, agent: agents.Agent) -> str | None:
    for marker in agent.facts.markers:
        if (root / marker).exists():
            return marker
    for command in agent.facts.commands:
        if shutil.which(command):
            return f"{command} on PATH"
    return None
