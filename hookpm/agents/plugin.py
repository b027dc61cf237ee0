"""Generated plugins, for agents that run no commands: one file that asks the bridge at each event.

The file is `plugin.js`, the same for all of them, and the agent's own part behind it. Its text
depends on the hookpm version, and on the packs only where a hook may run for over ten minutes.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from pathlib import Path

from hookpm import agents
from hookpm.agents import shell_line
from hookpm.agents import wiring as shared
from hookpm.contract.answer import refusal
from hookpm.contract.events import CANARY_TOOL, CANNOT_BLOCK, EVENTS, TOOL_EVENTS
from hookpm.contract.plugins import MARK

# The plugin gives its line the folder that it lies in.
FORM = shell_line.Form(root="${HOOKPM_PROJECT_DIR:-.}", tells=True)
SHELL = ("/bin/sh", "-c")

_LINES = "const LINES = {}\n"
_LIMIT = "const TIME_LIMIT_S = 600\n"


def text(agent: str, title: str, part: Path, longest: float) -> str:
    """The plugin's text. part: the agent's own JavaScript; longest: the longest hook's timeout in
    seconds. Raises OSError where a part of hookpm itself is missing."""
    core = _replaced(
        (
            (_LINES, f"const LINES = {json.dumps(_lines(agent, shell_line.present), indent=2)}\n"),
            (_LIMIT, f"const TIME_LIMIT_S = {shared.whole_seconds(longest)}\n"),
        )
    )
    about = (
        f"// Lets the hooks of .agents/hooks.json decide in {title}, through the bridge in\n"
        "// .agents/hookpm. It is the same whichever packs are installed.\n\n"
    )
    return shared.stamped("", about + core + part.read_text(encoding="utf-8"))


def user_text(agent: str, title: str, part: Path) -> str:
    """The text of the plugin in the user's own folder: the user bridge finds the project, from
    where the agent was started. Where the project's own plugin is loaded too, that one answers."""
    from hookpm.agents import user_line

    head = f"// Lets the hooks of projects that the user allowed decide in {title}.\n\n"
    core = _replaced(
        (
            (_LINES, f"const LINES = {json.dumps(_lines(agent, user_line.present), indent=2)}\n"),
            (_WHERE, "    return realpathSync(process.cwd())\n"),
            ("import { existsSync,", "import { existsSync, realpathSync,"),
            ("WIRED.add(ROOT)\n", "\n"),
            ("!ROOT || !mayHaveHooks(event)", "!ROOT || WIRED.has(ROOT)"),
        )
    )
    return shared.stamped("", head + core + part.read_text(encoding="utf-8"))


def home_text(agent: str, title: str, part: Path, longest: float) -> str:
    """The text of the plugin for user scope: the hooks are those of the home folder, the project is
    where the agent was started. It is loaded beside a project's own, and both are asked."""
    from hookpm.agents import home_line

    head = (
        f"// Lets the hooks of the .agents/hooks.json in the home folder decide in {title}, in\n"
        "// every project. It is the same whichever packs are installed.\n\n"
    )
    core = _replaced(
        (
            (_LINES, f"const LINES = {json.dumps(_lines(agent, home_line.present), indent=2)}\n"),
            (_LIMIT, f"const TIME_LIMIT_S = {shared.whole_seconds(longest)}\n"),
            (_WHERE, "    return realpathSync(process.cwd())\n"),
            ("import { existsSync,", "import { existsSync, realpathSync,"),
            ('import path from "node:path"\n', _IMPORTS),
            ("WIRED.add(ROOT)\n", "\n"),
            ("HOOKPM_PROJECT_DIR: ROOT", "HOOKPM_PROJECT_DIR: cwd || ROOT"),  # ROOT: a server's
            ('path.join(ROOT, ".agents", name)', 'path.join(homedir(), ".agents", name)'),
        )
    )
    return shared.stamped("", head + core + part.read_text(encoding="utf-8"))


_IMPORTS = 'import { homedir } from "node:os"\nimport path from "node:path"\n'
_WHERE = '    return path.resolve(path.dirname(fileURLToPath(import.meta.url)), "..", "..")\n'


def _lines(agent: str, present: Callable[[str, str], str]) -> dict[str, str]:
    native = agents.load(agent).facts.native
    return {event: present(agent, event) for event in EVENTS if native(event)}


def _replaced(changes: Sequence[tuple[str, str]]) -> str:
    """The shared part with other words at these places. Raises OSError where it is missing."""
    core = Path(__file__).with_name("plugin.js").read_text(encoding="utf-8")
    for old, new in changes:
        if core.count(old) != 1:
            raise AssertionError(f"plugin.js has lost a place to fill in: {old}")
        core = core.replace(old, new)
    return core


def canary(agent: str, native: str, event: str, nonce: str, root: Path) -> dict[str, object]:
    """What the plugin would send of the canary. native: the agent's own word for the event."""
    payload = shared.claude_payload(event, nonce, root, {MARK: agent}, name=native)
    if event in TOOL_EVENTS:
        payload["tool_use_id"] = CANARY_TOOL
    return payload


def read_canary(event: str, nonce: str, stdout: str, stderr: str, blocks: bool) -> bool:
    """Did the bridge answer the canary in the plugin's form? blocks: the event can refuse there."""
    answer = shared.one_object(stdout)
    if event in ("PostToolUse", "SessionStart"):
        return shared.says(answer.get("additionalContext"), nonce)
    if blocks and event not in CANNOT_BLOCK:
        refused = answer.get("decision") == refusal(event)
        return refused and shared.says(answer.get("reason"), nonce)
    return shared.on_stderr(stderr, nonce)
