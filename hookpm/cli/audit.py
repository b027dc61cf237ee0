"""hookpm audit: what each agent would drop of what packs ask, and what they do there instead."""

from __future__ import annotations

import argparse

from hookpm.cli import common, output


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The options of audit."""
    parser.add_argument(
        "packs",
        nargs="*",
        metavar="PACK",
        help="packs to audit before they are installed (default: the project's)",
    )
    common.add_agents(parser, "audit this agent (default: the project's, else all)")
    common.add_network(parser)
    common.add_project(parser)


def run(options: argparse.Namespace) -> int:
    """Print the audit; exit code 1 where a need is not met."""
    from hookpm import agents
    from hookpm.audit import report
    from hookpm.project import look, state

    asked = [agents.facts_here(name) for name in options.agents]
    now = state.load(common.find_root(options).path)
    names = now.settings.agents or agents.names()
    chosen = asked or [agents.facts_here(name) for name in names]
    found = look.audit(now, options.packs, chosen)
    if options.json:
        output.show_json(found.json())
        return 1 if found.unmet else 0
    for line in report.lines(found, chosen):
        output.show(line)
    output.show(report.summary(found))
    for facts in chosen:
        if facts.name not in agents.names():
            output.say(f"note: hookpm does not wire {facts.name} yet: {facts.why_not}")
    return 1 if found.unmet else 0
