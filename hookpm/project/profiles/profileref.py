"""What an entry of `extends` names: a profile in a folder, in a file, on the web or in git. Pure.

What a profile from the network names is on the network as well: nobody else's file may lead hookpm
to files of this machine.
"""

from __future__ import annotations

import posixpath
import re
from typing import NamedTuple
from urllib.parse import quote, unquote, urljoin, urlsplit

from hookpm.errors import RefusedError
from hookpm.project.root import SETTINGS

FILE = "hookpm.toml"
_FORMS = (
    "a profile is a folder (../team), file:///srv/team, https://hooks.example.com/hookpm.toml or "
    "git+https://git.example.com/acme/profile@v3"
)


class Reference(NamedTuple):
    """One profile. source: as the lock names it; typed: as messages name it.

    kind: "path", "file", "web" or "git". where: the file from the project root (path), its
    absolute path (file), its URL (web), the repo's URL (git). name: the tag, branch or commit in
    git as typed, "" for the default branch; inner: the file's path in the repo.
    """

    kind: str
    source: str
    typed: str
    where: str
    name: str = ""
    inner: str = ""

    @property
    def place(self) -> str:
        """The file as messages name it."""
        return self.typed if self.kind == "git" else self.where

    @property
    def is_remote(self) -> bool:
        """Does it come over the network?"""
        return self.kind == "web" or (self.kind == "git" and not self.where.startswith("file:"))

    def names(self, ref: str | None) -> bool:
        """Is a ref such as "tag:v3", as the lock has it, what this one asks for?"""
        if self.kind != "git" or ref is None:
            return self.kind != "git" and ref is None
        kind, _, name = ref.partition(":")
        if kind == "rev" and len(self.name) >= 7:
            return name.startswith(self.name)
        full = {"tag": f"refs/tags/{name}", "branch": f"refs/heads/{name}"}.get(kind)
        return self.name in (name, full)

    def named(self, path: str) -> Reference | None:
        """What a relative path in this profile names; None where that leads out of a git repo."""
        if self.kind == "path":
            return folder(posixpath.join(posixpath.dirname(self.where) or ".", path))
        if self.kind == "file":
            return _local(posixpath.normpath(posixpath.join(posixpath.dirname(self.where), path)))
        if self.kind == "web":
            return parse(urljoin(self.where, path if path.endswith(".toml") else f"{path}/{FILE}"))
        inner = _file(posixpath.normpath(posixpath.join(posixpath.dirname(self.inner), path)))
        return None if inner.split("/")[0] == ".." else _in_git(self.where, self.name, inner)


def parse(text: str) -> Reference:
    """An entry of the repo's own `extends`, where folders are relative to the project root.

    Raises RefusedError and UsageError for what is no profile's address, and for user names or
    passwords in one.
    """
    if not text.strip() or not text.isprintable():
        raise RefusedError(f"{text!r} names no profile", hint=_FORMS)
    if re.match(r"git\+|[\w.-]+@[\w.-]+:|ssh://", text):
        return _git(text)
    if "://" not in text:
        return folder(text)
    from hookpm.registry import address

    if (wrong := address.problem(text, base=True)) is not None:
        # The address is not repeated: it may hold a password, and messages end up in logs.
        raise RefusedError(f"not the address of a profile: {wrong.what}", hint=wrong.hint)
    parts = urlsplit(text)
    if parts.scheme == "file":
        path = unquote(parts.path)
        if not path.isprintable():
            raise RefusedError("the path of a profile holds a control character", hint=_FORMS)
        return _local(posixpath.normpath(path))
    if not parts.path.endswith(".toml"):
        raise RefusedError(f"{text} is not the address of a .toml file", hint=_FORMS)
    return Reference("web", text, text, text)


def relative(parent: Reference, text: str) -> Reference:
    """An entry of a profile's own `extends`; a path is relative to the profile's folder.

    Raises as `parse` does, and RefusedError where a profile from the network names a local one, or
    a relative path leads out of its repo.
    """
    if "://" in text or ":" in text:
        found: Reference | None = parse(text)
    else:
        folder(text)  # refuses what is no path at all
        found = parent.named(text)
    if found is None:
        raise RefusedError(f"{text} leads out of the repo that the profile lies in")
    if parent.is_remote and not found.is_remote:
        raise RefusedError(
            f"{text} lies on this machine, where a profile from the network may not look",
            hint="name it by https:// or git+https://",
        )
    return found


def folder(path: str) -> Reference:
    """The profile in a folder, or in a .toml file, by its path from the project root."""
    if path.startswith(("/", "~")) or "\\" in path or ":" in path:
        raise RefusedError(
            f"{path} cannot name a profile's folder",
            cause="it is relative to the project root, with forward slashes: one for all clones",
            hint=_FORMS,
        )
    short = posixpath.normpath(path)
    file = _file(short)
    if file == SETTINGS:
        raise RefusedError(f"{path} is this project itself, which cannot extend itself")
    return Reference("path", f"path:{short}", short, file)


def _local(path: str) -> Reference:
    url = f"file://{quote(path)}"
    return Reference("file", url, url, _file(path))


def _git(text: str) -> Reference:
    from hookpm.resolve import requirement

    asked = requirement.parse(text)
    if not isinstance(asked, requirement.GitRequirement):
        raise RefusedError(f"{text} names no profile", hint=_FORMS)
    return _in_git(asked.url, asked.name, _file(asked.subfolder))


def _in_git(url: str, name: str, inner: str) -> Reference:
    from hookpm.registry import gitaddress

    below = inner.removesuffix(FILE).rstrip("/")
    source = gitaddress.source(url, below)
    typed = source.replace(url, f"{url}@{name}", 1) if name else source
    return Reference("git", source, typed, url, name, inner)


def _file(path: str) -> str:
    """A folder stands for the hookpm.toml in it."""
    return path if path.endswith(".toml") else posixpath.normpath(posixpath.join(path, FILE))
