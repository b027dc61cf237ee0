"""A repo with the vendored bridge in it, driven as agents do it: a process, stdin, stdout."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any, NamedTuple

from hookpm import agents
from hookpm.agents import shell_line
from hookpm.project.vendor import bridge_files

AGENTS = ("claude", "codex", "copilot", "cursor", "gemini")
CANNOT_SHOW = ("copilot", "cursor")  # no systemMessage before a tool
PYTHON = str(Path(getattr(sys, "_base_executable", sys.executable)).resolve())
SHELL_TOOL = {"gemini": "run_shell_command", "copilot": "bash", "cursor": "Shell"}
EDIT_TOOL = {"gemini": "replace", "copilot": "edit", "cursor": "Write"}
# A guard that refuses a shell command with the word in its argument, whatever else happens.
GUARD = """
import json, sys
call = json.load(sys.stdin)
if sys.argv[1] in json.dumps(call["tool_input"]):
    print("no " + sys.argv[1], file=sys.stderr)
    sys.exit(2)
"""


class Heard(NamedTuple):
    """What the agent gets from the bridge."""

    stdout: bytes
    stderr: str
    code: int

    @property
    def answer(self) -> dict[str, Any]:
        """The one JSON object; {} for silence. Anything else fails the test."""
        assert self.code == 0, self
        if not self.stdout:
            return {}
        value = json.loads(self.stdout)
        assert isinstance(value, dict)
        assert self.stdout.count(b"\n") <= 1
        return value

    def refusal(self) -> str:
        """Why the call is refused, in whichever agent's form; "" if it is not."""
        out = self.answer
        inner = out.get("hookSpecificOutput", {})
        for place, word, reason in (
            (inner, "permissionDecision", "permissionDecisionReason"),
            (out, "permissionDecision", "permissionDecisionReason"),
            (out, "decision", "reason"),
            (out, "permission", "user_message"),
        ):
            if place.get(word) in ("deny", "block"):
                return str(place[reason])
        if out.get("continue") is False and "user_message" in out:
            return str(out["user_message"])
        return str(out.get("followup_message", ""))

    def told(self) -> str:
        return str(self.answer.get("systemMessage", ""))


class Repo:
    """A repo with the bridge; `hooks` and `packs` are what goes into its two files."""

    def __init__(self, root: Path, home: Path) -> None:
        self.root = root
        self.home = home
        self.here = root / ".agents" / "hookpm"
        self.hooks: dict[str, list[dict[str, Any]]] = {}
        self.packs: dict[str, Any] = {"packs": {}, "wired": {}}
        for name, data in bridge_files().items():
            (self.here / name).parent.mkdir(parents=True, exist_ok=True)
            (self.here / name).write_bytes(data)
        home.mkdir(exist_ok=True)
        self.write()

    def hook(
        self,
        command: str,
        event: str = "PreToolUse",
        matcher: str | None = None,
        pack: str = "",
        terms: dict[str, Any] | None = None,
        **handler: Any,
    ) -> Repo:
        """Add a hook; with a pack, as an installed one with its terms in packs.json."""
        group: dict[str, Any] = {} if matcher is None else {"matcher": matcher}
        if pack:
            number = len(self.packs["packs"].get(pack, {}).get("hooks", {}))
            group.update(pack=pack, id=f"h{number}")
            entry = self.packs["packs"].setdefault(pack, {"options": {}, "agents": None})
            entry.setdefault("hooks", {})[f"h{number}"] = terms or {}
        group["hooks"] = [{"type": "command", "command": command, **handler}]
        self.hooks.setdefault(event, []).append(group)
        return self.write()

    def script(self, name: str, text: str) -> str:
        """A Python script in the repo; returns the command that runs it."""
        (self.root / name).write_text(text, encoding="utf-8")
        return f'"$HOOKPM_PYTHON" "$CLAUDE_PROJECT_DIR/{name}"'

    def guard(self, word: str, **settings: Any) -> Repo:
        """A hook that refuses calls whose input holds the word."""
        return self.hook(self.script("guard.py", GUARD) + f" {word}", **settings)

    def write(self) -> Repo:
        document = {"$schema": "./hookpm/hooks.schema.json", "hooks": self.hooks}
        (self.root / ".agents" / "hooks.json").write_text(json.dumps(document), encoding="utf-8")
        (self.here / "packs.json").write_text(json.dumps(self.packs), encoding="utf-8")
        return self

    def environment(self, agent: str) -> dict[str, str]:
        return {
            "PATH": f"{Path(PYTHON).parent}:/usr/bin:/bin",
            "HOME": str(self.home),
            "LC_ALL": "C.UTF-8",
            **agents.load(agent).wiring.environment(self.root),
        }

    def argv(self, agent: str, event: str, python: str = PYTHON) -> list[str]:
        """The bridge without the line around it."""
        return [python, "-I", "-S", str(self.here / "bridge.py"), agent, event]

    def call(
        self,
        agent: str,
        event: str,
        payload: dict[str, Any] | bytes,
        *,
        line: bool = False,
        python: str = PYTHON,
        cwd: Path | None = None,
        **variables: str | None,
    ) -> Heard:
        """Send one event. line: through the wired line and the agent's own shell."""
        environment: dict[str, str | None] = {**self.environment(agent), **variables}
        argv = self.argv(agent, event, python)
        if line:
            argv = [*agents.load(agent).wiring.SHELL, shell_line.present(agent, event)]
        done = subprocess.run(
            argv,
            input=payload if isinstance(payload, bytes) else json.dumps(payload).encode(),
            capture_output=True,
            cwd=cwd or self.root,
            env={key: value for key, value in environment.items() if value is not None},
            timeout=60,
        )
        return Heard(done.stdout, done.stderr.decode("utf-8", "replace"), done.returncode)

    def shell(self, agent: str, command: str = "ls", **settings: Any) -> Heard:
        """Send a shell command before it runs."""
        return self.call(agent, "PreToolUse", self.shell_payload(agent, command), **settings)

    def shell_payload(self, agent: str, command: str = "ls", session: str = "s1") -> dict[str, Any]:
        tool = SHELL_TOOL.get(agent, "Bash")
        return self.payload(agent, "PreToolUse", session, tool, {"command": command})

    def payload(
        self,
        agent: str,
        event: str,
        session: str = "s1",
        tool: str = "",
        given: dict[str, Any] | None = None,
        **fields: Any,
    ) -> dict[str, Any]:
        """The agent's own payload."""
        made = agents.load(agent).wiring.canary(event, "n", self.root)
        for key in ("session_id", "sessionId", "conversation_id"):
            if key in made:
                made[key] = session
        if agent == "claude":
            made["transcript_path"] = f"/h/.claude/projects/p/{session}.jsonl"
        if event in ("PreToolUse", "PostToolUse"):
            for keys, value in (
                (("tool_name", "toolName"), tool),
                (("tool_input", "toolArgs"), given or {}),
            ):
                made.update({key: value for key in keys if key in made})
        made.update(fields)
        return made


class Installed(Repo):
    """A repo that hookpm has installed packs into; nothing is written here."""

    def __init__(self, root: Path, home: Path) -> None:
        self.root = root
        self.home = home
        self.here = root / ".agents" / "hookpm"


def repo_at(folder: Path, home: Path) -> Repo:
    folder.mkdir(parents=True, exist_ok=True)
    return Repo(folder, home)


def pythons() -> list[str]:
    """The interpreters to test with: the one of the tests, and a Python 3.8 that runs, where there
    is one: named by HOOKPM_PYTHON38, or on PATH."""
    for candidate in (os.environ.get("HOOKPM_PYTHON38"), shutil.which("python3.8")):
        if candidate:
            ask = [candidate, "-c", "import sys; print(sys.executable)"]
            done = subprocess.run(ask, capture_output=True, text=True, timeout=60)
            if done.returncode == 0:
                return [PYTHON, done.stdout.strip()]
    return [PYTHON]
