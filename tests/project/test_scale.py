"""A large registry: what is asked for is what is needed, and once it is here, only whether it is
still the same."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.project.world import World
from tests.registry.generated import GROUP, Generated
from tests.registry.server import Site, serving

GENERATED = Generated(packs=10_000, versions=5)


@pytest.fixture
def large(world: World) -> Iterator[Site]:
    with serving() as site:
        site.elsewhere = GENERATED.answer
        name_it(world.repo, site)
        yield site


def name_it(repo: Path, site: Site) -> None:
    file = repo / ".agents" / "hookpm.toml"
    file.parent.mkdir(parents=True)
    file.write_text(f'agents = ["claude"]\n\n[registries]\nlarge = "{site.url}"\n')


def test_an_install_asks_for_each_page_and_archive_once_and_for_nothing_else(
    world: World, large: Site
) -> None:
    group = GENERATED.group(7)
    done = world.ok("install", group[0], "--json").json
    assert sorted(p["name"] for p in done["packs"]) == sorted(group)
    asked = Counter(large.paths())
    assert sorted(path for path in asked if path.startswith("/packs/")) == sorted(
        f"/packs/{name}.json" for name in group
    )
    archives = [path for path in asked if path.startswith("/archives/")]
    assert len(archives) == GROUP
    assert len(asked) == 2 * GROUP
    assert set(asked.values()) == {1}
    base = next(p for p in done["packs"] if p["name"].startswith("base-"))
    assert base["version"] == "1.0.0"  # the newest that all of them take


def test_with_all_of_it_in_the_cache_only_revalidation_is_left(
    world: World, large: Site, tmp_path: Path
) -> None:
    group = GENERATED.group(3)
    world.ok("install", group[0])
    large.log.clear()
    other = tmp_path / "other"
    name_it(other, large)
    world.ok("install", group[0], "--root", other)
    assert sorted(large.paths()) == sorted(f"/packs/{name}.json" for name in group)
    assert {asked.status for asked in large.log} == {304}
    large.log.clear()
    world.ok("sync")
    world.ok("install", group[0])
    assert large.log == []


def test_a_search_takes_one_request_and_then_one_that_brings_nothing(
    world: World, large: Site
) -> None:
    for status in (200, 304):
        large.log.clear()
        found = world.ok("search", "base-0007", "--json").json
        assert [p["name"] for p in found["packs"]] == [GENERATED.group(7)[-1]]
        assert [(a.path, a.status) for a in large.log] == [("/index.json", status)]
