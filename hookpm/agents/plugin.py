"""Generated plugins, for agents that run no commands: one file that asks the bridge at each event.

The file is `plugin.js`, the same for all of them, and the agent's own part behind it. Its text
depends on the hookpm version, and on the packs only where a hook may run for over ten minutes.
"""

from __future__ import annotations

import json
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
    core = Path(__file__).with_name("plugin.js").read_text(encoding="utf-8")
    if core.count(_LINES) != 1 or core.count(_LIMIT) != 1:
        raise AssertionError("plugin.js has lost a place to fill in")
    native = agents.load(agent).facts.native
    lines = {event: shell_line.present(agent, event) for event in EVENTS if native(event)}
    core = core.replace(_LINES, f"const LINES = {json.dumps(lines, indent=2)}\n")
    core = core.replace(_LIMIT, f"const TIME_LIMIT_S = {shared.whole_seconds(longest)}\n")
    about = (
        f"// Lets the hooks of .agents/hooks.json decide in {title}, through the bridge in\n"
        "// .agents/hookpm. It is the same whichever packs are installed.\n\n"
    )
    return shared.stamped("", about + core + part.read_text(encoding="utf-8"))


def canary(agent: str, native: str, event: str, nonce: str, root: Path) -> dict[str, object]:
    """What the plugin would send of the canary. native: the agent's own word for the event."""
    payload = shared.claude_payload(event, nonce, root, {MARK: agent}, name=native)
    if event in TOOL_EVENTS:
        payload["tool_use_id"] = CANARY_TOOL
    return payload


def environment(root: Path) -> dict[str, str]:
    """The variables that the plugin gives its line."""
    return {"HOOKPM_PROJECT_DIR": str(root)}


def read_canary(event: str, nonce: str, stdout: str, stderr: str, blocks: bool) -> bool:
    """Did the bridge answer the canary in the plugin's form? blocks: the event can refuse there."""
    answer = shared.one_object(stdout)
    if event in ("PostToolUse", "SessionStart"):
        return shared.says(answer.get("additionalContext"), nonce)
    if blocks and event not in CANNOT_BLOCK:
        refused = answer.get("decision") == refusal(event)
        return refused and shared.says(answer.get("reason"), nonce)
    return shared.on_stderr(stderr, nonce)
