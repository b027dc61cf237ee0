"""hookpm update: the best versions that hookpm.toml takes, after a look at what changes."""

from __future__ import annotations

import argparse

from hookpm.cli import common
from hookpm.errors import UsageError


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The options of update."""
    parser.add_argument(
        "packs",
        nargs="*",
        metavar="PACK",
        help="move these, and what they need where it has to (default: all, profiles too)",
    )
    parser.add_argument(
        "--profiles", action="store_true", help="move the profiles alone, and what they now want"
    )
    common.add_gaps(parser)
    common.add_change(parser)


def run(options: argparse.Namespace) -> int:
    """Update the packs; returns the exit code."""
    from hookpm.project import work

    if options.profiles and options.packs:
        raise UsageError("--profiles stands without packs", hint="`hookpm update` moves all")
    root = common.find_root(options)
    return common.change(
        options,
        root,
        lambda: (
            work.update_profiles(root.path, allow_gaps=options.allow_gaps)
            if options.profiles
            else work.update(root.path, options.packs, allow_gaps=options.allow_gaps)
        ),
    )
