"""User scope: what is in the home, and the lines that it wired there."""

from __future__ import annotations

from hookpm import agents
from hookpm.agents import home_line
from tests.project.world import Result
from tests.userbridge.rig import User

ALL = agents.names()
# A file of the user's own for every agent that has its entries in one.
OWN = {
    ".claude/settings.json": '{\n    "a":1,\n "hooks": {"PreToolUse": [ ]} }',
    ".codex/hooks.json": '{\r\n  "description": "mine"\r\n}\r\n',
    ".gemini/settings.json": '{\n  // mine\n  "a": 1\n}\n',
    ".qwen/settings.json": '{"b": 1e99}',
    ".copilot/hooks/mine.json": '{"version": 1}\n',
    ".factory/hooks.json": '{\n\t"Stop": []\n}',
    ".cursor/hooks.json": '{"version":1,"hooks":{}}\n',
    ".kimi-code/config.toml": "# mine\nmodel = 'x'",
    ".gemini/config/hooks.json": '{"mine": {"Stop": []}}\n',
    ".cline/hooks/PreToolUse": "#!/bin/sh\n",
    ".pi/agent/settings.json": "{}",
    ".config/opencode/opencode.json": "{}\n",
}


def install(user: User, *names: str, more: tuple[str, ...] = ()) -> Result:
    """Install the pack `watch` for the user in these agents, else in all."""
    chosen = [f"--agent={name}" for name in names or ALL]
    return user.world.run("install", "watch", "--user", "--yes", *chosen, *more)


def write_own(user: User) -> None:
    """Put the user's own files into the home."""
    for path, text in OWN.items():
        file = user.home / path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_bytes(text.encode())


def home(user: User) -> dict[str, bytes | str]:
    """All of the home but the cache."""
    tree = user.world.tree(user.home)
    return {path: what for path, what in tree.items() if not path.startswith("cache")}


def line(agent: str, event: str = "PreToolUse") -> str:
    """The line that user scope wires."""
    return str(home_line.present(agent, event))
