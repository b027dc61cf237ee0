"""hookpm tree: the installed packs, each with what it depends on."""

from __future__ import annotations

import argparse
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from hookpm.cli import common, output

if TYPE_CHECKING:
    from hookpm.project.graph import Graph
    from hookpm.project.state import State


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The options of tree."""
    common.add_project(parser)


def run(options: argparse.Namespace) -> int:
    """Print the tree; returns the exit code."""
    from hookpm.project import graph, state

    now = state.load(common.find_root(options).path)
    found = graph.of(now)
    wanted = found.roots()
    tops = [*wanted, *(n for n, by in found.wanters.items() if not by and n not in wanted)]
    if options.json:
        output.show_json({"packs": [_node(now, found, name, None, ()) for name in tops]})
        return 0
    shown: set[str] = set()
    for name in tops:
        for line in _lines(now, found, name, shown):
            output.show(line)
    if not tops:
        output.say("no packs are installed here; `hookpm install PACK` adds one")
    return 0


def _node(
    now: State, found: Graph, name: str, wants: str | None, chain: tuple[str, ...]
) -> dict[str, Any]:
    pack = now.lock.pack(name)
    below = {} if name in chain else found.dependencies.get(name, {})
    return {
        "name": name,
        "version": pack and pack.version,
        "source": pack and pack.source,
        "wants": wants,
        "dependencies": [
            _node(now, found, each, spec, (*chain, name)) for each, spec in below.items()
        ],
    }


def _lines(now: State, found: Graph, name: str, shown: set[str]) -> Iterator[str]:
    """A pack, and below it what it depends on; what was shown before is not opened again."""
    yield _title(now, name, None)
    shown.add(name)
    yield from _below(now, found, name, shown, "")


def _below(now: State, found: Graph, name: str, shown: set[str], indent: str) -> Iterator[str]:
    below = found.dependencies.get(name, {})
    for number, (each, wants) in enumerate(below.items(), 1):
        last = number == len(below)
        again = each in shown and bool(found.dependencies.get(each))
        yield f"{indent}{'`-- ' if last else '|-- '}{_title(now, each, wants)}" + (
            " (see above)" if again else ""
        )
        if each not in shown:
            shown.add(each)
            yield from _below(now, found, each, shown, indent + ("    " if last else "|   "))


def _title(now: State, name: str, wants: str | None) -> str:
    pack = now.lock.pack(name)
    title = f"{name} {pack.version} from {pack.source}" if pack else f"{name}, not installed"
    return title if wants is None else f"{title} (wants {wants})"
