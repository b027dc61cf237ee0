"""The proof of an install: the agent's own payload through the very line that is wired.

A reserved call that no agent makes goes into the line as the agent would send it; the bridge's own
refusal has to come out in that agent's form. No hook runs, and no agent is needed.
"""

from __future__ import annotations

import json
import os
import secrets
import subprocess
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from hookpm.edit import jsondoc
from hookpm.errors import HookpmError
from hookpm.project import wire

if TYPE_CHECKING:
    from hookpm.agents import Agent

TIME_LIMIT = 30.0  # seconds; a bridge call takes hundredths


class Proof(NamedTuple):
    """What the canary came to for one agent. detail: what was proved, or what is wrong."""

    agent: str
    ok: bool
    detail: str


def prove(agent: Agent, root: Path) -> Proof:
    """Send the canary through every line of ours in the agent's file, as the file is on disk."""
    file = root / agent.wiring.FILE
    try:
        document = jsondoc.parse(jsondoc.decode(file.read_bytes(), file), file)
    except FileNotFoundError:
        return Proof(agent.name, False, f"{agent.wiring.FILE} is not there")
    except (OSError, HookpmError) as error:
        return Proof(agent.name, False, f"{agent.wiring.FILE} cannot be read: {error}")
    dropped = agent.wiring.dropped_by(document)
    if dropped:
        return Proof(
            agent.name, False, f"{agent.wiring.FILE}:{dropped[0].line} {dropped[0].message}"
        )
    lines = {
        place.handler.event: _command(document, place)
        for place in wire.ours(agent, document)
        if place.handler.agent == agent.name
    }
    if not lines:
        return Proof(agent.name, False, f"{agent.wiring.FILE} holds no line of hookpm")
    for event, line in lines.items():
        wrong = _try(agent, root, event, line)
        if wrong:
            return Proof(agent.name, False, f"{event}: {wrong}")
    return Proof(agent.name, True, f"the canary was answered at {', '.join(lines)}")


def _command(document: jsondoc.Document, place: wire.Place) -> str:
    node = document.get(place.path)
    value = node.value if node else {}
    return str(value.get("command") or value.get("bash"))


def _try(agent: Agent, root: Path, event: str, line: str) -> str:
    """Run one line; "" or what is wrong."""
    nonce = secrets.token_hex(8)
    payload = json.dumps(agent.wiring.canary(event, nonce, root))
    try:
        done = subprocess.run(
            [*agent.wiring.SHELL, line],
            input=payload.encode(),
            capture_output=True,
            cwd=root,
            env={**_environment(), **agent.wiring.environment(root)},
            timeout=TIME_LIMIT,
            check=False,
        )
    except (OSError, subprocess.TimeoutExpired) as error:
        return f"the line did not run: {error}"
    stdout, stderr = (stream.decode("utf-8", "replace") for stream in (done.stdout, done.stderr))
    if done.returncode != 0:
        return f"the line ended with exit code {done.returncode}: {_first(stderr)}"
    if not agent.wiring.read_canary(event, nonce, stdout, stderr):
        return f"the bridge did not answer: {_first(stderr) or _first(stdout) or 'no output'}"
    return ""


def _environment() -> dict[str, str]:
    """Our own environment without what other agents' sessions put there."""
    prefixes = ("CLAUDE", "GEMINI_", "COPILOT_", "CURSOR_", "CODEX_", "HOOKPM_")
    return {k: v for k, v in os.environ.items() if not k.startswith(prefixes)}


def _first(text: str) -> str:
    return text.strip().split("\n", 1)[0][:200]
