"""What is wanted: from what was typed, and the lines of hookpm.toml, to exact packs."""

from __future__ import annotations

import os
from collections.abc import Callable, Collection, Mapping, Sequence
from contextvars import copy_context
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from hookpm.errors import RefusedError, UsageError
from hookpm.packs import content
from hookpm.project import gitline, lockcheck, places, settings, sources, state
from hookpm.project.settings import PackLine
from hookpm.registry import gitaddress
from hookpm.registry.parallel import side_by_side
from hookpm.resolve import requirement as requirements
from hookpm.resolve import resolver
from hookpm.resolve.requirement import (
    GitRequirement,
    NameRequirement,
    PathRequirement,
    Requirement,
)
from hookpm.resolve.world import Given, Pin, Wanted

if TYPE_CHECKING:
    from hookpm.project.state import State
    from hookpm.resolve.resolver import Resolved
    from hookpm.resolve.world import Candidate


def parse_requirements(texts: Sequence[str]) -> list[Requirement]:
    """What was typed, as values. Raises UsageError; also for one pack asked for twice."""
    parsed = [requirements.parse(text) for text in texts]
    named = [each.name for each in parsed if isinstance(each, NameRequirement)]
    twice = next((name for name in named if named.count(name) > 1), None)
    if twice is not None:
        raise UsageError(f"{twice} is asked for twice", hint="name each pack once")
    return parsed


def placed(asked: Requirement, root: Path, cwd: Path) -> Requirement:
    """What was typed as hookpm.toml writes it: a path relative to the project root; of a git
    repository what was found out about it. Raises what sources.found_out raises."""
    if isinstance(asked, NameRequirement):
        return asked
    if isinstance(asked, GitRequirement):
        return sources.found_out(asked)
    folder = places.typed(asked.path, cwd)
    return PathRequirement(Path(os.path.relpath(folder, root)).as_posix())


def pack_name(now: State, asked: Requirement) -> str:
    """The pack's name: as typed, or as it stands in the folder or repository.

    Raises what reading the pack raises.
    """
    if isinstance(asked, NameRequirement):
        return asked.name
    if isinstance(asked, GitRequirement):
        given = sources.git(asked.url, asked.ref, asked.subfolder, asked.commit)
        return given.content.manifest.name
    return content.read(now.root / asked.path).manifest.name


def source_line(asked: Requirement) -> PackLine:
    """The line of a pack that comes from there, and nothing more."""
    if isinstance(asked, PathRequirement):
        return PackLine(path=asked.path)
    if isinstance(asked, GitRequirement):
        return PackLine(**gitline.fields(asked))
    return PackLine(version=str(asked.specifier) or "*")


def lines(
    now: State, asked: Sequence[Requirement], registry: str | None = None
) -> dict[str, PackLine]:
    """The lines that are wanted afterwards, by name; a path's name is in its manifest.

    registry: the one that packs by name have to come from.
    """
    found = wanted(now)
    changed: dict[str, str | PackLine] = {}
    for each in asked:
        name = pack_name(now, each)
        kept = found.get(name, PackLine())
        if not isinstance(each, NameRequirement):
            source = source_line(each)
        elif str(each.specifier) or registry or name not in found:
            version = str(each.specifier) or _kept_version(kept, registry) or "*"
            source = PackLine(version=version, registry=registry or kept.registry)
        else:
            continue
        changed[name] = source
        found[name] = settings.with_source(kept, source)
    if now.merged is None:
        return found
    # What comes of a line of the repo's own is up to the profiles too.
    known = now.merged.settings.registries
    new = {name: url for name, url in now.settings.registries.items() if name not in known}
    text = settings.edited(now.settings_text, put=changed, registries=new).text
    return wanted(state.refuse_broken(state.edited(now, text)))


def wanted(now: State) -> dict[str, PackLine]:
    """Every line that is wanted now, by name."""
    return {name: now.settings.line(name) for name in now.settings.packs}


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
        if not isinstance(each, NameRequirement):
            source = _source(source_line(each))
            put[next(r.name for r in resolved if r.source == source)] = source_line(each)
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


def _source(line: PackLine) -> str | None:
    """How the lock names where a line's pack comes from; None for a registry."""
    if line.git is not None:
        return gitline.source(line)
    return None if line.path is None else sources.path_source(line.path)


def resolve(
    now: State,
    wishes: Mapping[str, PackLine],
    asked: Sequence[Requirement] = (),
    moving: Collection[str] = (),
) -> list[Resolved]:
    """The exact packs for these lines, dependencies included. asked: what was found out just now,
    and need not be asked again; moving: packs whose locked version does not count any more.

    Raises as resolver.resolve does.
    """
    in_repo = {n: each for n, each in sources.in_repo(now).items() if n not in moving}
    for name in [n for n in in_repo if lockcheck.moved_registry(now, n)]:
        del in_repo[name]  # the lock knows it from another address, so this one has to be asked
    return resolver.resolve(
        _wants(now, wishes, asked, moving),
        sources.registries(now.settings, now.root),
        locked=pins(now, moving),
        in_repo=in_repo,
    )


def _check_name(now: State, name: str, line: PackLine, given: Given) -> None:
    """Raise RefusedError where a folder or repository holds a pack of another name."""
    got = given.content.manifest.name
    if got != name:
        where = f"the folder {line.path}" if line.path is not None else given.source
        raise RefusedError(
            f"packs.{name}: {where} holds another pack, {got}", file=now.said(("packs", name))[1]
        )


def solve(
    now: State, wishes: Mapping[str, PackLine], moving: Collection[str] = ()
) -> dict[str, Candidate]:
    """As `resolve`, but only which versions: no archive is fetched."""
    registries = sources.registries(now.settings, now.root)
    return resolver.solve(_wants(now, wishes, (), moving), registries, locked=pins(now, moving))


def pins(now: State, moving: Collection[str] = ()) -> dict[str, Pin]:
    """What the lock pins; of packs that are moving only the source, and what was locked."""
    return {name: pin._replace(moves=name in moving) for name, pin in now.lock.pins().items()}


def _wants(
    now: State,
    wishes: Mapping[str, PackLine],
    asked: Sequence[Requirement],
    moving: Collection[str],
) -> list[Wanted]:
    """The lines as the resolver takes them; what is moving in git is not held at its commit."""
    import msgspec

    kept = tuple(p for p in now.lock.packs if not (p.name in moving and p.commit))
    now = now._replace(lock=msgspec.structs.replace(now.lock, packs=kept))
    jobs = [partial(_requirement, now, name, line, asked) for name, line in wishes.items()]
    asking = sum(line.git is not None and not _is_held(now, n, line) for n, line in wishes.items())
    found = [job() for job in jobs] if asking < 2 else side_by_side([*map(_as_here, jobs)])
    wants = [
        Wanted(requirement, _who(now, name), line.registry)
        for (name, line), requirement in zip(wishes.items(), found, strict=True)
    ]
    for (name, line), want in zip(wishes.items(), wants, strict=True):
        if isinstance(want.requirement, Given):
            _check_name(now, name, line, want.requirement)
    return wants


def _as_here(job: Callable[[], NameRequirement | Given]) -> Callable[[], NameRequirement | Given]:
    """A job that knows in another thread how this run may use the network."""
    return partial(copy_context().run, job)


def _who(now: State, name: str) -> str:
    """Who wants a pack: the file that its line stands in."""
    profile = now.profile_of(name)
    return "hookpm.toml" if profile is None else f"the profile {profile}"


def _requirement(
    now: State, name: str, line: PackLine, asked: Sequence[Requirement]
) -> NameRequirement | Given:
    """A pack's line as the resolver takes it: folders and repositories are read here."""
    if line.git is not None:
        return _from_git(now, name, line, asked)
    if line.path is None:
        return NameRequirement(name, requirements.specifier(line.version or "*"))
    kept = _kept(now, name, line)
    return kept if kept is not None else sources.folder(line.path, now.root)


def _from_git(now: State, name: str, line: PackLine, asked: Sequence[Requirement]) -> Given:
    """A pack from git, at the locked commit while the line asks for the same.

    What is locked lies in the repo, and is taken from there: it needs neither git nor a network.
    """
    source, ref = gitline.source(line), gitline.ref(line)
    url, subfolder = gitaddress.checked(line.git or ""), line.subfolder or ""
    for each in asked:
        if isinstance(each, GitRequirement) and (each.url, each.subfolder, each.ref) == (
            url,
            subfolder,
            ref,
        ):
            return sources.git(url, ref, subfolder, each.commit)
    pack = now.lock.pack(name)
    if pack is None or not _is_held(now, name, line):
        return sources.git(url, ref, subfolder)
    held = sources.vendored(now, pack)
    if held is not None:
        return Given(held, source, pack.commit, ref)
    return sources.git(url, ref, subfolder, pack.commit)


def _is_held(now: State, name: str, line: PackLine) -> bool:
    """Does a line still ask for what the lock has from git?"""
    pack = now.lock.pack(name)
    asked = (gitline.source(line), gitline.ref(line))
    return pack is not None and (pack.source, pack.ref) == asked


def _kept(now: State, name: str, line: PackLine) -> Given | None:
    """A pack from a folder that is not on this machine, as it lies in the repo.

    A clone without the folder beside it can still be changed.
    """
    pack = now.lock.pack(name)
    if line.path is None or pack is None or places.is_there(line.path, now.root):
        return None
    source = sources.path_source(line.path)
    held = sources.vendored(now, pack) if pack.source == source else None
    return None if held is None else Given(held, source)


def absent(now: State, wishes: Mapping[str, PackLine]) -> list[str]:
    """Packs whose own folder is not on this machine, and which stay as they were installed."""
    return [name for name, line in wishes.items() if _kept(now, name, line) is not None]
