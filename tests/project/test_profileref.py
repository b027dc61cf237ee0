"""What an entry of `extends` names, and texts of profiles that nobody meant to write."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as some

from hookpm.errors import HookpmError, RefusedError
from hookpm.project.profiles import profileref, profiles
from hookpm.project.profiles.profiles import Opened
from hookpm.project.settings import Settings

GIT = "git+https://git.example.com/acme/profile"


@pytest.mark.parametrize(
    ("text", "kind", "source", "where"),
    [
        ("../team", "path", "path:../team", "../team/hookpm.toml"),
        ("./team/", "path", "path:team", "team/hookpm.toml"),
        ("a/../team.toml", "path", "path:team.toml", "team.toml"),
        ("../my team", "path", "path:../my team", "../my team/hookpm.toml"),
        ("file:///srv/team", "file", "file:///srv/team", "/srv/team/hookpm.toml"),
        ("file:///srv/a%20b.toml", "file", "file:///srv/a%20b.toml", "/srv/a b.toml"),
        ("https://example.com/h.toml", "web", "https://example.com/h.toml", None),
        (f"{GIT}@v3", "git", GIT, GIT.removeprefix("git+")),
        (f"{GIT}@v3#subdirectory=a/b", "git", f"{GIT}#subdirectory=a/b", None),
        (
            "git@git.example.com:acme/profile@v3",
            "git",
            None,
            "ssh://git@git.example.com/acme/profile",
        ),
    ],
)
def test_an_entry_names_a_source_and_a_place(
    text: str, kind: str, source: str | None, where: str | None
) -> None:
    found = profileref.parse(text)
    assert found.kind == kind
    assert source in (None, found.source)
    assert where in (None, found.where)
    assert profileref.parse(found.typed) == found


@pytest.mark.parametrize(
    ("name", "ref", "same"),
    [
        ("v3", "tag:v3", True),
        ("v3", "branch:v3", True),
        ("refs/tags/v3", "tag:v3", True),
        ("refs/tags/v3", "branch:v3", False),
        ("v3", "tag:v4", False),
        ("", "head", True),
        ("main", "head", False),
        ("", "branch:main", False),
        ("a" * 40, "rev:" + "a" * 40, True),
        ("a" * 10, "rev:" + "a" * 40, True),
        ("a" * 4, "rev:" + "a" * 40, False),
        ("v3", None, False),
    ],
)
def test_a_name_is_known_again_in_the_ref_that_the_lock_has(
    name: str, ref: str | None, same: bool
) -> None:
    reference = profileref.parse(f"{GIT}@{name}" if name else GIT)
    assert reference.names(ref) is same


@pytest.mark.parametrize(
    ("parent", "text", "found"),
    [
        ("../team", "base", "path:../team/base"),
        ("../team", "../base", "path:../base"),
        ("team/x.toml", "y.toml", "path:team/y.toml"),
        ("file:///srv/team", "../base", "file:///srv/base"),
        ("https://example.com/a/hookpm.toml", "../b", "https://example.com/b/hookpm.toml"),
        (f"{GIT}@v3#subdirectory=a", "../b", f"{GIT}#subdirectory=b"),
        (f"{GIT}@v3#subdirectory=a", "..", GIT),
        (f"{GIT}@v3", "https://example.com/h.toml", "https://example.com/h.toml"),
    ],
)
def test_a_path_in_a_profile_starts_from_the_profile(parent: str, text: str, found: str) -> None:
    above = profileref.parse(parent)
    made = profileref.relative(above, text)
    assert made.source == found
    if above.kind == made.kind == "git":
        assert made.name == above.name


@pytest.mark.parametrize("parent", ["https://example.com/h.toml", f"{GIT}@v3"])
@pytest.mark.parametrize(
    "text",
    ["file:///srv/x", "git+file:///srv/x", "/srv/x", "~/x", "//evil.example.com/h.toml", "x\\y"],
)
def test_a_profile_from_the_network_names_nothing_of_this_machine(parent: str, text: str) -> None:
    with pytest.raises(HookpmError):
        profileref.relative(profileref.parse(parent), text)


@given(some.one_of(some.text(), some.from_regex(r"(git\+)?(https|file|ssh)://[\[\]@:/#?%.a-z0]*")))
@settings(deadline=None)
def test_any_text_names_a_profile_or_is_refused(text: str) -> None:
    try:
        found = profileref.parse(text)
    except HookpmError:
        return
    assert "\0" not in found.where
    assert profiles.vendored_path(found.source).startswith(".agents/hookpm/profiles/")


SAMPLE = """\
agents = ["claude"]
extends = ["base"]

[packs]
guard = { version = "~=1.2", required = true, options = { a = [1] }, disable = ["x"] }
house = { path = "house" }

[registries]
acme = "https://hooks.example.com"

[policy]
agents = ["claude"]
sources = ["acme"]
gaps = "refuse"
"""
WORDS = some.sampled_from(
    ["[]", "{}", "1", '"x"', "true", "[packs]", "[[packs]]", "=", "\n", "path", "1979-05-27", "nan"]
)


@given(some.lists(some.tuples(some.integers(0, len(SAMPLE)), some.integers(0, 12), WORDS)))
@settings(deadline=None)
def test_any_text_of_a_profile_is_read_or_refused_with_its_place(
    edits: list[tuple[int, int, str]],
) -> None:
    text = SAMPLE
    for at, length, word in edits:
        text = text[:at] + word + text[at + length :]

    def read(asked: profiles.Asked) -> Opened:
        return Opened((text if not asked.above else "").encode())

    try:
        profiles.stack(Settings(extends=("../team",)), 'extends = ["../team"]', "own.toml", read)
    except HookpmError as error:
        assert error.file in ("../team/hookpm.toml", "../team/base/hookpm.toml")


def test_two_profiles_never_share_a_copy() -> None:
    sources = ["path:../team", "path:team", "path:.team", GIT, f"{GIT}#subdirectory=a"]
    assert len({profiles.vendored_path(each) for each in sources}) == len(sources)


def test_a_project_cannot_extend_itself() -> None:
    with pytest.raises(RefusedError, match="itself"):
        profileref.parse(".agents/../.agents")
