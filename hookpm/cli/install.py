"""hookpm install: add packs, check every agent's capabilities, wire, prove."""

from __future__ import annotations

import argparse
from pathlib import Path

from hookpm.cli import common


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The options of install."""
    parser.add_argument(
        "packs",
        nargs="+",
        metavar="PACK",
        help="a name, with versions if you like (protect-secrets, 'protect-secrets>=1,<2'), "
        "the folder of a pack or of a Claude Code plugin (./my-pack), or a git repository "
        "(git+https://HOST/REPO@REF#subdirectory=FOLDER)",
    )
    parser.add_argument(
        "--registry",
        metavar="NAME[=ADDRESS]",
        help="take the packs from this registry of hookpm.toml; with an address, name it there",
    )
    common.add_agents(parser, "wire this agent too (default: those in use)")
    common.add_gaps(parser)
    common.add_local(parser)
    common.add_change(parser)


def run(options: argparse.Namespace) -> int:
    """Install the packs; returns the exit code."""
    from hookpm.project import chosenregistry, wishes, work

    asked = wishes.parse_requirements(options.packs)
    registry = None if options.registry is None else chosenregistry.parse(options.registry)
    for agent in options.agents:
        _check_agent(agent)
    root = common.find_root(options)
    return common.change(
        options,
        root,
        lambda: work.install(
            root.path,
            asked,
            options.agents,
            allow_gaps=options.allow_gaps,
            cwd=Path.cwd(),
            registry=registry,
            scope=common.scope_of(options),
        ),
    )


def _check_agent(name: str) -> None:
    from hookpm import agents

    agents.load(name)
