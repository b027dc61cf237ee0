"""The scanner: one pass over a JSON or JSONC text, and a clear word on what is wrong with it."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Sequence
from functools import lru_cache
from pathlib import Path

from hookpm.edit.jsontree import (
    BOM,
    LITERALS,
    Document,
    Duplicate,
    Key,
    Member,
    Node,
    column,
    decoded,
)
from hookpm.errors import FileFormatError

# Far above any real config, far below Python's own recursion limit, which is no error message.
MAX_DEPTH = 200

_SPACE = re.compile(r"[ \t\r\n]*")
_NEWLINE = re.compile(r"\r\n|\n|\r")
_CHARS = r'[^"\\\x00-\x1f]*'
_STRING_START = re.compile(rf'"{_CHARS}(?:\\(?:["\\/bfnrt]|u[0-9a-fA-F]{{4}}){_CHARS})*')
_NUMBER = re.compile(r"-?(?:0|[1-9][0-9]*)(\.[0-9]+)?([eE][+-]?[0-9]+)?")
_WORD = re.compile(r"[^\s,:\[\]{}\"'/]+")


def parse(text: str, file: Path | str | None = None) -> Document:
    """Parse JSON or JSONC (comments, trailing commas); the Document says which of them it found.

    file: the name for messages. Raises FileFormatError on everything else, with line and column.
    """
    return _parse(text, None if file is None else str(file))


# Every edit reads back its result, and the next edit reads that again: Documents never change.
@lru_cache(maxsize=4)
def _parse(text: str, file: str | None) -> Document:
    scanner = _Scanner(text, file)
    root = scanner.document()
    return Document(
        text=text,
        file=file,
        root=root,
        comments=tuple(scanner.line(start) for start, _ in scanner.comments),
        comment_spans=tuple(scanner.comments),
        trailing_commas=tuple(scanner.line(offset) for offset in sorted(scanner.trailing)),
        duplicates=tuple(sorted(scanner.duplicates, key=lambda found: found.second_line)),
        line_starts=scanner.starts,
    )


class _Scanner:
    """One pass over a text. Every method takes an offset and gives back where it ended."""

    def __init__(self, text: str, file: str | None) -> None:
        self.text = text
        self.file = file
        self.starts = (0, *(match.end() for match in _NEWLINE.finditer(text)))
        self.comments: list[tuple[int, int]] = []
        self.trailing: list[int] = []
        self.duplicates: list[Duplicate] = []
        self.path: list[Key] = []

    def line(self, offset: int) -> int:
        return bisect_right(self.starts, offset)

    def document(self) -> Node | None:
        pos = self.skip(1 if self.text.startswith(BOM) else 0)
        if pos == len(self.text):
            if self.comments:
                raise self.fail(pos, "it holds comments but no value", "write {} below them")
            return None
        root = self.value(pos)
        pos = self.skip(root.end)
        if pos < len(self.text):
            raise self.fail(pos, "there is text after the end of the value", "take it out")
        return root

    def skip(self, pos: int) -> int:
        """Past white space and comments."""
        text = self.text
        pos = _space_end(text, pos)
        while text[pos : pos + 1] == "/":
            if text.startswith("//", pos):
                newline = _NEWLINE.search(text, pos)
                end = newline.start() if newline else len(text)
            elif text.startswith("/*", pos):
                end = text.find("*/", pos + 2) + 2
                if end == 1:
                    raise self.fail(pos, "a /* comment has no end", "add the missing */")
            else:
                break
            self.comments.append((pos, end))
            pos = _space_end(text, end)
        return pos

    def value(self, pos: int) -> Node:
        text = self.text
        start = text[pos : pos + 1]
        if start == "{":
            return self.read_object(pos)
        if start == "[":
            return self.read_array(pos)
        if start == '"':
            return self.string(pos)
        number = _NUMBER.match(text, pos)
        word = _WORD.match(text, pos)
        if number and word and number.end() == word.end():
            return Node("number", pos, number.end(), text)
        if word and word.group() in LITERALS:
            return Node(LITERALS[word.group()][0], pos, word.end(), text)
        raise self.no_value(pos, word.group() if word else start)

    def string(self, pos: int) -> Node:
        match = _STRING_START.match(self.text, pos)
        end = match.end() if match else pos
        stop = self.text[end : end + 1]
        if stop == '"':
            return Node("string", pos, end + 1, self.text)
        if stop == "\\":
            escape = self.text[end : end + 2]
            hint = r"write \\ for a backslash; \u takes four hex digits"
            raise self.fail(end, f"{escape!r} is no escape in JSON", hint)
        if stop in ("", "\n", "\r"):
            raise self.fail(pos, "a string has no closing quote on its line", 'add the missing "')
        cause = f"a string holds the control character U+{ord(stop):04X}"
        raise self.fail(end, cause, r"write it as an escape, such as \t")

    def read_array(self, pos: int) -> Node:
        start, items, commas = pos, list[Node](), list[int]()
        pos = self.open(pos)
        while self.text[pos : pos + 1] != "]":
            self.path.append(len(items))
            items.append(self.value(pos))
            self.path.pop()
            pos = self.separator(items[-1].end, "]", commas)
        self.close(items, commas)
        return Node("array", start, pos + 1, self.text, items=tuple(items), commas=tuple(commas))

    def read_object(self, pos: int) -> Node:
        start, members, commas = pos, list[Member](), list[int]()
        seen: dict[str, Member] = {}
        pos = self.open(pos)
        while self.text[pos : pos + 1] != "}":
            member = self.member(pos)
            name = member.name
            if name in seen:
                lines = self.line(seen[name].start), self.line(member.start)
                self.duplicates.append(Duplicate((*self.path, name), *lines))
            seen.setdefault(name, member)
            members.append(member)
            pos = self.separator(member.end, "}", commas)
        self.close(members, commas)
        return Node(
            "object", start, pos + 1, self.text, members=tuple(members), commas=tuple(commas)
        )

    def member(self, pos: int) -> Member:
        if self.text[pos : pos + 1] != '"':
            raise self.no_key(pos)
        key = self.string(pos)
        pos = self.skip(key.end)
        if self.text[pos : pos + 1] != ":":
            raise self.fail(pos, "a key is not followed by a colon", "add the missing :")
        self.path.append(decoded(self.text[key.start : key.end]))
        member = Member(key, self.value(self.skip(pos + 1)))
        self.path.pop()
        return member

    def open(self, pos: int) -> int:
        if len(self.path) >= MAX_DEPTH:
            raise self.fail(
                pos, f"it is nested more than {MAX_DEPTH} levels deep", "flatten the file"
            )
        return self.skip(pos + 1)

    def separator(self, pos: int, bracket: str, commas: list[int]) -> int:
        pos = self.skip(pos)
        found = self.text[pos : pos + 1]
        if found == ",":
            commas.append(pos)
            return self.skip(pos + 1)
        if found == bracket:
            return pos
        if not found:
            raise self.fail(pos, f"the file ends before the closing {bracket}", f"add {bracket}")
        if found in "]}":
            cause = f"{found} closes what does not stand open"
            raise self.fail(pos, cause, f"expected , or {bracket}")
        raise self.fail(pos, "a comma is missing", f"expected , or {bracket}")

    def close(self, children: Sequence[object], commas: list[int]) -> None:
        if commas and len(commas) == len(children):
            self.trailing.append(commas[-1])

    def no_value(self, pos: int, found: str) -> FileFormatError:
        if not found:
            return self.fail(pos, "the file ends where a value should stand", "complete the file")
        if found == "'":
            return self.fail(pos, "a string in single quotes", "use double quotes")
        if found == ",":
            return self.fail(pos, "a comma too many", "take it out")
        if found[0] in "+-.0123456789":
            return self.fail(pos, f"{_short(found)} is no JSON number", "mend the number")
        return self.fail(pos, f"{_short(found)} is no JSON value", "text takes double quotes")

    def no_key(self, pos: int) -> FileFormatError:
        found = self.text[pos : pos + 1]
        if not found:
            return self.fail(pos, "the file ends before the closing }", "add }")
        if found == ",":
            return self.fail(pos, "a comma too many", "take it out")
        return self.fail(pos, "a key is not in double quotes", 'write it as "key"')

    def fail(self, pos: int, cause: str, hint: str) -> FileFormatError:
        line, col = self.line(pos), column(self.text, self.starts, pos)
        if self.text.startswith(("<<<<<<<", "=======", ">>>>>>>"), self.starts[line - 1]):
            cause, hint = "a git conflict marker", "resolve the merge, then run again"
        name = "the text" if self.file is None else str(self.file)
        message = f"{name} is not valid JSON (line {line}, column {col})"
        return FileFormatError(message, cause=cause, hint=hint, file=self.file, line=line)


def _space_end(text: str, pos: int) -> int:
    match = _SPACE.match(text, pos)
    return match.end() if match else pos


def _short(found: str) -> str:
    return repr(found if len(found) <= 30 else found[:27] + "...")
