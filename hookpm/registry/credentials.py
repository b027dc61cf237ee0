"""Tokens and passwords, looked up by host alone, never by the name of a registry.

A registry's name and address stand in hookpm.toml, which comes with a clone; what is sent to a
host is decided by its owner's name in the user's own files and environment.
"""

from __future__ import annotations

import base64
import os
from collections.abc import Mapping
from pathlib import Path

import msgspec

from hookpm.errors import SystemFailureError
from hookpm.registry.address import Origin, is_loopback

_PREFIX = "hookpm_token_"


class HostLine(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What the user's configuration holds for a host: a token, or a user name and a password."""

    token: str | None = None
    username: str | None = None
    password: str | None = None

    def __repr__(self) -> str:
        return "HostLine(...)"  # a traceback is a log


def variable(where: Origin) -> str:
    """The environment variable that holds a host's token.

    HOOKPM_TOKEN_ and the host: `.` as `_`, `-` as `__`, so that no two hosts share a variable; an
    unusual port follows behind another `_`.
    """
    name = where.host.replace("-", "__").replace(".", "_").replace(":", "_")
    port = "" if where.port == 443 else f"_{where.port}"
    return f"HOOKPM_TOKEN_{name}{port}"


def authorization(
    where: Origin, hosts: Mapping[str, HostLine], environment: Mapping[str, str]
) -> str | None:
    """The Authorization header for a host; None where there is none to send.

    hosts: "hooks.example.com", or with a port that is not https's own "localhost:8443". Asked in
    turn are the environment, `hosts`, and the user's netrc. Raises SystemFailureError for a token
    that no header can hold; it is not repeated.
    """
    if where.scheme != "https" and not is_loopback(where.host):
        return None
    wanted = variable(where).lower()
    for name, value in environment.items():
        if name.lower().startswith(_PREFIX) and name.lower() == wanted and value.strip():
            return _bearer(value.strip(), where)
    key = where.host if where.port == 443 else f"{where.host}:{where.port}"
    line = hosts.get(key)
    if line is not None and line.token:
        return _bearer(line.token, where)
    if line is not None and line.username is not None:
        return _basic(line.username, line.password or "")
    return _from_netrc(where.host, environment)


def _bearer(token: str, where: Origin) -> str:
    if not token.isprintable() or not token.isascii():
        raise SystemFailureError(
            f"the token for {where.host} holds a character that cannot be sent",
            hint="look for a line end in the middle of it, or for a part that is no part of it",
        )
    return f"Bearer {token}"


def _basic(user: str, password: str) -> str:
    return "Basic " + base64.b64encode(f"{user}:{password}".encode()).decode()


def _from_netrc(host: str, environment: Mapping[str, str]) -> str | None:
    """netrc's entry of this very host: its `default` would send a password to any host there is.

    A file that cannot be read is no reason to fail: most registries need no password.
    """
    import netrc

    named = environment.get("NETRC")
    places = [Path(named)] if named else [Path(os.path.expanduser(f"~/{n}")) for n in _NETRCS]  # noqa: PTH111
    for place in places:
        try:
            found = netrc.netrc(str(place)).hosts.get(host) if host != "default" else None
        except (OSError, netrc.NetrcParseError, UnicodeDecodeError):
            continue
        if found is not None:
            return _basic(found[0], found[2] or "")
    return None


_NETRCS = (".netrc", "_netrc")
