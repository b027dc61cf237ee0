"""A pack of one hook, as a value, and what the check finds in it."""

from __future__ import annotations

from pathlib import Path
from typing import NamedTuple

from hookpm.packs import check
from hookpm.packs.check import Finding
from hookpm.packs.content import FileEntry

SH = "#!/bin/sh\n"
BASH = "#!/usr/bin/env bash\n"


class Wanted(NamedTuple):
    """The one hook. more: further lines of it; head: tables before it."""

    event: str = "PreToolUse"
    matcher: str = ""
    run: str | None = None
    command: str | None = None
    more: str = 'needs = ["deny"]'
    head: str = ""


def find(
    text: str | bytes,
    wanted: Wanted | None = None,
    *,
    file: str = "hook.sh",
    executable: bool = True,
    others: dict[str, str] | None = None,
) -> tuple[Finding, ...]:
    """The findings in a pack whose one hook runs `file` with this text."""
    wanted = wanted or Wanted()
    run = f"command = '''{wanted.command}'''" if wanted.command else f'run = "{wanted.run or file}"'
    manifest = (
        '[pack]\nname = "mine"\nversion = "1.0"\ndescription = "Mine"\n'
        f'{wanted.head}\n[[hooks]]\nid = "one"\nevent = "{wanted.event}"\n{run}\n'
        + (f"matcher = '{wanted.matcher}'\n" if wanted.matcher else "")
        + wanted.more
        + "\n"
    )
    data = text.encode() if isinstance(text, str) else text
    files = {"hookpack.toml": FileEntry(manifest.encode(), False)}
    files[file] = FileEntry(data, executable)
    for path, other in (others or {}).items():
        files[path] = FileEntry(other.encode(), other.startswith("#!"))
    return check.of(files, Path("/packs/mine"))


def codes(found: tuple[Finding, ...]) -> list[str]:
    """The ids of the rules, sorted, each once."""
    return sorted({each.code for each in found})


def of_rule(code: str, found: tuple[Finding, ...]) -> list[tuple[str, int]]:
    """Where one rule speaks: file and line."""
    return [(each.file, each.line) for each in found if each.code == code]
