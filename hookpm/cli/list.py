"""hookpm list: the installed packs."""

from __future__ import annotations

import argparse

from hookpm.cli import common, output


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The options of list."""
    common.add_project(parser)


def run(options: argparse.Namespace) -> int:
    """Print the packs; returns the exit code."""
    from hookpm.project import state

    now = state.load(common.find_root(options).path)
    packs = [
        {"name": p.name, "version": p.version, "source": p.source, "hooks": len(p.entries)}
        for p in now.lock.packs
    ]
    if options.json:
        output.show_json({"packs": packs})
        return 0
    for pack in packs:
        hooks = "1 hook" if pack["hooks"] == 1 else f"{pack['hooks']} hooks"
        output.show(f"{pack['name']} {pack['version']} from {pack['source']} ({hooks})")
    if not packs:
        output.say("no packs are installed here; `hookpm install PACK` adds one")
    return 0
