"""hookpm enable: switch hooks of packs on again, and say what that means."""

from __future__ import annotations

import argparse

from hookpm.cli import common


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The options of enable."""
    parser.add_argument(
        "hooks",
        nargs="+",
        metavar="PACK[/HOOK]",
        help="a hook, or all of a pack that are off",
    )
    common.add_change(parser)


def run(options: argparse.Namespace) -> int:
    """Switch on the hooks; returns the exit code."""
    from hookpm.project import switch

    asked = switch.parse(options.hooks, whole=True)
    root = common.find_root(options)
    return common.change(options, root, lambda: switch.enable(root.path, asked))
