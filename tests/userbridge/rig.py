"""A user with the user bridge, and projects that it may or may not run: the real lines, by sh."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
from pathlib import Path
from typing import Any, NamedTuple

from hookpm import agents
from hookpm.agents import user_line
from tests.project.world import World

AGENTS = ("claude", "gemini", "qwen")
BY_THE_USER_ALONE = ("antigravity", "kimi")  # no project wires them
FILES = {name: f".{name}/settings.json" for name in AGENTS}
SHELL_TOOL = {"gemini": "run_shell_command", "qwen": "run_shell_command"}
HOOK = """\
import json, os, sys
call = json.load(sys.stdin)
with open(os.environ["RAN"], "a") as log:
    log.write(os.environ["CLAUDE_PROJECT_DIR"] + "\\n")
if "secret" in json.dumps(call.get("tool_input")):
    print("not the secret one", file=sys.stderr)
    sys.exit(2)
"""


class Heard(NamedTuple):
    """What the agent gets from a line."""

    answer: dict[str, Any]
    stderr: str
    code: int
    ran: list[str]

    @property
    def refused(self) -> bool:
        return "not the secret one" in json.dumps(self.answer)

    @property
    def told(self) -> str:
        """What the user or, where an agent shows nothing, the log is told."""
        return str(self.answer.get("systemMessage") or self.stderr)


class User:
    """world: its repo is the project; ran: the log that hooks of projects write to."""

    def __init__(self, world: World) -> None:
        self.world = world
        self.home = world.home
        self.repo = world.repo
        self.ran = world.base / "ran"
        self.data = world.home / "data/hookpm"
        self.list = world.home / "config/hookpm/allowed.json"
        world.publish(world.pack("watch", files={"guard.py": HOOK}))

    def project(self, root: Path | None = None, agent: str = "codex") -> Path:
        """A project with the pack, wired for an agent that has no user bridge."""
        root = root or self.repo
        root.mkdir(parents=True, exist_ok=True)
        (root / "sub" / "deep").mkdir(parents=True, exist_ok=True)
        self.world.ok("install", "watch", f"--agent={agent}", f"--root={root}", "--yes")
        return root

    def bridge(self, *agents: str) -> None:
        """Install the user bridge."""
        self.world.ok("init", "--user-bridge", "--yes", *(f"--agent={a}" for a in agents or AGENTS))

    def allow(self, root: Path | None = None) -> None:
        self.world.ok("allow", root or self.repo, "--yes")

    def line(self, agent: str, event: str = "PreToolUse") -> str:
        """The line as it stands in the user's file; what it should be where that is not there."""
        file = self.home / FILES.get(agent, "none")
        if not file.exists():
            return user_line.present(agent, event)
        native = {"gemini": {"PreToolUse": "BeforeTool"}}.get(agent, {}).get(event, event)
        groups = json.loads(file.read_text())["hooks"][native]
        lines = [h["command"] for g in groups for h in g["hooks"]]
        return str(next(line for line in lines if user_line.read(line)))

    def call(
        self,
        start: Path | None = None,
        command: str = "cat secret",
        *,
        agent: str = "claude",
        event: str = "PreToolUse",
        session: str = "s1",
        raw: bytes | None = None,
        cwd: Path | None = None,
        line: str | None = None,
        **variables: str | None,
    ) -> Heard:
        """Send one event through the user's line, as an agent does that was started in `start`."""
        start = start or self.repo / "sub" / "deep"
        wiring = agents.load(agent).wiring
        environment = {**os.environ, **wiring.environment(start), "RAN": str(self.ran), **variables}
        before = self._log()
        done = subprocess.run(
            [
                shutil.which(wiring.SHELL[0]) or "sh",
                *wiring.SHELL[1:],
                line or self.line(agent, event),
            ],
            input=json.dumps(self.payload(agent, event, session, command, start)).encode()
            if raw is None
            else raw,
            capture_output=True,
            cwd=cwd or start,
            env={key: value for key, value in environment.items() if value is not None},
            timeout=60,
        )
        return Heard(
            json.loads(done.stdout) if done.stdout.strip() else {},
            done.stderr.decode("utf-8", "replace"),
            done.returncode,
            self._log()[len(before) :],
        )

    def _log(self) -> list[str]:
        return self.ran.read_text().splitlines() if self.ran.exists() else []

    def payload(
        self, agent: str, event: str, session: str, command: str, start: Path
    ) -> dict[str, Any]:
        """The agent's own payload; its cwd is somewhere else, where the model's `cd` led."""
        made = agents.load(agent).wiring.canary(event, "n", start)
        if agent == "antigravity":
            made["conversationId"] = session
            if event == "PreToolUse":
                called = {"CommandLine": command, "Cwd": str(self.world.base)}
                made["toolCall"] = {"name": "run_command", "args": called}
            return made
        made["session_id"] = session
        made["cwd"] = str(self.world.base)
        if agent == "claude":
            made["transcript_path"] = f"/h/.claude/projects/p/{session}.jsonl"
        if event in ("PreToolUse", "PostToolUse"):
            made["tool_name"] = SHELL_TOOL.get(agent, "Bash")
            made["tool_input"] = {"command": command}
        return made
