"""Copilot CLI on this machine: trust in the folder.

Observed in 1.0.102: `copilot -p` runs a repository's hooks in trusted folders only, and says
nothing where it does not; --yolo trusts no folder.
"""

from __future__ import annotations

import os
from pathlib import Path

from hookpm.agents.health import Health, Machine, is_below, read_json

_GRANTS = {"COPILOT_ALLOW_ALL": "true", "GITHUB_COPILOT_PROMPT_MODE_REPO_HOOKS": "true"}


def examine(machine: Machine) -> list[Health]:
    """What its record of trusted folders says; [] where Copilot has never run here."""
    home = machine.environment.get("COPILOT_HOME")
    folder = Path(home) if home else machine.home / ".copilot"
    if not folder.is_dir():
        return []
    file = folder / "config.json"
    config, problems = read_json(file)
    if problems:
        return problems
    if any(machine.environment.get(name) == value for name, value in _GRANTS.items()):
        return []
    root = Path(os.path.realpath(machine.root))
    if is_below(root, config.get("trustedFolders")):
        return []
    return [
        Health(
            "not-trusted",
            "Copilot CLI does not trust this folder, so it runs none of its hooks",
            "start `copilot` here and trust the folder; headless: --trust-folder",
            str(file),
        )
    ]
