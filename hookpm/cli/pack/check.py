"""hookpm pack check: what is known to go wrong in hooks, found before it does."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import TYPE_CHECKING, Any

from hookpm.cli import output

if TYPE_CHECKING:
    from hookpm.packs.check import Finding

DESCRIPTION = (
    "Look through a pack for what is known to go wrong in hooks. Nothing of it runs. Each finding "
    "names the place, what stands there, and the form that works; where it is meant so, a comment "
    "`# hookpm: ignore CODE` on that line or alone on the one before says it."
)


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The options of check."""
    parser.add_argument("pack", type=Path, metavar="PACK", help="the pack's folder")


def run(options: argparse.Namespace) -> int:
    """Check the pack; returns the exit code, 1 where there is a finding."""
    from hookpm.packs import check

    found = check.run(options.pack)
    if options.json:
        output.show_json(
            {"pack": str(options.pack), "findings": [_document(options, f) for f in found]}
        )
        return 1 if found else 0
    for each in found:
        _show(options, each)
    errors = sum(each.severity == "error" for each in found)
    warnings = len(found) - errors
    told = f"{_count(errors, 'error')}, {_count(warnings, 'warning')}" if found else "nothing found"
    output.show(f"{options.pack}: {told}")
    return 1 if found else 0


def _show(options: argparse.Namespace, each: Finding) -> None:
    output.show(
        f"{options.pack / each.file}:{each.line}: {each.severity}: {each.message} [{each.code}]"
    )
    if each.text:
        output.show(f"  found: {each.text}")
    output.show(f"  works: {each.form}")


def _count(number: int, word: str) -> str:
    return f"{number} {word}" + ("" if number == 1 else "s")


def _document(options: argparse.Namespace, each: Finding) -> dict[str, Any]:
    return {
        "code": each.code,
        "severity": each.severity,
        "file": str(options.pack / each.file),
        "line": each.line,
        "text": each.text,
        "message": each.message,
        "form": each.form,
    }
