"""Runs a pack's own cases: the real bridge, in a scratch project, as Claude Code would call it.

Claude Code honours every answer, so what comes out is what the pack's hooks say. What another agent
makes of it is in its facts: the outcome holds there, a fallback takes its place, or it is lost.
That can be held against the agent's own translation, both ways.
"""

from __future__ import annotations

import json
import tempfile
from collections import Counter
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from hookpm import agents as all_agents
from hookpm.agents.facts import MEETS
from hookpm.contract import answer as answers
from hookpm.contract import matcher
from hookpm.contract.events import MATCHED_FIELD
from hookpm.packs import cases, content
from hookpm.project.generated import PackTarget
from hookpm.project.trying import scratch

if TYPE_CHECKING:
    from hookpm.agents import Agent
    from hookpm.packs.cases import Case
    from hookpm.packs.content import Content
    from hookpm.packs.manifest import Hook

WORKERS = 2

# The capability that an outcome needs; the others are called like it.
_WORD = {"rewrite": "updatedInput", "context": "additionalContext", "stop": "continue:false"}

# How the bridge says on stderr that a hook, or the bridge itself, did not do its work.
_FAILED = (" failed and allows: ", " failed and blocks: ", "no hook ran")


class Outcome(NamedTuple):
    """What a case came to. complaint: what is wrong, None if nothing is; becomes: agent -> what the
    expected outcome is there: "holds", "deny" or "block" (by fallback), "lost", "unknown", "-"."""

    case: Case
    complaint: str | None
    becomes: dict[str, str]


class Tested(NamedTuple):
    """A pack with the outcomes of all its cases, in the order of its files."""

    name: str
    version: str
    outcomes: tuple[Outcome, ...]

    @property
    def failed(self) -> tuple[Outcome, ...]:
        """Those that are not as expected."""
        return tuple(each for each in self.outcomes if each.complaint is not None)

    def tally(self, agent: str) -> dict[tuple[str, str], int]:
        """(what is expected, what it becomes in the agent) -> how many cases."""
        return dict(
            Counter(
                (each.case.expect, each.becomes[agent])
                for each in self.outcomes
                if each.becomes[agent] != "-"
            )
        )


def run(
    folder: Path,
    on_done: Callable[[int, int], None] | None = None,
    through: Sequence[Agent] = (),
) -> Tested:
    """Run all cases of the pack in a folder. on_done: told how many of how many are through;
    through: agents whose payloads and answers each case is put into as well.

    Raises what reading a pack raises: NotFoundError, FileFormatError, SystemFailureError.
    """
    pack = content.read(folder)
    found = cases.of(pack, folder)
    agents = all_agents.all_agents()

    def tried(case: Case) -> Outcome:
        becomes = _becomes(pack, case, agents)
        wrong = _complaint(projects[_key(case)], case)
        for agent in through:
            wrong = wrong or _complaint_in(agent, pack, case, becomes[agent.name])
        return Outcome(case, wrong, becomes)

    with tempfile.TemporaryDirectory(prefix="hookpm-cases-") as base:
        projects = _projects(Path(base).resolve(), pack, found)
        outcomes = []
        with ThreadPoolExecutor(WORKERS) as pool:
            for outcome in pool.map(tried, found):
                outcomes.append(outcome)
                if on_done is not None:
                    on_done(len(outcomes), len(found))
    return Tested(pack.manifest.name, pack.manifest.version, tuple(outcomes))


# --- one case --------------------------------------------------------------------------------


def _key(case: Case) -> str:
    return json.dumps(case.options, sort_keys=True)


def _projects(base: Path, pack: Content, found: Sequence[Case]) -> dict[str, Path]:
    """A project for each set of options that the cases ask for."""
    made: dict[str, Path] = {}
    for case in found:
        if _key(case) not in made:
            made[_key(case)] = project = base / f"project {len(made) + 1}"
            scratch.write(project, [PackTarget(pack, "path:.", None, case.options)])
    return made


def _complaint(project: Path, case: Case) -> str | None:
    """What is wrong with the answer to a case, or None."""
    payload = {
        "session_id": f"case {case.place}",
        "transcript_path": "",
        "cwd": str(project),
        "permission_mode": "default",
        **case.payload(),
    }
    if case.tool is not None:
        payload["tool_use_id"] = "case"
    more = {"CLAUDE_PROJECT_DIR": str(project)}
    done = scratch.run_bridge(project, "claude", case.event, payload, more)
    wrong = done.error or next((note for note in done.notes if _is_failure(note)), None)
    return wrong or cases.complaint(case, answers.read(case.event, 0, done.stdout, b""))


def _is_failure(note: str) -> bool:
    """The bridge's word on a hook that failed: it allows then, which a case must not count."""
    return any(word in note for word in _FAILED)


# --- the other agents ------------------------------------------------------------------------


def _complaint_in(agent: Agent, pack: Content, case: Case, becomes: str) -> str | None:
    """What is wrong with a case in an agent, sent in its own form; None where it is as its facts
    say, where they promise nothing, and where the agent has no such call (a search without a
    folder)."""
    from hookpm.project.trying import native, trial

    wanted = {"holds": case.expect, "-": "none"}.get(becomes, becomes)
    if becomes in ("lost", "unknown") or not agent.facts.native(case.event):
        return None
    call: dict[str, Any] = dict(case.input)
    if case.tool is not None:
        call = {"tool_name": case.tool, "tool_input": case.input}
        if case.response is not None:
            call["tool_response"] = case.response
    got = trial.run([PackTarget(pack, "path:.", None, case.options)], agent, case.event, call)
    holds = wanted in (got.outcomes or ("none",))
    if holds or native.differences(agent, case.event, call, got.sent):
        return None
    said = "".join(f"; {note}" for note in got.notes)
    return f"in {agent.name}: expected {wanted}, got {' and '.join(got.outcomes) or 'none'}{said}"


def _becomes(pack: Content, case: Case, agents: Sequence[Agent]) -> dict[str, str]:
    word = _WORD.get(case.expect, case.expect)
    hooks = [hook for hook in pack.manifest.hooks if _takes(hook, case)]
    return {agent.name: _in_agent(agent, case.event, word, hooks) for agent in agents}


def _takes(hook: Hook, case: Case) -> bool:
    value: Any = case.tool if case.tool is not None else case.input.get(_field(case.event))
    return hook.event == case.event and matcher.matches(case.event, hook.matcher, value)


def _field(event: str) -> str:
    return MATCHED_FIELD.get(event, "")


def _in_agent(agent: Agent, event: str, word: str, hooks: Sequence[Hook]) -> str:
    """What the outcome `word` of these hooks becomes in an agent; "-" where none is for it."""
    meant = [hook for hook in hooks if hook.agents is None or agent.name in hook.agents]
    if word == "none" or not meant:
        return "-"
    support = agent.facts.cell(event, word).support
    if support in MEETS:
        return "holds"
    if support == "dropped" and any(hook.fallback.get(word) == "deny" for hook in meant):
        return answers.refusal(event)
    return "unknown" if support == "unknown" else "lost"
