"""why and tree: who wants a pack, and what depends on what, from what is installed alone."""

from __future__ import annotations

import shutil

import pytest

from tests.project.world import World


def needs(**packs: str) -> str:
    return "[dependencies]\n" + "".join(f'{n} = "{spec}"\n' for n, spec in packs.items())


@pytest.fixture
def base(world: World) -> World:
    """base -> guard, mid; mid -> helper; helper is wanted by a line, too."""
    world.publish(world.pack("mid", more=needs(helper=">=1")))
    world.publish(world.pack("base", more=needs(guard=">=1,<2", mid="")))
    world.install("base", "helper")
    return world


def test_why_leads_to_the_line_that_started_it(base: World) -> None:
    assert base.ok("why", "guard").out.splitlines() == [
        "guard 1.1.0 from embedded",
        "  the pack base wants >=1,<2",
        "    .agents/hookpm.toml:5 wants ~=1.0",
    ]
    assert base.ok("why", "helper").out.splitlines()[1:] == [
        "  .agents/hookpm.toml:6 wants ~=1.0",
        "  the pack mid wants >=1",
        "    the pack base wants any version",
        "      .agents/hookpm.toml:5 wants ~=1.0",
    ]


def test_why_as_a_document(base: World) -> None:
    document = base.ok("why", "mid", "--json").json
    assert (document["pack"], document["version"], document["source"]) == (
        "mid",
        "1.0.0",
        "embedded",
    )
    (by,) = document["wanted_by"]
    assert (by["by"], by["wants"], by["origin"]) == ("base", "any version", None)
    assert by["wanted_by"] == [
        {
            "by": "hookpm.toml",
            "wants": "~=1.0",
            "origin": {"source": None, "file": ".agents/hookpm.toml", "line": 5},
            "wanted_by": [],
        }
    ]


def test_why_names_the_profile_that_a_line_came_from(world: World) -> None:
    profile = world.base / "team/hookpm.toml"
    profile.parent.mkdir()
    profile.write_text('agents = ["claude"]\n[packs]\nguard = "~=1.0"\n')
    world.write(
        ".agents/hookpm.toml",
        'extends = ["../team"]\n[packs]\nguard = { disable = ["guard"] }\n',
    )
    world.ok("sync")
    said = world.ok("why", "guard").out
    assert "../team/hookpm.toml:3 (the profile path:../team) wants ~=1.0" in said
    assert 'disable = ["guard"]: .agents/hookpm.toml:3' in said


def test_the_tree_opens_each_pack_once(base: World) -> None:
    assert base.ok("tree").out.splitlines() == [
        "base 1.0.0 from embedded",
        "|-- guard 1.1.0 from embedded (wants >=1,<2)",
        "`-- mid 1.0.0 from embedded (wants any version)",
        "    `-- helper 1.0.0 from embedded (wants >=1)",
        "helper 1.0.0 from embedded",
    ]
    (top, helper) = base.ok("tree", "--json").json["packs"]
    assert [d["name"] for d in top["dependencies"]] == ["guard", "mid"]
    assert top["dependencies"][1]["dependencies"][0]["wants"] == ">=1"
    assert helper["dependencies"] == []


def test_packs_in_a_circle_end_where_it_closes(world: World) -> None:
    world.publish(world.pack("one", more=needs(two="")), world.pack("two", more=needs(one="")))
    world.install("one")
    assert "the pack two wants any version\n    one wants any version (a circle)" in (
        world.ok("why", "one").out
    )
    assert "    `-- one 1.0.0 from embedded (wants any version) (see above)" in (
        world.ok("tree").out
    )
    assert world.ok("tree", "--json").json["packs"][0]["name"] == "one"
    assert world.ok("why", "two", "--json").json["wanted_by"][0]["by"] == "one"


def test_what_is_not_installed_is_said(base: World) -> None:
    done = base.run("why", "hlper")
    assert (done.code, "did you mean helper?" in done.err) == (3, True)


def test_why_and_tree_need_no_registry_and_no_whole_pack(base: World) -> None:
    shutil.rmtree(base.index)
    base.write(".agents/hookpm/packs/base/guard.py", "edited\n")
    assert "the pack base wants >=1,<2" in base.ok("why", "guard").out
    assert "|-- guard 1.1.0" in base.ok("tree").out


def test_an_empty_project_has_an_empty_tree(world: World) -> None:
    assert world.ok("tree", "--json").json == {"packs": []}
    assert "no packs are installed here" in world.ok("tree").err


def test_a_pack_that_is_wanted_but_not_installed_is_said(base: World) -> None:
    text = base.read(".agents/hookpm.toml")
    base.write(".agents/hookpm.toml", f'{text}later = "*"\n')
    assert "later is wanted, but not installed" in base.ok("why", "later").out
    assert "later, not installed" in base.ok("tree").out


def test_an_uninstall_names_who_needs_the_pack(base: World) -> None:
    done = base.run("uninstall", "guard")
    assert done.code == 1
    assert "guard is not in .agents/hookpm.toml: it is here because base needs it" in done.err
    assert "uninstall base" in done.err
    done = base.run("uninstall", "helper")
    assert (done.code, "helper cannot be uninstalled: mid needs it" in done.err) == (1, True)
