"""Edits JSON and JSONC as text: what is not ours keeps every byte, removal gives back the rest.

Pure functions from text to text. What cannot be read off a text later is in the undo record, as
strings that any format can hold: containers that we made, the inside of containers that were empty,
a document that was blank, members that we set. Every result is read back before it is given.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any, NamedTuple

from hookpm.edit.jsondoc import BOM, Document, Key, Node, parse
from hookpm.edit.jsonlayout import Style, has_newline, newline_of, render, style_at
from hookpm.edit.jsonsplice import Child, Splice, apply, put_in, replaced, take_out
from hookpm.edit.jsonundo import Records, Undo, merge_undo, read, record
from hookpm.errors import FileFormatError, HookpmError

__all__ = [
    "Edited",
    "Undo",
    "append",
    "members_set",
    "merge_undo",
    "remove",
    "remove_many",
    "replace",
    "set_member",
]

File = Path | str | None

_KINDS = {
    "object": "an object",
    "array": "a list",
    "string": "a string",
    "number": "a number",
    "boolean": "true or false",
    "null": "null",
}


class Edited(NamedTuple):
    """A text after an edit, and the record that `remove` needs to undo it exactly."""

    text: str
    undo: Undo


def append(text: str, path: tuple[str, ...], value: Any, file: File = None) -> Edited:
    """Append `value` as the last element of the array at `path`, such as ("hooks", "Stop").

    Objects and the array that are missing on the way are made, as last members; of a blank text,
    the whole document. file: the name for messages. Raises FileFormatError when the text does not
    parse, something on the way has another shape, or a key on the way occurs twice.
    """
    if not path:
        raise ValueError("append needs the path of an array")
    value = _plain(value)
    doc, chain = _open(text, path, "array", file)
    if len(chain) > len(path):
        return _put(doc, chain, path, Child(None, value))
    missing = path[max(0, len(chain) - 1) :]
    return _put(doc, chain, path, Child(missing[0], _nested(missing[1:], [value])))


def set_member(
    text: str, path: tuple[str, ...], key: str, value: Any, first: bool = False, file: File = None
) -> Edited:
    """Add the member `key` to the object at `path`; one that is there stays as it is.

    first: as the first member, else as the last. Raises as `append` does.
    """
    value = _plain(value)
    doc, chain = _open(text, path, "object", file)
    if len(chain) > len(path) and chain[-1].named(key):
        return Edited(text, ())
    name, *missing = (*path, key)[max(0, len(chain) - 1) :]
    edited = _put(doc, chain, path, Child(name, _nested(missing, value)), first)
    return Edited(edited.text, (*edited.undo, record("set", (*path, key), value)))


def replace(text: str, path: Sequence[Key], value: Any, file: File = None) -> str:
    """Put `value` in the place of the value at `path`; parts that are equal keep their spelling.

    Raises KeyError when there is nothing at `path`, and FileFormatError as `append` does.
    """
    doc = parse(text, file)
    _refuse_duplicates(doc, path)
    chain = _chain(doc, path)
    if len(chain) <= len(path):
        raise KeyError(tuple(path))
    value = _plain(value)
    splices = replaced(chain, value, style_at(doc, chain))
    return _checked(doc, splices, _with_value(doc.value, path, value)).text


def remove(text: str, path: Sequence[Key], undo: Undo = (), file: File = None) -> str:
    """Take out the element or member at `path`, and what we made around it and is empty now.

    undo: the record of the insertions into this text (see `merge_undo`); without one, containers
    stay. A path at which there is nothing changes nothing. Raises FileFormatError as `append` does.
    """
    if not path:
        raise ValueError("the whole document cannot be removed")
    records = Records.read(undo)
    doc = parse(text, file)
    while path and doc.get(path) is not None:
        _refuse_duplicates(doc, path)
        doc = _checked(doc, take_out(doc, path), _without(doc.value, path))
        path = path[:-1]
        node = doc.get(path)
        if node is None or node.children or doc.comments_in(node.start, node.end):
            break
        if not path and records.blank is not None and not doc.comments:
            return _as_blank(doc, records.blank)
        if tuple(path) in records.empty:
            inner = Splice(node.start + 1, node.end - 1, records.empty[tuple(path)])
            return doc.text if has_newline(inner.new) else apply(doc.text, [inner])
        if tuple(path) not in records.made or _is_annotated(doc, path):
            break
    return doc.text


def remove_many(
    text: str, paths: Sequence[Sequence[Key]], undo: Undo = (), file: File = None
) -> str:
    """Like `remove`, for several paths that all mean places in `text`."""
    doc = parse(text, file)
    found = {tuple(path): node.start for path in paths if (node := doc.get(path))}
    # From the end, so that a removal moves nothing that is still to be found by its index.
    for path in sorted(found, key=lambda each: found[each], reverse=True):
        text = remove(text, path, undo, file)
    return text


def members_set(text: str, undo: Undo, file: File = None) -> list[tuple[str, ...]]:
    """The paths of members that `set_member` added and that still have the value it gave them."""
    doc = parse(text, file)
    sets = [rest for kind, *rest in read(undo) if kind == "set"]
    nodes = [(tuple(path), value, doc.get(path)) for path, value in sets]
    return [path for path, value, node in nodes if node and node.value == value]


def _open(text: str, path: tuple[str, ...], kind: str, file: File) -> tuple[Document, list[Node]]:
    """The document and its containers along `path`, which leads to a container of that kind."""
    doc = parse(text, file)
    _refuse_duplicates(doc, path)
    chain = _chain(doc, path)
    for index, node in enumerate(chain):
        expected = kind if index == len(path) else "object"
        if node.kind != expected:
            raise _wrong_shape(doc, path, index, expected, kind)
    return doc, chain


def _put(
    doc: Document, chain: list[Node], path: tuple[str, ...], child: Child, first: bool = False
) -> Edited:
    """Put a child into the innermost of `chain`; `path` beyond it names what is made by that."""
    made = [record("made", path[:end]) for end in range(max(len(chain), 1), len(path) + 1)]
    if not chain:
        mark = BOM if doc.has_bom else ""
        blank = doc.text[len(mark) :]
        style = Style(newline_of(blank), "  ", ": ", ", ", "", "")
        text = mark + render({child.name: child.value}, style, "") + style.newline
        return Edited(text, (record("blank", (), blank), *made))
    node, place = chain[-1], path[: len(chain) - 1]
    if not node.children and not doc.comments_in(node.start, node.end):
        made.insert(0, record("empty", place, doc.text[node.start + 1 : node.end - 1]))
    splices = put_in(doc, chain, child, first and len(chain) > len(path))
    return Edited(_checked(doc, splices, _with(doc.value, place, child)).text, tuple(made))


def _chain(doc: Document, path: Sequence[Key]) -> list[Node]:
    """The values from the root along `path`, as far as they are there."""
    nodes = (doc.get(path[:end]) for end in range(len(path) + 1))
    return [node for node in nodes if node is not None]


def _plain(value: Any) -> Any:
    """The value as JSON has it; TypeError or ValueError for what JSON has not."""
    return json.loads(json.dumps(value, allow_nan=False))


def _nested(keys: Sequence[str], value: Any) -> Any:
    for key in reversed(keys):
        value = {key: value}
    return value


def _with(data: Any, place: Sequence[Key], child: Child) -> Any:
    target = data
    for key in place:
        target = target[key]
    if child.name is None:
        target.append(child.value)
    else:
        target[child.name] = child.value
    return data


def _with_value(data: Any, path: Sequence[Key], value: Any) -> Any:
    if not path:
        return value
    target = data
    for key in path[:-1]:
        target = target[key]
    target[path[-1]] = value
    return data


def _without(data: Any, path: Sequence[Key]) -> Any:
    target = data
    for key in path[:-1]:
        target = target[key]
    del target[path[-1]]
    return data


def _checked(doc: Document, splices: list[Splice], expected: Any) -> Document:
    """The document after the splices; they must have changed nothing but what they should."""
    try:
        after = parse(apply(doc.text, splices), doc.file)
        if after.value == expected:
            return after
    except FileFormatError:
        pass  # what we would have written is no JSON: the same fault as a changed value
    raise HookpmError(
        f"{doc.file or 'the text'} could not be edited without touching the rest, so it was not",
        hint="this is a fault of hookpm: please report it with the file",
        file=doc.file,
    )


def _is_annotated(doc: Document, path: Sequence[Key]) -> bool:
    parent = doc.get(path[:-1])
    members = parent.named(str(path[-1])) if parent else ()
    return any(doc.comments_in(member.start, member.end) for member in members)


def _as_blank(doc: Document, blank: str) -> str:
    """The blank text, in the newlines that the file has now: git may have turned them all."""
    kinds = {"\r\n" if line.endswith("\r\n") else line[-1:] for line in doc.text.splitlines(True)}
    if {"\n"} == kinds and "\r\n" in blank:
        blank = blank.replace("\r\n", "\n")
    if {"\r\n"} == kinds and "\r" not in blank:
        blank = blank.replace("\n", "\r\n")
    return (BOM if doc.has_bom else "") + blank


def _refuse_duplicates(doc: Document, path: Sequence[Key]) -> None:
    for found in doc.duplicates:
        if found.path == tuple(path[: len(found.path)]):
            name = ".".join(map(str, found.path))
            first, second = found.first_line, found.second_line
            raise FileFormatError(
                f"{doc.file or 'the text'} holds {name} twice, in lines {first} and {second}",
                cause="agents read only the last one, so an edit could go unseen",
                hint="merge the two into one, then run again",
                file=doc.file,
                line=second,
            )


def _wrong_shape(
    doc: Document, path: Sequence[str], index: int, expected: str, kind: str
) -> FileFormatError:
    name = ".".join(path[:index]) or "the top level"
    line = doc.line_at(path[:index])
    node = doc.get(path[:index])
    found = _KINDS[node.kind] if node else "nothing"
    leaf = "[ ... ]" if kind == "array" else "{ ... }"
    shape = "".join(f'{{"{key}": ' for key in path) + leaf + "}" * len(path)
    return FileFormatError(
        f"in {doc.file or 'the text'}, line {line}, {name} is {found}, not {_KINDS[expected]}",
        cause="what the agent would make of it is not known, so nothing is added",
        hint=f"the expected shape is {shape}",
        file=doc.file,
        line=line,
    )
