"""Which agents a project's hooks are for: written down once, the same in every clone."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from hookpm import agents as all_agents
from hookpm.errors import NotFoundError, RefusedError
from hookpm.project import detect
from hookpm.project.profiles import policy

if TYPE_CHECKING:
    from hookpm.agents import Agent
    from hookpm.project.state import State


def choose(now: State, asked: Sequence[str]) -> tuple[tuple[Agent, ...], tuple[detect.Found, ...]]:
    """The project's agents: those written down and those asked for; else those in use, and how they
    were found. Raises NotFoundError where there are none, RefusedError for one of the user's."""
    for name in asked:
        if not now.scope.is_user:
            _refuse_user_agent(all_agents.load(name))
    written = now.settings.agents or ()
    names = [*written, *(name for name in asked if name not in written)]
    found: tuple[detect.Found, ...] = ()
    if not names:
        home = now.scope.is_user
        found = tuple(detect.in_use_by_user(now.scope.agents) if home else detect.in_use(now.root))
        names = [*(each.agent for each in found), *policy.agents(now)]
    if not names:
        raise NotFoundError(
            "no coding agent was found here: none of their files, none of their commands",
            hint=f"name one: --agent NAME, where NAME is one of {', '.join(all_agents.names())}",
        )
    return tuple(now.scope.agent(name) for name in dict.fromkeys(names)), found


def _refuse_user_agent(agent: Agent) -> None:
    """An agent that reads no file of a project cannot be one of the project's agents."""
    if agent.scope == "user":
        raise RefusedError(
            f"{agent.name} cannot be wired in a project",
            cause=agent.why_not,
            hint=f"`hookpm init --user-bridge --agent {agent.name}` wires it for you, and "
            "`hookpm allow` lets it run this project's hooks",
        )


def to_write(now: State, chosen: Sequence[Agent]) -> list[str] | None:
    """The agents that hookpm.toml is to name; None where it, or a profile, names them already."""
    names = [agent.name for agent in chosen]
    return None if now.settings.agents == tuple(names) else names
