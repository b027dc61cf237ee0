"""The tree of a JSON text: frozen values that know where they stand in it."""

from __future__ import annotations

import json
from bisect import bisect_right
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal, NamedTuple

Key = str | int
Kind = Literal["object", "array", "string", "number", "boolean", "null"]

BOM = "\ufeff"
LITERALS: dict[str, tuple[Kind, bool | None]] = {
    "true": ("boolean", True),
    "false": ("boolean", False),
    "null": ("null", None),
}


@dataclass(frozen=True, slots=True)
class Node:
    """A value in the text: `text[start:end]` is its spelling, no comments or space around it."""

    kind: Kind
    start: int
    end: int
    text: str = field(repr=False, compare=False)
    items: tuple[Node, ...] = ()
    members: tuple[Member, ...] = ()
    commas: tuple[
        int, ...
    ] = ()  # as many as children when there is a trailing comma, else one less

    @property
    def children(self) -> tuple[Node | Member, ...]:
        """The elements of an array or the members of an object; both have start and end."""
        return self.members if self.kind == "object" else self.items

    @property
    def trailing_comma(self) -> bool:
        """Whether a comma stands before the closing bracket."""
        return bool(self.commas) and len(self.commas) == len(self.children)

    @property
    def value(self) -> Any:
        """The decoded value; of a key that occurs twice the last one counts, as in every parser."""
        if self.kind == "object":
            return {member.name: member.value.value for member in self.members}
        if self.kind == "array":
            return [item.value for item in self.items]
        literal = self.text[self.start : self.end]
        if self.kind == "number":
            return _number(literal)
        if self.kind == "string":
            return decoded(literal)
        return LITERALS[literal][1]

    def named(self, name: str) -> tuple[Member, ...]:
        """All members of that name, in file order."""
        return tuple(member for member in self.members if member.name == name)

    def child(self, key: Key) -> Node | None:
        """The value under a key (the last one of that name) or at an index from 0."""
        if isinstance(key, str):
            found = self.named(key)
            return found[-1].value if found else None
        return self.items[key] if 0 <= key < len(self.items) else None

    def walk(self) -> Iterator[Node]:
        """This value and all values in it, in file order."""
        yield self
        for child in self.children:
            yield from (child.value if isinstance(child, Member) else child).walk()


class Member(NamedTuple):
    """`"key": value` in an object."""

    key: Node
    value: Node

    @property
    def name(self) -> str:
        """The decoded key."""
        return decoded(self.key.text[self.key.start : self.key.end])

    @property
    def start(self) -> int:
        """Where the key starts."""
        return self.key.start

    @property
    def end(self) -> int:
        """Where the value ends."""
        return self.value.end


class Duplicate(NamedTuple):
    """A key that occurs twice in one object."""

    path: tuple[Key, ...]
    first_line: int
    second_line: int


@dataclass(frozen=True, slots=True)
class Document:
    """A parsed text. `root` is None when the text is blank."""

    text: str = field(repr=False)
    file: str | None
    root: Node | None
    comments: tuple[int, ...]  # the line each comment starts on
    comment_spans: tuple[tuple[int, int], ...]  # without the newline that ends a // comment
    trailing_commas: tuple[int, ...]  # lines
    duplicates: tuple[Duplicate, ...]
    line_starts: tuple[int, ...] = field(repr=False)

    @property
    def has_bom(self) -> bool:
        """Whether the text starts with a byte order mark."""
        return self.text.startswith(BOM)

    @property
    def value(self) -> Any:
        """The whole document as plain data; None when the text is blank."""
        return None if self.root is None else self.root.value

    def get(self, path: Sequence[Key]) -> Node | None:
        """The value at a path of keys and indexes, or None."""
        node = self.root
        for key in path:
            if node is None:
                return None
            node = node.child(key)
        return node

    def line_of(self, offset: int) -> int:
        """The line of an offset, from 1."""
        return bisect_right(self.line_starts, offset)

    def column_of(self, offset: int) -> int:
        """The column of an offset in characters, from 1; a byte order mark counts as none."""
        return column(self.text, self.line_starts, offset)

    def line_at(self, path: Sequence[Key]) -> int | None:
        """The line of the value at a path (of its key, in an object), or None."""
        node = self.get(path)
        if node is None:
            return None
        parent = self.get(path[:-1]) if path else None
        if parent is not None and isinstance(path[-1], str):
            return self.line_of(parent.named(path[-1])[-1].start)
        return self.line_of(node.start)

    def comments_in(self, start: int, end: int) -> bool:
        """Whether a comment lies between two offsets."""
        return any(start <= first and last <= end for first, last in self.comment_spans)


def column(text: str, starts: Sequence[int], offset: int) -> int:
    """The column of an offset in characters, from 1; a byte order mark counts as none."""
    line = bisect_right(starts, offset)
    column = offset - starts[line - 1] + 1
    return max(1, column - 1) if line == 1 and text.startswith(BOM) else column


def decoded(literal: str) -> str:
    """The string that a JSON literal with its quotes stands for."""
    if "\\" not in literal:
        return literal[1:-1]
    return str(json.loads(literal))


def _number(literal: str) -> int | float:
    # Python refuses to read integers of more than 4,300 digits; what no agent can hold is a float.
    if literal.lstrip("-").isdigit() and len(literal) < 4000:
        return int(literal)
    return float(literal)
