"""The files of a commit, read from git's objects: with no checkout no filter, hook or attribute
runs.

The names and sizes are judged before any content is read.
"""

from __future__ import annotations

import posixpath
from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, NamedTuple

from hookpm.errors import NotFoundError
from hookpm.packs import content as contents
from hookpm.packs import manifest as manifests
from hookpm.packs import pluginfiles
from hookpm.packs.content import MAX_BYTES, MAX_FILES, FileEntry, refused
from hookpm.registry import gitrun
from hookpm.registry.gitfaults import DamagedError

if TYPE_CHECKING:
    from pathlib import Path

_LISTING_LIMIT = 16 * 1024 * 1024  # bytes of names; a tree of trees can come to any number
_LINK, _SUBMODULE = "120000", "160000"
_LINK_LIMIT = 4096  # bytes of a link's text
_LFS = b"version https://git-lfs.github.com/spec/"
_MANIFESTS = (manifests.FILE, pluginfiles.MANIFEST)


class _Member(NamedTuple):
    """A line of git's listing."""

    path: str
    mode: str
    blob: str
    size: int


def read(repo: Path, commit: str, subfolder: str, where: str) -> dict[str, FileEntry]:
    """The files of a commit below a folder ("" is all). `where`: its place, for messages.

    Left out are what tools leave behind, what no hook of a plugin can need, and submodules. A
    link is read as the file of the same folder that it leads to. Raises NotFoundError (no such
    folder), FileFormatError with the member's name (what cannot be in a pack), DamagedError.
    """
    members = _listing(repo, commit, subfolder, where)
    kept: dict[str, _Member] = {}
    skipped = contents.skipped_in({member.path for member in members})
    for member in members:
        if member.mode == _SUBMODULE or _is_leftover(member.path) or skipped(member.path):
            continue
        if member.path in kept:
            raise refused(where, member.path, "it is there twice")
        kept[member.path] = member
    _check_amount(list(kept.values()), members, where)
    links = {path: m for path, m in kept.items() if m.mode == _LINK}
    for path, link in links.items():
        if link.size > _LINK_LIMIT:
            raise refused(where, path, "it is a link to nothing")
    blobs = _blobs(repo, {m.blob: m.size for m in kept.values()})
    files: dict[str, FileEntry] = {}
    for path, member in kept.items():
        target = _followed(path, kept, blobs, where) if path in links else member
        data = blobs[target.blob]
        if data.startswith(_LFS):
            raise refused(where, path, "it lies in Git LFS, which is not fetched")
        files[path] = FileEntry(data, target.mode == "100755")
    _check_amount([m._replace(size=len(files[p].data)) for p, m in kept.items()], members, where)
    return files


def read_file(repo: Path, commit: str, path: str, limit: int, where: str) -> bytes:
    """One file of a commit. Raises NotFoundError, FileFormatError (no file, too large)."""
    found = [m for m in _listing(repo, commit, "", where, path) if m.path == path]
    if not found:
        raise NotFoundError(f"there is no file {path} in {where}")
    member = found[0]
    if member.mode in (_LINK, _SUBMODULE) or member.size > limit:
        what = f"it is larger than {limit} bytes" if member.size > limit else "it is no plain file"
        raise NotFoundError(f"{path} in {where} cannot be read: {what}")
    return _blobs(repo, {member.blob: member.size})[member.blob]


def packs_in(paths: Iterable[str]) -> list[str]:
    """The folders that hold a pack or a plugin, "" for the top."""
    found = {
        path.removesuffix(manifest).rstrip("/")
        for path in paths
        for manifest in _MANIFESTS
        if path == manifest or path.endswith(f"/{manifest}")
    }
    return sorted(found)


def name_a_folder(paths: Iterable[str]) -> str | None:
    """A hint at the folders of a repository that hold packs."""
    found = [folder for folder in packs_in(paths) if folder]
    if not found:
        return None
    more = ", ..." if len(found) > 5 else ""
    return f"packs there: {', '.join(found[:5])}{more}; add #subdirectory={found[0]}"


def _is_leftover(path: str) -> bool:
    return any(map(contents.is_leftover, path.split("/")))


def _listing(
    repo: Path, commit: str, subfolder: str, where: str, only: str | None = None
) -> list[_Member]:
    tree = f"{commit}:{subfolder}" if subfolder else commit
    paths = () if only is None else ("--", f":(literal){only}")
    arguments = ("ls-tree", "-r", "-l", "-z", "--full-tree", tree, *paths)
    ran = gitrun.local(repo, *arguments, out_limit=_LISTING_LIMIT)
    if ran.cut:
        raise refused(where, subfolder or ".", f"a pack has at most {MAX_FILES} files")
    if ran.code != 0:
        if (subfolder and "Not a valid object name" in ran.err) or "not a tree object" in ran.err:
            hint = name_a_folder([m.path for m in _listing(repo, commit, "", where)])
            raise NotFoundError(
                f"there is no folder {subfolder} in {where.partition('#')[0]}", hint=hint
            )
        raise DamagedError("the cache of a git repository is damaged", cause=ran.err.strip())
    return [_member(line) for line in ran.out.split(b"\0") if line]


def _member(line: bytes) -> _Member:
    """`mode type name size TAB path`; a submodule has no size."""
    head, _, path = line.partition(b"\t")
    mode, _, blob, size = head.decode("ascii").split()
    number = int(size) if size.isdigit() else 0
    return _Member(path.decode("utf-8", "surrogateescape"), mode, blob, number)


def _check_amount(kept: Sequence[_Member], members: Sequence[_Member], where: str) -> None:
    size = 0
    for index, member in enumerate(kept):
        size += member.size
        if index < MAX_FILES and size <= MAX_BYTES:
            continue
        limit = f"{MAX_FILES} files" if index >= MAX_FILES else f"{MAX_BYTES // 1024**2} MB"
        hint = name_a_folder([m.path for m in members])
        raise refused(where, member.path, f"a pack has at most {limit}", hint=hint)


def _followed(
    path: str, kept: Mapping[str, _Member], blobs: Mapping[str, bytes], where: str
) -> _Member:
    """The plain file that a link leads to, in one or more steps."""
    at = path
    for _ in range(10):
        member = kept.get(at)
        if member is None:
            break
        if member.mode != _LINK:
            return member
        target = blobs[member.blob].decode("utf-8", "surrogateescape")
        at = posixpath.normpath(posixpath.join(posixpath.dirname(at), target))
        if at.startswith(("/", "../")) or at == "..":
            raise refused(where, path, "it is a link that leads out of the pack")
    folder = any(other.startswith(f"{at}/") for other in kept)
    what = "something that is not a file" if folder or at == "." else "nothing"
    raise refused(where, path, f"it is a link to {what}")


def _blobs(repo: Path, sizes: Mapping[str, int]) -> dict[str, bytes]:
    """Blobs by name; each has to be as large as the listing said."""
    asked = "".join(f"{blob}\n" for blob in sizes).encode()
    ran = gitrun.local(repo, "cat-file", "--batch", stdin=asked)
    found: dict[str, bytes] = {}
    at = 0
    for blob, size in sizes.items():
        end = ran.out.find(b"\n", at)
        head = ran.out[at : max(end, at)].decode("ascii", "replace")
        if ran.code != 0 or head != f"{blob} blob {size}" or len(ran.out) < end + size + 2:
            raise DamagedError(
                "the cache of a git repository is damaged",
                cause=ran.err.strip() or f"the object {blob} is not there as it should be",
            )
        found[blob] = ran.out[end + 1 : end + 1 + size]
        at = end + size + 2
    return found
