"""Edits lists of tables in TOML as text: what is not ours keeps every byte, removal gives it back.

Pure functions from text to text, in the manner of `jsonedit`. A new element is a `[[header]]` block
at the end of the text, where it can swallow no table of anybody's; into a list that is written in
brackets it goes as an inline table. Every result is read back before it is given.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from hookpm.edit import tomllist
from hookpm.edit.jsontree import BOM
from hookpm.edit.tomldoc import Key, Section, TomlDocument, get, parse
from hookpm.edit.tomlrender import block
from hookpm.errors import FileFormatError, HookpmError

Undo = tuple[str, ...]
File = Path | str | None

_NO_NEWLINE = "no final newline"


class Edited(NamedTuple):
    """A text after an insertion, and what `remove` has to know to take it back to the byte."""

    text: str
    undo: Undo


def append(text: str, path: Sequence[str], value: Mapping[str, Any], file: File = None) -> Edited:
    """Add a table to the list of tables at `path`, such as ("hooks", "PreToolUse").

    value: strings, numbers, booleans, lists of those, tables and lists of tables.
    Raises FileFormatError when the text is no TOML or has another shape at `path`; TypeError or
    ValueError for a value that TOML has not.
    """
    document = parse(text, file)
    path = tuple(path)
    rendered = block(path, value, newline_of(text))
    _check_shape(document, path)
    pair = document.pair(path)
    undo: Undo = ()
    if pair is not None:
        edited = tomllist.append(document, pair, value)
    else:
        edited = text
        if text.strip(BOM + " \t\r\n"):
            if not text.endswith("\n"):
                undo = (json.dumps([_NO_NEWLINE, _last_line(text)]),)
                edited += newline_of(text)
            edited += newline_of(text)
        elif text and not text.endswith(("\n", BOM)):
            undo = (json.dumps([_NO_NEWLINE, _last_line(text)]),)
            edited += newline_of(text)
        edited += rendered
    return Edited(_checked(document, edited, _with(document.value, path, value)), undo)


def remove(
    text: str,
    path: Sequence[Key],
    undo: Undo = (),
    file: File = None,
    value: Mapping[str, Any] | None = None,
) -> str:
    """Take out the element at `path`, such as ("hooks", "PreToolUse", 0).

    Comments on lines of their own stay. A path at which there is nothing changes nothing.
    undo: the records of the insertions into this text (see `merge_undo`).
    value: what was put there. A key that it has not is somebody else's, put behind our block by
    accident: the removal would take it along, so it is refused.
    Raises FileFormatError as `append` does.
    """
    document = parse(text, file)
    path = tuple(path)
    if not path or document.get(path) is None:
        return text
    if value is not None:
        _refuse_foreign_keys(document, path, value)
    pair = document.pair(path[:-1])
    if pair is not None and isinstance(path[-1], int):
        edited = tomllist.remove(document, pair, path[-1])
    else:
        if not document.within(path):
            raise _unreachable(document, path)
        edited = _without_sections(document, path, undo)
    return _checked(document, edited, _without(document.value, path), pruned=path)


def remove_many(
    text: str, paths: Sequence[Sequence[Key]], undo: Undo = (), file: File = None
) -> str:
    """Like `remove`, for several paths that all mean places in `text`."""
    # From the last index down, so that a removal moves nothing that is still to be found.
    for path in sorted({tuple(path) for path in paths}, key=_place, reverse=True):
        text = remove(text, path, undo, file)
    return text


def merge_undo(*undos: Undo) -> Undo:
    """One record for several insertions into one text, each record once."""
    return tuple(dict.fromkeys(record for undo in undos for record in undo))


def newline_of(text: str) -> str:
    """The first line break of a text, as it is spelled there; LF where there is none."""
    at = text.find("\n")
    return "\r\n" if at > 0 and text[at - 1] == "\r" else "\n"


def _place(path: tuple[Key, ...]) -> list[tuple[str, int]]:
    return [(key, 0) if isinstance(key, str) else ("", key) for key in path]


def _without_sections(document: TomlDocument, path: tuple[Key, ...], undo: Undo) -> str:
    text = document.text
    cut = text
    for start, end in reversed(_runs(document, path)):
        kept = _comment_lines(document, path, start, end)
        before, after = cut[:start], cut[end:]
        if not kept:
            before, after = _without_blank_line(before, after)
        cut = before + kept + after
        if end == len(text):
            cut = _as_it_ended(cut, undo)
    return cut


def _runs(document: TomlDocument, path: tuple[Key, ...]) -> list[tuple[int, int]]:
    """From where to where the element's sections stand without another's between them."""
    wanted = document.within(path)
    runs: list[tuple[int, int]] = []
    last: Section | None = None
    for section in document.sections:
        if section not in wanted:
            last = None
        elif last is None:
            runs.append((section.start, section.end))
            last = section
        else:
            runs[-1] = (runs[-1][0], section.end)
    return runs


def _comment_lines(document: TomlDocument, path: tuple[Key, ...], start: int, end: int) -> str:
    """The lines between two offsets that hold nothing but a comment."""
    own: list[tuple[int, int]] = []
    for section in document.within(path):
        own.append((section.start, section.inner))
        own += [(pair.start, pair.end) for pair in section.pairs]
    kept, at = "", start
    while at < end:
        line_end = document.text.find("\n", at) + 1 or len(document.text)
        line = document.text[at:line_end]
        is_ours = any(first <= at < last for first, last in own)
        kept += line if line.strip() and not is_ours else ""
        at = line_end
    return kept


def _without_blank_line(before: str, after: str) -> tuple[str, str]:
    """Without the blank line that an insertion puts before its block."""
    if not before.strip(BOM + " \t\r\n"):
        line, newline, rest = after.partition("\n")
        return before, after if line.strip() or not newline else rest
    for blank in ("\n\r\n", "\n\n"):
        if before.endswith(blank):
            return before[: 1 - len(blank)], after
    return before, after


def _as_it_ended(text: str, undo: Undo) -> str:
    """Without the final newline, where the text that it was added to ends here again."""
    for record in undo:
        try:
            kind, line = json.loads(record)
        except (ValueError, TypeError):
            continue
        if kind == _NO_NEWLINE and text.endswith("\n"):
            shorter = text[:-1].removesuffix("\r")
            if _last_line(shorter) == line:
                return shorter
    return text


def _last_line(text: str) -> str:
    return text[text.rfind("\n") + 1 :]


def _check_shape(document: TomlDocument, path: tuple[str, ...]) -> None:
    """Only tables on the way, and nothing or a list of tables at the end of it."""
    found: Any = document.value
    for depth, key in enumerate(path):
        found = found.get(key)
        if found is None:
            return
        is_last = depth == len(path) - 1
        fits = isinstance(found, list) if is_last else isinstance(found, dict)
        if is_last and fits:
            fits = all(isinstance(item, dict) for item in found)
        if not fits:
            raise _wrong_shape(document, path, depth + 1, is_last)


def _wrong_shape(
    document: TomlDocument, path: tuple[str, ...], depth: int, is_last: bool
) -> FileFormatError:
    line = document.line_at(path[:depth])
    wanted = "a list of tables" if is_last else "a table"
    return FileFormatError(
        f"in {document.file or 'the text'}, line {line}, {'.'.join(path[:depth])} is not {wanted}",
        cause="what the agent would make of it is not known, so nothing is added",
        hint=f"the expected shape is [[{'.'.join(path)}]]",
        file=document.file,
        line=line,
    )


def _refuse_foreign_keys(
    document: TomlDocument, path: tuple[Key, ...], value: Mapping[str, Any]
) -> None:
    found = document.get(path)
    name = document.file or "the text"
    for key in found if isinstance(found, dict) else ():
        if key not in value:
            line = document.line_at((*path, key))
            raise FileFormatError(
                f"in {name}, line {line}, {key} stands in hookpm's own block",
                cause="a key belongs to the last header above it, so it would be removed with it",
                hint="move it above the first header that it does not belong to, then run again",
                file=document.file,
                line=line,
            )


def _unreachable(document: TomlDocument, path: tuple[Key, ...]) -> FileFormatError:
    line = document.line_at(path)
    return FileFormatError(
        f"in {document.file or 'the text'}, line {line}, the list is written inside another value",
        hint="take the entry out by hand",
        file=document.file,
        line=line,
    )


def _with(data: dict[str, Any], path: tuple[str, ...], value: Mapping[str, Any]) -> dict[str, Any]:
    if len(path) == 1:
        return {**data, path[0]: [*data.get(path[0], ()), dict(value)]}
    return {**data, path[0]: _with(data.get(path[0], {}), path[1:], value)}


def _without(data: Any, path: tuple[Key, ...]) -> Any:
    key, rest = path[0], path[1:]
    if isinstance(data, list):
        inner = [_without(data[int(key)], rest)] if rest else []
        return [*data[: int(key)], *inner, *data[int(key) + 1 :]]
    if rest:
        return {**data, key: _without(data[key], rest)}
    return {name: value for name, value in data.items() if name != key}


def _checked(document: TomlDocument, text: str, expected: Any, pruned: tuple[Key, ...] = ()) -> str:
    """The text, if it says what it should; pruned: what was taken out, whose lists and tables may
    be gone with it where nothing is left in them."""
    try:
        after = parse(text, document.file).value
    except FileFormatError:
        after = None
    if after is not None:
        for end in range(len(pruned) - 1, 0, -1):
            place = pruned[:end]
            if get(after, place) is None and get(expected, place) in ([], {}):
                expected = _without(expected, place)
        if _same(after, expected):
            return text
    name = document.file or "the text"
    raise HookpmError(
        f"{name} could not be edited without touching the rest, so it was not",
        cause=None if after is not None else "a table on the way is written in one line",
        hint="add or remove the entry by hand; if the file looks sound, please report this",
        file=document.file,
    )


def _same(one: Any, other: Any) -> bool:
    """Equal, where 1, 1.0 and true are three things and nan is one."""
    if isinstance(one, dict) and isinstance(other, dict):
        return one.keys() == other.keys() and all(_same(one[key], other[key]) for key in one)
    if isinstance(one, list) and isinstance(other, list):
        return len(one) == len(other) and all(map(_same, one, other))
    return type(one) is type(other) and (one == other or (one != one and other != other))
