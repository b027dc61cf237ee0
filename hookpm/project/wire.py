"""One agent's own config file: the text that holds our entries, or the text without them. Pure.

Ours is recognised by the whole form of its line, never by a part of it. An older form, a second
copy and a copy with other settings are put right, and that is said.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, NamedTuple

from hookpm.agents.wiring import Entry, Finding
from hookpm.edit import jsondoc, jsonedit
from hookpm.errors import FileFormatError
from hookpm.project.writing.undo import still_true

if TYPE_CHECKING:
    from hookpm.agents import Agent
    from hookpm.agents.wiring import Handler

Path = tuple[str | int, ...]


@dataclass(frozen=True, slots=True)
class Outcome:
    """What becomes of an agent's file. text: None where there is to be no file.

    findings: why the file is left alone (then text is the old one); off: why its hooks do not run
    although they are wired; notes: what was put right; undo: the record of our insertions.
    """

    text: str | None
    undo: jsonedit.Undo = ()
    findings: tuple[Finding, ...] = ()
    off: tuple[Finding, ...] = ()
    notes: tuple[str, ...] = ()

    @property
    def wired(self) -> bool:
        """Did all entries get in?"""
        return not self.findings


class Place(NamedTuple):
    """A handler of ours in a document. element: path of the list element it stands in."""

    element: Path
    handler: Handler
    whole: bool

    @property
    def path(self) -> Path:
        """Where the handler itself stands."""
        return (*self.element, *self.handler.path)


@dataclass(slots=True)
class _Work:
    """A text on its way from the old to the new one."""

    text: str
    file: str
    undo: jsonedit.Undo
    notes: list[str] = field(default_factory=list)

    def remove(self, paths: Sequence[Path]) -> None:
        self.text = jsonedit.remove_many(self.text, paths, self.undo, self.file)

    def add(self, edited: jsonedit.Edited) -> None:
        self.text = edited.text
        self.undo = jsonedit.merge_undo(self.undo, edited.undo)


def wire(
    agent: Agent, text: str | None, entries: Sequence[Entry], undo: jsonedit.Undo = ()
) -> Outcome:
    """The file's text with exactly these entries of ours, everything else untouched.

    text: the file as it is, None where there is none. entries: none = take ours out. undo: the
    record of earlier insertions. A file that does not parse, that its agent would drop, or that has
    another shape is left alone: the findings say why.
    """
    if not entries:
        return unwire(agent, text, undo)
    file = agent.wiring.FILE
    try:
        document = jsondoc.parse(text or "", file)
        findings = agent.wiring.dropped_by(document) if text is not None else []
        if findings:
            return Outcome(text, undo, findings=tuple(findings))
        work = _Work(text or "", file, undo)
        _tidy(agent, work, entries)
        _complete(agent, work, entries, new=text is None)
        after = jsondoc.parse(work.text, file)
    except FileFormatError as error:
        return Outcome(text, undo, findings=(Finding(error.line or 1, _words(error)),))
    wrong = agent.wiring.dropped_by(after) or _missing(agent, after, entries)
    if wrong:
        return Outcome(text, undo, findings=tuple(wrong))
    off = tuple(agent.wiring.switched_off(after))
    kept = still_true(work.text, work.undo, file)
    return Outcome(work.text, kept, off=off, notes=tuple(work.notes))


def unwire(agent: Agent, text: str | None, undo: jsonedit.Undo = ()) -> Outcome:
    """The file's text without anything of ours."""
    if text is None:
        return Outcome(None)
    file = agent.wiring.FILE
    try:
        document = jsondoc.parse(text, file)
        work = _Work(text, file, undo)
        places = [p for p in ours(agent, document) if p.handler.agent == agent.name]
        work.remove([p.element if p.whole else p.path for p in _once(places)])
        for path in reversed(jsonedit.members_set(work.text, undo, file)):
            if _only_ours_left(work.text, path, file):
                work.remove([path])
    except FileFormatError as error:
        return Outcome(text, undo, findings=(Finding(error.line or 1, _words(error)),))
    return Outcome(work.text)


def table_of(agent: Agent) -> tuple[str, ...]:
    """The path of the object that holds the lists of events; () for the document itself."""
    return tuple(getattr(agent.wiring, "TABLE", ("hooks",)))


def ours(agent: Agent, document: jsondoc.Document) -> Iterator[Place]:
    """Every handler of ours in the lists of events, in file order; also other agents' lines."""
    where = table_of(agent)
    table = document.get(where)
    if table is None or table.kind != "object":
        return
    for member in table.members:
        if member.value.kind != "array":
            continue
        for index, node in enumerate(member.value.items):
            owned = agent.wiring.owner_of(node.value)
            for handler in owned.handlers if owned else ():
                yield Place(
                    (*where, member.name, index), handler, owned is not None and owned.whole
                )


def _tidy(agent: Agent, work: _Work, entries: Sequence[Entry]) -> None:
    """Take out or put right what is ours and not just as it should be."""
    document = jsondoc.parse(work.text, work.file)
    wanted = {(entry.event, entry.path): entry for entry in entries}
    places = list(ours(agent, document))
    # Of several copies the one that is just as it should be stays: Codex trusts it by its place.
    exact = {p.handler.event: p.path for p in reversed(places) if _is_exact(document, p, entries)}
    seen: set[str] = set()
    going: list[Path] = []
    for place in places:
        handler = place.handler
        if handler.agent != agent.name:
            work.notes.append(
                f"{work.file}:{_line(document, place)} holds the line of {handler.agent}, copied "
                "there; it stands down by itself and can be removed"
            )
            continue
        entry = wanted.get((handler.event, tuple(map(str, place.element[:-1]))))
        node = document.get(place.element)
        second = handler.event in seen or exact.get(handler.event, place.path) != place.path
        if entry is None or second:
            if entry is not None:
                work.notes.append(
                    f"{work.file}: a second copy of our {handler.event} entry is gone"
                )
            going.append(place.element if place.whole else place.path)
        elif node is not None and node.value == entry.value:
            seen.add(handler.event)
        elif place.whole and node is not None and len(node.value.get("hooks", [0])) == 1:
            seen.add(handler.event)
            work.text = jsonedit.replace(work.text, place.element, entry.value, work.file)
            work.notes.append(_put_right(work.file, place, node.value))
        else:
            going.append(place.path if not place.whole else place.element)
            work.notes.append(
                f"{work.file}: our {handler.event} entry shared a group with other hooks, or was "
                "narrowed; it stands in a group of its own now"
            )
    work.remove(list(dict.fromkeys(going)))


def _is_exact(document: jsondoc.Document, place: Place, entries: Sequence[Entry]) -> bool:
    node = document.get(place.element)
    path = tuple(map(str, place.element[:-1]))
    return node is not None and Entry(place.handler.event, path, node.value) in entries


def _put_right(file: str, place: Place, was: Any) -> str:
    event = place.handler.event
    if not place.handler.present:
        return f"{file}: an older form of our {event} entry was replaced"
    old = was if isinstance(was, dict) else {}
    handler = (old.get("hooks") or [old])[0]
    return (
        f"{file}: our {event} entry had been edited (timeout "
        f"{handler.get('timeout', handler.get('timeoutSec'))}, matcher {old.get('matcher')!r}) "
        "and was put back"
    )


def _complete(agent: Agent, work: _Work, entries: Sequence[Entry], new: bool) -> None:
    """Append what is missing; a new file also gets what the agent wants beside the entries."""
    document = jsondoc.parse(work.text, work.file)
    there = {p.handler.event for p in ours(agent, document) if p.handler.agent == agent.name}
    blank = document.root is None
    for entry in entries:
        if entry.event not in there:
            work.add(jsonedit.append(work.text, entry.path, entry.value, work.file))
    if not (new or blank):
        return
    for key, value in reversed(agent.wiring.SKELETON.items()):
        if key != "hooks":
            work.add(jsonedit.set_member(work.text, (), key, value, first=True, file=work.file))


def _missing(agent: Agent, document: jsondoc.Document, entries: Sequence[Entry]) -> list[Finding]:
    """Read back: is every entry there just once, in its list?"""
    found = [
        (p.handler.event, tuple(map(str, p.element[:-1])))
        for p in ours(agent, document)
        if p.handler.agent == agent.name
    ]
    return [
        Finding(1, f"our {entry.event} entry did not read back")
        for entry in entries
        if found.count((entry.event, entry.path)) != 1
    ]


def _only_ours_left(text: str, path: Sequence[str | int], file: str) -> bool:
    """Is the member at `path` the only thing left in its document? Else it is the user's file."""
    root = jsondoc.parse(text, file).root
    return root is not None and len(path) == 1 and len(root.members) == 1


def _once(places: Sequence[Place]) -> list[Place]:
    """One place per element where the whole element goes."""
    kept: dict[Path, Place] = {}
    for place in places:
        kept.setdefault(place.element if place.whole else place.path, place)
    return list(kept.values())


def _line(document: jsondoc.Document, place: Place) -> int:
    return document.line_at(place.element) or 1


def _words(error: FileFormatError) -> str:
    return f"{error.message}" + (f": {error.cause}" if error.cause else "")
