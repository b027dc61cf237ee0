"""`config.toml` in the user's own configuration folder: what this user's machine knows of networks.

Nothing of it ever reaches a project: tokens belong to a host and a person, not to a repo.
"""

from __future__ import annotations

import re
from pathlib import Path

import msgspec

from hookpm.edit import tomltext
from hookpm.errors import NotFoundError, SystemFailureError
from hookpm.project import places
from hookpm.project.home import homefolders
from hookpm.registry.credentials import HostLine

NAME = "config.toml"
_HOST = r"[a-z0-9]([a-z0-9.-]*[a-z0-9])?(:[0-9]{1,5})?|\[[0-9a-f:]+\](:[0-9]{1,5})?"


class UserConfig(
    msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, rename="kebab"
):
    """The whole file. ca_bundle: a PEM file of certificate authorities; hosts: a host, with its
    port where that is not 443, -> how to log in there."""

    ca_bundle: str | None = None
    hosts: dict[str, HostLine] = {}


def read() -> UserConfig:
    """The user's configuration; the empty one where there is no file.

    Raises FileFormatError (line and key; never a value of [hosts]) and SystemFailureError.
    """
    try:
        file = homefolders.config_folder() / NAME
    except SystemFailureError:
        return UserConfig()  # without a home there is no user
    try:
        text = tomltext.read(file)
    except NotFoundError:
        return UserConfig()
    found = tomltext.convert(tomltext.parse(text, file), UserConfig, text, file)
    for host, line in found.hosts.items():
        _check(host, line, text, file)
    if found.ca_bundle is None:
        return found
    bundle = places.named(found.ca_bundle, file.parent)
    return msgspec.structs.replace(found, ca_bundle=str(bundle))


def _check(host: str, line: HostLine, text: str, file: Path) -> None:
    place = ("hosts", host)
    if re.fullmatch(_HOST, host) is None:
        raise tomltext.failure(
            text,
            file,
            place,
            "what stands behind `hosts.` is not a host",  # it may be an address with a password
            hint='write a host, with its port where it is not 443: [hosts."hooks.example.com"]',
        )
    if (line.token is None) == (line.username is None):
        raise tomltext.failure(
            text, file, place, f"hosts.{host}: give either a token, or username and password"
        )
