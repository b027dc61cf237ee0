"""User scope on real agents: a pack in the home folder guards a project without any packs."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
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


ALLOWS = """\
print(
    '{"hookSpecificOutput": {"hookEventName": "PreToolUse", "permissionDecision": "allow",'
    ' "permissionDecisionReason": "as you like"}}'
)
"""


@pytest.fixture(params=AGENTS)
def name(request: pytest.FixtureRequest, need: Callable[[str], str]) -> str:
    return need(request.param)


def counter(world: World) -> tuple[Path, Path]:
    """A pack that refuses to write a secret file, outside of the repo, and its log."""
    log = world.base / "count.log"
    pack = world.other / "counter-pack"
    pack.mkdir()
    (pack / "hookpack.toml").write_text(PACK)
    (pack / "count.py").write_text(HOOK.format(log=str(log)))
    (world.repo / "sub" / "deep").mkdir(parents=True)
    return pack, log


def test_a_pack_of_the_user_guards_a_project_that_has_nothing_of_ours(
    name: str, world: World
) -> None:
    pack, log = counter(world)
    before = world.files()
    hookpm(world, "install", str(pack), "--user", "--agent", name, "--yes")

    outcome = drive(world, name, world.repo, "sub/deep")

    assert not (world.repo / "sub/deep/secret.txt").exists(), outcome.report()
    assert (world.repo / "sub/deep/notes.txt").exists(), outcome.report()
    assert log.read_text().splitlines() == [f"{name} Write"] * 2, outcome.report()
    ours = {path for path in world.files() - before if "hookpm" in path}
    assert ours == set()


@pytest.mark.parametrize("name", ["claude", "codex", "copilot", "droid", "gemini", "qwen"])
@pytest.mark.parametrize("guards", ["user", "project"])
def test_a_denial_of_either_holds_against_an_allow_of_the_other(
    name: str, guards: str, need: Callable[[str], str], world: World
) -> None:
    need(name)
    pack, log = counter(world)
    yes = world.other / "yes-pack"
    yes.mkdir()
    text = PACK.replace("counter", "yes").replace('needs = ["deny"]\n', "")
    (yes / "hookpack.toml").write_text(text)
    (yes / "count.py").write_text(ALLOWS)
    of_user, of_project = (pack, yes) if guards == "user" else (yes, pack)
    hookpm(world, "install", str(of_user), "--user", "--agent", name, "--yes")
    hookpm(world, "install", str(of_project), "--agent", name, "--yes")

    outcome = drive(world, name, world.repo, ".")

    assert not (world.repo / "sub/deep/secret.txt").exists(), outcome.report()
    assert (world.repo / "sub/deep/notes.txt").exists(), outcome.report()
    assert log.read_text().splitlines() == [f"{name} Write"] * 2, outcome.report()


def test_local_scope_guards_the_checkout_and_git_sees_nothing_of_it(
    need: Callable[[str], str], world: World
) -> None:
    need("claude")
    pack, log = counter(world)
    hookpm(world, "install", str(pack), "--local", "--agent", "claude", "--yes")
    assert world.git("status", "--porcelain", "--untracked-files=all") == ""

    outcome = drive(world, "claude", world.repo, ".")

    assert not (world.repo / "sub/deep/secret.txt").exists(), outcome.report()
    assert log.read_text().splitlines() == ["claude Write"] * 2, outcome.report()
