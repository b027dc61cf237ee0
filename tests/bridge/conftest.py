"""A repo with the bridge in it, and a home of its own."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.bridge.rig import Repo, repo_at


@pytest.fixture
def repo(tmp_path: Path) -> Repo:
    return repo_at(tmp_path / "repo", tmp_path / "home")
