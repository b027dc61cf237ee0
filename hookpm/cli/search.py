"""hookpm search: find packs by words, in all registries."""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING

from hookpm.cli import common, output

if TYPE_CHECKING:
    from hookpm.project.catalog import Found

_LIMIT = 20


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The options of search."""
    parser.add_argument(
        "words", nargs="+", metavar="WORD", help="has to be in the name or the description"
    )
    parser.add_argument(
        "--limit",
        type=_count,
        default=_LIMIT,
        metavar="N",
        help=f"show at most N packs; 0 shows all (default: {_LIMIT})",
    )
    common.add_network(parser)
    common.add_project(parser)


def run(options: argparse.Namespace) -> int:
    """Print what was found; exit code 3 where a registry could not be asked."""
    from hookpm.project import catalog, state

    now = state.load(common.find_root(options).path)
    found = catalog.search(now, options.words, options.limit or None)
    if options.json:
        output.show_json(
            {
                "packs": [hit._asdict() for hit in found.hits],
                "total": found.total,
                "errors": [
                    {"registry": failure.registry, **output.describe(failure.error)}
                    for failure in found.failures
                ],
            }
        )
    else:
        _show(found, options.words)
    for failure in found.failures:
        output.fail(failure.error, as_json=False)
    return 3 if found.failures else 0


def _show(found: Found, words: list[str]) -> None:
    for hit in found.hits:
        here = "" if hit.installed is None else f", {hit.installed} is installed"
        description = " ".join(hit.description.split())
        output.show(f"{hit.name} {hit.latest} ({hit.registry}{here}): {description}")
    left = found.total - len(found.hits)
    if left:
        output.say(f"and {left} more; --limit 0 shows all")
    if not found.total:
        output.say(f"no pack has {' and '.join(words)} in its name or description")


def _count(text: str) -> int:
    number = int(text) if text.isascii() and text.isdigit() else -1
    if number < 0:
        raise argparse.ArgumentTypeError(f"{text!r} is not a count")
    return number
