"""What is wrong in the agents' own files: would the agent read it, is what is ours in it?"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from hookpm.agents import shell_line
from hookpm.edit import jsondoc
from hookpm.errors import HookpmError
from hookpm.project import agentfiles, hooksjson
from hookpm.project.agentfiles import generated, has_files, owns
from hookpm.project.health.problem import SYNC, Problem
from hookpm.project.places import obstacle, read

if TYPE_CHECKING:
    from pathlib import Path

    from hookpm.agents import Agent
    from hookpm.edit.jsondoc import Document
    from hookpm.project.state import State


def examine(now: State, agent: Agent) -> Iterator[Problem]:
    """Everything that is wrong in one agent's files."""
    if is_idle(now, agent):
        for path in agentfiles.ours_on_disk(now.root, agent):
            message = "no hook is for an event that it has, but hookpm's entries are still in it"
            yield Problem("left-over", "drift", path, agent.name, message, SYNC)
        return
    if has_files(agent):
        yield from _whole_files(now, agent)
        return
    file = agent.wiring.FILE
    try:
        hindered = agentfiles.conflicts(agent, now.root, _wanted(now, agent)[0])
        for each in hindered:
            fix = f"do that, then {SYNC}"
            yield Problem("not-wired", "broken", file, agent.name, each.message, fix)
        data = read(now.root, file)
        if data is None and hindered:
            return
        if data is None:
            message, fix = missing(now.root, file)
            message = f"{agent.facts.title} is not wired: {message}"
            yield Problem("not-wired", "broken", file, agent.name, message, fix)
            return
        document = agentfiles.parsed(agent, jsondoc.decode(data, file))
    except HookpmError as error:
        yield _unreadable(now, agent, file, error)
        return
    yield from _as_the_agent_reads_it(agent, document)
    yield from _entries(now, agent, document)


def missing(root: Path, path: str) -> tuple[str, str]:
    """What is wrong where a file of ours is not there, and what mends it: a sync, but where
    something else stands in its place."""
    wrong = obstacle(root, path)
    if wrong is None:
        return "the file is gone", SYNC
    return wrong, f"move what is there out of the way, then {SYNC}"


def _unreadable(now: State, agent: Agent, path: str, error: HookpmError) -> Problem:
    """The problem of an agent's file that does not read."""
    message, fix = obstacle(now.root, path), f"mend {path}, then {SYNC}"
    if message is None:
        message = error.message + (f": {error.cause}" if error.cause else "")
    return Problem("unreadable", "broken", path, agent.name, message, fix, error.line)


def is_idle(now: State, agent: Agent) -> bool:
    """Has the agent none of the events that there are hooks for, so that nothing is wired in it?"""
    lost = now.hooks.text is None and any(pack.entries for pack in now.lock.packs)
    return not lost and not _wanted(now, agent)[0]


def _as_the_agent_reads_it(agent: Agent, document: Document) -> Iterator[Problem]:
    """What makes the agent drop the file, or run nothing of it; most of it is not ours."""
    file = agent.wiring.FILE
    for found in agent.wiring.dropped_by(document):
        fix = f"mend {file}, then {SYNC}"
        yield Problem("dropped", "broken", file, agent.name, found.message, fix, found.line)
    for found in agent.wiring.switched_off(document):
        fix = f"switch hooks on in {file}:{found.line}"
        yield Problem("switched-off", "broken", file, agent.name, found.message, fix, found.line)


def _entries(now: State, agent: Agent, document: Document) -> Iterator[Problem]:
    """Our entries: each once, in today's form; and lines of other agents' that were copied here."""
    file = agent.wiring.FILE
    events, longest = _wanted(now, agent)
    wanted = agent.wiring.entries(events, longest)
    outcome = agentfiles.editor(agent).wire(agent, document.text, wanted, ())
    if outcome.wired and outcome.text != document.text:
        for note in outcome.notes or (f"entries are missing or not as they should be in {file}",):
            yield Problem("not-wired", "broken", file, agent.name, note, SYNC)
    elif outcome.wired:
        for note in outcome.notes:  # nothing of ours that a sync would change
            fix = f"take the copied line out of {file}"
            yield Problem("copied", "note", file, agent.name, note, fix)


def _whole_files(now: State, agent: Agent) -> Iterator[Problem]:
    """Files that are ours as a whole: are they there, and as they were written?"""
    for file in generated(agent, *_wanted(now, agent)):
        try:
            data = read(now.root, file.path)
        except HookpmError as error:
            yield _unreadable(now, agent, file.path, error)
            continue
        if data is None:
            message, fix = missing(now.root, file.path)
            yield Problem("not-wired", "broken", file.path, agent.name, message, fix)
        elif data != file.text.encode():
            message = "the file is not as hookpm writes it"
            fix = SYNC if owns(agent, file.path, data) else f"remove {file.path}, then {SYNC}"
            yield Problem("not-wired", "broken", file.path, agent.name, message, fix)
        elif file.executable and not agentfiles.is_executable(now.root, file.path):
            message = "the file is not executable, so the agent cannot start it"
            fix = f"{SYNC}, and let git keep the mode (git update-index --chmod=+x)"
            yield Problem("not-executable", "broken", file.path, agent.name, message, fix)


def twice(now: State, agent: Agent) -> Iterator[Problem]:
    """Our line in another file of the project that the agent reads as well: it calls twice."""
    for pattern in getattr(agent.wiring, "ALSO_READS", ()):
        for path in sorted(now.root.glob(pattern)):
            name = path.relative_to(now.root).as_posix()
            events = [] if name == agent.wiring.FILE else list(_lines_in(now.root, name, agent))
            if events:
                what = ", ".join(dict.fromkeys(events))
                message = f"{agent.facts.title} reads this file too: it calls twice at {what}"
                fix = f"take hookpm's line out of {name}"
                yield Problem("wired-twice", "drift", name, agent.name, message, fix)


def _lines_in(root: Path, name: str, agent: Agent) -> Iterator[str]:
    """The events of the agent's lines of ours in a file; what does not read has none."""
    import msgspec

    try:
        text = jsondoc.decode(read(root, name) or b"", name)
        if name.endswith(".toml"):
            value = msgspec.toml.decode(text)
        else:
            value = jsondoc.parse(text, name).value
    except (HookpmError, msgspec.DecodeError, RecursionError):
        return
    for command in _strings(value):
        found = shell_line.read(command)
        if found is not None and found.agent == agent.name:
            yield found.event


def _strings(value: object) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    for part in value.values() if isinstance(value, dict) else ():
        yield from _strings(part)
    for part in value if isinstance(value, list) else ():
        yield from _strings(part)


def _wanted(now: State, agent: Agent) -> tuple[list[str], float]:
    """The events to be wired, and the longest time limit. Where the hooks file does not read, the
    events are those of the lock."""
    if now.hooks.wrong is not None:
        record = now.wiring(agent.name)
        return list(record.events) if record else [], 0.0
    events = hooksjson.events(now.hooks.text, now.hooks.path) if now.hooks.text else []
    longest = hooksjson.longest_timeout(now.hooks.text, now.hooks.path)
    return [event for event in events if agent.facts.native(event)], longest


def orphans(now: State) -> Iterator[Problem]:
    """Lines of ours in agents' files although nothing is locked: `.agents` is gone, or its lock."""
    known = {wiring.file for wiring in now.lock.wirings}
    for agent in (agent for agent in now.scope.agents if not agent.why_not):
        for file in agentfiles.ours_on_disk(now.root, agent):
            if file not in known:
                message = "hookpm's line is in it, but no pack is installed: no hook runs"
                fix = f"restore .agents from git, or run {SYNC} to take the line out"
                yield Problem("left-over", "broken", file, agent.name, message, fix)
