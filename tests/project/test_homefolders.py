"""Where the user's own things are: never in a folder that depends on where one stands."""

from __future__ import annotations

from pathlib import Path

import pytest

from hookpm.errors import SystemFailureError
from hookpm.project.home import homefolders
from tests.project.world import World


def test_a_relative_folder_of_xdg_does_not_count(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("XDG_DATA_HOME", "data")
    monkeypatch.setenv("XDG_CONFIG_HOME", "config")
    assert homefolders.data_folder() == world.home / ".local/share/hookpm"
    assert homefolders.config_folder() == world.home / ".config/hookpm"


@pytest.mark.parametrize("given", ["home", "", None])
def test_a_home_that_is_no_absolute_path_is_none(
    world: World, monkeypatch: pytest.MonkeyPatch, given: str | None
) -> None:
    for variable in ("XDG_DATA_HOME", "XDG_CONFIG_HOME"):
        monkeypatch.delenv(variable)
    if given is None:
        monkeypatch.delenv("HOME")
    else:
        monkeypatch.setenv("HOME", given)
    for find in (homefolders.home, homefolders.data_folder, homefolders.config_folder):
        with pytest.raises(SystemFailureError, match="no home folder"):
            find()
    before = world.tree()
    done = world.run("init", "--user-bridge", "--agent=claude", "--yes")
    assert done.code == 3, done.text
    assert "no home folder" in done.err
    assert world.tree() == before


def test_links_in_the_way_to_the_home_are_followed(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    link = world.base / "link"
    link.symlink_to(world.home)
    monkeypatch.setenv("HOME", str(link))
    assert homefolders.home() == Path(world.home)
