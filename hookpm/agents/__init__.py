"""One folder per coding agent: facts, wiring and translation. Agents are found by listing them.

A folder that holds facts alone, with `wired = false`, is an agent that hookpm knows of and does not
wire: it stands in the table and in the audit, and everything else refuses it with its `why_not`.
"""

from __future__ import annotations

import importlib
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple, cast

from hookpm.errors import UsageError

# The copy in a user's repo has an empty file here: hooks need nothing but NAME/translate.py.
if TYPE_CHECKING:
    from hookpm.agents.facts import Facts, Head
    from hookpm.agents.wiring import Wiring

_FOLDER = Path(__file__).parent


class Agent(NamedTuple):
    """One agent that hookpm can wire. name: its word on the command line, such as "codex"."""

    name: str
    wiring: Wiring

    @property
    def facts(self) -> Facts:
        """What is known of it here; read when it is first asked for."""
        return facts_here(self.name)

    @property
    def scope(self) -> str:
        """Whose config it is wired in: "project", or "user" where it reads no other."""
        return getattr(self.wiring, "SCOPE", "project")

    @property
    def why_not(self) -> str:
        """Why it cannot be wired in a project, in words for the user; "" where it can."""
        return str(getattr(self.wiring, "why_not", ""))


@cache
def known() -> tuple[str, ...]:
    """The names of all agents that there are facts of, in alphabetical order."""
    return tuple(sorted(path.parent.name for path in _FOLDER.glob("*/facts.toml")))


@cache
def names() -> tuple[str, ...]:
    """The names of the agents that hookpm can wire, in alphabetical order."""
    return tuple(name for name in known() if (_FOLDER / name / "wiring.py").is_file())


@cache
def head(name: str) -> Head:
    """The head of any agent's facts: what is needed to find it in use, at a tenth of the time."""
    from hookpm.agents import facts

    return facts.read_head(_FOLDER / name / "facts.toml")


@cache
def facts_of(name: str) -> Facts:
    """The facts of any agent as they are shipped, wired or not.

    Raises UsageError, with near names, if there is none.
    """
    from hookpm.agents import facts

    if name not in known():
        import difflib

        near = difflib.get_close_matches(name, known(), n=3)
        raise UsageError(
            f"unknown agent '{name}'",
            hint="did you mean " + " or ".join(near) + "?"
            if near
            else "known agents: " + ", ".join(known()),
        )
    return facts.read(_FOLDER / name / "facts.toml")


@cache
def facts_here(name: str) -> Facts:
    """The facts of an agent, with what `hookpm probe` measured on this machine in their place."""
    from hookpm.agents import local

    return local.applied(facts_of(name))


@cache
def load(name: str) -> Agent:
    """The agent of that name. Raises UsageError if there is none, or if hookpm does not wire it."""
    if name not in names():
        raise UsageError(
            f"hookpm does not wire {facts_of(name).title} yet",
            cause=facts_of(name).why_not,
            hint="docs/adding-an-agent.md says how to measure and add it; agents that are wired: "
            + ", ".join(names()),
        )
    module = importlib.import_module(f"hookpm.agents.{name}.wiring")
    return Agent(name, cast("Wiring", module))


def all_agents() -> tuple[Agent, ...]:
    """All agents that hookpm can wire, in alphabetical order."""
    return tuple(load(name) for name in names())


def wirable() -> tuple[Agent, ...]:
    """The agents that can be wired in a project."""
    return tuple(agent for agent in all_agents() if agent.scope == "project")


def all_facts() -> tuple[Facts, ...]:
    """The facts of all agents: those that hookpm wires first, each part alphabetically."""
    return tuple(facts_of(name) for name in sorted(known(), key=lambda name: name not in names()))


def not_wired() -> tuple[str, ...]:
    """The names of the agents that are known by their documentation only, and are not wired."""
    return tuple(name for name in known() if name not in names())
