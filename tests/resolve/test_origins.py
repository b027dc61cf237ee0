"""Where packs come from: a name is never silently swapped, a lock needs no network."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from hookpm.errors import HookpmError, NotFoundError, RefusedError
from hookpm.packs.content import Content
from hookpm.registry.index import PackPage, Release
from hookpm.resolve import requirement
from hookpm.resolve.explain import ConflictError
from hookpm.resolve.resolver import Resolved, resolve
from hookpm.resolve.world import Pin, Wanted
from tests.resolve.conftest import Memory as Registry

Another = Callable[[str], Registry]


def wanted(*texts: str) -> list[Wanted]:
    """Each `name` or `name@registry`."""
    found = []
    for text in texts:
        name, _, registry = text.partition("@")
        asked = requirement.parse(name)
        assert isinstance(asked, requirement.NameRequirement)
        found.append(Wanted(asked, "hookpm.toml", registry or None))
    return found


def origins(found: Iterable[Resolved]) -> dict[str, str]:
    return {each.name: each.source for each in found}


def test_a_dependency_comes_from_the_registry_of_its_parent(another: Another) -> None:
    embedded, acme = another("embedded"), another("acme")
    for registry in (embedded, acme):
        registry.add("lib", "1.0")
    acme.add("guard", "1.0", {"lib": ""})
    embedded.add("other", "1.0", {"lib": ""})
    assert origins(resolve(wanted("guard"), [embedded, acme]))["lib"] == "acme"
    assert origins(resolve(wanted("other"), [embedded, acme]))["lib"] == "embedded"


def test_a_dependency_that_the_parents_registry_lacks_comes_from_the_embedded_one(
    another: Another,
) -> None:
    embedded, acme, third = another("embedded"), another("acme"), another("third")
    embedded.add("lib", "1.0")
    third.add("lib", "9.0")
    acme.add("guard", "1.0", {"lib": ""})
    found = resolve(wanted("guard"), [embedded, acme, third])
    assert origins(found) == {"guard": "acme", "lib": "embedded"}


def test_a_third_registry_never_serves_a_dependency_by_itself(another: Another) -> None:
    embedded, acme, third = another("embedded"), another("acme"), another("third")
    third.add("lib", "9.0")
    acme.add("guard", "1.0", {"lib": ""})
    with pytest.raises(HookpmError) as caught:
        resolve(wanted("guard"), [embedded, acme, third])
    assert "only third has one, which hookpm.toml would have to choose" in (
        caught.value.cause or ""
    )
    found = resolve(wanted("guard", "lib@third"), [embedded, acme, third])
    assert origins(found)["lib"] == "third"


def test_two_parents_with_the_same_name_from_two_registries_are_told_apart(
    another: Another,
) -> None:
    embedded, acme = another("embedded"), another("acme")
    for registry in (embedded, acme):
        registry.add("lib", "1.0")
    acme.add("guard", "1.0", {"lib": ""})
    embedded.add("other", "1.0", {"lib": ""})
    with pytest.raises(ConflictError) as caught:
        resolve(wanted("guard", "other"), [embedded, acme])
    assert (caught.value.cause or "").splitlines()[:2] == [
        "guard 1.0 wants lib from acme",
        "other 1.0 wants lib from embedded",
    ]
    found = resolve(wanted("guard", "other", "lib@acme"), [embedded, acme])
    assert origins(found) == {"guard": "acme", "other": "embedded", "lib": "acme"}


def test_a_locked_source_stays_when_the_name_turns_up_elsewhere(another: Another) -> None:
    embedded, acme = another("embedded"), another("acme")
    acme.add("guard", "1.0")
    acme.add("guard", "1.1")
    embedded.add("guard", "9.0")
    (kept,) = resolve(wanted("guard"), [embedded, acme], locked={"guard": Pin("1.0", "acme")})
    assert (kept.source, kept.version) == ("acme", "1.0")
    (moved,) = resolve(wanted("guard"), [embedded, acme], locked={"guard": Pin(None, "acme")})
    assert (moved.source, moved.version) == ("acme", "1.1")
    with pytest.raises(RefusedError, match="in 2 registries: embedded, acme"):
        resolve(wanted("guard"), [embedded, acme])


# --- the lock alone ---


class Remote(Registry):
    """A registry behind a network that may be down."""

    down = False

    @property
    def local(self) -> bool:
        return False

    def pack(self, name: str) -> PackPage | None:
        assert not self.down, f"the network was asked for {name}"
        return super().pack(name)

    def prefetch(self, names: Iterable[str]) -> None:
        assert not self.down, "the network was asked"
        super().prefetch(names)

    def content(self, name: str, release: Release) -> Content:
        assert not self.down, f"the archive of {name} was fetched"
        return super().content(name, release)


def locked(found: Iterable[Resolved]) -> dict[str, Any]:
    """Pins and files, as a repo holds them afterwards."""
    found = list(found)
    return {
        "locked": {r.name: Pin(r.version, r.source, r.archive_sha256) for r in found},
        "in_repo": {r.name: r.content for r in found},
    }


def test_what_is_locked_and_in_the_repo_is_resolved_without_a_network(another: Another) -> None:
    embedded, acme = another("embedded"), Remote("acme")
    acme.add("guard", "1.0", {"lib": ">=1"})
    embedded.add("lib", "1.0")
    first = resolve(wanted("guard"), [embedded, acme])
    acme.add("guard", "2.0")
    acme.down = True
    again = resolve(wanted("guard"), [embedded, acme], **locked(first))
    assert again == first


def test_a_new_wish_asks_every_registry(another: Another) -> None:
    embedded, acme = another("embedded"), Remote("acme")
    acme.add("guard", "1.0")
    acme.add("new", "1.0")
    embedded.add("new", "2.0")
    first = locked(resolve(wanted("guard"), [embedded, acme]))
    with pytest.raises(RefusedError, match="new is in 2 registries"):
        resolve(wanted("guard", "new"), [embedded, acme], **first)


def test_a_locked_version_that_no_longer_fits_is_looked_for(another: Another) -> None:
    acme = Remote("acme")
    acme.add("guard", "1.0")
    acme.add("guard", "2.0")
    first = locked(resolve(wanted("guard<2"), [acme]))
    (moved,) = resolve(wanted("guard>=2"), [acme], **first)
    assert moved.version == "2.0"
    acme.down = True
    with pytest.raises(AssertionError, match="the network was asked"):
        resolve(wanted("guard>=2"), [acme], **first)


def test_the_files_of_a_resolution_come_in_order_however_many_are_fetched(
    another: Another,
) -> None:
    acme = Remote("acme")
    names = [f"pack-{number}" for number in range(12)]
    for name in names:
        acme.add(name, "1.0")
    found = resolve(wanted(*names), [acme])
    assert [each.name for each in found] == sorted(names)
    assert all(each.content.manifest.name == each.name for each in found)
    assert set(acme.prefetched) == set(names)


def test_a_download_that_fails_ends_the_resolution_with_its_error(another: Another) -> None:
    acme = Remote("acme")
    for name in ("a", "b", "c"):
        acme.add(name, "1.0")
    acme.archives["archives/b-1.0.tar.gz"] = acme.archives["archives/a-1.0.tar.gz"]
    with pytest.raises(HookpmError, match="holds something else than the registry says"):
        resolve(wanted("a", "b", "c"), [acme])


@given(
    homes=st.dictionaries(
        st.sampled_from("abc"), st.sets(st.sampled_from(("embedded", "acme", "third")), min_size=1)
    ),
    parent=st.sampled_from(("embedded", "acme", "third")),
)
@settings(max_examples=60, deadline=None)
def test_a_dependency_is_from_its_parents_registry_or_the_embedded_one_or_not_there(
    homes: dict[str, set[str]], parent: str
) -> None:
    registries = {name: Registry(name) for name in ("embedded", "acme", "third")}
    for name, sources in homes.items():
        for source in sources:
            registries[source].add(name, "1.0")
    registries[parent].add("top", "1.0", dict.fromkeys(homes, ""))
    reachable = all(sources & {parent, "embedded"} for sources in homes.values())
    if not reachable:
        with pytest.raises((ConflictError, NotFoundError)):
            resolve(wanted("top"), list(registries.values()))
        return
    found = origins(resolve(wanted("top"), list(registries.values())))
    for name, sources in homes.items():
        assert found[name] == (parent if parent in sources else "embedded")


def test_a_dependency_stays_where_it_came_from_when_its_parents_registry_has_the_name_too(
    another: Another,
) -> None:
    embedded, acme = another("embedded"), another("acme")
    embedded.add("lib", "1.0")
    acme.add("guard", "1.0", {"lib": ""})
    acme.add("more", "1.0")
    locked = {"guard": Pin("1.0", "acme"), "lib": Pin("1.0", "embedded")}
    acme.add("lib", "9.0")
    found = resolve(wanted("guard", "more"), [embedded, acme], locked=locked)
    assert origins(found) == {"guard": "acme", "lib": "embedded", "more": "acme"}
    moving = {name: pin._replace(moves=True) for name, pin in locked.items()}
    assert origins(resolve(wanted("guard"), [embedded, acme], locked=moving))["lib"] == "embedded"


def test_a_name_of_a_registry_that_is_gone_is_not_taken_from_another_by_itself(
    another: Another,
) -> None:
    embedded, third = another("embedded"), another("third")
    third.add("guard", "1.0")
    locked = {"guard": Pin("1.0", "acme")}
    with pytest.raises(RefusedError, match="installed from the registry acme") as caught:
        resolve(wanted("guard"), [embedded, third], locked=locked)
    assert "a pack of the same name is in third" in (caught.value.cause or "")
    (chosen,) = resolve(wanted("guard@third"), [embedded, third], locked=locked)
    assert chosen.source == "third"
    for source in ("path:../guard", "git+https://git.example.com/acme/guard"):
        (moved,) = resolve(wanted("guard"), [third], locked={"guard": Pin("1.0", source)})
        assert moved.source == "third"
