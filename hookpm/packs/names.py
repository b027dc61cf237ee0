"""The rules for pack names, versions, specifiers and paths: each says what is wrong, or None."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable

from packaging.specifiers import InvalidSpecifier, SpecifierSet
from packaging.version import InvalidVersion, Version

NAME_PATTERN = r"[a-z][a-z0-9]*(?:-[a-z0-9]+)*"
NAME_LIMIT = 64  # characters
VERSION_LIMIT = 100  # characters; a file's name has to hold it, and Python its numbers

PATH_LIMIT = 1000  # bytes of a path in a pack
PART_LIMIT = 255  # bytes of one part of it; no common disk takes more

# Names that Windows keeps for devices, whatever their ending.
_DEVICES = frozenset(
    ["con", "prn", "aux", "nul", "conin$", "conout$"]
    + [f"{d}{n}" for d in ("com", "lpt") for n in "0123456789\u00b9\u00b2\u00b3"]
)
_NOT_ON_WINDOWS = {
    "\\": "a backslash",
    ":": "a colon",
    "<": "a <",
    ">": "a >",
    '"': "a quote",
    "|": "a |",
    "?": "a question mark",
    "*": "an asterisk",
}


def name_problem(name: str) -> str | None:
    """Why `name` cannot name a pack or a hook."""
    if len(name) > NAME_LIMIT:
        return f"it has {len(name)} characters, at most {NAME_LIMIT} are allowed"
    if re.fullmatch(NAME_PATTERN, name) is None:
        return "allowed are lowercase letters, digits and single hyphens, a letter first"
    if name in _DEVICES:
        return "Windows keeps it for a device"
    return None


def likely_name(name: str) -> str | None:
    """What was meant by a name that breaks the rule: `Protect_Secrets` -> `protect-secrets`."""
    guess = re.sub(r"[-_. ]+", "-", name.lower()).strip("-")
    return guess if guess != name and name_problem(guess) is None else None


def version_problem(version: str) -> str | None:
    """Why `version` is not a version in PEP 440's normal form."""
    if len(version) > VERSION_LIMIT:
        return f"it has {len(version)} characters, at most {VERSION_LIMIT} are allowed"
    try:
        normal = str(Version(version))
    except InvalidVersion:
        return "it is not a PEP 440 version such as 1.2.0 or 2.0rc1"
    return None if normal == version else f"write {normal}, its normal form"


def specifier_problem(specifier: str) -> str | None:
    """Why `specifier` is not a set of PEP 440 specifiers ("" is: any version)."""
    try:
        SpecifierSet(specifier)
    except InvalidSpecifier:
        return "it is not a PEP 440 specifier such as >=1,<2 or ~=1.2 or ==1.0.0"
    if "===" in specifier:
        return "=== is not supported, write =="
    if any(len(part) > VERSION_LIMIT for part in specifier.split(",")):
        return f"at most {VERSION_LIMIT} characters are allowed for a version"
    return None


def path_problem(path: str) -> str | None:
    """Why a relative path with forward slashes cannot exist on every system, or leads outside."""
    if not path:
        return "it is empty"
    if path.startswith("/"):
        return "it is absolute"
    for character, name in _NOT_ON_WINDOWS.items():
        if character in path:
            return f"it contains {name}"
    try:
        size = len(path.encode("utf-8"))
    except UnicodeEncodeError:
        return "it is not UTF-8"
    if size > PATH_LIMIT:
        return f"it has {size} bytes, at most {PATH_LIMIT} are allowed"
    if any(unicodedata.category(c) in ("Cc", "Cf") for c in path):
        return "it contains a control character"
    for part in path.split("/"):
        if part in ("", ".", ".."):
            return f"it has the part {part!r}"
        if part[-1] in ". ":
            return "a part of it ends with a dot or a blank"
        if len(part.encode()) > PART_LIMIT:
            return f"a part of it has more than {PART_LIMIT} bytes"
        if part.split(".")[0].rstrip(" ").lower() in _DEVICES:
            return f"Windows keeps the name {part.split('.')[0].rstrip(' ')} for a device"
    return None


def case_collision(paths: Iterable[str]) -> tuple[str, str] | None:
    """Two paths that are one on a disk that is blind to case or to Unicode forms.

    Folders count as well: `a/x` and `A/y` collide.
    """
    seen: dict[str, str] = {}
    for path in paths:
        parts = path.split("/")
        for end in range(1, len(parts) + 1):
            part = "/".join(parts[:end])
            folded = unicodedata.normalize("NFD", unicodedata.normalize("NFD", part).casefold())
            first = seen.setdefault(folded, part)
            if first != part:
                return first, part
    return None


def file_and_folder(paths: Iterable[str]) -> str | None:
    """A path that is both: a file, and a folder of another one."""
    files = set(paths)
    for path in sorted(files):
        parts = path.split("/")
        for end in range(1, len(parts)):
            if "/".join(parts[:end]) in files:
                return "/".join(parts[:end])
    return None
