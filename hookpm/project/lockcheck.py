"""`sync --locked`: what is wanted has to be just what the lock says, to the byte."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from hookpm.errors import RefusedError
from hookpm.project import gitline
from hookpm.project.generated import digest
from hookpm.project.root import LOCK, SETTINGS
from hookpm.project.vendor import FOLDER
from hookpm.resolve import lock as locks

if TYPE_CHECKING:
    from hookpm.project.plan import Plan
    from hookpm.project.state import State
    from hookpm.resolve.lock import LockedPack
    from hookpm.resolve.resolver import Resolved


def check_all_wanted(now: State) -> None:
    """Raise RefusedError for what needs no asking: hookpm.toml wants no packs, and the lock has
    some; or a line wants something else from git than the lock has."""
    if now.lock.packs and not now.settings.packs:
        raise _not_the_lock(now, f"{SETTINGS} wants no packs, but the lock has some")
    for each in now.lock.packs:
        if moved_registry(now, each.name):
            raise _not_the_lock(
                now,
                f"the registry {each.source} is at {now.settings.registries[each.source]}, "
                f"but {each.name} was locked from {each.url}",
            )
    for name in now.settings.packs:
        line, pack = now.settings.line(name), now.lock.pack(name)
        if line.git is None or pack is None:
            continue
        source, ref = gitline.source(line), gitline.ref(line)
        if (pack.source, pack.ref) != (source, ref):
            raise _not_the_lock(
                now, f"{name} is wanted from {source} at {ref}, but the lock has {_place(pack)}"
            )


def moved_registry(now: State, name: str) -> bool:
    """Is a locked pack's registry at another address now than the one that it was locked from?"""
    pack = now.lock.pack(name)
    known = now.settings.registries
    return pack is not None and pack.source in known and known[pack.source] != pack.url


def check(now: State, resolved: Sequence[Resolved]) -> None:
    """Raise RefusedError where what was resolved is not what the lock says."""
    names = {found.name for found in resolved}
    for pack in now.lock.packs:
        if pack.name not in names:
            raise _not_the_lock(now, f"{pack.name} is in the lock, but no longer wanted")
    for found in resolved:
        locked = now.lock.pack(found.name)
        if locked is None:
            raise _not_the_lock(now, f"{found.name} is wanted, but not in the lock")
        if (locked.version, locked.source, locked.ref) != (found.version, found.source, found.ref):
            raise _not_the_lock(
                now,
                f"{found.name} {found.version} from {_place(found)} is wanted, but the lock has "
                f"{locked.version} from {_place(locked)}",
            )
        files = {path: digest(entry.data) for path, entry in found.content.files.items()}
        if locked.files != files:
            raise _not_the_lock(
                now, f"the files of {found.name} {found.version} are not those of the lock"
            )


def check_written(now: State, plan: Plan) -> None:
    """Raise RefusedError where the plan would install anything that the lock does not say: other
    options, hooks, agents, or another hookpm's bridge."""
    change = next((each for each in plan.changes if each.path == LOCK), None)
    if change is None or change.new is None:
        return
    wanted = locks.loads(change.new.decode(), LOCK)
    for pack in wanted.packs:
        was = now.lock.pack(pack.name)
        if was is not None and was.entries != pack.entries:
            raise _not_the_lock(now, f"other hooks of {pack.name} are on than in the lock")
    known = {file.path: file.sha256 for file in now.lock.files}
    files = {file.path: file.sha256 for file in wanted.files}
    other = [path for path in {**known, **files} if known.get(path) != files.get(path)]
    if f"{FOLDER}/packs.json" in other:
        raise _not_the_lock(
            now, "the packs' options or agents, or the wired agents, are not those of the lock"
        )
    if other:
        raise _not_the_lock(
            now, f"{other[0]} would be another hookpm version's ({len(other)} such files)"
        )
    wired = {(each.agent, each.file, each.events) for each in now.lock.wirings}
    if wired != {(each.agent, each.file, each.events) for each in wanted.wirings}:
        raise _not_the_lock(now, "other agents or events are wired than in the lock")


def _place(pack: Resolved | LockedPack) -> str:
    return pack.source if pack.ref is None else f"{pack.source} at {pack.ref}"


def _not_the_lock(now: State, message: str) -> RefusedError:
    return RefusedError(
        message,
        hint="run `hookpm sync` without --locked, and commit the lock",
        file=now.root / LOCK,
    )
