"""hookpm outdated: installed packs that are not the newest, and what keeps them back."""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING

from hookpm.cli import common, output

if TYPE_CHECKING:
    from hookpm.project.outdated import Outdated


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The options of outdated."""
    common.add_network(parser)
    common.add_project(parser)


def run(options: argparse.Namespace) -> int:
    """Print the packs; exit code 1 where one is outdated, as npm, pnpm and bundler have it."""
    from hookpm.project import outdated, state

    found, moved = outdated.find(state.load(common.find_root(options).path))
    if options.json:
        profiles = [each.json() for each in moved]
        output.show_json({"packs": [each._asdict() for each in found], "profiles": profiles})
        return 1 if found or moved else 0
    for profile in moved:
        output.show(f"{profile}: `hookpm update --profiles` takes it")
    if not found:
        output.show("every pack is the newest that this hookpm takes")
        return 1 if moved else 0
    heads = ("pack", "installed", "update brings", "latest", "from")
    rows = [(e.name, e.installed, e.wanted or "nothing", e.latest, e.source) for e in found]
    wide = [max(len(row[n]) for row in (heads, *rows)) for n in range(len(heads))]
    for row in (heads, *rows):
        output.show("  ".join(cell.ljust(wide[n]) for n, cell in enumerate(row)).rstrip())
    for each in found:
        for note in _notes(each):
            output.show(note)
    return 1


def _notes(each: Outdated) -> list[str]:
    notes = []
    if each.yanked:
        notes.append(f"{each.name} {each.installed} was withdrawn by who published it")
    if each.moved:
        notes.append(
            f"{each.name} {each.installed} has other files now: `hookpm update` takes them"
        )
    if each.wanted != each.latest:
        place = f"{each.file}:{each.line}" if each.line else each.file
        what = f"{place} takes {each.wanted}" if place else f"other packs want {each.wanted}"
        notes.append(f"{each.name} {each.latest} is there, but {what}")
    return notes
