"""Takes the hooks that people already have in the agents' own files into `.agents/hooks.json`.

What they are in Claude's words is found by `foreign`. Originals go only when asked, where the
bridge runs the copies, and those of plugins never; a record lets a migration be undone.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from hookpm import agents as all_agents
from hookpm.edit import jsondoc, jsonedit
from hookpm.errors import FileFormatError, NotFoundError, RefusedError
from hookpm.project import hooksjson, state, work
from hookpm.project.generated import digest
from hookpm.project.migrating import foreign
from hookpm.project.migrating.foreign import Kept, Moved, Source
from hookpm.project.places import read
from hookpm.project.writing import transaction
from hookpm.project.writing.change import Change

if TYPE_CHECKING:
    from hookpm.project.state import State

RECORD = ".agents/hookpm-migrated.json"


class Migration(NamedTuple):
    """What would move and what stays; changes: the files that change; staying: those that moved
    but stay where they were too, since their agent would not run the copies."""

    moved: tuple[Moved, ...]
    kept: tuple[Kept, ...]
    changes: tuple[Change, ...]
    staying: tuple[Moved, ...] = ()


def carry_out(
    root: Path, sources: Sequence[Source], *, remove: bool, everything: bool = False
) -> Migration:
    """Copy the hooks, wire what the copies need, and only then take the originals out.

    Whenever it is stopped, each hook is where it was, or in both places. Raises what `plan`,
    work.sync and transaction.apply raise.
    """
    first = plan(state.load(root), sources, remove=False, everything=everything)
    if remove:
        _refuse_unwired(state.load(root))
    _prepared(root)  # what would stand in the way of the wiring is said before anything is written
    transaction.apply(root, first.changes)
    _wire(root)
    if not remove:
        return first
    second = plan(state.load(root), sources, remove=True, everything=everything)
    transaction.apply(root, second.changes)
    return second._replace(changes=_together(first.changes, second.changes))


def take_back(root: Path) -> Migration:
    """Undo what was migrated, and take out the wiring that was for it alone."""
    changes = undo(state.load(root))
    transaction.apply(root, changes)
    _wire(root)
    return Migration((), (), changes)


def _wire(root: Path) -> None:
    """Bring the agents' files to what the hooks file holds now; the packs stay as they are."""
    prepared = _prepared(root)
    if prepared is not None and prepared.changed:
        work.carry_out(prepared)


def _prepared(root: Path) -> work.Prepared | None:
    """What would be written to wire the hooks file as it is; None where no pack is installed."""
    now = state.load(root)
    if not now.lock.packs or now.settings_text is None:
        return None
    return work.rewire(root)


def _together(first: Sequence[Change], second: Sequence[Change]) -> tuple[Change, ...]:
    """Two changes of one file as one."""
    found = {change.path: change for change in first}
    for change in second:
        earlier = found.get(change.path)
        found[change.path] = change._replace(old=earlier.old) if earlier else change
    return tuple(found.values())


def _refuse_unwired(now: State) -> None:
    if not now.lock.packs:
        raise RefusedError(
            "the originals stay: without an installed pack nothing runs .agents/hooks.json",
            hint="install a pack first, or migrate without --remove",
        )


def plan(
    now: State, sources: Sequence[Source], *, remove: bool, everything: bool = False
) -> Migration:
    """Move the hooks of these files; remove: take the originals out of them, where the bridge runs
    the copies.

    everything: also hooks that seem to speak their agent's own protocol. Raises RefusedError where
    nothing at all runs the copies, FileFormatError for a hooks file that cannot be added to.
    """
    if remove:
        _refuse_unwired(now)
    found = [each for source in sources for each in _found(now.root, source, everything)]
    moved = tuple(each for each in found if isinstance(each, Moved))
    kept = tuple(each for each in found if isinstance(each, Kept))
    edited, added = _added(now, moved)
    changes = []
    if added:
        old = None if now.hooks.text is None else jsondoc.encode(now.hooks.text)
        changes.append(Change(now.hooks.path, old, jsondoc.encode(edited.text)))
    leaving = [each for each in moved if remove and _runs(now, each, bool(added))]
    removals = list(_removals(now.root, leaving))
    if added or removals:
        changes += [each.change for each in removals]
        changes.append(_recorded(now, added, edited.undo, removals))
    staying = tuple(each for each in moved if remove and not each.plugin and each not in leaving)
    return Migration(moved, kept, tuple(changes), staying)


def _found(root: Path, source: Source, everything: bool) -> list[Moved | Kept]:
    """The hooks of a file. One that does not read is named, and stops no other."""
    try:
        return list(foreign.hooks_of(root, source, everything=everything))
    except FileFormatError as error:
        why = f"{error.message}: {error.cause}" if error.cause else error.message
        return [Kept(source.agent, source.file, error.line or 1, "all of it", why)]


def _runs(now: State, each: Moved, soon: bool) -> bool:
    """Does its agent run the copy? soon: events that are not wired yet will be."""
    wiring = now.wiring(each.agent)
    return not each.plugin and wiring is not None and (soon or each.event in wiring.events)


def undo(now: State) -> tuple[Change, ...]:
    """The changes that take a migration back. Raises NotFoundError where there is none."""
    data = read(now.root, RECORD)
    if data is None:
        raise NotFoundError(
            "there is no migration to undo", hint=f"{RECORD} is its record", file=now.root / RECORD
        )
    record = _parse(now.root, data)
    files, added = record["files"], record["added"]
    changes = [Change(RECORD, data, None)]
    for path, kept in files.items():
        changes.append(_restored(now.root, path, kept))
    text = now.hooks.text or ""
    for event, group in reversed(added):
        text = _without(text, event, group, record.get("undo", ()), now.hooks.path)
    if now.hooks.text is not None and text != now.hooks.text:
        old = jsondoc.encode(now.hooks.text)
        changes.append(Change(now.hooks.path, old, jsondoc.encode(text)))
    return tuple(change for change in changes if change.old != change.new)


Added = list[tuple[str, dict[str, Any]]]  # event and group


class Removal(NamedTuple):
    """An agent's file without what moved. taken: list in the file -> what was taken out of it."""

    change: Change
    agent: str
    taken: list[tuple[list[str], dict[str, Any]]]


def _added(now: State, moved: Sequence[Moved]) -> tuple[jsonedit.Edited, Added]:
    """The hooks file with the groups that it does not hold yet, and those groups."""
    edited = jsonedit.Edited(now.hooks.text or "", ())
    added: Added = []
    for each in moved:
        value = jsondoc.parse(edited.text, now.hooks.path).value or {}
        if each.group not in (value.get("hooks") or {}).get(each.event, []):
            one = jsonedit.append(edited.text, ("hooks", each.event), each.group, now.hooks.path)
            edited = jsonedit.Edited(one.text, jsonedit.merge_undo(edited.undo, one.undo))
            added.append((each.event, each.group))
    if added:
        one = jsonedit.set_member(
            edited.text, (), "$schema", hooksjson.SCHEMA, first=True, file=now.hooks.path
        )
        edited = jsonedit.Edited(one.text, jsonedit.merge_undo(edited.undo, one.undo))
    return edited, added


def _removals(root: Path, moved: Sequence[Moved]) -> Iterator[Removal]:
    for file in dict.fromkeys(each.file for each in moved):
        old = read(root, file) or b""
        here = [each for each in moved if each.file == file]
        paths = [path for each in here for path in each.paths]
        text = jsonedit.remove_many(jsondoc.decode(old, file), paths, (), file)
        taken = [([str(key) for key in each.listed], each.original) for each in here]
        yield Removal(Change(file, old, jsondoc.encode(text)), here[0].agent, taken)


def _recorded(now: State, added: Added, undo: jsonedit.Undo, removals: Sequence[Removal]) -> Change:
    """The record of this migration, behind those of earlier ones that are not undone."""
    old = read(now.root, RECORD)
    record = {"files": {}, "added": [], "undo": []} if old is None else _parse(now.root, old)
    files: dict[str, Any] = record["files"]
    for change, agent, taken in removals:
        earlier = files.get(change.path)
        if earlier is not None and earlier["after"] == digest(change.old or b""):
            before, taken = earlier["before"], [*earlier["taken"], *taken]
        else:
            before = (change.old or b"").decode()
            taken = [*(earlier["taken"] if earlier else ()), *taken]
        after = digest(change.new or b"")
        files[change.path] = {"agent": agent, "before": before, "after": after, "taken": taken}
    record["added"] = [*record["added"], *added]
    record["undo"] = list(jsonedit.merge_undo(tuple(record["undo"]), undo))
    data = json.dumps(record, indent=1, ensure_ascii=False) + "\n"
    return Change(RECORD, old, data.encode())


def _parse(root: Path, data: bytes) -> dict[str, Any]:
    try:
        record = json.loads(data)
        shape = {"files": dict, "added": list, "undo": list}
        if not all(isinstance(record[key], kind) for key, kind in shape.items()):
            raise TypeError("its parts are not what they should be")
    except (ValueError, KeyError, TypeError) as error:
        raise FileFormatError(
            f"{RECORD} does not read",
            cause=str(error),
            hint="restore it from git, or remove it: then that migration cannot be undone",
            file=root / RECORD,
        ) from None
    return dict(record)


def _restored(root: Path, path: str, kept: dict[str, Any]) -> Change:
    """The file as it was; where it changed since, the hooks are added to what it is now."""
    old = read(root, path)
    if old is not None and digest(old) == kept["after"]:
        return Change(path, old, kept["before"].encode())
    text = "" if old is None else jsondoc.decode(old, path)
    if not text.strip():  # an agent may want more in its file than hooks
        text = json.dumps(all_agents.load(kept["agent"]).wiring.SKELETON, indent=2) + "\n"
    for listed, element in kept["taken"]:
        if not _holds(text, listed, element, path):
            text = jsonedit.append(text, tuple(listed), element, path).text
    return Change(path, old, jsondoc.encode(text))


def _holds(text: str, listed: Sequence[str], element: object, file: str) -> bool:
    """Is it in the list already: put back by the user, or by git?"""
    node = jsondoc.parse(text, file).get(tuple(listed))
    return node is not None and isinstance(node.value, list) and element in node.value


def _without(text: str, event: str, group: dict[str, Any], undo: Sequence[str], file: str) -> str:
    value = jsondoc.parse(text, file).value or {}
    groups = (value.get("hooks") or {}).get(event, [])
    if group not in groups:
        return text  # the user has taken it out, or changed it: then it is theirs
    return jsonedit.remove(text, ("hooks", event, groups.index(group)), tuple(undo), file)
