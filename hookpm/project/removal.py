"""Whether a pack can be taken out of a project: it has to be the repo's own, and nobody's need."""

from __future__ import annotations

from typing import TYPE_CHECKING

from hookpm.errors import NotFoundError, RefusedError
from hookpm.project import graph, installed
from hookpm.project.root import SETTINGS

if TYPE_CHECKING:
    from hookpm.project.state import State


def check(now: State, name: str) -> None:
    """Raise where a pack cannot be uninstalled: NotFoundError if it is not there, RefusedError if a
    profile brings it, or a pack needs it."""
    if name in now.own.packs:
        return
    if name in now.settings.packs:
        raise _brought(now, name)
    locked = [pack.name for pack in now.lock.packs]
    if name in locked and now.settings_text is None:
        raise NotFoundError(
            f"{SETTINGS} is gone, though the lock says that {name} is installed",
            hint=f"restore it from git, or `hookpm install {name}` makes a new one",
            file=now.root / SETTINGS,
        )
    if name in locked:
        needed_by = " and ".join(graph.of(now).dependents(name)) or "nobody"
        raise RefusedError(
            f"{name} is not in {SETTINGS}: it is here because {needed_by} needs it",
            hint="`hookpm sync` takes it out"
            if needed_by == "nobody"
            else f"uninstall {needed_by}, and it goes too; `hookpm why {name}` shows the way to it",
        )
    installed.check(name, now.settings.packs)


def check_gone(left: State, name: str) -> None:
    """Raise RefusedError where a pack stays though its line in hookpm.toml goes."""
    if name in left.settings.packs:
        raise _brought(left, name)


def _brought(now: State, name: str) -> RefusedError:
    """A pack that a profile brings cannot be uninstalled in the repo."""
    assert now.merged is not None
    place = now.merged.origin(("packs", name))
    verb = "requires" if now.settings.line(name).required else "brings"
    return RefusedError(
        f"{name} cannot be uninstalled here: the profile {place.source} {verb} it",
        hint=f"take it out of the profile, or the profile out of `extends` in {SETTINGS}",
        file=place.file,
        line=place.line,
    )
