"""A shell script as values: commands, words and what they are made of."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

_NAME = re.compile(r"[A-Za-z_][A-Za-z0-9_]*")


class ShellError(ValueError):
    """The text is no shell script, or one beyond this reader."""


class Piece(NamedTuple):
    """A part of a word. kind: "text", "variable" (text: what stands in the braces), "command",
    "arithmetic". quoted: it stands in quotes, so the shell does not split it."""

    kind: str
    text: str
    quoted: bool


class Word(NamedTuple):
    """A word as it is written, and its parts."""

    source: str
    line: int
    pieces: tuple[Piece, ...]

    @property
    def literal(self) -> str | None:
        """What the word is without its quotes, None where the shell fills something in."""
        if any(piece.kind != "text" for piece in self.pieces):
            return None
        return "".join(piece.text for piece in self.pieces)

    @property
    def text(self) -> str:
        """Its fixed parts."""
        return "".join(piece.text for piece in self.pieces if piece.kind == "text")


class Redirection(NamedTuple):
    """`2>>file`: descriptor "2" ("" where none is written), operator, target; a heredoc's text."""

    number: str
    operator: str
    target: Word
    body: str = ""


class Command(NamedTuple):
    """A simple command, or the head of a compound one.

    kind: "simple", "for", "case", "[[" or "((" (the last two with their whole text as one word).
    block: the blocks around it, outermost first: commands of one branch have the same. after: the
    operator before it ("", ";", "&&", "||", "|"); piped: its output goes into another command.
    inside: it is part of a substitution, so its output goes nowhere.
    """

    kind: str
    line: int
    words: tuple[Word, ...]
    assignments: tuple[tuple[str, Word], ...]
    redirections: tuple[Redirection, ...]
    block: tuple[int, ...]
    after: str
    piped: bool
    inside: bool

    @property
    def name(self) -> str:
        """The program's name, "" where it is not fixed."""
        return (self.words[0].literal or "") if self.words else ""


class Mark(NamedTuple):
    """A form of the shell's language that not every shell has."""

    form: str
    line: int
    source: str


class Script(NamedTuple):
    """A script that was read. functions: the names that it defines."""

    commands: tuple[Command, ...]
    marks: tuple[Mark, ...]
    functions: frozenset[str]


def variable(expression: str) -> str:
    """The name in the braces of ${...}: `x%%.*` -> x, `#x` -> "" (a length, a number)."""
    if expression.startswith(("#", "!")) and len(expression) > 1:
        return ""
    found = _NAME.match(expression)
    return found.group() if found else expression[:1]


def simple_commands(script: Script) -> Iterator[Command]:
    """The commands that start something."""
    yield from (c for c in script.commands if c.kind == "simple" and c.words)
