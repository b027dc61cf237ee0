"""The user bridge: installed once into the user's own folders, and taken out without a trace.

Its code lies in the user's data folder, its line in the agents' own user files, edited as a
project's are; a record beside the code says what was put where.
"""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import msgspec

from hookpm import agents as all_agents
from hookpm.agents import Agent, user_line
from hookpm.agents.wiring import Finding
from hookpm.contract.events import EVENTS
from hookpm.errors import HookpmError, NotFoundError, RefusedError, UsageError
from hookpm.project import agentfiles, interpreter
from hookpm.project.health import canary
from hookpm.project.home import allow, scope
from hookpm.project.home.homefolders import (
    BRIDGE_RECORD,
    config_folder,
    data_folder,
    home,
    home_or_none,
    make_folders,
    private,
    remove_empty,
    write_privately,
)
from hookpm.project.home.homewiring import wired_by
from hookpm.project.hooksjson import OURS, HooksFile
from hookpm.project.root import LOCK
from hookpm.project.settings import Settings
from hookpm.project.state import State, bridge_record
from hookpm.project.vendor import bridge_files
from hookpm.project.writing import pending, transaction
from hookpm.project.writing.change import Change
from hookpm.project.writing.draft import AgentPlan, Draft
from hookpm.resolve import lock as locks

if TYPE_CHECKING:
    from hookpm.project.health.canary import Proof

BRIDGE = "bridge"  # the folder of the code, below the data folder
_DRAFTS = f".{BRIDGE_RECORD}.*"  # what a stop may leave of a record on its way
_OTHERS_SKIP = (".gitattributes", "hooks.schema.json")  # of use in a repo alone


@dataclass(frozen=True, slots=True)
class Plan:
    """What is to change. changes: below the home folder; code: files of the bridge that are not as
    they are to be; record: afterwards; made: folders that go if they are empty; agents: wired or
    to be told about; bare: nothing of the user bridge stays."""

    home: Path
    changes: tuple[Change, ...]
    code: tuple[str, ...]
    record: locks.Lock
    made: tuple[str, ...]
    agents: tuple[AgentPlan, ...]
    notes: tuple[str, ...]
    bare: bool = False

    @property
    def changed(self) -> bool:
        """Would anything be written?"""
        rest = self.bare and ((config_folder() / allow.LIST).exists() or _is_only_begun())
        return bool(self.changes or self.code or self.record != record() or rest)


class Standing(NamedTuple):
    """How things are for `hookpm status`. wired: agent -> its user file; state: of this project,
    "allowed", "changed", "not allowed", or "" where it is no project of hookpm's."""

    wired: dict[str, str]
    state: str


def able() -> tuple[Agent, ...]:
    """The agents that can have the user bridge, each with the wiring of its user's file."""
    return tuple(
        _bridged(agent) for agent in all_agents.all_agents() if hasattr(agent.wiring, "USER_FILE")
    )


def _bridged(agent: Agent) -> Agent:
    generate = getattr(agent.wiring, "user_generated", None)
    file = str(agent.wiring.USER_FILE)  # type: ignore[attr-defined]
    return wired_by(agent, user_line.KIND, file, generate)


def in_use() -> list[str]:
    """The names of those whose command is on PATH."""
    return [a.name for a in able() if any(shutil.which(c) for c in a.facts.commands)]


def install(names: Sequence[str] = ()) -> Plan:
    """The plan that wires these agents, else those in use; those that are wired stay.

    Raises UsageError for an agent that can have none, NotFoundError where none is in use.
    """
    by_name = {agent.name: agent for agent in able()}
    for name in names:
        _check(name, by_name)
    before = [wiring.agent for wiring in record().wirings]
    wanted = [name for name in by_name if name in (names or in_use()) or name in before]
    if not wanted:
        raise NotFoundError(
            "no agent was found here that can have the user bridge",
            hint=f"name one: --agent {next(iter(by_name))} (known: {', '.join(by_name)})",
        )
    draft = _draft()
    for name in wanted:
        _wire(draft, by_name[name])
    edits = record().edits or (locks.Edit(file=BRIDGE, made=tuple(_missing_parents())),)
    return Plan(
        home=draft.state.root,
        changes=tuple(draft.changes.values()),
        code=tuple(_outdated()),
        record=_sorted(locks.Lock(wirings=tuple(draft.wirings), edits=edits)),
        made=(),
        agents=tuple(draft.agents),
        notes=(*draft.notes, *_moved()),
    )


def _moved() -> Iterator[str]:
    """An agent that is started from elsewhere may not have the variables of this shell."""
    for variable in ("XDG_DATA_HOME", "XDG_CONFIG_HOME"):
        if os.environ.get(variable):
            yield f"{variable} is set: an agent that is started without it finds nothing allowed"


def remove(names: Sequence[str] = ()) -> Plan:
    """The plan that takes the line out of these agents' files, else everything out.

    Raises UsageError for an agent that can have none.
    """
    by_name = {agent.name: agent for agent in able()}
    for name in names:
        _check(name, by_name)
    draft = _draft()
    for name, agent in by_name.items():
        if name in names or not names:
            _unwire(draft, agent)
        else:
            draft.wirings += [w for w in record().wirings if w.agent == name]
    bare = not draft.wirings
    return Plan(
        home=draft.state.root,
        changes=tuple(draft.changes.values()),
        code=tuple(_present()) if bare else (),
        record=_sorted(locks.Lock(wirings=tuple(draft.wirings), edits=record().edits)),
        made=tuple(draft.made),
        agents=tuple(draft.agents),
        notes=tuple(draft.notes),
        bare=bare,
    )


def carry_out(plan: Plan) -> int:
    """Make the change: code before wiring, and the other way round where it goes. Returns how many
    projects are not allowed any more. Raises what transaction.apply raises; then nothing is wired
    that was not, and another run goes on where this one stopped."""
    folder = data_folder()
    if plan.bare:
        _apply(plan)
        forgotten = allow.forget_all()
        if (folder / BRIDGE).exists():
            shutil.rmtree(folder / BRIDGE)
        for path in (folder / BRIDGE_RECORD, *folder.glob(_DRAFTS)):
            path.unlink(missing_ok=True)
        made = [path for edit in plan.record.edits for path in edit.made]
        remove_empty([str(folder), *(str(Path("/", path)) for path in made)])
        return forgotten
    before = record()
    if plan.record != before:  # first, so that whatever a stop leaves is known to be ours
        make_folders(folder)
        write_privately(folder / BRIDGE_RECORD, locks.dumps(plan.record).encode())
    try:
        if plan.code:
            _write_code()
        _apply(plan)
    except (HookpmError, OSError):
        if pending.left(plan.home) != pending.HALF:  # else the next run wires it all the same
            with suppress(OSError):
                write_privately(folder / BRIDGE_RECORD, locks.dumps(before).encode())
        raise
    interpreter.keep_link()
    return 0


def prove(names: Sequence[str]) -> list[Proof]:
    """A canary through every line of ours in these agents' user files, from a folder that is no
    project: the bridge has to answer by itself."""
    wired = [agent for agent in able() if agent.name in names]
    return list(canary.prove_all(wired, home(), elsewhere=True))


def record() -> locks.Lock:
    """What was put where; an empty record where nothing was. Raises FileFormatError."""
    return bridge_record()


def standing(root: Path) -> Standing:
    """Where the user bridge is wired, and whether it would run this project.

    Raises FileFormatError where the record or the list of allowed projects does not read.
    """
    if home_or_none() is None:
        return Standing({}, "")
    wired = {wiring.agent: str(home() / wiring.file) for wiring in record().wirings}
    if not (root / LOCK).is_file() or scope.recorded(root) == scope.USER:
        return Standing(wired, "")
    try:
        return Standing(wired, allow.state_of(allow.look(root)))
    except RefusedError:
        return Standing(wired, "not allowed")


def lines(root: Path) -> list[str]:
    """What `hookpm status` has to say of the user bridge and of this project; [] where there is
    neither. Raises as `standing` does."""
    now = standing(root)
    if not now.wired:
        return []
    told = [f"user bridge: {', '.join(now.wired)}"]
    if _outdated():
        told.append("user bridge: another hookpm version's; `hookpm init --user-bridge` renews it")
    if now.state == "allowed":
        told.append("user bridge: this project is allowed as it is")
    elif now.state:
        what = "changed since you allowed it" if now.state == "changed" else "not allowed"
        told.append(f"user bridge: this project is {what}, so it runs nothing here: `hookpm allow`")
    return told


# --- planning --------------------------------------------------------------------------------


def _check(name: str, known: dict[str, Agent]) -> None:
    if name not in known:
        title = all_agents.facts_of(name).title
        raise UsageError(
            f"{title} cannot have the user bridge",
            cause="it reads a project's wiring wherever it is started, or it was not measured",
            hint=f"agents that can: {', '.join(known)}",
        )


def _draft() -> Draft:
    """A plan for the home folder, in the form in which a project's is made."""
    here, nothing = home(), Settings()
    hooks = HooksFile(OURS, None, False)
    state = State(here, nothing, nothing, None, record(), None, hooks, {})
    mine = scope.recorded(here) == scope.USER
    lock = locks.read(here / LOCK) if mine else None
    return Draft(state._replace(others=lock.wirings if lock else ()))


def _wire(draft: Draft, agent: Agent) -> None:
    variable = agent.wiring.HOME.variable
    if variable and os.environ.get(variable):
        finding = Finding(1, f"{variable} is set, so {agent.facts.title} does not read this file")
        draft.agents.append(AgentPlan(agent.name, agent.wiring.FILE, False, (finding,)))
        draft.wirings += [w for w in draft.state.lock.wirings if w.agent == agent.name]
        return
    agentfiles.wire_agent(draft, agent, EVENTS, 0.0)


def _unwire(draft: Draft, agent: Agent) -> None:
    kept = len(draft.wirings)
    agentfiles.unwire_agent(draft, agent)
    if len(draft.wirings) > kept:
        finding = Finding(1, "it could not be edited, so our entries are still in it")
        draft.agents.append(AgentPlan(agent.name, agent.wiring.FILE, True, (finding,)))


def _sorted(lock: locks.Lock) -> locks.Lock:
    """As it reads back."""
    return locks.loads(locks.dumps(lock))


# --- the code --------------------------------------------------------------------------------


def code_folder() -> Path:
    """Where the bridge's code lies."""
    return data_folder() / BRIDGE


def _wanted() -> dict[str, bytes]:
    return {path: data for path, data in bridge_files().items() if path not in _OTHERS_SKIP}


def _present() -> list[str]:
    folder = code_folder()
    files = (path for path in folder.rglob("*") if not path.is_dir())
    return sorted(path.relative_to(folder).as_posix() for path in files)


def _outdated() -> list[str]:
    """The bridge's files that are missing, not as they are to be, or too many."""
    wanted, present = _wanted(), _present()
    folder = code_folder()
    wrong = [
        p for p, data in wanted.items() if p not in present or (folder / p).read_bytes() != data
    ]
    return sorted({*wrong, *(path for path in present if path not in wanted)})


def _is_only_begun() -> bool:
    """Is there a data folder, and in it nothing but what a first install, or the end of a removal,
    left that was stopped?"""
    folder = data_folder()
    return folder.is_dir() and {*folder.iterdir()} == {*folder.glob(_DRAFTS)}


def _write_code() -> None:
    """Each file in one step; `bridge.py`, without which no line starts anything, comes last."""
    folder, wanted = code_folder(), _wanted()
    for path in sorted(_outdated(), key=lambda path: path == "bridge.py"):
        target = folder / path
        if path in wanted:
            make_folders(target.parent)
            write_privately(target, wanted[path])
        else:
            target.unlink(missing_ok=True)
    remove_empty(str(path) for path in folder.rglob("*") if path.is_dir())


def _missing_parents() -> list[str]:
    """The folders above our data folder that do not exist yet, as a record can hold them."""
    return [str(p).lstrip("/") for p in reversed(data_folder().parents) if not p.exists()]


def _apply(plan: Plan) -> None:
    """Write in the user's home."""
    with private():
        transaction.apply(plan.home, plan.changes, plan.made)


def describe(plan: Plan) -> dict[str, Any]:
    """The plan as --json shows it."""
    return {
        "files": [
            *({"path": str(plan.home / c.path), "action": c.action} for c in plan.changes),
            *(
                {
                    "path": str(code_folder() / path),
                    "action": "remove" if plan.bare else "write",
                }
                for path in plan.code
            ),
        ],
        "agents": [
            {
                "agent": each.agent,
                "wired": each.wired,
                "files": [str(plan.home / each.file)],
                "problems": msgspec.to_builtins([f._asdict() for f in (*each.findings, *each.off)]),
            }
            for each in plan.agents
        ],
        "notes": list(plan.notes),
    }
