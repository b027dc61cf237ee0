"""The proof of an install: the agent's own payload through the very line that is wired.

A reserved call that no agent makes goes into the line as the agent would send it; the bridge's own
refusal has to come out in that agent's form. No hook runs, and no agent is needed.
"""

from __future__ import annotations

import json
import os
import secrets
import subprocess
import tempfile
from collections.abc import Collection, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from hookpm.agents import shell_line
from hookpm.contract.events import EVENTS
from hookpm.edit import jsondoc
from hookpm.errors import HookpmError
from hookpm.project import wire, wiretoml
from hookpm.project.agentfiles import editor, generated, has_files, is_executable, owns, parsed
from hookpm.project.places import read

if TYPE_CHECKING:
    from hookpm.agents import Agent

TIME_LIMIT = 30.0  # seconds; a bridge call takes hundredths

_IDLE = "nothing is wired: there is no hook for an event that it has"


class Proof(NamedTuple):
    """What the canary came to for one agent. detail: what was proved, or what is wrong."""

    agent: str
    ok: bool
    detail: str

    @property
    def sentence(self) -> str:
        """The proof as it is told; where nothing is wired, nothing is claimed to be proved."""
        if self.detail == _IDLE:
            return f"{self.agent}: {self.detail}"
        return f"{self.agent}: {'proved' if self.ok else 'NOT PROVED'}: {self.detail}"


def prove(agent: Agent, root: Path, at: Path | None = None) -> Proof:
    """Send the canary through every line of ours in the agent's files, as they are on disk.

    at: where the agent would be started, the root where it is not given.
    """
    try:
        lines = _lines_in_files(agent, root) if has_files(agent) else _lines_in_entries(agent, root)
    except (OSError, HookpmError) as error:
        return Proof(agent.name, False, str(error))
    for event, line in lines.items():
        wrong = _try(agent, at or root, event, line)
        if wrong:
            return Proof(agent.name, False, f"{event}: {wrong}")
    return Proof(agent.name, True, f"the canary was answered at {', '.join(lines)}")


def prove_all(
    agents: Sequence[Agent], root: Path, *, elsewhere: bool, idle: Collection[str] = ()
) -> tuple[Proof, ...]:
    """A proof for each agent. elsewhere: by lines that serve every folder, so each is sent from one
    that is no project; idle: agents in which nothing is to be wired, since no hook is for them."""

    def one(agent: Agent, at: Path | None) -> Proof:
        if agent.name in idle:
            return Proof(agent.name, True, _IDLE)
        return prove(agent, root, at)

    if not elsewhere:
        return tuple(one(agent, None) for agent in agents)
    with tempfile.TemporaryDirectory(prefix="hookpm-") as folder:
        at = Path(folder).resolve()
        return tuple(one(agent, at) for agent in agents)


def _lines_in_entries(agent: Agent, root: Path) -> dict[str, str]:
    """Event -> line, as the agent would read them. Raises where it would read none."""
    file = agent.wiring.FILE
    data = read(root, file)
    if data is None:
        raise HookpmError(f"{file} is not there")
    document = parsed(agent, jsondoc.decode(data, file))
    dropped = agent.wiring.dropped_by(document)
    if dropped:
        raise HookpmError(f"{file}:{dropped[0].line} {dropped[0].message}")
    lines = (
        wiretoml.lines(agent, document) if editor(agent) is wiretoml else _lines(agent, document)
    )
    if not lines:
        raise HookpmError(f"{file} holds no line of hookpm")
    return lines


def _lines(agent: Agent, document: jsondoc.Document) -> dict[str, str]:
    return {
        place.handler.event: _command(document, place)
        for place in wire.ours(agent, document)
        if place.handler.agent == agent.name
    }


def _lines_in_files(agent: Agent, root: Path) -> dict[str, str]:
    """Event -> line of the files that are ours as a whole. Raises where one is not."""
    lines = {}
    for event in EVENTS:
        files = generated(agent, [event], 0.0) if agent.facts.native(event) else []
        present = [file for file in files if (root / file.path).exists()]
        for file in present:
            if not owns(agent, file.path, read(root, file.path) or b""):
                raise HookpmError(f"{file.path} is not as hookpm wrote it")
            if file.executable and not is_executable(root, file.path):
                raise HookpmError(f"{file.path} is not executable")
        if present:
            line = getattr(agent.wiring, "line", shell_line.present)
            lines[event] = line(agent.name, event)
    if not lines:
        raise HookpmError(f"{agent.wiring.FILE} is not there")
    return lines


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
