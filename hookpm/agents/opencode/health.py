"""OpenCode on this machine: it can be told by the environment to leave plugins out (1.18.33)."""

from __future__ import annotations

from hookpm.agents.health import Health, Machine


def examine(machine: Machine) -> list[Health]:
    """OPENCODE_PURE, as the `--pure` of every start."""
    value = machine.environment.get("OPENCODE_PURE", "")
    if value.lower() not in ("1", "true"):
        return []
    message = "OPENCODE_PURE is set: OpenCode loads no plugin"
    return [Health("switched-off", message, "unset OPENCODE_PURE")]
