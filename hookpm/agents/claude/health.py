"""Claude Code on this machine: trust in the folder, and switches in its other settings files.

Observed in 2.1.332: interactive sessions run no hook before the folder is trusted, headless ones
need no trust; disableAllHooks is an ordinary setting, and the more specific file wins.
"""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

from hookpm.agents.health import Health, Machine, flag, read_json


def examine(machine: Machine) -> list[Health]:
    """What the user's and the local settings, and the record of trusted folders, say."""
    found: list[Health] = []
    deciding = None
    for file in (
        machine.home / ".claude/settings.json",
        machine.root / ".claude/settings.json",
        machine.root / ".claude/settings.local.json",
    ):
        settings, problems = read_json(file)
        found += [p for p in problems if file.parent.parent != machine.root]
        if isinstance(settings.get("disableAllHooks"), bool):
            deciding = (file, settings["disableAllHooks"])
        if file.parent.parent == machine.root and not machine.of_user:
            found += _other_python(settings, file)
    if deciding is not None and deciding[1] and deciding[0] != machine.root / FILE:
        message = "disableAllHooks is true: Claude Code runs no hook"
        fix = f"take it out of {deciding[0]}"
        found.append(Health("switched-off", message, fix, str(deciding[0])))
    return found + _trust(machine)


FILE = ".claude/settings.json"
# What the wired line finds its python by, and what changes that python as it starts.
_FINDS_PYTHON = ("HOME", "PATH", "XDG_CACHE_HOME", "LD_PRELOAD", "DYLD_INSERT_LIBRARIES")


def _other_python(settings: dict[str, Any], file: Path) -> list[Health]:
    """Variables that a project's settings give to every hook (`env`, from the documentation)."""
    given = settings.get("env")
    return [
        Health(
            "other-python",
            f"env.{name} decides which python hookpm's line starts: that may be any program",
            f"take it out of {file}",
            str(file),
        )
        for name in _FINDS_PYTHON
        if isinstance(given, dict) and name in given
    ]


def _trust(machine: Machine) -> list[Health]:
    file = machine.home / ".claude.json"
    known, problems = read_json(file)
    if not known:
        return problems  # it has never been started interactively here
    for place in {str(machine.root), os.path.realpath(machine.root)}:
        if flag(known, "projects", place, "hasTrustDialogAccepted") is True:
            return []
    return [
        Health(
            "not-trusted",
            "Claude Code runs no hook in interactive sessions here until the folder is trusted",
            "start `claude` in this folder and accept the dialog; headless runs need nothing",
            str(file),
        )
    ]
