"""hookpm agents: what each agent can do with an answer, on what evidence, and what is here."""

from __future__ import annotations

import argparse
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

from hookpm.cli import common, output

if TYPE_CHECKING:
    from collections.abc import Sequence

    from hookpm.agents.facts import Facts
    from hookpm.project.state import State

_SIGNS = {
    "native": "yes",
    "translated": "yes*",
    "emulated": "near",
    "dropped": "no",
    "absent": "-",
    "unknown": "?",
}
_LEGEND = (
    "yes native, yes* translated, near emulated (the loss is in the note), no dropped, - no such\n"
    "event, ? not known; no/yes*: headless no, in a terminal yes*"
)


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The options of agents."""
    parser.add_argument("names", nargs="*", metavar="AGENT", help="show these in full")
    common.add_project(parser)


def run(options: argparse.Namespace) -> int:
    """Print the capability tables."""
    from hookpm import agents
    from hookpm.project import state

    asked = [agents.facts_here(name) for name in options.names]
    chosen = asked or [agents.facts_here(name) for name in agents.names()]
    now = state.load(common.find_root(options).path)
    if options.json:
        listed = asked or [agents.facts_here(name) for name in agents.known()]
        output.show_json({"agents": [_document(now, facts) for facts in listed]})
    elif asked:
        for facts in asked:
            _show_in_full(now, facts)
    else:
        _show_table(now, chosen)
        output.show(f"known, but not wired yet: {', '.join(agents.not_wired())}")
        output.show("`hookpm agents NAME` shows one in full, with notes and evidence")
    return 0


def _wired(now: State, facts: Facts) -> bool:
    """By the project, or by the user's own bridge where that may run the project's hooks."""
    return now.wiring(facts.name) is not None or facts.name in _by_user_bridge(now.root)


@cache
def _by_user_bridge(root: Path) -> frozenset[str]:
    from hookpm.project.home import userbridge

    standing = userbridge.standing(root)
    return frozenset(standing.wired if standing.state == "allowed" else ())


def _document(now: State, facts: Facts) -> dict[str, Any]:
    from hookpm import agents
    from hookpm.project import detect

    todo: Sequence[Any] = ()
    if facts.name in agents.names():
        todo = now.scope.agent(facts.name).wiring.todo(now.root)
    return {
        "agent": facts.name,
        "title": facts.title,
        "measured_version": facts.version,
        "installed_version": detect.installed_version(facts),
        "wired": _wired(now, facts),
        "why_not": _why_not(facts),
        "events": facts.json(),
        "todo": [{"what": each.what, "how": each.how} for each in todo],
    }


def _why_not(facts: Facts) -> str:
    """Why a project cannot wire it; "" where it can."""
    from hookpm import agents

    return agents.load(facts.name).why_not if facts.name in agents.names() else facts.why_not


def _show_table(now: State, chosen: Sequence[Facts]) -> None:
    """One line per capability, one column per agent, as wide as it has to be."""
    from hookpm.contract.events import CAPABILITIES

    evidence = [facts.version if facts.basis == "observed" else "docs" for facts in chosen]
    rows = [
        ("", [facts.name for facts in chosen]),
        ("evidence", evidence),
        ("wired here", ["yes" if _wired(now, facts) else "no" for facts in chosen]),
    ]
    for event, words in CAPABILITIES.items():
        rows += [(f"{event}.{w}", [_sign(f, event, w) for f in chosen]) for w in words]
    first = max(len(name) for name, _ in rows)
    widths = [max(len(cells[n]) for _, cells in rows) for n in range(len(chosen))]
    for name, cells in rows:
        padded = [cell.ljust(width) for cell, width in zip(cells, widths, strict=True)]
        output.show(" ".join([name.ljust(first), *padded]).rstrip())
    output.show("")
    output.show(_LEGEND)


def _sign(facts: Facts, event: str, word: str) -> str:
    cell = facts.cell(event, word)
    headless, interactive = (_SIGNS[cell.on(s)] for s in ("headless", "interactive"))
    return headless if headless == interactive else f"{headless}/{interactive}"


def _show_in_full(now: State, facts: Facts) -> None:
    output.show(f"{facts.name}: {facts.title} {facts.version} ({facts.basis})")
    output.show(f"  wired here: {'yes' if _wired(now, facts) else 'no'}, file: {facts.config}")
    if _why_not(facts):
        output.show(f"  not wired in a project: {_why_not(facts)}")
    output.show(f"  trust: {facts.trust}")
    output.show(f"  restart: {facts.restart}")
    for reason in facts.drops:
        output.show(f"  drops its file for: {reason}")
    for event, found in facts.events.items():
        name = found.native or "no such event"
        output.show(f"  {event} ({name}){': ' + found.note if found.note else ''}")
        for word, cell in facts.cells(event).items():
            where = "".join(f", {s} {support}" for s, support in cell.surfaces.items())
            note = f": {cell.note}" if cell.note else ""
            output.show(f"    {word}: {cell.support}{where} [{cell.evidence}]{note}")
