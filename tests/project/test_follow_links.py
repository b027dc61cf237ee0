"""A link out of the project is written through only where the user says so, and stays a link."""

from __future__ import annotations

from pathlib import Path

import pytest

from hookpm.project.writing.pending import PENDING
from tests.project.faults import Faults, injected
from tests.project.world import FILES, World

MINE = '{\n\t"model": "x"\n}\n'
FOLLOW = "--follow-links"


@pytest.fixture(params=["file", "folder"])
def outside(world: World, request: pytest.FixtureRequest) -> Path:
    """The user's settings outside of the project; a link in the project leads there."""
    away = world.base / "dotfiles"
    away.mkdir()
    real = away / "settings.json"
    real.write_text(MINE)
    real.chmod(0o600)
    link = world.repo / ".claude"
    if request.param == "folder":
        link.symlink_to(away)
    else:
        link.mkdir()
        (link / "settings.json").symlink_to(real)
    return real


def test_it_is_left_alone_and_the_way_to_say_yes_is_named(world: World, outside: Path) -> None:
    done = world.run("install", "guard", "--agent=claude", "--agent=codex")
    assert done.code == 1
    assert "leads out of the project" in done.err
    assert FOLLOW in done.err
    assert outside.read_text() == MINE
    assert "codex: proved" in done.out


def test_with_a_yes_it_is_written_keeps_link_and_mode_and_comes_back(
    world: World, outside: Path
) -> None:
    before = world.tree()
    done = world.ok("install", "guard", "--agent=claude", FOLLOW)
    assert "claude: proved" in done.out
    assert "bridge.py" in outside.read_text()
    assert outside.stat().st_mode & 0o777 == 0o600
    assert world.ok("status", "--json").json["state"] == "ok"
    assert "nothing to change" in world.ok("sync").out  # no yes is needed where nothing is written
    world.ok("uninstall", "guard", FOLLOW)
    assert outside.read_text() == MINE
    assert world.tree() == before


def test_an_uninstall_without_a_yes_says_what_it_leaves_and_one_with_it_ends_it(
    world: World, outside: Path
) -> None:
    before = world.tree()
    world.ok("install", "guard", "--agent=claude", FOLLOW)
    done = world.run("uninstall", "guard")
    assert done.code == 1
    assert FOLLOW in done.err
    assert "bridge.py" in outside.read_text()
    assert world.run("status").code == 1
    world.ok("sync", FOLLOW)
    assert outside.read_text() == MINE
    assert world.tree() == before


def test_a_stopped_run_with_a_yes_is_not_ended_by_one_without(world: World, outside: Path) -> None:
    """A repo could bring the leftovers of such a run along."""
    command = ("install", "guard", "--agent=claude", FOLLOW)
    faults = Faults()
    with injected(faults):
        world.ok(*command)
    world.ok("uninstall", "guard", FOLLOW)
    start = next(
        n
        for n, call in enumerate(faults.calls, 1)
        if "journal.json" in call or ("journal.part" in call and call.startswith("replace"))
    )
    with injected(Faults(start + 3)):
        world.run(*command)
    assert (world.repo / PENDING / "journal.json").exists()
    done = world.run("sync")
    assert done.code == 1, done.text
    assert FOLLOW in done.err
    assert outside.read_text() == MINE
    world.ok(*command)
    assert "bridge.py" in outside.read_text()


def test_what_is_hookpms_own_is_never_written_through_a_link(world: World) -> None:
    away = world.base / "away"
    away.mkdir()
    (world.repo / ".agents").symlink_to(away)
    done = world.run("install", "guard", "--agent=claude", FOLLOW)
    assert done.code == 3
    assert "leads out of the project" in done.err
    assert list(away.iterdir()) == []
    assert not (world.repo / FILES["claude"]).exists()
