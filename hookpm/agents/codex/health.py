"""Codex on this machine: the feature flag, the trust in the folder, and the approval of each hook.

Observed in 0.171.0: hooks of an untrusted folder, and hooks that are not approved with their
present hash at their present place, are skipped; `codex exec` says nothing then. `[features]` of a
trusted folder's own config.toml counts, and stands above the user's. Trust is only looked at here,
never granted.
"""

from __future__ import annotations

import hashlib
import os
import re
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

from hookpm.agents import home_line, shell_line
from hookpm.agents.health import Health, Machine, canonical, flag, read_json, read_regular

_APPROVE = "start `codex` here and choose to trust the hooks, or press t in /hooks"
_NO_MATCHER = ("UserPromptSubmit", "Stop", "Interrupt")


def examine(machine: Machine) -> list[Health]:
    """What `config.toml` and `.codex/hooks.json` say; where Codex has never run here, the project's
    alone."""
    home = Path(machine.environment.get("CODEX_HOME") or machine.home / ".codex")
    file, in_project = home / "config.toml", machine.root / ".codex" / "config.toml"
    of_project = not machine.of_user and in_project != file
    project, found = _read_toml(in_project) if of_project else ({}, [])
    found += _switch(project, in_project)
    if not home.is_dir():
        return found
    config, problems = _read_toml(file)
    if problems:
        return found + problems
    found += _switch(config, file, above=project)
    if machine.of_user:
        return found or list(_hooks(config, file, home / "hooks.json", home_line.read))
    found += _folder(config, file, machine.root)
    hooks_file = _main_checkout(machine.root) / ".codex" / "hooks.json"
    return found or list(_hooks(config, file, hooks_file, shell_line.read))


def _read_toml(file: Path) -> tuple[dict[str, Any], list[Health]]:
    import msgspec

    try:
        config = msgspec.toml.decode(read_regular(file))
    except (FileNotFoundError, NotADirectoryError):
        return {}, []
    except (OSError, msgspec.DecodeError, RecursionError) as error:
        return {}, [Health("unreadable", str(error), f"mend {file}", str(file))]
    return config, []


def _switch(
    config: dict[str, Any], file: Path, *, above: dict[str, Any] | None = None
) -> Iterator[Health]:
    """The switches of one file that no file `above` it switches on again."""
    for name in ("hooks", "codex_hooks"):
        if (
            flag(config, "features", name) is False
            and flag(above or {}, "features", name) is not True
        ):
            yield Health(
                "switched-off",
                f"[features] {name} = false: Codex runs no hook at all",
                f"take `{name} = false` out of [features] in {file}",
                str(file),
            )


def _folder(config: dict[str, Any], file: Path, root: Path) -> Iterator[Health]:
    places = {str(root), os.path.realpath(root), str(_main_checkout(root))}
    if any(flag(config, "projects", place, "trust_level") == "trusted" for place in places):
        return
    yield Health(
        "not-trusted",
        "Codex does not trust this folder, so it reads no hooks from it",
        "start `codex` here and trust the folder, or run `codex exec --trust` once",
        str(file),
    )


def _hooks(
    config: dict[str, Any], file: Path, hooks_file: Path, read: Callable[[str], object]
) -> Iterator[Health]:
    """Each of our entries, as `read` knows them, against the approval that Codex keeps for it."""
    document, _ = read_json(hooks_file)
    states = flag(config, "hooks", "state")
    for event, groups in (document.get("hooks") or {}).items():
        for number, group in enumerate(groups if isinstance(groups, list) else ()):
            handlers = group.get("hooks") if isinstance(group, dict) else None
            for index, handler in enumerate(handlers if isinstance(handlers, list) else ()):
                command = handler.get("command") if isinstance(handler, dict) else None
                if not isinstance(command, str) or read(command) is None:
                    continue
                key = f"{os.path.realpath(hooks_file)}:{_snake(event)}:{number}:{index}"
                kept = states.get(key) if isinstance(states, dict) else None
                wrong = _wrong(kept, trust_hash(event, group.get("matcher"), handler))
                if wrong:
                    yield Health("not-approved", f"{event}: {wrong}", _APPROVE, str(file))


def _wrong(kept: object, expected: str) -> str:
    if not isinstance(kept, dict) or "trusted_hash" not in kept:
        return "our hook is not approved, so Codex skips it"
    if kept.get("enabled") is False:
        return "our hook is switched off in Codex"
    if kept["trusted_hash"] != expected:
        return "our hook was approved in another form or at another place, so Codex skips it"
    return ""


def trust_hash(event: str, matcher: object, handler: dict[str, Any]) -> str:
    """The hash by which Codex knows a hook (recomputed and equal in 18 of 18 cases, 0.171.0)."""
    timeout = handler.get("timeout", 600)
    if event in ("SessionEnd", "Interrupt"):
        timeout = min(handler.get("timeout", 1), 3)
    hashed: dict[str, Any] = {
        "event_name": _snake(event),
        "hooks": [
            {
                "type": "command",
                "command": handler["command"],
                "timeout": max(1, timeout),
                "async": bool(handler.get("async", False)),
                **{
                    key: handler[key]
                    for key in ("statusMessage", "additionalContextLimit")
                    if key in handler
                },
            }
        ],
    }
    if matcher is not None and event not in _NO_MATCHER:
        hashed["matcher"] = matcher
    return f"sha256:{hashlib.sha256(canonical(hashed)).hexdigest()}"


def _snake(event: str) -> str:
    return re.sub(r"(?<=[a-z])(?=[A-Z])", "_", event).lower()


def _main_checkout(root: Path) -> Path:
    """In a linked git worktree Codex takes hooks and trust from the main checkout (observed)."""
    try:
        words = (root / ".git").read_text().split("gitdir:", 1)
    except (OSError, UnicodeDecodeError):
        return root
    if len(words) < 2:
        return root
    linked = Path(words[1].strip())
    return linked.parents[2] if linked.parent.name == "worktrees" else root
