"""The registry that comes with hookpm: packs that install offline, from no server."""

from __future__ import annotations

from pathlib import Path

from hookpm.registry.index import FolderRegistry

SOURCE = "embedded"


def registry() -> FolderRegistry:
    """The index inside the installed package; in a checkout, registry-index/ beside it."""
    here = Path(__file__).resolve()
    installed = here.parent / "embedded_index"
    checkout = here.parents[2] / "registry-index"
    return FolderRegistry(installed if installed.is_dir() else checkout, SOURCE)
