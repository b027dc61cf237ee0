"""Tests of protect-secrets: its modules are imported from the pack's folder, as its hook does."""

from __future__ import annotations

import importlib
import sys
from pathlib import Path
from typing import Any

PACK = Path(__file__).resolve().parents[2] / "packs" / "protect-secrets"
GUARD = PACK / "guard.py"

tomllib = importlib.import_module("tomllib" if sys.version_info >= (3, 11) else "tomli")

if str(PACK) not in sys.path:
    sys.path.append(str(PACK))


def answer_of(
    tool: str,
    given: Any,
    cwd: str = "/nowhere",
    options: dict[str, Any] | None = None,
    **more: Any,
) -> tuple[str, str]:
    """(decision, reason) of the guard for one tool call; "" is no objection."""
    import hook

    payload = {"tool_name": tool, "tool_input": given, "cwd": cwd, **more}
    decision, reason = hook.answer(payload, options or {})
    return str(decision), str(reason)


def bash(command: str, cwd: str = "/nowhere", **options: Any) -> str:
    """The decision about a shell command."""
    return answer_of("Bash", {"command": command}, cwd, options)[0]
