"""What would happen: a call goes through an agent's own translation to the hooks of a pack.

In a scratch project, not in the user's. The agent's own answer comes out, with what each hook said
and how long it took.
"""

from __future__ import annotations

import json
import tempfile
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from hookpm.contract import answer as answers
from hookpm.contract.answer import REFUSED
from hookpm.contract.events import TOOL_EVENTS
from hookpm.project import hooksjson
from hookpm.project.trying import native, recorder, scratch

if TYPE_CHECKING:
    from hookpm.agents import Agent
    from hookpm.packs.manifest import Hook
    from hookpm.project.generated import PackTarget
    from hookpm.project.hooksjson import Group
    from hookpm.project.state import State
    from hookpm.project.trying.recorder import Record
    from hookpm.resolve.requirement import Requirement

# The words of `expect` in cases, for capabilities that are called otherwise.
_WORDS = {"updatedInput": "rewrite", "additionalContext": "context", "continue:false": "stop"}


class HookRun(NamedTuple):
    """One run of a hook. exit: None where it was ended at its time limit; ms: milliseconds."""

    pack: str
    hook: str
    command: str
    exit: int | None
    ms: float
    stdout: str
    stderr: str


class Trial(NamedTuple):
    """What a call came to in one agent.

    decision: a word of `expect` in cases: what the agent does, fallbacks and losses included;
    outcomes: all of them. sent: the agent's payload; answer: what it reads, {} for nothing.
    """

    agent: str
    event: str
    decision: str
    outcomes: tuple[str, ...]
    sent: dict[str, Any]
    hooks: tuple[HookRun, ...]
    answer: dict[str, Any]
    notes: tuple[str, ...]


def find(now: State, asked: Requirement, cwd: Path) -> list[PackTarget]:
    """The pack and what it depends on. A name without a version is the installed pack, with its
    options, where there is one; else it is looked for in the registries.

    Raises what resolving raises.
    """
    from hookpm.project import targeting, wishes
    from hookpm.resolve.requirement import NameRequirement

    if isinstance(asked, NameRequirement) and not str(asked.specifier):
        installed = {each.name: each for each in _installed(now)}
        if asked.name in installed:
            return _with_dependencies(installed, asked.name)
    placed = wishes.placed(asked, now.root, cwd)
    return targeting.of_lines(now, {wishes.pack_name(now, placed): wishes.source_line(placed)})


def run(targets: Sequence[PackTarget], agent: Agent, event: str, call: Mapping[str, Any]) -> Trial:
    """Send a call through an agent's translation to the hooks of packs.

    event: one of the contract; call: in Claude's form, tool_name and tool_input at tool events,
    elsewhere the event's own fields.
    """
    if not agent.facts.native(event):
        note = f"{agent.facts.title} has no such event: no hook runs"
        return Trial(agent.name, event, "none", (), {}, (), {}, (note,))
    with tempfile.TemporaryDirectory(prefix="hookpm-try-") as base:
        project = Path(base).resolve() / "project"
        record = recorder.Recorder(project.parent / "records")
        hooks: list[tuple[PackTarget, Hook]] = []

        def recorded(group: Group) -> Group:
            hooks.append(_hook_of(targets, group))
            return record.instead(group)

        scratch.write(project, targets, recorded)
        sent = native.payload(agent, event, call, project)
        more = agent.wiring.environment(project)
        done = scratch.run_bridge(project, agent.name, event, sent, more)
        records = record.read()
        words = _outcomes(agent, event, sent, records, hooks, project)
    notes = [*native.differences(agent, event, call, sent), *_unknown_tool(agent, event, call)]
    notes += [done.error] if done.error else done.notes
    if not records and not done.error:
        notes.append(f"no hook of {_names(targets)} runs for this")
    return Trial(
        agent.name,
        event,
        next((word for word in words if word != "systemMessage"), "none"),
        words,
        sent,
        tuple(_hook_run(each, *hooks[each.number]) for each in records),
        _answer(done),
        tuple(dict.fromkeys(notes)),
    )


# --- packs -----------------------------------------------------------------------------------


def _installed(now: State) -> list[PackTarget]:
    from hookpm.project import targeting, wishes

    return targeting.of_lines(now, wishes.wanted(now)) if now.lock.packs else []


def _with_dependencies(packs: Mapping[str, PackTarget], name: str) -> list[PackTarget]:
    found: dict[str, PackTarget] = {}
    waiting = [name]
    while waiting:
        each = waiting.pop()
        if each in packs and each not in found:
            found[each] = packs[each]
            waiting += packs[each].content.manifest.dependencies
    return [found[each] for each in sorted(found)]


def _hook_of(targets: Sequence[PackTarget], group: Group) -> tuple[PackTarget, Hook]:
    target = next(each for each in targets if each.name == group.pack)
    hook = target.content.manifest.hook(group.id)
    assert hook is not None
    return target, hook


def _names(targets: Sequence[PackTarget]) -> str:
    return ", ".join(target.name for target in targets)


# --- what came out ---------------------------------------------------------------------------


def _outcomes(
    agent: Agent,
    event: str,
    sent: dict[str, Any],
    records: Sequence[Record],
    hooks: Sequence[tuple[PackTarget, Hook]],
    project: Path,
) -> tuple[str, ...]:
    """What the agent is told, as words of `expect`: the hooks' answers, joined as the bridge joins
    them, with fallbacks, and without what the agent drops."""
    from hookpm.bridge import reply
    from hookpm.bridge.event import Event
    from hookpm.contract.forms import asked
    from hookpm.contract.join import join

    here = Event(agent.name, event, str(project / ".agents" / "hookpm"), None, b"")
    here.translate = native.translation(agent)
    here.payload = sent
    here.calls = native.seen(agent, event, sent)
    notes = reply.Notes(here)
    said = []
    for record in sorted(records, key=lambda record: record.number):
        hook = hooks[record.number][1]
        answer = _said(event, record, hook)
        reply.fall_back(here, hook.id, answer, dict(hook.fallback), notes)
        said.append(answer)
    joined = join(event, said)
    if joined.is_empty():
        return ()
    made = here.translate.from_claude(event, joined, here.payload, here.calls)
    words = [word for word in asked(event, joined) if word not in made.dropped]
    return tuple(_WORDS.get(word, word) for word in words)


def _said(event: str, record: Record, hook: Hook) -> answers.Answer:
    """One hook's answer; a failure refuses where the hook says so."""
    if record.exit is None:
        said = answers.Answer()
        said.failure = f"ran past its {hook.timeout:g} seconds"
    else:
        said = answers.read(event, record.exit, record.stdout, record.stderr)
    if said.failure and hook.on_failure == "block":
        said.decision = answers.refusal(event)
        said.reason = said.failure
    return said


def _hook_run(record: Record, target: PackTarget, hook: Hook) -> HookRun:
    texts = (stream.decode("utf-8", "replace") for stream in (record.stdout, record.stderr))
    command = hook.run or hooksjson.command(hook)
    return HookRun(target.name, hook.id, command, record.exit, record.ms, *texts)


def _answer(done: scratch.Ended) -> dict[str, Any]:
    """What the agent reads: its JSON; exit code 2 and stderr where it is refused so; else text."""
    if done.code == REFUSED:
        lines = [line for line in done.stderr.splitlines() if not line.startswith("hookpm: ")]
        return {"exit_code": 2, "stderr": "\n".join(lines)}
    text = done.stdout.decode("utf-8", "replace").strip()
    try:
        document = json.loads(text) if text else {}
    except ValueError:
        document = None
    return document if isinstance(document, dict) else {"stdout": text}


def _unknown_tool(agent: Agent, event: str, call: Mapping[str, Any]) -> list[str]:
    """A remark where the agent has no such tool: then hooks never see the call there."""
    tool = str(call.get("tool_name", ""))
    tools = agent.facts.tools
    if event not in TOOL_EVENTS or tool in tools.names or (tool.startswith("mcp__") and tools.mcp):
        return []
    title = agent.facts.title
    return [f"{title} has no tool that hooks see as {tool}; there are {', '.join(tools.names)}"]
