"""hookpm pack yank: withdraw a published version; it stays where it is locked or pinned."""

from __future__ import annotations

import argparse
from pathlib import Path

from hookpm.cli import output
from hookpm.errors import UsageError

DESCRIPTION = (
    "Withdraw a version from a registry in a folder: nobody gets it anew. It is not deleted: where "
    "it is locked, or pinned with ==, it still installs, with a note. --undo takes it back."
)


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The options of yank."""
    parser.add_argument("name", metavar="NAME", help="the pack")
    parser.add_argument("version", metavar="VERSION", help="its version")
    parser.add_argument(
        "--to", type=Path, required=True, metavar="DIR", help="the registry's folder"
    )
    parser.add_argument("--undo", action="store_true", help="offer the version again")
    parser.add_argument("--reason", default="", metavar="TEXT", help="why, in one line")


def run(options: argparse.Namespace) -> int:
    """Withdraw the version; returns the exit code."""
    from hookpm.packs import names
    from hookpm.registry import publish

    if options.undo and options.reason:
        raise UsageError("--undo needs no --reason")
    if not options.reason.isprintable():
        raise UsageError("the reason has to be one line of plain text")
    if problem := names.name_problem(options.name):
        raise UsageError(f"{options.name!r} cannot be a pack's name", cause=problem)
    if (problem := names.version_problem(options.version)) and not problem.startswith("write"):
        raise UsageError(f"{options.version!r} cannot be a pack's version", cause=problem)
    done = publish.yank(
        options.name, options.version, options.to, undo=options.undo, reason=options.reason
    )
    what = f"{options.name} {options.version}"
    if options.json:
        output.show_json(
            {
                "changed": bool(done.files),
                "registry": str(options.to),
                "name": options.name,
                "version": options.version,
                "yanked": not options.undo,
                "files": sorted(done.files),
            }
        )
    elif not done.files:
        output.show(f"{what} is {'offered' if options.undo else 'withdrawn'} already")
    else:
        output.show(f"{what} is {'offered again' if options.undo else 'withdrawn'}")
    return 0
