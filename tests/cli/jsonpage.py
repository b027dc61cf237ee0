"""Reads docs/json.md: command -> the shape of its document, in values that can be compared."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, NamedTuple

PAGE = Path(__file__).parents[2] / "docs/json.md"
_TOKEN = re.compile(r'"[^"]*"\??|[A-Z]+|[a-z]+|\.\.|[{}\[\]:,|]')


class Object(NamedTuple):
    """keys: name -> shape of its value, None for any; optional: those that may be missing; free:
    the shape of every value of an object whose names are free, else None."""

    keys: Mapping[str, Any]
    optional: frozenset[str]
    free: Any = None
    named: bool = True


class List(NamedTuple):
    """each: the shape of every item, None for any."""

    each: Any


class Name(NamedTuple):
    """Another block of the page."""

    block: str


def blocks() -> dict[str, Any]:
    """Command, or name of a part, -> shape."""
    text = PAGE.read_text("utf-8")
    found: dict[str, Any] = {}
    for fence in re.findall(r"^```\n(.*?)^```", text, re.MULTILINE | re.DOTALL):
        for part in re.split(r"\n\n+", fence.strip()):
            heads, _, body = part.partition("{")
            for head in heads.split(","):
                assert head.strip() not in found, head
                found[head.strip()] = _Reader("{" + body).value()
    return found


class _Reader:
    """A reader of one block; it is used up by `value`."""

    def __init__(self, text: str) -> None:
        self.tokens = _TOKEN.findall(text)

    def value(self) -> Any:
        """The first of the alternatives that is an object, a list or a name; None for a text."""
        shape = self._one()
        while self._next("|"):
            other = self._one()
            shape = shape or other
        return shape

    def _next(self, token: str) -> bool:
        if self.tokens and self.tokens[0] == token:
            self.tokens.pop(0)
            return True
        return False

    def _one(self) -> Any:
        token = self.tokens.pop(0)
        if token == "[":
            if self._next(".."):
                assert self._next("]")
                return List(None)
            each = self.value()
            assert self._next("]"), self.tokens[:5]
            return List(each)
        if token == "{":
            return self._object()
        plain = {"TEXT", "N", "BOOL"}
        return Name(token) if token.isupper() and token not in plain else None

    def _object(self) -> Object:
        keys: dict[str, Any] = {}
        optional = set()
        while not self._next("}"):
            token = self.tokens.pop(0)
            name = token.strip('"?')
            if token.endswith("?"):
                optional.add(name)
            keys[name] = self.value() if self._next(":") else None
            if token.isupper() and not token.startswith('"'):
                assert self._next("}"), self.tokens[:5]
                return Object({}, frozenset(), keys[name], named=False)
            assert self._next(",") or self.tokens[0] == "}", self.tokens[:5]
        return Object(keys, frozenset(optional))


def differences(real: Any, shape: Any, known: Mapping[str, Any], at: str = "$") -> Iterator[str]:
    """Where a document is not as the page says: keys too many, missing keys, another type."""
    if isinstance(shape, Name):
        shape = known[shape.block]
    if shape is None or real is None:
        return
    if isinstance(shape, List):
        if not isinstance(real, list):
            yield f"{at} is no list"
            return
        for each in real:
            yield from differences(each, shape.each, known, f"{at}[]")
        return
    if not isinstance(real, dict):
        yield f"{at} is no object"
        return
    if not shape.named:
        for name, value in real.items():
            yield from differences(value, shape.free, known, f"{at}.{name}")
        return
    for name in sorted(set(real) - set(shape.keys)):
        yield f"{at}.{name} is not on the page"
    for name in sorted(set(shape.keys) - set(real) - shape.optional):
        yield f"{at}.{name} is on the page only"
    for name in set(shape.keys) & set(real):
        yield from differences(real[name], shape.keys[name], known, f"{at}.{name}")
