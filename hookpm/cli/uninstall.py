"""hookpm uninstall: take packs out; with the last one everything of hookpm's goes."""

from __future__ import annotations

import argparse

from hookpm.cli import common


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The options of uninstall."""
    parser.add_argument("packs", nargs="+", metavar="PACK", help="the name of an installed pack")
    common.add_local(parser)
    common.add_change(parser)


def run(options: argparse.Namespace) -> int:
    """Uninstall the packs; returns the exit code."""
    from hookpm.project import work

    root = common.find_root(options)
    scope = common.scope_of(options)
    return common.change(
        options, root, lambda: work.uninstall(root.path, options.packs, scope=scope)
    )
