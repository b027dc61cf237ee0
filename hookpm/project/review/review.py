"""What is new or changed in what will run: a value, from what runs now and what would.

Pure. What is the same on both sides is in it nowhere; what is unknown of the one side is new.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple

from hookpm.project.review.running import RunFile, RunPack


class FieldChange(NamedTuple):
    """A field of a hook, or a setting of a pack. was, now: None = not there."""

    name: str
    was: Any
    now: Any


class HookChange(NamedTuple):
    """A hook. change: added, changed or removed; fields: what is there now, of a removed one what
    was; changes: the fields that differ, of a changed one."""

    id: str
    change: str
    fields: Mapping[str, Any]
    changes: tuple[FieldChange, ...] = ()


class FileChange(NamedTuple):
    """A file of a pack. change: added, changed or removed; was, now: None = not there."""

    path: str
    change: str
    was: RunFile | None
    now: RunFile | None


class SettingChange(NamedTuple):
    """An option, a default, a dependency, a program or the agents of a pack."""

    kind: str
    name: str
    was: Any
    now: Any


class PackChange(NamedTuple):
    """What is new in one pack. change: added, changed or removed; was: the version before; commit:
    of git."""

    name: str
    version: str
    source: str
    change: str
    was: str | None
    was_source: str | None
    hooks: tuple[HookChange, ...]
    files: tuple[FileChange, ...]
    settings: tuple[SettingChange, ...]
    commit: str | None = None
    was_commit: str | None = None


def compare(before: Mapping[str, RunPack], after: Mapping[str, RunPack]) -> tuple[PackChange, ...]:
    """What differs, by name of the pack; empty where nothing does."""
    found = []
    for name in sorted({*before, *after}):
        was, now = before.get(name), after.get(name)
        change = _pack(was, now)
        if change is not None:
            found.append(change)
    return tuple(found)


def _pack(was: RunPack | None, now: RunPack | None) -> PackChange | None:
    either = now or was
    assert either is not None
    change = PackChange(
        either.name,
        either.version,
        either.source,
        _kind(was, now),
        was.version if was else None,
        was.source if was else None,
        _hooks(was.hooks if was else {}, now.hooks if now else {}),
        _files(was.files if was else {}, now.files if now else {}),
        _settings(was.settings if was else {}, now.settings if now else {}),
        either.commit,
        was.commit if was else None,
    )
    same = was is not None and now is not None and was.source == now.source
    return None if same and not (change.hooks or change.files or change.settings) else change


def _kind(was: object, now: object) -> str:
    if was is None:
        return "added"
    return "removed" if now is None else "changed"


def _hooks(
    before: Mapping[str, Mapping[str, Any]], after: Mapping[str, Mapping[str, Any]]
) -> tuple[HookChange, ...]:
    """Those of `after` in their order, then what goes."""
    found = []
    for hook_id in [*after, *(each for each in before if each not in after)]:
        was, now = before.get(hook_id), after.get(hook_id)
        if was == now:
            continue
        changes: tuple[FieldChange, ...] = ()
        if was is not None and now is not None:
            changes = tuple(
                FieldChange(name, was.get(name), now.get(name))
                for name in dict.fromkeys([*was, *now])
                if was.get(name) != now.get(name)
            )
        found.append(HookChange(hook_id, _kind(was, now), now or was or {}, changes))
    return tuple(found)


def _files(before: Mapping[str, RunFile], after: Mapping[str, RunFile]) -> tuple[FileChange, ...]:
    found = []
    for path in sorted({*before, *after}):
        was, now = before.get(path), after.get(path)
        if was is None or now is None or was.sha256 != now.sha256 or mode_change(was, now):
            found.append(FileChange(path, _kind(was, now), was, now))
    return tuple(found)


def mode_change(was: RunFile | None, now: RunFile | None) -> tuple[bool, bool] | None:
    """(was, is) a file a program, where that changed and both are known; else None."""
    if was is None or now is None or was.data is None or now.data is None:
        return None
    modes = (was.executable, now.executable)
    return None if modes[0] == modes[1] else modes


def _settings(
    before: Mapping[tuple[str, str], Any], after: Mapping[tuple[str, str], Any]
) -> tuple[SettingChange, ...]:
    """A default that is what the option is set to anyway is said once, as the option."""
    found = []
    for kind, name in sorted({*before, *after}):
        was, now = before.get((kind, name)), after.get((kind, name))
        if was == now and ((kind, name) in before) == ((kind, name) in after):
            continue
        both = [side.get(("option", name)) for side in (before, after)]
        if kind == "default" and both == [was, now]:
            continue
        found.append(SettingChange(kind, name, was, now))
    return tuple(found)
