"""What has to be known about an agent to drive it; `agents/` holds one `Agent` per module."""

from __future__ import annotations

import sys
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from hookpm.probe.script import PROBE_SERVER, Call
from hookpm.probe.versions import NODES, VERSIONS
from hookpm.probe.wire import NativeCall, Wire

ECHO_SERVER = Path(__file__).with_name("echo_server.py")


class Stage(NamedTuple):
    """One run, as an agent's module sees it.

    repo, home: the repository and the HOME, absolute. model_url: without a slash at the end.
    scratch: a folder for this run's own files, outside both. cache: one that outlives the run.
    trust: grant what the agent asks for before it runs a project's hooks.
    mcp: start the probe's MCP server too.
    """

    repo: Path
    home: Path
    scratch: Path
    cache: Path
    model_url: str
    prompt: str
    trust: bool
    mcp: bool


class Launch(NamedTuple):
    """The arguments after the executable, and the environment on top of the bare one."""

    arguments: Sequence[str]
    env: Mapping[str, str]


class Compaction(NamedTuple):
    """How to make an agent compact its context in a headless run.

    tokens: what the model says that each request has cost. asks: a text of the request for the
    summary. arguments, env: more of them for such a run.
    """

    tokens: int
    asks: str
    arguments: Sequence[str] = ()
    env: Mapping[str, str] = {}


class Agent(NamedTuple):
    """One coding agent.

    package: its name on npm; binary: the command that the package installs.
    launch: how to start one headless run. It changes no file in the home or the repository, so
        that what lies there is what is under test.
    translate: a neutral call in the agent's own tool names; Path is the repository.

    What measuring cells needs to know beyond that:
    unattended: those of the arguments that keep it from asking the user before a tool; without
        them it refuses headless what it would ask for. () = it cannot be made to ask.
    verbose: arguments with which it prints all that it would show to a user.
    subagent: the call that starts a subagent with the task SUBAGENT_TASK; None = not known.
    compaction: how it is made to compact; None = it cannot be, headless.
    unseen: cell, or event -> why a headless run cannot show it. For what cannot be triggered, not
        for what does not hold.
    """

    name: str
    package: str
    binary: str
    wire: Wire
    launch: Callable[[Stage], Launch]
    translate: Callable[[Call, Path], NativeCall]
    unattended: Sequence[str] = ()
    verbose: Sequence[str] = ()
    subagent: NativeCall | None = None
    compaction: Compaction | None = None
    unseen: Mapping[str, str] = {}

    @property
    def version(self) -> str:
        """The pinned version."""
        return VERSIONS[self.name]

    @property
    def node(self) -> str:
        """The version of Node that it is run under; "" = the one on PATH, or none at all."""
        return NODES.get(self.name, "")


def mcp_servers(**extra: Any) -> dict[str, Any]:
    """The probe's MCP server in the `mcpServers` form that most agents share."""
    command, *arguments = mcp_command()
    return {"mcpServers": {PROBE_SERVER: {"command": command, "args": arguments, **extra}}}


def mcp_command() -> list[str]:
    """Command line of the probe's MCP server."""
    return [sys.executable, "-I", "-S", str(ECHO_SERVER)]
