"""The part of a wiring that is the same wherever a file is hookpm's as a whole.

OpenCode's plugin, Pi's extension and Cline's hook files: none of these agents has a config with
entries of other people's beside ours. Their wirings take these names as their own.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from hookpm.agents.wiring import Entry, Finding, Owned
from hookpm.edit.jsondoc import Document


def entries(_events: Sequence[str], _longest: float) -> list[Entry]:
    """None: the agent's config has no place for a hook."""
    return []


def owner_of(_value: object) -> Owned | None:
    """Nothing: there are no entries."""
    return None


def dropped_by(_document: Document) -> list[Finding]:
    """Nothing: the file is ours as a whole."""
    return []


def environment(root: Path) -> dict[str, str]:
    """The variable that our file sets for its line; these agents set none themselves."""
    return {"HOOKPM_PROJECT_DIR": str(root)}
