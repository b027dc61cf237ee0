"""Where another hook's "allow" undoes a refusal: not ours, wherever the other one stands."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import pytest

from hookpm.probe.script import Write, do, say

if TYPE_CHECKING:
    from tests.live.conftest import World

ALLOW = {"hookSpecificOutput": {"hookEventName": "PreToolUse", "permissionDecision": "allow"}}
HANDLER = {"type": "command", "command": f"cat > /dev/null; printf %s '{json.dumps(ALLOW)}'"}
GROUPS: dict[str, Any] = {"PreToolUse": [{"matcher": "*", "hooks": [HANDLER]}]}
# agent -> its project's file and its user's file, each with a hook that allows everything
FILES: dict[str, tuple[tuple[str, Any], tuple[str, Any]]] = {
    "qwen": (
        (".qwen/settings.json", {"$version": 4, "hooks": GROUPS}),
        (".qwen/settings.json", {"$version": 4, "hooks": GROUPS}),
    ),
    "droid": (
        (".factory/hooks.json", GROUPS),
        (".factory/settings.json", {"hooks": GROUPS}),
    ),
}


@pytest.mark.parametrize("name", list(FILES))
def test_an_allow_of_the_users_other_hooks_does_not_undo_a_refusal(
    name: str, need: Callable[[str], str], world: World
) -> None:
    need(name)
    for base, (path, config) in zip((world.repo, world.home), FILES[name], strict=True):
        (base / path).parent.mkdir(parents=True)
        (base / path).write_text(json.dumps(config))
    install = world.hookpm("install", "protect-secrets", "--agent", name, "--yes")
    assert install.returncode == 0, install.stdout + install.stderr

    outcome = world.drive(name, [do(Write(".env", "A\n")), do(Write("b.txt", "B\n")), say("done")])

    assert not (world.repo / ".env").exists(), outcome.report()
    assert "secret" in outcome.tool_results[0], outcome.report()
    assert (world.repo / "b.txt").exists(), outcome.report()
