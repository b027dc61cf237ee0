"""Who wants which pack: lines of hookpm.toml and of profiles, and packs that depend on packs.

Read from what is installed; no registry is asked.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from hookpm.edit import tomltext
from hookpm.project import gitline, installed

if TYPE_CHECKING:
    from hookpm.packs.content import Content
    from hookpm.project.state import State


class Origin(NamedTuple):
    """Where something stands. source: a profile's, None for hookpm.toml; file: from the root."""

    source: str | None
    file: str
    line: int | None

    def __str__(self) -> str:
        place = f"{self.file}:{self.line}" if self.line else self.file
        return place if self.source is None else f"{place} (the profile {self.source})"


class Wanter(NamedTuple):
    """Who wants a pack. by: "hookpm.toml", "profile" or the name of a pack; wants: the versions,
    or the place it has to come from; origin: the line, None for a pack's manifest."""

    by: str
    wants: str
    origin: Origin | None


class Graph(NamedTuple):
    """wanters: pack -> who wants it, lines first; dependencies: pack -> name -> versions."""

    wanters: Mapping[str, tuple[Wanter, ...]]
    dependencies: Mapping[str, Mapping[str, str]]

    def dependents(self, name: str) -> list[str]:
        """The packs that want a pack."""
        return [each.by for each in self.wanters.get(name, ()) if each.origin is None]

    def roots(self) -> list[str]:
        """The packs that a line wants."""
        return [name for name, by in self.wanters.items() if any(w.origin for w in by)]


def of(now: State) -> Graph:
    """The graph of a project as it is installed."""
    contents = installed.all_contents(now)
    dependencies = {name: _wants(content) for name, content in sorted(contents.items())}
    wanters: dict[str, tuple[Wanter, ...]] = {}
    names = [pack.name for pack in now.lock.packs]
    for name in (*names, *(n for n in now.settings.packs if n not in names)):
        found = [_line(now, name)] if name in now.settings.packs else []
        found += [
            Wanter(other, wants[name], None)
            for other, wants in dependencies.items()
            if name in wants
        ]
        wanters[name] = tuple(found)
    return Graph(wanters, dependencies)


def origin(now: State, key: tuple[str, ...]) -> Origin:
    """Where a key of the settings stands."""
    text, file = now.said(key)
    place = Path(file)
    shown = place.relative_to(now.root) if place.is_relative_to(now.root) else file
    layer = None if now.merged is None else now.merged.layer(key)
    return Origin(layer and layer.source, str(shown), tomltext.line_of(text, key))


def parts(now: State, name: str) -> list[tuple[str, Origin]]:
    """Every part of a pack's line that a profile may have said, and where it stands; [] where
    hookpm.toml stands alone."""
    if now.merged is None or name not in now.settings.packs:
        return []
    found = []
    for words, place in now.merged.lines(name):
        file = Path(place.file)
        shown = file.relative_to(now.root) if file.is_relative_to(now.root) else place.file
        found.append((words, Origin(place.source, str(shown), place.line)))
    return found


def _line(now: State, name: str) -> Wanter:
    where = origin(now, ("packs", name))
    line = now.settings.line(name)
    wants = line.version or "any version"
    if line.path is not None:
        wants = f"the folder {line.path}"
    elif line.git is not None:
        wants = gitline.words(line)
    return Wanter("hookpm.toml" if where.source is None else "profile", wants, where)


def _wants(content: Content) -> dict[str, str]:
    wants = content.manifest.dependencies
    return {name: specifier or "any version" for name, specifier in sorted(wants.items())}
