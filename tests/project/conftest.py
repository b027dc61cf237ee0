"""A registry on loopback beside the world's own."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from hookpm.registry import publish
from tests.project.world import World
from tests.registry.server import Site, serving


@pytest.fixture
def acme(world: World, tmp_path: Path) -> Iterator[Site]:
    """A registry on loopback with rules 1.0.0, which needs base 1.0.0."""
    packs = [
        world.pack("base"),
        world.pack("rules", more='[dependencies]\nbase = ">=1"\n'),
    ]
    publish.apply(publish.plan(packs, tmp_path / "acme"), tmp_path / "acme")
    with serving() as site:
        site.put_tree(tmp_path / "acme")
        yield site


@pytest.fixture
def named(world: World, acme: Site) -> Site:
    """The same, and hookpm.toml names it."""
    world.write(
        ".agents/hookpm.toml", f'agents = ["claude"]\n\n[registries]\nacme = "{acme.url}"\n'
    )
    return acme
