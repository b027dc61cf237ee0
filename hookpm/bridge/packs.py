"""What the bridge knows of packs beyond the hooks file: options, fallbacks, environment.

Vendored. Read from the generated `.agents/hookpm/packs.json`, only when a hook of a pack matches.
"""

import posix
import sys

from hookpm.bridge.main import read_file
from hookpm.contract.jsontext import JsonError, dumps, loads

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from hookpm.contract.hooksfile import Hook

    Settings = dict[str, dict[str, Any]]  # pack name -> its object in packs.json


class Terms:
    """What a pack says about one hook. rewrites: it lists updatedInput in needs or uses;
    fallback: capability word -> "deny" or "drop"; on_failure: "allow" or "block"."""

    __slots__ = ("fallback", "on_failure", "rewrites")

    def __init__(self, rewrites: bool, fallback: "dict[str, str]", on_failure: str) -> None:
        self.rewrites = rewrites
        self.fallback = fallback
        self.on_failure = on_failure


def load(here: str, hooks: "list[Hook]") -> "tuple[Settings, str]":
    """The packs' settings, and "" or what is wrong. The hooks run either way."""
    if not any(hook.pack for hook in hooks):
        return {}, ""
    try:
        document = loads(read_file(here + "/packs.json").decode("utf-8", "replace"))
        return dict(document["packs"]), ""
    except (OSError, JsonError, KeyError, TypeError, ValueError):
        return {}, (
            ".agents/hookpm/packs.json cannot be read: packs run without their options; "
            "`hookpm sync` mends it"
        )


def of(settings: "Settings", hook: "Hook") -> Terms:
    """The terms of a hook; the user's own hooks have none but their handler's."""
    try:
        kept = settings[hook.pack]["hooks"][hook.id]
        return Terms(
            bool(kept.get("rewrites")),
            dict(kept.get("fallback") or {}),
            str(kept.get("on_failure") or hook.on_failure),
        )
    except (KeyError, TypeError, AttributeError):
        return Terms(False, {}, hook.on_failure)


def runs_in(settings: "Settings", hook: "Hook", agent: str) -> bool:
    """Is the hook's pack meant for this agent?"""
    pack = settings.get(hook.pack)
    agents = pack.get("agents") if isinstance(pack, dict) else None
    return agents is None or agent in agents


def command(hook: "Hook") -> "list[str]":
    """The hook's command line as words: through the shell, or as it is in exec form."""
    if hook.args is not None:
        return [hook.command, *hook.args]
    return ["/bin/bash" if hook.shell == "bash" else "/bin/sh", "-c", hook.command]


def environment(settings: "Settings", hook: "Hook", here: str, root: str) -> "dict[bytes, bytes]":
    """The agent's environment plus the contract's variables."""
    variables = {
        "CLAUDE_PROJECT_DIR": root,
        "HOOKPM_PYTHON": sys.executable or "python3",
        "HOOKPM_PYCACHE": sys.pycache_prefix or "",
    }
    if hook.pack:
        folder = here + "/packs/" + hook.pack
        pack = settings.get(hook.pack)
        options: "Any" = pack.get("options") if isinstance(pack, dict) else None
        variables["HOOKPM_PACK_DIR"] = variables["CLAUDE_PLUGIN_ROOT"] = folder
        variables["HOOKPM_OPTIONS"] = dumps(options or {})
    merged = dict(posix.environ)
    merged.setdefault(b"PYTHONUTF8", b"1")
    for name, value in variables.items():
        merged[name.encode("ascii")] = value.encode("utf-8", "surrogateescape")
    return merged
