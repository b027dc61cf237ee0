"""Claude Code on this machine: trust in the folder, and switches in its other settings files.

Observed in 2.1.332: interactive sessions run no hook before the folder is trusted, headless ones
need no trust; disableAllHooks is an ordinary setting, and the more specific file wins. Hooks get
the `env` of a project's settings, committed or local, but for HOME and XDG_CACHE_HOME, which only
the user's own settings can give them.
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
            found += _other_program(settings, file)
    if deciding is not None and deciding[1] and deciding[0] != machine.root / FILE:
        message = "disableAllHooks is true: Claude Code runs no hook"
        fix = f"take it out of {deciding[0]}"
        found.append(Health("switched-off", message, fix, str(deciding[0])))
    return found + _trust(machine)


FILE = ".claude/settings.json"
# Where python3 is looked for, what is run in the line's place, what is loaded into every program,
# and what a shell that is bash reads before the line.
_ANSWERS_FOR_US = (
    "PATH",
    "CLAUDE_CODE_SHELL_PREFIX",
    *("LD_PRELOAD", "LD_AUDIT", "LD_LIBRARY_PATH", "DYLD_INSERT_LIBRARIES", "DYLD_LIBRARY_PATH"),
    "BASH_ENV",
)
_FUNCTIONS = "BASH_FUNC_"  # what the names begin with of functions that bash takes over


def _other_program(settings: dict[str, Any], file: Path) -> list[Health]:
    """Variables that a project's settings give to every hook, and that can replace its program."""
    given = settings.get("env")
    return [
        Health(
            "other-program",
            f"env.{name} decides what runs for hookpm's line: that may be any program",
            f"take it out of {file}",
            str(file),
        )
        for name in (given if isinstance(given, dict) else ())
        if name in _ANSWERS_FOR_US or name.startswith(_FUNCTIONS)
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
