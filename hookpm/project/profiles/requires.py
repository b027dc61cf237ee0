"""The packs that profiles require, and what those depend on, as they were resolved. Pure.

`demands` holds the lines of files against each other; here what came of them is held against them.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from hookpm.project.profiles import demands

if TYPE_CHECKING:
    from hookpm.project.generated import PackTarget
    from hookpm.project.profiles.demands import Demand
    from hookpm.project.state import State
    from hookpm.resolve.resolver import Resolved


def check(now: State, resolved: Sequence[Resolved]) -> None:
    """Raise RefusedError where what was resolved is not what a required line says."""
    packs = {each.name: each for each in resolved}
    for demand in demands.demands(now.merged.layers if now.merged else ()):
        _check_demand(now, demand, packs)


def _check_demand(now: State, demand: Demand, packs: Mapping[str, Resolved]) -> None:
    """A required pack and all that it brings come from where its profile can say, and are whole."""
    assert now.merged is not None
    layers = now.merged.layers
    by = layers[demand.by]
    for name in _closure(demand.name, packs):
        source = packs[name].source
        if name == demand.name:
            if demand.sources and source not in demand.sources:
                why = f"it would come from {source}, which is none of that profile's registries"
                raise demands.refusal(by, name, why, now.merged.origin(("packs", name)))
            continue
        bare = demand._replace(name=name, line={}, origins={})
        for index, layer in enumerate(layers):
            line = layer.line(name)
            if index in demand.inside or line is None:
                continue
            for key, why in demands.weakened(bare, line):
                place = layer.origin(("packs", name, *key.split(".")))
                told = f"`{key}` of {layer.title} cannot change what {demand.name} needs: {why}"
                raise demands.refusal(by, demand.name, told, place)


def required(now: State, packs: Sequence[PackTarget]) -> set[str]:
    """The names of the packs that profiles require, and of all that those depend on."""
    layers = now.merged.layers if now.merged else ()
    by_name = {pack.name: pack for pack in packs}
    return {name for each in demands.demands(layers) for name in _closure(each.name, by_name)}


def _closure(name: str, packs: Mapping[str, Resolved] | Mapping[str, PackTarget]) -> list[str]:
    """A pack and all that it depends on, by name."""
    found: dict[str, None] = {}
    left = [name]
    while left:
        each = left.pop()
        if each in packs and each not in found:
            found[each] = None
            left += packs[each].content.manifest.dependencies
    return list(found)
