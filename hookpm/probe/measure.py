"""Plays the scenarios on one agent, with the probe's pack wired as a user's pack is.

Everything happens in a throw-away folder: the home, the repository, what hookpm and the agent keep.
"""

from __future__ import annotations

import json
import time
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import NamedTuple

from hookpm import agents as all_agents
from hookpm.agents.local import HELD, NOT_MEASURED
from hookpm.contract.events import EVENTS
from hookpm.probe import agents, scenarios
from hookpm.probe.agent import Agent
from hookpm.probe.model import last_message
from hookpm.probe.run import Installed, Outcome, run_agent
from hookpm.probe.scenarios import PLAIN, Case, Play
from hookpm.probe.script import Subagent, Turn
from hookpm.probe.verdicts import Seen, Verdict, conclusive, judge
from hookpm.probe.world import ProbeError, World, prepare

RUN_S = 120.0  # one run may take so long; most take less than ten
ALL_S = 900.0
Progress = Callable[[str], None]


class Measured(NamedTuple):
    """What was measured: a verdict per cell, headless; fires: did the event fire in any run.

    fires has no entry for an event that had no occasion to fire.
    """

    agent: str
    version: str
    cells: Mapping[str, Verdict]
    fires: Mapping[str, bool]
    runs: int
    seconds: float


def measure(
    agent: str,
    world: World,
    version: str,
    *,
    installed: Installed | None = None,
    cells: Iterable[str] | None = None,
    progress: Progress = lambda _: None,
    run_limit: float = RUN_S,
    limit: float = ALL_S,
) -> Measured:
    """Measure an agent in `world`, an empty folder.

    installed: its binary, by default the pinned one. cells: only these. run_limit, limit: seconds
    for one run and for all; what the time does not reach is not measured.
    Raises UsageError (unknown agent), AgentInstallError (not installed), ProbeError.
    """
    known = agents.load(agent)
    started = time.monotonic()
    progress("preparing a repository with the probe's pack")
    prepare(agent, world)
    chosen = [c for c in scenarios.all_cases() if cells is None or c.cell in set(cells)]
    session = _Session(known, world, installed, run_limit, started + limit, progress)
    found = {case.cell: Verdict(NOT_MEASURED, why) for case, why in _unseen(known, chosen)}
    session.play_all([case for case in chosen if case.cell not in found])
    if session.runs and not session.reached_model:
        raise ProbeError(
            f"{agent} never asked the model, in {session.runs} runs",
            cause=session.last_words,
            hint="start it once by hand: it may want something that a new home does not have",
        )
    found |= session.verdicts
    return Measured(
        agent=agent,
        version=version,
        cells=_consistent({case.cell: found[case.cell] for case in chosen}, session.compacted),
        fires=session.fires(),
        runs=session.runs,
        seconds=time.monotonic() - started,
    )


def _unseen(known: Agent, chosen: Sequence[Case]) -> list[tuple[Case, str]]:
    """The cases that no run of this agent can show, and why."""
    found = []
    for case in chosen:
        why = known.unseen.get(case.cell) or known.unseen.get(case.event, "")
        if not why and case.cell == "PreToolUse.allow" and not known.unattended:
            why = "it is not known how to make it ask before a tool headless"
        rare = case.compacts or isinstance(case.call, Subagent)
        if not why and rare and not all_agents.facts_of(known.name).native(case.event):
            why = "it is known for no such event"
        if not why and isinstance(case.call, Subagent) and not known.subagent:
            why = "it is not known how to make it start a subagent"
        if not why and case.cell == "PreCompact.block" and not known.compaction:
            why = "it is not known how to make it compact in a headless run"
        if why:
            found.append((case, why))
    return found


def _consistent(cells: dict[str, Verdict], compacted: bool) -> dict[str, Verdict]:
    """What one cell says only beside another.

    A stop that wins over a block is seen only where a block holds, and a block of a compaction only
    where another run, in which nothing was blocked, did compact.
    """
    compaction = cells.get("PreCompact.block")
    if compaction and compaction.outcome == HELD and not compacted:
        why = "no run compacted anything, blocked or not"
        cells["PreCompact.block"] = Verdict(NOT_MEASURED, why)
    block, stop = cells.get("Stop.block"), cells.get("Stop.continue:false")
    if block and stop and block.outcome != HELD and stop.outcome == HELD:
        why = "the agent stopped, but it does so whatever hooks say"
        cells["Stop.continue:false"] = Verdict(NOT_MEASURED, why)
    return cells


class _Session:
    """The runs of one measuring, and what they have shown so far."""

    def __init__(
        self,
        known: Agent,
        world: World,
        installed: Installed | None,
        run_limit: float,
        deadline: float,
        progress: Progress,
    ) -> None:
        self.verdicts: dict[str, Verdict] = {}
        self.fired: Counter[str] = Counter()
        self.runs = 0
        self.reached_model = False
        self.compacted = False
        self.ran_tools = False
        self.last_words = ""
        self._known = known
        self._world = world
        self._installed = installed
        self._run_limit = run_limit
        self._deadline = deadline
        self._progress = progress

    def fires(self) -> dict[str, bool]:
        """Which events fire; an event that had no occasion to is left out."""
        occasions = {"SessionStart", "UserPromptSubmit", "Stop", "SessionEnd"}
        if self.ran_tools:
            occasions |= {"PreToolUse", "PostToolUse"}
        if self.compacted:
            occasions.add("PreCompact")
        known = occasions if self.reached_model else set()
        return {e: e in self.fired for e in EVENTS if e in self.fired or e in known}

    def play_all(self, cases: Sequence[Case]) -> None:
        """Shared runs first; what they cannot decide is played once more, by itself."""
        waiting = scenarios.plays(cases)
        while waiting:
            play = waiting.pop(0)
            seen = self._play(play, len(waiting))
            for case in play.cases:
                if seen is None:
                    self.verdicts[case.cell] = Verdict(NOT_MEASURED, "the time was up")
                elif len(play.cases) == 1 or conclusive(seen, case):
                    self.verdicts[case.cell] = judge(seen, case)
                else:
                    waiting.append(Play((case,)))

    def _play(self, play: Play, left: int) -> Seen | None:
        """One run; None where no time is left for it."""
        seconds = min(self._run_limit, self._deadline - time.monotonic())
        if seconds <= 0:
            return None
        names = ", ".join(case.cell for case in play.cases)
        self._progress(f"run {self.runs + 1} of {self.runs + 1 + left}: {names}")
        world = self._world
        for stray in world.repo.glob("*.made"):
            stray.unlink()
        plan = [said._asdict() for said in play.said]
        world.plan.write_text(json.dumps(plan), encoding="utf-8")
        world.log.write_text("", encoding="utf-8")
        outcome = run_agent(
            self._known.name,
            world.repo,
            self._turns(play),
            home=world.home,
            prompt=scenarios.PROMPT,
            arguments=self._known.verbose,
            env=world.env,
            timeout=seconds,
            asks=play.asks and bool(self._known.unattended),
            compacts=play.compacts,
            installed=self._installed,
        )
        self.runs += 1
        lines = [line.split() for line in world.log.read_text("utf-8").splitlines()]
        fired = Counter(line[1] for line in lines if line[0] == "fired")
        self.fired += fired
        made = frozenset(path.name for path in world.repo.glob("*.made"))
        seen = Seen(play, outcome, made, fired, self._summaries(outcome))
        self.compacted = self.compacted or bool(play.compacts and seen.summaries)
        self.ran_tools = self.ran_tools or seen.ran(PLAIN)
        self.reached_model = self.reached_model or bool(seen.asked)
        said = (outcome.stderr.strip() or outcome.stdout.strip())[-600:]
        self.last_words = said or f"it ended with {outcome.rc} and printed nothing"
        return seen

    def _turns(self, play: Play) -> list[Turn]:
        """The play's turns; those that are to make the agent compact are expensive."""
        compaction = self._known.compaction
        if not (play.compacts and compaction):
            return play.turns
        return [turn._replace(tokens=compaction.tokens) for turn in play.turns[:-1]] + [
            play.turns[-1]
        ]

    def _summaries(self, outcome: Outcome) -> int:
        """How often the model was asked for a summary."""
        asks = self._known.compaction.asks if self._known.compaction else ""
        return sum(
            bool(asks) and request.turn is None and asks in last_message(request.body)
            for request in outcome.requests
        )
