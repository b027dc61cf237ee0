"""From what reached the model, the disk and the terminal to a verdict on each cell. Pure."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from hookpm.agents.local import HELD, NOT_HELD, NOT_MEASURED
from hookpm.probe.run import Outcome
from hookpm.probe.scenarios import PLAIN, Case, Play, slug, token


class Verdict(NamedTuple):
    """outcome: HELD, NOT_HELD or NOT_MEASURED. why: what was seen, in a few words."""

    outcome: str
    why: str


class Seen(NamedTuple):
    """One run that was played. made: the names of the files that its calls left.

    fired: how often the pack's hooks were asked, by event; it only says whether the event fires.
    summaries: how often the model was asked to summarize the conversation.
    """

    play: Play
    outcome: Outcome
    made: frozenset[str]
    fired: Mapping[str, int]
    summaries: int = 0

    @property
    def asked(self) -> int:
        """How many turns of the script the model was asked for."""
        return sum(request.turn is not None for request in self.outcome.requests)

    def ran(self, cell: str) -> bool:
        """Did the case's call run as it was made?"""
        return f"{slug(cell)}.made" in self.made


def conclusive(seen: Seen, case: Case) -> bool:
    """Can the case be judged from a run that it shared? Not where the run ended early."""
    if seen.outcome.ending != "exit":
        return False
    turn = seen.play.turn(case)
    if turn is not None:
        return seen.asked > turn + 1
    if case.event == "Stop":
        return seen.asked >= len(seen.play.turns)
    return seen.asked > 0


def judge(seen: Seen, case: Case) -> Verdict:
    """What the run says about the case."""
    if seen.outcome.ending != "exit":
        return Verdict(NOT_MEASURED, "the run did not end by itself and was ended")
    if case.asks and case.call:
        return _asking(seen, case)
    if case.call and not seen.ran(PLAIN):
        return Verdict(NOT_MEASURED, "a plain shell command did not run either: " + _tail(seen))
    if not seen.fired.get(case.event):
        if case.compacts and not seen.summaries:
            return Verdict(NOT_MEASURED, "the agent did not compact its context in this run")
        if case.event == "Notification":
            return Verdict(NOT_MEASURED, "nothing made it notify a user in this run")
        return Verdict(NOT_HELD, f"{case.event} did not fire in this run")
    judged = _JUDGES[case.word if case.event == "PreToolUse" else f"{case.event}.{case.word}"]
    return judged(seen, case)


def _deny(seen: Seen, case: Case) -> Verdict:
    if seen.ran(case.cell):
        return Verdict(NOT_HELD, "the tool ran")
    if not _after(seen, case):
        return Verdict(NOT_HELD, "the tool did not run, but the reason never reached the model")
    return Verdict(HELD, "the tool did not run, and the reason reached the model")


def _ask(seen: Seen, case: Case) -> Verdict:
    if seen.ran(case.cell):
        return Verdict(NOT_HELD, "the tool ran, and nobody was asked")
    if seen.asked <= (seen.play.turn(case) or 0) + 1:
        return Verdict(NOT_HELD, "the tool did not run, and the run ended there")
    return Verdict(HELD, "the tool did not run: there was nobody to ask")


def _asking(seen: Seen, case: Case) -> Verdict:
    """Where the agent would ask: a call that nobody answered for is refused, headless."""
    if seen.asked <= (seen.play.turn(case) or 0):
        return Verdict(NOT_MEASURED, "a tool that needs approval ended the run: " + _tail(seen))
    if case.event == "PreToolUse" and seen.ran(PLAIN):
        return Verdict(NOT_MEASURED, "it ran a tool without asking, so there was nothing to allow")
    if not seen.fired.get(case.event):
        if case.event == "PermissionRequest":
            return Verdict(NOT_HELD, f"{case.event} did not fire in this run")
        return Verdict(NOT_MEASURED, "a tool that needs approval was refused before any hook ran")
    if case.word == "deny":
        return _deny(seen, case)
    if case.word == "updatedInput":
        return _rewrite(seen, case)
    if seen.ran(PLAIN):
        return Verdict(NOT_MEASURED, "it ran a tool without asking, so there was nothing to allow")
    if seen.ran(case.cell):
        return Verdict(HELD, "the tool ran, and one that no hook allowed was refused")
    return Verdict(NOT_HELD, "the tool was refused as one that no hook allowed was")


def _defer(seen: Seen, case: Case) -> Verdict:
    if seen.ran(case.cell):
        return Verdict(NOT_HELD, "the tool ran")
    if seen.asked > (seen.play.turn(case) or 0) + 1:
        return Verdict(NOT_HELD, "the tool did not run, and the run went on without it")
    return Verdict(HELD, "the tool did not run, and the run ended there")


def _rewrite(seen: Seen, case: Case) -> Verdict:
    if seen.ran(case.cell):
        return Verdict(NOT_HELD, "the call ran as the model made it")
    if f"{case.slug}-rewritten.made" not in seen.made:
        return Verdict(NOT_HELD, "neither the call nor what it was rewritten to ran")
    return Verdict(HELD, "what the call was rewritten to ran in its place")


def _context(seen: Seen, case: Case) -> Verdict:
    if seen.outcome.model_saw(token(case.cell)):
        return Verdict(HELD, "the text reached the model")
    return Verdict(NOT_HELD, "the text never reached the model")


def _reason_after(seen: Seen, case: Case) -> Verdict:
    """A block after a tool: the reason reaches the model beside the tool's result."""
    if not _after(seen, case):
        return Verdict(NOT_HELD, "the reason never reached the model")
    return Verdict(HELD, "the reason reached the model after the tool")


def _stop(seen: Seen, case: Case) -> Verdict:
    turn = seen.play.turn(case) or 0
    if seen.asked <= turn:
        return Verdict(NOT_MEASURED, "the run ended before: " + _tail(seen))
    if seen.asked > turn + 1:
        return Verdict(NOT_HELD, "the model was asked again")
    return Verdict(HELD, "the model was not asked again")


def _prompt(seen: Seen, _case: Case) -> Verdict:
    if seen.asked:
        return Verdict(NOT_HELD, "the prompt reached the model")
    return Verdict(HELD, "the model was not asked")


def _stop_block(seen: Seen, case: Case) -> Verdict:
    if seen.asked <= len(seen.play.turns):
        return Verdict(NOT_HELD, "the agent stopped all the same")
    if not seen.outcome.model_saw(token(case.cell)):
        return Verdict(NOT_HELD, "the agent went on, but the reason never reached the model")
    return Verdict(HELD, "the agent went on, and the reason reached the model")


def _stop_stop(seen: Seen, _case: Case) -> Verdict:
    if seen.asked > len(seen.play.turns):
        return Verdict(NOT_HELD, "the agent went on, as another hook wanted")
    return Verdict(HELD, "the agent stopped, although another hook wanted it to go on")


def _compact_block(seen: Seen, _case: Case) -> Verdict:
    if seen.summaries:
        return Verdict(NOT_HELD, "the conversation was summarized all the same")
    return Verdict(HELD, "the conversation was not summarized")


def _message(seen: Seen, case: Case) -> Verdict:
    if token(case.cell) in seen.outcome.stdout + seen.outcome.stderr:
        return Verdict(HELD, "the text was printed")
    return Verdict(NOT_HELD, "the text was not printed")


_JUDGES = {
    "deny": _deny,
    "ask": _ask,
    "defer": _defer,
    "updatedInput": _rewrite,
    "additionalContext": _context,
    "continue:false": _stop,
    "systemMessage": _message,
    "PostToolUse.block": _reason_after,
    "PostToolUse.additionalContext": _context,
    "PostToolUse.continue:false": _stop,
    "PostToolUse.systemMessage": _message,
    "UserPromptSubmit.block": _prompt,
    "UserPromptSubmit.additionalContext": _context,
    "UserPromptSubmit.continue:false": _prompt,
    "UserPromptSubmit.systemMessage": _message,
    "SessionStart.additionalContext": _context,
    "SessionStart.systemMessage": _message,
    "PostToolUseFailure.block": _reason_after,
    "PostToolUseFailure.additionalContext": _context,
    "PostToolUseFailure.systemMessage": _message,
    "SubagentStart.additionalContext": _context,
    "SubagentStop.block": _context,
    "Notification.systemMessage": _message,
    "PreCompact.block": _compact_block,
    "PreCompact.systemMessage": _message,
    "Stop.block": _stop_block,
    "Stop.continue:false": _stop_stop,
    "Stop.systemMessage": _message,
}


def _after(seen: Seen, case: Case) -> bool:
    """Did the case's text reach the model as news right after its call?"""
    return seen.outcome.model_saw(token(case.cell), after=seen.play.turn(case))


def _tail(seen: Seen) -> str:
    """The last line that the agent printed."""
    lines = (seen.outcome.stdout + "\n" + seen.outcome.stderr).strip().splitlines()
    return lines[-1].strip()[:200] if lines else "it printed nothing"
