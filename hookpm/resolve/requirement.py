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
_GIT_EXAMPLE = "such as git+https://git.example.com/acme/guard@v1.4.0#subdirectory=packs/guard"


class NameRequirement(NamedTuple):
    """A pack by name, from a registry."""

    name: str
    specifier: SpecifierSet


class PathRequirement(NamedTuple):
    """A pack in a folder; the path as it was typed, `~` and relative parts included."""

    path: str


class GitRequirement(NamedTuple):
    """A pack in a git repository. url: in its one form; name: the tag, branch or commit as typed,
    "" for the default branch; ref and commit: what that was found out to be, "" before."""

    url: str
    name: str = ""
    subfolder: str = ""
    ref: str = ""
    commit: str = ""


Requirement = NameRequirement | PathRequirement | GitRequirement


def parse(text: str) -> Requirement:
    """`name`, `name==1.0`, `name>=1,<2`, `./path`, `../path`, `/abs`, `~/x`,
    `git+https://host/repo@ref#subdirectory=folder`, `git@host:repo`.

    Raises UsageError that shows the place and, where it can be guessed, what was meant.
    """
    typed = text.strip()
    if not typed:
        raise UsageError("an empty requirement", hint=f"name a pack, {_EXAMPLE}")
    if typed.startswith("git+") or re.match(r"[\w.-]+@[\w.\[:-]+?:", typed):
        return _git(typed.removeprefix("git+"))
    if "://" in typed:
        raise _address(typed)
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
        if problem := names.specifier_problem(str(parsed)):
            raise UsageError(f"not a version that a pack can have: {problem}")
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


def _git(typed: str) -> GitRequirement:
    """An address of a repository, with `@ref` and `#subdirectory=` behind it."""
    from hookpm.registry import gitaddress

    where, _, fragment = typed.partition("#")
    start = re.match(r"\w+://[^/]*/|[^/@]+@[^/]*?:(?!//)", where)
    path = where[start.end() :] if start else ""
    path, at, name = path.rpartition("@") if "@" in path else (path, "", "")
    if versions := re.search(r"[=~<>!]=", path + at + name):
        raise UsageError(
            f"a git repository has no versions to choose from ({versions.group()} stands there)",
            hint=f"name a tag, a branch or a commit, {_GIT_EXAMPLE}",
        )
    url = gitaddress.checked((start.group() if start else where) + path)
    if at and (problem := gitaddress.ref_problem(name)):
        raise UsageError(
            f"{name!r} cannot name a tag, a branch or a commit",
            cause=problem,
            hint=f"the name stands behind the last @, {_GIT_EXAMPLE}",
        )
    return GitRequirement(url, name, _subfolder(fragment))


def _subfolder(fragment: str) -> str:
    """The folder in what follows the #."""
    if not fragment:
        return ""
    key, _, folder = fragment.partition("=")
    if key not in ("subdirectory", "subfolder"):
        raise UsageError(f"#{key} is not understood", hint=f"write #subdirectory=, {_GIT_EXAMPLE}")
    folder = folder.removeprefix("./").rstrip("/")
    if folder and (problem := names.path_problem(folder)):
        raise UsageError(f"the folder {folder!r} cannot be in a repository", cause=problem)
    return folder


def _address(typed: str) -> UsageError:
    """The error for an address without `git+`. It is shown only if it can hold no secret."""
    from hookpm.registry import gitaddress

    page = re.fullmatch(r"(https://[^/]+/.+?)(?:/-|/src)?/(?:tree|branch)/([^/]+)/(.+)", typed)
    meant = f"{page[1]}@{page[2]}#subdirectory={page[3]}" if page else typed
    whole = gitaddress.problem(re.split(r"(?<=[^/])@[^/]*$|#", meant)[0]) is None
    return UsageError(
        "packs from an address come by git",
        hint=f"did you mean git+{meant}?" if whole else f"write git+ in front, {_GIT_EXAMPLE}",
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
