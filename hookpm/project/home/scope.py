"""Where packs are installed: in a project, for its clones; in the home folder, for one user; in a
checkout, unseen by git.

A scope decides which file of an agent is wired, and with which line. The lock says which it is.
"""

from __future__ import annotations

import os
import re
from collections.abc import Mapping
from pathlib import Path
from typing import Literal, NamedTuple

from hookpm import agents as all_agents
from hookpm.agents import Agent, home_line
from hookpm.project.home import homefolders, localscope
from hookpm.project.home.homewiring import wired_by
from hookpm.project.root import LOCK

PROJECT, USER, LOCAL = "project", "user", "local"


class Scope(NamedTuple):
    """name: PROJECT, USER or LOCAL."""

    name: str

    @property
    def agents(self) -> tuple[Agent, ...]:
        """All agents that hookpm knows to wire, as they are wired in this scope.

        Raises SystemFailureError where user scope has no home folder.
        """
        return tuple(self.agent(name) for name in all_agents.names())

    def agent(self, name: str) -> Agent:
        """The agent of that name. Raises UsageError as agents.load does."""
        agent = all_agents.load(name)
        if self.is_user:
            return _at_home(agent, str(homefolders.home()), os.environ)
        return localscope.wired(agent) if self.is_local else agent

    @property
    def is_user(self) -> bool:
        """Is it the home folder's?"""
        return self.name == USER

    @property
    def in_lock(self) -> Literal["user", "local"] | None:
        """How the lock says it."""
        return "user" if self.is_user else "local" if self.is_local else None

    @property
    def is_local(self) -> bool:
        """Is it one checkout's, out of git?"""
        return self.name == LOCAL


def for_user(hint: str) -> str:
    """A hint with the commands in it as they are for the home folder."""
    return re.sub(r"\bhookpm (sync|(?:un)?install (?!-)[^\s`,]+)", r"hookpm \1 --user", hint)


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
