"""Brings a project's profiles to hand: from the repo while they are the locked ones, else anew.

What a project without profiles needs nothing of is imported where it is used.
"""

from __future__ import annotations

import os
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from hookpm.errors import RefusedError, UsageError
from hookpm.project import places, state
from hookpm.project.root import LOCK

if TYPE_CHECKING:
    from hookpm.project.profiles.profileref import Reference
    from hookpm.project.profiles.profiles import Profile
    from hookpm.project.state import State
    from hookpm.resolve.lock import LockedProfile


class Moved(NamedTuple):
    """A profile that is another one than the lock pins; was: None where the lock has none."""

    profile: Profile
    was: LockedProfile | None

    def json(self) -> dict[str, str | None]:
        """The commits, or the hashes where it is not in git, before and now."""
        now, was = self.profile.lock_block(), self.was
        return {
            "source": now.source,
            "installed": None if was is None else was.commit or was.sha256,
            "latest": now.commit or now.sha256,
        }

    def __str__(self) -> str:
        reference, (_, commit, ref) = self.profile.reference, self.profile.opened
        if self.was is None:
            return f"the profile {reference.typed} is new"
        if commit is None or self.was.commit is None:
            return f"the profile {reference.typed} has changed"
        told = f"from {self.was.commit[:12]} to {commit[:12]}"
        if ref == self.was.ref and (ref or "").startswith("tag:"):
            return f"the tag {reference.name} of the profile {reference.source} was moved {told}"
        return f"the profile {reference.source} moves {told}"


def typed(text: str, root: Path, cwd: Path) -> Reference:
    """A profile as it is named on the command line, where a folder is relative to `cwd`.

    Raises UsageError for what is no profile's address.
    """
    from hookpm.project.profiles import profileref

    if ":" not in text:
        text = Path(os.path.relpath(places.named(text, cwd), root)).as_posix()
    try:
        return profileref.parse(text)
    except RefusedError as error:
        raise UsageError(error.message, cause=error.cause, hint=error.hint) from None


def opened(now: State, *, locked: bool = False, named: Sequence[Reference] = ()) -> State:
    """The project with all its profiles: those of folders as they are, others as the lock has them.

    What the lock does not pin is fetched; locked: that is refused. named: profiles that are not
    believed from the repo, nor is what they extend; the repo has to extend them, at what they name.
    Raises RefusedError, what `profiles.stack` raises, NotFoundError where a profile is not there.
    """
    found = now
    if named or not state.is_plain(now.own):
        from hookpm.project.profiles import profileopen, profiles

        fresh = profileopen.named_anew(now, named)
        stack = profileopen.stack(now, lambda asked: profileopen.read(now, asked, fresh, locked))
        for reference in named:
            profileopen.check_named(now, stack, reference)
        found = profiles.laid(now, stack, now.settings_text or "")
    if locked:
        _check_locked(found)
    return found


def not_locked(now: State, profile: str) -> RefusedError:
    """The error for a profile that is not what the lock has of it, where nothing else will do."""
    return RefusedError(
        f"the profile {profile} is not the one that the lock pins",
        hint="run `hookpm sync` without --locked, and commit the lock",
        file=now.root / LOCK,
    )


def _check_locked(now: State) -> None:
    """Raise RefusedError where the lock has other profiles."""
    for moved in changes(now):
        raise not_locked(now, moved.profile.reference.typed)
    wanted = {each.reference.source for each in now.stack.profiles} if now.stack else set()
    for pin in now.lock.profiles:
        if pin.source not in wanted:
            raise not_locked(now, pin.source)


def refresh(now: State) -> tuple[State, tuple[Moved, ...]]:
    """The project with its profiles as they are now, and those of them that the lock has otherwise.

    Raises as `opened` does.
    """
    if state.is_plain(now.own):
        return now, ()
    from hookpm.project.profiles import profileopen, profiles

    stack = profileopen.stack(
        now,
        lambda asked: profileopen.anew(now.root, asked.reference, beside=asked.beside),
    )
    fresh = profiles.laid(now, stack, now.settings_text or "")
    return fresh, changes(fresh)


def changes(now: State) -> tuple[Moved, ...]:
    """The profiles that the lock has otherwise, or not at all."""
    found = []
    for each in now.stack.profiles if now.stack else ():
        pin = now.lock.profile(each.reference.source)
        if pin != each.lock_block():
            found.append(Moved(each, pin))
    return tuple(found)
