"""The shapes of conflict that resolvers of other package managers were tested with, as packs.

Each scenario is a small registry, what is wanted, and what has to come out. The shapes (a child
swapped with its successors, a conflict three ways, a step back over the step before, a hole in a
range, ...) are those of the public resolver scenarios; names and data are this project's own.
"""

from __future__ import annotations

from typing import NamedTuple

import pytest

from hookpm.errors import HookpmError
from hookpm.resolve import requirement
from hookpm.resolve.explain import ConflictError
from hookpm.resolve.resolver import solve
from hookpm.resolve.world import Pin, Wanted
from tests.resolve.conftest import Memory


class Scenario(NamedTuple):
    """packs: "name version" -> "dep specifier, ..."; expected: name -> version, None = no way."""

    packs: dict[str, str]
    wanted: str
    expected: dict[str, str] | None
    locked: dict[str, str] = {}  # noqa: RUF012  (never changed)


SCENARIOS = {
    "a circle is no obstacle": Scenario(
        {"watch 0.2.6": "notify", "notify 1.0.0": "watch>=0.1", "notify 0.1.0": ""},
        "watch, notify",
        {"watch": "0.2.6", "notify": "1.0.0"},
    ),
    "two steps down: the newest profiles ask for what is not there": Scenario(
        {
            "base 1.3": "lint>=4, guard",
            "base 1.2": "lint~=3.3.0, guard==0.3.4",
            "base 1.1": "lint~=3.2.0, guard==0.3.5",
            "guard 0.3.4": "rules>=1.5",
            "guard 0.3.5": "rules>=1.2",
            "guard 0.3.3": "rules>1.0",
            "lint 3.2": "rules~=1.0",
            "lint 3.3": "rules~=1.0",
            "rules 1.0.2": "words",
            "rules 1.4.0": "words",
            "words 1.4.1": "gone",
            "words 1.3.0": "gone",
            "words 0.9.8": "",
        },
        "base",
        {"base": "1.1", "guard": "0.3.5", "lint": "3.2", "rules": "1.4.0", "words": "0.9.8"},
    ),
    "three packs want three ranges of one": Scenario(
        {
            **{f"net {v}": "" for v in ("0.9", "1.0.1", "1.3.4", "2.0.0", "2.4.1", "2.5.0")},
            "upload 2.0": "net~=2.0",
            "upload 1.0.1": "net~=1.3",
            "upload 0.3": "net~=1.0",
            "store 2.1": "net~=2.2",
            "store 2.0": "net~=2.0",
            "store 1.0": "net~=1.0",
            "store 0.3.3": "net>=1.0",
            "login 0.1.2": "net~=1.3",
            "login 0.1.1": "net~=1.0",
        },
        "upload, store, login",
        {"upload": "1.0.1", "store": "1.0", "login": "0.1.2", "net": "1.3.4"},
    ),
    "a child is swapped together with its own children": Scenario(
        {
            "server 2.7.6": "build~=2.0, repo~=0.3",
            "server 0.2.0": "build~=2.0",
            "build 3.2.0": "zip-new",
            "build 2.4.0": "zip-old",
            "zip-new 2.0": "shell>=1.2",
            "zip-old 1.0": "shell>=1.2",
            "shell 1.39": "report",
            "shell 0.0.4": "report",
            "report 1.3": "",
            "repo 0.6.6": "yum~=3.10.0",
            "yum 3.10.0": "",
        },
        "build, server",
        {
            "server": "2.7.6",
            "build": "2.4.0",
            "zip-old": "1.0",
            "shell": "1.39",
            "report": "1.3",
            "repo": "0.6.6",
            "yum": "3.10.0",
        },
    ),
    "a step back over the step before": Scenario(
        {
            "a 0.3": "c~=1.4, e~=1.4",
            "a 0.2": "c~=1.3, e~=1.4",
            "a 0.1": "c, e~=1.0.0, f~=1.4",
            "b 2.0": "c==2.0, d~=2.0",
            "b 1.4": "c==1.4, d~=1.4",
            "c 2.0": "d~=2.0.0",
            "c 1.4": "d~=1.4",
            "d 1.4": "",
            "d 2.0": "",
            "e 2.0": "d>1,<3",
            "e 1.4": "d>1,<3",
            "e 1.0": "",
            "f 1.4": "e~=2.0",
        },
        "a, b",
        {"a": "0.3", "b": "1.4", "c": "1.4", "d": "1.4", "e": "1.4"},
    ),
    "a range with a hole": Scenario(
        {"a 1.0.0": "", "a 1.0.1": "c", "a 1.0.2": "", "b 1.0": "a!=1.0.2", "c 1.0": ""},
        "a, b",
        {"a": "1.0.1", "b": "1.0", "c": "1.0"},
    ),
    "what stands in the way is two levels away": Scenario(
        {
            "team 0.0.1": "frames>=1.3.5,<=1.4.0, index>=1.8.2,<=1.8.3, client>=0.3.2, sat<=0.1.1",
            "frames 1.4.0": "dates>=2.8.1",
            "frames 1.3.5": "dates>=2.7.3",
            "index 1.8.3": "dates>=2.7.0",
            "index 1.8.2": "dates>=2.7.0",
            "client 0.3.3": "http>=2.25, index>=1.4.0",
            "client 0.3.2": "http>=2.25, index~=1.2.0",
            "sat 0.1.1": "dates~=2.7.5",
            "sat 0.1.0": "http~=2.19.1, dates~=2.7.5",
            "dates 2.9.0": "",
            "dates 2.7.5": "",
            "http 2.31.0": "",
        },
        "team",
        {
            "team": "0.0.1",
            "frames": "1.3.5",
            "index": "1.8.3",
            "client": "0.3.3",
            "sat": "0.1.1",
            "dates": "2.7.5",
            "http": "2.31.0",
        },
    ),
    "no version of a child fits both parents": Scenario(
        {
            "json 1.8.0": "",
            "chef 10.26": "json>=1.4.4,<=1.7.7",
            "shelf 2.0.7": "json>=1.7.7",
            "app 1.0": "shelf~=2.0, chef~=10.26",
        },
        "app",
        None,
    ),
    "a locked child moves where a new parent leaves no choice": Scenario(
        {"a 1.0": "c>=1", "b 1.0": "c>=2", "c 1.0": "", "c 2.0": "", "c 3.0": ""},
        "a, b",
        {"a": "1.0", "b": "1.0", "c": "3.0"},
        {"a": "1.0", "c": "1.0"},
    ),
    "a locked child stays under a new parent that takes it": Scenario(
        {"a 1.0": "c>=1", "b 1.0": "c>=1", "c 1.0": "", "c 2.0": ""},
        "a, b",
        {"a": "1.0", "b": "1.0", "c": "1.0"},
        {"a": "1.0", "c": "1.0"},
    ),
    "a lock on an older parent does not hold its successor back": Scenario(
        {"a 1.0": "c<2", "a 2.0": "c>=2", "c 1.0": "", "c 2.0": ""},
        "a>=2",
        {"a": "2.0", "c": "2.0"},
        {"a": "1.0", "c": "1.0"},
    ),
    "what nobody wants any more is left behind": Scenario(
        {"a 1.0": "old", "a 2.0": "", "old 1.0": ""}, "a", {"a": "2.0"}
    ),
}


def registry(packs: dict[str, str]) -> Memory:
    made = Memory()
    for key, wants in packs.items():
        name, version = key.split(" ")
        needs = {}
        for text in wants.split(", ") if wants else ():
            asked = requirement.parse(text)
            assert isinstance(asked, requirement.NameRequirement)
            needs[asked.name] = str(asked.specifier)
        made.add(name, version, needs)
    return made


@pytest.mark.parametrize("name", SCENARIOS)
def test_the_scenario_comes_out_as_it_has_to(name: str) -> None:
    scenario = SCENARIOS[name]
    wanted = []
    for text in scenario.wanted.split(", "):
        asked = requirement.parse(text)
        assert isinstance(asked, requirement.NameRequirement)
        wanted.append(Wanted(asked))
    pins = {name: Pin(version, "memory") for name, version in scenario.locked.items()}
    if scenario.expected is None:
        with pytest.raises(ConflictError) as caught:
            solve(wanted, [registry(scenario.packs)], locked=pins)
        assert "wants" in (caught.value.cause or "")
        return
    found = solve(wanted, [registry(scenario.packs)], locked=pins)
    assert {name: str(c.version) for name, c in found.items()} == scenario.expected


@pytest.mark.parametrize("name", [n for n, s in SCENARIOS.items() if s.expected is None])
def test_a_conflict_names_who_cannot_be_served_and_the_versions_there_are(name: str) -> None:
    scenario = SCENARIOS[name]
    asked = requirement.parse(scenario.wanted)
    assert isinstance(asked, requirement.NameRequirement)
    with pytest.raises(HookpmError) as caught:
        solve([Wanted(asked)], [registry(scenario.packs)])
    cause = caught.value.cause or ""
    assert "chef 10.26 wants json<=1.7.7,>=1.4.4" in cause
    assert "versions of json: 1.8.0" in cause
