"""Inserts into and removes from a TOML list that is written in brackets: `hooks = [{...}]`."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from hookpm.edit.tomldoc import Item, Pair, TomlDocument
from hookpm.edit.tomlrender import inline
from hookpm.errors import FileFormatError


def append(document: TomlDocument, pair: Pair, value: Mapping[str, Any]) -> str:
    """The text with an inline table as the list's last element, laid out like the one before."""
    text, items = document.text, document.items(pair)
    written = inline(value)
    if not items:
        at = pair.value + 1
        return text[:at] + written + text[at:]
    last = items[-1]
    space = _space_before(text, last)
    if last.comma >= 0:
        return text[: last.comma + 1] + space + written + "," + text[last.comma + 1 :]
    return text[: last.end] + "," + (space or " ") + written + text[last.end :]


def _space_before(text: str, item: Item) -> str:
    """What sets an element apart from the one before: a new line with its indent, or a space."""
    start = len(text[: item.start].rstrip(" \t"))
    before = text[:start]
    if before.endswith("\n"):
        newline = "\r\n" if before.endswith("\r\n") else "\n"
        return newline + text[start : item.start]
    return " "


def remove(document: TomlDocument, pair: Pair, index: int) -> str:
    """The text without an element of the list, and without the comma that goes with it.

    Raises FileFormatError where a comment stands between the two.
    """
    text, items = document.text, document.items(pair)
    item = items[index]
    if len(items) == 1:
        end = item.end if item.comma < 0 else item.comma + 1
        start = item.start
    elif index == len(items) - 1:
        before = items[index - 1]
        # With a comma at the end of the list, the one before it stays in its place.
        start = before.end if item.comma < 0 else before.comma + 1
        end = item.end if item.comma < 0 else item.comma + 1
    else:
        start, end = item.start, items[index + 1].start
    gaps = text[start:end].replace(text[item.start : item.end], "", 1)
    if "#" in gaps:
        line = document.line_of(item.start)
        raise FileFormatError(
            f"in {document.file or 'the text'}, line {line}, a comment stands beside our entry",
            hint="take the entry out by hand",
            file=document.file,
            line=line,
        )
    return text[:start] + text[end:]
