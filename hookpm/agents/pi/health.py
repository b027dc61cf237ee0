"""Pi on this machine: trust in the project, without which it skips the extension.

From its documentation and code, 1.6.0: the nearest decision for the folder or one above it counts,
else `defaultProjectTrust`, which is read from the user's settings alone.
"""

from __future__ import annotations

from pathlib import Path

from hookpm.agents.health import Health, Machine, read_json

_FIX = "start `pi` in this folder and accept the question, or type /trust there"


def examine(machine: Machine) -> list[Health]:
    """What the record of trusted folders and the user's settings say."""
    moved = machine.environment.get("PI_CODING_AGENT_DIR")
    folder = Path(moved) if moved else machine.home / ".pi" / "agent"
    file = folder / "trust.json"
    known, problems = read_json(file)
    root = machine.root.resolve()
    for place in (root, *root.parents):
        if known.get(str(place)) is True:
            return problems
        if known.get(str(place)) is False:
            message = f"Pi was told not to trust {place}, so it skips the extension here"
            return [*problems, Health("not-trusted", message, _FIX, str(file))]
    settings, unread = read_json(folder / "settings.json")
    problems += unread
    if settings.get("defaultProjectTrust") == "always":
        return problems
    message = "Pi does not trust this project yet; headless it skips the extension without a word"
    return [*problems, Health("not-trusted", message, f"{_FIX}; headless: --approve")]
