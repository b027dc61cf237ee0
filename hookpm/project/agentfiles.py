"""The part of a plan that is about the agents' own files: entries in theirs, or files of ours."""

from __future__ import annotations

import os
from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from hookpm.agents import shell_line
from hookpm.agents.wiring import Finding
from hookpm.contract.events import EVENTS
from hookpm.edit import jsondoc, jsonedit, tomldoc, tomledit
from hookpm.errors import HookpmError
from hookpm.project import hooksjson, wire, wiretoml
from hookpm.project.home import localscope
from hookpm.project.home import scope as scopes
from hookpm.project.places import following, obstacle, read
from hookpm.project.writing.draft import AgentPlan, Draft, missing_folders
from hookpm.resolve import lock as locks

if TYPE_CHECKING:
    from pathlib import Path

    from hookpm.agents import Agent
    from hookpm.agents.wiring import GeneratedFile

Lines = dict[str, str]  # event -> the line that is wired for it


def plan(draft: Draft, agents: Sequence[Agent], hooks_text: str) -> dict[str, Lines]:
    """Plan every agent's files; returns agent -> event -> line for those that get wired.

    agents: those that are to be wired; whatever is ours in the files of all others goes.
    """
    events = hooksjson.events(hooks_text, draft.state.hooks.path)
    longest = hooksjson.longest_timeout(hooks_text, draft.state.hooks.path)
    wanted = {agent.name for agent in agents}
    lines = {}
    scope = draft.state.scope
    _leave_other_places(draft)
    for agent in scope.agents:
        if agent.name in wanted and not agent.why_not:
            found = wire_agent(draft, agent, events, longest)
            if found is not None:
                lines[agent.name] = found
        elif agent.name in wanted:
            finding = Finding(1, agent.why_not)
            draft.agents.append(AgentPlan(agent.name, agent.wiring.FILE, False, (finding,)))
            draft.wirings += [w for w in draft.state.lock.wirings if w.agent == agent.name]
        elif not agent.why_not or scope.is_user:
            unwire_agent(draft, agent)
    return lines


def _leave_other_places(draft: Draft) -> None:
    """Take our entries out of a user's file that is no longer the one which its agent reads."""
    for record in draft.state.lock.wirings if draft.state.scope.is_user else ():
        agent = draft.state.scope.agent(record.agent)
        if record.file == agent.wiring.FILE or has_files(agent) or agent.why_not:
            continue
        unwire_agent(draft, scopes.at(agent, record.file))
        draft.notes.append(f"{agent.name} was wired in {record.file}, which it does not read now")


def wire_agent(draft: Draft, agent: Agent, events: Sequence[str], longest: float) -> Lines | None:
    """Plan one agent's files for those of the events that it has. longest: in seconds; None: left
    alone, for reasons that the draft has."""
    if is_idle(agent, events):
        unwire_agent(draft, agent)
        if all(each.agent != agent.name for each in draft.agents):  # its file could be edited
            draft.agents.append(AgentPlan(agent.name, agent.wiring.FILE, True, idle=True))
        return {}
    known = [event for event in events if agent.facts.native(event)]
    work = _wire_files if has_files(agent) else _wire_entries
    return work(draft, agent, known, longest)


def is_idle(agent: Agent, events: Sequence[str]) -> bool:
    """Has an agent none of the events that there are hooks for, so that nothing is wired in it?"""
    return not any(agent.facts.native(event) for event in events)


def unwire_agent(draft: Draft, agent: Agent) -> None:
    """Plan that whatever is ours in one agent's files goes."""
    if has_files(agent):
        _unwire_files(draft, agent)
    else:
        _unwire_entries(draft, agent)


def has_files(agent: Agent) -> bool:
    """Is the agent wired by whole files of ours, and not by entries in its own?"""
    return hasattr(agent.wiring, "generated")


def generated(agent: Agent, events: Sequence[str], longest: float) -> list[GeneratedFile]:
    """The files of ours that wire such an agent."""
    found: list[GeneratedFile] = agent.wiring.generated(events, longest)  # type: ignore[attr-defined]
    return found


def owns(agent: Agent, path: str, data: bytes) -> bool:
    """Is a file of such an agent ours, and not changed by anybody?"""
    try:
        text = data.decode()
    except UnicodeDecodeError:
        return False
    return bool(agent.wiring.owns(path, text))  # type: ignore[attr-defined]


# --- entries in the agent's own file ---------------------------------------------------------


def editor(agent: Agent) -> Any:
    """The module that edits the format of the agent's file."""
    return wiretoml if getattr(agent.wiring, "FORMAT", "json") == "toml" else wire


def parsed(agent: Agent, text: str) -> Any:
    """The document of the agent's file, in its format. Raises FileFormatError."""
    return (tomldoc if editor(agent) is wiretoml else jsondoc).parse(text, agent.wiring.FILE)


def _wire_entries(
    draft: Draft, agent: Agent, events: Sequence[str], longest: float
) -> Lines | None:
    root, file = draft.state.root, agent.wiring.FILE
    record, other = _record_of(draft, agent), _others_record(draft, agent)
    undo = _merge_undo(agent, other.undo if other else (), record.undo if record else ())
    entries = agent.wiring.entries(events, longest)
    try:
        astray, old = _read_through(root, file)
        text = None if old is None else jsondoc.decode(old, file)
        findings = conflicts(agent, root, [entry.event for entry in entries])
        if draft.state.scope.is_local:
            created = bool(record and record.created)
            shared = localscope.in_the_way(draft, agent, file, created=created)
            findings = (*findings, *([shared] if shared else ()))
    except HookpmError as error:
        findings = (Finding(error.line or 1, _words(error)),)
    if findings:
        draft.agents.append(AgentPlan(agent.name, file, False, findings))
        _keep_records(draft, agent)
        return None
    outcome = editor(agent).wire(agent, text, entries, undo)
    if astray and outcome.wired and outcome.text != text:
        outcome = replace(outcome, text=text, findings=(Finding(1, f"{astray}; {_TO_FOLLOW}"),))
    if record is None and file in ours_on_disk(root, agent):
        draft.notes.append(
            f"{file} holds hookpm's entries already, but the lock does not say what the file was "
            "before; an uninstall takes them out, and may leave empty lists behind"
        )
    draft.agents.append(
        AgentPlan(agent.name, file, outcome.wired, outcome.findings, outcome.off, outcome.notes)
    )
    if not outcome.wired:
        _keep_records(draft, agent)
        return None
    names = tuple(entry.event for entry in entries)
    before = record or other
    created = old is None or bool(before and before.created)
    kept = record.undo if record is not None and outcome.text == text else outcome.undo
    _record(draft, agent, file, created, kept, names)
    draft.put(file, old, jsondoc.encode(outcome.text or ""))
    return {entry.event: _line_of(entry.value) for entry in entries}


_TO_FOLLOW = "--follow-links writes there all the same"


def _read_through(root: Path, file: str) -> tuple[str, bytes | None]:
    """The bytes of an agent's file; and, where only a link out of the project keeps it from being
    written, that in words. Raises HookpmError where anything else stands there."""
    astray = obstacle(root, file) or ""
    with following(links=True):
        wrong = obstacle(root, file)
        if wrong is not None:
            raise HookpmError(wrong)
        return astray, read(root, file)


def conflicts(agent: Agent, root: Path, events: Sequence[str]) -> tuple[Finding, ...]:
    """Hooks of the user's in other files that our entries would keep from running."""
    look = getattr(agent.wiring, "conflicts", None)
    return tuple(look(root, events)) if look is not None else ()


def _unwire_entries(draft: Draft, agent: Agent) -> None:
    """Take our entries out of an agent's file, wherever they came from."""
    root, file = draft.state.root, agent.wiring.FILE
    record = _record_of(draft, agent)
    try:
        astray, old = _read_through(root, file)
        text = None if old is None else jsondoc.decode(old, file)
    except HookpmError:
        astray, text, old = "", None, None
    if old is None or text is None:
        if record:
            draft.made += record.made
        return
    outcome = editor(agent).unwire(agent, text, tuple(record.undo) if record else ())
    if astray and outcome.text != text:
        outcome = replace(outcome, text=text, findings=(Finding(1, f"{astray}; {_TO_FOLLOW}"),))
    if outcome.findings:
        if record:
            draft.agents.append(AgentPlan(agent.name, file, False, outcome.findings))
            _keep_records(draft, agent)
        return
    gone = bool(record and record.created) and not (outcome.text or "").strip()
    if record:
        draft.made += record.made
    left = () if gone else _left_empty(agent, text, outcome.text or "")
    if left and outcome.text != text:
        draft.notes.append(
            f"{file} keeps empty lists ({', '.join(left)}): they were there before the install, or "
            "the record of it was lost with a lock"
        )
    draft.put(file, old, None if gone else jsondoc.encode(outcome.text or ""))


def _left_empty(agent: Agent, before: str, after: str) -> list[str]:
    """The events whose list had entries and is empty now."""
    if getattr(agent.wiring, "FORMAT", "json") == "toml":
        return []
    table = wire.table_of(agent)
    was, now = (jsondoc.parse(text, agent.wiring.FILE).get(table) for text in (before, after))
    if was is None or now is None or was.kind != "object" or now.kind != "object":
        return []
    full = {m.name for m in was.members if m.value.kind == "array" and m.value.items}
    return [
        m.name
        for m in now.members
        if m.name in full and m.value.kind == "array" and not m.value.items
    ]


def ours_on_disk(root: Path, agent: Agent) -> list[str]:
    """The agent's files that hold something of ours; what cannot be read counts as none."""
    if has_files(agent):
        paths = [file.path for file in generated(agent, EVENTS, 0.0)]
        found = [path for path in paths if (data := _peek(root, path)) and owns(agent, path, data)]
        return list(dict.fromkeys(found))
    data = _peek(root, agent.wiring.FILE)
    try:
        text = jsondoc.decode(data or b"", agent.wiring.FILE)
        outcome = editor(agent).unwire(agent, text)
    except HookpmError:
        return []
    return [agent.wiring.FILE] if outcome.wired and outcome.text != text else []


def _peek(root: Path, path: str) -> bytes | None:
    try:
        return None if obstacle(root, path) else read(root, path)
    except HookpmError:
        return None


# --- whole files of ours ---------------------------------------------------------------------


def _wire_files(draft: Draft, agent: Agent, events: Sequence[str], longest: float) -> Lines | None:
    root = draft.state.root
    files = generated(agent, events, longest)
    old: dict[str, bytes | None] = {}
    findings = []
    for file in files:
        try:
            wrong = obstacle(root, file.path)
            old[file.path] = None if wrong else read(root, file.path)
        except HookpmError as error:
            wrong = _words(error)
        present = old.get(file.path)
        if wrong is None and present is not None and not owns(agent, file.path, present):
            wrong = "the file is somebody else's, or was edited; move it away to be wired here"
        if wrong is None and draft.state.scope.is_local:
            found = localscope.in_the_way(draft, agent, file.path, created=True)
            wrong = found.message if found else None
        if wrong is not None:
            findings.append(Finding(1, f"{file.path}: {wrong}"))
    draft.agents.append(AgentPlan(agent.name, agent.wiring.FILE, not findings, tuple(findings)))
    if findings:
        _keep_records(draft, agent)
        return None
    for file in files:
        _record(draft, agent, file.path, True, (), tuple(events))
        lost = file.executable and old[file.path] is not None and not is_executable(root, file.path)
        draft.put(file.path, old[file.path], file.text.encode(), file.executable, anew=lost)
    paths = {file.path for file in files}
    gone = [record for record in _records(draft, agent) if record.file not in paths]
    _remove_files(draft, agent, [record.file for record in gone])
    for record in gone:
        draft.made += record.made
    return {event: shell_line.present(agent.name, event) for event in events}


def is_executable(root: Path, path: str) -> bool:
    """Can a file of ours be started by itself?"""
    return os.access(root / path, os.X_OK)


def _unwire_files(draft: Draft, agent: Agent) -> None:
    """Remove the files of ours, also those that no lock knows any more."""
    records = _records(draft, agent)
    usual = [file.path for file in generated(agent, EVENTS, 0.0)]
    _remove_files(draft, agent, list(dict.fromkeys([*(w.file for w in records), *usual])))
    for record in records:
        draft.made += record.made


def _remove_files(draft: Draft, agent: Agent, paths: Sequence[str]) -> None:
    for path in paths:
        try:
            old = None if obstacle(draft.state.root, path) else read(draft.state.root, path)
        except HookpmError:
            continue
        if old is None:
            continue
        if owns(agent, path, old):
            draft.put(path, old, None)
        elif any(record.file == path for record in _records(draft, agent)):
            draft.notes.append(f"{path} was edited, so it stays; it calls nothing any more")


# --- what the lock keeps ---------------------------------------------------------------------


def _records(draft: Draft, agent: Agent) -> list[locks.Wiring]:
    """What the lock has of the agent: its files, or the one file that its entries are in."""
    return [
        w
        for w in draft.state.lock.wirings
        if w.agent == agent.name and (has_files(agent) or w.file == agent.wiring.FILE)
    ]


def _record_of(draft: Draft, agent: Agent) -> locks.Wiring | None:
    """What the lock has of an agent that is wired by entries."""
    return next(iter(_records(draft, agent)), None)


def _others_record(draft: Draft, agent: Agent) -> locks.Wiring | None:
    """What the other one that wires users' files (user scope, the user bridge) put into this file.

    Whoever leaves last takes back what either made: only then the file is as it was.
    """
    return next((w for w in draft.state.others if w.file == agent.wiring.FILE), None)


def _merge_undo(agent: Agent, *undos: tuple[str, ...]) -> tuple[str, ...]:
    merge = tomledit.merge_undo if editor(agent) is wiretoml else jsonedit.merge_undo
    return merge(*undos)


def _keep_records(draft: Draft, agent: Agent) -> None:
    draft.wirings += _records(draft, agent)


def _record(
    draft: Draft,
    agent: Agent,
    file: str,
    created: bool,
    undo: tuple[str, ...],
    events: tuple[str, ...],
) -> None:
    before = next((w for w in _records(draft, agent) if w.file == file), None)
    made = before.made if before else _made_for(draft, file)
    draft.wirings.append(
        locks.Wiring(
            agent=agent.name, file=file, created=created, made=made, undo=undo, events=events
        )
    )


def _made_for(draft: Draft, file: str) -> tuple[str, ...]:
    """The folders above a file that were made for it or, by the other one, for one beside it."""
    theirs = (folder for other in draft.state.others for folder in other.made)
    shared = (folder for folder in theirs if file.startswith(f"{folder}/"))
    return tuple(dict.fromkeys([*missing_folders(draft.state.root, file), *shared]))


def _line_of(entry: dict[str, Any]) -> str:
    handler = entry["hooks"][0] if "hooks" in entry else entry
    return str(handler.get("command") or handler.get("bash"))


def _words(error: HookpmError) -> str:
    return error.message + (f": {error.cause}" if error.cause else "")
