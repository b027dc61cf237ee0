"""A world for one test: a repo, a home, packs, a registry, and the command line in-process."""

from __future__ import annotations

import contextlib
import io
import json
import os
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from hookpm.cli import main
from hookpm.registry import embedded, publish
from hookpm.registry.index import FolderRegistry

CHECKOUT = Path(__file__).resolve().parents[2]
ALL = ("claude", "codex", "copilot", "cursor", "gemini")
FILES = {
    "claude": ".claude/settings.json",
    "codex": ".codex/hooks.json",
    "copilot": ".github/hooks/hookpm.json",
    "cursor": ".cursor/hooks.json",
    "gemini": ".gemini/settings.json",
}
GUARD = """\
import json, sys
call = json.load(sys.stdin)
if ".env" in json.dumps(call.get("tool_input")):
    print(json.dumps({"hookSpecificOutput": {"hookEventName": "PreToolUse",
        "permissionDecision": "deny", "permissionDecisionReason": "a secret file"}}))
"""
HOOK = """\
[[hooks]]
id = "guard"
event = "PreToolUse"
matcher = "Read|Edit|Write|Bash"
run = "guard.py"
timeout = 10
needs = ["deny"]
"""
STOP_HOOK = """\
[[hooks]]
id = "tell"
event = "Stop"
command = "true"
"""
_TOOLS = (
    "bash cat chmod cp cut dash dirname env git grep head ls mkdir mktemp mv patch printf pwd "
    "python3 rm sed sh sleep sort tail tee touch tr true uname"
)


class Result(NamedTuple):
    """What a run of the command line came to."""

    code: int
    out: str
    err: str

    @property
    def json(self) -> Any:
        """The one JSON document on stdout."""
        return json.loads(self.out)

    @property
    def text(self) -> str:
        """All that was said."""
        return self.out + self.err


class World:
    """repo: a git repo that is the working directory; home: HOME and all XDG folders lie there;
    bin: the whole PATH; packs: where `pack` writes; index: a registry that stands for the embedded
    one."""

    def __init__(self, base: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        self.base = base
        self.patch = monkeypatch
        self.repo = base / "repo"
        self.home = base / "home"
        self.bin = base / "bin"
        self.packs = base / "packs"
        self.index = base / "index"
        for folder in (self.repo, self.home, self.bin, self.packs):
            folder.mkdir()
        for name in _TOOLS.split():
            found = shutil.which(name)
            if name == "python3":
                found = os.path.realpath(sys.executable)
            if found:
                (self.bin / name).symlink_to(found)
        for name in list(os.environ):
            if name.startswith(("CLAUDE", "CODEX", "GEMINI", "COPILOT", "CURSOR", "XDG", "HOOKPM")):
                monkeypatch.delenv(name)
        for name, value in self.environment().items():
            monkeypatch.setenv(name, value)
        monkeypatch.setattr(embedded, "registry", lambda: FolderRegistry(self.index, "embedded"))
        self.git("init", "-q", "-b", "main")
        monkeypatch.chdir(self.repo)

    def environment(self) -> dict[str, str]:
        """What a run sees beside the test's own environment."""
        return {
            "HOME": str(self.home),
            "PATH": str(self.bin),
            "XDG_CACHE_HOME": str(self.home / "cache"),
            "XDG_CONFIG_HOME": str(self.home / "config"),
            "XDG_DATA_HOME": str(self.home / "data"),
            "GIT_CONFIG_GLOBAL": os.devnull,
            "GIT_CONFIG_NOSYSTEM": "1",
            "PYTHONDONTWRITEBYTECODE": "1",
        }

    def git(self, *arguments: str, cwd: Path | None = None) -> str:
        """Run git in the repo; its output."""
        return subprocess.run(
            ["git", "-c", "user.name=t", "-c", "user.email=t@example.com", *arguments],
            cwd=cwd or self.repo,
            check=True,
            capture_output=True,
            text=True,
        ).stdout

    # --- packs -----------------------------------------------------------------------------

    def pack(
        self,
        name: str = "guard",
        version: str = "1.0.0",
        *,
        hooks: str = HOOK,
        more: str = "",
        files: dict[str, str] | None = None,
        at: Path | None = None,
    ) -> Path:
        """Write a pack's folder. more: further tables before the hooks."""
        folder = at or self.packs / f"{name}-{version}"
        shutil.rmtree(folder, ignore_errors=True)
        folder.mkdir(parents=True)
        head = f'[pack]\nname = "{name}"\nversion = "{version}"\ndescription = "About {name}"\n'
        (folder / "hookpack.toml").write_text(f'{head}license = "MIT"\n\n{more}\n{hooks}')
        for path, text in {"guard.py": GUARD, **(files or {})}.items():
            (folder / path).parent.mkdir(parents=True, exist_ok=True)
            (folder / path).write_text(text)
        return folder

    def publish(self, *folders: Path) -> None:
        """Put packs into the registry that stands for the embedded one."""
        publish.apply(publish.plan(folders, self.index), self.index)

    # --- runs ------------------------------------------------------------------------------

    def run(self, *arguments: str | Path, cwd: Path | None = None) -> Result:
        """Run a command line in this process, without a terminal."""
        out, err = io.StringIO(), io.StringIO()
        before = Path.cwd()
        os.chdir(cwd or self.repo)
        try:
            with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
                self.patch.setattr(sys, "stdin", io.StringIO())
                code = main.run([str(each) for each in arguments])
        finally:
            os.chdir(before)
        return Result(code, out.getvalue(), err.getvalue())

    def ok(self, *arguments: str | Path, cwd: Path | None = None) -> Result:
        """Run a command line that has to end with 0."""
        done = self.run(*arguments, cwd=cwd)
        assert done.code == 0, done.text
        return done

    def install(self, *arguments: str | Path, agents: tuple[str, ...] = ("claude",)) -> Result:
        """Install packs for these agents; has to end with 0."""
        return self.ok("install", *arguments, *(f"--agent={name}" for name in agents))

    def spawn(self, *arguments: str | Path, cwd: Path | None = None, **more: str) -> Result:
        """Run a command line in a process of its own; the registry is the real embedded one."""
        done = subprocess.run(
            [sys.executable, "-m", "hookpm", *map(str, arguments)],
            cwd=cwd or self.repo,
            env={**os.environ, "PYTHONPATH": str(CHECKOUT), **more},
            capture_output=True,
            text=True,
            timeout=120,
            stdin=subprocess.DEVNULL,
            check=False,
        )
        return Result(done.returncode, done.stdout, done.stderr)

    # --- files -----------------------------------------------------------------------------

    def write(self, path: str, data: str | bytes) -> Path:
        """Write a file of the repo, folders included."""
        file = self.repo / path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_bytes(data.encode() if isinstance(data, str) else data)
        return file

    def read(self, path: str) -> str:
        """A file of the repo, newlines as they are."""
        return (self.repo / path).read_bytes().decode()

    def load(self, path: str) -> Any:
        """A JSON file of the repo."""
        return json.loads(self.read(path))

    def tree(self, root: Path | None = None) -> dict[str, bytes | str]:
        """Every file, link and folder of the repo but git's, with its content and mode."""
        return {path: what[0] for path, what in self.stamped(root).items()}

    def stamped(self, root: Path | None = None) -> dict[str, tuple[bytes | str, int, int]]:
        """Like `tree`, with the inode and the time of the last change."""
        found: dict[str, tuple[bytes | str, int, int]] = {}
        top = root or self.repo
        for folder, folders, names in os.walk(top):
            if ".git" in folders:
                folders.remove(".git")
            for name in [*folders, *names]:
                path = Path(folder, name)
                stat = path.lstat()
                content: bytes | str
                if path.is_symlink():
                    content = f"-> {path.readlink()}"
                elif path.is_dir():
                    content = "folder"
                else:
                    content = f"{stat.st_mode & 0o777:o} ".encode() + path.read_bytes()
                found[path.relative_to(top).as_posix()] = (content, stat.st_ino, stat.st_mtime_ns)
        return found

    def line(
        self, agent: str = "claude", event: str = "PreToolUse", root: Path | None = None
    ) -> str:
        """The wired command line, as it stands in the agent's own file."""
        from hookpm.agents import shell_line

        top = root or self.repo
        text = json.loads((top / FILES[agent]).read_text("utf-8-sig"))
        for groups in text["hooks"].values():
            for group in groups:
                for handler in group.get("hooks", [group]):
                    command = handler.get("command") or handler.get("bash")
                    ours = shell_line.read(command)
                    if ours and (ours.agent, ours.event) == (agent, event):
                        return str(command)
        raise AssertionError(f"{agent} is not wired at {event}")

    def call(self, path: str = ".env", root: Path | None = None) -> dict[str, Any]:
        """Send Claude's payload of a write through its wired line; the answer."""
        top = root or self.repo
        payload = {
            "session_id": "s",
            "transcript_path": "",
            "cwd": str(top),
            "hook_event_name": "PreToolUse",
            "permission_mode": "default",
            "tool_name": "Write",
            "tool_input": {"file_path": path, "content": "x"},
            "tool_use_id": "t",
        }
        done = subprocess.run(
            ["/bin/sh", "-c", self.line(root=top)],
            input=json.dumps(payload),
            env={**os.environ, "CLAUDE_PROJECT_DIR": str(top), "CLAUDECODE": "1"},
            cwd=top,
            capture_output=True,
            text=True,
            check=True,
        )
        return json.loads(done.stdout) if done.stdout.strip() else {}

    def denies(self, path: str = ".env", root: Path | None = None) -> bool:
        """Does the wired line refuse to write that file?"""
        specific = self.call(path, root).get("hookSpecificOutput", {})
        return bool(specific.get("permissionDecision") == "deny")
