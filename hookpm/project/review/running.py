"""What runs in a project, as values: of what is wanted, of what the lock stands for, of any tree.

A lock holds hashes only. What it stands for is known as far as the bytes with these hashes are at
hand; what is not known counts as not there, so that it is shown as new rather than passed over.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Any, NamedTuple

from hookpm.errors import HookpmError
from hookpm.packs import content as contents
from hookpm.packs.content import FileEntry
from hookpm.project import hooksjson
from hookpm.project.generated import canonical, digest
from hookpm.project.vendor import FOLDER

if TYPE_CHECKING:
    from hookpm.packs.manifest import Manifest
    from hookpm.project.generated import PackTarget
    from hookpm.project.hooksjson import Group
    from hookpm.project.state import State
    from hookpm.resolve.lock import LockedPack

PACKS = f"{FOLDER}/packs/"
_TERMS = f"{FOLDER}/packs.json"


class RunFile(NamedTuple):
    """A file of a pack. data: None where only its hash is known."""

    sha256: str
    data: bytes | None
    executable: bool = False


class RunPack(NamedTuple):
    """What runs of one pack. hooks: id -> the hook's fields, in words; settings: (kind, name) ->
    value, for options, their defaults, dependencies, programs and the agents it is limited to.

    name: "" for the project's own: hooks of the user's in the hooks file, hookpm.toml.
    """

    name: str
    version: str
    source: str
    hooks: Mapping[str, Mapping[str, Any]]
    files: Mapping[str, RunFile]
    settings: Mapping[tuple[str, str], Any]
    commit: str | None = None


def of_targets(targets: Iterable[PackTarget]) -> dict[str, RunPack]:
    """What will run once these packs are installed, by name."""
    return {target.name: _of_target(target) for target in targets}


def _of_target(target: PackTarget) -> RunPack:
    manifest = target.content.manifest
    return RunPack(
        target.name,
        manifest.version,
        target.source,
        {g.id: hook_fields(g, manifest) for g in hooksjson.groups(manifest, target.disabled)},
        {
            path: RunFile(digest(entry.data), entry.data, entry.executable)
            for path, entry in target.content.files.items()
        },
        settings_of(manifest, target.options, _listed(target.agents)),
        target.commit,
    )


def of_lock(now: State, targets: Iterable[PackTarget]) -> dict[str, RunPack]:
    """What the lock stands for. targets: packs whose files may be the locked ones as well."""
    wanted = {target.name: target.content.files for target in targets}
    terms = _locked_terms(now)
    return {
        pack.name: _of_locked(now, pack, wanted.get(pack.name, {}), terms.get(pack.name))
        for pack in now.lock.packs
    }


def _of_locked(
    now: State, pack: LockedPack, wanted: Mapping[str, FileEntry], terms: Mapping[str, Any] | None
) -> RunPack:
    files = {path: _locked_file(now, pack, path, wanted) for path in pack.files}
    known = {path: FileEntry(file.data or b"", file.executable) for path, file in files.items()}
    manifest = manifest_of(known, pack.name)
    if manifest is None:
        return RunPack(pack.name, pack.version, pack.source, {}, files, {}, pack.commit)
    hooks = {g.id: hook_fields(g, manifest) for g in _locked_groups(now, pack, manifest)}
    if terms is None:
        terms = {"options": {name: each.default for name, each in manifest.options.items()}}
    settings = settings_of(manifest, terms.get("options"), terms.get("agents"))
    return RunPack(pack.name, pack.version, pack.source, hooks, files, settings, pack.commit)


def _listed(names: tuple[str, ...] | None) -> list[str] | None:
    return None if names is None else list(names)


def _locked_file(
    now: State, pack: LockedPack, path: str, wanted: Mapping[str, FileEntry]
) -> RunFile:
    """A file by its hash in the lock, with its bytes where they lie in the repo or are wanted."""
    hashed = pack.files[path]
    there = now.generated.get(f"{PACKS}{pack.name}/{path}")
    for each in (wanted.get(path), there):
        if each is not None and digest(each.data) == hashed:
            return RunFile(hashed, each.data, each.executable)
    return RunFile(hashed, None)


def _locked_groups(now: State, pack: LockedPack, manifest: Manifest) -> list[Group]:
    """The groups whose hashes the lock has: by the manifest, else as they stand in hooks.json."""
    try:
        present = hooksjson.installed(now.hooks.text, now.hooks.path)
    except HookpmError:
        present = []  # a merge conflict, or worse
    known = [*hooksjson.groups(manifest), *(g for g in present if g.pack == pack.name)]
    found: dict[str, Group] = {}
    for group in known:
        if pack.entries.get(group.id) == digest(canonical(group.value)):
            found.setdefault(group.id, group)
    return list(found.values())


def _locked_terms(now: State) -> dict[str, dict[str, Any]]:
    """What packs.json says of each pack, if it is the locked one."""
    there = now.generated.get(_TERMS)
    if there is None or now.locked_files().get(_TERMS) != digest(there.data):
        return {}
    return terms_of(there.data)


# --- fields ------------------------------------------------------------------------------------


def hook_fields(group: Group, manifest: Manifest | None) -> dict[str, Any]:
    """What runs of one entry of the hooks file, and on what terms."""
    handlers = group.value.get("hooks")
    first = handlers[0] if isinstance(handlers, list) and len(handlers) == 1 else None
    fields: dict[str, Any] = {"event": group.event, "matcher": group.value.get("matcher", "")}
    if isinstance(first, dict) and set(first) <= {"type", "command", "timeout"}:
        fields |= {"command": first.get("command"), "timeout": first.get("timeout")}
    else:
        fields["handlers"] = handlers
    hook = None if manifest is None else manifest.hook(group.id)
    if hook is not None:
        fields |= {
            "needs": list(hook.needs),
            "uses": list(hook.uses),
            "fallback": dict(hook.fallback),
            "on_failure": hook.on_failure,
            "agents": None if hook.agents is None else list(hook.agents),
            "os": None if hook.os is None else list(hook.os),
        }
    return fields


def settings_of(manifest: Manifest | None, options: Any, agents: Any) -> dict[tuple[str, str], Any]:
    """What a pack declares, and what it was given: (kind, name) -> value."""
    found: dict[tuple[str, str], Any] = {}
    if manifest is not None:
        found |= {("default", n): each.default for n, each in manifest.options.items()}
        found |= {("dependency", n): spec or "any" for n, spec in manifest.dependencies.items()}
        found |= {("program", name): "needed" for name in manifest.requires.programs}
    if isinstance(options, dict):
        found |= {("option", name): value for name, value in options.items()}
    if agents is not None:
        found["agents", "limit"] = agents
    return found


def manifest_of(files: Mapping[str, FileEntry], name: str) -> Manifest | None:
    """The manifest of a pack's files; None where they are no pack."""
    try:
        return contents.from_files(files, name).manifest
    except HookpmError:
        return None


def terms_of(data: bytes) -> dict[str, dict[str, Any]]:
    """Pack -> what packs.json says of it; {} where it does not read."""
    try:
        document = json.loads(data)
    except ValueError:
        return {}
    packs = document.get("packs") if isinstance(document, dict) else None
    found = packs if isinstance(packs, dict) else {}
    return {name: terms for name, terms in found.items() if isinstance(terms, dict)}
