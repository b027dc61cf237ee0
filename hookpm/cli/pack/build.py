"""hookpm pack build: the archive of a pack, the same bytes for the same files."""

from __future__ import annotations

import argparse
from pathlib import Path

from hookpm.cli import output

DESCRIPTION = "Make a pack's archive: the same files give the same bytes, everywhere."


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The options of build."""
    parser.add_argument("pack", type=Path, metavar="PACK", help="the pack's folder")
    parser.add_argument(
        "--to", type=Path, default=Path(), metavar="DIR", help="where it goes (default: here)"
    )


def run(options: argparse.Namespace) -> int:
    """Make the archive; returns the exit code."""
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
