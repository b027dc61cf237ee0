"""How to get from what a project has to what it is to have: a value that can be shown or applied.

Pure but for reading the agents' files: the same project and the same wishes give the same plan, on
every machine.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import msgspec

from hookpm.edit import jsondoc
from hookpm.project import agentfiles, generated, hooksjson, ownfiles, twins
from hookpm.project.generated import PackTarget, canonical, digest
from hookpm.project.home import localscope
from hookpm.project.home.scope import PROJECT
from hookpm.project.root import LOCK, SETTINGS
from hookpm.project.vendor import FOLDER
from hookpm.project.writing.change import Change
from hookpm.project.writing.draft import AgentPlan, Draft, missing_folders
from hookpm.resolve import lock as locks

if TYPE_CHECKING:
    from hookpm.agents import Agent
    from hookpm.project.state import State


@dataclass(frozen=True, slots=True)
class Plan:
    """Every file that changes, and what to say about it. made: folders that are to go if empty;
    needed: the files that a clone has to have afterwards; not_run: entries of the hooks file that
    the bridge cannot run; strangers: what can run, or be read, in the place of a file of ours."""

    root: Path
    changes: tuple[Change, ...]
    agents: tuple[AgentPlan, ...]
    notes: tuple[str, ...] = ()
    made: tuple[str, ...] = ()
    needed: tuple[str, ...] = ()
    not_run: tuple[str, ...] = ()
    strangers: tuple[str, ...] = ()


def make(
    state: State,
    packs: Sequence[PackTarget],
    agents: Sequence[Agent],
    settings_text: str | None,
    settings_undo: tuple[str, ...] = (),
    known: Mapping[str, generated.File] | None = None,
) -> Plan:
    """The plan that brings the project to these packs in these agents.

    settings_text: the wanted text of hookpm.toml, None = no such file; settings_undo: what to take
    out of it with the last pack; known: files that are ours though no lock says so. Without packs
    everything of hookpm's goes. Raises FileFormatError where the hooks file cannot be added to,
    RefusedError where a file of somebody else's stands in the place of one of ours.
    """
    draft = Draft(state)
    if state.mended:
        draft.notes.append(f"git left a merge conflict in {LOCK}; it is made anew from {SETTINGS}")
    for path in state.healed:
        draft.notes.append(f"git left a merge conflict in {path}; both sides are in it now as one")
    hooks_text = _plan_hooks(draft, packs)
    lines = agentfiles.plan(draft, agents if packs else (), hooks_text)
    stack = state.stack.profiles if state.stack else ()
    texts = {profile.path: profile.opened.data for profile in stack}
    files = generated.wanted_files(packs, lines, state.scope, texts) if packs else {}
    ownfiles.plan(draft, files, known or {})
    _plan_settings(draft, settings_text, settings_undo)
    if state.scope.is_local:
        localscope.plan(draft, wanted=bool(packs))
    _plan_lock(draft, packs, files)
    own = (LOCK, SETTINGS, state.hooks.path) if packs else ()
    cloned = state.scope.name == PROJECT
    needed = (*own, *files, *(w.file for w in draft.wirings if packs)) if cloned else ()
    beside = (hooksjson.BESIDE,) if needed else ()
    return Plan(
        root=state.root,
        changes=tuple(draft.changes.values()),
        agents=tuple(draft.agents),
        notes=tuple(draft.notes),
        made=tuple(draft.made),
        strangers=(*draft.strangers, *twins.find(state.root, (*needed, *beside))),
        not_run=tuple(draft.not_run),
        needed=needed,
    )


# --- the hooks file --------------------------------------------------------------------------


def _plan_hooks(draft: Draft, packs: Sequence[PackTarget]) -> str:
    """Plan the hooks file; returns the text it will have ("" where there will be none)."""
    state = draft.state
    hooks = state.hooks
    names = {*state.settings.packs, *(p.name for p in state.lock.packs), *(p.name for p in packs)}
    record = state.edit(hooks.path)
    undo = tuple(record.undo) if record else ()
    wanted = [
        group for pack in packs for group in hooksjson.groups(pack.content.manifest, pack.disabled)
    ]
    if hooks.text is None and not wanted:
        return ""
    edited = hooksjson.updated(hooks.text, wanted, undo, hooks.path, names)
    created = hooks.text is None or bool(record and record.created)
    text: str | None = edited.text
    if not wanted and created and not edited.text.strip():
        text = None
    if wanted:
        made = record.made if record else missing_folders(state.root, hooks.path)
        draft.edits.append(
            locks.Edit(file=hooks.path, created=created, made=tuple(made), undo=edited.undo)
        )
    elif record:
        draft.made += record.made
    old = None if hooks.text is None else jsondoc.encode(hooks.text)
    old = state.healed.get(hooks.path, old)
    draft.put(hooks.path, old, None if text is None else jsondoc.encode(text))
    _note_hooks(draft, text, bool(wanted), names)
    return text or ""


def _note_hooks(draft: Draft, text: str | None, any_packs: bool, names: AbstractSet[str]) -> None:
    hooks = draft.state.hooks
    for group in hooksjson.installed(text, hooks.path):
        if group.pack not in names:
            draft.notes.append(
                f"{hooks.path}: the entry {group.pack}/{group.id} says it is a pack's, but neither "
                f"the lock nor {SETTINGS} knows the pack; it stays. Install the pack, or take the "
                "entry out"
            )
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
            draft.not_run.append(f"{hooks.path}:{problem.line} {problem.message}; it does not run")


# --- generated files, settings, lock ---------------------------------------------------------


def _plan_settings(draft: Draft, text: str | None, undo: tuple[str, ...]) -> None:
    state = draft.state
    old = None if state.settings_text is None else state.settings_text.encode()
    old = state.healed.get(SETTINGS, old)
    record = state.edit(SETTINGS)
    created = record.created if record else state.settings_text is None
    if text is not None:
        made = record.made if record else tuple(missing_folders(state.root, SETTINGS))
        draft.edits.append(locks.Edit(file=SETTINGS, created=created, made=tuple(made), undo=undo))
    elif record:
        draft.made += record.made
    draft.put(SETTINGS, old, None if text is None else text.encode())


def _plan_lock(draft: Draft, packs: Sequence[PackTarget], files: dict[str, generated.File]) -> None:
    state = draft.state
    if not packs and not draft.wirings:
        draft.put(LOCK, state.lock_bytes, None)
        return
    if not packs:
        # An agent's file could not be edited. The lock stays for it, and so does the folder of the
        # lock: whoever ends the uninstall has to know that it is ours.
        first = draft.wirings[0]
        made = tuple(dict.fromkeys([*first.made, *draft.made]))
        draft.wirings[0] = msgspec.structs.replace(first, made=made)
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
                url=pack.url,
                commit=pack.commit,
                ref=pack.ref,
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
        profiles=state.stack.lock_blocks() if state.stack else (),
        scope=state.scope.in_lock,
        packs=tuple(locked),
        files=tuple(own),
        wirings=tuple(draft.wirings),
        edits=tuple(draft.edits),
    )
    text = locks.dumps(lock).encode()
    if state.lock_bytes is not None and b"\r\n" in state.lock_bytes:
        text = text.replace(b"\n", b"\r\n")  # a checkout with Windows line ends
    draft.put(LOCK, state.lock_bytes, text)
