"""What is played to measure each cell: values only. `measure` plays them, `verdicts` judges.

A cell is EVENT.WORD, such as "PreToolUse.deny". For each there is a case: what the hooks of the
probe's pack say, and to which call. Cases that leave the run going share one run; a case that may
end it has a run of its own.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

from hookpm.contract.events import CAPABILITIES, EVENTS
from hookpm.probe.script import Read, Shell, Step, Subagent, Turn, do, say

PROMPT = "Do the task."
LAST_WORDS = "The task is done."


class Said(NamedTuple):
    """One answer of the probe's pack.

    event: where it is given. answer: the JSON on stdout; {} = nothing. mark: only where the call's
    input holds this text. hook: the first or the second hook of that event. times: how often.
    rewrite: the new command, put into `answer` as updatedInput; the call's other fields stay.
    """

    event: str
    answer: dict[str, Any]
    mark: str = ""
    hook: int = 1
    times: int = 1000
    rewrite: str = ""


class Case(NamedTuple):
    """How one cell is measured.

    cell: EVENT.WORD. said: the answers that play it. call: what the model calls for it, None where
    it needs nothing. asks: the agent is started so that it would ask the user.
    alone: it may end the run, so that nothing after it can be measured. compacts: the agent has to
    compact its context.
    """

    cell: str
    said: tuple[Said, ...]
    call: Step | None = None
    asks: bool = False
    alone: bool = False
    compacts: bool = False

    @property
    def event(self) -> str:
        """Claude's name of the event."""
        return self.cell.partition(".")[0]

    @property
    def word(self) -> str:
        """What is answered there."""
        return self.cell.partition(".")[2]

    @property
    def slug(self) -> str:
        """The cell as a part of file names and texts."""
        return slug(self.cell)


class Play(NamedTuple):
    """One run: its cases in order; those with a command take one turn of the model each."""

    cases: tuple[Case, ...]

    @property
    def compacts(self) -> bool:
        """Is the agent to compact its context?"""
        return self.cases[0].compacts

    @property
    def asks(self) -> bool:
        """Is the agent to ask before a tool? Its cases agree on that."""
        return self.cases[0].asks

    @property
    def turns(self) -> list[Turn]:
        """The model's script: a plain call, which shows that tools run at all, then the cases."""
        if self.compacts:  # there has to be something that can be made shorter
            long = Shell(f"{creates(PLAIN)}; head -c 30000 /dev/zero | tr '\\0' a")
            return [do(long), do(long), do(long), say(LAST_WORDS)]
        called = [do(case.call) for case in self.cases if case.call]
        plain = [do(Shell(creates(PLAIN)))] if called else []
        if any(isinstance(case.call, Subagent) for case in self.cases):
            called.append(do(Shell("sleep 3")))  # some agents do not wait for a subagent's end
        return [*plain, *called, say(LAST_WORDS)]

    def turn(self, case: Case) -> int | None:
        """The turn that makes the case's call; None where it has no call."""
        called = [each.cell for each in self.cases if each.call]
        return called.index(case.cell) + 1 if case.cell in called else None

    @property
    def said(self) -> list[Said]:
        """All answers, as the pack's hooks look them up."""
        return [said for case in self.cases for said in case.said]


PLAIN = "plain"


def slug(cell: str) -> str:
    """A cell as a part of file names: no dot, no colon."""
    return cell.replace(".", "-").replace(":", "-")


def creates(name: str) -> str:
    """A shell command that leaves a file. The texts in it are in no answer, nor theirs in it."""
    return f"echo ran > {name}.made"


def token(cell: str) -> str:
    """The text of an answer: what is looked for in requests and on the terminal."""
    return f"token-{slug(cell)}"


def cases(event: str) -> list[Case]:
    """The cases of one event, in the contract's order."""
    return [_case(event, word) for word in CAPABILITIES[event]]


def all_cases() -> list[Case]:
    """One case per cell."""
    return [case for event in EVENTS for case in cases(event)]


def _case(event: str, word: str) -> Case:
    cell = f"{event}.{word}"
    call, mark = _call(event, slug(cell))
    answer = _answer(event, word, token(cell))
    said = [Said(event, answer, mark)]
    if word == "updatedInput":
        said = [Said(event, answer, mark, rewrite=creates(f"{slug(cell)}-rewritten"))]
    if event in ("Stop", "SubagentStop"):
        said = [Said(event, answer, times=1)]
        if word == "continue:false":  # seen only where another hook wants to go on
            said = [Said(event, _answer(event, "block", token("Stop.block")), times=1)]
            said.append(Said(event, answer, hook=2))
    asks = event in ("PermissionRequest", "Notification") or word == "allow"
    ends = word in ("continue:false", "defer") or (event, word) == ("UserPromptSubmit", "block")
    compacts = event == "PreCompact"
    ends = ends or compacts or event.startswith("Subagent")
    return Case(cell, tuple(said), call, asks, ends, compacts)


def _call(event: str, name: str) -> tuple[Step | None, str]:
    """What makes the event fire, and the text in its input that marks this case's."""
    if event in ("PreToolUse", "PostToolUse", "PermissionRequest"):
        return Shell(creates(name)), f"{name}.made"
    if event == "PostToolUseFailure":
        return Read(f"{name}.gone"), f"{name}.gone"
    if event.startswith("Subagent"):
        return Subagent(), ""
    return None, ""


def _answer(event: str, word: str, text: str) -> dict[str, Any]:
    """An answer in the contract's form that asks for this one word and nothing else."""
    specific: dict[str, Any] = {"hookEventName": event}
    if event == "PermissionRequest":
        deny = {"behavior": "deny", "message": text}
        decision = deny if word == "deny" else {"behavior": "allow"}
        return {"hookSpecificOutput": {**specific, "decision": decision}}
    if word in ("deny", "ask", "allow", "defer"):
        decision = {"permissionDecision": word, "permissionDecisionReason": text}
        return {"hookSpecificOutput": {**specific, **decision}}
    if word == "additionalContext":
        return {"hookSpecificOutput": {**specific, "additionalContext": text}}
    if word == "block":
        return {"decision": "block", "reason": text}
    if word == "continue:false":
        return {"continue": False, "stopReason": text}
    if word == "systemMessage":
        return {"systemMessage": text}
    return {"hookSpecificOutput": specific}


def plays(wanted: Sequence[Case]) -> list[Play]:
    """The runs that measure these cases: as few as is sound.

    At an event that fires once in a run there is one answer a run, so that messages have a run of
    their own, beside the one with everything else.
    """
    alone = [Play((case,)) for case in wanted if case.alone]
    asking = tuple(case for case in wanted if case.asks)
    shared = [case for case in wanted if not (case.alone or case.asks)]
    messages = [c for c in shared if c.word == "systemMessage" and not c.call]
    others = [c for c in shared if c not in messages]
    return [Play(tuple(group)) for group in (others, messages, asking) if group] + alone
