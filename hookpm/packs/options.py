"""The options of a pack: what a user set, checked, merged with the defaults, ready for a hook."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from hookpm.edit.tomltext import Key, failure, near, one_of
from hookpm.errors import FileFormatError

if TYPE_CHECKING:
    from hookpm.packs.manifest import Manifest

LIMIT = 32 * 1024  # bytes of HOOKPM_OPTIONS; larger ones do not fit every system's environment

NAME = re.compile(r"[A-Za-z][A-Za-z0-9_-]{0,63}")

# The type of one item: of a list's items, else of the value itself.
ITEM_TYPES = {"str": "str", "int": "int", "float": "float", "bool": "bool", "list[str]": "str"}

_WORDS = {"str": "text", "int": "a whole number", "float": "a number", "bool": "true or false"}


def value_problem(value: object, kind: str, choices: Sequence[object] | None) -> str | None:
    """Why `value` is no value of an option of type `kind` with `choices`; None if it is one."""
    if kind == "list[str]":
        if not isinstance(value, list | tuple) or not all(isinstance(v, str) for v in value):
            return "must be a list of texts"
        items = list(value)
    elif not _is(value, kind):
        return f"must be {_WORDS[kind]}"
    else:
        items = [value]
    for item in items if choices is not None else ():
        if item not in (choices or ()):
            return f"must be {one_of(str(c) for c in choices or ())}, not {item}"
    return None


def merged(
    manifest: Manifest,
    given: Mapping[str, Any],
    *,
    text: str = "",
    file: Path | str = "hookpm.toml",
    at: Sequence[Key] = (),
    said: Callable[[Sequence[str]], tuple[str, Path | str]] | None = None,
) -> dict[str, Any]:
    """All options of a pack by name: the user's values, and the defaults for the rest.

    given: what the user set; text, file, at: where (`at` is the path of the options table);
    said: text and file of a key, where not all are in one file.
    Raises FileFormatError for an unknown option, a value of another type, or more than 32 KB.
    """
    pack = manifest.name

    def where(key: Sequence[Key]) -> tuple[str, Path | str, Sequence[Key]]:
        return (text, file, key) if said is None else (*said([str(k) for k in key]), key)

    for name, value in given.items():
        option = manifest.options.get(name)
        if option is None:
            raise _unknown(manifest, name, *where((*at, name)))
        if problem := value_problem(value, option.type, option.choices):
            raise failure(
                *where((*at, name)),
                f"option {name} of {pack} {problem}",
                hint=option.help or None,
            )
    values = {n: given.get(n, option.default) for n, option in manifest.options.items()}
    size = len(encoded(values).encode())
    if size > LIMIT:
        raise failure(
            *where(at),
            f"the options of {pack} come to {size} bytes, at most {LIMIT} are allowed",
            hint="they reach every hook in an environment variable; shorten the longest",
        )
    return values


def encoded(values: Mapping[str, Any]) -> str:
    """The text of HOOKPM_OPTIONS: JSON, ASCII only, sorted keys."""
    return json.dumps(values, sort_keys=True, separators=(",", ":"))


def _is(value: object, kind: str) -> bool:
    if kind == "bool" or isinstance(value, bool):
        return kind == "bool" and isinstance(value, bool)
    if kind == "float":
        # TOML has inf and nan, JSON has not.
        return isinstance(value, int | float) and value - value == 0
    return isinstance(value, int if kind == "int" else str)


def _unknown(
    manifest: Manifest, name: str, text: str, file: Path | str, path: Sequence[Key]
) -> FileFormatError:
    known = list(manifest.options)
    meant = near(name, known)
    if meant:
        hint = f"did you mean {meant}?"
    else:
        hint = f"its options: {', '.join(known)}" if known else "it has none"
    return failure(text, file, path, f"{manifest.name} has no option {name}", hint=hint)
