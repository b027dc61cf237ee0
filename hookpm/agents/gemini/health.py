"""Gemini CLI on this machine: trust in the folder, and the switches for hooks.

Observed in 0.61.0: folder trust is on by default; a headless run in an untrusted folder ends with
exit code 55, and with --skip-trust it goes on without the project's hooks.
"""

from __future__ import annotations

import os
from pathlib import Path

from hookpm.agents.health import Health, Machine, flag, read_json


def examine(machine: Machine) -> list[Health]:
    """What the user's settings and trusted folders say; [] where Gemini has never run here."""
    folder = machine.home / ".gemini"
    if not folder.is_dir():
        return []
    file = folder / "settings.json"
    settings, found = read_json(file)
    if flag(settings, "hooksConfig", "enabled") is False:
        message = "hooksConfig.enabled is false: Gemini CLI runs no hook"
        found.append(Health("switched-off", message, f"take it out of {file}", str(file)))
    if flag(settings, "security", "folderTrust", "enabled") is False:
        return found
    if machine.environment.get("GEMINI_CLI_TRUST_WORKSPACE") == "true":
        return found
    return found + _trust(machine, folder / "trustedFolders.json")


def _trust(machine: Machine, file: Path) -> list[Health]:
    trusted, problems = read_json(file)
    if problems:
        return problems
    for place in {str(machine.root), os.path.realpath(machine.root)}:
        if trusted.get(place) == "TRUST_FOLDER":
            return []
    return [
        Health(
            "not-trusted",
            "Gemini CLI does not trust this folder, so it runs none of its hooks",
            "start `gemini` here and trust the folder",
            str(file),
        )
    ]
