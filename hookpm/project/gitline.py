"""A pack's line in hookpm.toml that names a git repository: what is wrong with it, what it means.

guard = { git = "https://git.example.com/acme/guard", tag = "v1.4.0", subfolder = "packs/guard" }
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

from hookpm.packs import names
from hookpm.registry import gitaddress

if TYPE_CHECKING:
    from collections.abc import Iterable

    from hookpm.project.generated import PackTarget
    from hookpm.project.settings import PackLine
    from hookpm.resolve.lock import Lock
    from hookpm.resolve.requirement import GitRequirement

REFS = ("tag", "branch", "rev")
KEYS = ("git", *REFS, "subfolder")


class Problem(NamedTuple):
    """What is wrong with a line, at which key of it, and what to do."""

    key: str
    what: str
    hint: str | None = None


def problem(line: PackLine) -> Problem | None:
    """What is wrong with the git part of a line; None where nothing is, or it has none."""
    given = {key: value for key in KEYS if (value := getattr(line, key)) is not None}
    if "git" not in given:
        lone = next(iter(given), None)
        return (lone and Problem(lone, f"{lone} needs git beside it")) or None
    for key in ("version", "path", "registry"):
        if getattr(line, key) is not None:
            hint = "name the version's tag: tag = ..." if key == "version" else None
            return Problem(key, f"git and {key} cannot stand together", hint)
    refs = [key for key in REFS if key in given]
    if len(refs) > 1:
        return Problem(refs[1], f"{refs[0]} and {refs[1]} cannot stand together", "keep one")
    return _address_problem(given["git"]) or _value_problem(given)


def _address_problem(url: str) -> Problem | None:
    if url.startswith("git+"):
        plain = url.removeprefix("git+")
        shown = f'write git = "{plain}"' if gitaddress.problem(plain) is None else None
        return Problem("git", "git+ belongs to the command line", shown)
    wrong = gitaddress.problem(url)
    return wrong and Problem("git", f"not a git address for packs: {wrong.what}", wrong.hint)


def _value_problem(given: dict[str, str]) -> Problem | None:
    for key in ("tag", "branch"):
        if key in given and (found := gitaddress.ref_problem(given[key])):
            return Problem(key, f"{given[key]!r} cannot name a {key}: {found}")
    if "rev" in given and not gitaddress.is_commit(given["rev"]):
        return Problem(
            "rev",
            f"{given['rev']!r} is not the whole name of a commit",
            "all 40 characters, in lowercase; `git rev-parse COMMIT` prints them",
        )
    if "subfolder" in given and (found := names.path_problem(given["subfolder"])):
        return Problem("subfolder", f"{given['subfolder']!r} cannot be a folder there: {found}")
    return None


def ref(line: PackLine) -> str:
    """What a line asks for, as the lock writes it: "tag:v1", "branch:main", "rev:...", "head"."""
    return next((f"{k}:{v}" for k in REFS if (v := getattr(line, k)) is not None), gitaddress.HEAD)


def source(line: PackLine) -> str:
    """How the lock names where a line's pack comes from."""
    return gitaddress.source(gitaddress.checked(line.git or ""), line.subfolder or "")


def words(line: PackLine) -> str:
    """What a line asks for, in words."""
    return f"{gitaddress.ref_words(ref(line))} of {source(line)}"


def fields(asked: GitRequirement) -> dict[str, Any]:
    """The keys of a line for a pack whose ref is found out."""
    found = {"git": asked.url}
    kind, _, name = asked.ref.partition(":")
    if kind != gitaddress.HEAD:
        found[kind] = name
    if asked.subfolder:
        found["subfolder"] = asked.subfolder
    return found


def moved(name: str, url: str, ref: str, was: str, now: str) -> str:
    """That a tag is no longer at the commit that it was locked at."""
    words = gitaddress.ref_words(ref)
    return f"{name}: {words} of {url} has moved, from commit {was[:12]} to {now[:12]}"


def moved_tags(before: Lock, after: Iterable[PackTarget]) -> list[str]:
    """The tags that an update found at another commit than they were locked at: tags do not move
    by themselves."""
    found = []
    for pack in after:
        old = before.pack(pack.name)
        if pack.ref is None or not pack.ref.startswith("tag:") or old is None:
            continue
        if (old.source, old.ref) == (pack.source, pack.ref) and old.commit != pack.commit:
            url = gitaddress.of_source(pack.source)[0]
            found.append(moved(pack.name, url, pack.ref, old.commit or "", pack.commit or ""))
    return found
