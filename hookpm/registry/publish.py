"""Adding packs to a registry in a folder: append-only, and the same bytes for everybody.

`python -m hookpm.registry.publish packs/* --to registry-index [--check]`
"""

from __future__ import annotations

import hashlib
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import TextIO

import msgspec
from msgspec import UNSET
from packaging.version import Version

from hookpm.errors import HookpmError, NotFoundError, RefusedError
from hookpm.packs import archive, cases, content, pluginfiles
from hookpm.packs import manifest as manifests
from hookpm.packs.content import Content
from hookpm.registry.index import (
    FORMAT,
    INDEX,
    FolderRegistry,
    HookLine,
    Index,
    Listing,
    PackPage,
    Release,
    encode,
    page_path,
)
from hookpm.registry.writing import Plan, apply, changed, left_behind, locked, unfinished

__all__ = ["Plan", "apply", "latest", "main", "plan", "problems", "publish", "yank"]


def publish(packs: Sequence[Path], index: Path) -> Plan:
    """Add these pack folders to the registry `index`; returns what was written.

    One run at a time, and a run that is killed leaves a registry that is whole: its next run
    completes what is missing. Raises what plan and apply raise.
    """
    if not index.exists():
        plan(packs, index)  # a pack that cannot be published starts no registry
    with locked(index):
        planned = plan(packs, index)
        apply(planned, index)
    return planned


def yank(name: str, version: str, index: Path, *, undo: bool = False, reason: str = "") -> Plan:
    """Withdraw a version, or take that back; returns what was written. No file of it goes.

    Raises NotFoundError where there is no such registry, pack or version.
    """
    registry = FolderRegistry(index, str(index))
    registry.names()  # refuses what is no registry
    with locked(index):
        page = registry.written(name)
        if page is None:
            raise NotFoundError(
                f"{index} has no pack {name}",
                hint=f"it has {', '.join(registry.names()[:20]) or 'none'}",
            )
        old = next((r for r in page.versions if Version(r.version) == Version(version)), None)
        if old is None:
            there = ", ".join(release.version for release in page.versions)
            raise NotFoundError(f"{index} has no {name} {version}", hint=f"it has {there}")
        why = reason or (msgspec.UNSET if undo or not old.yanked else old.yanked_reason)
        new = msgspec.structs.replace(old, yanked=not undo, yanked_reason=why)
        versions = tuple(new if release is old else release for release in page.versions)
        pages = {name: msgspec.structs.replace(page, versions=versions)}
        planned = _planned(registry, index, pages, {}, ())
        apply(planned, index)
    return planned


def plan(packs: Sequence[Path], index: Path) -> Plan:
    """What is missing in the registry `index` for it to hold these pack folders. Writes nothing.

    Raises FileFormatError (a pack or the registry is wrong), RefusedError (this version was
    published with other bytes), NotFoundError (no pack there).
    """
    registry = FolderRegistry(index, str(index))
    files: dict[str, bytes] = {}
    added: list[str] = []
    pages: dict[str, PackPage] = {}
    for folder in packs:
        found = content.read(folder)
        cases.of(found, folder)  # refuses broken ones
        name = found.manifest.name
        page = pages.get(name) or registry.written(name)
        page = page or PackPage(format=FORMAT, name=name, versions=())
        old = page.release(found.manifest.version)
        if old is not None:
            _check_same(found, old, registry, files.get(old.archive), folder)
        else:
            _check_new(found, page, folder)
            release, data = _release(found, folder)
            versions = sorted((*page.versions, release), key=lambda r: Version(r.version))
            page = PackPage(format=FORMAT, name=name, versions=tuple(versions))
            files[release.archive] = data
            added.append(f"{name} {release.version}")
        pages[name] = page
    return _planned(registry, index, pages, files, added)


def _planned(
    registry: FolderRegistry,
    index: Path,
    pages: dict[str, PackPage],
    archives: dict[str, bytes],
    added: Sequence[str],
) -> Plan:
    """These pages and archives, and an index.json that fits them; also pages that a run wrote
    which was killed before it came to the index."""
    files = {**archives, **{page_path(name): encode(page) for name, page in pages.items()}}
    for name in unfinished(index):
        page = registry.written(name)
        if page is not None:
            pages.setdefault(name, page)
    files[INDEX] = encode(_index(registry, pages))
    return Plan(changed(files, index), tuple(added))


def problems(index: Path) -> list[str]:
    """What is wrong inside a registry: archives that are gone or changed, files nobody lists."""
    registry = FolderRegistry(index, str(index))
    found: list[str] = []
    listed = {INDEX}
    for name in registry.names():
        page = registry.written(name)
        listed.add(page_path(name))
        if page is None:
            found.append(f"{page_path(name)} is missing")
            continue
        for release in page.versions:
            listed.add(release.archive)
            try:
                registry.archive(name, release)
            except HookpmError as error:
                found.append(f"{release.archive}: {error.message}")
    there = {p.relative_to(index).as_posix() for p in index.rglob("*") if p.is_file()}
    there -= left_behind(there)
    return found + [f"{path} belongs to no pack" for path in sorted(there - listed)]


def main(arguments: Sequence[str] | None = None) -> int:
    """The module's command line; returns the exit code."""
    import argparse

    parser = argparse.ArgumentParser(
        prog="python -m hookpm.registry.publish",
        description="Add pack folders to a registry in a folder.",
    )
    parser.add_argument("packs", nargs="+", type=Path, metavar="PACK", help="a pack's folder")
    parser.add_argument("--to", required=True, type=Path, metavar="FOLDER", help="the registry")
    parser.add_argument("--check", action="store_true", help="write nothing, exit 1 if it differs")
    given = parser.parse_args(arguments)
    try:
        if given.check:
            return _report_check(plan(given.packs, given.to), given.to)
        planned = publish(given.packs, given.to)
    except HookpmError as error:
        _say(sys.stderr, "error", error.message if not error.place else f"{error.place}: {error}")
        for label, text in (("cause", error.cause), ("hint", error.hint)):
            if text:
                _say(sys.stderr, label, text)
        return error.exit_code
    for what in planned.added or ("nothing new",):
        _say(sys.stdout, "published" if planned.added else str(given.to), what)
    return 0


def _report_check(planned: Plan, index: Path) -> int:
    differs = [f"{path} is out of date" for path in sorted(planned.files)]
    differs += problems(index) if (index / INDEX).is_file() else []
    for line in differs:
        _say(sys.stdout, str(index), line)
    return 1 if differs else 0


def _say(stream: TextIO, label: str, text: str) -> None:
    stream.write(f"{label}: {text}\n")


def _release(found: Content, folder: Path) -> tuple[Release, bytes]:
    manifest = found.manifest
    if "+" in manifest.version:
        raise RefusedError(
            f"{manifest.name} {manifest.version} is a local version and cannot be published",
            hint="leave out the part from + on",
            file=folder,
        )
    data = archive.build(found)
    release = Release(
        version=manifest.version,
        archive=f"archives/{archive.file_name(manifest.name, manifest.version)}",
        sha256=hashlib.sha256(data).hexdigest(),
        size=len(data),
        description=manifest.pack.description,
        requires_hookpm=manifest.pack.requires_hookpm,
        dependencies=dict(sorted(manifest.dependencies.items())),
        hooks=tuple(
            HookLine(id=h.id, event=h.event, matcher=h.matcher, needs=h.needs, uses=h.uses)
            for h in manifest.hooks
        ),
        estimated=True if found.plugin else UNSET,
    )
    return release, data


def _about(found: Content) -> str:
    """The file that says who a pack is."""
    return manifests.FILE if found.plugin is None else pluginfiles.MANIFEST


def _check_new(found: Content, page: PackPage, folder: Path) -> None:
    """1.0 and 1.0.0 are one version: nobody could ask for the second."""
    for old in page.versions:
        if Version(old.version) == Version(found.manifest.version):
            raise RefusedError(
                f"{page.name} {found.manifest.version} is published already, as {old.version}",
                hint=f"raise the version in {_about(found)}",
                file=folder,
            )


def _check_same(
    found: Content, old: Release, registry: FolderRegistry, fresh: bytes | None, folder: Path
) -> None:
    """A published version stays what it is: whoever has it locked relies on its bytes.

    Compared are the files, not the archive: two zlibs compress the same tar differently.
    """
    name = found.manifest.name
    data = registry.archive(name, old) if fresh is None else fresh
    published = archive.unpack(data, old.archive)
    if published.files == found.files:
        return
    paths = sorted(
        path
        for path in published.files.keys() | found.files.keys()
        if published.files.get(path) != found.files.get(path)
    )
    raise RefusedError(
        f"{name} {old.version} is published already, with other files",
        cause=f"these differ: {', '.join(paths[:10])}{', ...' if len(paths) > 10 else ''}",
        hint=f"raise the version in {_about(found)}",
        file=folder,
    )


def _index(registry: FolderRegistry, pages: dict[str, PackPage]) -> Index:
    try:
        packs = registry.listing()
    except NotFoundError:
        packs = {}
    for name, page in pages.items():
        newest = latest(page)
        packs[name] = Listing(description=newest.description, latest=newest.version)
    return Index(format=FORMAT, packs=packs)


def latest(page: PackPage) -> Release:
    """The newest release that one gets unasked; where there is none, the newest of all."""
    unasked = [r for r in page.versions if not r.yanked and not Version(r.version).is_prerelease]
    return (unasked or page.versions)[-1]


if __name__ == "__main__":
    sys.exit(main())
