"""What packs say about their hooks beyond the hooks file: options, fallbacks, agents.

Vendored. Read from the generated `.agents/hookpm/packs.json`, only when a hook of a pack matches.
"""

import sys

from hookpm.bridge.event import Event, read_file
from hookpm.contract.jsontext import JsonError, dumps, loads

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from hookpm.bridge.job import Task

FILE = ".agents/hookpm/packs.json"
_SYSTEMS = {"linux": "linux", "darwin": "macos", "win32": "windows"}


def settle(event: Event, tasks: "list[Task]") -> "tuple[list[Task], str]":
    """The tasks that run in this agent, on this system, with their packs' terms, and "" or what is
    wrong.

    A hook whose pack's terms cannot be read runs all the same, everywhere and without them.
    """
    settings, wrong = _load(event.here)
    kept = []
    for task in tasks:
        if not task.hook.pack:
            kept.append(task)
            continue
        pack = settings.get(task.hook.pack)
        if not isinstance(pack, dict):
            wrong = wrong or "%s does not know the pack %s" % (FILE, task.hook.pack)
            pack = {}
        hooks = pack.get("hooks")
        terms = hooks.get(task.hook.id) if isinstance(hooks, dict) else None
        terms = terms if isinstance(terms, dict) else {}
        runs = _runs_in(pack, event.agent) and _runs_in(terms, event.agent)
        if runs and _runs_here(terms.get("os")):
            _take_terms(task, pack, terms)
            kept.append(task)
    if wrong:
        command = "hookpm sync --user" if event.base else "hookpm sync"
        wrong += ": packs run without their options; `" + command + "` mends it"
    return kept, wrong


def _load(here: str) -> "tuple[dict[str, Any], str]":
    try:
        document = loads(read_file(here + "/packs.json").decode("utf-8", "replace"))
    except (OSError, JsonError) as error:
        return {}, "%s cannot be read (%s)" % (FILE, getattr(error, "strerror", None) or error)
    packs = document.get("packs") if isinstance(document, dict) else None
    if not isinstance(packs, dict):
        return {}, FILE + ' holds no object "packs"'
    return packs, ""


def _runs_in(limited: "dict[str, Any]", agent: str) -> bool:
    agents = limited.get("agents")
    return agent in agents if isinstance(agents, list) else True


def _runs_here(systems: object) -> bool:
    """Is a hook for this operating system? Asked here, since the repo is the same on all."""
    return not isinstance(systems, list) or _SYSTEMS.get(sys.platform) in systems


def _take_terms(task: "Task", pack: "dict[str, Any]", terms: "dict[str, Any]") -> None:
    task.options = dumps(pack.get("options") or {})
    task.rewrites = terms.get("rewrites") is True
    fallback = terms.get("fallback")
    task.fallback = fallback if isinstance(fallback, dict) else {}
    if terms.get("on_failure") in ("allow", "block"):
        task.on_failure = terms["on_failure"]
