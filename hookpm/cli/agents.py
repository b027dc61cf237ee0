"""hookpm agents: what each agent can do with an answer, on what evidence, and what is here."""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING, Any

from hookpm.cli import common, output

if TYPE_CHECKING:
    from hookpm.agents import Agent
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
    "yes native, yes* translated, near emulated (the loss is in the note), no dropped, "
    "- no such event, ? not known"
)


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The options of agents."""
    parser.add_argument("names", nargs="*", metavar="AGENT", help="show these in full")
    common.add_project(parser)


def run(options: argparse.Namespace) -> int:
    """Print the capability tables."""
    from hookpm import agents
    from hookpm.project import state

    chosen = [agents.load(n) for n in options.names] or list(agents.all_agents())
    now = state.load(common.find_root(options).path)
    if options.json:
        output.show_json({"agents": [_document(now, agent) for agent in chosen]})
        return 0
    if options.names:
        for agent in chosen:
            _show_in_full(now, agent)
    else:
        _show_table(now, chosen)
    return 0


def _wired(now: State, agent: Agent) -> bool:
    return now.wiring(agent.name) is not None


def _document(now: State, agent: Agent) -> dict[str, Any]:
    from hookpm.project import detect

    return {
        "agent": agent.name,
        "title": agent.facts.title,
        "measured_version": agent.facts.version,
        "installed_version": detect.installed_version(agent),
        "wired": _wired(now, agent),
        "events": agent.facts.json(),
        "todo": [{"what": t.what, "how": t.how} for t in agent.wiring.todo(now.root)],
    }


def _show_table(now: State, chosen: list[Agent]) -> None:
    """One line per capability, one column per agent."""
    from hookpm.contract.events import CAPABILITIES

    wide = max(len(f"{e}.{w}") for e, words in CAPABILITIES.items() for w in words) + 2
    heads = [agent.name for agent in chosen]
    output.show(" " * wide + "".join(head.ljust(10) for head in heads).rstrip())
    seen = [agent.facts.version if agent.facts.basis == "observed" else "docs" for agent in chosen]
    output.show("evidence".ljust(wide) + "".join(v.ljust(10) for v in seen).rstrip())
    here = ["yes" if _wired(now, agent) else "no" for agent in chosen]
    output.show("wired here".ljust(wide) + "".join(v.ljust(10) for v in here).rstrip())
    for event, words in CAPABILITIES.items():
        for word in words:
            cells = [_sign(agent, event, word) for agent in chosen]
            output.show(
                f"{event}.{word}".ljust(wide) + "".join(c.ljust(10) for c in cells).rstrip()
            )
    output.show("")
    output.show(_LEGEND)
    output.show("`hookpm agents NAME` shows one in full, with notes and evidence")


def _sign(agent: Agent, event: str, word: str) -> str:
    cell = agent.facts.cell(event, word)
    sign = _SIGNS[cell.support]
    differs = len(set(cell.surfaces.values())) > 1
    return f"{sign} ({_SIGNS[max(cell.surfaces.values(), key=_better)]})" if differs else sign


def _better(support: str) -> int:
    from hookpm.agents.facts import SUPPORT

    return SUPPORT.index(support)


def _show_in_full(now: State, agent: Agent) -> None:
    facts = agent.facts
    output.show(f"{facts.name}: {facts.title} {facts.version} ({facts.basis})")
    output.show(f"  wired here: {'yes' if _wired(now, agent) else 'no'}, file: {facts.config}")
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
