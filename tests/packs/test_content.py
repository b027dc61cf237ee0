from __future__ import annotations

import os
import socket
from pathlib import Path

import pytest

from hookpm.errors import FileFormatError, HookpmError
from hookpm.packs import content


def test_a_pack_is_its_files_sorted_by_path(pack: Path) -> None:
    found = content.read(pack)
    assert list(found.files) == ["cases/a.toml", "guard.py", "hookpack.toml"]
    assert found.manifest.name == "guard"
    assert found.files["guard.py"].data == b"print('{}')\n"
    assert len(found.files["guard.py"].sha256) == 64


def test_what_tools_leave_behind_is_not_packed(pack: Path) -> None:
    before = content.read(pack)
    for name in (
        "guard.pyc",
        ".DS_Store",
        "guard.py~",
        ".guard.py.swp",
        "#x#",
        "._guard.py",
        ".gitignore",
        ".gitattributes",
    ):
        (pack / name).write_bytes(b"x")
    for folder in (".git", "__pycache__", ".pytest_cache", "cases/__pycache__"):
        (pack / folder).mkdir()
        (pack / folder / "x").write_bytes(b"x")
    assert content.read(pack) == before


def test_the_hash_of_the_whole_sees_bytes_paths_and_bits(pack: Path) -> None:
    hashes = {content.read(pack).sha256}
    (pack / "guard.py").write_bytes(b"print('{} ')\n")
    hashes.add(content.read(pack).sha256)
    (pack / "b.txt").write_bytes(b"")
    hashes.add(content.read(pack).sha256)
    (pack / "b.txt").chmod(0o755)
    hashes.add(content.read(pack).sha256)
    (pack / "b.txt").rename(pack / "c.txt")
    hashes.add(content.read(pack).sha256)
    assert len(hashes) == 5


def test_scripts_are_executable_whatever_their_bit_says(pack: Path) -> None:
    (pack / "x.sh").write_bytes(b"#!/bin/sh\n")
    (pack / "y").write_bytes(b"echo\n")
    text = (pack / "hookpack.toml").read_text().replace('command = "echo hello"', 'run = "y"')
    (pack / "hookpack.toml").write_text(text)
    files = content.read(pack).files
    assert [p for p, e in files.items() if e.executable] == ["x.sh", "y"]


def test_a_link_inside_the_pack_is_packed_as_the_file_it_leads_to(pack: Path) -> None:
    (pack / "again.py").symlink_to("guard.py")
    assert content.read(pack).files["again.py"] == content.read(pack).files["guard.py"]


def _outward(pack: Path) -> None:
    (pack.parent / "secret").write_text("x")
    (pack / "bad").symlink_to("../secret")


def _dangling(pack: Path) -> None:
    (pack / "bad").symlink_to("gone")


def _folder_link(pack: Path) -> None:
    (pack / "bad").symlink_to("cases")


def _into_git(pack: Path) -> None:
    (pack / ".git").mkdir()
    (pack / ".git" / "config").write_text("x")
    (pack / "bad").symlink_to(".git/config")


def _pipe(pack: Path) -> None:
    os.mkfifo(pack / "bad")


def _socket(pack: Path) -> None:
    here = os.getcwd()
    os.chdir(pack)  # the path of a socket may have 107 bytes only
    try:
        with socket.socket(socket.AF_UNIX) as end:
            end.bind("bad")
    finally:
        os.chdir(here)


def _crlf(pack: Path) -> None:
    (pack / "bad").write_bytes(b"#!/bin/sh\r\necho hi\r\n")


def _big(pack: Path) -> None:
    with (pack / "bad").open("wb") as stream:
        stream.truncate(content.MAX_BYTES + 1)


BAD = [
    (_outward, "leads out of the pack"),
    (_dangling, "link to nothing"),
    (_folder_link, "not a file"),
    (_into_git, "not packed"),
    (_pipe, "not a regular file"),
    (_socket, "not a regular file"),
    (_crlf, "CRLF"),
    (_big, "more than 10 MB"),
]


@pytest.mark.parametrize(("make", "said"), BAD)
def test_a_file_that_cannot_be_in_a_pack_is_refused_by_name(
    pack: Path, make: object, said: str
) -> None:
    make(pack)  # type: ignore[operator]
    with pytest.raises(FileFormatError, match=said) as caught:
        content.read(pack)
    assert caught.value.message.startswith("bad cannot be in a pack")
    assert caught.value.file == str(pack)


@pytest.mark.parametrize(
    ("name", "said"),
    [
        (b"a\\b", "backslash"),
        (b"a:b", "colon"),
        (b"a\nb", "control character"),
        (b"a.", "ends with a dot"),
        (b"a ", "ends with a dot or a blank"),
        (b"nul.txt", "Windows"),
        (b"\xff", "UTF-8"),
        ("a\u202eb".encode(), "control character"),
    ],
)
def test_a_name_that_not_every_system_can_hold_is_refused(
    pack: Path, name: bytes, said: str
) -> None:
    (Path(os.fsdecode(os.fsencode(pack) + b"/" + name))).write_bytes(b"")
    with pytest.raises(FileFormatError, match=said) as caught:
        content.read(pack)
    assert caught.value.message.isprintable()


@pytest.mark.parametrize("pair", [("a.txt", "A.txt"), ("d/x", "D/y"), ("é", "e\u0301")])
def test_names_that_differ_in_case_only_are_refused(pack: Path, pair: tuple[str, str]) -> None:
    for name in pair:
        (pack / name).parent.mkdir(exist_ok=True)
        (pack / name).write_bytes(b"")
    with pytest.raises(FileFormatError, match="blind to case"):
        content.read(pack)


def test_more_than_2000_files_are_refused(pack: Path) -> None:
    for n in range(content.MAX_FILES):
        (pack / f"f{n}").write_bytes(b"")
    with pytest.raises(FileFormatError, match="at most 2000 files"):
        content.read(pack)


def test_a_folder_that_is_no_pack_is_said_to_be_none(tmp_path: Path) -> None:
    with pytest.raises(HookpmError, match="is not a pack"):
        content.read(tmp_path)
