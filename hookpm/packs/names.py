"""The rules for pack names, versions, specifiers and paths: each says what is wrong, or None."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable

from packaging.specifiers import InvalidSpecifier, SpecifierSet
from packaging.version import InvalidVersion, Version

NAME_PATTERN = r"[a-z][a-z0-9]*(?:-[a-z0-9]+)*"
NAME_LIMIT = 64  # characters

# Names that Windows keeps for devices, whatever their ending.
_DEVICES = frozenset(
    ["con", "prn", "aux", "nul"] + [f"{d}{n}" for d in ("com", "lpt") for n in range(1, 10)]
)


def name_problem(name: str) -> str | None:
    """Why `name` cannot name a pack or a hook."""
    if len(name) > NAME_LIMIT:
        return f"it has {len(name)} characters, at most {NAME_LIMIT} are allowed"
    if re.fullmatch(NAME_PATTERN, name) is None:
        return "allowed are lowercase letters, digits and single hyphens, a letter first"
    return None


def likely_name(name: str) -> str | None:
    """What was meant by a name that breaks the rule: `Protect_Secrets` -> `protect-secrets`."""
    guess = re.sub(r"[-_. ]+", "-", name.lower()).strip("-")
    return guess if guess != name and name_problem(guess) is None else None


def version_problem(version: str) -> str | None:
    """Why `version` is not a version in PEP 440's normal form."""
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
    return "=== is not supported, write ==" if "===" in specifier else None


def path_problem(path: str) -> str | None:
    """Why a relative path with forward slashes cannot exist on every system, or leads outside."""
    if not path:
        return "it is empty"
    if path.startswith("/"):
        return "it is absolute"
    for character, name in (("\\", "a backslash"), (":", "a colon")):
        if character in path:
            return f"it contains {name}"
    try:
        path.encode("utf-8")
    except UnicodeEncodeError:
        return "it is not UTF-8"
    if any(unicodedata.category(c) in ("Cc", "Cf") for c in path):
        return "it contains a control character"
    for part in path.split("/"):
        if part in ("", ".", ".."):
            return f"it has the part {part!r}"
        if part[-1] in ". ":
            return "a part of it ends with a dot or a blank"
        if part.split(".")[0].lower() in _DEVICES:
            return f"Windows keeps the name {part.split('.')[0]} for a device"
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
            folded = unicodedata.normalize("NFC", part).casefold()
            first = seen.setdefault(folded, part)
            if first != part:
                return first, part
    return None
