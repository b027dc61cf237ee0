"""What `hookpm probe` measured on this machine, kept in the user's data folder, and its effect.

A file per agent and version. The newest measuring of an agent stands in the place of the shipped
cells, unless those were measured later still: agents change weekly, and the table has to follow.
"""

from __future__ import annotations

import importlib
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import msgspec

from hookpm.agents.facts import MEETS, Answer, Cell, Event, Facts, weakest
from hookpm.contract.events import CAPABILITIES
from hookpm.errors import SystemFailureError

HELD = "held"
NOT_HELD = "not held"
NOT_MEASURED = "not measured"
HEADLESS, INTERACTIVE = "headless", "interactive"


class Outcome(msgspec.Struct, frozen=True):
    """One cell. outcome: HELD, NOT_HELD or NOT_MEASURED. why: what was seen."""

    outcome: str
    why: str


class Evidence(msgspec.Struct, frozen=True):
    """One measuring of one agent, headless. measured: day and time, UTC, as ISO 8601 spells it.

    cells: EVENT.WORD -> outcome. fires: event -> did it fire in any run.
    """

    agent: str
    version: str
    measured: str
    cells: dict[str, Outcome]
    fires: dict[str, bool] = {}

    @property
    def day(self) -> str:
        """The day, as facts have it."""
        return self.measured[:10]


def folder() -> Path:
    """Where evidence is kept, there or not."""
    from platformdirs import user_data_path

    return user_data_path("hookpm") / "measured"


def save(evidence: Evidence) -> Path:
    """Keep it in the place of an older one of the same version. Raises SystemFailureError."""
    place = folder() / f"{evidence.agent}-{evidence.version}.json"
    draft = place.with_name(f".{place.name}.new")
    text = msgspec.json.format(msgspec.json.encode(evidence), indent=2)
    try:
        place.parent.mkdir(parents=True, exist_ok=True)
        draft.write_bytes(text + b"\n")
        draft.replace(place)
    except OSError as error:
        raise SystemFailureError(
            "what was measured cannot be kept", cause=error.strerror, file=place
        ) from None
    return place


def files(agent: str) -> list[Path]:
    """The files about this agent, whatever is in them."""
    return sorted(folder().glob(f"{agent}-[0-9]*.json"))


def newest(agent: str) -> Evidence | None:
    """The latest measuring of this agent; a file that does not read counts as none."""
    found = [evidence for path in files(agent) if (evidence := _read(path)) is not None]
    found = [evidence for evidence in found if evidence.agent == agent]
    return max(found, key=lambda evidence: evidence.measured, default=None)


def _read(path: Path) -> Evidence | None:
    try:
        return msgspec.json.decode(path.read_bytes(), type=Evidence)
    except (OSError, msgspec.DecodeError):
        return None


def applied(facts: Facts) -> Facts:
    """The facts as they are on this machine."""
    evidence = newest(facts.name)
    if evidence is None or evidence.day < (facts.measured or ""):
        return facts
    return overlay(facts, evidence, _sent(facts.name))


def _sent(agent: str) -> Mapping[str, tuple[str, ...]]:
    """Per event the words that the bridge sends to the agent."""
    supported: Mapping[str, tuple[str, ...]]
    supported = importlib.import_module(f"hookpm.agents.{agent}.translate").SUPPORTED
    return supported


def overlay(facts: Facts, evidence: Evidence, sent: Mapping[str, tuple[str, ...]]) -> Facts:
    """The facts with what was measured in their place. sent: what the bridge sends, per event.

    Only the headless surface was measured; what the table says of a terminal stays.
    """
    events = {
        event: _event(facts, event, found, evidence, sent.get(event, ()))
        for event, found in facts.events.items()
    }
    changes: dict[str, Any] = {"version": evidence.version, "measured": evidence.day}
    return msgspec.structs.replace(facts, events=events, **changes)


def _event(
    facts: Facts, event: str, found: Event, evidence: Evidence, sent: tuple[str, ...]
) -> Event:
    if not found.native:
        return found
    fires = dict(found.fires)
    if evidence.fires.get(event, fires.get(HEADLESS, True)) != fires.get(HEADLESS, True):
        fires[HEADLESS] = not fires.get(HEADLESS, True)
    answers = {}
    for word in CAPABILITIES[event]:
        shipped = facts.cell(event, word)
        seen = evidence.cells.get(f"{event}.{word}")
        if seen is None or seen.outcome not in (HELD, NOT_HELD):
            answers[word] = _unchanged(shipped)
        else:
            silent = not fires.get(HEADLESS, True)
            answers[word] = _measured(shipped, seen, evidence, word in sent, silent)
    return msgspec.structs.replace(found, fires=fires, answers=answers)


def _unchanged(cell: Cell) -> Answer:
    """The cell as it is, with what it had by default spelled out."""
    return Answer(
        cell.support, cell.basis, cell.version, cell.source, cell.note, dict(cell.surfaces)
    )


def _measured(shipped: Cell, seen: Outcome, evidence: Evidence, sent: bool, silent: bool) -> Answer:
    before = shipped.on(HEADLESS)
    headless = support(before, seen.outcome, sent, silent)
    surfaces = {HEADLESS: headless, INTERACTIVE: shipped.on(INTERACTIVE)}
    return Answer(
        support=weakest(surfaces.values()),
        basis="observed",
        version=evidence.version,
        source=f"measured here on {evidence.day}, headless",
        note=shipped.note if headless == before else f"measured here: {seen.why}",
        surfaces=surfaces if len(set(surfaces.values())) > 1 else {},
    )


def support(shipped: str, outcome: str, sent: bool, silent: bool = False) -> str:
    """The support word for an outcome. sent: the bridge sends it; silent: the event is not fired.

    Whether an answer was taken as it is or in another form cannot be seen, so the shipped word
    stays as long as it agrees.
    """
    if outcome == HELD:
        return shipped if shipped in MEETS else ("translated" if sent else "emulated")
    if silent:
        return "absent"
    return shipped if shipped in ("dropped", "absent") else "dropped"
