"""What each agent does with a hook's answers, read from its facts.toml and checked.

A cell says how one agent meets one capability, and on what evidence. Facts are values; nothing
here looks at the machine.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from pathlib import Path
from types import MappingProxyType
from typing import Any

import msgspec

from hookpm.contract.events import CAPABILITIES
from hookpm.errors import FileFormatError

# Weakest first: a cell's own word is the weakest of its surfaces. Unknown counts as better than
# dropped, because it may hold, and as worse than emulated, because nobody can rely on it.
SUPPORT = ("absent", "dropped", "unknown", "emulated", "translated", "native")
MEETS = frozenset({"emulated", "translated", "native"})
BASIS = ("observed", "documented", "unknown")
SURFACES = ("headless", "interactive")


class Cell(msgspec.Struct, frozen=True):
    """How an agent meets one capability.

    support: a word of SUPPORT. basis: a word of BASIS. version: the agent's, or the documentation's
    date. source: where it was seen or read. surfaces: support by surface, only where they differ.
    """

    support: str
    basis: str
    version: str
    source: str
    note: str
    surfaces: Mapping[str, str]

    def on(self, surface: str) -> str:
        """The support on one surface, a word of SURFACES."""
        return self.surfaces.get(surface, self.support)

    def json(self) -> dict[str, Any]:
        """The cell as `hookpm agents --json` gives it, with the support on every surface."""
        fields: dict[str, Any] = msgspec.structs.asdict(self)
        return {**fields, "surfaces": {surface: self.on(surface) for surface in SURFACES}}

    @property
    def evidence(self) -> str:
        """The evidence in one phrase, such as "observed: runs of Gemini CLI 0.61.0"."""
        return f"{self.basis}: {self.source}" if self.basis != "unknown" else "unknown"


class Tools(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The tools that the agent can show to hooks, in Claude's names; mcp: it has MCP tools."""

    shell: tuple[str, ...] = ()
    read: tuple[str, ...] = ()
    write: tuple[str, ...] = ()
    edit: tuple[str, ...] = ()
    other: tuple[str, ...] = ()
    mcp: bool = True

    @property
    def names(self) -> tuple[str, ...]:
        """All names, in the order of the table."""
        return self.shell + self.read + self.write + self.edit + self.other


class Answer(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """One capability as facts.toml spells it; Facts.cell fills in the defaults."""

    support: str
    basis: str | None = None
    version: str | None = None
    source: str | None = None
    note: str = ""
    surfaces: dict[str, str] = {}


class Event(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """One event: its native name ("" = the agent has none), and its answers.

    fires: by surface, where it does not fire on one of them.
    """

    native: str
    note: str = ""
    fires: dict[str, bool] = {}
    answers: dict[str, Answer] = {}


class Facts(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Everything that is known about one agent.

    markers: paths in a project that show that the agent is in use there; commands: the same, on
    PATH. config: the file that hookpm wires, relative to the project root. drops: what makes the
    agent drop that file. also_reads: other agents' files that it runs by itself. wired: hookpm can
    wire it; else why_not says why, and the cells say what the agent could be told, not that it is.
    """

    name: str
    title: str
    version: str
    basis: str
    source: str
    commands: tuple[str, ...]
    markers: tuple[str, ...]
    config: str
    docs: str
    trust: str
    restart: str
    tools: Tools
    events: dict[str, Event]
    wired: bool = True
    why_not: str = ""
    measured: str | None = None
    also_reads: tuple[str, ...] = ()
    not_fired: tuple[str, ...] = ()
    drops: tuple[str, ...] = ()
    limits: dict[str, int | str] = {}

    def native(self, event: str) -> str:
        """The agent's name for an event, "" where it has none."""
        found = self.events.get(event)
        return found.native if found else ""

    def cell(self, event: str, word: str) -> Cell:
        """How this agent meets EVENT.WORD; absent where it has no such event.

        Raises KeyError for a word that the contract does not have at that event.
        """
        if word not in CAPABILITIES.get(event, ()):
            raise KeyError(f"{event}.{word}")
        found = self.events.get(event)
        if found is None or not found.native:
            return self._cell(Answer(support="absent", note="no such event"))
        return self._cell(found.answers[word])

    def cells(self, event: str) -> dict[str, Cell]:
        """All cells of one event, in the contract's order."""
        return {word: self.cell(event, word) for word in CAPABILITIES.get(event, ())}

    def json(self) -> dict[str, dict[str, Any]]:
        """The "events" of `hookpm agents --json`: per event its native name and its answers."""
        return {
            event: {
                "native": self.native(event),
                "answers": {word: cell.json() for word, cell in self.cells(event).items()},
            }
            for event in CAPABILITIES
        }

    def _cell(self, answer: Answer) -> Cell:
        return Cell(
            support=answer.support,
            basis=answer.basis or self.basis,
            version=answer.version or self.version,
            source=answer.source or self.source,
            note=answer.note,
            surfaces=MappingProxyType(answer.surfaces),
        )


def weakest(words: Iterable[str]) -> str:
    """The weakest of some support words; at least one is needed."""
    return min(words, key=SUPPORT.index)


class Head(msgspec.Struct, frozen=True):
    """The first lines of a facts.toml; fields as in Facts."""

    name: str
    title: str
    commands: tuple[str, ...]
    markers: tuple[str, ...]
    why_not: str = ""


def read_head(path: Path) -> Head:
    """What stands before the first table of a facts.toml."""
    return msgspec.toml.decode(path.read_text().partition("\n[")[0], type=Head)


def read(path: Path) -> Facts:
    """Read and check one facts.toml. Raises FileFormatError, which names the file and the key."""
    try:
        facts = msgspec.toml.decode(path.read_bytes(), type=Facts)
    except msgspec.DecodeError as error:
        raise FileFormatError(
            "the facts of an agent do not read", cause=str(error), file=path
        ) from error
    problems = check(facts)
    if problems:
        raise FileFormatError(
            "the facts of an agent do not fit the contract", cause="; ".join(problems), file=path
        )
    return facts


def check(facts: Facts) -> list[str]:
    """What is wrong with an agent's facts, one line each; empty when they are complete."""
    problems = [f"unknown basis {facts.basis!r}"] if facts.basis not in BASIS else []
    if facts.basis == "observed" and not facts.measured:
        problems.append("observed facts need the day they were measured")
    if facts.wired == bool(facts.why_not):
        problems.append("why_not has to say why the agent is not wired, and nothing else")
    problems += [
        f"unknown event {event}" for event in sorted(set(facts.events) - set(CAPABILITIES))
    ]
    for event, words in CAPABILITIES.items():
        if event not in facts.events:
            problems.append(f"no entry for {event}")
        else:
            problems.extend(_check_event(event, words, facts.events[event]))
    return problems


def _check_event(event: str, words: Iterable[str], found: Event) -> list[str]:
    wanted = set(words) if found.native else set()
    problems = [f"no cell for {event}.{word}" for word in sorted(wanted - set(found.answers))]
    problems += [f"unknown cell {event}.{word}" for word in sorted(set(found.answers) - wanted)]
    for surface in sorted(set(found.fires) - set(SURFACES)):
        problems.append(f"{event}.fires: unknown surface {surface}")
    for word, answer in found.answers.items():
        problems.extend(f"{event}.{word}: {line}" for line in _check_answer(found, answer))
    return problems


def _check_answer(event: Event, answer: Answer) -> list[str]:
    if answer.basis is not None and answer.basis not in BASIS:
        return [f"unknown basis {answer.basis!r}"]
    unknown = [w for w in (answer.support, *answer.surfaces.values()) if w not in SUPPORT]
    if unknown:
        return [f"unknown support {word!r}" for word in unknown]
    problems = []
    if answer.surfaces and set(answer.surfaces) != set(SURFACES):
        problems.append("surfaces need headless and interactive")
    elif answer.surfaces and answer.support != weakest(answer.surfaces.values()):
        problems.append("support is not the weakest of the surfaces")
    silent = [surface for surface, fires in event.fires.items() if not fires]
    if any(answer.surfaces.get(surface) != "absent" for surface in silent):
        problems.append("the event does not fire there, so the surface has to be absent")
    if answer.support in ("dropped", "unknown", "emulated") and not answer.note:
        problems.append("needs a note: what happens there instead")
    return problems
