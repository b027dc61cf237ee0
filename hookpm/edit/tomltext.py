"""TOML text as typed values; every error names the file, the line, the key and what is allowed.

For hookpack.toml, cases and the lock; fit for any other file whose shape is a msgspec struct.
"""

from __future__ import annotations

import importlib
import re
import sys
import types
import typing
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any, TypeVar

import msgspec

from hookpm.errors import FileFormatError, NotFoundError, SystemFailureError

T = TypeVar("T")
Key = str | int

MAX_DEPTH = 100  # levels of tables and lists; what reads and compares values is recursive
_WORDS = {
    "str": "text",
    "int": "a whole number",
    "float": "a number",
    "bool": "true or false",
    "array": "a list",
    "object": "a table",
    "null": "nothing",
}


def read(path: Path) -> str:
    """The text of a file. Raises NotFoundError, SystemFailureError, FileFormatError (no UTF-8)."""
    try:
        data = path.read_bytes()
    except FileNotFoundError:
        raise NotFoundError(f"no file {path.name}", file=path) from None
    except OSError as error:
        raise SystemFailureError(
            f"cannot read {path.name}", cause=error.strerror, file=path
        ) from error
    return decode(data, path)


def decode(data: bytes, file: Path | str) -> str:
    """UTF-8 to text with `\\n` line ends kept as they are. Raises FileFormatError with the line."""
    try:
        return data.decode("utf-8")
    except UnicodeDecodeError as error:
        raise FileFormatError(
            "the file is not UTF-8 text",
            cause=f"byte 0x{data[error.start]:02x} at offset {error.start}",
            file=file,
            line=data.count(b"\n", 0, error.start) + 1,
        ) from None


def loads(text: str) -> dict[str, Any]:
    """TOML to plain values, by the standard library's reader. Raises ValueError, RecursionError."""
    tomllib = importlib.import_module("tomllib" if sys.version_info >= (3, 11) else "tomli")
    values: dict[str, Any] = tomllib.loads(text)
    return values


def parse(text: str, file: Path | str) -> dict[str, Any]:
    """TOML to plain values. Raises FileFormatError with line and column on a syntax error."""
    try:
        values = loads(text)
        if _is_deeper(values, MAX_DEPTH):
            raise RecursionError
        return values
    except RecursionError:
        raise FileFormatError(
            "not read: its values are nested too deeply",
            cause=f"more than {MAX_DEPTH} levels",
            file=file,
            line=1,
        ) from None
    except ValueError as error:  # also a number with more digits than Python takes
        said = str(error)
        at = re.search(r" \(at line (\d+), column (\d+)\)$", said)
        if at is None:  # "... (at end of document)"
            line, where = text.count("\n") + 1, ""
        else:
            said, line, where = said[: at.start()], int(at[1]), f", column {at[2]}"
        raise FileFormatError(
            f"not valid TOML: line {line}{where}", cause=said, file=file, line=line
        ) from None


def _is_deeper(value: Any, levels: int) -> bool:
    """Is the value nested in more levels than these? Without recursion: that is the point."""
    layer = [value]
    for _ in range(levels + 1):
        parts = [each.values() if isinstance(each, dict) else each for each in layer]
        layer = [part for inner in parts for part in inner if isinstance(part, dict | list)]
        if not layer:
            return False
    return True


def convert(data: dict[str, Any], kind: type[T], text: str, file: Path | str) -> T:
    """Plain values (of `text`) to the struct `kind`. Raises FileFormatError at the wrong key."""
    try:
        return msgspec.convert(data, kind)
    except msgspec.ValidationError as error:
        said, _, where = str(error).partition(" - at `$")
        path, wrong = _follow(data, kind, where.rstrip("`"), said)
        raise _explained(said, path, wrong, text, file) from None


def failure(
    text: str,
    file: Path | str,
    path: Sequence[Key],
    message: str,
    *,
    hint: str | None = None,
    cause: str | None = None,
) -> FileFormatError:
    """A FileFormatError that points at the line of the key `path` in `text`."""
    return FileFormatError(message, cause=cause, hint=hint, file=file, line=line_of(text, path))


def line_of(text: str, path: Sequence[Key]) -> int | None:
    """The line of a key, or of the nearest enclosing one that can be found."""
    from hookpm.edit.tomllines import line_of as found

    return found(text, path)


def dotted(path: Sequence[Key]) -> str:
    """`("hooks", 0, "event")` as `hooks[0].event`."""
    out = ""
    for key in path:
        out += f"[{key}]" if isinstance(key, int) else f".{key}" if out else key
    return out


def near(word: str, words: Iterable[str]) -> str | None:
    """The one of `words` that `word` most likely meant, or None."""
    from difflib import get_close_matches

    by_lower = {w.lower(): w for w in words}
    found = get_close_matches(word.lower(), by_lower, n=1, cutoff=0.6)
    return by_lower[found[0]] if found else None


def one_of(words: Iterable[str]) -> str:
    """`a, b or c`."""
    listed = list(words)
    return " or ".join(filter(None, (", ".join(listed[:-1]), *listed[-1:])))


def _follow(data: Any, kind: Any, where: str, said: str) -> tuple[list[Key], Any]:
    """msgspec's path as keys, and the type at its end; finds the keys that msgspec leaves out."""
    path: list[Key] = []
    for step in re.findall(r"\.([^.\[\]]+)|\[(\d+)\]|(\[\.\.\.\])", where):
        name, index, unnamed = step
        kind = _plain(kind)
        key: Key = name if name else int(index) if index else ""
        if unnamed:
            kind = typing.get_args(kind)[1]
            key = next(k for k, v in data.items() if _fails(v, kind, said))
        elif index:
            kind = typing.get_args(kind)[0]
        else:
            kind = next(f.type for f in msgspec.structs.fields(kind) if f.encode_name == name)
        data = data[key]
        path.append(key)
    return path, _plain(kind)


def _plain(kind: Any) -> Any:
    """A type without Annotated and `| None`."""
    if typing.get_origin(kind) is typing.Annotated:
        return _plain(typing.get_args(kind)[0])
    if typing.get_origin(kind) in (typing.Union, types.UnionType):
        return _plain(next(a for a in typing.get_args(kind) if a is not type(None)))
    return kind


def _fails(value: Any, kind: Any, said: str) -> bool:
    try:
        msgspec.convert(value, kind)
    except msgspec.ValidationError as error:
        return str(error).partition(" - at `$")[0] == said
    return False


def _explained(
    said: str, path: list[Key], kind: Any, text: str, file: Path | str
) -> FileFormatError:
    quoted = re.findall(r"`([^`]*)`", said)
    place = f" in {dotted(path)}" if path else ""
    if "unknown field" in said:
        known = [f.encode_name for f in msgspec.structs.fields(kind)]
        meant = near(quoted[0], known)
        return failure(
            text,
            file,
            [*path, quoted[0]],
            f"unknown key `{quoted[0]}`{place}",
            hint=f"did you mean `{meant}`?" if meant else f"known keys: {', '.join(known)}",
        )
    if "missing required field" in said:
        return failure(text, file, path, f"`{quoted[0]}` is missing{place}")
    if said.startswith("Invalid enum value"):
        words = [str(word) for word in typing.get_args(kind)]
        meant = near(said.split("'")[1] if "'" in said else "", words)
        return failure(
            text,
            file,
            path,
            f"`{dotted(path)}` must be {one_of(words)}",
            hint=f"did you mean {meant}?" if meant else None,
        )
    if said.startswith("Expected `") and ", got `" in said:
        wanted = one_of(_WORDS.get(w, w) for w in quoted[0].split(" | ") if w != "null")
        got = _WORDS.get(quoted[1], quoted[1])
        return failure(text, file, path, f"`{dotted(path)}` must be {wanted}, not {got}")
    if " matching regex '" in said:
        pattern = said.split("'")[1]
        return failure(text, file, path, f"`{dotted(path)}` must match {pattern}")
    return failure(text, file, path, f"`{dotted(path)}`: {said[:1].lower()}{said[1:]}")
