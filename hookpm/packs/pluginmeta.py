"""Who a Claude Code plugin is: what plugin.json says of it, as a pack has it. Pure."""

from __future__ import annotations

import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from packaging.version import InvalidVersion, Version

from hookpm.errors import FileFormatError
from hookpm.packs import names
from hookpm.packs.manifest import PackTable
from hookpm.packs.pluginfiles import MANIFEST


def slug(said: str) -> str:
    """The text as a legal name."""
    plain = re.sub(r"[^a-z0-9]+", "-", said.lower()).strip("-")
    return plain[: names.NAME_LIMIT].strip("-")


def name(plugin: Mapping[str, Any], where: Path | str) -> str:
    """The plugin's name as a legal pack name. Raises FileFormatError where that cannot be."""
    given = plugin.get("name")
    if not isinstance(given, str) or not given.strip():
        raise FileFormatError(
            "the plugin has no name",
            hint='give it one: {"name": "my-plugin", ...}',
            file=f"{where}/{MANIFEST}",
        )
    legal = slug(given)
    if legal and not legal[0].isalpha():
        legal = slug(f"plugin {legal}")
    if names.name_problem(legal):
        raise FileFormatError(
            f"no pack can be called {given!r}",
            cause="a name needs letters a to z or digits",
            file=f"{where}/{MANIFEST}",
        )
    return legal


def pack_table(plugin: Mapping[str, Any], pack: str) -> PackTable:
    """Who the plugin is, as a pack of that name."""
    authors = plugin.get("author")
    listed = authors if isinstance(authors, list) else [authors]
    keywords = plugin.get("keywords")
    keywords = keywords if isinstance(keywords, list) else []
    described = " ".join(text(plugin.get("description")).split())
    return PackTable(
        name=pack,
        version=_version(plugin),
        description=described or f"The hooks of the Claude Code plugin {pack}",
        license=text(plugin.get("license")),
        authors=tuple(filter(None, map(_author, listed))),
        homepage=text(plugin.get("homepage")) or text(plugin.get("repository")),
        keywords=tuple(k for k in keywords if isinstance(k, str)),
    )


def text(value: Any) -> str:
    """The value if it is text, without blanks around it; else ""."""
    return value.strip() if isinstance(value, str) else ""


def _author(value: Any) -> str:
    if isinstance(value, dict):
        name, email = text(value.get("name")), text(value.get("email"))
        return f"{name} <{email}>" if name and email else name or email
    return text(value)


def _version(plugin: Mapping[str, Any]) -> str:
    """The version in PEP 440's normal form; "0" where there is none.

    Of one that PEP 440 has no form for, the numbers at its start.
    """
    given = text(plugin.get("version"))
    try:
        return str(Version(given))
    except InvalidVersion:
        numbers = re.match(r"v?(\d+(?:\.\d+)*)", given)
        return str(Version(numbers[1])) if numbers else "0"
