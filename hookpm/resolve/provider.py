"""The world as resolvelib asks for it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from resolvelib import AbstractProvider

from hookpm.resolve.world import Candidate, Need, World

if TYPE_CHECKING:
    from resolvelib.structs import RequirementInformation


class Provider(AbstractProvider[Need, Candidate, str]):
    """Names identify packs; the order of candidates is the world's."""

    def __init__(self, world: World) -> None:
        self._world = world

    def identify(self, requirement_or_candidate: Need | Candidate) -> str:
        """The pack's name."""
        return requirement_or_candidate.name

    def get_preference(
        self,
        identifier: str,
        resolutions: Mapping[str, Candidate],  # noqa: ARG002
        candidates: Mapping[str, Iterator[Candidate]],  # noqa: ARG002
        information: Mapping[  # noqa: ARG002
            str, Iterator[RequirementInformation[Need, Candidate]]
        ],
        backtrack_causes: Sequence[RequirementInformation[Need, Candidate]],
    ) -> Any:
        """First what made trouble, then the user's own wishes, then by name."""
        trouble = any(c.requirement.name == identifier for c in backtrack_causes)
        wished = any(need.name == identifier for need in self._world.needs)
        return (not trouble, not wished, identifier)

    def find_matches(
        self,
        identifier: str,
        requirements: Mapping[str, Iterator[Need]],
        incompatibilities: Mapping[str, Iterator[Candidate]],
    ) -> Iterable[Candidate]:
        """The candidates that meet all needs, the best first."""
        needs = list(requirements[identifier])
        origins = {need.origin for need in needs}
        if len(origins) != 1:  # one name from two registries is two packs
            return []
        excluded = {c.version for c in incompatibilities[identifier]}
        return [
            c
            for c in self._world.candidates(identifier, origins.pop())
            if c.version not in excluded and all(self.is_satisfied_by(n, c) for n in needs)
        ]

    def is_satisfied_by(self, requirement: Need, candidate: Candidate) -> bool:
        """By source and version; which prereleases may be taken at all is the world's to say."""
        if requirement.origin != candidate.source:
            return False
        return requirement.specifier.contains(candidate.version, prereleases=True)

    def get_dependencies(self, candidate: Candidate) -> Iterable[Need]:
        """What the candidate wants."""
        return self._world.dependencies(candidate)
