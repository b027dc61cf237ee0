"""What a user sets in hookpm.toml reaches the hook, with its type; what does not fit is refused."""

from __future__ import annotations

import json
from typing import Any

import pytest

from tests.project.world import World

OPTIONS = """\
[options.words]
type = "list[str]"
default = ["a"]
choices = ["a", "b", "c"]

[options.most]
type = "int"
default = 3

[options.share]
type = "float"
default = 0.5

[options.strict]
type = "bool"
default = false

[options.level]
type = "str"
default = "low"
choices = ["low", "high"]
help = "how much is denied"

"""
SHOWS = """\
import json, os, sys
print(json.dumps({"hookSpecificOutput": {"hookEventName": "PreToolUse",
    "permissionDecision": "deny", "permissionDecisionReason": os.environ["HOOKPM_OPTIONS"]}}))
"""
DEFAULTS = {"words": ["a"], "most": 3, "share": 0.5, "strict": False, "level": "low"}


@pytest.fixture
def typed(world: World) -> World:
    world.install(world.pack("typed", more=OPTIONS, files={"guard.py": SHOWS}))
    return world


def given(world: World, options: str) -> None:
    world.write(
        ".agents/hookpm.toml",
        'agents = ["claude"]\n\n[packs]\n'
        f'typed = {{ path = "../packs/typed-1.0.0", options = {{ {options} }} }}\n',
    )


def received(world: World) -> Any:
    return json.loads(world.call()["hookSpecificOutput"]["permissionDecisionReason"])


def test_without_a_word_of_the_user_the_defaults_arrive(typed: World) -> None:
    assert received(typed) == DEFAULTS


@pytest.mark.parametrize(
    ("options", "values"),
    [
        ('words = ["c", "b"]', {"words": ["c", "b"]}),
        ("words = []", {"words": []}),
        ("most = 12", {"most": 12}),
        ("most = -1", {"most": -1}),
        ("share = 1", {"share": 1}),
        ("share = 0.25", {"share": 0.25}),
        ("strict = true", {"strict": True}),
        ('level = "high"', {"level": "high"}),
        (
            'strict = true, most = 0, level = "high", words = ["b"]',
            {"strict": True, "most": 0, "level": "high", "words": ["b"]},
        ),
    ],
)
def test_a_value_arrives_with_its_type(typed: World, options: str, values: dict[str, Any]) -> None:
    given(typed, options)
    typed.ok("sync")
    got = received(typed)
    assert got == {**DEFAULTS, **values}
    assert {name: type(got[name]) for name in values} == {n: type(v) for n, v in values.items()}


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ('words = "a"', "words of typed must be a list of texts"),
        ('words = ["a", "d"]', "must be a, b or c, not d"),
        ("words = [1]", "must be a list of texts"),
        ('most = "3"', "must be a whole number"),
        ("most = 3.5", "must be a whole number"),
        ("most = true", "must be a whole number"),
        ("share = inf", "must be a number"),
        ("strict = 1", "must be true or false"),
        ('level = "middle"', "must be low or high, not middle"),
        ('lvl = "low"', "did you mean level?"),
    ],
)
def test_a_value_that_does_not_fit_is_refused_with_its_line(
    typed: World, options: str, words: str
) -> None:
    before = typed.call()
    given(typed, options)
    done = typed.run("sync")
    assert done.code == 3
    assert words in done.err
    assert ".agents/hookpm.toml:4" in done.err
    assert typed.call() == before


def test_any_text_arrives_as_it_is(world: World) -> None:
    more = '[options.text]\ntype = "str"\ndefault = ""\n'
    world.install(world.pack("typed", more=more, files={"guard.py": SHOWS}))
    for text in ('it\'s "quoted" $HOME `x` \\n', "ü → 漢字 🚀", "a\nb"):
        given(world, f"text = {json.dumps(text, ensure_ascii=False)}")
        world.ok("sync")
        assert received(world) == {"text": text}
