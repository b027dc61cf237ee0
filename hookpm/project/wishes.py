"""What is wanted: from what was typed, and the lines of hookpm.toml, to exact packs."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from hookpm.errors import RefusedError, UsageError
from hookpm.project.generated import digest
from hookpm.project.root import SETTINGS
from hookpm.project.settings import PackLine
from hookpm.project.vendor import FOLDER
from hookpm.registry import embedded
from hookpm.registry.index import FolderRegistry
from hookpm.resolve import requirement as requirements
from hookpm.resolve import resolver
from hookpm.resolve.requirement import NameRequirement, PathRequirement, Requirement
from hookpm.resolve.world import Wanted

if TYPE_CHECKING:
    from hookpm.project.state import State
    from hookpm.registry.index import Registry
    from hookpm.resolve.resolver import Resolved


def parse_requirements(texts: Sequence[str]) -> list[Requirement]:
    """What was typed, as values. Raises UsageError; also for one pack asked for twice."""
    parsed = [requirements.parse(text) for text in texts]
    names = [each.name for each in parsed if isinstance(each, NameRequirement)]
    twice = next((name for name in names if names.count(name) > 1), None)
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


def lines(now: State, asked: Sequence[Requirement]) -> dict[str, PackLine]:
    """The lines that are wanted afterwards, by name; a path's name is in its manifest."""
    found = {name: now.settings.line(name) for name in now.settings.packs}
    for each in asked:
        if isinstance(each, PathRequirement):
            name = pack_name(now, each)
            kept = found.get(name, PackLine())
            found[name] = _with_source(kept, path=each.path)
        elif str(each.specifier) or each.name not in found:
            kept = found.get(each.name, PackLine())
            found[each.name] = _with_source(kept, version=str(each.specifier) or "*")
    return found


def _with_source(line: PackLine, version: str | None = None, path: str | None = None) -> PackLine:
    import msgspec

    return msgspec.structs.replace(line, version=version, path=path)


def new_lines(
    now: State, asked: Sequence[Requirement], resolved: Sequence[Resolved]
) -> dict[str, str | PackLine]:
    """The lines to write: the versions as asked for, else "compatible with what was found"."""
    from packaging.version import Version

    put: dict[str, str | PackLine] = {}
    for each in asked:
        if isinstance(each, PathRequirement):
            name = next(r.name for r in resolved if _is_path(r, each.path))
            put[name] = PackLine(path=each.path)
        elif str(each.specifier):
            put[each.name] = str(each.specifier)
        elif each.name not in now.settings.packs:
            found = Version(next(r.version for r in resolved if r.name == each.name))
            put[each.name] = f"~={found.major}.{found.minor}"
    return put


def _is_path(resolved: Resolved, path: str) -> bool:
    return resolved.source == _source(path)


def _source(path: str) -> str:
    """How the lock names the source of a pack in a folder."""
    return f"path:{path.removeprefix('./') or '.'}"


def resolve(now: State, wishes: Mapping[str, PackLine]) -> list[Resolved]:
    """The exact packs for these lines, dependencies included. Raises as resolver.resolve does."""
    vendored = absent(now, wishes)
    wanted = []
    for name, line in wishes.items():
        asked: Requirement
        if line.path is not None:
            asked = PathRequirement(vendored.get(name, line.path))
        else:
            specifier = requirements.specifier(line.version or "*")
            asked = NameRequirement(name, specifier)
        wanted.append(Wanted(asked, "hookpm.toml", line.registry))
    found = resolver.resolve(wanted, _registries(now), base=now.root, locked=now.lock.pins())
    found = [
        each._replace(source=_source(wishes[each.name].path or ""))
        if each.name in vendored
        else each
        for each in found
    ]
    for name, line in wishes.items():
        if line.path is not None and not any(r.name == name for r in found):
            raise RefusedError(
                f"packs.{name}: the folder {line.path} holds another pack",
                file=now.root / SETTINGS,
            )
    return found


def absent(now: State, wishes: Mapping[str, PackLine]) -> dict[str, str]:
    """Name -> vendored folder, for packs whose own folder is not on this machine.

    What the lock lists is in the repo, so a clone without the folder beside it can still be
    changed. Only files that are as the lock has them count.
    """
    found = {}
    for name, line in wishes.items():
        pack = now.lock.pack(name)
        if line.path is None or pack is None or (now.root / line.path).exists():
            continue
        folder = f"{FOLDER}/packs/{name}"
        files = {f"{folder}/{path}": hashed for path, hashed in pack.files.items()}
        present = {path: now.generated.get(path) for path in files}
        if pack.source == _source(line.path) and all(
            file is not None and digest(file.data) == files[path] for path, file in present.items()
        ):
            found[name] = folder
    return found


def _registries(now: State) -> list[Registry]:
    registries: list[Registry] = [embedded.registry()]
    for name, where in now.settings.registries.items():
        folder = Path(where.removeprefix("file://")).expanduser()
        registries.append(FolderRegistry(now.root / folder, name))
    return registries
