"""Writes docs/agents.md from the agents' facts: `python -m hookpm.audit.table [--check] [FILE]`."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

import tomlkit

from hookpm import agents
from hookpm.agents.facts import SURFACES, Cell, Facts
from hookpm.contract.events import CAPABILITIES, EVENTS
from hookpm.errors import HookpmError

FILE = Path(__file__).parents[2] / "docs" / "agents.md"
PREDICTIONS = FILE.with_name("predictions.toml")  # written by a run of the live tests

_HEAD = """\
# What each agent does with a hook's answers

Generated from the facts in `hookpm/agents/*/facts.toml` by `python -m hookpm.audit.table`; do not
edit it here. `hookpm audit` holds packs against the same facts, `hookpm agents --json` prints them.

| word | means |
|---|---|
| native | the agent takes the answer as Claude Code does |
| translated | the same effect, in the agent's own form |
| emulated | another answer that comes near; the note says what is lost |
| dropped | the agent does not take it: the bridge leaves it out, or the pack's fallback stands in |
| absent | the agent has no such event |
| unknown | nobody has seen or documented it; not guessed |

Of an agent that is not wired the tables say what its hooks could do; hookpm does not use them yet.
In the tables by event *yes* is native or translated, *near* emulated, *no* dropped, *?* unknown;
a star marks what is documented and was not run.

*headless* is a run without a terminal (`claude -p`, `codex exec`, ...), *interactive* one with a
user before it. Where the two differ, both are given, headless first.
"""

_SIGNS = {
    "native": "yes",
    "translated": "yes",
    "emulated": "near",
    "dropped": "no",
    "absent": "-",
    "unknown": "?",
}


class Figures(NamedTuple):
    """What the page rests on. Cells of events that an agent lacks are not counted."""

    measured: int
    documented: int
    observed_cells: int
    documented_cells: int
    unknown_cells: int


def figures(facts: Sequence[Facts]) -> Figures:
    """Count agents and cells by their evidence."""
    measured = sum(one.measured is not None for one in facts)
    found = [
        cell.basis
        for one in facts
        for event in EVENTS
        if one.native(event)
        for cell in one.cells(event).values()
    ]
    cells = (found.count(basis) for basis in ("observed", "documented", "unknown"))
    return Figures(measured, len(facts) - measured, *cells)


class Score(NamedTuple):
    """What an agent's table predicted of runs of the agent."""

    right: int
    made: int


def predictions(file: Path = PREDICTIONS) -> dict[str, Score]:
    """Agent -> score, as the last recorded run of the live tests left it; OSError if unreadable."""
    recorded = tomlkit.parse(file.read_text(encoding="utf-8")).unwrap()
    return {agent: Score(one["right"], one["made"]) for agent, one in recorded.items()}


def document(facts: Sequence[Facts], scores: Mapping[str, Score]) -> str:
    """The whole page."""
    blocks = [_HEAD, _figures(facts, scores), "\n".join(_agents(facts, scores)) + "\n"]
    blocks += ["\n".join(_at_event(facts, event)) + "\n" for event in EVENTS]
    blocks += ["\n".join(_agent(one)) + "\n" for one in facts]
    return "\n".join(blocks)


def _figures(facts: Sequence[Facts], scores: Mapping[str, Score]) -> str:
    found = figures(facts)
    right = sum(score.right for score in scores.values())
    made = sum(score.made for score in scores.values())
    return (
        f"{found.measured} agents were run, {found.documented} are known by their documentation "
        f"only. Of their answers {found.observed_cells} are observed, {found.documented_cells} "
        f"documented and {found.unknown_cells} unknown.\n\n"
        f"Held against runs of the agents, {right} of {made} predictions of the tables were "
        "right: each answer alone,\nand packs whose hooks deny, ask, rewrite, add context, keep "
        "going, stop, crash, come too late or\ndisagree.\n"
    )


def _agents(facts: Sequence[Facts], scores: Mapping[str, Score]) -> Iterator[str]:
    yield "## All agents"
    yield ""
    yield "| agent | | evidence | predictions right | wired in |"
    yield "|---|---|---|---|---|"
    for one in facts:
        seen = f"observed, {one.version}" if one.measured else one.version
        score = scores.get(one.name)
        right = f"{score.right} of {score.made}" if score else "-"
        title = f"[{one.title}](#{_anchor(one.title)})"
        yield f"| {one.name} | {title} | {seen} | {right} | {_place(one)} |"


def _place(facts: Facts) -> str:
    """Where hookpm wires an agent, for a cell of a table."""
    if not facts.wired:
        return "not wired"
    return f"`~/{facts.config}`" if _reads_user_config_only(facts) else f"`{facts.config}`"


def _reads_user_config_only(facts: Facts) -> bool:
    return facts.wired and agents.load(facts.name).scope == "user"


def _anchor(title: str) -> str:
    """A heading's anchor, as GitHub and most other readers of Markdown make it."""
    kept = "".join(c for c in title.lower() if c.isalnum() or c in " -_")
    return kept.replace(" ", "-")


def _at_event(facts: Sequence[Facts], event: str) -> Iterator[str]:
    """One event's answers in all agents that have it."""
    words = CAPABILITIES[event]
    yield f"## {event}"
    yield ""
    lacking = [one.name for one in facts if not one.native(event)]
    having = [one for one in facts if one.native(event)]
    yield "| " + " | ".join(["", "the agent's own name", *words]) + " |"
    yield "|---" * (len(words) + 2) + "|"
    for one in having:
        cells = [_sign(one.cell(event, word)) for word in words]
        row = [one.name, f"`{one.native(event)}`", *cells]
        yield "| " + " | ".join(row) + " |"
    if lacking:
        yield ""
        yield f"No such event: {', '.join(lacking)}."


def _sign(cell: Cell) -> str:
    words = [cell.on(surface) for surface in SURFACES]
    signs = [_SIGNS[word] for word in words]
    mark = "" if cell.basis == "observed" or cell.support in ("absent", "unknown") else "*"
    return (signs[0] if signs[0] == signs[1] else " / ".join(signs)) + mark


def _agent(facts: Facts) -> Iterator[str]:
    yield f"## {facts.title}"
    yield ""
    if facts.measured:
        yield f"Observed in version {facts.version} on {facts.measured} ({facts.source})."
    else:
        yield f"Documented, not run by us: {facts.source}."
    yield f"The agent's own documentation: <{facts.docs}>."
    yield ""
    if not facts.wired:
        yield f"- **Not wired:** {facts.why_not}. [How to add it](adding-an-agent.md)."
        yield f"- Its hooks stand in `{facts.config}`."
    elif _reads_user_config_only(facts):
        yield f"- Wired in `~/{facts.config}`, for all of a user's projects."
        yield f"- Not wired in a project: {agents.load(facts.name).why_not}."
    else:
        yield f"- Wired in `{facts.config}`."
    if facts.also_reads:
        yield "- Also runs the hooks of " + ", ".join(f"`{f}`" for f in facts.also_reads) + "."
    yield f"- Trust: {facts.trust}"
    yield f"- After a change: {facts.restart}"
    yield from _listed("Drops its own file for:", facts.drops)
    yield from _listed("Hooks that are wired do not run when:", facts.not_fired)
    if facts.limits:
        limits = ", ".join(f"{key} {value}" for key, value in facts.limits.items())
        yield f"- Limits: {limits}."
    yield ""
    yield "| event | answer | support | evidence | note |"
    yield "|---|---|---|---|---|"
    for event in EVENTS:
        yield from _event(facts, event)


def _listed(head: str, items: Sequence[str]) -> Iterator[str]:
    if items:
        yield f"- {head}"
        yield from (f"  - {item}" for item in items)


def _event(facts: Facts, event: str) -> Iterator[str]:
    found = facts.events[event]
    if not found.native:
        yield f"| {event} | | absent | | {_text(found.note)} |"
        return
    name = f"{event} (`{found.native}`)"
    words = facts.cells(event)
    if found.note or not words:
        yield f"| {name} | | | | {_text(found.note)} |"
    for word, cell in words.items():
        support = _support(cell)
        yield f"| {event} | {word} | {support} | {_evidence(cell)} | {_text(cell.note)} |"


def _support(cell: Cell) -> str:
    if not cell.surfaces:
        return cell.support
    return ", ".join(f"{surface} {support}" for surface, support in cell.surfaces.items())


def _evidence(cell: Cell) -> str:
    return "unknown" if cell.basis == "unknown" else f"{cell.basis}, {cell.version}"


def _text(note: str) -> str:
    return note.replace("|", "\\|")


def main(arguments: Sequence[str] | None = None) -> int:
    """Write the page, or with --check say whether it is current (1 = it is not)."""
    parser = argparse.ArgumentParser(prog="python -m hookpm.audit.table", description=__doc__)
    parser.add_argument("file", nargs="?", type=Path, default=FILE)
    parser.add_argument("--check", action="store_true", help="write nothing; 1 if not current")
    options = parser.parse_args(arguments)
    try:
        text = document(agents.all_facts(), predictions())
        if options.check:
            return _check(options.file, text)
        options.file.write_text(text, encoding="utf-8")
    except OSError as error:
        return _say(f"error: {error.filename}: {error.strerror}", 3)
    return 0


def _check(file: Path, text: str) -> int:
    if file.exists() and file.read_text(encoding="utf-8") == text:
        return 0
    return _say(f"error: {file} is not current\nhint: run python -m hookpm.audit.table", 1)


def _say(message: str, code: int) -> int:
    sys.stderr.write(message + "\n")
    return code


if __name__ == "__main__":
    try:
        sys.exit(main())
    except HookpmError as error:
        sys.exit(_say(f"error: {error.message}: {error.cause}", error.exit_code))
