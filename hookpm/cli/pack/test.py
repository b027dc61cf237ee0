"""hookpm pack test: run the cases of a pack, and say what each agent makes of the outcomes."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

from hookpm.cli import common, output

if TYPE_CHECKING:
    from hookpm.project.trying.casetest import Tested

DESCRIPTION = (
    "Run the cases of a pack (cases/*.toml) in a scratch project, and say what "
    "each agent makes of the expected outcomes."
)

_BECOMES = {
    "holds": "hold",
    "deny": "denied instead",
    "block": "blocked instead",
    "lost": "lost",
    "unknown": "not known",
}


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The options of test."""
    parser.add_argument("pack", type=Path, metavar="PACK", help="the pack's folder")
    parser.add_argument("-v", "--verbose", action="store_true", help="name the cases that pass too")
    common.add_agents(
        parser, "send each case in this agent's own form too, or in every agent's (all)"
    )


def run(options: argparse.Namespace) -> int:
    """Run the cases; returns the exit code, 1 where one fails."""
    from hookpm import agents
    from hookpm.project.trying import casetest

    names = agents.names() if "all" in options.agents else tuple(dict.fromkeys(options.agents))
    through = [agents.load(name) for name in names]
    tested = casetest.run(options.pack, _progress if _shows_progress(options) else None, through)
    if options.json:
        output.show_json(_document(tested, options.pack))
        return 1 if tested.failed else 0
    for each in tested.outcomes:
        place = f"{options.pack / each.case.place}"
        if each.complaint is not None:
            output.show(f"FAILED {place}: {each.case.name}")
            output.show(f"  {each.complaint}")
        elif options.verbose:
            output.show(f"passed {place}: {each.case.name}")
    if not tested.outcomes:
        output.say(
            f"note: {tested.name} has no cases; they go into {options.pack / 'cases'}/*.toml"
        )
    _show_agents(tested)
    failed = len(tested.failed)
    passed = len(tested.outcomes) - failed
    output.show(f"{tested.name} {tested.version}: {passed} passed, {failed} failed")
    return 1 if failed else 0


def _show_agents(tested: Tested) -> None:
    """Per agent, what becomes of the outcomes that are expected."""
    from hookpm import agents

    for name in agents.names():
        told = [
            f"{count} {expect} {_BECOMES[becomes]}"
            for (expect, becomes), count in sorted(tested.tally(name).items())
        ]
        if told:
            output.show(f"in {name}: {', '.join(told)}")


def _document(tested: Tested, folder: Path) -> dict[str, Any]:
    from hookpm import agents

    return {
        "pack": tested.name,
        "version": tested.version,
        "passed": len(tested.outcomes) - len(tested.failed),
        "failed": len(tested.failed),
        "cases": [
            {
                "name": each.case.name,
                "file": str(folder / each.case.file),
                "line": each.case.line,
                "event": each.case.event,
                "expect": each.case.expect,
                "ok": each.complaint is None,
                "message": each.complaint,
                "agents": each.becomes,
            }
            for each in tested.outcomes
        ],
        "agents": [
            {
                "agent": name,
                "outcomes": [
                    {"expect": expect, "becomes": becomes, "cases": count}
                    for (expect, becomes), count in sorted(tested.tally(name).items())
                ],
            }
            for name in agents.names()
        ],
    }


def _shows_progress(options: argparse.Namespace) -> bool:
    return sys.stderr.isatty() and not options.json


def _progress(done: int, of: int) -> None:
    print(f"\r{done} of {of} cases", end="\r" if done < of else "\r\x1b[K", file=sys.stderr)
