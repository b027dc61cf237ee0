"""hookpm update: the best versions that hookpm.toml takes, after a look at what changes."""

from __future__ import annotations

import argparse

from hookpm.cli import common


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The options of update."""
    parser.add_argument(
        "packs",
        nargs="*",
        metavar="PACK",
        help="move these, and what they need where it has to (default: all, profiles too)",
    )
    common.add_gaps(parser)
    common.add_change(parser)


def run(options: argparse.Namespace) -> int:
    """Update the packs; returns the exit code."""
    from hookpm.project import work

    root = common.find_root(options)
    return common.change(
        options,
        root,
        lambda: work.update(root.path, options.packs, allow_gaps=options.allow_gaps),
    )
