"""What tests of several folders share."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.project.world import World


@pytest.fixture
def world(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> World:
    """A repo, a home and a registry with the packs guard 1.0.0, 1.1.0, 2.0.0 and helper 1.0.0."""
    made = World(tmp_path, monkeypatch)
    folders = [made.pack("guard", version) for version in ("1.0.0", "1.1.0", "2.0.0")]
    made.publish(*folders, made.pack("helper"))
    return made
