"""The main job, from a fresh checkout: install hookpm, install a pack, see it block (Python 3.10+).

Works in a throw-away repo and a throw-away home; all it leaves is `.venv` in the checkout.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
import venv
from pathlib import Path

CHECKOUT = Path(__file__).resolve().parent.parent
VENV = CHECKOUT / ".venv"


def main() -> int:
    """Run the whole story; returns 0 if the write was blocked."""
    hookpm = installed_hookpm()
    with tempfile.TemporaryDirectory(prefix="hookpm-try-") as folder:
        repo, home = Path(folder, "repo"), Path(folder, "home")
        (repo / ".claude").mkdir(parents=True)  # as a repo where Claude Code is in use
        home.mkdir()
        env = {**os.environ, "HOME": str(home), "XDG_CACHE_HOME": str(home / ".cache")}
        subprocess.run(["git", "init", "-q", str(repo)], check=True)

        print("\n$ hookpm install protect-secrets --agent claude")
        command = [hookpm, "install", "protect-secrets", "--agent", "claude"]
        subprocess.run(command, cwd=repo, env=env, check=True)

        settings = json.loads((repo / ".claude/settings.json").read_text())
        line = settings["hooks"]["PreToolUse"][0]["hooks"][0]["command"]
        for path in (".env", "notes.txt"):
            answer = write_through(line, repo, env, path)
            print(f"\nClaude Code wants to write {path}. The wired line answers:")
            print(f"  {answer or '(nothing: no objection)'}")
            blocked = '"permissionDecision": "deny"' in answer
            if blocked != (path == ".env"):
                print("that is not what should have come out", file=sys.stderr)
                return 1
    print("\nThe write of .env was blocked, the write of notes.txt was not.")
    return 0


def installed_hookpm() -> str:
    """The hookpm command of the checkout's own environment, made if need be."""
    if not (VENV / "bin" / "python").exists():
        print(f"making {VENV} ...")
        venv.create(VENV, with_pip=True)
    print("installing hookpm from the checkout ...", flush=True)
    pip = [str(VENV / "bin" / "python"), "-m", "pip", "install", "-q"]
    subprocess.run([*pip, "--disable-pip-version-check", str(CHECKOUT)], check=True)
    return str(VENV / "bin" / "hookpm")


def write_through(line: str, repo: Path, env: dict[str, str], path: str) -> str:
    """Send the payload of a Write, as Claude Code 2.1.332 sends it, through the wired line."""
    payload = {
        "session_id": "try-it",
        "transcript_path": str(repo / "transcript.jsonl"),
        "cwd": str(repo),
        "prompt_id": "1",
        "permission_mode": "default",
        "hook_event_name": "PreToolUse",
        "tool_name": "Write",
        "tool_input": {"file_path": str(repo / path), "content": "KEY=1\n"},
        "tool_use_id": "toolu_1",
    }
    done = subprocess.run(
        ["/bin/sh", "-c", line],
        input=json.dumps(payload).encode(),
        cwd=repo,
        env={**env, "CLAUDE_PROJECT_DIR": str(repo)},
        capture_output=True,
        check=True,
    )
    return done.stdout.decode().strip()


if __name__ == "__main__":
    sys.exit(main())
