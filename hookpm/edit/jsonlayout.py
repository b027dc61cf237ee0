"""How new JSON text has to look to fit in with its neighbours: newlines, indent, spacing."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator, Sequence
from typing import Any, NamedTuple, TypeVar

from hookpm.edit.jsondoc import BOM, Document, Node

_T = TypeVar("_T")
_LAST_NEWLINE = re.compile(r"(\r\n|\n|\r)[ \t]*\Z")
_NEWLINE = re.compile(r"\r\n|\n|\r")
_SURROGATE = re.compile("[\ud800-\udfff]")


class Style(NamedTuple):
    """The spelling of what stands between values."""

    newline: str
    unit: str  # one step of indent; "" in a file that indents nothing
    colon: str  # with the space after it
    comma: str  # between two values on one line, with the space after it
    brace: str  # inside of a { } on one line
    bracket: str  # inside of a [ ] on one line


def style_at(doc: Document, chain: Sequence[Node]) -> Style:
    """The style at the place of an edit: the innermost of `chain`, the containers from the root.

    What the place itself does not show is taken from the nearest containers that do.
    """
    near = tuple(_nearest_first(chain))
    colon = _first(near, _colon) or ": "
    pad = "" if colon == ":" else " "
    brace = _first(near, lambda node: _pad(node, "object"))
    bracket = _first(near, lambda node: _pad(node, "array"))
    comma = _first(near, _comma)
    unit = _first(near, lambda node: _unit(doc.text, node))
    return Style(
        newline=_newline_at(doc.text, chain[-1]) if chain else newline_of(doc.text),
        unit=_default_unit(doc.text) if unit is None else unit,
        colon=colon,
        comma="," + pad if comma is None else comma,
        brace=brace if brace is not None else bracket or "",
        bracket=bracket if bracket is not None else brace or "",
    )


def render(
    value: Any, style: Style, indent: str, like: Node | None = None, one_line: bool = False
) -> str:
    """The text of `value`, starting in a line with `indent`, laid out as `like` is.

    like: a neighbour of the same role; None: one child per line.
    one_line: no line breaks, whatever `like` does.
    """
    pairs = _pairs(value)
    if pairs is None:
        return scalar(value)
    opening, closing = "{}" if isinstance(value, dict) else "[]"
    if not pairs:
        return opening + closing
    if like is not None and (not like.children or _kind(value) != like.kind):
        like = None
    own_lines = not one_line and (like is None or on_own_lines(like))
    inner = indent + style.unit if own_lines else indent
    parts = []
    for key, child in pairs:
        model = None if like is None else _model(like, key, child)
        text = render(child, style, inner, model, one_line or (not own_lines and model is None))
        parts.append(text if key is None else scalar(key) + style.colon + text)
    if own_lines:
        body = f",{style.newline}{inner}".join(parts)
        return f"{opening}{style.newline}{inner}{body}{style.newline}{indent}{closing}"
    pad = style.brace if isinstance(value, dict) else style.bracket
    return opening + pad + style.comma.join(parts) + pad + closing


def scalar(value: Any) -> str:
    """The JSON spelling of a value; non-ASCII stays readable, but for lone surrogates.

    Raises TypeError or ValueError for what JSON has no form for.
    """
    text = json.dumps(value, ensure_ascii=False, allow_nan=False)
    return _SURROGATE.sub(lambda match: f"\\u{ord(match.group()):04x}", text)


def on_own_lines(node: Node) -> bool:
    """Whether the children of a container stand on lines of their own, and so should a new one."""
    text, children = node.text, node.children
    if not children:
        return has_newline(text[node.start : node.end])
    tail = text[children[-1].end : node.end - 1]
    if has_newline(tail[len(tail.rstrip(" \t\r\n")) :]):
        return True
    before = children[-2].end if len(children) > 1 else node.start
    return has_newline(text[before : children[-1].start])


def has_newline(text: str) -> bool:
    """Whether a text spans more than one line."""
    return "\n" in text or "\r" in text


def line_indent(text: str, offset: int) -> str:
    """The white space at the start of the line of an offset."""
    start = max(text.rfind("\n", 0, offset), text.rfind("\r", 0, offset)) + 1
    if start == 0 and text.startswith(BOM):
        start = 1
    end = start
    while end < offset and text[end] in " \t":
        end += 1
    return text[start:end]


def child_indent(node: Node, style: Style) -> str:
    """The indent of a new child of `node` on a line of its own."""
    found = _shown_indent(node)
    return line_indent(node.text, node.start) + style.unit if found is None else found


def depth(value: Any) -> int:
    """How many containers lie inside each other, 0 for a scalar."""
    pairs = _pairs(value)
    return 0 if pairs is None else 1 + max((depth(child) for _, child in pairs), default=0)


def newline_of(text: str) -> str:
    """The first newline of a text, as it is spelled there; LF where there is none."""
    match = _NEWLINE.search(text)
    return match.group() if match else "\n"


def _pairs(value: Any) -> list[tuple[str | None, Any]] | None:
    if isinstance(value, dict):
        return list(value.items())
    if isinstance(value, (list, tuple)):
        return [(None, child) for child in value]
    return None


def _kind(value: Any) -> str:
    return "object" if isinstance(value, dict) else "array"


def _model(like: Node, key: str | None, child: Any) -> Node | None:
    """The neighbour that a child is laid out like: of the same key, else the last container."""
    named = like.child(key) if key is not None else None
    if named is not None and named.children:
        return named
    nodes = like.items if key is None else [member.value for member in like.members]
    if _pairs(child) is None:
        return None
    kind = _kind(child)
    return next((node for node in reversed(nodes) if node.kind == kind and node.children), None)


def _nearest_first(chain: Sequence[Node]) -> Iterator[Node]:
    for node in reversed(chain):
        yield from reversed(list(node.walk()))


def _first(nodes: Sequence[Node], look: Callable[[Node], _T | None]) -> _T | None:
    return next((found for found in map(look, nodes) if found is not None), None)


def _colon(node: Node) -> str | None:
    for member in reversed(node.members):
        between = node.text[member.key.end : member.value.start]
        if between.strip(" \t") == ":":
            return between
    return None


def _comma(node: Node) -> str | None:
    children = node.children
    for index in range(len(children) - 1, 0, -1):
        between = node.text[children[index - 1].end : children[index].start]
        if between.strip(" \t") == ",":
            return between
    return None


def _pad(node: Node, kind: str) -> str | None:
    if node.kind != kind or not node.children:
        return None
    before = node.text[node.start + 1 : node.children[0].start]
    after = node.text[node.children[-1].end : node.end - 1]
    return before if before == after and not before.strip(" \t") else None


def _shown_indent(node: Node) -> str | None:
    """The indent of the last child that is the first thing on its line."""
    children = node.children
    for index in range(len(children) - 1, -1, -1):
        end = children[index - 1].end if index else node.start + 1
        match = _LAST_NEWLINE.search(node.text, end, children[index].start)
        if match:
            return node.text[match.end(1) : children[index].start]
    return None


def _unit(text: str, node: Node) -> str | None:
    indent = _shown_indent(node)
    if indent is None or not on_own_lines(node):
        return None
    base = line_indent(text, node.start)
    return indent[len(base) :] if indent.startswith(base) else None


def _default_unit(text: str) -> str:
    return "\t" if re.search(r"^\t", text, re.MULTILINE) else "  "


def _newline_at(text: str, node: Node) -> str:
    """The newline before the bracket that closes `node`, else the first of the text."""
    found = list(_NEWLINE.finditer(text, 0, node.end))
    return found[-1].group() if found else newline_of(text)
