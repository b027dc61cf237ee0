"""Which addresses hookpm speaks to, and how messages show them: never with what may be a secret."""

from __future__ import annotations

import re
from typing import NamedTuple
from urllib.parse import SplitResult, urlsplit

_PORTS = {"https": 443, "http": 80}
# ASCII alone: two libraries that read a host in two ways would ask one and trust the other.
_HOST = re.compile(r"[a-z0-9]([a-z0-9.-]*[a-z0-9])?\.?|[0-9a-f:.]+")


class Problem(NamedTuple):
    """What is wrong with an address, and what to write instead. Holds nothing of the address."""

    what: str
    hint: str


class Origin(NamedTuple):
    """Who answers at an address."""

    scheme: str
    host: str
    port: int

    def __str__(self) -> str:
        host = f"[{self.host}]" if ":" in self.host else self.host
        usual = _PORTS[self.scheme] == self.port
        return f"{self.scheme}://{host}" if usual else f"{self.scheme}://{host}:{self.port}"


def problem(url: str, *, base: bool = False) -> Problem | None:
    """Why nothing is fetched from `url`; None where it may be.

    Allowed are https, http to this machine itself, and file. base: paths will be appended to it,
    and it stands in a file that is committed, so that it has no query and no fragment.
    """
    parts = split(url)
    if parts is None or not url.isprintable() or " " in url:
        return Problem("it is not an address", "write https://HOST/PATH")
    if "@" in parts.netloc:
        return Problem(
            "it holds a user name or a password",
            "leave them out: hookpm looks for those of a host in the user's own configuration, "
            "in HOOKPM_TOKEN_... and in netrc",
        )
    if base and (parts.query or parts.fragment or url.endswith(("?", "#"))):
        return Problem("it has a ? or a # part", "write https://HOST/PATH alone")
    if parts.scheme == "file":
        if parts.netloc not in ("", "localhost"):
            return Problem("a file:// address names no host", "write file:///FOLDER")
        return None
    host = parts.hostname or ""
    if parts.scheme not in _PORTS or not _HOST.fullmatch(host):
        return Problem("it is not an https address", "write https://HOST/PATH")
    if parts.scheme == "http" and not is_loopback(host):
        return Problem(
            "http is neither secret nor safe from changes on the way",
            "write https; http is for servers on this machine",
        )
    return None


def origin(url: str) -> Origin:
    """Who answers at an https or http address in which `problem` finds nothing."""
    parts = urlsplit(url)
    host = (parts.hostname or "").rstrip(".")
    return Origin(parts.scheme, host, parts.port or _PORTS[parts.scheme])


def is_loopback(host: str) -> bool:
    """Does a host's name lead to this machine itself?"""
    if host == "localhost":
        return True
    import ipaddress  # where a host is no name: it takes its time to load

    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return False


def shown(url: str) -> str:
    """An address for a message: without user name, password, query and fragment."""
    parts = split(url)
    if parts is None:
        return "an address that cannot be read"
    return f"{parts.scheme}://{parts.netloc.rpartition('@')[2]}{parts.path}"


def split(url: str) -> SplitResult | None:
    """The parts of an address; None for what cannot be one."""
    try:
        parts = urlsplit(url)
        _ = parts.port  # raises where it is no number
    except ValueError:
        return None
    return parts if parts.scheme else None
