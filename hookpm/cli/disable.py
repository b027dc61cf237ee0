"""hookpm disable: switch hooks of packs off, and say what that means."""

from __future__ import annotations

import argparse

from hookpm.cli import common


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The options of disable."""
    parser.add_argument(
        "hooks",
        nargs="+",
        metavar="PACK/HOOK",
        help="a hook, such as protect-secrets/guard-files",
    )
    common.add_change(parser)


def run(options: argparse.Namespace) -> int:
    """Switch off the hooks; returns the exit code."""
    from hookpm.project import switch

    asked = switch.parse(options.hooks, whole=False)
    root = common.find_root(options)
    return common.change(options, root, lambda: switch.disable(root.path, asked))
