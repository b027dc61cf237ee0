"""Takes the hooks that people already have in an agent's own file into `.agents/hooks.json`.

Only hooks that speak Claude Code's protocol can move as they are: those of Claude Code and of
Codex. Other agents' hooks read other inputs; they are named and stay. A record lets a migration be
undone.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from hookpm import agents as all_agents
from hookpm.contract import hooksfile
from hookpm.contract.events import CLAUDE_EVENTS
from hookpm.edit import jsondoc, jsonedit
from hookpm.errors import FileFormatError, NotFoundError, RefusedError
from hookpm.project import hooksjson
from hookpm.project.change import Change
from hookpm.project.generated import digest
from hookpm.project.places import read

if TYPE_CHECKING:
    from hookpm.agents import Agent
    from hookpm.project.state import State

RECORD = ".agents/hookpm-migrated.json"
SPEAKS_CLAUDES = ("claude", "codex")  # their hooks read the contract's input and give its answers


class Moved(NamedTuple):
    """A group that moves. path: where its handlers stand in the agent's file."""

    agent: str
    file: str
    line: int
    event: str
    group: dict[str, Any]
    paths: tuple[tuple[str | int, ...], ...]


class Kept(NamedTuple):
    """A hook that stays where it is, and why."""

    agent: str
    file: str
    line: int
    event: str
    reason: str


class Migration(NamedTuple):
    """What would move and what stays; changes: the files that change."""

    moved: tuple[Moved, ...]
    kept: tuple[Kept, ...]
    changes: tuple[Change, ...]


def plan(now: State, agents: Sequence[Agent], *, remove: bool) -> Migration:
    """Move the hooks of these agents' files; remove: take the originals out of them.

    Raises RefusedError where the originals would go although nothing is wired to run the copies,
    FileFormatError for a hooks file that cannot be added to.
    """
    if remove and not now.lock.packs:
        raise RefusedError(
            "the originals stay: without an installed pack nothing runs .agents/hooks.json",
            hint="install a pack first, or migrate without --remove",
        )
    found = [each for agent in agents for each in _hooks_of(now.root, agent)]
    moved = tuple(each for each in found if isinstance(each, Moved))
    kept = tuple(each for each in found if isinstance(each, Kept))
    edited, added = _added(now, moved)
    changes = []
    if added:
        old = None if now.hooks.text is None else jsondoc.encode(now.hooks.text)
        changes.append(Change(now.hooks.path, old, jsondoc.encode(edited.text)))
    removals = list(_removals(now.root, moved)) if remove else []
    if added or removals:
        changes += [each.change for each in removals]
        changes.append(_recorded(now, added, edited.undo, removals))
    return Migration(moved, kept, tuple(changes))


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


def _hooks_of(root: Path, agent: Agent) -> Iterator[Moved | Kept]:
    """The foreign hooks in an agent's own file, group by group."""
    file = agent.wiring.FILE
    data = read(root, file)
    if data is None:
        return
    document = jsondoc.parse(jsondoc.decode(data, file), file)
    table = document.value.get("hooks") if isinstance(document.value, dict) else None
    for event, groups in table.items() if isinstance(table, dict) else ():
        for index, group in enumerate(groups if isinstance(groups, list) else ()):
            path = ("hooks", event, index)
            line = document.line_at(path) or 1
            owned = agent.wiring.owner_of(group)
            if owned is not None and owned.whole:
                continue
            reason = _stays(agent, event, group)
            if reason:
                yield Kept(agent.name, file, line, event, reason)
                continue
            ours = {handler.path for handler in owned.handlers} if owned else set()
            yield from _split(agent, file, document, path, group, ours)


def _stays(agent: Agent, event: str, group: object) -> str:
    if agent.name not in SPEAKS_CLAUDES:
        return f"it reads {agent.facts.title}'s own input, which the bridge does not give it"
    if event not in CLAUDE_EVENTS:
        return f"{event} is no event of the contract"
    if not isinstance(group, dict) or not isinstance(group.get("hooks"), list):
        return "it is no group of hooks"
    return ""


def _split(
    agent: Agent,
    file: str,
    document: jsondoc.Document,
    path: tuple[str | int, ...],
    group: dict[str, Any],
    ours: set[Any],
) -> Iterator[Moved | Kept]:
    """The handlers of one group: those that the bridge can run move together."""
    event = str(path[1])
    taken, places = [], []
    for number, handler in enumerate(group["hooks"]):
        if ("hooks", number) in ours:
            continue
        here = (*path, "hooks", number)
        alone = {"hooks": {event: [{**group, "hooks": [handler]}]}}
        wrong = hooksfile.check(alone)
        if wrong:
            line = document.line_at(here) or 1
            yield Kept(agent.name, file, line, event, wrong[0].message)
        else:
            taken.append(handler)
            places.append(here)
    if taken:
        whole = len(taken) == len(group["hooks"])
        value = {"hooks": taken}
        if isinstance(group.get("matcher"), str):
            value = {"matcher": group["matcher"], **value}
        paths = (path,) if whole else tuple(places)
        yield Moved(agent.name, file, document.line_at(path) or 1, event, value, paths)


Added = list[tuple[str, dict[str, Any]]]  # event and group


class Removal(NamedTuple):
    """An agent's file without what moved. groups: what moved out of it."""

    change: Change
    groups: Added


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
        groups = [(each.event, each.group) for each in here]
        yield Removal(Change(file, old, jsondoc.encode(text)), groups)


def _recorded(now: State, added: Added, undo: jsonedit.Undo, removals: Sequence[Removal]) -> Change:
    """The record of this migration, behind those of earlier ones that are not undone."""
    old = read(now.root, RECORD)
    record = {"files": {}, "added": [], "undo": []} if old is None else _parse(now.root, old)
    files: dict[str, Any] = record["files"]
    for change, groups in removals:
        earlier = files.get(change.path)
        if earlier is not None and earlier["after"] == digest(change.old or b""):
            before, listed = earlier["before"], [*earlier["groups"], *groups]
        else:
            before, listed = (change.old or b"").decode(), groups
        after = digest(change.new or b"")
        files[change.path] = {"before": before, "after": after, "groups": listed}
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
    for event, group in kept["groups"]:
        text = jsonedit.append(text, ("hooks", event), group, path).text
    return Change(path, old, jsondoc.encode(text))


def _without(text: str, event: str, group: dict[str, Any], undo: Sequence[str], file: str) -> str:
    value = jsondoc.parse(text, file).value or {}
    groups = (value.get("hooks") or {}).get(event, [])
    if group not in groups:
        return text  # the user has taken it out, or changed it: then it is theirs
    return jsonedit.remove(text, ("hooks", event, groups.index(group)), tuple(undo), file)


def sources(now: State, names: Sequence[str]) -> list[Agent]:
    """The agents whose files are looked at: those named, else all that have one here."""
    chosen = [all_agents.load(name) for name in names]
    if chosen:
        return chosen
    return [
        agent
        for agent in all_agents.wirable()
        if not hasattr(agent.wiring, "generated") and (now.root / agent.wiring.FILE).is_file()
    ]
