"""hookpm review: everything that would run and is not in the lock yet, to be read and approved."""

from __future__ import annotations

import argparse
import sys
from typing import TYPE_CHECKING

from hookpm.cli import common, output

if TYPE_CHECKING:
    from collections.abc import Sequence

    from hookpm.project.review.review import PackChange
    from hookpm.project.root import Root
    from hookpm.project.work import Prepared


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The options of review."""
    parser.add_argument(
        "--full", action="store_true", help="show every file to its end, not just 400 lines of it"
    )
    parser.add_argument(
        "--since",
        metavar="REV",
        help="compare what runs in the working tree with a git revision, such as main",
    )
    common.add_gaps(parser)
    common.add_network(parser)
    common.add_project(parser)
    parser.set_defaults(yes=False, quiet=False, verbose=False, dry_run=False)


def run(options: argparse.Namespace) -> int:
    """Print what is new; exit code 1 where anything is, and the user did not approve it."""
    from hookpm.project import work
    from hookpm.project.review import reviewjson

    root = common.find_root(options)
    if options.since is not None:
        return _since(options, root)
    prepared = work.sync(root.path, allow_gaps=True)  # only to read it
    changes = work.reviewed(prepared)
    if options.json:
        packs = reviewjson.document(changes)
        output.show_json({"state": "new" if packs else "approved", "packs": packs})
        return 1 if packs else 0
    if not changes:
        output.show("nothing is new: what would run is what the lock has")
        return 0
    if common.on_terminal() and sys.stdout is not None and sys.stdout.isatty():
        return common.change(
            options,
            root,
            lambda: work.sync(root.path, allow_gaps=options.allow_gaps),
            lambda prepared: _show(prepared, options.full),
        )
    _show(prepared, options.full)
    output.say("not approved: `hookpm review` on a terminal asks; `hookpm sync` takes it unasked")
    return 1


def _since(options: argparse.Namespace, root: Root) -> int:
    """What runs here and did not at a revision; exit code 1 where there is anything."""
    from hookpm.project.review import review, reviewjson, runtree

    found = runtree.since(root.path, options.since)
    changes = review.compare(found.before, found.after)
    if options.json:
        packs, notes = reviewjson.document(changes), list(found.notes)
        state = "new" if packs else "approved"
        output.show_json({"since": found.commit, "state": state, "packs": packs, "notes": notes})
        return 1 if packs else 0
    _show_changes(changes, options.full)
    for note in found.notes:
        output.say(f"note: {note}")
    if not changes:
        output.show(f"nothing is new since {options.since}: the same runs here")
    return 1 if changes else 0


def _show(prepared: Prepared, full: bool) -> None:
    from hookpm.project import work

    _show_changes(work.reviewed(prepared), full)


def _show_changes(changes: Sequence[PackChange], full: bool) -> None:
    from hookpm.project.review import reviewtext

    limit = None if full else reviewtext.LINES
    for line in (*reviewtext.summary(changes), *reviewtext.contents(changes, limit, more="--full")):
        output.show(line)
