"""What git says when it cannot reach or read a repository, in words that say what to do."""

from __future__ import annotations

import re
from collections.abc import Sequence
from pathlib import Path

from hookpm.errors import HookpmError, NotFoundError, RefusedError, SystemFailureError


class UnexplainedError(SystemFailureError):
    """git failed in a way that a damaged cache may be the reason of."""


class DamagedError(SystemFailureError):
    """Something is missing or broken in the cache."""


_CREDENTIALS = (
    "git asks your own credential helper or ssh key, and never you: try `git ls-remote {url}`"
)

# What git adds to the reason, and is none.
_IDLE = ("hint:", "warning: redirecting", "Please make sure you have", "and the repository exists")

# (git's words, the kind of error, what is wrong, what to do); the first that fits counts.
_KNOWN: tuple[tuple[str, type[HookpmError], str, str], ...] = (
    (
        r"transport '?[\w.+-]*'? not allowed|unable to find remote helper",
        RefusedError,
        "{url} is led elsewhere, by a transport that packs do not come by",
        "look for url.*.insteadOf in your git configuration, and for redirects of the server",
    ),
    (
        r"unable to update url base from redirection",
        RefusedError,
        "{url} redirects to another address",
        "write the address that it leads to",
    ),
    (
        r"Could not resolve (host|proxy)|Name or service not known|nodename nor servname",
        SystemFailureError,
        "the host of {url} is not known",
        "check the address, the network and the proxy",
    ),
    (
        r"[Hh]ost key verification failed|REMOTE HOST IDENTIFICATION",
        SystemFailureError,
        "ssh does not know the host of {url}, or not with this key",
        "connect once by hand (`ssh -T HOST`), and compare the key with the one the host publishes",
    ),
    (
        r"server certificate|SSL certificate|certificate verif|CAfile|SSL_ERROR|SSL routines",
        SystemFailureError,
        "the certificate of {url} cannot be trusted",
        "name your own authority's certificates: git config --global http.sslCAInfo FILE",
    ),
    (
        r"could not read Username|could not read Password|terminal prompts disabled|"
        r"Authentication failed|Permission denied|returned error: 40[13]|Access denied",
        SystemFailureError,
        "{url} is private, or not there: it was not opened for you",
        _CREDENTIALS,
    ),
    (
        r"[Rr]epository .*not found|does not appear to be a git repository|returned error: 404|"
        r"not a git repository|No such file or directory|not valid: is this a git repository|"
        r"project you were looking for could not be found",
        NotFoundError,
        "there is no git repository at {url} that you can read",
        "check the address; a private one: " + _CREDENTIALS,
    ),
    (
        r"dubious ownership",
        RefusedError,
        "{url} belongs to another user, and git does not read such a folder",
        "trust it (`git config --global --add safe.directory FOLDER`), or have it served",
    ),
    (
        r"dumb http transport does not support",
        SystemFailureError,
        "{url} is served as plain files, which is not enough",
        "serve it by git's own http backend or by ssh",
    ),
    (
        r"mismatched algorithms|unknown object format",
        SystemFailureError,
        "{url} keeps its objects by SHA-256, which is not supported yet",
        "clone it, and install the folder",
    ),
    (
        r"Failed to connect|Couldn't connect|Connection (refused|reset|timed out|closed)|"
        r"Operation (too slow|timed out)|timed out|hung up|early EOF|RPC failed|"
        r"unexpected disconnect|Network is unreachable|No route to host|returned error: 5\d\d|"
        r"Empty reply",
        SystemFailureError,
        "{url} does not answer as it should",
        "try again; --offline works with what is in the cache",
    ),
    (
        r"No space left|[Dd]isk quota|Read-only file system",
        SystemFailureError,
        "the cache for git repositories cannot be written",
        "make room, or set XDG_CACHE_HOME to a folder that can be written",
    ),
)


def explained(said: str, url: str, repo: Path | None) -> HookpmError:
    """The error for what git said on stderr, about a repository; repo: our own copy of it."""
    lines = [
        line for line in _redacted(said).splitlines() if line.strip() and not line.startswith(_IDLE)
    ]
    cause = "\n".join(lines[-3:]) or None
    about_ours = repo is not None and str(repo) in said
    for pattern, kind, what, hint in () if about_ours else _KNOWN:
        if re.search(pattern, said):
            return kind(what.format(url=url), cause=cause, hint=hint.format(url=url))
    return UnexplainedError(f"git could not read {url}", cause=cause)


def no_such_ref(what: str, url: str, near: str | None, known: Sequence[str]) -> NotFoundError:
    """No such tag or branch. what: in words; near: the one of `known` that may be meant."""
    if near:
        hint = f"did you mean {near}?"
    elif len(known) > 10:
        hint = f"`git ls-remote {url}` lists what there is"
    else:
        hint = f"there are: {', '.join(known)}" if known else "the repository is empty"
    return NotFoundError(f"there is no {what} in {url}", hint=hint)


def offline(ref: str, url: str) -> SystemFailureError:
    """What is wanted is not in the cache, and nothing may be asked."""
    return SystemFailureError(
        f"{ref} of {url} is not in the cache, and --offline asks nobody",
        hint="run once without --offline",
    )


def _redacted(text: str) -> str:
    """Without user names and passwords of addresses: a user's insteadOf may bring them in."""
    return re.sub(r"(\w+://)[^/@\s']+@", r"\1", text)
