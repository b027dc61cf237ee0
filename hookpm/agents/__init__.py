"""One folder per coding agent: facts, wiring and translation. Agents are found by listing them."""

from __future__ import annotations

import difflib
import importlib
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple, cast

from hookpm.errors import UsageError

# The copy in a user's repo has an empty file here: hooks need nothing but NAME/translate.py.
if TYPE_CHECKING:
    from hookpm.agents.facts import Facts
    from hookpm.agents.wiring import Wiring

_FOLDER = Path(__file__).parent


class Agent(NamedTuple):
    """One agent: what is known of it, and the module that writes its config."""

    facts: Facts
    wiring: Wiring

    @property
    def name(self) -> str:
        """The agent's word on the command line, such as "codex"."""
        return self.facts.name


@cache
def names() -> tuple[str, ...]:
    """The names of all agents, in alphabetical order: the folders that hold facts."""
    return tuple(sorted(path.parent.name for path in _FOLDER.glob("*/facts.toml")))


@cache
def load(name: str) -> Agent:
    """The agent of that name. Raises UsageError, with near names, if there is none."""
    from hookpm.agents import facts

    if name not in names():
        near = difflib.get_close_matches(name, names(), n=3)
        raise UsageError(
            f"unknown agent '{name}'",
            hint="did you mean " + " or ".join(near) + "?"
            if near
            else "known agents: " + ", ".join(names()),
        )
    module = importlib.import_module(f"hookpm.agents.{name}.wiring")
    return Agent(facts.read(_FOLDER / name / "facts.toml"), cast("Wiring", module))


def all_agents() -> tuple[Agent, ...]:
    """All agents, in alphabetical order."""
    return tuple(load(name) for name in names())
