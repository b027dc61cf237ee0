"""Pack archives: .tar.gz files that come out the same everywhere, unpacked with distrust."""

from __future__ import annotations

import io
import struct
import zlib
from typing import TYPE_CHECKING

from hookpm.errors import FileFormatError
from hookpm.packs import content as contents
from hookpm.packs import names
from hookpm.packs.content import MAX_BYTES, MAX_FILES, Content, FileEntry, refused

if TYPE_CHECKING:
    import tarfile

# Per member a header, padding and perhaps a long name; then the end marks.
_MAX_TAR = MAX_BYTES + MAX_FILES * 4096 + 64 * 1024
_MAX_MEMBERS = 3 * MAX_FILES  # folders count too
_MAX_RATIO = 200  # uncompressed : compressed; text comes to 3 to 20, a bomb to 1,000
_RATIO_COUNTS_FROM = 1024 * 1024  # bytes; small files of one character are no bombs

# Magic, deflate, no flags, no time, best compression, no operating system.
_GZIP_HEADER = b"\x1f\x8b\x08\x00\x00\x00\x00\x00\x02\xff"


def file_name(name: str, version: str) -> str:
    """The file name of a pack's archive."""
    return f"{name}-{version}.tar.gz"


def build(content: Content) -> bytes:
    """The archive of a pack: the same bytes for the same files, on every machine.

    Only zlib's compression is not ours (zlib and zlib-ng differ); `tar_of` gives the part
    that is the same even then. Raises FileFormatError if `unpack` would refuse the result.
    """
    plain = _tar(content)
    squeeze = zlib.compressobj(9, zlib.DEFLATED, -zlib.MAX_WBITS)
    packed = squeeze.compress(plain) + squeeze.flush()
    data = _GZIP_HEADER + packed + struct.pack("<LL", zlib.crc32(plain), len(plain) & 0xFFFFFFFF)
    unpack(data, file_name(content.manifest.name, content.manifest.version))
    return data


def unpack(data: bytes, name: str) -> Content:
    """The pack in an archive. `name`: its file name or address, for messages.

    Raises FileFormatError with the member's name: absolute or `..` paths, links, devices,
    duplicates, names that collide, secrets, more or larger files than a pack may have, bombs.
    """
    import tarfile

    plain = tar_of(data, name)
    try:
        with tarfile.open(fileobj=io.BytesIO(plain), mode="r:", errorlevel=2) as tar:
            files, tops = _members(tar, name)
    # The last two: headers can be made so that tarfile itself falls over them.
    except (tarfile.TarError, EOFError, ValueError, OverflowError, RecursionError) as error:
        cause = str(error) or type(error).__name__
        raise FileFormatError("not a pack archive", cause=cause, file=name) from error
    content = contents.from_files(files, name)
    expected = f"{content.manifest.name}-{content.manifest.version}"
    if tops != {expected}:
        wrong = min(tops - {expected})
        raise refused(name, wrong, f"everything has to lie in the folder {expected}")
    return content


def _members(tar: tarfile.TarFile, name: str) -> tuple[dict[str, FileEntry], set[str]]:
    """The files by their path in the pack, and the folders around them."""
    files: dict[str, FileEntry] = {}
    tops: set[str] = set()
    size = count = 0
    for member in tar:
        top, path = _member_path(member, name)
        tops.add(top)
        count += 1
        if count > _MAX_MEMBERS:
            raise refused(name, member.name, "the archive has too many members")
        if member.isdir():
            continue
        if member.size < 0:
            raise refused(name, member.name, "its size is below 0")
        size += member.size
        if size > MAX_BYTES or len(files) == MAX_FILES:
            raise refused(name, member.name, "the pack has too many or too large files")
        if path in files:
            raise refused(name, member.name, "it is there twice")
        files[path] = FileEntry(_bytes_of(tar, member, name), bool(member.mode & 0o100))
    return files, tops


def tar_of(data: bytes, name: str) -> bytes:
    """The tar file in an archive, uncompressed. Raises FileFormatError (no gzip, a bomb)."""
    limit = _MAX_TAR
    if len(data) * _MAX_RATIO < limit:
        limit = max(len(data) * _MAX_RATIO, _RATIO_COUNTS_FROM)
    inflate = zlib.decompressobj(16 + zlib.MAX_WBITS)
    try:
        plain = inflate.decompress(data, limit + 1)
    except zlib.error as error:
        raise FileFormatError("not a .tar.gz archive", cause=str(error), file=name) from error
    if len(plain) > limit:
        raise FileFormatError(
            "the archive unpacks to more than a pack may have",
            cause=f"{len(data)} bytes grow to more than {limit}",
            file=name,
        )
    if not inflate.eof:
        raise FileFormatError("the archive is cut off", file=name)
    if inflate.unused_data:
        raise FileFormatError("something follows the end of the archive", file=name)
    return plain


def _tar(content: Content) -> bytes:
    import tarfile

    top = f"{content.manifest.name}-{content.manifest.version}"
    out = io.BytesIO()
    with tarfile.open(fileobj=out, mode="w", format=tarfile.PAX_FORMAT) as tar:
        for path, entry in sorted(content.files.items()):
            member = tarfile.TarInfo(f"{top}/{path}")
            member.size = len(entry.data)
            member.mode = 0o755 if entry.executable else 0o644
            tar.addfile(member, io.BytesIO(entry.data))  # uid, gid, mtime are 0, names empty
    return out.getvalue()


def _member_path(member: tarfile.TarInfo, name: str) -> tuple[str, str]:
    """Top folder and the path under it; "" for the top folder itself."""
    if not (member.isdir() or (member.isreg() and not member.issparse())):
        what = "a link" if member.issym() or member.islnk() else "not a plain file"
        raise refused(name, member.name, f"it is {what}")
    if problem := names.path_problem(member.name):
        raise refused(name, member.name, problem)
    top, _, path = member.name.partition("/")
    if not path and not member.isdir():
        raise refused(name, member.name, "it lies outside the pack's folder")
    if any(contents.is_leftover(part) for part in path.split("/")):
        raise refused(name, member.name, "it is no part of the pack's source")
    return top, path


def _bytes_of(tar: tarfile.TarFile, member: tarfile.TarInfo, name: str) -> bytes:
    stream = tar.extractfile(member)
    data = stream.read() if stream is not None else b""
    if len(data) != member.size:
        raise refused(name, member.name, "it is cut off")
    return data
