"""hookpm pack: for pack authors. One module per verb, imported when it is asked for."""

from __future__ import annotations

import argparse
import sys
from types import ModuleType

from hookpm.errors import UsageError

# Verb -> what it does; the module of that name beside this file has add_arguments and run.
VERBS = {
    "new": "start a pack that works",
    "check": "find what is known to go wrong in hooks",
    "test": "run the pack's cases",
    "build": "make the pack's archive",
    "publish": "add packs to a registry in a folder",
    "yank": "withdraw a published version",
}


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The verbs of pack and their options."""
    verbs = parser.add_subparsers(title="commands", metavar="COMMAND", dest="verb")
    for name, text in VERBS.items():
        verb = _module(name)
        each = verbs.add_parser(name, help=text, description=verb.DESCRIPTION)
        verb.add_arguments(each)
        each.add_argument("--json", action="store_true", help="print one JSON document")


def run(options: argparse.Namespace) -> int:
    """Run one verb; returns the exit code."""
    if options.verb is None:
        raise UsageError(
            f"what is to be done with the pack? {', '.join(VERBS)}",
            hint="`hookpm pack --help` shows what there is",
        )
    code: int = _module(options.verb).run(options)
    return code


def _module(verb: str) -> ModuleType:
    name = f"{__name__}.{verb}"
    __import__(name)
    return sys.modules[name]
