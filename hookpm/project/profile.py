"""Brings a project's profiles to hand: from the repo while they are the locked ones, else anew."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from hookpm.errors import NotFoundError, RefusedError, SystemFailureError
from hookpm.project import profiles, state
from hookpm.project.places import words
from hookpm.project.profiles import Opened, Profile
from hookpm.project.root import LOCK, SETTINGS

if TYPE_CHECKING:
    from pathlib import Path

    from hookpm.project.profileref import Reference
    from hookpm.project.profiles import Reader
    from hookpm.project.state import State
    from hookpm.resolve.lock import LockedProfile


class Moved(NamedTuple):
    """A profile that is another one than the lock pins; was: None where the lock has none."""

    profile: Profile
    was: LockedProfile | None


def opened(now: State, *, locked: bool = False) -> State:
    """The project with all its profiles: those of folders as they are, others as the lock has them.

    What the lock does not pin is fetched; locked: that is refused. Raises RefusedError, what
    `profiles.stack` raises, NotFoundError where a profile is not there.
    """
    if state.is_plain(now.own):
        return now
    found = profiles.laid(now, _stack(now, _reader(now, locked)), now.settings_text or "")
    if locked and (moved := changes(found)):
        raise _not_locked(now, moved[0].profile.reference)
    return found


def refresh(now: State) -> tuple[State, tuple[Moved, ...]]:
    """The project with its profiles as they are now, and those of them that the lock has otherwise.

    Raises as `opened` does.
    """
    if state.is_plain(now.own):
        return now, ()
    found = _stack(now, lambda reference, _: anew(now.root, reference))
    fresh = profiles.laid(now, found, now.settings_text or "")
    return fresh, changes(fresh)


def changes(now: State) -> tuple[Moved, ...]:
    """The profiles that the lock has otherwise, or not at all."""
    found = []
    for each in now.stack.profiles if now.stack else ():
        pin = now.lock.profile(each.reference.source)
        told = (each.reference.ref, each.opened.commit, each.sha256)
        if pin is None or (pin.ref, pin.commit, pin.sha256) != told:
            found.append(Moved(each, pin))
    return tuple(found)


def anew(root: Path, reference: Reference) -> Opened:
    """A profile from where it is. Raises NotFoundError, SystemFailureError."""
    found = _on_disk(root, reference)
    if found is None:
        raise NotFoundError(f"there is no profile at {reference.place}")
    return found


def _stack(now: State, read: Reader) -> profiles.Stack:
    return profiles.stack(now.own, now.settings_text or "", now.root / SETTINGS, read)


def _reader(now: State, locked: bool) -> Reader:
    def read(reference: Reference, commit: str | None) -> Opened | None:
        if not reference.is_remote and (found := _on_disk(now.root, reference)) is not None:
            return found
        if (kept := profiles.pinned(now, reference, commit)) is not None:
            return kept
        if locked:
            raise _not_locked(now, reference)
        return anew(now.root, reference)

    return read


def _on_disk(root: Path, reference: Reference) -> Opened | None:
    """The profile in a folder or a file; None where there is none on this machine."""
    try:
        with (root / reference.where).open("rb") as file:
            return Opened(file.read(profiles.LIMIT + 1))
    except (FileNotFoundError, NotADirectoryError):
        return None
    except OSError as error:
        raise SystemFailureError(
            f"cannot read the profile {reference.typed}", cause=words(error), file=reference.place
        ) from None


def _not_locked(now: State, reference: Reference) -> RefusedError:
    return RefusedError(
        f"the profile {reference.typed} is not the one that the lock pins",
        hint="run `hookpm sync` without --locked, and commit the lock",
        file=now.root / LOCK,
    )
