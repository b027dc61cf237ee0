"""Where packs are installed: in a project, for its clones, or in the home folder, for one user.

A scope decides which file of an agent is wired, and with which line. The lock says which it is.
"""

from __future__ import annotations

import os
import re
from collections.abc import Mapping
from pathlib import Path
from typing import NamedTuple

from hookpm import agents as all_agents
from hookpm.agents import Agent, home_line
from hookpm.project import homefolders
from hookpm.project.homewiring import wired_by
from hookpm.project.root import LOCK

PROJECT, USER = "project", "user"


class Scope(NamedTuple):
    """name: PROJECT or USER."""

    name: str

    @property
    def agents(self) -> tuple[Agent, ...]:
        """All agents that hookpm knows to wire, as they are wired in this scope.

        Raises SystemFailureError where user scope has no home folder.
        """
        agents = all_agents.all_agents()
        if not self.is_user:
            return agents
        home = str(homefolders.home())
        return tuple(_at_home(agent, home, os.environ) for agent in agents)

    def agent(self, name: str) -> Agent:
        """The agent of that name. Raises UsageError as agents.load does."""
        agent = all_agents.load(name)
        return _at_home(agent, str(homefolders.home()), os.environ) if self.is_user else agent

    @property
    def is_user(self) -> bool:
        """Is it the home folder's?"""
        return self.name == USER


def _at_home(agent: Agent, home: str, environment: Mapping[str, str]) -> Agent:
    file, why_not = agent.wiring.HOME.place(home, environment)
    return at(agent, file, why_not)


def at(agent: Agent, file: str, why_not: str = "") -> Agent:
    """The agent as user scope wires it in that file, which is seen from the home folder."""
    plain = all_agents.load(agent.name)
    generate = getattr(plain.wiring, "home_generated", None)
    return wired_by(plain, home_line.KIND, file, generate, why_not)


def recorded(root: Path) -> str | None:
    """The scope that the lock in a folder is of; None where there is no lock."""
    try:
        text = (root / LOCK).read_bytes()
    except OSError:
        return None
    found = re.search(rb'^scope = "(\w+)"\r?$', text, re.MULTILINE)
    return found[1].decode() if found else PROJECT
