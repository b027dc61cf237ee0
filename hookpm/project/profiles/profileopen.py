"""A profile from where it is: the repo's own copy while it is the locked one, else anew."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from hookpm.errors import NotFoundError, RefusedError, SystemFailureError
from hookpm.project.generated import digest
from hookpm.project.places import special, words
from hookpm.project.profiles import profiles
from hookpm.project.profiles.profile import Moved, not_locked
from hookpm.project.profiles.profiles import Asked, Opened
from hookpm.project.root import LOCK, SETTINGS
from hookpm.project.settings import Settings

if TYPE_CHECKING:
    from hookpm.project.profiles.profileref import Reference
    from hookpm.project.profiles.profiles import Reader
    from hookpm.project.state import State
    from hookpm.resolve.lock import LockedProfile


def stack(now: State, read: Reader) -> profiles.Stack:
    """The profiles of a project, as this reader has them."""
    return profiles.stack(now.own, now.settings_text or "", now.root / SETTINGS, read)


def named_anew(now: State, named: Sequence[Reference]) -> dict[str, Opened]:
    """Source -> text of the named profiles and of all that they extend, none of it from the repo.

    In git a profile is at the tag or commit that it is named with; one that is named by a branch of
    another profile, or by its address alone, is at the commit that the lock pins.
    """
    if not named:
        return {}
    held = profiles.held(now)
    for reference in named if not held.absent else ():
        if all(each.reference.source != reference.source for each in held.profiles):
            raise _not_extended(now, held, reference)

    def read(asked: Asked) -> Opened:
        pin = profiles.pinned(now, asked)
        moves = pin is not None and (pin.ref or "").startswith(("branch:", "head"))
        if asked.reference.name and not (asked.above and moves):
            pin = None
        return anew(now.root, asked.reference, pin=pin, beside=asked.beside)

    wanted = Settings(extends=tuple(each.typed for each in named))
    found = profiles.stack(wanted, "", "--profile", read).profiles
    return {each.reference.source: each.opened for each in found}


def read(now: State, asked: Asked, fresh: Mapping[str, Opened], locked: bool) -> Opened:
    """A profile as `profile.opened` takes it. fresh: what was read anew already, by source."""
    reference, pin = asked.reference, profiles.pinned(now, asked)
    if (new := fresh.get(reference.source)) is not None:
        same = pin is not None and pin.commit == new.commit  # the locked commit, by another name
        return new._replace(ref=pin.ref) if pin is not None and same else new
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
        raise _not_extended(now, stack, named)
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


def _not_extended(now: State, stack: profiles.Stack, named: Reference) -> RefusedError:
    return RefusedError(
        f"this repo does not extend the profile {named.typed}",
        cause="it extends " + (", ".join(p.reference.typed for p in stack.profiles) or "none"),
        hint=f'add it to {SETTINGS}: extends = ["{named.typed}"], then run `hookpm sync`',
        file=now.root / SETTINGS,
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
