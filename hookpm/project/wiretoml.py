"""`wire` for an agent whose own config is TOML: the same outcomes for a list of tables. Pure.

The agent's wiring says so by `FORMAT = "toml"`; its entries stand in one list, each a handler.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from hookpm.agents.wiring import Finding
from hookpm.edit import tomldoc, tomledit
from hookpm.errors import HookpmError
from hookpm.project.wire import Outcome, Place

if TYPE_CHECKING:
    from hookpm.agents import Agent
    from hookpm.agents.wiring import Entry
    from hookpm.edit.tomldoc import TomlDocument


def wire(
    agent: Agent, text: str | None, entries: Sequence[Entry], undo: tomledit.Undo = ()
) -> Outcome:
    """The file's text with exactly these entries of ours, everything else untouched.

    As `wire.wire`: a file that does not parse or that its agent would drop is left alone.
    """
    if not entries:
        return unwire(agent, text, undo)
    file = agent.wiring.FILE
    try:
        document = tomldoc.parse(text or "", file)
        findings = _dropped(agent, document)
        if findings:
            return Outcome(text, undo, findings=findings)
        kept, going, notes = _tidied(agent, document, entries)
        current = tomledit.remove_many(text or "", going, undo, file)
        for entry in entries:
            if entry.event not in kept:
                edited = tomledit.append(current, entry.path, entry.value, file)
                current, undo = edited.text, tomledit.merge_undo(undo, edited.undo)
        after = tomldoc.parse(current, file)
    except HookpmError as error:
        return Outcome(text, undo, findings=(_finding(error),))
    wrong = _dropped(agent, after) or _missing(agent, after, entries)
    if wrong:
        return Outcome(text, undo, findings=wrong)
    off = tuple(agent.wiring.switched_off(after))  # type: ignore[arg-type]
    return Outcome(current, undo, off=off, notes=tuple(notes))


def unwire(agent: Agent, text: str | None, undo: tomledit.Undo = ()) -> Outcome:
    """The file's text without anything of ours; left alone where a key of the user's would go."""
    if text is None:
        return Outcome(None)
    file = agent.wiring.FILE
    try:
        document = tomldoc.parse(text, file)
        places = [p for p in ours(agent, document) if p.handler.agent == agent.name]
        current = text
        for place in reversed(places):
            (entry,) = agent.wiring.entries([place.handler.event], 0.0)
            only = None if place.whole else entry.value
            current = tomledit.remove(current, place.element, undo, file, only)
    except HookpmError as error:
        return Outcome(text, undo, findings=(_finding(error),))
    return Outcome(current)


def ours(agent: Agent, document: TomlDocument) -> Iterator[Place]:
    """Every entry of ours, in file order; also lines copied from other agents."""
    for path in dict.fromkeys(entry.path for entry in agent.wiring.entries(["PreToolUse"], 0.0)):
        found = document.get(path)
        for index, value in enumerate(found if isinstance(found, list) else ()):
            owned = agent.wiring.owner_of(value)
            for handler in owned.handlers if owned else ():
                yield Place((*path, index), handler, owned is not None and owned.whole)


def lines(agent: Agent, document: TomlDocument) -> dict[str, str]:
    """Event -> the command line of ours that the agent runs for it."""
    return {
        place.handler.event: str(document.get((*place.path, "command")))
        for place in ours(agent, document)
        if place.handler.agent == agent.name
    }


def _tidied(
    agent: Agent, document: TomlDocument, entries: Sequence[Entry]
) -> tuple[set[str], list[tuple[str | int, ...]], list[str]]:
    """The events whose entry is just as it should be, the entries that go, and what to say."""
    file, wanted = agent.wiring.FILE, {entry.event: entry.value for entry in entries}
    kept: set[str] = set()
    going: list[tuple[str | int, ...]] = []
    notes: list[str] = []
    places = list(ours(agent, document))
    exact = [p for p in places if document.get(p.element) == wanted.get(p.handler.event)]
    for place in [*exact, *(p for p in places if p not in exact)]:
        event = place.handler.event
        if place.handler.agent != agent.name:
            line = document.line_at(place.element) or 1
            notes.append(
                f"{file}:{line} holds the line of {place.handler.agent}, copied there; it stands "
                "down by itself and can be removed"
            )
        elif place in exact and event not in kept:
            kept.add(event)
        else:
            going.append(place.element)
            if event in kept:
                notes.append(f"{file}: a second copy of our {event} entry is gone")
            elif event in wanted:
                notes.append(f"{file}: our {event} entry was not as it should be and was put right")
    return kept, going, notes


def _dropped(agent: Agent, document: TomlDocument) -> tuple[Finding, ...]:
    return tuple(agent.wiring.dropped_by(document))  # type: ignore[arg-type]


def _missing(agent: Agent, document: TomlDocument, entries: Sequence[Entry]) -> tuple[Finding, ...]:
    """Read back: is every entry there just once?"""
    there = [p.handler.event for p in ours(agent, document) if p.handler.agent == agent.name]
    return tuple(
        Finding(1, f"our {entry.event} entry did not read back")
        for entry in entries
        if there.count(entry.event) != 1
    )


def _finding(error: HookpmError) -> Finding:
    cause = f": {error.cause}" if error.cause else ""
    hint = f"; {error.hint}" if error.hint else ""
    return Finding(error.line or 1, f"{error.message}{cause}{hint}")
