"""The exact versions of the agents that are driven; the facts about each hold for these."""

from __future__ import annotations

VERSIONS = {
    "claude": "2.1.332",
    "cline": "3.0.65",
    "codex": "0.171.0",
    "copilot": "1.0.102",
    "droid": "0.225.2",
    "gemini": "0.61.0",
    "kimi": "2.1.0",
    "opencode": "1.18.33",
    "pi": "1.6.0",
    "qwen": "0.24.4",
}

# The Node that an agent is run under, as a version of npm's package `node`, where another one than
# the newest that is common does not do: left to an older Node, npm takes older agents in silence.
NODES = {
    "kimi": "24.21.0",  # needs 22.19 or newer
    "pi": "24.21.0",  # needs 22.19 or newer
    "qwen": "22.23.3",  # needs 22 or newer
}
