"""`--registry NAME[=ADDRESS]`: which registry the packs of an install come from."""

from __future__ import annotations

import os
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from hookpm.errors import NotFoundError, RefusedError, UsageError
from hookpm.packs import names
from hookpm.project import places
from hookpm.project.root import SETTINGS
from hookpm.registry import address
from hookpm.registry.embedded import SOURCE as EMBEDDED
from hookpm.resolve.requirement import NameRequirement, PathRequirement, Requirement

if TYPE_CHECKING:
    from hookpm.project.state import State


class Chosen(NamedTuple):
    """A registry. address: as typed, for one that hookpm.toml does not name yet."""

    name: str
    address: str | None = None


def parse(text: str) -> Chosen:
    """What was typed behind --registry. Raises UsageError; an address is not repeated."""
    name, given, where = text.partition("=")
    if names.name_problem(name) is not None or (given and not where):
        raise UsageError(
            "--registry wants a name, or a name and an address",
            cause="a name has lowercase letters, digits and single hyphens, a letter first",
            hint="--registry acme for one in hookpm.toml, acme=https://... for a new one",
        )
    if not given:
        return Chosen(name)
    if name == EMBEDDED:
        raise UsageError(f"{name} is the registry that comes with hookpm: it has no address")
    wrong = address.problem(where, base=True) if "://" in where else None
    if wrong is not None:
        raise UsageError(f"the address of {name} will not do: {wrong.what}", hint=wrong.hint)
    return Chosen(name, where)


def added(
    now: State, chosen: Chosen | None, asked: Sequence[Requirement], cwd: Path
) -> dict[str, str]:
    """The registry as hookpm.toml will name it, where it is a new one: name -> address.

    cwd: what the folder of a registry is relative to, as typed. Raises UsageError for packs that
    come from no registry, NotFoundError and RefusedError where the name is not that of this one.
    """
    known = now.settings.registries
    if chosen is None:
        _refuse_slash(now, asked)
        return {}
    if not all(isinstance(each, NameRequirement) for each in asked):
        raise UsageError(
            "--registry is for packs by name",
            hint="the pack of a folder or a git repository comes from there",
        )
    name, where = chosen
    if where is None:
        if name not in (EMBEDDED, *known):
            raise NotFoundError(
                f"there is no registry {name} in {SETTINGS}",
                hint=f"--registry {name}=https://... names it there",
            )
        return {}
    if "://" not in where:
        folder = places.typed(where, cwd)
        where = Path(os.path.relpath(folder, now.root)).as_posix()
    if name not in known:
        return {name: where}
    if known[name].rstrip("/") != where.rstrip("/"):
        raise RefusedError(
            f"the registry {name} is at {known[name]}",
            hint="take another name, or change the address in hookpm.toml",
            file=now.root / SETTINGS,
        )
    return {}


def _refuse_slash(now: State, asked: Sequence[Requirement]) -> None:
    """Raise UsageError for `acme/guard` where acme is a registry, and no such folder is there."""
    for each in asked:
        if isinstance(each, PathRequirement) and not (now.root / each.path).exists():
            registry, pack = Path(each.path).parts[-2:] if "/" in each.path else ("", "")
            if registry in now.settings.registries:
                raise UsageError(
                    f"there is no folder {registry}/{pack} here",
                    hint=f"hookpm install {pack} --registry {registry}",
                )
