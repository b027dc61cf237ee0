"""Several hookpm.toml as one: a repo's own over the profiles it extends, key by key. Pure.

The order of the layers is the rule: what a profile extends comes before it, the entries of
`extends` come from first to last, the repo's own file is last; each profile counts once, at its
first place. What comes later wins: a pack's version and source as one, its options one by one,
every other key as a whole. What a profile requires is beyond that order: see `demands`.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, NamedTuple

import msgspec

from hookpm.edit import tomltext
from hookpm.errors import HookpmError
from hookpm.project.settings import SOURCE, PackLine, Settings

Key = tuple[str, ...]


class Layer(NamedTuple):
    """One file. source: a profile's, None for the repo's own; file: as messages name it.

    data: its TOML, checked, with paths from the project root. below: the sources of what it
    extends, directly or not.
    """

    source: str | None
    file: Path | str
    text: str
    data: Mapping[str, Any]
    below: frozenset[str] = frozenset()

    @property
    def title(self) -> str:
        """What messages call it."""
        return "hookpm.toml" if self.source is None else f"the profile {self.source}"

    def line(self, name: str) -> dict[str, Any] | None:
        """What it says of a pack, in the long form; None where it says nothing."""
        line = self.data.get("packs", {}).get(name)
        return {"version": line} if isinstance(line, str) else line

    def origin(self, key: Sequence[str]) -> Origin:
        """Where a key stands in it."""
        return Origin(self.source, self.file, tomltext.line_of(self.text, key))


class Origin(NamedTuple):
    """Where a line came from. source: a profile's, None for the repo's own file."""

    source: str | None
    file: Path | str
    line: int | None

    def __str__(self) -> str:
        return f"{self.file}:{self.line}" if self.line else str(self.file)


@dataclass(frozen=True, slots=True)
class Merged:
    """All layers as one. settings: what they say together; origins: key -> index of the layer that
    it came from, for ("agents",), ("registries", N), ("packs", N), ("packs", N, "options", K), ...
    broken: lines that a required one forbids; `settings` is without them."""

    settings: Settings
    layers: tuple[Layer, ...]
    origins: Mapping[Key, int]
    broken: tuple[HookpmError, ...] = ()

    def layer(self, key: Sequence[str]) -> Layer:
        """The layer that a key, or the nearest one around it, came from; the repo's own if none."""
        for end in range(len(key), 0, -1):
            if tuple(key[:end]) in self.origins:
                return self.layers[self.origins[tuple(key[:end])]]
        return self.layers[-1]

    def origin(self, key: Sequence[str]) -> Origin:
        """Where a key came from."""
        return self.layer(key).origin(key)

    def profile(self, name: str) -> str | None:
        """The source of the profile that brings a pack; None where the repo's own file does."""
        return self.layer(("packs", name)).source

    def lines(self, name: str) -> Iterator[tuple[str, Origin]]:
        """Every part of a pack's line, as words, with where it came from."""
        line = self.settings.line(name)
        unit = {key: getattr(line, key, None) for key in SOURCE}
        yield _words({k: v for k, v in unit.items() if v}), self.origin(("packs", name))
        for option, value in line.options.items():
            yield (
                _words({f"options.{option}": value}),
                self.origin(("packs", name, "options", option)),
            )
        for key in ("disable", "agents", "required", "open"):
            if value := getattr(line, key):
                yield _words({key: value}), self.origin(("packs", name, key))


def _words(values: Mapping[str, Any]) -> str:
    return ", ".join(f"{key} = {msgspec.json.encode(v).decode()}" for key, v in values.items())


@dataclass(slots=True)
class Overlay:
    """Plain values of several layers, the later over the earlier, while they are being laid."""

    agents: list[str] | None = None
    registries: dict[str, str] = field(default_factory=dict)
    packs: dict[str, dict[str, Any]] = field(default_factory=dict)
    origins: dict[Key, int] = field(default_factory=dict)

    def settings(self) -> Settings:
        """The values as settings."""
        packs = {name: msgspec.convert(line, PackLine) for name, line in self.packs.items()}
        agents = None if self.agents is None else tuple(self.agents)
        return Settings(agents=agents, packs=dict(packs), registries=dict(self.registries))


def overlaid(layers: Iterable[tuple[int, Layer]]) -> Overlay:
    """These layers, with their numbers, laid over each other."""
    made = Overlay()
    for index, layer in layers:
        if "agents" in layer.data:
            made.agents = list(layer.data["agents"])
            made.origins["agents",] = index
        for name, url in layer.data.get("registries", {}).items():
            made.registries[name] = url
            made.origins["registries", name] = index
        for name in layer.data.get("packs", {}):
            _lay_line(made, index, name, layer.line(name) or {})
    return made


def _lay_line(made: Overlay, index: int, name: str, line: Mapping[str, Any]) -> None:
    kept = made.packs.setdefault(name, {})
    made.origins.setdefault(("packs", name), index)
    if any(key in line for key in SOURCE):
        for key in SOURCE:
            kept.pop(key, None)
        made.origins["packs", name] = index
    for key, value in line.items():
        if key == "options":
            kept["options"] = {**kept.get("options", {}), **value}
            made.origins.update((("packs", name, key, option), index) for option in value)
        else:
            kept[key] = value
            if key not in SOURCE:
                made.origins["packs", name, key] = index
