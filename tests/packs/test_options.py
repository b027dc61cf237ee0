from __future__ import annotations

import json
from typing import Any

import pytest

from hookpm.errors import FileFormatError
from hookpm.packs import manifest, options


@pytest.fixture
def guard(manifest_text: str) -> manifest.Manifest:
    return manifest.parse(manifest_text, "hookpack.toml")


def test_the_users_values_go_over_the_defaults(guard: manifest.Manifest) -> None:
    assert options.merged(guard, {"extra": ["a"]}) == {"extra": ["a"], "level": "high"}


def test_the_json_is_the_same_for_the_same_values() -> None:
    text = options.encoded({"b": "é", "a": [1]})
    assert text == '{"a":[1],"b":"\\u00e9"}'
    assert json.loads(text) == {"a": [1], "b": "é"}


@pytest.mark.parametrize(
    ("given", "said"),
    [
        ({"extras": []}, "did you mean extra"),
        ({"zzz": 1}, "its options: extra, level"),
        ({"extra": "a"}, "must be a list of texts"),
        ({"extra": [1]}, "must be a list of texts"),
        ({"level": "mid"}, "must be low or high, not mid"),
        ({"extra": ["x" * options.LIMIT]}, "at most 32768 are allowed"),
    ],
)
def test_a_wrong_value_is_refused_at_its_line(
    guard: manifest.Manifest, given: dict[str, Any], said: str
) -> None:
    name = next(iter(given))
    text = f"\n[packs.guard.options]\n{name} = 1\n"
    with pytest.raises(FileFormatError) as caught:
        options.merged(guard, given, text=text, at=("packs", "guard", "options"))
    assert said in f"{caught.value.message} {caught.value.hint}"
    assert caught.value.line == (2 if "32768" in said else 3)


@pytest.mark.parametrize(
    ("value", "kind", "fits"),
    [
        (1, "int", True),
        (True, "int", False),
        (1, "float", True),
        (float("nan"), "float", False),
        (float("inf"), "float", False),
        (True, "float", False),
        (True, "bool", True),
        (1, "bool", False),
        ("1", "str", True),
        (1, "str", False),
    ],
)
def test_a_value_fits_its_type_or_not(value: object, kind: str, fits: bool) -> None:
    assert (options.value_problem(value, kind, None) is None) is fits


def test_each_item_of_a_list_has_to_be_a_choice() -> None:
    assert options.value_problem(["a", "b"], "list[str]", ("a", "b")) is None
    assert options.value_problem(["a", "c"], "list[str]", ("a", "b")) == "must be a or b, not c"
