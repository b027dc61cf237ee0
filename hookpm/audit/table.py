"""Writes docs/agents.md from the agents' facts: `python -m hookpm.audit.table [--check] [FILE]`."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path

from hookpm import agents
from hookpm.agents.facts import Cell, Facts
from hookpm.contract.events import CAPABILITIES, EVENTS
from hookpm.errors import HookpmError

FILE = Path(__file__).parents[2] / "docs" / "agents.md"

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

*headless* is a run without a terminal (`claude -p`, `codex exec`, ...), *interactive* one with a
user before it. Where the two differ, both are given.
"""


def document(facts: Sequence[Facts]) -> str:
    """The whole page."""
    blocks = [_HEAD, "\n".join(_overview(facts)) + "\n"]
    blocks += ["\n".join(_agent(one)) + "\n" for one in facts]
    return "\n".join(blocks)


def _overview(facts: Sequence[Facts]) -> Iterator[str]:
    yield "## All agents"
    yield ""
    yield "| | " + " | ".join(one.name for one in facts) + " |"
    yield "|---" * (len(facts) + 1) + "|"
    for event in EVENTS:
        names = [f"`{one.native(event)}`" if one.native(event) else "absent" for one in facts]
        yield f"| **{event}** | " + " | ".join(names) + " |"
        for word in CAPABILITIES[event]:
            cells = [_support(one.cell(event, word)) for one in facts]
            yield f"| {word} | " + " | ".join(cells) + " |"


def _agent(facts: Facts) -> Iterator[str]:
    yield f"## {facts.title}"
    yield ""
    if facts.measured:
        yield f"Observed in version {facts.version} on {facts.measured} ({facts.source})."
    else:
        yield f"Documented, not run by us: {facts.source}."
    yield f"The agent's own documentation: <{facts.docs}>."
    yield ""
    yield f"- Wired in `{facts.config}`."
    if facts.also_reads:
        yield "- Also runs the hooks of " + ", ".join(f"`{f}`" for f in facts.also_reads) + "."
    yield f"- Trust: {facts.trust}"
    yield f"- After a change: {facts.restart}"
    yield "- Drops its own file for:"
    yield from (f"  - {reason}" for reason in facts.drops)
    yield "- Hooks that are wired do not run when:"
    yield from (f"  - {reason}" for reason in facts.not_fired)
    if facts.limits:
        limits = ", ".join(f"{key} {value}" for key, value in facts.limits.items())
        yield f"- Limits: {limits}."
    yield ""
    yield "| event | answer | support | evidence | note |"
    yield "|---|---|---|---|---|"
    for event in EVENTS:
        yield from _event(facts, event)


def _event(facts: Facts, event: str) -> Iterator[str]:
    found = facts.events[event]
    name = f"{event} (`{found.native}`)" if found.native else event
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
    text = document([agent.facts for agent in agents.all_agents()])
    try:
        if options.check:
            return _check(options.file, text)
        options.file.write_text(text, encoding="utf-8")
    except OSError as error:
        return _say(f"error: {options.file}: {error.strerror}", 3)
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
