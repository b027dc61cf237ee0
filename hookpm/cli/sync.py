"""hookpm sync: bring the project to what its hookpm.toml says."""

from __future__ import annotations

import argparse

from hookpm.cli import common
from hookpm.errors import UsageError


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The options of sync."""
    parser.add_argument(
        "--check", action="store_true", help="change nothing; exit 1 if anything would change"
    )
    parser.add_argument(
        "--profile",
        action="append",
        default=[],
        metavar="SOURCE",
        dest="profiles",
        help="with --check: the repo has to extend this profile, which is read from where it is; "
        "git+URL@COMMIT, https://..., a folder; repeatable",
    )
    parser.add_argument(
        "--locked", action="store_true", help="refuse anything but what the lock says"
    )
    common.add_agents(parser, "wire this agent too")
    common.add_gaps(parser)
    common.add_local(parser)
    common.add_change(parser)


def run(options: argparse.Namespace) -> int:
    """Sync the project; returns the exit code."""
    from hookpm import agents
    from hookpm.project import work

    for name in options.agents:
        agents.load(name)
    root = common.find_root(options)
    if options.profiles and not options.check:
        raise UsageError("--profile stands with --check alone")
    named = common.profiles(options, root.path)

    def prepare() -> work.Prepared:
        return work.sync(
            root.path,
            options.agents,
            locked=options.locked,
            allow_gaps=options.allow_gaps,
            profiles=named,
            scope=common.scope_of(options),
        )

    if options.check:
        from hookpm.cli import report

        prepared = prepare()
        if named:
            from hookpm.project.health import published
            from hookpm.project.profiles import requires

            # Who can edit the copy of a profile can edit a pack and its hashes as well.
            required = requires.required(prepared.state, prepared.targets)
            published.prove(prepared.state, required)
        return report.check(prepared, options.json)
    return common.change(options, root, prepare)
