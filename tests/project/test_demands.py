"""The merge of profiles: what wins over what, and what nothing can change."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as some
from packaging.specifiers import SpecifierSet
from packaging.version import Version

from hookpm.edit import tomltext
from hookpm.project.profiles import demands
from hookpm.project.profiles.layers import Layer, Merged

FAR = 'agents = ["claude"]\n[packs]\nguard = { version = "~=1.2", options = { a = 1 } }\n'
REQUIRED = """\
[packs]
guard = { version = "~=1.2", required = true, options = { a = 1 }, agents = ["claude", "codex"] }
"""


def layer(source: str | None, text: str, *below: str) -> Layer:
    file = source or "hookpm.toml"
    return Layer(source, file, text, tomltext.parse(text, file), frozenset(below))


def merged(*layers: tuple[str | None, str]) -> Merged:
    """Files that do not extend each other; the last, without a source, is the repo's own."""
    return demands.merge([layer(source, text) for source, text in layers])


def test_what_comes_later_wins_key_by_key() -> None:
    near = '[packs]\nguard = { options = { b = 2 }, disable = ["x"] }\nother = "*"\n'
    found = merged(("far", FAR), ("near", near), (None, 'agents = ["codex"]\n'))
    line = found.settings.line("guard")
    assert (line.version, line.options, line.disable) == ("~=1.2", {"a": 1, "b": 2}, ("x",))
    assert found.settings.agents == ("codex",)
    assert list(found.settings.packs) == ["guard", "other"]


def test_a_packs_version_and_source_win_as_one() -> None:
    far = '[registries]\nr = "x"\n[packs]\nguard = { version = "~=1.2", registry = "r" }\n'
    found = merged(("far", far), (None, '[packs]\nguard = { path = "guard" }\n'))
    line = found.settings.line("guard")
    assert (line.version, line.registry, line.path) == (None, None, "guard")


def test_an_empty_list_takes_back_what_a_farther_file_switched_off() -> None:
    far = '[packs]\nguard = { version = "*", disable = ["x"] }\n'
    found = merged(("far", far), (None, "[packs]\nguard = { disable = [] }\n"))
    assert found.settings.line("guard").disable == ()


def test_every_part_of_a_line_knows_the_file_and_line_it_came_from() -> None:
    found = merged(("far", FAR), (None, "[packs]\n\nguard = { options = { b = 2 } }\n"))
    told = {words: str(origin) for words, origin in found.lines("guard")}
    assert told == {
        'version = "~=1.2"': "far:3",
        "options.a = 1": "far:3",
        "options.b = 2": "hookpm.toml:3",
    }


@pytest.mark.parametrize(
    ("line", "key"),
    [
        ('"==2.0"', "version"),
        ('{ path = "mine" }', "path"),
        ('{ registry = "mine" }', "registry"),
        ('{ disable = ["x"] }', "disable"),
        ('{ agents = ["claude"] }', "agents"),
        ("{ options = { a = 2 } }", "options.a"),
        ("{ required = false }", "required"),
    ],
)
@pytest.mark.parametrize("place", ["own", "nearer profile", "farther profile"])
def test_nobody_can_weaken_a_required_line(line: str, key: str, place: str) -> None:
    other = f'[registries]\nmine = "x"\n[packs]\n\nguard = {line}\n'
    layers: list[tuple[str | None, str]] = [("team", REQUIRED), (None, "")]
    if place == "own":
        layers[1] = (None, other)
    else:
        layers.insert(1 if place == "nearer profile" else 0, ("other", other))
    found = merged(*layers)
    (wrong,) = found.broken
    assert f"`{key}`" in wrong.message
    assert "required by the profile team" in wrong.message
    assert wrong.place == ("hookpm.toml:5" if place == "own" else "other:5")
    assert wrong.cause is not None
    assert "team:2" in wrong.cause
    kept = found.settings.line("guard")
    assert (kept.version, kept.disable, kept.path, kept.registry) == ("~=1.2", (), None, None)
    assert (kept.agents, kept.options) == (("claude", "codex"), {"a": 1})


def test_a_required_line_can_be_tightened() -> None:
    own = '[packs]\nguard = { version = ">=1.3", options = { a = 1, b = 2 }, required = true }\n'
    found = merged(("team", REQUIRED.replace("required", 'open = ["b"], required')), (None, own))
    assert found.broken == ()
    line = found.settings.line("guard")
    assert (line.version, line.options) == ("~=1.2,>=1.3", {"a": 1, "b": 2})


def test_an_option_that_the_required_line_does_not_open_is_closed() -> None:
    own = "[packs]\n\nguard = { options = { a = 1, b = 2 } }\n"
    found = merged(("team", REQUIRED), (None, own))
    (wrong,) = found.broken
    assert "`options.b` of hookpm.toml cannot change it" in wrong.message
    assert 'open = ["b"] opens it' in wrong.message
    assert found.settings.line("guard").options == {"a": 1}


def test_what_is_open_is_the_profiles_to_say() -> None:
    own = '[packs]\nguard = { open = ["b"], options = { b = 2 } }\n'
    found = merged(("team", REQUIRED), (None, own))
    assert len(found.broken) == 2
    line = found.settings.line("guard")
    assert (line.options, line.open) == ({"a": 1}, ())


def test_hooks_may_be_switched_on_and_agents_added_beside_a_required_line() -> None:
    team = '[packs]\ng = { version = "*", required = true, disable = ["x"], agents = ["claude"] }\n'
    own = '[packs]\ng = { disable = [], agents = ["claude", "codex"] }\n'
    found = merged(("team", team), (None, own))
    assert found.broken == ()
    line = found.settings.line("g")
    assert (line.version, line.disable, line.agents) == ("*", (), ("claude", "codex"))


def test_a_profile_may_change_what_a_profile_that_it_extends_only_wants() -> None:
    base = layer("base", FAR)
    team = layer("team", '[packs]\nguard = { version = "~=2.0", required = true }\n', "base")
    found = demands.merge([base, team, layer(None, "")])
    assert found.broken == ()
    assert found.settings.line("guard").version == "~=2.0"


def test_a_required_line_holds_against_the_profile_that_extends_its_own() -> None:
    base = layer("base", REQUIRED)
    team = layer("team", '[packs]\nguard = "==2.0"\n', "base")
    (wrong,) = demands.merge([base, team, layer(None, "")]).broken
    assert wrong.place == "team:2"


def test_what_only_the_repo_marks_as_required_binds_nobody() -> None:
    found = merged((None, REQUIRED))
    assert found.broken == ()
    assert demands.demands(found.layers) == []


def test_a_line_may_say_which_of_the_profiles_own_registries_a_required_pack_comes_from() -> None:
    team = '[registries]\nacme = "https://hooks.example.com"\n' + REQUIRED
    for registry, broken in (("acme", 0), ("embedded", 0), ("mine", 1)):
        own = f'[registries]\nmine = "x"\n[packs]\nguard = {{ registry = "{registry}" }}\n'
        found = merged(("team", team), (None, own))
        assert len(found.broken) == broken
        line = found.settings.line("guard")
        assert (line.version, line.registry) == ("~=1.2", None if broken else registry)


def test_a_registry_of_a_profile_that_requires_packs_keeps_its_address() -> None:
    team = '[registries]\nacme = "https://hooks.example.com"\n' + REQUIRED
    found = merged(("team", team), (None, '[registries]\nacme = "https://evil.example.com"\n'))
    (wrong,) = found.broken
    assert wrong.place == "hookpm.toml:2"
    assert "another address" in wrong.message


VERSIONS = [Version(text) for text in ("0", "1", "1.1", "1.2", "1.2.1", "1.3", "2", "2.0.1", "3")]
SPECIFIERS = some.lists(
    some.builds(
        lambda operator, version: f"{operator}{version}",
        some.sampled_from([">=", "<=", "<", ">", "==", "!=", "~="]),
        some.sampled_from(["1.0", "1.2", "1.2.1", "2.0", "2.0.1"]),
    ),
    max_size=3,
).map(",".join)


@settings(deadline=None)
@given(SPECIFIERS, SPECIFIERS)
def test_ranges_with_a_version_in_both_are_never_called_apart(one: str, other: str) -> None:
    both = SpecifierSet(one) & SpecifierSet(other)
    if any(both.contains(version, prereleases=True) for version in VERSIONS):
        assert demands.overlap(one, other)


@settings(deadline=None)
@given(SPECIFIERS, SPECIFIERS)
def test_a_narrowed_range_holds_what_both_hold(one: str, other: str) -> None:
    text = demands.narrowed(one or "*", other or "*")
    found = SpecifierSet("" if text == "*" else text)
    for version in VERSIONS:
        wanted = version in SpecifierSet(one) and version in SpecifierSet(other)
        assert (version in found) == wanted


LINES = some.fixed_dictionaries(
    {},
    optional={
        "version": some.sampled_from(["*", "~=1.2", "==2.0", ">=1.3"]),
        "registry": some.sampled_from(["acme", "mine", "embedded"]),
        "options": some.dictionaries(some.sampled_from("abc"), some.integers(1, 2)),
        "agents": some.lists(some.sampled_from(["claude", "codex"]), unique=True),
        "disable": some.lists(some.sampled_from("xy"), unique=True),
        "required": some.booleans(),
        "open": some.lists(some.sampled_from("abc"), unique=True),
    },
)
FOLDER_LINES = some.sampled_from([{"path": "mine"}, {"path": "mine", "disable": ["x"]}])
ANY = some.one_of(LINES, FOLDER_LINES)


def _text(line: dict[str, Any] | None, registry: str) -> str:
    if line is None:
        return ""
    inner = ", ".join(
        f"{key} = {{ {', '.join(f'{k} = {v}' for k, v in value.items())} }}"
        if key == "options"
        else f"{key} = {json.dumps(value)}"
        for key, value in line.items()
    )
    return f'[registries]\nmine = "{registry}"\nacme = "a"\n[packs]\nguard = {{ {inner} }}\n'


@settings(deadline=None)
@given(LINES, some.lists(ANY, max_size=2), some.lists(ANY, max_size=2), ANY)
def test_a_required_line_survives_whatever_other_files_say(
    line: dict[str, Any], before: list[Any], after: list[Any], own: dict[str, Any]
) -> None:
    line = {**line, "required": True}
    others = [layer(f"before {n}", _text(each, "x")) for n, each in enumerate(before)]
    nearer = [layer(f"after {n}", _text(each, "y")) for n, each in enumerate(after)]
    team = layer("team", _text(line, "z"))
    found = demands.merge([*others, team, *nearer, layer(None, _text(own, "w"))])
    kept = found.settings.line("guard")
    if found.broken:
        return  # refused, which the other tests look at
    assert kept.required
    assert {*kept.disable} <= {*line.get("disable", ())}
    assert {**kept.options, **line.get("options", {})} == kept.options
    assert kept.options.keys() <= {*line.get("options", {}), *line.get("open", ())}
    assert kept.path is None
    allowed = [line["registry"]] if "registry" in line else [None, "embedded", "mine", "acme"]
    assert kept.registry in allowed
    assert found.settings.registries["mine"] == "z"
    if "agents" in line:
        assert {*line["agents"]} <= {*(kept.agents or ())}
    else:
        assert kept.agents is None
    wanted = SpecifierSet(line.get("version", "*").replace("*", ""))
    got = SpecifierSet((kept.version or "").replace("*", ""))
    assert all(version in wanted for version in VERSIONS if version in got)


@settings(deadline=None)
@given(LINES, some.lists(ANY, max_size=2), ANY)
def test_what_is_refused_leaves_the_required_line_as_it_was(
    line: dict[str, Any], others: list[Any], own: dict[str, Any]
) -> None:
    line = {**line, "required": True}
    layers = [layer(f"other {n}", _text(each, "z")) for n, each in enumerate(others)]
    found = demands.merge([layer("team", _text(line, "z")), *layers, layer(None, _text(own, "z"))])
    by_others = [wrong for wrong in found.broken if "required by the profile team" in wrong.message]
    sibling = any(each.get("required") for each in others)
    if not by_others or sibling:
        return
    kept = found.settings.line("guard")
    assert {*kept.disable} <= {*line.get("disable", ())}
    assert {**kept.options, **line.get("options", {})} == kept.options
    assert kept.path is None
    if "registry" in line:
        assert kept.registry == line["registry"]
