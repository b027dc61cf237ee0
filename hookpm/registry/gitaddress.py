"""Addresses of git repositories and names of what is in them: which are taken, and how written.

An address in its one form is https://HOST/PATH, ssh://[USER@]HOST/PATH or file:///PATH. What could
be an option of git's, another transport (`ext::`) or a secret is refused here, before git sees it.
"""

from __future__ import annotations

import re
from urllib.parse import SplitResult, urlsplit

from hookpm.errors import UsageError
from hookpm.registry import address
from hookpm.registry.address import Problem

_SCP = re.compile(r"([\w.-]+)@([\w.-]+|\[[0-9A-Fa-f:.]+\]):(?!:|//)/?(.+)", re.ASCII)
_USER = re.compile(r"[a-z0-9_][a-z0-9_.-]*", re.IGNORECASE | re.ASCII)
_HOST = re.compile(r"[a-z0-9]([a-z0-9.-]*[a-z0-9])?|[0-9a-f:.]+", re.ASCII)
_COMMIT = re.compile(r"[0-9a-f]{40}|[0-9a-f]{64}")
_USUAL = "write https://HOST/PATH, ssh://git@HOST/PATH or git@HOST:PATH"
HEAD = "head"


def problem(url: str) -> Problem | None:
    """Why an address is not taken; None where it is. What is on the web or on the disk is judged
    as a registry's address is."""
    parts = _split(_as_ssh(url))
    if parts is None or not url.isprintable() or re.search(r"[\s\\]", url):
        return Problem("it is not the address of a git repository", _USUAL)
    if found := _user_problem(parts):
        return found
    if parts.scheme not in ("https", "ssh", "file", "http"):
        return Problem("packs come from git by https or ssh only", _USUAL)
    if parts.scheme != "ssh" and (wrong := address.problem(url, base=True)):
        return wrong
    if parts.query or parts.fragment or url.endswith(("?", "#")):
        return Problem("it has a ? or a # part", _USUAL)
    if parts.scheme == "ssh" and _HOST.fullmatch(parts.hostname or "") is None:
        return Problem("it names no host", _USUAL)
    if not parts.path.strip("/"):
        return Problem("it names a host, but no repository", _USUAL)
    return None


def checked(url: str) -> str:
    """An address in its one form. Raises UsageError, which shows nothing of a wrong one."""
    if found := problem(url):
        raise UsageError(f"not a git address for packs: {found.what}", hint=found.hint)
    parts = urlsplit(_as_ssh(url))
    host = parts.hostname or ""
    if parts.scheme == "file":
        host = ""
    netloc = f"[{host}]" if ":" in host else host
    if parts.username:
        netloc = f"{parts.username}@{netloc}"
    if parts.port is not None:
        netloc = f"{netloc}:{parts.port}"
    return f"{parts.scheme}://{netloc}{parts.path.rstrip('/')}"


def is_commit(text: str) -> bool:
    """Is a text the whole name of a commit?"""
    return _COMMIT.fullmatch(text) is not None


def ref_problem(name: str) -> str | None:
    """Why `name` cannot name a tag or a branch (git's own rules, and none that is an option)."""
    if not name:
        return "it is empty"
    if name.startswith("-"):
        return "it begins with -"
    if not name.isprintable() or re.search(r"[\s~^:?*\[\\]|\.\.|@\{|//", name) or name == "@":
        return "it has characters that a name in git cannot have"
    if name.startswith("/") or name.endswith(("/", ".")):
        return "it begins or ends with / or ends with a dot"
    if any(part.startswith(".") or part.endswith(".lock") for part in name.split("/")):
        return "a part of it begins with a dot or ends with .lock"
    return None


def check_ref(ref: str) -> None:
    """Raise UsageError for a ref that is none, such as "tag:--upload-pack=x"."""
    kind, _, name = ref.partition(":")
    if kind == "rev" and not is_commit(name):
        raise UsageError(f"{name!r} is not the whole name of a commit", hint="give 40 characters")
    if kind in ("tag", "branch") and (found := ref_problem(name)):
        raise UsageError(f"{name!r} cannot name a {kind}: {found}")
    if kind not in ("tag", "branch", "rev") and ref != HEAD:
        raise UsageError(f"{ref!r} is neither a tag nor a branch nor a commit")


def ref_words(ref: str) -> str:
    """A ref as messages name it: `tag:v1` is "tag v1"."""
    kind, _, name = ref.partition(":")
    if kind == HEAD:
        return "default branch"
    return f"commit {name[:12]}" if kind == "rev" else f"{kind} {name}"


def full_ref(ref: str) -> str:
    """A ref as git names it: `tag:v1` is refs/tags/v1. Not for commits."""
    kind, _, name = ref.partition(":")
    return {"tag": "refs/tags/", "branch": "refs/heads/", HEAD: "HEAD"}[kind] + name


def source(url: str, subfolder: str) -> str:
    """How the lock and messages name where a pack came from."""
    return f"git+{url}" + (f"#subdirectory={subfolder}" if subfolder else "")


def of_source(source: str) -> tuple[str, str]:
    """The address and the folder in what `source` wrote."""
    url, _, subfolder = source.removeprefix("git+").partition("#subdirectory=")
    return url, subfolder


def _as_ssh(url: str) -> str:
    """`git@host:path` in the form of an address."""
    scp = _SCP.fullmatch(url)
    return f"ssh://{scp[1]}@{scp[2]}/{scp[3]}" if scp else url


def _split(url: str) -> SplitResult | None:
    parts = address.split(url)
    return parts if re.match(r"[A-Za-z]+://", url) else None


def _user_problem(parts: SplitResult) -> Problem | None:
    if "@" not in parts.netloc:
        return None
    if parts.scheme == "ssh" and parts.password is None:
        if _USER.fullmatch(parts.username or ""):
            return None
        return Problem("its user name is none", _USUAL)
    return Problem(
        "it holds a user name or a password",
        "leave them out: git asks your own credential helper "
        "(`git config --global credential.helper`), or take ssh",
    )
