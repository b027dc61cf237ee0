"""An agent's wiring for a file of the user's: the project's, with another line in its place.

It serves user scope and the user bridge. Each knows its own lines and files only, so that both can
live in one file of an agent's, and neither takes out what is the other's.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, cast

from hookpm.agents import moved_line
from hookpm.agents import wiring as shared
from hookpm.agents.wiring import GeneratedFile, Todo
from hookpm.contract.events import EVENTS

if TYPE_CHECKING:
    from hookpm.agents import Agent
    from hookpm.agents.moved_line import Kind
    from hookpm.agents.wiring import Entry, Owned, Wiring

Generate = Callable[[str, Sequence[str], float], list[GeneratedFile]]


class HomeWiring:
    """FILE: from the home folder; why_not: "" or why the file cannot be there."""

    ALSO_READS: tuple[str, ...] = ()  # those of a project

    def __init__(
        self, wiring: Wiring, kind: Kind, file: str, generate: Generate | None, why_not: str = ""
    ) -> None:
        """generate: the whole files, of FILE, events and the longest timeout; None: entries."""
        self._wiring, self._kind, self._generate = wiring, kind, generate
        self.FILE, self.why_not = file, why_not
        if generate is not None:
            self.generated = self._generated
            self.owns = self._owns

    def __getattr__(self, name: str) -> Any:
        if name in ("generated", "owns"):  # the project's files; here there are none
            raise AttributeError(name)
        return getattr(self._wiring, name)

    def line(self, agent: str, event: str) -> str:
        """The line that a whole file of ours runs."""
        return moved_line.present(self._kind, agent, event)

    def entries(self, events: Sequence[str], longest: float) -> list[Entry]:
        """The entries for these events."""
        entries = self._wiring.entries(events, longest)
        return [
            e._replace(value=moved_line.swapped(self._kind, e.value, to_user=True)) for e in entries
        ]

    def owner_of(self, value: object) -> Owned | None:
        """What is ours in an element of an event's list: the lines of this kind alone."""
        return self._wiring.owner_of(moved_line.swapped(self._kind, value, to_user=False))

    def todo(self, root: Path) -> list[Todo]:
        """What is left to the user: for the user's own hooks no folder has to be trusted."""
        own = getattr(self._wiring, "home_todo", None)
        if own is not None:
            return list(own())
        return [t for t in self._wiring.todo(root) if t.what == "restart open sessions"]

    def _generated(self, events: Sequence[str], longest: float) -> list[GeneratedFile]:
        return self._generate(self.FILE, events, longest) if self._generate else []

    def _owns(self, path: str, text: str) -> bool:
        """By its name: where it lies may have been moved since."""
        names = {file.path.rpartition("/")[2] for file in self._generated(EVENTS, 0.0)}
        return path.rpartition("/")[2] in names and shared.is_stamped(text)


def wired_by(
    agent: Agent, kind: Kind, file: str, generate: Generate | None, why_not: str = ""
) -> Agent:
    """The agent, wired in that file of the user's by lines of that kind."""
    made = HomeWiring(agent.wiring, kind, file, generate, why_not)
    return agent._replace(wiring=cast("Wiring", made))
