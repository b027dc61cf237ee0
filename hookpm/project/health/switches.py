"""Lines in files of the repo that keep an agent from running hooks, or have another program answer.

Those in the file that is wired are the wiring's own matter, those of one machine the doctor's.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING

from hookpm.agents import health
from hookpm.agents.health import Health
from hookpm.project.home import homefolders

if TYPE_CHECKING:
    from hookpm.project.state import State


_CODES = ("switched-off", "other-program")


def machine(now: State) -> health.Machine:
    """What the agents' own checks may look at. Where there is no home folder, nothing is in it."""
    home = homefolders.home_or_none() or Path(os.devnull)
    return health.Machine(now.root, home, os.environ, now.scope.is_user)


def in_repo(now: State, agents: Iterable[str]) -> Iterator[tuple[str, Health]]:
    """(agent, switch) for each one that lies in the repo, where every clone may have it."""
    if now.scope.is_user:
        return
    for agent in dict.fromkeys(agents):
        for each in health.examine(agent, machine(now)):
            if is_of_repo(now, each):
                yield agent, each


def is_of_repo(now: State, found: Health) -> bool:
    """Does a finding come from a file of the repo?"""
    if now.scope.is_user or found.code not in _CODES or found.file is None:
        return False
    return Path(found.file).is_relative_to(now.root)
