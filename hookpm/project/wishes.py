"""What is wanted: from what was typed, and the lines of hookpm.toml, to exact packs."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from hookpm.errors import NotFoundError, RefusedError, UsageError
from hookpm.packs import names
from hookpm.project import settings, sources, state
from hookpm.project.root import SETTINGS
from hookpm.project.settings import PackLine
from hookpm.registry import embedded
from hookpm.resolve import requirement as requirements
from hookpm.resolve import resolver
from hookpm.resolve.requirement import NameRequirement, PathRequirement, Requirement
from hookpm.resolve.world import Given, Wanted

if TYPE_CHECKING:
    from hookpm.project.state import State
    from hookpm.resolve.resolver import Resolved


def parse_requirements(texts: Sequence[str]) -> list[Requirement]:
    """What was typed, as values. Raises UsageError; also for one pack asked for twice."""
    parsed = [requirements.parse(text) for text in texts]
    named = [each.name for each in parsed if isinstance(each, NameRequirement)]
    twice = next((name for name in named if named.count(name) > 1), None)
    if twice is not None:
        raise UsageError(f"{twice} is asked for twice", hint="name each pack once")
    return parsed


def placed(asked: Requirement, root: Path, cwd: Path) -> Requirement:
    """A path as hookpm.toml writes it: relative to the project root."""
    if isinstance(asked, NameRequirement):
        return asked
    folder = (cwd / Path(asked.path).expanduser()).resolve()
    return PathRequirement(Path(os.path.relpath(folder, root)).as_posix())


def pack_name(now: State, asked: PathRequirement) -> str:
    """The name of the pack in a folder. Raises what reading its manifest raises."""
    from hookpm.packs import manifest

    return manifest.load(now.root / asked.path).name


def check_registry(now: State, registry: str, asked: Sequence[Requirement]) -> None:
    """Raise where the packs that are asked for cannot come from this registry."""
    if not all(isinstance(each, NameRequirement) for each in asked):
        raise UsageError(
            "--registry is for packs by name", hint="a folder's pack comes from its folder"
        )
    if registry not in (embedded.SOURCE, *now.settings.registries):
        raise NotFoundError(
            f"there is no registry {registry} in {SETTINGS}",
            hint=f'name its address there: [registries] {registry} = "https://..."'
            if names.name_problem(registry) is None
            else 'name it there, [registries] NAME = "https://...", and say --registry NAME',
        )


def lines(
    now: State, asked: Sequence[Requirement], registry: str | None = None
) -> dict[str, PackLine]:
    """The lines that are wanted afterwards, by name; a path's name is in its manifest.

    registry: the one that packs by name have to come from.
    """
    found = wanted(now)
    changed: dict[str, str | PackLine] = {}
    for each in asked:
        if isinstance(each, PathRequirement):
            name = pack_name(now, each)
            kept = found.get(name, PackLine())
            found[name] = _with_source(kept, path=each.path)
            changed[name] = _with_source(PackLine(), path=each.path)
        elif str(each.specifier) or registry or each.name not in found:
            kept = found.get(each.name, PackLine())
            version = str(each.specifier) or _kept_version(kept, registry) or "*"
            source = {"version": version, "registry": registry or kept.registry}
            found[each.name] = _with_source(kept, **source)
            changed[each.name] = _with_source(PackLine(), **source)
    if now.merged is None:
        return found
    # What comes of a line of the repo's own is up to the profiles too.
    text = settings.edited(now.settings_text, put=changed).text
    return wanted(state.refuse_broken(state.edited(now, text)))


def wanted(now: State) -> dict[str, PackLine]:
    """Every line that is wanted now, by name."""
    return {name: now.settings.line(name) for name in now.settings.packs}


def _with_source(line: PackLine, **source: str | None) -> PackLine:
    """A line with another source; what else it says stays."""
    import msgspec

    fields: dict[str, Any] = {"version": None, "path": None, "registry": None, **source}
    return msgspec.structs.replace(line, **fields)


def new_lines(
    now: State,
    asked: Sequence[Requirement],
    resolved: Sequence[Resolved],
    registry: str | None = None,
) -> dict[str, str | PackLine]:
    """The lines to write: the versions as asked for, else "compatible with what was found".

    A new line names the registry that the pack came from: the same name may turn up in another one.
    """
    put: dict[str, str | PackLine] = {}
    for each in asked:
        if isinstance(each, PathRequirement):
            name = next(r.name for r in resolved if _is_path(r, each.path))
            put[name] = PackLine(path=each.path)
        else:
            found = next(r for r in resolved if r.name == each.name)
            line = _named_line(now, each, found, registry)
            if line is not None:
                put[each.name] = line
    return put


def _named_line(
    now: State, asked: NameRequirement, found: Resolved, registry: str | None
) -> str | PackLine | None:
    """The line of a pack by name; None where it stays as it is."""
    from packaging.version import Version

    present = asked.name in now.settings.packs
    if present and not str(asked.specifier) and registry is None:
        return None
    kept = now.settings.line(asked.name) if present else PackLine()
    release = Version(found.version)
    version = str(asked.specifier) or _kept_version(kept, registry)
    version = version or f"~={release.major}.{release.minor}"
    if not present and found.source in now.settings.registries:
        registry = registry or found.source
    registry = registry or kept.registry
    return version if registry is None else PackLine(version=version, registry=registry)


def _kept_version(line: PackLine, registry: str | None) -> str | None:
    """The versions of a line; those of another registry say nothing about this one's."""
    return line.version if registry in (None, line.registry) else None


def _is_path(resolved: Resolved, path: str) -> bool:
    return resolved.source == sources.path_source(path)


def resolve(now: State, wishes: Mapping[str, PackLine]) -> list[Resolved]:
    """The exact packs for these lines, dependencies included. Raises as resolver.resolve does."""
    asked = [
        Wanted(_requirement(now, name, line), _who(now, name), line.registry)
        for name, line in wishes.items()
    ]
    found = resolver.resolve(
        asked,
        sources.registries(now.settings, now.root),
        locked=now.lock.pins(),
        in_repo=sources.in_repo(now),
    )
    for name, line in wishes.items():
        if line.path is not None and not any(r.name == name for r in found):
            raise RefusedError(
                f"packs.{name}: the folder {line.path} holds another pack",
                file=now.said(("packs", name))[1],
            )
    return found


def _who(now: State, name: str) -> str:
    """Who wants a pack: the file that its line stands in."""
    profile = now.profile_of(name)
    return "hookpm.toml" if profile is None else f"the profile {profile}"


def _requirement(now: State, name: str, line: PackLine) -> NameRequirement | Given:
    """A pack's line as the resolver takes it: folders are read here."""
    if line.path is None:
        return NameRequirement(name, requirements.specifier(line.version or "*"))
    kept = _kept(now, name, line)
    return kept if kept is not None else sources.folder(line.path, now.root)


def _kept(now: State, name: str, line: PackLine) -> Given | None:
    """A pack from a folder that is not on this machine, as it lies in the repo.

    A clone without the folder beside it can still be changed.
    """
    pack = now.lock.pack(name)
    if line.path is None or pack is None or (now.root / line.path).exists():
        return None
    source = sources.path_source(line.path)
    content = sources.vendored(now, pack) if pack.source == source else None
    return None if content is None else Given(content, source)


def absent(now: State, wishes: Mapping[str, PackLine]) -> list[str]:
    """Packs whose own folder is not on this machine, and which stay as they were installed."""
    return [name for name, line in wishes.items() if _kept(now, name, line) is not None]
