"""The agents that can be driven: a module here that defines AGENT is found by itself."""

from __future__ import annotations

import difflib
import importlib
import pkgutil

from hookpm.errors import UsageError
from hookpm.probe.agent import Agent


def names() -> list[str]:
    """All of them, in alphabetical order."""
    return sorted(module.name for module in pkgutil.iter_modules(__path__))


def load(name: str) -> Agent:
    """The agent of that name. Raises UsageError, with near names, where there is none."""
    if name not in names():
        near = difflib.get_close_matches(name, names()) or names()
        hint = f"there are: {', '.join(near)}"
        raise UsageError(f"no agent called {name!r} can be driven", hint=hint)
    agent: Agent = importlib.import_module(f"{__name__}.{name}").AGENT
    return agent
