"""What lies below `.agents/hookpm/`: the bridge, the packs' files, and what the bridge has to know.

Pure: the same packs and lines give the same bytes on every machine.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from hashlib import sha256
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, NamedTuple

from hookpm.project.vendor import FOLDER, bridge_files

if TYPE_CHECKING:
    from hookpm.packs.content import Content
    from hookpm.packs.manifest import Hook
    from hookpm.project.home.scope import Scope


class PackTarget(NamedTuple):
    """A pack that is to be there. source: "embedded", "path:../x"; archive: sha256 or None;
    options: all of them, defaults filled in; agents: None = all; disabled: hook ids; url, commit
    and ref as in the lock."""

    content: Content
    source: str
    archive: str | None
    options: dict[str, Any]
    agents: tuple[str, ...] | None = None
    disabled: tuple[str, ...] = ()
    url: str | None = None
    commit: str | None = None
    ref: str | None = None

    @property
    def name(self) -> str:
        """The pack's name."""
        return self.content.manifest.name


class File(NamedTuple):
    """A generated file's bytes, and whether it has the executable bit."""

    data: bytes
    executable: bool = False


def wanted_files(
    packs: Sequence[PackTarget],
    lines: dict[str, dict[str, str]],
    scope: Scope,
    texts: Mapping[str, bytes] = MappingProxyType({}),
) -> dict[str, File]:
    """Path from the root -> file, for everything below `.agents/hookpm/`. texts: the profiles'."""
    files = {f"{FOLDER}/{path}": File(data) for path, data in bridge_files().items()}
    files.update((path, File(data)) for path, data in texts.items())
    for pack in packs:
        for path, entry in pack.content.files.items():
            files[f"{FOLDER}/packs/{pack.name}/{path}"] = File(entry.data, entry.executable)
    files[f"{FOLDER}/packs.json"] = File(_packs_json(packs, lines, scope))
    return dict(sorted(files.items()))


def _packs_json(
    packs: Sequence[PackTarget], lines: dict[str, dict[str, str]], scope: Scope
) -> bytes:
    """What the bridge needs to know beyond the hooks file."""
    kept = {}
    for pack in sorted(packs, key=lambda pack: pack.name):
        hooks = {hook.id: _terms(hook) for hook in pack.content.manifest.hooks}
        limited = None if pack.agents is None else list(pack.agents)
        kept[pack.name] = {"options": pack.options, "agents": limited, "hooks": hooks}
    wired = {
        agent: {"file": scope.agent(agent).wiring.FILE, "events": events}
        for agent, events in sorted(lines.items())
    }
    whose = {"scope": scope.name} if scope.is_user else {}
    return (json.dumps({**whose, "packs": kept, "wired": wired}, indent=1) + "\n").encode()


def _terms(hook: Hook) -> dict[str, Any]:
    """What the bridge has to know of one hook."""
    terms: dict[str, Any] = {
        "rewrites": "updatedInput" in (*hook.needs, *hook.uses),
        "fallback": dict(hook.fallback),
        "on_failure": hook.on_failure,
        "agents": None if hook.agents is None else list(hook.agents),
    }
    if hook.os is not None:
        terms["os"] = list(hook.os)
    return terms


def digest(data: bytes) -> str:
    """A file's hash as the lock writes it."""
    return f"sha256:{sha256(data).hexdigest()}"


def canonical(value: Any) -> bytes:
    """The bytes that stand for a merged entry in its hash."""
    return json.dumps(value, sort_keys=True, separators=(",", ":")).encode()
