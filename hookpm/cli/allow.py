"""hookpm allow: let the user bridge run a project's hooks, as they are now."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import TYPE_CHECKING, Any

from hookpm.cli import common, output
from hookpm.errors import RefusedError

if TYPE_CHECKING:
    from hookpm.project.home.allow import Seen

_MOST = 30  # files shown one by one


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The options of allow."""
    parser.add_argument(
        "folder",
        nargs="?",
        type=Path,
        metavar="DIR",
        help="a project, or a folder in it (default: the one you are in)",
    )
    what = parser.add_mutually_exclusive_group()
    what.add_argument(
        "--list", action="store_true", help="list what is allowed, and whether it changed"
    )
    what.add_argument("--revoke", action="store_true", help="take the project off the list")
    parser.add_argument("-y", "--yes", action="store_true", help="do not ask")
    parser.add_argument("--json", action="store_true", help="print one JSON document")


def run(options: argparse.Namespace) -> int:
    """Show what would run, ask, and put it on the list; returns the exit code."""
    if options.list:
        return _list(options)
    if options.revoke:
        return _revoke(options)
    from hookpm.project.home import allow
    from hookpm.project.writing import locking

    root = allow.find(options.folder or Path.cwd())
    with locking.locked(root, lambda: output.say("waiting for another hookpm to finish ...")):
        seen = allow.look(root)
    before = allow.state_of(seen)
    if not options.json:
        _show(seen, before)
    if before != "allowed":
        if not options.yes:
            _ask()
        allow.allow(seen)
    if options.json:
        output.show_json({**_document(seen), "changed": before != "allowed", "state": "allowed"})
    elif before == "allowed":
        output.show("it is allowed already")
    else:
        output.show(f"allowed: {root} ({seen.sha256[:8]}); `hookpm allow --revoke` takes it back")
    if not options.json:
        _tell_if_unwired()
    return 0


def _ask() -> None:
    """Raise RefusedError where the user does not say yes, or cannot be asked."""
    if not common.on_terminal():
        raise RefusedError(
            "nothing was allowed: there is no terminal to ask on",
            hint="read what would run, then say --yes",
        )
    if not common.agrees():
        raise RefusedError("nothing was allowed")


def _show(seen: Seen, state: str) -> None:
    """Commands, files, and what differs from what was allowed before."""
    from hookpm.project.home import allow

    output.show(f"{seen.root}: {state}")
    commands, problems = allow.commands(seen)
    output.show("These commands would run in the agents:")
    for each in commands:
        name = f"{each.pack}/{each.id}" if each.pack else "your own"
        where = f"{each.event} {each.matcher or ''}".strip()
        output.show(_one_line(f"  {name} at {where}: {each.command}"))
    if not commands:
        output.show("  none")
    if state == "changed":
        output.show("What differs from what you allowed:")
        for mark, path in allow.changes(seen):
            output.show(_one_line(f"  {mark} {path}"))
    else:
        packs = [name for name in seen.names() if "/packs/" in name]
        output.show(f"with {len(packs)} files of packs, of {len(seen.files)} that are watched:")
        for name in packs[:_MOST]:
            output.show(_one_line(f"  {name}"))
        if len(packs) > _MOST:
            output.show(f"  and {len(packs) - _MOST} more")
    for text in (*problems, *allow.warnings(seen)):
        output.say(_one_line(f"warning: {text}"))


def _one_line(text: str) -> str:
    """What others wrote must not look like lines of ours."""
    return "".join(ascii(c)[1:-1] if c in "\n\t" else c for c in text)


def _document(seen: Seen) -> dict[str, Any]:
    from hookpm.project.home import allow

    commands, problems = allow.commands(seen)
    return {
        "root": str(seen.root),
        "sha256": seen.sha256,
        "hooks": [each._asdict() for each in commands],
        "files": seen.names(),
        "warnings": [*problems, *allow.warnings(seen)],
    }


def _tell_if_unwired() -> None:
    from hookpm.project.home import userbridge

    if not userbridge.record().wirings:
        output.say("hint: no agent has the user bridge yet; `hookpm init --user-bridge` wires it")


def _list(options: argparse.Namespace) -> int:
    from hookpm.project.home import allow

    found = allow.listed()
    if options.json:
        output.show_json({"allowed": [each._asdict() for each in found]})
        return 0
    for each in found:
        output.show(f"{each.path}: {each.state} ({each.sha256[:8]}, since {each.when})")
    if not found:
        output.show("nothing is allowed; `hookpm allow` in a project allows it")
    return 0


def _revoke(options: argparse.Namespace) -> int:
    from hookpm.project.home import allow

    path = allow.revoke(options.folder or Path.cwd())
    if options.json:
        output.show_json({"changed": True, "root": path, "state": "not allowed"})
    else:
        output.show(f"not allowed any more: {path}")
    return 0
