from __future__ import annotations

import gzip
import io
import os
import tarfile
import tempfile
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
        (f"{TOP}/.gitattributes", {}, "no part of the pack's source"),
        (f"{TOP}/gu\u0061\u0301.py", {}, "blind to case"),
        (f"{TOP}/STRASSE.py", {}, "blind to case"),
        (f"{TOP}/guard.py/x", {}, "a file and a folder"),
        (f"{TOP}/nul", {}, "for a device"),
        (f"{TOP}/Com1.txt", {}, "for a device"),
        (f"{TOP}/sub/aux .py", {}, "for a device"),
        (f"{TOP}/lpt\u00b9", {}, "for a device"),
        (f"{TOP}/conout$", {}, "for a device"),
        (f"{TOP}/what?", {}, "question mark"),
        (f"{TOP}/a|b", {}, r"a \|"),
        (f"{TOP}/trailing.", {}, "ends with a dot"),
        (f"{TOP}/trailing ", {}, "a blank"),
        (f"{TOP}/{'x' * 256}", {}, "255 bytes"),
        (f"{TOP}/{'folder/' * 150}x", {}, "1000 are allowed"),
        (f"{TOP}/.env", {}, "a secret"),
        (f"{TOP}/cases/id_rsa", {}, "a secret"),
        (f"{TOP}/a\u202egpj.sh", {}, "control"),
        ("loose", {}, "outside the pack's folder"),
        ("other-1.0.0/x", {}, f"has to lie in the folder {TOP}"),
    ],
)
def test_a_bad_member_is_refused_by_its_name(
    tar: Tar, name: str, fields: dict[str, object], said: str
) -> None:
    tar.add(f"{TOP}/gu\u00e1.py")
    tar.add(f"{TOP}/stra\u00dfe.py")
    tar.add(name, b"", **fields)
    with pytest.raises(FileFormatError, match=said) as caught:
        archive.unpack(tar.packed(), "guard-1.0.0.tar.gz")
    shown = "".join(c if c.isprintable() else f"\\x{ord(c):02x}" for c in name)
    last = shown.removesuffix("/x").rsplit("/", 1)[-1]
    assert last in caught.value.message or "other-1" in name
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


def test_headers_that_lead_deeper_and_deeper_are_refused(tar: Tar) -> None:
    tar.tar.close()
    header = tarfile.TarInfo("././@LongLink")
    header.type, header.size = tarfile.GNUTYPE_LONGNAME, 2
    block = header.tobuf(tarfile.GNU_FORMAT) + b"x\0".ljust(512, b"\0")
    with pytest.raises(FileFormatError, match="not a pack archive"):
        archive.unpack(gzip.compress(block * 900 + tar.out.getvalue(), mtime=0), "x")


def test_more_folders_than_a_pack_can_have_are_refused(tar: Tar) -> None:
    tar.add(f"{TOP}/noise", os.urandom(100_000))  # or it would be taken for a bomb
    for n in range(3 * content.MAX_FILES):
        tar.add(f"{TOP}/d{n}", type=tarfile.DIRTYPE)
    with pytest.raises(FileFormatError, match="too many members"):
        archive.unpack(tar.packed(), "x")


# --- whatever comes --------------------------------------------------------------------------

# Places in a header, and what somebody might write there: sizes, types, modes, checksums.
_FIELDS = [
    (100, b"\x80\xff"),
    (124, b"77777777777"),
    (124, b"\xff" * 12),
    (124, b"-1\0"),
    (148, b"        "),
    (156, b"2"),
    (156, b"L"),
    (156, b"S"),
    (156, b"x"),
]


@settings(max_examples=300, deadline=None)
@given(data=st.data())
def test_any_change_of_an_archives_bytes_is_refused_or_gives_a_pack(data: st.DataObject) -> None:
    plain = bytearray(_PLAIN)
    for _ in range(data.draw(st.integers(1, 6))):
        at = data.draw(st.integers(0, len(plain) - 1))
        kind = data.draw(st.sampled_from(["set", "cut", "again", "field"]))
        if kind == "set":
            plain[at] = data.draw(st.integers(0, 255))
        elif kind == "cut":
            del plain[at : at + data.draw(st.integers(1, 600))]
        elif kind == "again":
            plain[at:at] = plain[at : at + 512]
        else:  # a number of a header: size, mode, type
            block = at // 512 * 512
            place, text = data.draw(st.sampled_from(_FIELDS))
            plain[block + place : block + place + len(text)] = text
            _with_checksum(plain, block)
        if not plain:
            break
    _unpacks_or_is_refused(gzip.compress(bytes(plain), mtime=0))


@settings(max_examples=200, deadline=None)
@given(
    names=st.lists(
        st.text(st.sampled_from("aA\u00e1\u0301.ß/\\:\0 *\u202e-"), min_size=1, max_size=12),
        min_size=1,
        max_size=5,
    ),
    kinds=st.lists(
        st.sampled_from([tarfile.REGTYPE, tarfile.DIRTYPE, tarfile.SYMTYPE, b"S", b"V"])
    ),
)
def test_any_names_are_refused_or_can_lie_side_by_side(
    names: list[str], kinds: list[bytes]
) -> None:
    made = Tar(_MANIFEST)
    for name, kind in zip(names, [*kinds, *[tarfile.REGTYPE] * 5], strict=False):
        made.add(f"{TOP}/{name}", type=kind)
    _unpacks_or_is_refused(made.packed())


@settings(max_examples=100, deadline=None)
@given(st.binary(max_size=3000))
def test_any_bytes_are_refused(data: bytes) -> None:
    for packed in (data, gzip.compress(data, mtime=0)):
        with pytest.raises(FileFormatError):
            archive.unpack(packed, "x")


_MANIFEST = (
    '[pack]\nname = "guard"\nversion = "1.0.0"\ndescription = "x"\n'
    '[[hooks]]\nid = "a"\nevent = "PreToolUse"\nrun = "guard.py"\n'
)
_PLAIN = gzip.decompress(Tar(_MANIFEST).packed())


def _with_checksum(plain: bytearray, block: int) -> None:
    header = plain[block : block + 512]
    if len(header) == 512:
        header[148:156] = b" " * 8
        plain[block + 148 : block + 156] = b"%06o\0 " % sum(header)


def _unpacks_or_is_refused(data: bytes) -> None:
    try:
        found = archive.unpack(data, "x")
    except FileFormatError:
        return
    with tempfile.TemporaryDirectory() as base:
        for path, entry in found.files.items():
            place = Path(base, path)
            place.parent.mkdir(parents=True, exist_ok=True)
            with place.open("xb") as stream:
                stream.write(entry.data)
            assert place.resolve().is_relative_to(Path(base).resolve())
        assert sum(len(files) for _, _, files in os.walk(base)) == len(found.files)
