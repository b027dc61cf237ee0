"""Finds the line of a key in a TOML text, so that a message about a manifest can name it.

Approximate on purpose: TOML parsers give values without lines, and this need only be right for the
file's own readers. What stands inside of a value (an inline table, an array over several lines) has
the line of the key that holds it.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Sequence

_PART = re.compile(r"""\s*(?:"((?:[^"\\\n]|\\.)*)"|'([^'\n]*)'|([A-Za-z0-9_-]+))\s*""")
_HEADER = re.compile(r"[ \t]*\[")
_TOKEN = re.compile(
    r'''"""(?:[^"\\]|\\.|"(?!""))*"{3,5}|\'\'\'(?:[^']|'(?!''))*'{3,5}'''
    r"""|"(?:[^"\\\n]|\\.)*"|'[^'\n]*'|\#[^\n]*|[\[{]|[\]}]|\n""",
    re.DOTALL,
)

Path = tuple[str | int, ...]


def line_of(text: str, path: Sequence[str | int]) -> int | None:
    """The line (from 1) of the key at `path`, such as ("hooks", 0, "event").

    If the key is not there, the line of the innermost thing around it; None when even the first
    part of the path is missing. Never raises, whatever the text.
    """
    lines = _lines(text.replace("\r\n", "\n"))
    for end in range(len(path), 0, -1):
        found = lines.get(tuple(path[:end]))
        if found is not None:
            return found
    return None


def _lines(text: str) -> dict[Path, int]:
    found: dict[Path, int] = {}
    counts: dict[Path, int] = {}  # how many elements each array of tables has so far
    table: Path = ()
    for number, statement in _statements(text):
        if statement.startswith("["):
            is_array = statement.startswith("[[")
            keys, _ = _key(statement, 2 if is_array else 1)
            table = _real(keys[:-1] if is_array else keys, counts)
            if is_array and keys:
                array = (*table, keys[-1])
                counts[array] = counts.get(array, -1) + 1
                table = (*array, counts[array])
            new = table
        else:
            keys, end = _key(statement, 0)
            if not keys or statement[end : end + 1] != "=":
                continue
            new = (*table, *keys)
        for end in range(1, len(new) + 1):
            found.setdefault(new[:end], number)
    return found


def _statements(text: str) -> Iterator[tuple[int, str]]:
    """Each key/value pair or table header with its line, values over several lines included."""
    line, start, start_line, depth = 1, 0, 1, 0
    is_header = _HEADER.match(text) is not None
    for token in _TOKEN.finditer(text):
        word = token.group()
        if word == "\n" and depth <= 0:
            yield start_line, text[start : token.start()].strip()
            start, start_line, depth = token.end(), line + 1, 0
            is_header = _HEADER.match(text, start) is not None
        elif word in ("[", "{") and not is_header:
            depth += 1
        elif word in ("]", "}") and depth > 0:
            depth -= 1
        line += word.count("\n")
    yield start_line, text[start:].strip()


def _key(statement: str, start: int) -> tuple[tuple[str, ...], int]:
    """A dotted key from an offset on, and where it ends."""
    parts: list[str] = []
    while match := _PART.match(statement, start):
        quoted, literal, bare = match.groups()
        parts.append(_unquoted(quoted) if quoted is not None else literal or bare or "")
        start = match.end()
        if statement[start : start + 1] != ".":
            break
        start += 1
    return tuple(parts), start


def _real(keys: Sequence[str], counts: dict[Path, int]) -> Path:
    """The path of a table: a key that names an array of tables means its last element."""
    path: Path = ()
    for key in keys:
        path = (*path, key)
        if path in counts:
            path = (*path, counts[path])
    return path


def _unquoted(text: str) -> str:
    try:
        return str(json.loads(f'"{text}"'))
    except ValueError:  # an escape that only TOML has
        return text
