"""One headless run of a real agent against a scripted model, and what came of it."""

from __future__ import annotations

import tempfile
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

from hookpm.errors import UsageError
from hookpm.probe import agents, packages
from hookpm.probe.agent import Agent, Stage
from hookpm.probe.model import FakeModel, Request
from hookpm.probe.process import Ending, run_to_end
from hookpm.probe.script import Step, Subagent, Turn, uses_probe_server, uses_subagent
from hookpm.probe.wire import NativeCall, NativeTurn

TIMEOUT_S = 180.0
NOWHERE = "http://127.0.0.1:9"


class Installed(NamedTuple):
    """A binary of an agent. path: the PATH to run it with; cache: what it may keep between runs."""

    program: Path
    path: str
    cache: Path


def pinned(agent: Agent) -> Installed:
    """The binary at the pinned version, installed or not."""
    return Installed(packages.executable(agent), packages.search_path(agent), packages.cache())


class Outcome(NamedTuple):
    """What a run did.

    rc: the agent's exit code; None where it had to be ended. ending: exit or timeout.
    requests: all that reached the model, in order. seconds: how long it took.
    tool_results: the text of every tool result that reached the model, oldest first.
    """

    rc: int | None
    ending: Ending
    stdout: str
    stderr: str
    requests: Sequence[Request]
    tool_results: Sequence[str]
    seconds: float

    def model_saw(self, text: str, *, after: int | None = None) -> bool:
        """Did the text reach the model: at all, or as news in the request after turn `after`?

        A request repeats the conversation so far: the text is news where it is in more places of
        the request than of the one before. Turns count from 0.
        """
        if after is None:
            return any(_count(text, request.body) for request in self.requests)
        bodies = {request.turn: request.body for request in self.requests}
        following = _count(text, bodies.get(after + 1))
        return following > _count(text, bodies.get(after))

    def report(self) -> str:
        """What a person wants to read when it was not as expected."""
        results = [f"tool result {i}: {r}" for i, r in enumerate(self.tool_results)]
        head = f"{self.ending} {self.rc} after {self.seconds:.1f} s, {len(self.requests)} requests"
        tails = [f"stdout: {self.stdout[-2000:]}", f"stderr: {self.stderr[-2000:]}"]
        return "\n".join([head, *results, *tails])


def run_agent(
    agent: str,
    repo: Path,
    turns: Sequence[Turn],
    *,
    home: Path,
    prompt: str = "Do the task.",
    trust: bool = True,
    cwd: str = ".",
    arguments: Sequence[str] = (),
    env: Mapping[str, str] | None = None,
    timeout: float = TIMEOUT_S,
    asks: bool = False,
    compacts: bool = False,
    installed: Installed | None = None,
) -> Outcome:
    """Run an installed agent headless in `repo` while the model plays `turns`.

    What fires is what lies in `repo` and `home`; no file of theirs is changed. home: a throw-away
    HOME, which may hold wiring; it is made if need be. trust: grant the approval the agent wants
    before it runs the project's hooks. cwd: the start folder, relative to `repo`. arguments: more
    of them, after those that the run needs. env: on top of a bare environment. timeout: in
    seconds, then the run is ended. asks: leave out what keeps the agent from asking before a tool.
    compacts: make it compact, as its module says. installed: another binary of this
    agent than the pinned one.

    Raises UsageError (unknown agent, the real home), AgentInstallError (it is not installed).
    """
    known = agents.load(agent)
    program, path, cache = installed or pinned(known)
    if not program.exists():
        hint = f"python -m hookpm.probe.packages {agent}"
        raise packages.AgentInstallError(f"{agent} {known.version} is not installed", hint=hint)
    home, repo = home.resolve(), repo.resolve()
    if home == Path.home().resolve():
        raise UsageError("an agent is not driven in your own home folder", hint="make a new one")
    home.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(prefix="hookpm-", ignore_cleanup_errors=True) as folder:
        scratch = Path(folder).resolve()
        compaction = known.compaction if compacts else None
        summary = compaction.asks if compaction else ""
        task = prompt if uses_subagent(turns) else ""
        native = _translated(known, turns, repo)
        with FakeModel(known.wire, native, summary, task) as model:
            stage = Stage(
                repo=repo,
                home=home,
                scratch=scratch,
                cache=cache,
                model_url=model.url,
                prompt=prompt,
                trust=trust,
                mcp=uses_probe_server(turns),
            )
            needed, extra = known.launch(stage)
            if asks:
                needed = _without(needed, known.unattended)
            if compaction:
                needed, extra = [*needed, *compaction.arguments], {**extra, **compaction.env}
            done = run_to_end(
                [str(program), *needed, *arguments],
                cwd=repo / cwd,
                env={**_bare_environment(path, home, scratch), **extra, **(env or {})},
                scratch=scratch,
                timeout=timeout,
            )
    return Outcome(
        rc=done.rc,
        ending=done.ending,
        stdout=done.stdout,
        stderr=done.stderr,
        requests=tuple(model.requests),
        tool_results=_tool_results(known, model.requests),
        seconds=done.seconds,
    )


def _translated(agent: Agent, turns: Sequence[Turn], repo: Path) -> list[NativeTurn]:
    return [
        NativeTurn(turn.text, tuple(_call(agent, call, repo) for call in turn.calls), turn.tokens)
        for turn in turns
    ]


def _call(agent: Agent, call: Step, repo: Path) -> NativeCall:
    if not isinstance(call, Subagent):
        return agent.translate(call, repo)
    if agent.subagent is None:
        raise UsageError(f"it is not known how {agent.name} starts a subagent")
    return agent.subagent


def _without(arguments: Sequence[str], part: Sequence[str]) -> list[str]:
    """The arguments without that run of them. Raises ValueError where it is not among them."""
    found, wanted = list(arguments), list(part)
    for start in range(len(found) - len(wanted) + 1):
        if found[start : start + len(wanted)] == wanted:
            return found[:start] + found[start + len(wanted) :]
    raise ValueError(f"{wanted} is not among {found}")


def _bare_environment(path: str, home: Path, scratch: Path) -> dict[str, str]:
    """Nothing of the caller's settings and keys, and a proxy that is not there: no call home."""
    temporary = scratch / "tmp"
    temporary.mkdir()
    return {
        "HOME": str(home),
        "PATH": path,
        "SHELL": "/bin/bash",
        "LANG": "C.UTF-8",
        "TERM": "dumb",
        "TMPDIR": str(temporary),
        "NO_COLOR": "1",
        "HTTPS_PROXY": NOWHERE,
        "HTTP_PROXY": NOWHERE,
        "NO_PROXY": "127.0.0.1,localhost",
    }


def _tool_results(agent: Agent, requests: Sequence[Request]) -> tuple[str, ...]:
    """Requests repeat the conversation: the longest list is the whole one."""
    longest: list[str] = []
    for request in requests:
        found = [] if request.turn is None else agent.wire.results(request.body)
        longest = max(longest, found, key=len)
    return tuple(longest)


def _count(text: str, body: object) -> int:
    return sum(text in string for string in _strings(body))


def _strings(value: object) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    elif isinstance(value, Mapping):
        for item in value.values():
            yield from _strings(item)
    elif isinstance(value, list):
        for item in value:
            yield from _strings(item)
