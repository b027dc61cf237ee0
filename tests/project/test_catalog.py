"""search and info: what registries tell, and what happens where one of them does not answer."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from tests.project.world import World
from tests.registry.server import Site


def test_search_looks_in_names_and_descriptions_of_all_registries(
    world: World, named: Site
) -> None:
    found = world.ok("search", "about", "--json").json
    assert [(p["name"], p["registry"]) for p in found["packs"]] == [
        ("base", "acme"),
        ("guard", "embedded"),
        ("helper", "embedded"),
        ("rules", "acme"),
    ]
    assert found["total"] == 4
    assert found["errors"] == []
    assert named.paths() == ["/index.json"]


def test_all_words_have_to_be_there_and_the_nearest_name_stands_first(world: World) -> None:
    world.publish(*(world.pack(n) for n in ("a-guard", "guardian", "other")))
    assert names(world, "guard") == ["guard", "guardian", "a-guard"]
    assert names(world, "GUARD", "about") == ["guard", "guardian", "a-guard"]
    assert names(world, "guard", "nowhere") == []


def names(world: World, *words: str) -> list[str]:
    return [pack["name"] for pack in world.ok("search", *words, "--json").json["packs"]]


def test_search_shows_so_many_and_says_how_many_more(world: World) -> None:
    done = world.ok("search", "about", "--limit", "1")
    assert done.out == "guard 2.0.0 (embedded): About guard\n"
    assert "1 more" in done.err
    assert world.ok("search", "about", "--limit", "0").out.count("\n") == 2
    assert world.run("search", "about", "--limit", "x").code == 2
    nothing = world.ok("search", "nowhere")
    assert nothing.out == ""
    assert "no pack has nowhere" in nothing.err


def test_search_says_what_is_installed(world: World) -> None:
    world.install("guard<2")
    assert world.ok("search", "guard").out.startswith("guard 2.0.0 (embedded, 1.1.0 is installed)")


def test_a_registry_that_does_not_answer_keeps_no_other_from_being_searched(
    world: World, named: Site
) -> None:
    named.files["/index.json"] = lambda to: to.reply(403)
    done = world.run("search", "about", "--json")
    assert done.code == 3
    assert [p["name"] for p in done.json["packs"]] == ["guard", "helper"]
    assert [e["registry"] for e in done.json["errors"]] == ["acme"]
    assert "answers 403" in done.err


def test_a_description_cannot_pretend_to_be_more_lines(world: World) -> None:
    file = world.index / "index.json"
    index = json.loads(file.read_text())
    index["packs"]["guard"]["description"] = "x\nerror: \x1b[31mfake\u202e"
    file.write_text(json.dumps(index))
    done = world.ok("search", "guard")
    assert done.out == "guard 2.0.0 (embedded): x error: \\x1b[31mfake\\u202e\n"


# --- info ------------------------------------------------------------------------------------


def info(world: World, *arguments: str) -> Any:
    return world.ok("info", *arguments, "--json").json


def test_info_tells_of_a_pack_without_fetching_it(world: World, named: Site) -> None:
    found = info(world, "rules")
    assert (found["name"], found["source"], found["version"]) == ("rules", "acme", "1.0.0")
    assert found["dependencies"] == {"base": ">=1"}
    assert found["hooks"] == [
        {
            "id": "guard",
            "event": "PreToolUse",
            "matcher": "Read|Edit|Write|Bash",
            "needs": ["deny"],
            "uses": [],
        }
    ]
    assert found["installed"] is None
    assert [agent["agent"] for agent in found["agents"]] == ["claude"]
    assert named.paths() == ["/packs/rules.json"]


def test_info_shows_a_version_that_is_asked_for_and_what_is_installed(world: World) -> None:
    world.install("guard<2")
    found = info(world, "guard")
    assert (found["version"], found["installed"]) == ("2.0.0", "1.1.0")
    assert [v["version"] for v in found["versions"]] == ["1.0.0", "1.1.0", "2.0.0"]
    assert info(world, "guard==1.0.0")["version"] == "1.0.0"
    text = world.ok("info", "guard").out
    assert "installed here: 1.1.0" in text
    assert "versions: 2.0.0, 1.1.0, 1.0.0" in text


def test_info_prefers_a_version_that_is_not_withdrawn_and_says_which_are(world: World) -> None:
    withdraw(world.index, "guard", "2.0.0")
    found = info(world, "guard")
    assert found["version"] == "1.1.0"
    assert found["versions"][-1] == {"version": "2.0.0", "yanked": True, "requires_hookpm": ""}
    assert "2.0.0 (withdrawn)" in world.ok("info", "guard").out


def withdraw(index: Path, name: str, version: str) -> None:
    file = index / "packs" / f"{name}.json"
    page = json.loads(file.read_text())
    for release in page["versions"]:
        if release["version"] == version:
            release["yanked"] = True
    file.write_text(json.dumps(page))


def test_info_says_what_each_agent_drops_and_what_it_needs(world: World) -> None:
    hooks = '[[hooks]]\nid = "h"\nevent = "PreToolUse"\ncommand = "true"\nneeds = ["ask"]\n'
    world.publish(world.pack("early", hooks=hooks))
    found = info(world, "early", "--agent=codex")
    (codex,) = found["agents"]
    assert codex["drops"] == [{"hook": "h", "capability": "PreToolUse.ask", "needed": True}]
    text = world.ok("info", "early", "--agent=codex").out
    assert "codex drops: PreToolUse.ask of h, which it needs" in text


def test_info_names_the_other_registries_that_have_the_name(world: World, named: Site) -> None:
    world.publish(world.pack("rules", "3.0.0"))
    assert info(world, "rules")["also_in"] == ["acme"]
    assert info(world, "rules", "--registry", "acme")["version"] == "1.0.0"
    world.install("rules", "--registry", "acme")
    assert info(world, "rules")["source"] == "acme"


@pytest.mark.parametrize(
    ("arguments", "code", "said"),
    [
        (["guart"], 3, "did you mean guard?"),
        (["guard==9"], 3, "versions of guard: 1.0.0, 1.1.0, 2.0.0"),
        (["guard", "--registry", "acme"], 3, "there is no registry acme"),
        (["./guard"], 2, "packs in registries"),
        (["Guard"], 2, "did you mean guard?"),
        (["guard", "--agent=claud"], 2, "claude"),
    ],
)
def test_what_info_cannot_tell_is_said(
    world: World, arguments: list[str], code: int, said: str
) -> None:
    done = world.run("info", *arguments)
    assert done.code == code
    assert said in done.err


def test_info_tells_of_a_hook_at_an_event_that_nobody_here_knows(world: World) -> None:
    file = world.index / "packs" / "guard.json"
    page = json.loads(file.read_text())
    page["versions"][-1]["hooks"][0]["event"] = "OfTheFuture"
    file.write_text(json.dumps(page))
    (claude,) = info(world, "guard", "--agent=claude")["agents"]
    assert claude["drops"] == [{"hook": "guard", "capability": "OfTheFuture", "needed": True}]
