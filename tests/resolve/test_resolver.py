from __future__ import annotations

import itertools
from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from packaging.specifiers import SpecifierSet
from packaging.version import Version

from hookpm.errors import FileFormatError, HookpmError, NotFoundError, RefusedError
from hookpm.packs.content import Content
from hookpm.project import sources
from hookpm.registry.index import Listing, PackPage, Release
from hookpm.resolve import requirement
from hookpm.resolve.explain import ConflictError
from hookpm.resolve.requirement import NameRequirement, PathRequirement
from hookpm.resolve.resolver import Resolved, resolve, solve
from hookpm.resolve.world import Given, Pin, Wanted

Memory = Any
BASE = Path("/")


def typed(text: str, base: Path = BASE) -> NameRequirement | Given:
    """What a user would have typed, with folders read."""
    asked = requirement.parse(text)
    if isinstance(asked, NameRequirement):
        return asked
    assert isinstance(asked, PathRequirement)
    return sources.folder(asked.path, base)


def got(
    memory: Memory, *texts: str, locked: Mapping[str, Pin] | None = None, hookpm: str = "0.1.0"
) -> list[str]:
    wanted = [Wanted(typed(text)) for text in texts]
    picked = solve(wanted, [memory], locked=locked, hookpm=hookpm)
    return sorted(str(candidate) for candidate in picked.values())


def refused(memory: Memory, *texts: str) -> HookpmError:
    with pytest.raises(HookpmError) as caught:
        got(memory, *texts)
    return caught.value


def test_the_highest_version_that_fits_is_taken(memory: Memory) -> None:
    for version in ("1.0", "1.9", "1.10", "2.0"):
        memory.add("guard", version)
    assert got(memory, "guard") == ["guard 2.0"]
    assert got(memory, "guard<2") == ["guard 1.10"]
    assert got(memory, "guard==1.0") == ["guard 1.0"]
    assert got(memory, "guard~=1.0", "guard!=1.10") == ["guard 1.9"]


def test_dependencies_come_along_and_are_shared(memory: Memory) -> None:
    memory.add("a", "1.0", {"c": ">=1,<3"})
    memory.add("b", "1.0", {"c": "<2"})
    memory.add("c", "1.5")
    memory.add("c", "2.0")
    assert got(memory, "a") == ["a 1.0", "c 2.0"]
    assert got(memory, "a", "b") == ["a 1.0", "b 1.0", "c 1.5"]


def test_an_older_version_is_taken_where_the_newest_does_not_fit(memory: Memory) -> None:
    memory.add("a", "1.0")
    memory.add("a", "2.0", {"b": ">=5"})
    memory.add("b", "1.0")
    assert got(memory, "a") == ["a 1.0"]


def test_packs_may_need_each_other(memory: Memory) -> None:
    memory.add("a", "1.0", {"b": ""})
    memory.add("b", "1.0", {"a": ""})
    assert got(memory, "a") == ["a 1.0", "b 1.0"]


def test_a_prerelease_is_taken_only_when_asked_for(memory: Memory) -> None:
    memory.add("guard", "1.0")
    memory.add("guard", "2.0rc1")
    assert got(memory, "guard") == ["guard 1.0"]
    assert got(memory, "guard>=2.0rc1") == ["guard 2.0rc1"]
    error = refused(memory, "guard>=1.5")
    assert error.hint == "to take the prerelease, ask for guard==2.0rc1"


def test_a_withdrawn_version_is_taken_only_when_pinned_or_locked(memory: Memory) -> None:
    memory.add("guard", "1.0")
    memory.add("guard", "1.1", yanked=True)
    assert got(memory, "guard") == ["guard 1.0"]
    assert got(memory, "guard==1.1.0") == ["guard 1.1"]
    assert got(memory, "guard", locked={"guard": Pin("1.1", "memory")}) == ["guard 1.1"]
    assert "1.1 (withdrawn)" in (refused(memory, "guard>=1.1").cause or "")


def test_a_version_for_another_hookpm_is_passed_over(memory: Memory) -> None:
    memory.add("guard", "1.0", hookpm=">=0.1")
    memory.add("guard", "2.0", hookpm=">=9")
    assert got(memory, "guard") == ["guard 1.0"]
    assert got(memory, "guard", hookpm="9.1.dev1") == ["guard 2.0"]
    error = refused(memory, "guard==2.0")
    assert "2.0 (needs hookpm >=9, this is 0.1.0)" in (error.cause or "")


def test_locked_versions_stay_while_they_fit(memory: Memory) -> None:
    for name in ("a", "b"):
        memory.add(name, "1.0")
        memory.add(name, "2.0")
    locked = {"a": Pin("1.0", "memory")}
    assert got(memory, "a", "b", locked=locked) == ["a 1.0", "b 2.0"]
    assert got(memory, "a>=2", locked=locked) == ["a 2.0"]
    assert got(memory, "a", locked={"a": Pin("0.5", "memory")}) == ["a 2.0"]


def test_a_lock_on_a_folder_holds_no_version_of_a_registry(memory: Memory) -> None:
    memory.add("a", "1.0")
    memory.add("a", "2.0")
    assert got(memory, "a", locked={"a": Pin("1.0", "path:a")}) == ["a 2.0"]


def test_a_locked_dependency_moves_only_when_it_must(memory: Memory) -> None:
    memory.add("a", "1.0", {"c": ">=1"})
    memory.add("b", "1.0", {"c": ">=2"})
    for version in ("1.0", "2.0", "3.0"):
        memory.add("c", version)
    locked = {"c": Pin("1.0", "memory")}
    assert "c 1.0" in got(memory, "a", locked=locked)
    assert "c 3.0" in got(memory, "a", "b", locked=locked)


def test_an_unknown_pack_is_answered_with_near_names(memory: Memory) -> None:
    memory.add("protect-secrets", "1.0")
    error = refused(memory, "protect-secret")
    assert isinstance(error, NotFoundError)
    assert error.message == "no pack named 'protect-secret' in the registry memory"
    assert error.hint == "did you mean protect-secrets?"
    assert refused(memory, "zzz").hint == "packs there are: protect-secrets"


def test_an_unknown_version_is_answered_with_the_ones_there_are(memory: Memory) -> None:
    memory.add("guard", "1.0")
    memory.add("guard", "1.1")
    error = refused(memory, "guard==9")
    assert isinstance(error, NotFoundError)
    assert error.message == "no version of guard fits ==9"
    assert error.cause == "versions of guard: 1.0, 1.1"


def test_a_conflict_says_who_wants_what_and_what_works(memory: Memory) -> None:
    memory.add("a", "1.0", {"c": "<2"})
    memory.add("b", "1.0", {"c": "<2"})
    memory.add("b", "2.0", {"c": ">=2"})
    memory.add("c", "1.0")
    memory.add("c", "2.0")
    error = refused(memory, "a", "b>=2")
    assert isinstance(error, ConflictError)
    assert error.message == "no version of c is right for all who want it"
    assert (error.cause or "").splitlines() == [
        "a 1.0 wants c<2",
        "b 2.0 wants c>=2",
        "versions of c: 1.0, 2.0",
    ]
    assert error.hint == "what works: leave out a; or b 1.0 instead of b>=2"


def test_a_dependency_that_no_registry_has_is_named_with_who_wants_it(memory: Memory) -> None:
    memory.add("a", "1.0", {"gone": ">=1"})
    error = refused(memory, "a")
    assert isinstance(error, NotFoundError)
    assert error.cause == "a 1.0 wants gone>=1, which no registry has"


def test_two_wishes_of_the_user_can_contradict_each_other(memory: Memory) -> None:
    memory.add("a", "1.0")
    memory.add("a", "2.0")
    error = refused(memory, "a<2", "a>=2")
    assert isinstance(error, ConflictError)
    assert "the command line wants a<2" in (error.cause or "")


def full(memory: Memory, *wanted: Wanted, **more: Any) -> list[Resolved]:
    return resolve(wanted, [memory], **more)


def test_the_result_has_files_hashes_and_who_wants_it(memory: Memory) -> None:
    memory.add("a", "1.0", {"b": ""})
    memory.add("b", "1.0")
    by_user = Wanted(typed("b"), "hookpm.toml")
    a, b = full(memory, Wanted(typed("a")), by_user)
    assert (a.name, a.version, a.source) == ("a", "1.0", "memory")
    assert a.archive_sha256 == memory.pages["a"][0].sha256
    assert a.content.manifest.name == "a"
    assert b.wanted_by == ("a", "hookpm.toml")


def test_solving_alone_fetches_nothing(memory: Memory) -> None:
    memory.add("a", "1.0")
    got(memory, "a")
    assert memory.asked == []


def test_an_archive_that_is_not_the_locked_one_is_refused_with_both_hashes(
    memory: Memory,
) -> None:
    memory.add("a", "1.0")
    wanted = Wanted(typed("a"))
    right = memory.pages["a"][0].sha256
    assert full(memory, wanted, locked={"a": Pin("1.0", "memory", right)})
    with pytest.raises(RefusedError) as caught:
        full(memory, wanted, locked={"a": Pin("1.0", "memory", "0" * 64)})
    assert right in (caught.value.cause or "")
    assert "0" * 64 in (caught.value.cause or "")


def test_an_archive_of_another_pack_is_refused(memory: Memory) -> None:
    memory.add("a", "1.0")
    memory.add("b", "1.0")
    memory.archives["archives/a-1.0.tar.gz"] = memory.archives["archives/b-1.0.tar.gz"]
    with pytest.raises(FileFormatError, match="something else than the registry says"):
        full(memory, Wanted(typed("a")))


def test_a_folder_is_a_pack_and_brings_its_dependencies(
    memory: Memory, make_folder: Callable[..., Path], tmp_path: Path
) -> None:
    memory.add("b", "1.0")
    make_folder("house", "0.1rc1", {"b": ">=1"})
    wanted = Wanted(typed("./house", tmp_path))
    b, house = full(memory, wanted)
    assert (house.source, house.version, house.archive_sha256) == ("path:house", "0.1rc1", None)
    assert b.wanted_by == ("house",)


def test_a_folder_stands_in_for_the_pack_of_its_name(
    memory: Memory, make_folder: Callable[..., Path], tmp_path: Path
) -> None:
    memory.add("a", "1.0", {"b": "<2"})
    memory.add("b", "1.5")
    make_folder("b", "1.0", folder="mine")
    wanted = [Wanted(typed(t, tmp_path)) for t in ("a", "./mine")]
    assert [r.source for r in full(memory, *wanted)] == ["memory", "path:mine"]
    make_folder("b", "2.0", folder="newer")
    wanted = [Wanted(typed(t, tmp_path)) for t in ("a", "./newer")]
    with pytest.raises(ConflictError) as caught:
        full(memory, *wanted)
    assert "versions of b: 2.0 (from path:newer)" in (caught.value.cause or "")


def test_folders_that_cannot_be_installed_say_why(
    memory: Memory, make_folder: Callable[..., Path], tmp_path: Path
) -> None:
    make_folder("x", folder="one")
    make_folder("x", folder="two")
    make_folder("y", hookpm=">=9")
    both = [Wanted(typed(t, tmp_path)) for t in ("./one", "./two")]
    with pytest.raises(RefusedError, match="the pack x is wanted from two places"):
        full(memory, *both)
    with pytest.raises(RefusedError, match="needs hookpm >=9"):
        full(memory, Wanted(typed("./y", tmp_path)))
    with pytest.raises(NotFoundError, match="no folder"):
        full(memory, Wanted(typed("./gone", tmp_path)))


def test_a_name_in_two_registries_has_to_be_pinned_to_one(
    memory: Memory, another: Callable[[str], Memory]
) -> None:
    acme = another("acme")
    memory.add("a", "1.0")
    acme.add("a", "9.0")
    asked = typed("a")
    with pytest.raises(RefusedError, match="in 2 registries: memory, acme"):
        resolve([Wanted(asked)], [memory, acme])
    for source in ("memory", "acme"):
        chosen = resolve([Wanted(asked, registry=source)], [memory, acme])
        assert chosen[0].source == source
    kept = resolve([Wanted(asked)], [memory, acme], locked={"a": Pin("1.0", "memory")})
    assert kept[0].source == "memory"
    with pytest.raises(NotFoundError, match="not configured"):
        resolve([Wanted(asked, registry="gone")], [memory, acme])


# --- against brute force, on small worlds ---

NAMES = ("a", "b", "c")
VERSIONS = ("1.0", "2.0", "3.0rc1")
SPECIFIERS = ("", ">=2", "<2", "==1.0", "!=1.0", ">=3.0rc1", "<3.0rc1")

needs = st.dictionaries(st.sampled_from((*NAMES, "gone")), st.sampled_from(SPECIFIERS), max_size=2)
packs = st.dictionaries(st.sampled_from(VERSIONS), st.tuples(needs, st.booleans()), max_size=3)
worlds = st.fixed_dictionaries(dict.fromkeys(NAMES, packs))
wishes = st.dictionaries(st.sampled_from(NAMES), st.sampled_from(SPECIFIERS), min_size=1)

World = dict[str, dict[str, tuple[dict[str, str], bool]]]


class Small:
    """A registry without archives."""

    source = "small"
    local = True

    def __init__(self, world: World) -> None:
        self.world = world

    def names(self) -> Sequence[str]:
        return sorted(self.world)

    def listing(self) -> dict[str, Listing]:
        return {}

    def pack(self, name: str) -> PackPage | None:
        versions = self.world.get(name)
        if not versions:
            return None
        releases = (
            Release(
                version=version,
                archive="x",
                sha256="",
                size=0,
                description="",
                requires_hookpm="",
                dependencies=wants,
                hooks=(),
                yanked=yanked,
            )
            for version, (wants, yanked) in sorted(versions.items())
        )
        return PackPage(format=1, name=name, versions=tuple(releases))

    def prefetch(self, names: Iterable[str]) -> None:
        pass

    def archive(self, name: str, release: Release) -> bytes:
        raise AssertionError("nothing is fetched")

    def content(self, name: str, release: Release) -> Content:
        raise AssertionError("nothing is fetched")


def may_be_taken(name: str, version: str, yanked: bool, wish: dict[str, str]) -> bool:
    if yanked and wish.get(name) != f"=={version}":
        return False
    return "rc" not in version or "rc" in wish.get(name, "")


def is_solution(world: World, wish: dict[str, str], chosen: dict[str, str]) -> bool:
    wants = [wish, *(world[name][version][0] for name, version in chosen.items())]
    return all(
        name in chosen and SpecifierSet(spec).contains(Version(chosen[name]), prereleases=True)
        for want in wants
        for name, spec in want.items()
    ) and all(
        may_be_taken(name, version, world[name][version][1], wish)
        for name, version in chosen.items()
    )


def solutions(world: World, wish: dict[str, str]) -> list[dict[str, str]]:
    options = [[None, *world[name]] for name in NAMES]
    every = (
        {name: v for name, v in zip(NAMES, versions, strict=True) if v is not None}
        for versions in itertools.product(*options)
    )
    return [chosen for chosen in every if is_solution(world, wish, chosen)]


@settings(max_examples=200, deadline=None)
@given(world=worlds, wish=wishes)
def test_a_solution_is_found_exactly_where_there_is_one(world: World, wish: dict[str, str]) -> None:
    wanted = [Wanted(typed(name + spec)) for name, spec in wish.items()]
    registry = Small(world)
    try:
        picked = solve(wanted, [registry])
    except HookpmError as error:
        assert solutions(world, wish) == []
        assert error.message
        assert "{}" not in (error.hint or "")
    else:
        chosen = {name: str(candidate.version) for name, candidate in picked.items()}
        assert is_solution(world, wish, chosen)
        assert picked == solve(wanted[::-1], [registry])


@settings(max_examples=100, deadline=None)
@given(world=worlds, wish=wishes)
def test_a_solution_that_is_locked_stays(world: World, wish: dict[str, str]) -> None:
    wanted = [Wanted(typed(name + spec)) for name, spec in wish.items()]
    found = solutions(world, wish)
    if not found:
        return
    smallest = min(found, key=len)
    locked = {name: Pin(version, "small") for name, version in smallest.items()}
    picked = solve(wanted, [Small(world)], locked=locked)
    assert {name: str(c.version) for name, c in picked.items()}.items() <= smallest.items()
