"""No field that another agent sends, added to Claude Code's payload, makes it somebody else's.

Claude's line stands down where another agent calls. A field that a later Claude Code adds must not
look like that: its guard would go quiet.
"""

from __future__ import annotations

import importlib
import json
from pathlib import Path
from typing import Any

import pytest

from hookpm import agents

SAMPLES = Path(__file__).parent / "payloads"
NAMES_ITSELF = {"cursor_version", "hookpm_plugin"}  # whoever sends one says who it is


def payloads(agent: str) -> list[dict[str, Any]]:
    listed = json.loads((SAMPLES / f"{agent}.json").read_text())
    return [each["payload"] for each in listed if isinstance(each.get("payload"), dict)]


FIELDS = {
    key: value
    for agent in agents.names()
    if agent != "claude"
    for payload in payloads(agent)
    for key, value in payload.items()
    if key not in NAMES_ITSELF
}


@pytest.mark.parametrize("payload", payloads("claude"), ids=lambda p: str(p["hook_event_name"]))
def test_a_field_of_another_agent_leaves_the_payload_claudes(payload: dict[str, Any]) -> None:
    claude = importlib.import_module("hookpm.agents.claude.translate")
    added = {key: value for key, value in FIELDS.items() if key not in payload}
    for key, value in added.items():
        assert claude.recognises({**payload, key: value}), key
    assert claude.recognises({**payload, **added})
