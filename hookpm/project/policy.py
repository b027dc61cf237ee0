"""What has to hold of a project's packs because a profile requires it, or a policy says so. Pure.

`demands` holds the lines against each other; here what was resolved is held against the lines. Each
file's policy counts beside all others, so that one in the repo can only add to those of profiles.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from hookpm.errors import RefusedError
from hookpm.project import demands
from hookpm.project.layers import Layer, overlaid
from hookpm.registry.embedded import SOURCE as EMBEDDED

if TYPE_CHECKING:
    from hookpm.project.demands import Demand
    from hookpm.project.generated import PackTarget
    from hookpm.project.state import State
    from hookpm.resolve.resolver import Resolved


def agents(now: State) -> list[str]:
    """The agents that policies want wired."""
    return [agent for _, policy in _policies(now) for agent in policy.get("agents", ())]


def check(now: State, resolved: Sequence[Resolved], chosen: Sequence[str]) -> None:
    """Raise RefusedError, naming the line and the profile, where something does not hold.

    resolved: all packs; chosen: the names of the project's agents.
    """
    if now.merged is None:
        return
    for wrong in missing_agents(now, chosen):
        raise wrong
    for layer, policy in _policies(now):
        for each in resolved if "sources" in policy else ():
            _check_source(now, layer, policy["sources"], each)
    for demand in demands.demands(now.merged.layers):
        _check_demand(now, demand, {each.name: each for each in resolved})


def missing_agents(now: State, chosen: Sequence[str]) -> Iterator[RefusedError]:
    """The errors for agents that policies want wired, and that are not among the project's."""
    for layer, policy in _policies(now):
        gone = [agent for agent in policy.get("agents", ()) if agent not in chosen]
        if gone and now.merged is not None:
            place = now.merged.origin(("agents",))
            yield RefusedError(
                f"{', '.join(gone)} has to be among the agents, by the policy of {layer.title}",
                cause=f"it says so at {layer.origin(('policy', 'agents'))}",
                hint=f"add it to `agents`, or have the policy of {layer.title} changed",
                file=place.file,
                line=place.line,
            )


def allows_gaps(now: State, asked: bool) -> bool:
    """Does --allow-gaps, where it is asked for, hold?"""
    return asked and refuses_gaps(now) is None


def refuses_gaps(now: State) -> str | None:
    """Why --allow-gaps does not help, in words; None where no policy says so."""
    for layer, policy in _policies(now):
        if policy.get("gaps") == "refuse":
            return f"the policy of {layer.title} refuses gaps ({layer.origin(('policy', 'gaps'))})"
    return None


def _policies(now: State) -> Iterator[tuple[Layer, Mapping[str, Any]]]:
    for layer in now.merged.layers if now.merged else ():
        if "policy" in layer.data:
            yield layer, layer.data["policy"]


def _check_source(now: State, layer: Layer, allowed: Sequence[str], pack: Resolved) -> None:
    assert now.merged is not None
    known = _below(now.merged.layers, layer)
    if any(_allows(now, known, entry, pack.source) for entry in allowed):
        return
    place = now.merged.origin(("packs", pack.name))
    told = layer.origin(("policy", "sources"))
    raise RefusedError(
        f"{pack.name} comes from {pack.source}, which the policy of {layer.title} does not allow",
        cause=f"it allows {', '.join(allowed) or 'nothing'} at {told}",
        hint="take the pack out, or have its source added to the policy",
        file=place.file,
        line=place.line,
    )


def _below(layers: Sequence[Layer], layer: Layer) -> Mapping[str, str]:
    """The registries that a file and what it extends name."""
    inside = [(i, e) for i, e in enumerate(layers) if e is layer or e.source in layer.below]
    return overlaid(inside).registries


def _allows(now: State, known: Mapping[str, str], entry: str, source: str) -> bool:
    """Does an entry of `sources` take a source? A registry's name means the address that the
    policy's own file has for it, whatever another file calls by that name."""
    if source == EMBEDDED or source.startswith("path:"):
        return entry == source.partition(":")[0]
    address = source if source.startswith("git+") else now.settings.registries.get(source)
    if address is None:
        return False
    if entry in known:
        return known[entry] == address
    start = entry.rstrip("/")
    whole = address.partition("#")[0].rstrip("/")
    if "://" not in start or ".." in whole or "%" in whole:
        return False
    return whole == start or whole.startswith(f"{start}/")


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
