"""`sync --locked`: what is wanted has to be just what the lock says, to the byte."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from hookpm.errors import RefusedError
from hookpm.project import gitline
from hookpm.project.generated import digest
from hookpm.project.root import LOCK, SETTINGS

if TYPE_CHECKING:
    from hookpm.project.state import State
    from hookpm.resolve.lock import LockedPack
    from hookpm.resolve.resolver import Resolved


def check_all_wanted(now: State) -> None:
    """Raise RefusedError for what needs no asking: hookpm.toml wants no packs, and the lock has
    some; or a line wants something else from git than the lock has."""
    if now.lock.packs and not now.settings.packs:
        raise _not_the_lock(now, f"{SETTINGS} wants no packs, but the lock has some")
    for name in now.settings.packs:
        line, pack = now.settings.line(name), now.lock.pack(name)
        if line.git is None or pack is None:
            continue
        source, ref = gitline.source(line), gitline.ref(line)
        if (pack.source, pack.ref) != (source, ref):
            raise _not_the_lock(
                now, f"{name} is wanted from {source} at {ref}, but the lock has {_place(pack)}"
            )


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
        if locked.url != now.settings.registries.get(found.source):
            raise _not_the_lock(
                now,
                f"the registry {found.source} is at {now.settings.registries.get(found.source)}, "
                f"but {found.name} was locked from {locked.url}",
            )
        files = {path: digest(entry.data) for path, entry in found.content.files.items()}
        if locked.files != files:
            raise _not_the_lock(
                now, f"the files of {found.name} {found.version} are not those of the lock"
            )


def _place(pack: Resolved | LockedPack) -> str:
    return pack.source if pack.ref is None else f"{pack.source} at {pack.ref}"


def _not_the_lock(now: State, message: str) -> RefusedError:
    return RefusedError(
        message,
        hint="run `hookpm sync` without --locked, and commit the lock",
        file=now.root / LOCK,
    )
