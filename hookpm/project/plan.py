"""How to get from what a project has to what it is to have: a value that can be shown or applied.

Pure but for reading the agents' files: the same project and the same wishes give the same plan, on
every machine.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from hookpm import agents as all_agents
from hookpm.agents.wiring import Finding
from hookpm.edit import jsondoc
from hookpm.errors import HookpmError
from hookpm.project import generated, hooksjson, wire
from hookpm.project.generated import PackTarget, canonical, digest
from hookpm.project.root import LOCK, SETTINGS
from hookpm.project.transaction import Change, obstacle, read
from hookpm.project.vendor import FOLDER
from hookpm.resolve import lock as locks

if TYPE_CHECKING:
    from hookpm.agents import Agent
    from hookpm.project.state import State


class AgentPlan(NamedTuple):
    """What becomes of one agent. findings: why its file is left alone; off: why its hooks do not
    run although they are wired; notes: what is put right in its file."""

    agent: str
    file: str
    wired: bool
    findings: tuple[Finding, ...] = ()
    off: tuple[Finding, ...] = ()
    notes: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Plan:
    """Every file that changes, and what to say about it. made: folders that are to go if empty."""

    root: Path
    changes: tuple[Change, ...]
    agents: tuple[AgentPlan, ...]
    notes: tuple[str, ...] = ()
    made: tuple[str, ...] = ()


@dataclass(slots=True)
class _Draft:
    state: State
    changes: dict[str, Change] = field(default_factory=dict)
    edits: list[locks.Edit] = field(default_factory=list)
    wirings: list[locks.Wiring] = field(default_factory=list)
    agents: list[AgentPlan] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)
    made: list[str] = field(default_factory=list)

    def put(
        self, path: str, old: bytes | None, new: bytes | None, executable: bool = False
    ) -> None:
        if old != new:
            self.changes[path] = Change(path, old, new, executable)


def make(
    state: State,
    packs: Sequence[PackTarget],
    agents: Sequence[Agent],
    settings_text: str | None,
    settings_undo: tuple[str, ...] = (),
) -> Plan:
    """The plan that brings the project to these packs in these agents.

    settings_text: the wanted text of hookpm.toml, None = no such file; settings_undo: what to take
    out of it with the last pack. Without packs everything of hookpm's goes. Raises
    FileFormatError where the hooks file cannot be added to.
    """
    draft = _Draft(state)
    hooks_text = _plan_hooks(draft, packs)
    lines = _plan_agents(draft, agents if packs else (), hooks_text)
    files = generated.wanted_files(packs, lines) if packs else {}
    _plan_files(draft, files)
    _plan_settings(draft, settings_text, settings_undo)
    _plan_lock(draft, packs, files)
    return Plan(
        root=state.root,
        changes=tuple(draft.changes.values()),
        agents=tuple(draft.agents),
        notes=tuple(draft.notes),
        made=tuple(draft.made),
    )


# --- the hooks file --------------------------------------------------------------------------


def _plan_hooks(draft: _Draft, packs: Sequence[PackTarget]) -> str:
    """Plan the hooks file; returns the text it will have ("" where there will be none)."""
    state = draft.state
    hooks = state.hooks
    record = state.edit(hooks.path)
    undo = tuple(record.undo) if record else ()
    wanted = [
        group for pack in packs for group in hooksjson.groups(pack.content.manifest, pack.disabled)
    ]
    if hooks.text is None and not wanted:
        return ""
    edited = hooksjson.updated(hooks.text, wanted, undo, hooks.path)
    created = hooks.text is None or bool(record and record.created)
    text: str | None = edited.text
    if not wanted and created and not edited.text.strip():
        text = None
    if wanted:
        made = record.made if record else _missing_folders(state.root, hooks.path)
        draft.edits.append(
            locks.Edit(file=hooks.path, created=created, made=tuple(made), undo=edited.undo)
        )
    elif record:
        draft.made += record.made
    old = None if hooks.text is None else jsondoc.encode(hooks.text)
    draft.put(hooks.path, old, None if text is None else jsondoc.encode(text))
    _note_hooks(draft, text, bool(wanted))
    return text or ""


def _note_hooks(draft: _Draft, text: str | None, any_packs: bool) -> None:
    hooks = draft.state.hooks
    if hooks.antigravitys:
        draft.notes.append(
            f"{hooksjson.OURS} belongs to Google Antigravity, which is left alone; "
            f"the packs' hooks are in {hooks.path}"
        )
    if text and not any_packs and hooksjson.user_groups(text, hooks.path):
        draft.notes.append(
            f"your own hooks stay in {hooks.path}, but nothing runs them any more: "
            "the wiring went with the last pack"
        )
    if any_packs:
        for problem in hooksjson.problems(text, hooks.path):
            draft.notes.append(f"{hooks.path}:{problem.line} {problem.message}; it does not run")


# --- the agents' files -----------------------------------------------------------------------


def _plan_agents(
    draft: _Draft, agents: Sequence[Agent], hooks_text: str
) -> dict[str, dict[str, str]]:
    """Plan every agent's file; returns agent -> event -> line for those that get wired."""
    events = hooksjson.events(hooks_text, draft.state.hooks.path)
    longest = hooksjson.longest_timeout(hooks_text, draft.state.hooks.path)
    wanted = {agent.name for agent in agents}
    lines = {}
    for agent in all_agents.all_agents():
        if agent.name in wanted:
            known = [e for e in events if agent.facts.native(e)]
            found = _wire_agent(draft, agent, known, longest)
            if found is not None:
                lines[agent.name] = found
        else:
            _unwire_agent(draft, agent)
    return lines


def _wire_agent(
    draft: _Draft, agent: Agent, events: Sequence[str], longest: float
) -> dict[str, str] | None:
    root, file = draft.state.root, agent.wiring.FILE
    record = draft.state.wiring(agent.name)
    undo = tuple(record.undo) if record else ()
    entries = agent.wiring.entries(events, longest)
    try:
        wrong = obstacle(root, file)
        if wrong is not None:
            raise HookpmError(wrong)
        old = read(root, file)
        text = None if old is None else jsondoc.decode(old, file)
    except HookpmError as error:
        findings = (Finding(error.line or 1, _words(error)),)
        draft.agents.append(AgentPlan(agent.name, file, False, findings))
        _keep_record(draft, record)
        return None
    outcome = wire.wire(agent, text, entries, undo)
    draft.agents.append(
        AgentPlan(agent.name, file, outcome.wired, outcome.findings, outcome.off, outcome.notes)
    )
    if not outcome.wired:
        _keep_record(draft, record)
        return None
    made = record.made if record else tuple(_missing_folders(root, file))
    created = old is None or bool(record and record.created)
    names = tuple(entry.event for entry in entries)
    if entries:
        draft.wirings.append(
            locks.Wiring(
                agent=agent.name,
                file=file,
                created=created,
                made=tuple(made),
                undo=outcome.undo,
                events=names,
            )
        )
        draft.put(file, old, jsondoc.encode(outcome.text or ""))
    return {entry.event: _line_of(entry.value) for entry in entries}


def _unwire_agent(draft: _Draft, agent: Agent) -> None:
    """Take our entries out of an agent's file, wherever they came from."""
    root, file = draft.state.root, agent.wiring.FILE
    record = draft.state.wiring(agent.name)
    try:
        old = None if obstacle(root, file) else read(root, file)
        text = None if old is None else jsondoc.decode(old, file)
    except HookpmError:
        text = old = None
    if old is None or text is None:
        if record:
            draft.made += record.made
        return
    outcome = wire.unwire(agent, text, tuple(record.undo) if record else ())
    if outcome.findings:
        if record:
            draft.agents.append(AgentPlan(agent.name, file, False, outcome.findings))
            _keep_record(draft, record)
        return
    gone = bool(record and record.created) and not (outcome.text or "").strip()
    if record:
        draft.made += record.made
    draft.put(file, old, None if gone else jsondoc.encode(outcome.text or ""))


def _keep_record(draft: _Draft, record: locks.Wiring | None) -> None:
    if record is not None:
        draft.wirings.append(record)


def _line_of(entry: dict[str, Any]) -> str:
    handler = entry["hooks"][0] if "hooks" in entry else entry
    return str(handler.get("command") or handler.get("bash"))


# --- generated files, settings, lock ---------------------------------------------------------


def _plan_files(draft: _Draft, files: dict[str, generated.File]) -> None:
    present = draft.state.generated
    for path, file in files.items():
        old = present.get(path)
        if old is None:
            draft.put(path, read(draft.state.root, path), file.data, file.executable)
        elif old.data != file.data or (file.executable and not old.executable):
            draft.changes[path] = Change(path, old.data, file.data, file.executable)
    known = draft.state.locked_files()
    for path, old in present.items():
        if path in files:
            continue
        if path in known or not files:
            draft.put(path, old.data, None)
        else:
            draft.notes.append(f"{path} is not hookpm's: the lock does not list it")


def _plan_settings(draft: _Draft, text: str | None, undo: tuple[str, ...]) -> None:
    state = draft.state
    old = None if state.settings_text is None else state.settings_text.encode()
    record = state.edit(SETTINGS)
    created = record.created if record else state.settings_text is None
    if text is not None:
        made = record.made if record else tuple(_missing_folders(state.root, SETTINGS))
        draft.edits.append(locks.Edit(file=SETTINGS, created=created, made=tuple(made), undo=undo))
    elif record:
        draft.made += record.made
    draft.put(SETTINGS, old, None if text is None else text.encode())


def _plan_lock(
    draft: _Draft, packs: Sequence[PackTarget], files: dict[str, generated.File]
) -> None:
    state = draft.state
    if not packs and not draft.wirings:
        draft.put(LOCK, state.lock_bytes, None)
        return
    prefix = f"{FOLDER}/packs/"
    locked = []
    for pack in packs:
        groups = hooksjson.groups(pack.content.manifest, pack.disabled)
        locked.append(
            locks.LockedPack(
                name=pack.name,
                version=pack.content.manifest.version,
                source=pack.source,
                archive=pack.archive and f"sha256:{pack.archive}",
                files={path: digest(e.data) for path, e in pack.content.files.items()},
                entries={g.id: digest(canonical(g.value)) for g in groups},
            )
        )
    own = [
        locks.LockedFile(path=path, sha256=digest(file.data))
        for path, file in files.items()
        if not path.startswith(prefix)
    ]
    lock = locks.Lock(
        packs=tuple(locked),
        files=tuple(own),
        wirings=tuple(draft.wirings),
        edits=tuple(draft.edits),
    )
    draft.put(LOCK, state.lock_bytes, locks.dumps(lock).encode())


def _missing_folders(root: Path, path: str) -> list[str]:
    """The folders above a file that do not exist yet, from the root down."""
    parents = [str(p) for p in reversed(Path(path).parents) if str(p) != "."]
    return [p for p in parents if not (root / p).exists()]


def _words(error: HookpmError) -> str:
    return error.message + (f": {error.cause}" if error.cause else "")
