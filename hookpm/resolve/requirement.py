"""What a user types after `hookpm install`, as a value."""

from __future__ import annotations

import os
import re
from pathlib import Path
from typing import NamedTuple

from packaging.specifiers import InvalidSpecifier, Specifier, SpecifierSet

from hookpm.errors import UsageError
from hookpm.packs import names

_EXAMPLE = "such as protect-secrets, 'protect-secrets>=1,<2' or ./folder"


class NameRequirement(NamedTuple):
    """A pack by name, from a registry."""

    name: str
    specifier: SpecifierSet


class PathRequirement(NamedTuple):
    """A pack in a folder; the path as it was typed, `~` and relative parts included."""

    path: str


Requirement = NameRequirement | PathRequirement


def parse(text: str) -> Requirement:
    """`name`, `name==1.0`, `name>=1,<2`, `./path`, `../path`, `/abs`, `~/x`.

    Raises UsageError that shows the place and, where it can be guessed, what was meant.
    """
    typed = text.strip()
    if not typed:
        raise UsageError("an empty requirement", hint=f"name a pack, {_EXAMPLE}")
    _refuse_addresses(typed)
    if typed[0] in "./~" or "/" in typed or "\\" in typed:
        return PathRequirement(typed)
    match = re.match(r"[A-Za-z0-9][A-Za-z0-9_.-]*", typed)
    if match is None:
        raise _malformed(typed, 0, "a pack's name")
    # Version operators start with none of these; `1.0-` at the end is part of the name's text.
    name, rest = match.group(), typed[match.end() :]
    if problem := names.name_problem(name):
        meant = names.likely_name(name)
        hint = f"did you mean {_quoted(meant + rest)}?" if meant else None
        raise UsageError(f"{name!r} cannot be a pack's name", cause=problem, hint=hint)
    if not rest.strip():
        return NameRequirement(name, SpecifierSet())
    return NameRequirement(name, _specifier(typed, rest, match.end()))


def placed(path: str, typed_in: Path, base: Path) -> PathRequirement:
    """A path typed in the folder `typed_in`, as hookpm.toml holds it: relative to `base`.

    Forward slashes, and `./` or `../` in front; nothing of this machine is left in it, unless
    the folder lies on another drive.
    """
    folder = os.path.abspath(typed_in / Path(path).expanduser())  # noqa: PTH100  (keeps links)
    try:
        relative = Path(os.path.relpath(folder, base)).as_posix()
    except ValueError:
        return PathRequirement(Path(folder).as_posix())
    return PathRequirement(relative if relative.startswith("..") else f"./{relative}")


def specifier(text: str) -> SpecifierSet:
    """A version specifier as it stands in hookpm.toml; "" and "*" are any version.

    Raises UsageError.
    """
    if text.strip() in ("", "*"):
        return SpecifierSet()
    return _specifier(text, text, 0)


def _specifier(typed: str, rest: str, start: int) -> SpecifierSet:
    """The specifier in `rest`, which starts at `start` in `typed`."""
    parts = []
    at = start
    for part in rest.split(","):
        first = at + len(part) - len(part.lstrip())
        try:
            parsed = Specifier(part.strip())
        except InvalidSpecifier:
            raise _bad_part(typed, part.strip(), first) from None
        if parsed.operator == "===":
            raise _malformed(typed, first, "== (=== is not supported)")
        parts.append(str(parsed))
        at += len(part) + 1
    return SpecifierSet(",".join(parts))


def _bad_part(typed: str, part: str, at: int) -> UsageError:
    """The error for one part of a specifier, with a guess at what was meant."""
    match = re.match(r"(@|\^|~=|~|===|==|!=|<=|>=|=>|=<|=|<|>)?\s*v?(.*)", part, re.DOTALL)
    operator, version = (match[1], match[2]) if match else (None, part)
    guess = _guess(operator, version)
    meant = None if guess is None else typed[:at] + guess + typed[at + len(part) :]
    hint = None if meant is None else f"did you mean {_quoted(meant.replace(' ', ''))}?"
    if operator in ("~=", "==", "!=", "<=", ">=", "<", ">"):
        return _malformed(typed, at + len(operator), "a version such as 1.2.0", hint)
    return _malformed(typed, at, "one of == ~= != <= >= < >", hint)


def _guess(operator: str | None, version: str) -> str | None:
    if operator == "@" and version == "latest":
        return ""
    several = re.findall(r"(?:[~=!<>]=|[<>])\s*[^~=!<>,\s]+", f"{operator or ''}{version}")
    if len(several) > 1:  # a comma is missing
        return ",".join(several) if all(map(_is_specifier, several)) else None
    wanted = {"@": "==", "=": "==", "^": "~=", "~": "~=", "=>": ">=", "=<": "<="}.get(
        operator or "==", operator or "=="
    )
    version = re.sub(r"(\.[xX])+$", ".*", version.strip())
    if operator == "^" and re.fullmatch(r"\d+", version):
        version += ".0"
    return wanted + version if _is_specifier(wanted + version) else None


def _is_specifier(text: str) -> bool:
    try:
        Specifier(text)
    except InvalidSpecifier:
        return False
    return True


def _refuse_addresses(typed: str) -> None:
    # The address is not repeated: it may hold a token, and messages end up in logs.
    if re.match(r"git\+|git@|ssh://|git://", typed):
        raise UsageError(
            "packs from git are not supported yet",
            hint="clone it and install the folder: hookpm install ./folder",
        )
    if "://" in typed:
        raise UsageError(
            "packs from an address are not supported yet",
            hint="download it and install the folder: hookpm install ./folder",
        )


def _malformed(typed: str, at: int, expected: str, hint: str | None = None) -> UsageError:
    """`typed` with a caret under the place `at`."""
    return UsageError(
        f"cannot read the requirement {typed!r}",
        cause=f"expected {expected}\n  {typed}\n  {' ' * at}^",
        hint=hint or f"a requirement is a name with versions or a folder, {_EXAMPLE}",
    )


def _quoted(text: str) -> str:
    """Quoted for a shell where it has to be."""
    return f"'{text}'" if re.search(r"[<>!*~ ]", text) else text
