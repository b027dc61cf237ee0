"""User scope on real agents: a pack in the home folder guards a project without any packs."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

import pytest

from tests.live.test_user_bridge import HOOK, PACK, drive, hookpm

if TYPE_CHECKING:
    from tests.live.conftest import World

AGENTS = (
    "claude",
    "cline",
    "codex",
    "copilot",
    "droid",
    "gemini",
    "kimi",
    "opencode",
    "pi",
    "qwen",
)


@pytest.fixture(params=AGENTS)
def name(request: pytest.FixtureRequest, need: Callable[[str], str]) -> str:
    return need(request.param)


def test_a_pack_of_the_user_guards_a_project_that_has_nothing_of_ours(
    name: str, world: World
) -> None:
    log = world.base / "count.log"
    pack = world.other / "counter-pack"
    pack.mkdir()
    (pack / "hookpack.toml").write_text(PACK)
    (pack / "count.py").write_text(HOOK.format(log=str(log)))
    (world.repo / "sub" / "deep").mkdir(parents=True)
    before = world.files()
    hookpm(world, "install", str(pack), "--user", "--agent", name, "--yes")

    outcome = drive(world, name, world.repo, "sub/deep")

    assert not (world.repo / "sub/deep/secret.txt").exists(), outcome.report()
    assert (world.repo / "sub/deep/notes.txt").exists(), outcome.report()
    assert log.read_text().splitlines() == [f"{name} Write"] * 2, outcome.report()
    ours = {path for path in world.files() - before if "hookpm" in path}
    assert ours == set()
