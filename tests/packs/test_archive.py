from __future__ import annotations

import gzip
import io
import os
import tarfile
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from hookpm.errors import FileFormatError
from hookpm.packs import archive, content
from hookpm.packs.content import FileEntry

TOP = "guard-1.0.0"


def test_what_was_built_unpacks_to_the_same_pack(pack: Path) -> None:
    found = content.read(pack)
    assert archive.unpack(archive.build(found), "x") == found


def test_times_owners_and_umask_leave_no_trace_in_an_archive(pack: Path) -> None:
    first = archive.build(content.read(pack))
    os.utime(pack / "guard.py", (1, 1))
    (pack / "guard.py").chmod(0o600)
    (pack / "cases").chmod(0o700)
    before = os.umask(0o077)
    try:
        again = archive.build(content.read(pack))
    finally:
        os.umask(before)
    assert again == first
    with tarfile.open(fileobj=io.BytesIO(first)) as tar:
        members = tar.getmembers()
    assert [m.name for m in members] == sorted(m.name for m in members)
    assert {(m.uid, m.gid, m.mtime, m.uname, m.mode) for m in members} == {(0, 0, 0, "", 0o644)}
    assert first[:10] == b"\x1f\x8b\x08\0\0\0\0\0\x02\xff"
    assert gzip.decompress(first)  # the checksum is right


NAMES = st.from_regex(r"[a-z0-9é_-]{1,40}(/[a-z0-9]{1,70}){0,3}", fullmatch=True)


@settings(
    max_examples=60, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
@given(files=st.dictionaries(NAMES, st.tuples(st.binary(max_size=2000), st.booleans()), max_size=8))
def test_any_pack_survives_the_round_trip(
    manifest_text: str, files: dict[str, tuple[bytes, bool]]
) -> None:
    entries = {path: FileEntry(*entry) for path, entry in files.items()}
    entries["hookpack.toml"] = FileEntry(manifest_text.encode(), False)
    entries["guard.py"] = FileEntry(b"pass\n", False)
    try:
        whole = content.from_files(entries, "x")
    except FileFormatError:
        return  # a name that is both file and folder, a device of Windows, ...
    data = archive.build(whole)
    assert archive.unpack(data, "x") == whole
    assert archive.build(whole) == data


class Tar:
    """Builds the archives that nobody should unpack."""

    def __init__(self, manifest: str) -> None:
        self.out = io.BytesIO()
        self.tar = tarfile.TarFile(fileobj=self.out, mode="w", format=tarfile.PAX_FORMAT)
        self.add(f"{TOP}/hookpack.toml", manifest.encode())
        self.add(f"{TOP}/guard.py", b"pass\n")

    def add(self, name: str, data: bytes = b"", **fields: object) -> None:
        member = tarfile.TarInfo(name)
        member.size = len(data)
        for field, value in fields.items():
            setattr(member, field, value)
        self.tar.addfile(member, io.BytesIO(data))

    def packed(self) -> bytes:
        self.tar.close()
        return gzip.compress(self.out.getvalue(), mtime=0)


@pytest.fixture
def tar(manifest_text: str) -> Tar:
    return Tar(manifest_text)


def test_an_archive_made_by_tar_itself_is_taken(tar: Tar) -> None:
    tar.add(f"{TOP}", type=tarfile.DIRTYPE, mode=0o755)
    tar.add(f"{TOP}/cases", type=tarfile.DIRTYPE, mode=0o755)
    tar.add(f"{TOP}/x", b"1", uid=1000, uname="me", mtime=12345, mode=0o4777)
    files = archive.unpack(tar.packed(), "x").files
    assert files["x"] == FileEntry(b"1", True)


@pytest.mark.parametrize(
    ("name", "fields", "said"),
    [
        ("/etc/passwd", {}, "absolute"),
        (f"{TOP}/../../x", {}, r"'\.\.'"),
        (f"{TOP}/./x", {}, r"'\.'"),
        (f"{TOP}/a\\b", {}, "backslash"),
        (f"{TOP}/C:x", {}, "colon"),
        (f"{TOP}/a\x07", {}, "control"),
        (f"{TOP}/link", {"type": tarfile.SYMTYPE, "linkname": "/etc/passwd"}, "a link"),
        (f"{TOP}/link", {"type": tarfile.LNKTYPE, "linkname": f"{TOP}/guard.py"}, "a link"),
        (f"{TOP}/dev", {"type": tarfile.CHRTYPE}, "not a plain file"),
        (f"{TOP}/dev", {"type": tarfile.BLKTYPE}, "not a plain file"),
        (f"{TOP}/pipe", {"type": tarfile.FIFOTYPE}, "not a plain file"),
        (f"{TOP}/guard.py", {}, "there twice"),
        (f"{TOP}/Guard.py", {}, "blind to case"),
        (f"{TOP}/__pycache__/guard.pyc", {}, "no part of the pack's source"),
        ("loose", {}, "outside the pack's folder"),
        ("other-1.0.0/x", {}, f"has to lie in the folder {TOP}"),
    ],
)
def test_a_bad_member_is_refused_by_its_name(
    tar: Tar, name: str, fields: dict[str, object], said: str
) -> None:
    tar.add(name, b"", **fields)
    with pytest.raises(FileFormatError, match=said) as caught:
        archive.unpack(tar.packed(), "guard-1.0.0.tar.gz")
    assert name.rsplit("/", 1)[-1].rstrip("\x07") in caught.value.message or "other-1" in name
    assert caught.value.file == "guard-1.0.0.tar.gz"


def test_too_many_files_are_refused(tar: Tar) -> None:
    for n in range(content.MAX_FILES):
        tar.add(f"{TOP}/f{n}")
    with pytest.raises(FileFormatError, match="too many"):
        archive.unpack(tar.packed(), "x")


def test_a_pack_of_more_than_10_mb_is_refused(tar: Tar) -> None:
    tar.add(f"{TOP}/big", os.urandom(content.MAX_BYTES))
    with pytest.raises(FileFormatError, match="too large"):
        archive.unpack(tar.packed(), "x")


def test_a_bomb_is_refused_before_it_is_unpacked(tar: Tar) -> None:
    tar.add(f"{TOP}/zero", bytes(8 * 1024 * 1024))
    with pytest.raises(FileFormatError, match="more than a pack may have"):
        archive.unpack(tar.packed(), "x")
    with pytest.raises(FileFormatError, match="more than a pack may have"):
        archive.unpack(gzip.compress(bytes(200 * 1024 * 1024)), "x")


def test_a_pack_that_would_be_taken_for_a_bomb_is_not_built(pack: Path) -> None:
    (pack / "zero").write_bytes(bytes(5 * 1024 * 1024))
    with pytest.raises(FileFormatError, match="more than a pack may have"):
        archive.build(content.read(pack))


def test_a_damaged_archive_is_refused(pack: Path) -> None:
    data = archive.build(content.read(pack))
    for bad, said in (
        (b"", "cut off"),
        (b"PK\x03\x04 a zip file", "not a .tar.gz"),
        (data[:-5], "cut off"),
        (data + b"x", "follows the end"),
        (data[:40] + bytes([data[40] ^ 0xFF]) + data[41:], r"not a|cut off"),
        (gzip.compress(b"no tar" * 200), "not a pack archive"),
        (gzip.compress(gzip.decompress(data)[:600]), r"not a pack archive|cut off"),
        (gzip.compress(b""), r"not a pack archive|missing"),
    ):
        with pytest.raises(FileFormatError, match=said):
            archive.unpack(bad, "x")
