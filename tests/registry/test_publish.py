from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from hookpm.errors import FileFormatError, NotFoundError, RefusedError
from hookpm.packs import archive
from hookpm.registry import publish
from hookpm.registry.index import FolderRegistry, encode

MakePack = Callable[..., Path]


def put(packs: list[Path], index: Path) -> publish.Plan:
    planned = publish.plan(packs, index)
    publish.apply(planned, index)
    return planned


def tree(folder: Path) -> dict[str, bytes]:
    files = [p for p in folder.rglob("*") if p.is_file()]
    return {p.relative_to(folder).as_posix(): p.read_bytes() for p in files}


def test_a_published_pack_can_be_found_and_unpacked(make_pack: MakePack, index: Path) -> None:
    put([make_pack("guard", "1.0", more='[dependencies]\nb = ">=1"\n')], index)
    registry = FolderRegistry(index, "here")
    assert registry.names() == ["guard"]
    page = registry.pack("guard")
    assert page is not None
    release = page.versions[0]
    assert (release.version, release.requires_hookpm) == ("1.0", ">=0.1")
    assert release.dependencies == {"b": ">=1"}
    assert (release.hooks[0].id, release.hooks[0].needs) == ("h", ("deny",))
    data = registry.archive("guard", release)
    assert len(data) == release.size
    assert archive.unpack(data, "x").manifest.name == "guard"
    assert registry.pack("other") is None
    assert registry.pack("../index") is None


def test_files_have_sorted_keys_and_no_times(make_pack: MakePack, index: Path) -> None:
    put([make_pack("guard", "1.0")], index)
    for name in ("index.json", "packs/guard.json"):
        text = (index / name).read_text("utf-8")
        again = json.dumps(json.loads(text), indent=2, sort_keys=True, ensure_ascii=False)
        assert text.replace("[]", "[]") == again + "\n"
    assert json.loads((index / "index.json").read_text()) == {
        "format": 1,
        "packs": {"guard": {"description": "About guard ü", "latest": "1.0"}},
    }


def test_two_builds_give_the_same_bytes_in_any_order(
    make_pack: MakePack, index: Path, tmp_path: Path
) -> None:
    packs = [make_pack("a", "1.0"), make_pack("a", "2.0"), make_pack("b", "1.0")]
    put(packs, index)
    for pack in reversed(packs):
        put([pack], tmp_path / "again")
    assert tree(index) == tree(tmp_path / "again")


def test_publishing_the_same_pack_again_changes_nothing(make_pack: MakePack, index: Path) -> None:
    pack = make_pack("guard", "1.0")
    put([pack], index)
    before = tree(index)
    assert put([pack], index) == publish.Plan({}, ())
    assert tree(index) == before


def test_a_published_version_cannot_get_other_bytes(make_pack: MakePack, index: Path) -> None:
    put([make_pack("guard", "1.0")], index)
    before = tree(index)
    with pytest.raises(RefusedError) as caught:
        put([make_pack("guard", "1.0", "changed\n")], index)
    assert caught.value.cause == "these differ: h.py"
    assert "raise the version" in (caught.value.hint or "")
    assert tree(index) == before


def test_an_archive_that_another_zlib_compressed_is_the_same_pack(
    make_pack: MakePack, index: Path
) -> None:
    import gzip
    import hashlib

    pack = make_pack("guard", "1.0")
    put([pack], index)
    file = index / "archives" / "guard-1.0.tar.gz"
    data = gzip.compress(gzip.decompress(file.read_bytes()), 1, mtime=0)
    file.write_bytes(data)
    page = json.loads((index / "packs" / "guard.json").read_text())
    page["versions"][0].update(sha256=hashlib.sha256(data).hexdigest(), size=len(data))
    (index / "packs" / "guard.json").write_bytes(
        json.dumps(page, indent=2, sort_keys=True, ensure_ascii=False).encode() + b"\n"
    )
    assert publish.plan([pack], index).files == {}


def test_the_newest_version_stands_last_and_latest_is_no_prerelease(
    make_pack: MakePack, index: Path
) -> None:
    for version in ("1.10", "2.0rc1", "1.9", "1.10.1"):
        put([make_pack("guard", version)], index)
    registry = FolderRegistry(index, "here")
    page = registry.pack("guard")
    assert page is not None
    assert [r.version for r in page.versions] == ["1.9", "1.10", "1.10.1", "2.0rc1"]
    assert registry.listing()["guard"].latest == "1.10.1"


def test_a_local_version_cannot_be_published(make_pack: MakePack, index: Path) -> None:
    with pytest.raises(RefusedError, match="local version"):
        put([make_pack("guard", "1.0+mine")], index)
    assert not index.exists()


def test_a_version_written_in_another_way_is_the_same_version(
    make_pack: MakePack, index: Path
) -> None:
    put([make_pack("guard", "1.0")], index)
    with pytest.raises(RefusedError, match=r"already, as 1\.0"):
        put([make_pack("guard", "1.0.0")], index)


def test_a_pack_with_a_broken_case_is_not_published(make_pack: MakePack, index: Path) -> None:
    pack = make_pack("guard", "1.0")
    (pack / "cases").mkdir()
    (pack / "cases" / "a.toml").write_text("[[case]]\n")
    with pytest.raises(FileFormatError, match="`name` is missing"):
        put([pack], index)


def test_other_peoples_packs_in_the_index_stay(make_pack: MakePack, index: Path) -> None:
    put([make_pack("a", "1.0")], index)
    put([make_pack("b", "1.0")], index)
    assert FolderRegistry(index, "here").names() == ["a", "b"]
    assert publish.problems(index) == []


def test_the_command_builds_checks_and_says_what_differs(
    make_pack: MakePack, index: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    pack = make_pack("guard", "1.0")
    arguments = [str(pack), "--to", str(index)]
    assert publish.main([*arguments, "--check"]) == 1
    assert "packs/guard.json is out of date" in capsys.readouterr().out
    assert not index.exists()
    assert publish.main(arguments) == 0
    assert capsys.readouterr().out == "published: guard 1.0\n"
    assert publish.main([*arguments, "--check"]) == 0
    (index / "archives" / "stray.tar.gz").write_bytes(b"")
    (index / "packs" / "guard.json").write_bytes(b"{}")
    assert publish.main([*arguments, "--check"]) == 3
    assert "error: " in capsys.readouterr().err


def test_check_finds_changed_missing_and_stray_files(
    make_pack: MakePack, index: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    put([make_pack("a", "1.0"), make_pack("b", "1.0")], index)
    (index / "archives" / "a-1.0.tar.gz").write_bytes(b"x")
    (index / "packs" / "b.json").unlink()
    (index / "stray").touch()
    assert publish.problems(index) == [
        "archives/a-1.0.tar.gz: the archive of a 1.0 is not the one that was published",
        "packs/b.json is missing",
        "archives/b-1.0.tar.gz belongs to no pack",
        "stray belongs to no pack",
    ]


def test_the_module_runs_as_a_command(make_pack: MakePack, index: Path) -> None:
    root = Path(__file__).parents[2]
    command = [sys.executable, "-m", "hookpm.registry.publish", "gone", "--to", str(index)]
    done = subprocess.run(command, cwd=root, capture_output=True, text=True)
    assert done.returncode == 3
    assert done.stderr.startswith("error: gone: no folder gone\nhint: ")


def test_a_registry_that_cannot_be_read_says_how(make_pack: MakePack, index: Path) -> None:
    registry = FolderRegistry(index, "here")
    with pytest.raises(NotFoundError, match="is no registry"):
        registry.names()
    put([make_pack("guard", "1.0")], index)
    page = registry.pack("guard")
    assert page is not None
    file = index / "archives" / "guard-1.0.tar.gz"
    data = file.read_bytes()
    file.write_bytes(data[:-1] + b"x")
    with pytest.raises(FileFormatError) as caught:
        registry.archive("guard", page.versions[0])
    assert page.versions[0].sha256 in (caught.value.cause or "")
    assert str(caught.value.cause).count("sha256 is") == 1
    file.unlink()
    with pytest.raises(NotFoundError, match="lacks its archive"):
        registry.archive("guard", page.versions[0])
    assert encode(page) == (index / "packs" / "guard.json").read_bytes()


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        ('"format": 1', '"format": 2', "format 2, this hookpm reads format 1"),
        ('"name": "guard"', '"name": "other"', "is about other"),
        ("archives/guard", "../guard", r"'\.\.'"),
        ("archives/guard", "/guard", "absolute"),
        ('">=0.1"', '"0.1"', "PEP 440"),
        ('"version": "1.0"', '"version": "x"', "not a version"),
        ('"size": ', '"size": "x', "not a registry file"),
        ("{", "", "not a registry file"),
    ],
)
def test_a_wrong_page_is_refused_with_its_file(
    make_pack: MakePack, index: Path, old: str, new: str, said: str
) -> None:
    put([make_pack("guard", "1.0")], index)
    file = index / "packs" / "guard.json"
    text = file.read_text("utf-8")
    assert old in text
    file.write_text(text.replace(old, new, 1), "utf-8")
    with pytest.raises(FileFormatError, match=said) as caught:
        FolderRegistry(index, "here").pack("guard")
    assert caught.value.file == str(file)


def test_a_newer_page_may_have_more_keys(make_pack: MakePack, index: Path) -> None:
    put([make_pack("guard", "1.0")], index)
    file = index / "packs" / "guard.json"
    file.write_text(file.read_text().replace("{", '{"later": [1],', 1))
    assert FolderRegistry(index, "here").pack("guard") is not None
