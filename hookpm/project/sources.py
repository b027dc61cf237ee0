"""Opens what hookpm.toml names as places of packs: registries, and folders of packs."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING
from urllib.parse import unquote, urlsplit

from hookpm.errors import NotFoundError
from hookpm.packs import content
from hookpm.project import places
from hookpm.project.generated import digest
from hookpm.project.vendor import FOLDER
from hookpm.registry import embedded
from hookpm.registry.index import FolderRegistry
from hookpm.resolve.world import Given

if TYPE_CHECKING:
    from hookpm.packs.content import Content
    from hookpm.project.settings import Settings
    from hookpm.project.state import State
    from hookpm.registry.index import Registry
    from hookpm.resolve.lock import LockedPack
    from hookpm.resolve.requirement import GitRequirement


def registries(settings: Settings, root: Path) -> list[Registry]:
    """The embedded registry, and those of hookpm.toml. root: what relative folders start from."""
    found: list[Registry] = [embedded.registry()]
    found += [registry(name, where, root) for name, where in settings.registries.items()]
    return found


def registry(name: str, where: str, root: Path) -> Registry:
    """A registry of hookpm.toml: at an address, or in a folder. Nothing is asked yet."""
    parts = urlsplit(where)
    if parts.scheme in ("https", "http"):
        from hookpm.project import network
        from hookpm.registry.http import HttpRegistry

        return HttpRegistry(where, name, network.fetcher())
    folder = unquote(parts.path) if parts.scheme == "file" else where
    return FolderRegistry(places.named(folder, root), name)


def folder(path: str, root: Path) -> Given:
    """The pack in a folder; `path` is relative to the root. Raises what content.read raises."""
    return Given(content.read(places.named(path, root)), path_source(path))


def git(url: str, ref: str, subfolder: str, commit: str | None = None) -> Given:
    """The pack in a git repository. ref: "tag:v1" and the like; commit: the one that is meant, if
    it is known. Raises what git.fetch and content.from_files raise."""
    from hookpm.packs import pluginfiles
    from hookpm.project import network
    from hookpm.registry import git, gitaddress, gittree

    found = git.fetch(
        url,
        ref,
        subfolder,
        commit=commit,
        offline=network.is_offline(),
        watch=network.git_watch(url),
    )
    where = git.place(url, ref, subfolder)
    if "" not in gittree.packs_in(found.files):
        raise pluginfiles.no_plugin(found.files, where) or NotFoundError(
            f"{where} is not a pack: it has no hookpack.toml",
            hint=gittree.name_a_folder(found.files),
        )
    files = content.from_files(found.files, where)
    return Given(files, gitaddress.source(url, subfolder), found.commit, ref)


def found_out(asked: GitRequirement) -> GitRequirement:
    """What was typed, with the tag, branch or commit that it means, and the commit it is at.

    Raises what git.find_ref and git.fetch raise.
    """
    from hookpm.project import network
    from hookpm.registry import git

    offline = network.is_offline()
    ref = git.find_ref(asked.url, asked.name, offline=offline)
    watch = network.git_watch(asked.url)
    commit = git.fetch(asked.url, ref, asked.subfolder, offline=offline, watch=watch).commit
    return asked._replace(ref=ref, commit=commit)


def path_source(path: str) -> str:
    """How the lock names the source of a pack in a folder."""
    return f"path:{path.removeprefix('./') or '.'}"


def in_repo(now: State) -> Mapping[str, Content]:
    """Name -> files, for every locked pack whose vendored files are just those of the lock."""
    found = {pack.name: vendored(now, pack) for pack in now.lock.packs}
    return {name: each for name, each in found.items() if each is not None}


def vendored(now: State, pack: LockedPack) -> Content | None:
    """A locked pack's files as they lie in the repo; None where one is not as the lock has it."""
    below = f"{FOLDER}/packs/{pack.name}"
    files = {}
    for path, hashed in pack.files.items():
        file = now.generated.get(f"{below}/{path}")
        if file is None or digest(file.data) != hashed:
            return None
        files[path] = content.FileEntry(file.data, file.executable)
    return content.from_files(files, now.root / below) if files else None
