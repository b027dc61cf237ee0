"""Versions and specifiers are PEP 440, from what is typed to what is chosen."""

from __future__ import annotations

import pytest
from packaging.version import Version

from hookpm.errors import UsageError
from hookpm.packs import names
from hookpm.resolve import requirement
from hookpm.resolve.resolver import solve
from hookpm.resolve.world import Wanted
from tests.resolve.conftest import Memory

# In their order, by the standard: epochs, development, pre- and post-releases.
ORDERED = (
    "1.0.dev456",
    "1.0a1",
    "1.0a2.dev456",
    "1.0a12.dev456",
    "1.0a12",
    "1.0b1.dev456",
    "1.0b2",
    "1.0b2.post345.dev456",
    "1.0b2.post345",
    "1.0rc1.dev456",
    "1.0rc1",
    "1.0",
    "1.0.post456.dev34",
    "1.0.post456",
    "1.1.dev1",
    "1.1",
    "1!0.1",
    "1!1.0",
)

# specifier, what fits, what does not
FITS = (
    ("~=2.2", ("2.2", "2.2.post1", "2.3", "2.99"), ("2.1", "3.0", "2.2rc1")),
    ("~=1.4.5", ("1.4.5", "1.4.9"), ("1.5.0", "1.4.4")),
    ("==1.1", ("1.1", "1.1.0"), ("1.1.post1", "1.1.1")),
    ("==1.1.*", ("1.1", "1.1.post1", "1.1.5"), ("1.10", "1.2")),
    ("!=1.1.*", ("1.2", "1.10"), ("1.1", "1.1.4")),
    (">1.7", ("1.7.1", "1.8"), ("1.7", "1.7.0.post1", "1.6")),
    (">=1.7", ("1.7", "1.7.post1"), ("1.6.9",)),
    ("<1.7", ("1.6.9",), ("1.7", "1.7.post1")),
    ("<=1.7", ("1.7", "1.6"), ("1.7.post1", "1.8")),
    (">=1!1.0", ("1!1.0", "1!2.0"), ("2.0", "9999.0")),
    (">=1.0,!=1.5,<2", ("1.0", "1.4", "1.6"), ("1.5", "2.0", "0.9")),
)

NONE = ("==", "~=1", "1.0", "==1.0.*.*", "=>1", "^1.0", ">=1.0 <2", "==1.0-", ">=1.*", "latest")


def wanted(text: str) -> Wanted:
    asked = requirement.parse(text)
    assert isinstance(asked, requirement.NameRequirement)
    return Wanted(asked)


@pytest.mark.parametrize("lower", range(len(ORDERED) - 1))
def test_of_two_versions_the_later_one_is_chosen(lower: int) -> None:
    older, newer = ORDERED[lower], ORDERED[lower + 1]
    memory = Memory()
    for version in (newer, older):
        memory.add("guard", version)
    found = solve([wanted("guard>=0.dev0")], [memory])  # a prerelease is asked for
    assert str(found["guard"].version) == newer


@pytest.mark.parametrize(("specifier", "yes", "no"), FITS)
def test_a_specifier_takes_what_the_standard_says(
    specifier: str, yes: tuple[str, ...], no: tuple[str, ...]
) -> None:
    for version in yes:
        memory = Memory()
        memory.add("guard", version)
        for other in no:
            if Version(other) != Version(version):
                memory.add("guard", other)
        found = solve([wanted(f"guard{specifier}")], [memory])["guard"]
        assert found.version == Version(version)


@pytest.mark.parametrize("text", NONE)
def test_what_is_no_specifier_is_refused_where_it_is_typed_and_where_it_is_written(
    text: str,
) -> None:
    assert names.specifier_problem(text) is not None
    with pytest.raises(UsageError):
        requirement.parse(f"guard {text}")


@pytest.mark.parametrize("specifier", [s for s, _, _ in FITS])
def test_blanks_around_the_parts_of_a_specifier_mean_nothing(specifier: str) -> None:
    spaced = " , ".join(specifier.split(","))
    tight = requirement.parse(f"guard{specifier}")
    assert requirement.parse(f"guard  {spaced} ") == tight
