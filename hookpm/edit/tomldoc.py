"""Reads TOML into sections that know where they stand in the text, beside its plain values.

The text is never rebuilt from the values: `tomledit` cuts and inserts at the offsets found here.
A byte order mark stays in the text, as U+FEFF at index 0.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any, NamedTuple

from hookpm.edit import tomllines, tomltext
from hookpm.edit.jsontree import BOM

Key = str | int

_HEADER = re.compile(r"[ \t]*\[(\[?)")
_KEYS = re.compile(r"""(?:"(?:[^"\\\n]|\\.)*"|'[^'\n]*'|[A-Za-z0-9_-]+|[ \t.])+""")
_TOKEN = re.compile(
    r'''"""(?:[^"\\]|\\.|"(?!""))*"{3,5}|\'\'\'(?:[^']|'(?!''))*'{3,5}'''
    r"""|"(?:[^"\\\n]|\\.)*"|'[^'\n]*'|\#[^\n]*|[\[{]|[\]}]|,|\n""",
    re.DOTALL,
)


class Pair(NamedTuple):
    """`key = value`. start: of its line; end: after its last line; value: where the value starts.

    keys: dotted keys are several.
    """

    keys: tuple[str, ...]
    start: int
    value: int
    end: int


class Section(NamedTuple):
    """A header and the pairs below it; the pairs before the first header have none.

    path: where its table stands in the values, arrays of tables with the index. start, end: from
    the header's line to the end of the last pair (what follows is space and comments); inner: the
    end of the header's own line.
    """

    path: tuple[Key, ...]
    is_array: bool
    start: int
    inner: int
    end: int
    pairs: tuple[Pair, ...]


class Item(NamedTuple):
    """An element of a list in brackets, without the space around it. comma: that follows, or -1."""

    start: int
    end: int
    comma: int


@dataclass(frozen=True)
class TomlDocument:
    """A TOML text, its plain values, and its sections in the order of the text."""

    text: str
    file: Path | str | None
    value: dict[str, Any]

    @cached_property
    def sections(self) -> tuple[Section, ...]:
        """All sections; found at the first need."""
        return tuple(_sections(self.text))

    def get(self, path: Sequence[Key]) -> Any:
        """The plain value at `path`; None where there is nothing (TOML has no null)."""
        return get(self.value, path)

    def within(self, path: Sequence[Key]) -> list[Section]:
        """The sections of the table at `path`, its inner tables included."""
        return [s for s in self.sections if s.path[: len(path)] == tuple(path)]

    def pair(self, path: Sequence[Key]) -> Pair | None:
        """The pair that gives the value at `path`, if one does."""
        for section in self.sections:
            for pair in section.pairs:
                if (*section.path, *pair.keys) == tuple(path):
                    return pair
        return None

    def items(self, pair: Pair) -> tuple[Item, ...]:
        """The elements of the list that is the pair's value."""
        return tuple(_items(self.text, pair.value))

    def line_at(self, path: Sequence[Key]) -> int | None:
        """The line of the key or header at `path`, or of the innermost thing around it."""
        return tomllines.line_of(self.text.removeprefix(BOM), path)

    def line_of(self, offset: int) -> int:
        """The line of an offset, from 1."""
        return self.text.count("\n", 0, offset) + 1


def get(value: Any, path: Sequence[Key]) -> Any:
    """What is at `path` in plain values; None where there is nothing."""
    try:
        for key in path:
            value = value[key]
    except (KeyError, IndexError, TypeError):
        return None
    return value


def parse(text: str, file: Path | str | None = None) -> TomlDocument:
    """Read a TOML text. Raises FileFormatError, with the line, if it is none."""
    values = tomltext.parse(text.removeprefix(BOM), "the text" if file is None else file)
    return TomlDocument(text, file, values)


def _sections(text: str) -> Iterator[Section]:
    counts: dict[tuple[Key, ...], int] = {}  # elements so far of each array of tables
    path: tuple[Key, ...] = ()
    is_array, start, inner = False, len(BOM) if text.startswith(BOM) else 0, 0
    pairs: list[Pair] = []
    for line_start, header in _statements(text):
        if header is None:
            pairs.append(_pair(text, line_start))
            continue
        yield _section(path, is_array, start, inner or start, pairs)
        keys, end = _keys_at(text, header.end())
        is_array, start, inner, pairs = bool(header[1]), line_start, _line_end(text, end), []
        path = _real(keys[:-1] if is_array else keys, counts)
        if is_array:
            array = (*path, keys[-1])
            counts[array] = counts.get(array, -1) + 1
            path = (*array, counts[array])
    yield _section(path, is_array, start, inner or start, pairs)


def _section(
    path: tuple[Key, ...], is_array: bool, start: int, inner: int, pairs: list[Pair]
) -> Section:
    end = pairs[-1].end if pairs else inner
    return Section(path, is_array, start, inner, end, tuple(pairs))


def _statements(text: str) -> Iterator[tuple[int, re.Match[str] | None]]:
    """Where each header and each pair starts, with the match of a header's brackets."""
    at = len(BOM) if text.startswith(BOM) else 0
    while at < len(text):
        header = _HEADER.match(text, at)
        rest = text[at : _line_end(text, at)].lstrip(" \t")
        if header is not None:
            yield at, header
            at = _line_end(text, at)
        elif rest.strip() and not rest.startswith("#"):
            yield at, None
            at = _pair(text, at).end
        else:
            at = _line_end(text, at)


def _pair(text: str, start: int) -> Pair:
    keys, end = _keys_at(text, start)
    value = end + 1  # after the equals sign
    while text[value : value + 1] in (" ", "\t"):
        value += 1
    depth = 0
    for token in _TOKEN.finditer(text, value):
        word = token.group()
        if word in ("[", "{"):
            depth += 1
        elif word in ("]", "}"):
            depth -= 1
        elif word == "\n" and depth == 0:
            return Pair(keys, start, value, token.end())
    return Pair(keys, start, value, len(text))


def _keys_at(text: str, start: int) -> tuple[tuple[str, ...], int]:
    """The keys of a dotted key, and where it ends."""
    match = _KEYS.match(text, start)
    if match is None:
        raise AssertionError(f"no key at offset {start}")
    found: Any = tomltext.parse(f"{match.group()} = 0", "a key")
    keys: list[str] = []
    while isinstance(found, dict):
        ((key, found),) = found.items()
        keys.append(key)
    return tuple(keys), match.end()


def _real(keys: Sequence[str], counts: dict[tuple[Key, ...], int]) -> tuple[Key, ...]:
    """The path of a table: the name of an array of tables means its last element."""
    path: tuple[Key, ...] = ()
    for key in keys:
        path = (*path, key)
        if path in counts:
            path = (*path, counts[path])
    return path


def _line_end(text: str, at: int) -> int:
    found = text.find("\n", at)
    return len(text) if found < 0 else found + 1


def _items(text: str, start: int) -> Iterator[Item]:
    """The elements of the list whose bracket is at `start`."""
    depth, first = 0, start + 1
    comments: list[tuple[int, int]] = []
    for token in _TOKEN.finditer(text, start):
        word = token.group()
        if word.startswith("#"):
            comments.append(token.span())
        elif word in ("[", "{"):
            depth += 1
        elif word in ("]", "}"):
            depth -= 1
        if depth == 0 or (depth == 1 and word == ","):
            span = _content(text, first, token.start(), comments)
            if span is not None:
                yield Item(*span, token.start() if word == "," else -1)
            if depth == 0:
                return
            first, comments = token.end(), []


def _content(
    text: str, start: int, end: int, comments: Sequence[tuple[int, int]]
) -> tuple[int, int] | None:
    """Where something other than space and comments stands between two offsets."""
    part = text[start:end]
    for first, last in comments:
        part = part[: first - start] + " " * (last - first) + part[last - start :]
    found = part.strip()
    if not found:
        return None
    begin = start + part.index(found)
    return begin, begin + len(found)
