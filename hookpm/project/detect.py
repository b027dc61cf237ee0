"""Which agents are in use: by their files in the project, and by their commands on PATH."""

from __future__ import annotations

import re
import shutil
import subprocess
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from hookpm import agents
from hookpm.project.home import homefolders

if TYPE_CHECKING:
    from hookpm.agents import Agent
    from hookpm.agents.facts import Facts, Head


class Found(NamedTuple):
    """An agent in use. why: the file or command that shows it."""

    agent: str
    why: str


def in_use(root: Path) -> list[Found]:
    """The agents in use that a project can wire, alphabetically."""
    wirable = {agent.name for agent in agents.wirable()}
    return [found for found in _look(root) if found.agent in wirable]


def in_use_by_user(known: Sequence[Agent]) -> list[Found]:
    """Those of the agents that this user has: by a command on PATH, or the agent's own folder."""
    home = homefolders.home()
    found: list[Found] = []
    folders: set[str] = set()
    for agent in known:
        folder = agent.wiring.HOME.folder
        command = next((c for c in agents.head(agent.name).commands if shutil.which(c)), None)
        if command is not None:
            found.append(Found(agent.name, f"{command} on PATH"))
        elif folder not in folders and (home / folder).is_dir():
            found.append(Found(agent.name, f"~/{folder}"))
        folders.add(folder)  # the folder that two agents share shows the first of them alone
    return found


def out_of_reach(root: Path, scope: Sequence[Agent]) -> dict[str, str]:
    """Name -> why not, for the agents in use that cannot be wired. scope: as they are wired."""
    reasons = {agent.name: agent.why_not for agent in scope}
    found = {each.agent for each in _look(root)}
    return {
        name: why_not
        for name in sorted(found)
        if (why_not := reasons.get(name, agents.head(name).why_not))
    }


def _look(root: Path) -> list[Found]:
    """Every known agent that is in use."""
    heads = [agents.head(name) for name in agents.known()]
    return [Found(head.name, why) for head in heads if (why := _why(root, head)) is not None]


def installed_version(facts: Facts) -> str | None:
    """The version of the agent on PATH, from its own `--version`; None where it does not say."""
    for command in facts.commands:
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


def _why(root: Path, head: Head) -> str | None:
    for marker in head.markers:
        if (root / marker).exists():
            return marker
    for command in head.commands:
        if shutil.which(command):
            return f"{command} on PATH"
    return None
