"""hookpm sync: bring the project to what its hookpm.toml says."""

from __future__ import annotations

import argparse

from hookpm.cli import common


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The options of sync."""
    parser.add_argument(
        "--check", action="store_true", help="change nothing; exit 1 if anything would change"
    )
    parser.add_argument(
        "--locked", action="store_true", help="refuse anything but what the lock says"
    )
    common.add_agents(parser, "wire this agent too")
    common.add_gaps(parser)
    common.add_change(parser)


def run(options: argparse.Namespace) -> int:
    """Sync the project; returns the exit code."""
    from hookpm import agents
    from hookpm.project import work

    for name in options.agents:
        agents.load(name)
    root = common.find_root(options)

    def prepare() -> work.Prepared:
        return work.sync(
            root.path, options.agents, locked=options.locked, allow_gaps=options.allow_gaps
        )

    if options.check:
        from hookpm.cli import report

        prepared = prepare()
        report.dry_run(prepared, options.json)
        return 1 if prepared.changed or not report.is_whole(prepared) else 0
    return common.change(options, root, prepare)
