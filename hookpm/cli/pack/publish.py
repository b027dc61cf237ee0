"""hookpm pack publish: add packs to a registry in a folder."""

from __future__ import annotations

import argparse
from pathlib import Path

from hookpm.cli import output

DESCRIPTION = (
    "Add packs to a registry in a folder, which is made where there is none. "
    "A published version never changes."
)


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The options of publish."""
    parser.add_argument("packs", nargs="+", type=Path, metavar="PACK", help="a pack's folder")
    parser.add_argument(
        "--to", type=Path, required=True, metavar="DIR", help="the registry's folder"
    )


def run(options: argparse.Namespace) -> int:
    """Publish the packs; returns the exit code."""
    from hookpm.registry import publish

    planned = publish.publish(options.packs, options.to)
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
