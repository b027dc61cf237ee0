"""Where a text has to be cut and filled to put one child into a container, or to take one out.

The two mirror each other, which is what makes removal exact without remembering offsets: an
insertion adds one line break with indent (or, on one line, the space) before the child, the child,
and one comma; a removal takes the same. Comments and white space that were there stay in place.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any, NamedTuple

from hookpm.edit.jsondoc import Document, Key, Node
from hookpm.edit.jsonlayout import (
    Style,
    child_indent,
    depth,
    has_newline,
    line_indent,
    on_own_lines,
    render,
    scalar,
    style_at,
)

_SPACE = " \t\r\n"
_LAST_BREAK = re.compile(r"(?:\r\n|\n|\r)[ \t]*\Z")


class Splice(NamedTuple):
    """Replaces `text[start:end]` by `new`."""

    start: int
    end: int
    new: str = ""


class Child(NamedTuple):
    """A new element (`name` None) or member."""

    name: str | None
    value: Any


def apply(text: str, splices: Sequence[Splice]) -> str:
    """The text after all splices, which must not overlap; those at one offset keep their order."""
    parts, done = [], 0
    for splice in sorted(splices, key=lambda each: each.start):
        parts += [text[done : splice.start], splice.new]
        done = splice.end
    return "".join(parts) + text[done:]


def put_in(doc: Document, chain: Sequence[Node], child: Child, first: bool = False) -> list[Splice]:
    """Put `child` into the innermost container of `chain` (the containers from the root down).

    It becomes the last child, or the first one if `first`.
    """
    node, style = chain[-1], style_at(doc, chain)
    if _fills(doc, node):
        return [_filled(chain, child, style)]
    like = _like(chain, child)
    if first and node.children:
        return [_before_first(node, child, like, style)]
    tail = _tail(node)
    at = node.end - 1 - len(tail)
    if has_newline(tail) or (node.children and on_own_lines(node)):
        last_break = _LAST_BREAK.search(tail)
        at += last_break.start() if last_break else 0
        indent = child_indent(node, style)
        body = style.newline + indent + _spelled(child, style, indent, like)
    else:
        indent = line_indent(doc.text, node.children[-1].start if node.children else node.start)
        body = style.comma.partition(",")[2]
        body += _spelled(child, style, indent, like, one_line=like is None)
    if node.trailing_comma:
        return [Splice(at, at, body + ",")]
    comma = [Splice(last.end, last.end, ",") for last in node.children[-1:]]
    return [*comma, Splice(at, at, body)]


def _fills(doc: Document, node: Node) -> bool:
    """Whether a first child replaces the inside of `node`, which must then be remembered."""
    inner = doc.text[node.start + 1 : node.end - 1]
    return not node.children and _is_blank(inner) and not has_newline(inner)


def take_out(doc: Document, path: Sequence[Key]) -> list[Splice]:
    """Take out the child at `path`, which must be there, and its comma."""
    text, parent, key = doc.text, doc.get(path[:-1]), path[-1]
    assert parent is not None
    names = [member.name for member in parent.members]
    # Of a key that is there twice, `get` means the last one.
    index = key if isinstance(key, int) else len(names) - 1 - names[::-1].index(key)
    child, is_last = parent.children[index], index == len(parent.children) - 1
    comma = parent.commas[index] if index < len(parent.commas) else None
    if index == 0 and comma is not None and not is_last and _is_blank(text[child.end : comma]):
        after = text[comma + 1 :]
        return [Splice(child.start, comma + 1 + len(after) - len(after.lstrip(_SPACE)))]
    if comma is None:
        before = [Splice(parent.commas[-1], parent.commas[-1] + 1)] if index else []
        return [*before, Splice(_lead(doc, child.start, text[child.end :]), child.end)]
    if _is_blank(text[child.end : comma]):
        return [Splice(_lead(doc, child.start, text[comma + 1 :]), comma + 1)]
    lead = _lead(doc, child.start, text[child.end :])
    return [Splice(lead, child.end), Splice(comma, comma + 1)]


def replaced(chain: Sequence[Node], value: Any, style: Style) -> list[Splice]:
    """Put `value` in the place of the innermost of `chain`; equal parts keep their spelling."""
    node = chain[-1]
    old = node.value
    if _same(old, value):
        return []
    if isinstance(old, dict) and isinstance(value, dict) and _same(_names(node), list(value)):
        parts = zip((member.value for member in node.members), value.values(), strict=True)
    elif isinstance(old, list) and isinstance(value, list) and len(old) == len(value):
        parts = zip(node.items, value, strict=True)
    else:
        one_line = not node.children and len(chain) > 1 and not on_own_lines(chain[-2])
        new = render(value, style, line_indent(node.text, node.start), node, one_line)
        return [Splice(node.start, node.end, new)]
    return [splice for part, new in parts for splice in replaced([*chain, part], new, style)]


def _filled(chain: Sequence[Node], child: Child, style: Style) -> Splice:
    node = chain[-1]
    value = [child.value] if child.name is None else {child.name: child.value}
    parent = chain[-2] if len(chain) > 1 else None
    like = None if parent is None else _sibling(parent, value)
    one_line = parent is not None and not on_own_lines(parent)
    whole = render(value, style, line_indent(node.text, node.start), like, one_line)
    return Splice(node.start + 1, node.end - 1, whole[1:-1])


def _before_first(node: Node, child: Child, like: Node | None, style: Style) -> Splice:
    at = node.children[0].start
    first_on_line = _LAST_BREAK.search(node.text, node.start + 1, at)
    indent = line_indent(node.text, at)
    gap = style.newline + indent if first_on_line else style.comma.partition(",")[2]
    one_line = like is None and not first_on_line
    return Splice(at, at, _spelled(child, style, indent, like, one_line) + "," + gap)


def _spelled(
    child: Child, style: Style, indent: str, like: Node | None, one_line: bool = False
) -> str:
    body = render(child.value, style, indent, like, one_line)
    return body if child.name is None else scalar(child.name) + style.colon + body


def _like(chain: Sequence[Node], child: Child) -> Node | None:
    """The neighbour that a new child is laid out like."""
    node = chain[-1]
    if child.name is not None:
        return _sibling(node, child.value)
    kind = "object" if isinstance(child.value, dict) else "array"
    cousins = chain[-2].members[::-1] if len(chain) > 1 else ()
    arrays = [node, *(member.value for member in cousins)]
    return next((item for each in arrays for item in each.items[::-1] if item.kind == kind), None)


def _sibling(parent: Node, value: Any) -> Node | None:
    """A member as deep as `value`: `"permissions": { "deny": [] }` is no model for all hooks."""
    kind = "object" if isinstance(value, dict) else "array"
    for member in reversed(parent.members):
        node = member.value
        if node.kind == kind and node.children and depth(node.value) >= depth(value):
            return node
    return None


def _tail(node: Node) -> str:
    """The white space before the closing bracket."""
    inner = node.text[node.start + 1 : node.end - 1]
    return inner[len(inner.rstrip(_SPACE)) :]


def _lead(doc: Document, start: int, rest: str) -> int:
    """Where the white space starts that goes with a child: the last line break, or the space.

    rest: what will follow the cut. The break that ends a // comment stays if something does.
    """
    before = doc.text[:start]
    last_break = _LAST_BREAK.search(before)
    if last_break is None:
        return len(before.rstrip(" \t"))
    at = last_break.start()
    ends_comment = any(end == at and doc.text.startswith("//", s) for s, end in doc.comment_spans)
    follows = rest.lstrip(" \t")
    return start if ends_comment and follows and follows[0] not in "\r\n" else at


def _is_blank(text: str) -> bool:
    return not text.strip(_SPACE)


def _names(node: Node) -> list[str]:
    return [member.name for member in node.members]


def _same(old: Any, new: Any) -> bool:
    """Equal in kind, too: 1, 1.0 and true differ."""
    if isinstance(old, dict) and isinstance(new, dict):
        return list(old) == list(new) and all(_same(old[key], new[key]) for key in old)
    if isinstance(old, list) and isinstance(new, list):
        return len(old) == len(new) and all(map(_same, old, new))
    return type(old) is type(new) and bool(old == new)
