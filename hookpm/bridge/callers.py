"""Who really calls: some agents run other agents' config files (Copilot and Cursor run Claude's).

Vendored. A line stands down only if the payload proves that another agent calls, and that agent's
own wiring is in place. In doubt it runs, and answers in the caller's form.
"""

import posix

from hookpm.bridge.main import Event, _translation, read_file
from hookpm.contract.jsontext import JsonError, loads

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any


def settle(event: Event) -> bool:
    """Turn the event over to its caller; False if the caller's own line answers it anyway."""
    for name in sorted(posix.listdir(event.here + "/agents")):
        if name == event.wired or "." in name or name.startswith("_"):
            continue
        try:
            translate = _translation(name)
        except ImportError:
            continue
        if translate.recognises(event.payload):
            event.agent = name
            event.translate = translate
            return not wired_itself(event, name)
    return True  # nobody is proven: the line's own agent


def wired_itself(event: Event, agent: str) -> bool:
    """Does the agent's own config hold its line for this event, word for word?"""
    try:
        packs = loads(read_file(event.here + "/packs.json").decode("utf-8", "replace"))
        entry = packs["wired"][agent]
        line = entry["events"][event.name]
        config = read_file(event.root + "/" + entry["file"]).decode("utf-8-sig", "replace")
        return _holds(loads(config), line)
    except (OSError, JsonError, KeyError, TypeError):
        return False


def _holds(value: "Any", line: str) -> bool:
    if isinstance(value, dict):
        return any(_holds(item, line) for item in value.values())
    if isinstance(value, list):
        return any(_holds(item, line) for item in value)
    return bool(value == line)
