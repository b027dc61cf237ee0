"""Who really calls: some agents run other agents' config files (Copilot and Cursor run Claude's).

Vendored. A line stands down only if the payload proves that another agent calls, and that agent's
own wiring is in place. In doubt it runs, and answers in the caller's form.
"""

import posix

from hookpm.bridge.event import Event, read_file, translation
from hookpm.contract.jsontext import JsonError, loads

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any


def settle(event: Event) -> bool:
    """Turn the event over to its caller; False if the caller's own line answers it anyway."""
    claims = []
    for name in sorted(posix.listdir(event.code + "/agents")):
        if name == event.wired or "." in name or name.startswith("_"):
            continue
        try:
            translate = translation(name)
            claimed = translate.recognises(event.payload)
        except Exception:  # another agent's module is broken: not this one's concern
            claimed = False
        if claimed:
            claims.append((name, translate))
    if not claims:
        return True  # nobody is proven: the line's own agent
    event.agent, event.translate = claims[0]
    return len(claims) > 1 or not wired_itself(event, event.agent)


def wired_itself(event: Event, agent: str, read_file: "Callable[[str], bytes]" = read_file) -> bool:
    """Does the agent's own config hold its line for this event, word for word and in force?

    read_file: may raise OSError for what is not to be read.
    """
    try:
        packs = loads(read_file(event.here + "/packs.json").decode("utf-8", "replace"))
        entry = packs["wired"][agent]
        line = entry["events"][event.name]
        data = read_file((event.base or event.root) + "/" + entry["file"])
        config = loads(data.decode("utf-8", "replace"))
        return isinstance(line, str) and _holds(event, config, line)
    except (OSError, JsonError, KeyError, TypeError, AttributeError):
        return False


def _holds(event: Event, config: "Any", line: str) -> bool:
    """Only where the agent looks for it counts, and only where it runs for every call."""
    version = getattr(event.translate, "CONFIG_VERSION", None)
    if config.get("disableAllHooks") is True or (version and config.get("version") != version):
        return False
    drops = getattr(event.translate, "drops", None)
    if drops is not None and drops(config):
        return False
    for native, name in event.translate.EVENTS.items():
        for element in config["hooks"].get(native) or () if name == event.name else ():
            for handler in element.get("hooks") or [element]:
                limited = element.get("matcher") or handler.get("matcher")
                if not limited and line in (handler.get("command"), handler.get("bash")):
                    return True
    return False
