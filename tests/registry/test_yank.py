"""Withdrawing versions, two runs at once, and runs that are killed half-way."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from hookpm.errors import NotFoundError, SystemFailureError
from hookpm.registry import publish, writing
from hookpm.registry.index import FolderRegistry, PackPage

MakePack = Callable[..., Path]
ROOT = Path(__file__).parents[2]


def page(index: Path, name: str = "guard") -> PackPage:
    found = FolderRegistry(index, "here").pack(name)
    assert found is not None
    return found


def tree(folder: Path) -> dict[str, bytes]:
    files = [p for p in folder.rglob("*") if p.is_file()]
    return {p.relative_to(folder).as_posix(): p.read_bytes() for p in files}


@pytest.fixture
def two(make_pack: MakePack, index: Path) -> Path:
    publish.publish([make_pack("guard", "1.0"), make_pack("guard", "1.1")], index)
    return index


def test_a_withdrawn_version_is_marked_and_nothing_of_it_goes(two: Path) -> None:
    before = tree(two)
    done = publish.yank("guard", "1.1", two, reason="denies too much")
    assert sorted(done.files) == ["index.json", "packs/guard.json"]
    assert [(r.version, r.withdrawn) for r in page(two).versions] == [
        ("1.0", ""),
        ("1.1", "withdrawn: denies too much"),
    ]
    assert FolderRegistry(two, "here").listing()["guard"].latest == "1.0"
    after = tree(two)
    assert {p: d for p, d in after.items() if p.startswith("archives/")} == {
        p: d for p, d in before.items() if p.startswith("archives/")
    }
    assert publish.problems(two) == []


def test_withdrawing_can_be_taken_back_to_the_byte(two: Path) -> None:
    before = tree(two)
    publish.yank("guard", "1.1.0", two, reason="x")
    publish.yank("guard", "1.1", two, undo=True)
    assert tree(two) == before
    assert publish.yank("guard", "1.1", two, undo=True).files == {}


def test_publishing_it_again_does_not_offer_it_again(two: Path, make_pack: MakePack) -> None:
    publish.yank("guard", "1.1", two)
    assert publish.publish([make_pack("guard", "1.1")], two).files == {}
    assert page(two).versions[1].yanked


@pytest.mark.parametrize(
    ("name", "version", "words"),
    [("gaurd", "1.0", "guard"), ("guard", "2.0", "1.0, 1.1")],
)
def test_what_is_not_there_cannot_be_withdrawn(
    two: Path, name: str, version: str, words: str
) -> None:
    with pytest.raises(NotFoundError) as caught:
        publish.yank(name, version, two)
    assert words in (caught.value.hint or "")
    with pytest.raises(NotFoundError, match="no registry"):
        publish.yank("guard", "1.0", two / "elsewhere")
    assert not (two / "elsewhere").exists()


def test_many_runs_at_once_lose_nothing(make_pack: MakePack, index: Path) -> None:
    packs = [make_pack(name, version) for name in "abc" for version in ("1.0", "1.1")]
    runs = [
        subprocess.Popen(
            [sys.executable, "-m", "hookpm", "pack", "publish", str(pack), "--to", str(index)],
            env={**os.environ, "PYTHONPATH": str(ROOT)},
            stdout=subprocess.DEVNULL,
        )
        for pack in packs
    ]
    assert [run.wait(120) for run in runs] == [0] * len(runs)
    assert publish.problems(index) == []
    registry = FolderRegistry(index, "here")
    assert {n: [r.version for r in page(index, n).versions] for n in registry.names()} == {
        name: ["1.0", "1.1"] for name in "abc"
    }
    assert {line.latest for line in registry.listing().values()} == {"1.1"}


def test_a_second_run_gives_up_where_the_first_does_not_end(
    make_pack: MakePack, index: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(writing, "WAIT", 0.1)
    with writing.locked(index), pytest.raises(SystemFailureError, match="another hookpm"):
        publish.publish([make_pack("a", "1.0")], index)


_KILLED = """\
import os, signal, sys
from pathlib import Path
from hookpm.registry import publish
left = int(sys.argv[1])
real = Path.replace
def replace(self, target):
    global left
    if left == 0:
        os.kill(os.getpid(), signal.SIGKILL)
    left -= 1
    return real(self, target)
Path.replace = replace
publish.publish([Path(p) for p in sys.argv[3:]], Path(sys.argv[2]))
"""


def test_a_run_that_is_killed_at_any_write_leaves_a_registry_that_the_next_completes(
    make_pack: MakePack, tmp_path: Path
) -> None:
    old, new, other = make_pack("guard", "1.0"), make_pack("guard", "1.1"), make_pack("b", "1.0")
    whole = tmp_path / "whole"
    publish.publish([old], whole)
    publish.publish([new, other], whole)
    killed = 0
    for writes in range(20):
        index = tmp_path / f"index {writes}"
        publish.publish([old], index)
        done = subprocess.run(
            [sys.executable, "-c", _KILLED, str(writes), str(index), str(new), str(other)],
            env={**os.environ, "PYTHONPATH": str(ROOT)},
            check=False,
        )
        registry = FolderRegistry(index, "here")
        for name in registry.names():  # whatever a reader finds can be fetched
            for release in page(index, name).versions:
                registry.archive(name, release)
        if done.returncode == 0:
            break
        assert done.returncode == -signal.SIGKILL
        killed += 1
        publish.publish([other], index)  # another pack alone brings the index up to date
        assert not any(p.name.startswith(".") for p in index.rglob("*"))
        for name, line in registry.listing().items():
            assert line.latest == page(index, name).versions[-1].version
        publish.publish([new, other], index)
        assert tree(index) == tree(whole)
    assert killed == 6  # two archives, the journal, two pages, the index
