"""hookpm why: who wants a pack, up to the line that started it."""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING, Any

from hookpm.cli import common, output

if TYPE_CHECKING:
    from hookpm.project.graph import Graph


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The options of why."""
    parser.add_argument("pack", metavar="PACK", help="the name of an installed pack")
    common.add_project(parser)


def run(options: argparse.Namespace) -> int:
    """Print who wants the pack; returns the exit code."""
    from hookpm.project import graph, installed, state

    now = state.load(common.find_root(options).path)
    found = graph.of(now)
    installed.check(options.pack, list(found.wanters))
    pack = now.lock.pack(options.pack)
    parts = graph.parts(now, options.pack)
    if options.json:
        output.show_json(
            {
                "pack": options.pack,
                "version": pack and pack.version,
                "source": pack and pack.source,
                "wanted_by": _wanted_by(found, options.pack, ()),
                "line": [{"says": words, **place._asdict()} for words, place in parts],
            }
        )
        return 0
    what = f"{pack.version} from {pack.source}" if pack else "is wanted, but not installed"
    output.show(f"{options.pack} {what}")
    for line in _lines(found, options.pack, (), "  "):
        output.show(line)
    if not found.wanters[options.pack]:
        output.show("  nobody wants it any more: `hookpm sync` takes it out")
    for words, place in parts:
        output.show(f"  {words}: {place}")
    return 0


def _wanted_by(found: Graph, name: str, chain: tuple[str, ...]) -> list[dict[str, Any]]:
    """Who wants a pack, each with who wants that; a circle of packs ends where it closes."""
    return [
        {
            "by": each.by,
            "wants": each.wants,
            "origin": each.origin and each.origin._asdict(),
            "wanted_by": []
            if each.origin or each.by in (*chain, name)
            else _wanted_by(found, each.by, (*chain, name)),
        }
        for each in found.wanters.get(name, ())
    ]


def _lines(found: Graph, name: str, chain: tuple[str, ...], indent: str) -> list[str]:
    lines = []
    for each in found.wanters.get(name, ()):
        if each.origin is not None:
            lines.append(f"{indent}{each.origin} wants {each.wants}")
        elif each.by in (*chain, name):
            lines.append(f"{indent}{each.by} wants {each.wants} (a circle)")
        else:
            lines.append(f"{indent}the pack {each.by} wants {each.wants}")
            lines += _lines(found, each.by, (*chain, name), f"{indent}  ")
    return lines
