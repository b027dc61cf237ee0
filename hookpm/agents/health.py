"""Whether an agent on this machine will run the hooks that are wired: trust, switches, other files.

What only one machine knows is in each agent's own `health.py`; nothing there writes, and what
cannot be read is said, not guessed. An agent without such a module has nothing to look at.
"""

from __future__ import annotations

import importlib
import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any, NamedTuple


class Health(NamedTuple):
    """Something on this machine that keeps hooks from running. fix: what the user can do.

    file: where it is written, absolute; None where nothing is written yet.
    """

    code: str
    message: str
    fix: str
    file: str | None = None


class Machine(NamedTuple):
    """What an agent's `health.py` may look at: the project, the home, and the environment.

    of_user: it is about the user's own hooks, for which no folder has to be trusted; root is home.
    """

    root: Path
    home: Path
    environment: Mapping[str, str]
    of_user: bool = False


def examine(agent: str, machine: Machine) -> list[Health]:
    """What keeps this agent's hooks from running here; [] where nothing is known to."""
    try:
        module = importlib.import_module(f"hookpm.agents.{agent}.health")
    except ModuleNotFoundError:
        return []
    found: list[Health] = module.examine(machine)
    return [each for each in found if not (machine.of_user and each.code == "not-trusted")]


def read_regular(file: Path) -> bytes:
    """A file's bytes. Raises OSError, also for what is no file: opening a pipe waits for good."""
    if file.exists() and not file.is_file():
        raise OSError(f"{file} is not a file")
    return file.read_bytes()


def read_json(file: Path) -> tuple[dict[str, Any], list[Health]]:
    """An agent's own settings; {} and a finding where they cannot be read, {} where none are."""
    from hookpm.edit import jsondoc
    from hookpm.errors import HookpmError

    try:
        value = jsondoc.parse(jsondoc.decode(read_regular(file), file), file).value
    except (FileNotFoundError, NotADirectoryError):
        return {}, []
    except (OSError, HookpmError) as error:
        why = error.message if isinstance(error, HookpmError) else str(error)
        return {}, [Health("unreadable", why, f"mend {file}", str(file))]
    return (value if isinstance(value, dict) else {}), []


def flag(settings: Mapping[str, Any], *path: str) -> object:
    """The value at a path of keys; None where there is none."""
    value: object = settings
    for key in path:
        value = value.get(key) if isinstance(value, dict) else None
    return value


def is_below(folder: Path, parents: object) -> bool:
    """Is the folder one of these paths, or below one?"""
    if not isinstance(parents, list):
        return False
    return any(isinstance(p, str) and folder.is_relative_to(Path(p)) for p in parents)


def canonical(value: object) -> bytes:
    """Compact JSON with sorted keys, as UTF-8."""
    return json.dumps(value, sort_keys=True, separators=(",", ":"), ensure_ascii=False).encode()
