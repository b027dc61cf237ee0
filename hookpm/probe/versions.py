"""The exact versions of the agents that are driven; the facts about each hold for these."""

from __future__ import annotations

VERSIONS = {
    "claude": "2.1.332",
    "codex": "0.171.0",
    "copilot": "1.0.102",
    "gemini": "0.61.0",
}
