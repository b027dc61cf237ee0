"""What policies say of a project's agents, and of the sources of its packs. Pure.

Each file's policy counts beside all others, so that one in the repo can only add to those of
profiles.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from hookpm.errors import RefusedError
from hookpm.registry.embedded import SOURCE as EMBEDDED

if TYPE_CHECKING:
    from hookpm.project.profiles.layers import Layer
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
    from hookpm.project.profiles import requires

    requires.check(now, resolved)


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
    from hookpm.project.profiles.layers import overlaid

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
