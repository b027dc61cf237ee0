"""Claude Code plugins to install in tests: five shapes that people really have."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

ROOT = "${CLAUDE_PLUGIN_ROOT}"


def write(folder: Path, files: dict[str, Any]) -> Path:
    """Write a plugin's files: text, bytes, or a value that becomes JSON."""
    for path, what in files.items():
        file = folder / path
        file.parent.mkdir(parents=True, exist_ok=True)
        if isinstance(what, bytes):
            file.write_bytes(what)
        else:
            file.write_text(what if isinstance(what, str) else json.dumps(what, indent=2))
    return folder


def handlers(*commands: str, matcher: str | None = None, **more: Any) -> list[dict[str, Any]]:
    """One group with a handler per command."""
    group: dict[str, Any] = {} if matcher is None else {"matcher": matcher}
    listed = [{"type": "command", "command": command, **more} for command in commands]
    return [{**group, "hooks": listed}]


def security(folder: Path) -> Path:
    """A guard on edits that warns on stderr and exits with 2; Python, a state file beside HOME."""
    return write(
        folder,
        {
            ".claude-plugin/plugin.json": {
                "name": "edit-safety",
                "version": "1.2.0",
                "description": "Warns of unsafe code before it is written",
                "author": {"name": "Ann", "email": "ann@example.com"},
            },
            "hooks/hooks.json": {
                "description": "Looks at what is written",
                "hooks": {
                    "PreToolUse": handlers(
                        f"python3 {ROOT}/hooks/look.py", matcher="Edit|Write|MultiEdit"
                    )
                },
            },
            "hooks/look.py": """\
#!/usr/bin/env python3
import json, sys

RISKS = {"eval(": "eval runs whatever it is given", "innerHTML": "markup from strings"}

call = json.load(sys.stdin)
given = call.get("tool_input", {})
text = given.get("content") or given.get("new_string") or ""
for sign, why in RISKS.items():
    if sign in text:
        print(f"Careful: {sign} ({why})", file=sys.stderr)
        sys.exit(2)
""",
            "README.md": "# Edit safety\n",
        },
    )


def stop_loop(folder: Path) -> Path:
    """Keeps the agent going until a file says that the work is done; sh and jq-free."""
    return write(
        folder,
        {
            ".claude-plugin/plugin.json": {"name": "again-and-again", "version": "0.3"},
            "commands/again.md": "Start the loop.\n",
            "hooks/hooks.json": {
                "hooks": {"Stop": handlers(f'"{ROOT}/hooks/again hook.sh"')},
            },
            "hooks/again hook.sh": """\
#!/bin/sh
set -eu
cat > /dev/null
[ -f "$CLAUDE_PROJECT_DIR/.loop" ] || exit 0
printf '{"decision": "block", "reason": "%s", "systemMessage": "once more"}\\n' \\
    "$(cat "$CLAUDE_PROJECT_DIR/.loop")"
""",
        },
    )


def context(folder: Path) -> Path:
    """Puts a skill's text into every session's start; the skill lies in a folder of its own."""
    return write(
        folder,
        {
            ".claude-plugin/plugin.json": {
                "name": "Good_Habits",
                "version": "2.0.0-beta.1",
                "hooks": "./hooks/more.json",
                "mcpServers": {"notes": {"command": "notes-server"}},
            },
            "hooks/more.json": {
                "hooks": {
                    "SessionStart": handlers(
                        f"{ROOT}/hooks/start.sh", matcher="startup|resume|clear|compact"
                    )
                }
            },
            "hooks/start.sh": """\
#!/usr/bin/env bash
here="$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)"
cat "$here/skills/habits/SKILL.md"
""",
            "skills/habits/SKILL.md": "Write the test first.\n",
            "agents/reviewer.md": "You review.\n",
            "assets/logo.png": b"\x89PNG\r\n",
        },
    )


def formatter(folder: Path) -> Path:
    """Formats what was edited, with jq in sh, one shell line, hooks inline in plugin.json."""
    line = (
        "file=$(jq -r '.tool_input.file_path // empty') && "
        f'[ -n "$file" ] && bash -c \'{ROOT}/tidy.sh "$0"\' "$file" || true'
    )
    return write(
        folder,
        {
            ".claude-plugin/plugin.json": {
                "name": "tidy",
                "hooks": {"PostToolUse": handlers(line, matcher="Edit|Write", timeout=20)},
            },
            "tidy.sh": '#!/bin/bash\necho tidied >> "$1"\n',
        },
    )


def prompts(folder: Path) -> Path:
    """Prompt hooks in a Python package with a shared library; hooks as a list in plugin.json."""
    return write(
        folder,
        {
            ".claude-plugin/plugin.json": {
                "name": "prompt-desk",
                "version": "1.0",
                "hooks": [
                    "./config/hooks.json",
                    {"UserPromptSubmit": handlers(f"cd {ROOT} && python3 -m desk.route")},
                ],
            },
            "config/hooks.json": {
                "hooks": {"UserPromptSubmit": handlers(f'python3 "{ROOT}/desk/secrets.py"')}
            },
            "desk/__init__.py": "",
            "desk/route.py": """\
from desk.lib import answers

if __name__ == "__main__":
    answers.add_context("Routed: read docs/style.md first.")
""",
            "desk/secrets.py": """\
import os, sys

sys.path.insert(0, os.environ["CLAUDE_PLUGIN_ROOT"])
from desk.lib import answers

if "AKIA" in answers.prompt():
    answers.refuse("a key does not belong into a prompt")
""",
            "desk/lib/__init__.py": "",
            "desk/lib/answers.py": """\
import json, sys


def prompt():
    return json.load(sys.stdin).get("prompt", "")


def refuse(reason):
    print(json.dumps({"decision": "block", "reason": reason}))
    sys.exit(0)


def add_context(text):
    specific = {"hookEventName": "UserPromptSubmit", "additionalContext": text}
    print(json.dumps({"hookSpecificOutput": specific}))
""",
        },
    )
