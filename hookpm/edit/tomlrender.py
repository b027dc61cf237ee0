"""Writes plain values as TOML: a block with its header, or a value on one line."""

from __future__ import annotations

import json
import math
import re
from collections.abc import Mapping, Sequence
from typing import Any

_BARE = re.compile(r"[A-Za-z0-9_-]+")


def block(path: Sequence[str], value: Mapping[str, Any], newline: str) -> str:
    """A `[[path]]` block; tables and lists of tables in it become blocks of their own below it.

    Raises TypeError or ValueError for a value that TOML has not.
    """
    return "".join(line + newline for line in _lines(path, value, "[[", "]]"))


def _lines(path: Sequence[str], value: Mapping[str, Any], opening: str, closing: str) -> list[str]:
    lines = [opening + ".".join(map(key, path)) + closing]
    inner: list[str] = []
    for name, item in value.items():
        if isinstance(item, Mapping):
            inner += _lines((*path, name), item, "[", "]")
        elif _is_tables(item):
            for table in item:
                inner += _lines((*path, name), table, "[[", "]]")
        else:
            lines.append(f"{key(name)} = {inline(item)}")
    return lines + inner


def _is_tables(value: object) -> bool:
    return isinstance(value, list) and bool(value) and all(isinstance(v, Mapping) for v in value)


def key(name: str) -> str:
    """A key, quoted where it has to be."""
    return name if _BARE.fullmatch(name) else _basic(name)


def inline(value: Any) -> str:
    """A value on one line. Raises TypeError or ValueError for one that TOML has not."""
    if isinstance(value, str):
        return _string(value)
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, int):
        return str(value)
    if isinstance(value, float):
        if not math.isfinite(value):
            raise ValueError(f"{value} is not written")
        return repr(value)
    if isinstance(value, Mapping):
        inside = ", ".join(f"{key(name)} = {inline(item)}" for name, item in value.items())
        return f"{{ {inside} }}" if inside else "{}"
    if isinstance(value, (list, tuple)):
        return f"[{', '.join(map(inline, value))}]"
    raise TypeError(f"TOML has no {type(value).__name__}")


def _string(text: str) -> str:
    """In single quotes where that needs no escapes and double quotes would: shell lines."""
    plain = "'" not in text and all(c == "\t" or " " <= c < "\x7f" or c > "\x9f" for c in text)
    if plain and ('"' in text or "\\" in text) and text.isprintable():
        return f"'{text}'"
    return _basic(text)


def _basic(text: str) -> str:
    text.encode()  # a lone surrogate is a ValueError
    return json.dumps(text, ensure_ascii=False).replace("\x7f", "\\u007f")
