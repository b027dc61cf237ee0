"""hookpm pack new: the folder of a pack that works, to be changed from there."""

from __future__ import annotations

import argparse
import shlex
from pathlib import Path

from hookpm.cli import output
from hookpm.errors import UsageError

DESCRIPTION = (
    "Make the folder of a new pack: a manifest, a hook that works, cases for it and a README. "
    "It passes `pack check` and `pack test` at once. Nothing that exists is overwritten."
)


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The options of new."""
    parser.add_argument(
        "name", metavar="NAME", help="the pack's name: lowercase letters, digits, single hyphens"
    )
    parser.add_argument(
        "--to", type=Path, default=Path(), metavar="DIR", help="the folder around it (default: .)"
    )
    parser.add_argument(
        "--lang", default="python", metavar="LANG", help="python (the default) or sh"
    )
    parser.add_argument(
        "--event", default="PreToolUse", metavar="EVENT", help="when it runs (default: PreToolUse)"
    )
    parser.add_argument("--description", default="", metavar="TEXT", help="one line about the pack")


def run(options: argparse.Namespace) -> int:
    """Make the pack; returns the exit code."""
    from hookpm.edit.tomltext import near
    from hookpm.packs import names, new, rules

    if problem := names.name_problem(options.name):
        meant = names.likely_name(options.name)
        raise UsageError(
            f"{options.name!r} cannot be a pack's name",
            cause=problem,
            hint=f"did you mean {meant}?" if meant else "such as no-force-push",
        )
    if options.lang not in new.LANGUAGES:
        meant = near(options.lang, new.LANGUAGES)
        raise UsageError(
            f"no pack is made in {options.lang!r}",
            hint=f"did you mean {meant}?" if meant else f"there are {' and '.join(new.LANGUAGES)}",
        )
    if wrong := rules.event_problem(options.event):
        raise UsageError(wrong[0], hint=wrong[1])
    if not options.description.isprintable():
        raise UsageError("the description has to be one line of plain text")
    files = new.files(
        options.name, lang=options.lang, event=options.event, description=options.description
    )
    folder: Path = options.to / options.name
    new.write(files, folder)
    return _report(options, folder, sorted(files))


def _report(options: argparse.Namespace, folder: Path, files: list[str]) -> int:
    place = folder.as_posix() if folder.is_absolute() else f"./{folder.as_posix()}"
    then = [
        f"hookpm {verb} {shlex.quote(place)}" for verb in ("pack check", "pack test", "install")
    ]
    if options.json:
        output.show_json(
            {"changed": True, "name": options.name, "folder": str(folder), "files": files}
            | {"next": then}
        )
        return 0
    for file in files:
        output.show(f"made {folder / file}")
    output.show("next:")
    for line in then:
        output.show(f"  {line}")
    return 0
