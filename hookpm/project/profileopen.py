"""A profile from where it is: the repo's own copy while it is the locked one, else anew."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING

from hookpm.errors import NotFoundError, RefusedError, SystemFailureError
from hookpm.project import profiles
from hookpm.project.generated import digest
from hookpm.project.places import special, words
from hookpm.project.profile import Moved, not_locked
from hookpm.project.profiles import Asked, Opened
from hookpm.project.root import LOCK, SETTINGS

if TYPE_CHECKING:
    from hookpm.project.profileref import Reference
    from hookpm.project.profiles import Reader
    from hookpm.project.state import State
    from hookpm.resolve.lock import LockedProfile


def stack(now: State, read: Reader) -> profiles.Stack:
    """The profiles of a project, as this reader has them."""
    return profiles.stack(now.own, now.settings_text or "", now.root / SETTINGS, read)


def read(now: State, asked: Asked, named: Mapping[str, Reference], locked: bool) -> Opened:
    """A profile as `profile.opened` takes it. named: by source."""
    reference, pin = asked.reference, profiles.pinned(now, asked)
    if (other := named.get(reference.source)) is not None:
        found = anew(now.root, other, pin=None if other.name else pin)
        if pin is not None and pin.commit == found.commit:
            return found._replace(ref=pin.ref)  # the locked commit, by another name
        return found
    if any(each.source in named for each in asked.above):
        return anew(now.root, reference, pin=pin, beside=asked.beside)
    if reference.kind in ("path", "file") and (here := _on_disk(now.root, reference)) is not None:
        return here
    if (kept := profiles.in_repo(now, asked)) is not None:
        return kept
    if pin is None:
        if locked:
            raise not_locked(now, reference.typed)
        return anew(now.root, reference, beside=asked.beside)
    path = profiles.vendored_path(reference.source)
    try:
        found = anew(now.root, reference, pin=pin)
    except (NotFoundError, SystemFailureError) as error:
        raise SystemFailureError(
            f"the copy of the profile {reference.typed} was changed or is gone, and the locked one "
            "cannot be had",
            cause=error.message,
            hint=f"restore {path} from git",
            file=now.root / path,
        ) from None
    if digest(found.data) != pin.sha256:
        raise RefusedError(
            f"the profile {reference.typed} is no longer what the lock pins, and its copy in the "
            "repo was changed or is gone",
            hint=f"restore {path} from git, or `hookpm update --profiles` takes the new one",
            file=now.root / path,
        )
    return found


def check_named(now: State, stack: profiles.Stack, named: Reference) -> None:
    """Raise RefusedError unless the repo extends a profile, at the commit that is named."""
    found = next((p for p in stack.profiles if p.reference.source == named.source), None)
    if found is None:
        raise RefusedError(
            f"this repo does not extend the profile {named.typed}",
            cause="it extends " + (", ".join(p.reference.typed for p in stack.profiles) or "none"),
            hint=f'add it to {SETTINGS}: extends = ["{named.typed}"], then run `hookpm sync`',
            file=now.root / SETTINGS,
        )
    pin = now.lock.profile(named.source)
    if pin is None or not found.reference.names(pin.ref):
        raise RefusedError(
            f"{SETTINGS} extends {found.reference.typed}, which the lock does not pin",
            hint="run `hookpm sync`, and commit what it changes",
            file=now.root / LOCK,
        )
    if pin.commit != found.opened.commit:
        raise RefusedError(
            f"{named.typed} is commit {found.opened.commit}, but the lock pins {pin.commit}",
            cause=str(Moved(found, pin)) if pin.ref == found.opened.ref else None,
            hint="`hookpm update --profiles` takes what the profile is now",
            file=now.root / LOCK,
        )


def _on_disk(root: Path, reference: Reference) -> Opened | None:
    """The profile in a folder or a file; None where there is none on this machine."""
    file = root / reference.where
    if (what := special(file)) is not None:  # opening a pipe would wait for a writer
        raise SystemFailureError(f"the profile {reference.typed} is {what}", file=reference.place)
    try:
        with file.open("rb") as stream:
            return Opened(stream.read(profiles.LIMIT + 1))
    except (FileNotFoundError, NotADirectoryError):
        return None
    except OSError as error:
        raise SystemFailureError(
            f"cannot read the profile {reference.typed}", cause=words(error), file=reference.place
        ) from None


def anew(
    root: Path,
    reference: Reference,
    *,
    pin: LockedProfile | None = None,
    beside: Opened | None = None,
) -> Opened:
    """A profile from where it is; pin: the version that is meant; beside: one of its commit.

    Raises NotFoundError, SystemFailureError, and what fetching raises.
    """
    if reference.kind == "git":
        return _from_git(reference, pin, beside)
    if reference.kind == "web":
        from hookpm.project import network

        return Opened(network.fetcher().get(reference.where, limit=profiles.LIMIT))
    found = _on_disk(root, reference)
    if found is None:
        raise NotFoundError(f"there is no profile at {reference.place}")
    return found


def _from_git(reference: Reference, pin: LockedProfile | None, beside: Opened | None) -> Opened:
    from hookpm.project import network
    from hookpm.registry import git

    offline = network.is_offline()
    known = pin or beside
    ref = known.ref if known is not None else None
    if ref is None:
        ref = git.find_ref(reference.where, reference.name, offline=offline)
    wanted = known.commit if known is not None else None
    commit, data = git.read_file(
        reference.where, ref, reference.inner, commit=wanted, offline=offline
    )
    return Opened(data, commit, ref)
