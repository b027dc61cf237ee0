"""Reads the words of a shell script: quotes, expansions, substitutions, heredocs."""

from __future__ import annotations

import re

from hookpm.packs.check.shelltypes import Command, Mark, Piece, ShellError, Word

ENDS_WORD = frozenset(" \t\n;&|<>()")


class Words:
    """Goes through a text once. at: the place; blocks: (closing word, number) of what is open;
    waiting: heredocs whose text begins at the next line end: command, redirection, end, tabs."""

    def __init__(self, text: str, line: int, inside: bool = False) -> None:
        self.source = text
        self.first = line
        self.at = 0
        self.counted = (0, line)  # a place, and its line
        self.inside = 1 if inside else 0
        self.commands: list[Command] = []
        self.marks: list[Mark] = []
        self.functions: set[str] = set()
        self.blocks: list[tuple[str, int]] = []
        self.numbers = 0
        self.starts: dict[int, int] = {}  # depth of an open block -> its first command
        self.waiting: list[tuple[int, int, str, bool]] = []
        self.bodies: dict[tuple[int, int], str] = {}

    def commands_until(self, end: str) -> None:
        """Read commands up to the character `end`."""
        raise NotImplementedError

    def inner(self, text: str, line: int) -> Words:
        """What was read of a text inside of this one."""
        raise NotImplementedError

    def line(self) -> int:
        """The line of the place."""
        before, line = self.counted if self.counted[0] <= self.at else (0, self.first)
        self.counted = (self.at, line + self.source.count("\n", before, self.at))
        return self.counted[1]

    def peek(self, size: int = 1) -> str:
        """The next characters, fewer at the end."""
        return self.source[self.at : self.at + size]

    def mark(self, form: str, start: int, line: int | None = None) -> None:
        """Note a form that not every shell has."""
        end = self.source.find("\n", start)
        shown = self.source[start : end if end >= 0 else None].strip()
        self.marks.append(Mark(form, line or self.line(), shown[:80]))

    def blanks(self, newlines: bool = False) -> None:
        """Over blanks, comments and joined lines; over line ends too where they do not count."""
        while self.at < len(self.source):
            c = self.peek()
            if c in " \t\r" or (c == "\\" and self.peek(2) == "\\\n"):
                self.at += 2 if c == "\\" else 1
            elif c == "#":
                end = self.source.find("\n", self.at)
                self.at = end if end >= 0 else len(self.source)
            elif c == "\n" and newlines:
                self.newline()
            else:
                return

    def newline(self) -> None:
        """Over a line end, and over the heredocs that begin there."""
        self.at += 1
        for command, number, end, tabs in self.waiting:
            lines = []
            while self.at < len(self.source):
                stop = self.source.find("\n", self.at)
                stop = stop if stop >= 0 else len(self.source)
                got = self.source[self.at : stop]
                self.at = min(stop + 1, len(self.source))
                if (got.lstrip("\t") if tabs else got) == end:
                    break
                lines.append(got)
            self.bodies[command, number] = "\n".join(lines)
            self._fill(command, number)
        self.waiting = []

    def _fill(self, command: int, number: int) -> None:
        if command < len(self.commands):
            found = self.commands[command]
            with_body = list(found.redirections)
            with_body[number] = with_body[number]._replace(body=self.bodies[command, number])
            self.commands[command] = found._replace(redirections=tuple(with_body))

    # --- words -------------------------------------------------------------------------------

    def word(self) -> Word:
        """The word that begins here. Raises ShellError where none does."""
        start, line = self.at, self.line()
        pieces: list[Piece] = []
        while self.at < len(self.source):
            c = self.peek()
            if self.is_process_substitution():
                self.mark("process substitution", self.at)
                self.at += 1
                self.substitution(pieces, False)
            elif c in "@?*+!" and self.peek(2)[1:] == "(":
                self.mark("extended glob", self.at)
                self.at = self.until(")")
            elif c == "(" and self.source[start : self.at].endswith("=") and self.at > start + 1:
                self.array(start)  # behind declare
                pieces.append(Piece("array", "", True))
            elif c in ENDS_WORD:
                break
            else:
                self.part(pieces, False)
        if self.at == start:
            raise ShellError(f"line {line}: a word is missing")
        return Word(self.source[start : self.at], line, tuple(pieces))

    def part(self, pieces: list[Piece], quoted: bool) -> None:
        """One part of a word: a quoted text, what a $ or a ` begins, or plain characters."""
        c = self.peek()
        if c == "\\":
            pieces.append(Piece("text", "" if self.peek(2) == "\\\n" else self.peek(2)[1:], True))
            self.at += 2
        elif c == "'" and not quoted:
            end = self.until("'")
            pieces.append(Piece("text", self.source[self.at + 1 : end - 1], True))
            self.at = end
        elif c == '"' and not quoted:
            self.double(pieces)
        elif c == "`":
            self.backticks(pieces, quoted)
        elif c == "$":
            self.dollar(pieces, quoted)
        else:
            stop = self.at + 1
            ends = '"\\`$' if quoted else "'\"\\`$@?*+!"
            while stop < len(self.source) and self.source[stop] not in ends:
                if not quoted and self.source[stop] in ENDS_WORD:
                    break
                stop += 1
            pieces.append(Piece("text", self.source[self.at : stop], quoted))
            self.at = stop

    def until(self, end: str) -> int:
        """The place behind the next `end`. Raises ShellError where there is none."""
        found = self.source.find(end, self.at + 1)
        if found < 0:
            raise ShellError(f"line {self.line()}: {end} is missing")
        return found + len(end)

    def double(self, pieces: list[Piece]) -> None:
        """A text in double quotes."""
        line = self.line()
        self.at += 1
        pieces.append(Piece("text", "", True))
        while self.peek() != '"':
            if not self.peek():
                raise ShellError(f"line {line}: a quote that does not end")
            self.part(pieces, True)
        self.at += 1

    def backticks(self, pieces: list[Piece], quoted: bool) -> None:
        """A substitution in backticks."""
        line = self.line()
        found = re.compile(r"`((?:[^`\\]|\\.)*)`", re.DOTALL).match(self.source, self.at)
        if found is None:
            raise ShellError(f"line {line}: a ` that does not end")
        self.take(self.inner(re.sub(r"\\([`\\$])", r"\1", found[1]), line))
        self.at = found.end()
        pieces.append(Piece("command", found[1], quoted))

    def take(self, inner: Words) -> None:
        """Take over what was read of an inner text."""
        self.commands += inner.commands
        self.marks += inner.marks
        self.functions |= inner.functions

    def dollar(self, pieces: list[Piece], quoted: bool) -> None:
        """What a $ begins."""
        start = self.at
        behind = self.peek(2)[1:]
        if self.peek(3) == "$((":
            self.at += 1
            if self.arithmetic(pieces):
                return
            self.at = start + 1
            self.substitution(pieces, quoted)
        elif behind == "(":
            self.at += 1
            self.substitution(pieces, quoted)
        elif behind == "{":
            self.at += 1
            pieces.append(Piece("variable", self.braces(), quoted))
        elif behind in ("'", '"') and not quoted:
            self.mark("$" + behind, self.at)
            self.at += 1
            if behind == '"':
                self.double(pieces)
                return
            found = re.compile(r"'((?:[^'\\]|\\.)*)'", re.DOTALL).match(self.source, self.at)
            if found is None:
                raise ShellError(f"line {self.line()}: a $' that does not end")
            pieces.append(Piece("text", found[1], True))
            self.at = found.end()
        elif found := re.compile(r"[A-Za-z_]\w*|[0-9@*#?$!-]").match(self.source, self.at + 1):
            pieces.append(Piece("variable", found.group(), quoted))
            self.at = found.end()
        else:
            pieces.append(Piece("text", "$", quoted))
            self.at += 1

    def braces(self) -> str:
        """The inside of ${...}."""
        line, start = self.line(), self.at + 1
        self.at += 1
        while self.peek() != "}":
            if not self.peek():
                raise ShellError(f"line {line}: a ${{ that does not end")
            if self.peek() in "'\"\\`$":
                self.part([], False)
            else:
                self.at += 1
        self.at += 1
        return self.source[start : self.at - 1]

    def arithmetic(self, pieces: list[Piece]) -> bool:
        """$((...)); False where it is a substitution that begins with a subshell."""
        if not self.is_arithmetic():
            return False
        nested, start = 0, self.at
        while nested or self.at == start:
            nested += (self.peek() == "(") - (self.peek() == ")")
            self.at += 1
        pieces.append(Piece("arithmetic", self.source[start + 2 : self.at - 2], True))
        return True

    def substitution(self, pieces: list[Piece], quoted: bool) -> None:
        """(...) behind a $, < or >: commands of their own."""
        start, line = self.at + 1, self.line()
        blocks, self.blocks = self.blocks, []
        waiting, self.waiting = self.waiting, []
        self.at += 1
        self.inside += 1
        self.commands_until(")")
        self.inside -= 1
        if self.peek() != ")" or self.blocks:
            raise ShellError(f"line {line}: a ( that does not end")
        self.blocks, self.waiting = blocks, waiting
        self.at += 1
        pieces.append(Piece("command", self.source[start : self.at - 1].strip(), quoted))

    def array(self, start: int) -> None:
        """The (...) of an array that begins at `start`."""
        line = self.line()
        self.mark("array", start)
        self.at += 1
        while True:
            self.blanks(newlines=True)
            if self.peek() == ")":
                self.at += 1
                return
            if not self.peek() or (self.peek() in ";&|()" and not self.is_process_substitution()):
                raise ShellError(f"line {line}: an array that does not end")
            self.word()

    def is_process_substitution(self) -> bool:
        """Does <( or >( stand here?"""
        return self.peek(2) in ("<(", ">(")

    def is_arithmetic(self) -> bool:
        """Is the (( here closed by )), and no subshell in a subshell?"""
        nested, at = 0, self.at
        while at < len(self.source):
            nested += (self.source[at] == "(") - (self.source[at] == ")")
            at += 1
            if not nested:
                return self.source[at - 2 : at] == "))"
        return False
