"""What a profile requires: lines that no other file can weaken, and policies. Pure.

A line with `required = true` counts as its profile and what that extends say it together. Any other
file, the repo's own and every other profile, nearer or not, may narrow its versions, set the
options that it names as `open` and switch hooks on; whatever else it says differently is refused.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from packaging.specifiers import SpecifierSet
from packaging.version import Version

from hookpm.errors import HookpmError, RefusedError
from hookpm.project.profiles.layers import Key, Layer, Merged, Origin, Overlay, overlaid
from hookpm.project.settings import SOURCE
from hookpm.registry.embedded import SOURCE as EMBEDDED


class Demand(NamedTuple):
    """A required line. by: the number of its layer; inside: the layers that may say what it is;
    line, origins, registries: what those say together."""

    name: str
    by: int
    inside: frozenset[int]
    line: Mapping[str, Any]
    origins: Mapping[Key, int]
    registries: Mapping[str, str]

    @property
    def sources(self) -> list[str]:
        """The registries that the pack may come from; none where it is a folder's or git's."""
        if self.line.keys() & {"path", "git"}:
            return []
        registry = self.line.get("registry")
        return [EMBEDDED, *self.registries] if registry is None else [registry]


def merge(layers: Sequence[Layer]) -> Merged:
    """All layers as one; the last is the repo's own. Lines that a required one forbids are left
    out, and named in `broken`."""
    made = overlaid(enumerate(layers))
    asked = demands(layers)
    broken = [wrong for demand in asked for wrong in _broken(demand, layers, made)]
    for demand in reversed(asked):
        _hold(made, demand)
    return Merged(made.settings(), tuple(layers), made.origins, tuple(broken))


def demands(layers: Sequence[Layer]) -> list[Demand]:
    """Every required line of the profiles, the farthest first. The repo's own bind nobody."""
    found = []
    for index, layer in enumerate(layers):
        names = [n for n in layer.data.get("packs", {}) if (layer.line(n) or {}).get("required")]
        if layer.source is None or not names:
            continue
        inside = frozenset(
            i for i, other in enumerate(layers) if i == index or other.source in layer.below
        )
        own = overlaid((i, layers[i]) for i in sorted(inside))
        for name in names:
            origins = {k: i for k, i in own.origins.items() if k[:2] == ("packs", name)}
            found.append(Demand(name, index, inside, own.packs[name], origins, own.registries))
    return found


def weakened(demand: Demand, line: Mapping[str, Any]) -> Iterator[tuple[str, str]]:
    """(key, why) for what a line of another file says against a required one."""
    for key, value in line.items():
        wanted = demand.line.get(key)
        if key == "options":
            yield from _options_weakened(demand, value)
        elif key == "disable":
            if gone := [hook for hook in value if hook not in (wanted or ())]:
                yield key, f"{', '.join(gone)} has to stay on"
        elif key == "agents":
            if wanted is None:
                yield key, "it is for all agents"
            elif gone := [agent for agent in wanted if agent not in value]:
                yield key, f"it is for {', '.join(gone)} as well"
        elif key == "version":
            if not (demand.line.keys() & {"path", "git"}):
                if not overlap(wanted or "*", value):
                    yield key, f"it has to be {wanted}"
            else:
                yield key, "it comes from another source"
        elif key == "registry" and wanted is None and value in demand.sources:
            continue  # says which of those that it may come from anyway
        elif key == "required":
            if not value:
                yield key, "it is required"
        elif value != wanted:
            yield key, "it comes from another source" if key in SOURCE else "it is set there"


def _options_weakened(demand: Demand, values: Mapping[str, Any]) -> Iterator[tuple[str, str]]:
    """An option can make a pack look away, so that each has to be opened by its name."""
    kept = demand.line.get("options", {})
    for option, value in values.items():
        if option in kept and value != kept[option]:
            yield f"options.{option}", f"it is set to {kept[option]!r} there"
        elif option not in kept and option not in demand.line.get("open", ()):
            yield f"options.{option}", f'its options are closed; open = ["{option}"] opens it there'


def overlap(one: str, other: str) -> bool:
    """Can a version be in both specifiers? Tried at the edges, where two ranges meet if they do."""
    sets = [SpecifierSet("" if text == "*" else text) for text in (one, other)]
    named = [Version(s.version.removesuffix(".*")) for each in sets for s in each]
    return any(
        all(each.contains(version, prereleases=True) for each in sets)
        for version in [Version("0"), *(near for v in named for near in _around(v))]
    )


def _around(version: Version) -> Iterator[Version]:
    """A version, the one just above, and the next of every part."""
    yield version
    yield Version(f"{version.base_version}.0.0.1")
    parts = version.release
    for end in range(1, len(parts) + 2):
        head = [*parts[:end], *[0] * (end - len(parts))]
        yield Version(".".join(str(p) for p in [*head[:-1], head[-1] + 1]))
    yield Version(version.base_version)


def _broken(demand: Demand, layers: Sequence[Layer], made: Overlay) -> Iterator[HookpmError]:
    by = layers[demand.by]
    for index, layer in enumerate(layers):
        line = layer.line(demand.name)
        if index in demand.inside or line is None:
            continue
        for key, why in weakened(demand, line):
            place = layer.origin(("packs", demand.name, *key.split(".")))
            yield refusal(
                by, demand.name, f"`{key}` of {layer.title} cannot change it: {why}", place
            )
    for name, url in demand.registries.items():
        if made.registries[name] != url:
            layer = layers[made.origins["registries", name]]
            place = layer.origin(("registries", name))
            why = f"{layer.title} gives the registry {name} another address"
            yield refusal(by, demand.name, why, place)


def refusal(by: Layer, name: str, why: str, place: Origin) -> RefusedError:
    """The error for a line at `place` that a required one of the layer `by` forbids."""
    return RefusedError(
        f"{name} is required by {by.title}: {why}",
        cause=f"it is required at {by.origin(('packs', name))}",
        hint="take the line out, or have it changed in the profile",
        file=place.file,
        line=place.line,
    )


def _hold(made: Overlay, demand: Demand) -> None:
    """Give a pack's line back what a required one says."""
    nearest = made.packs[demand.name]
    kept = {k: v for k, v in nearest.items() if not list(weakened(demand, {k: v}))}
    held = {**demand.line, **{k: v for k, v in kept.items() if k not in SOURCE}}
    held["required"] = True
    if "registry" in kept:
        held["registry"] = kept["registry"]
    if "version" in demand.line or "version" in kept:
        held["version"] = narrowed(demand.line.get("version", "*"), kept.get("version", "*"))
    own = demand.line.get("options", {})
    opened = {
        k: v for k, v in nearest.get("options", {}).items() if k in demand.line.get("open", ())
    }
    if options := {**opened, **own}:
        held["options"] = options
    else:
        held.pop("options", None)
    made.packs[demand.name] = held
    made.registries.update(demand.registries)
    for key, index in demand.origins.items():
        if len(key) > 3 or _value(held, key) == _value(demand.line, key):
            made.origins[key] = index


def _value(line: Mapping[str, Any], key: Key) -> Any:
    """What a line has at a key below ("packs", name): its unit, or one of the other keys."""
    return line.get(key[2]) if key[2:] else [line.get(part) for part in SOURCE]


def narrowed(one: str, other: str) -> str:
    """Versions that are in both specifiers."""
    parts = [part.strip() for text in (one, other) if text != "*" for part in text.split(",")]
    return ",".join(dict.fromkeys(parts)) or "*"
