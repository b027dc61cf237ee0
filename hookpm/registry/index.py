"""The static format of a registry, and reading one that lies in a folder.

    index.json                    every pack's name, description and latest version
    packs/NAME.json               one page per pack, so that a large registry is never read whole
    archives/NAME-VERSION.tar.gz

Plain files: any web server, folder or git host can serve a registry. Nothing in it depends on the
time or the machine, so two people who publish the same packs get the same bytes.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple, Protocol, TypeVar

import msgspec
from packaging.version import Version

from hookpm.errors import FileFormatError, NotFoundError, SystemFailureError
from hookpm.packs import names

if TYPE_CHECKING:
    from hookpm.packs.content import Content

FORMAT = 1
INDEX = "index.json"


class HookLine(msgspec.Struct, frozen=True, kw_only=True):
    """What the index says of one hook: enough for an audit before the archive is fetched."""

    id: str
    event: str
    matcher: str
    needs: tuple[str, ...]
    uses: tuple[str, ...]


class Release(msgspec.Struct, frozen=True, kw_only=True):
    """One version of a pack. archive: path in the registry; sha256 in hex; size in bytes.

    yanked: withdrawn; still there for who has it locked or pins it with `==`; yanked_reason: why,
    where that was said. estimated: it is a Claude Code plugin, and nobody declared what its hooks
    need and use.
    """

    version: str
    archive: str
    sha256: str
    size: int
    description: str
    requires_hookpm: str
    dependencies: dict[str, str]
    hooks: tuple[HookLine, ...]
    yanked: bool = False
    yanked_reason: str | msgspec.UnsetType = msgspec.UNSET
    estimated: bool | msgspec.UnsetType = msgspec.UNSET

    @property
    def withdrawn(self) -> str:
        """`withdrawn` and why, in words; "" where it is not."""
        if not self.yanked:
            return ""
        why = " ".join((self.yanked_reason or "").split())  # a message's line of its own is ours
        return f"withdrawn: {why}" if why else "withdrawn"


class PackPage(msgspec.Struct, frozen=True, kw_only=True):
    """All versions of a pack, the newest last."""

    format: int
    name: str
    versions: tuple[Release, ...]

    def release(self, version: str) -> Release | None:
        """The release of exactly this version."""
        return next((r for r in self.versions if r.version == version), None)


class Listing(msgspec.Struct, frozen=True, kw_only=True):
    """A pack's line in index.json."""

    description: str
    latest: str


class Index(msgspec.Struct, frozen=True, kw_only=True):
    """index.json."""

    format: int
    packs: dict[str, Listing]


class _Format(msgspec.Struct):
    format: int = 0


class Registry(Protocol):
    """Where packs come from; `source` names it in the lock and in messages ("embedded")."""

    @property
    def source(self) -> str:
        """The registry's name or address."""

    @property
    def local(self) -> bool:
        """Can it be asked without a network?"""

    def prefetch(self, names: Iterable[str]) -> None:
        """These packs will be asked for: a registry over the network fetches them side by side."""

    def names(self) -> Sequence[str]:
        """The names of all packs, sorted."""

    def listing(self) -> dict[str, Listing]:
        """Name -> description and latest version."""

    def pack(self, name: str) -> PackPage | None:
        """The page of a pack; None if there is none."""

    def archive(self, name: str, release: Release) -> bytes:
        """The archive of a release, proved against its sha256."""

    def content(self, name: str, release: Release) -> Content:
        """The files of a release, unpacked with distrust from its archive."""


class FolderRegistry(NamedTuple):
    """A registry in a folder. Its methods raise FileFormatError and SystemFailureError."""

    root: Path
    source: str

    @property
    def local(self) -> bool:
        """A folder needs no network; one that is not on this machine cannot be asked."""
        return self.root.is_dir()

    def prefetch(self, names: Iterable[str]) -> None:
        """Nothing has to be fetched."""

    def names(self) -> Sequence[str]:
        """The names of all packs, sorted."""
        return sorted(self.listing())

    def listing(self) -> dict[str, Listing]:
        """Name -> description and latest version. Raises NotFoundError without an index.json."""
        file = self.root / INDEX
        data = _read(file)
        if data is None:
            raise NotFoundError(
                f"{self.root} is no registry: it has no {INDEX}",
                hint="`hookpm pack publish PACK --to FOLDER` starts one",
                file=file,
            )
        return decode(data, Index, file).packs

    def pack(self, name: str) -> PackPage | None:
        """The page of a pack; None if there is none. Raises SystemFailureError where the folder is
        not on this machine: nobody knows what is in it, so it must not count as "not there"."""
        if not self.root.is_dir():
            raise SystemFailureError(
                f"there is no folder {self.root}, where the registry {self.source} is to be",
                hint="get the folder, or look at its address in hookpm.toml",
            )
        return self.written(name)

    def written(self, name: str) -> PackPage | None:
        """The page of a pack, of a registry that may still have to be made."""
        if names.name_problem(name) is not None:  # the name becomes a path
            return None
        file = self.root / page_path(name)
        data = _read(file)
        return None if data is None else decode_page(data, name, file)

    def archive(self, name: str, release: Release) -> bytes:
        """The archive of a release. Raises NotFoundError (gone), FileFormatError (other bytes)."""
        file = self.root / release.archive
        data = _read(file)
        if data is None:
            raise NotFoundError(
                f"the registry {self.source} lists {name} {release.version}, but lacks its archive",
                hint="tell whoever keeps the registry, or take another version",
                file=file,
            )
        check_sha256(data, release.sha256, f"{name} {release.version}", file)
        return data

    def content(self, name: str, release: Release) -> Content:
        """The files of a release. Raises as `archive` does, and what unpacking raises."""
        from hookpm.packs import archive

        return archive.unpack(self.archive(name, release), release.archive)


def page_path(name: str) -> str:
    """Where the page of a pack lies in a registry."""
    return f"packs/{name}.json"


def check_sha256(data: bytes, expected: str, what: str, file: Path | str) -> None:
    """Raise FileFormatError, naming both hashes, if `data` has another sha256 than `expected`."""
    got = hashlib.sha256(data).hexdigest()
    if got != expected:
        raise FileFormatError(
            f"the archive of {what} is not the one that was published",
            cause=f"its sha256 is {got}, expected {expected}",
            hint="do not use it; ask whoever keeps the registry what happened to this file",
            file=file,
        )


def decode_page(data: bytes, name: str, file: Path | str) -> PackPage:
    """The page of the pack `name`. Raises FileFormatError."""
    page = decode(data, PackPage, file)
    if page.name != name:
        raise FileFormatError(f"the page of {name} is about {page.name}", file=file)
    listed: set[Version] = set()
    for release in page.versions:
        if names.version_problem(release.version):
            raise FileFormatError(f"{release.version!r} is not a version", file=file)
        version = Version(release.version)
        if version in listed:
            raise FileFormatError(f"it lists {name} {release.version} twice", file=file)
        listed.add(version)
        if problem := names.path_problem(release.archive):
            raise FileFormatError(
                f"the archive of {name} {release.version} is {release.archive!r}: {problem}",
                file=file,
            )
        for specifier in (release.requires_hookpm, *release.dependencies.values()):
            if problem := names.specifier_problem(specifier):
                raise FileFormatError(
                    f"{name} {release.version}: {specifier!r}: {problem}", file=file
                )
    return page


T = TypeVar("T", Index, PackPage)


def decode(data: bytes, kind: type[T], file: Path | str) -> T:
    """Index or PackPage from JSON. Raises FileFormatError; a newer format has its own message."""
    try:
        found = msgspec.json.decode(data, type=_Format).format
        if found == FORMAT:
            return msgspec.json.decode(data, type=kind)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
        raise FileFormatError("not a registry file", cause=str(error), file=file) from None
    raise FileFormatError(
        f"the registry has format {found}, this hookpm reads format {FORMAT}",
        hint="upgrade hookpm" if found > FORMAT else None,
        file=file,
    )


def encode(value: Index | PackPage) -> bytes:
    """The bytes of a registry file: sorted keys, two blanks per level, a final line end."""
    return msgspec.json.format(msgspec.json.encode(value, order="sorted"), indent=2) + b"\n"


def _read(file: Path) -> bytes | None:
    try:
        return file.read_bytes()
    except (FileNotFoundError, NotADirectoryError):
        return None
    except OSError as error:
        raise SystemFailureError(
            "cannot read the registry", cause=error.strerror, file=file
        ) from error
