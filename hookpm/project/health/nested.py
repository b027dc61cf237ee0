"""Projects of hookpm's above and below one: which of them an agent runs, said where it matters."""

from __future__ import annotations

import os
import subprocess
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from hookpm.project.home import homefolders
from hookpm.project.root import LOCK, git_top

if TYPE_CHECKING:
    from hookpm.agents import Agent

_FEW = 3  # of the projects below that are named


def notes(root: Path, agents: Sequence[Agent]) -> list[str]:
    """What has to be known of the folders around a project, for these agents; mostly []."""
    found = []
    top, outer = git_top(root), above(root)
    at_top = [agent.name for agent in agents if getattr(agent.wiring, "AT_TOP_ONLY", False)]
    if top is not None and top != root and at_top:
        found.append(
            f"{', '.join(at_top)}: reads hooks at the top of the checkout, {top}, and not of this "
            "folder"
        )
    if outer is not None:
        found.append(
            f"another project of hookpm's lies above, in {outer}; an agent that is started in this "
            "one runs the packs of this one, so what has to hold in both belongs into both"
        )
    inner = below(root)
    if inner:
        more = f" and {len(inner) - _FEW} more" if len(inner) > _FEW else ""
        found.append(
            f"projects of hookpm's lie below, in {', '.join(inner[:_FEW])}{more}; an agent that is "
            "started in one of them runs the packs of that one, so what has to hold there too "
            "belongs into each"
        )
    return found


def above(root: Path) -> Path | None:
    """The nearest folder above with a lock; the home folder and what is above it do not count."""
    home = homefolders.home_or_none()
    for folder in root.parents:
        if folder == home:
            return None
        if (folder / LOCK).is_file():
            return folder
    return None


def below(root: Path) -> list[str]:
    """The folders below with a lock that git tracks, seen from the root; [] without git."""
    try:
        done = subprocess.run(
            ["git", "ls-files", "-z", "--", f":(glob)**/{LOCK}"],
            cwd=root,
            capture_output=True,
            timeout=30,
            check=False,
        )
    except (OSError, subprocess.TimeoutExpired):
        return []
    paths = [os.fsdecode(path) for path in done.stdout.split(b"\0") if path]
    return [path.removesuffix(f"/{LOCK}") for path in paths if path != LOCK]
