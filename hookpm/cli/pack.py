"""hookpm pack: for pack authors: test, build and publish a pack."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

from hookpm.cli import output
from hookpm.errors import UsageError

if TYPE_CHECKING:
    from hookpm.project.casetest import Tested

_VERBS = ("test", "build", "publish")
_BECOMES = {
    "holds": "hold",
    "deny": "denied instead",
    "block": "blocked instead",
    "lost": "lost",
    "unknown": "not known",
}


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The verbs of pack and their options."""
    verbs = parser.add_subparsers(title="commands", metavar="COMMAND", dest="verb")
    test = verbs.add_parser(
        "test",
        help="run the pack's cases",
        description="Run the cases of a pack (cases/*.toml) in a scratch project, and say what "
        "each agent makes of the expected outcomes.",
    )
    test.add_argument("pack", type=Path, metavar="PACK", help="the pack's folder")
    test.add_argument("-v", "--verbose", action="store_true", help="name the cases that pass too")
    build = verbs.add_parser(
        "build",
        help="make the pack's archive",
        description="Make a pack's archive: the same files give the same bytes, everywhere.",
    )
    build.add_argument("pack", type=Path, metavar="PACK", help="the pack's folder")
    build.add_argument(
        "--to", type=Path, default=Path(), metavar="DIR", help="where it goes (default: here)"
    )
    publish = verbs.add_parser(
        "publish",
        help="add packs to a registry in a folder",
        description="Add packs to a registry in a folder, which is made where there is none. "
        "A published version never changes.",
    )
    publish.add_argument("packs", nargs="+", type=Path, metavar="PACK", help="a pack's folder")
    publish.add_argument(
        "--to", type=Path, required=True, metavar="DIR", help="the registry's folder"
    )
    for each in (test, build, publish):
        each.add_argument("--json", action="store_true", help="print one JSON document")


def run(options: argparse.Namespace) -> int:
    """Run one verb; returns the exit code."""
    if options.verb is None:
        raise UsageError(
            f"what is to be done with the pack? {', '.join(_VERBS)}",
            hint="`hookpm pack --help` shows what there is",
        )
    work = {"test": _test, "build": _build, "publish": _publish}[options.verb]
    return work(options)


def _build(options: argparse.Namespace) -> int:
    from hashlib import sha256

    from hookpm.errors import SystemFailureError
    from hookpm.packs import archive, content

    found = content.read(options.pack)
    data = archive.build(found)
    name = archive.file_name(found.manifest.name, found.manifest.version)
    file: Path = options.to / name
    try:
        options.to.mkdir(parents=True, exist_ok=True)
        file.write_bytes(data)
    except OSError as error:
        raise SystemFailureError(
            f"cannot write {name}",
            cause=error.strerror,
            hint="choose another folder with --to DIR",
            file=file,
        ) from None
    digest = sha256(data).hexdigest()
    if options.json:
        output.show_json(
            {
                "name": found.manifest.name,
                "version": found.manifest.version,
                "archive": str(file),
                "sha256": digest,
                "size": len(data),
            }
        )
    else:
        output.show(f"{file} ({len(found.files)} files, {len(data)} bytes)")
        output.show(f"sha256 {digest}")
    return 0


def _publish(options: argparse.Namespace) -> int:
    from hookpm.registry import publish

    planned = publish.plan(options.packs, options.to)
    publish.apply(planned, options.to)
    if options.json:
        names = [added.split(" ") for added in planned.added]
        output.show_json(
            {
                "changed": bool(planned.files),
                "registry": str(options.to),
                "published": [{"name": name, "version": version} for name, version in names],
                "files": sorted(planned.files),
            }
        )
        return 0
    for added in planned.added:
        output.show(f"published {added} in {options.to}")
    if not planned.added:
        output.show(f"nothing new for {options.to}")
    return 0


def _test(options: argparse.Namespace) -> int:
    from hookpm.project import casetest

    tested = casetest.run(options.pack, _progress if _shows_progress(options) else None)
    if options.json:
        output.show_json(_document(tested, options.pack))
        return 1 if tested.failed else 0
    for each in tested.outcomes:
        place = f"{options.pack / each.case.place}"
        if each.complaint is not None:
            output.show(f"FAILED {place}: {each.case.name}")
            output.show(f"  {each.complaint}")
        elif options.verbose:
            output.show(f"passed {place}: {each.case.name}")
    if not tested.outcomes:
        output.say(
            f"note: {tested.name} has no cases; they go into {options.pack / 'cases'}/*.toml"
        )
    _show_agents(tested)
    failed = len(tested.failed)
    passed = len(tested.outcomes) - failed
    output.show(f"{tested.name} {tested.version}: {passed} passed, {failed} failed")
    return 1 if failed else 0


def _show_agents(tested: Tested) -> None:
    """Per agent, what becomes of the outcomes that are expected."""
    from hookpm import agents

    for name in agents.names():
        told = [
            f"{count} {expect} {_BECOMES[becomes]}"
            for (expect, becomes), count in sorted(tested.tally(name).items())
        ]
        if told:
            output.show(f"in {name}: {', '.join(told)}")


def _document(tested: Tested, folder: Path) -> dict[str, Any]:
    from hookpm import agents

    return {
        "pack": tested.name,
        "version": tested.version,
        "passed": len(tested.outcomes) - len(tested.failed),
        "failed": len(tested.failed),
        "cases": [
            {
                "name": each.case.name,
                "file": str(folder / each.case.file),
                "line": each.case.line,
                "event": each.case.event,
                "expect": each.case.expect,
                "ok": each.complaint is None,
                "message": each.complaint,
                "agents": each.becomes,
            }
            for each in tested.outcomes
        ],
        "agents": [
            {
                "agent": name,
                "outcomes": [
                    {"expect": expect, "becomes": becomes, "cases": count}
                    for (expect, becomes), count in sorted(tested.tally(name).items())
                ],
            }
            for name in agents.names()
        ],
    }


def _shows_progress(options: argparse.Namespace) -> bool:
    return sys.stderr.isatty() and not options.json


def _progress(done: int, of: int) -> None:
    print(f"\r{done} of {of} cases", end="\r" if done < of else "\r\x1b[K", file=sys.stderr)
