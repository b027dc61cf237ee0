"""A user with an empty home, and a repo."""

from __future__ import annotations

import pytest

from tests.project.world import World
from tests.userbridge.rig import User


@pytest.fixture
def user(world: World) -> User:
    return User(world)
