"""hookpm probe: measure the agent that is installed here, and hold the table against it."""

from __future__ import annotations

import argparse
import signal
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

from hookpm.cli import output

if TYPE_CHECKING:
    from hookpm.agents.facts import Facts
    from hookpm.probe.compare import EventRow, Row
    from hookpm.probe.measure import Measured

_HEADS = {
    "differs": "other than the table says",
    "new": "not known before",
    "agrees": "as the table says",
    "not measured here": "not measured here, so the table stays as it is",
}


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The options of probe."""
    parser.add_argument("agent", metavar="AGENT", help="the agent to measure")
    parser.add_argument(
        "--installed", type=Path, metavar="PATH", help="its program (default: the one on PATH)"
    )
    parser.add_argument(
        "--update",
        action="store_true",
        help="keep the result: audit, agents and install go by it on this machine from now on",
    )
    parser.add_argument(
        "--forget", action="store_true", help="measure nothing; remove what was kept of this agent"
    )
    parser.add_argument(
        "--limit",
        type=float,
        default=900.0,
        metavar="SECONDS",
        help="time for all runs together (default: 900)",
    )
    parser.add_argument("--json", action="store_true", help="print one JSON document")


def run(options: argparse.Namespace) -> int:
    """Measure and compare; exit code 1 where the table is wrong and nothing was kept."""
    from hookpm import agents
    from hookpm.probe import compare, here

    if options.forget:
        return _forget(options)
    here.check(options.agent)
    program = here.locate(options.agent, options.installed)
    facts = agents.facts_of(options.agent)
    with _orderly_end(), _progress() as progress:
        measured = here.measure_installed(options.agent, program, progress, options.limit)
    rows = compare.rows(facts, measured)
    events = compare.event_rows(facts, measured)
    kept = _keep(measured) if options.update else None
    if options.json:
        output.show_json(_document(measured, facts, rows, events, program, kept))
    else:
        _show(measured, facts, rows, events, program)
        if kept:
            output.show(f"kept: {kept}")
    differ = bool(events) or any(row.status == "differs" for row in rows)
    if differ and not kept and not options.json:
        output.show(
            "`--update` keeps this: audit, agents and install then go by it on this machine"
        )
    return 1 if differ and not kept else 0


def _forget(options: argparse.Namespace) -> int:
    from hookpm import agents
    from hookpm.agents import local

    agents.facts_of(options.agent)
    found = local.files(options.agent)
    for path in found:
        path.unlink(missing_ok=True)
    if options.json:
        output.show_json({"agent": options.agent, "removed": [str(path) for path in found]})
    elif found:
        output.show(f"removed: {', '.join(map(str, found))}")
    else:
        output.show(f"nothing was kept of {options.agent}")
    return 0


def _keep(measured: Measured) -> Path:
    from datetime import datetime, timezone

    from hookpm.agents import local
    from hookpm.probe import compare

    now = datetime.now(timezone.utc).isoformat(timespec="seconds")
    return local.save(compare.evidence(measured, now))


def _show(
    measured: Measured, facts: Facts, rows: list[Row], events: list[EventRow], program: Path
) -> None:
    output.show(f"{facts.title} {measured.version} ({program}), headless")
    output.show(f"the table was measured on {facts.version}")
    for row in events:
        told = "fires" if row.measured else "does not fire"
        output.show(f"{row.event} {told} headless; the table says otherwise")
    wide = max(len(row.cell) for row in rows) + 2
    status = ""
    for each in rows:
        if each.status != status:
            status = each.status
            output.show("")
            output.show(f"{_HEADS[status]}:")
            output.show(f"  {'':{wide}}{'table':<12}{'measured':<14}")
        output.show(f"  {each.cell:<{wide}}{each.shipped:<12}{each.outcome:<14}{each.why}")
    output.show("")
    counts = [f"{sum(r.status == s for r in rows)} {head}" for s, head in _HEADS.items()]
    output.show("; ".join(counts).replace(", so the table stays as it is", ""))
    output.show(f"{measured.runs} runs in {measured.seconds:.0f} s; a terminal was not measured")


def _document(
    measured: Measured,
    facts: Facts,
    rows: list[Row],
    events: list[EventRow],
    program: Path,
    kept: Path | None,
) -> dict[str, Any]:
    return {
        "agent": measured.agent,
        "title": facts.title,
        "program": str(program),
        "version": measured.version,
        "shipped_version": facts.version,
        "surface": "headless",
        "cells": [row.json() for row in rows],
        "events": [row._asdict() for row in events],
        "fires": dict(measured.fires),
        "runs": measured.runs,
        "seconds": round(measured.seconds, 1),
        "kept": str(kept) if kept else None,
    }


@contextmanager
def _progress() -> Iterator[Callable[[str], None]]:
    """One line on a terminal, written over and over; nothing elsewhere."""
    stream = sys.stderr
    if not stream.isatty():
        yield lambda _: None
        return

    def show(text: str) -> None:
        shown = text if len(text) < 76 else text[:73] + "..."
        stream.write(f"\r\x1b[K{shown}")
        stream.flush()

    try:
        yield show
    finally:
        stream.write("\r\x1b[K")
        stream.flush()


@contextmanager
def _orderly_end() -> Iterator[None]:
    """A SIGTERM ends the runs and removes the throw-away folder, as Ctrl-C does."""

    def stop(*_: object) -> None:
        raise KeyboardInterrupt

    before = signal.signal(signal.SIGTERM, stop)
    try:
        yield
    finally:
        signal.signal(signal.SIGTERM, before)
