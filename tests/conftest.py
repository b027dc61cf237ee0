"""What tests of several folders share."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from hookpm.agents import local
from tests.project.world import World


@pytest.fixture(scope="session", autouse=True)
def no_local_evidence(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """What `hookpm probe` measured on the developer's machine is no part of any test."""
    place = tmp_path_factory.mktemp("evidence")
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(local, "folder", lambda: place)
        yield


@pytest.fixture
def world(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> World:
    """A repo, a home and a registry with the packs guard 1.0.0, 1.1.0, 2.0.0 and helper 1.0.0."""
    made = World(tmp_path, monkeypatch)
    folders = [made.pack("guard", version) for version in ("1.0.0", "1.1.0", "2.0.0")]
    made.publish(*folders, made.pack("helper"))
    return made
