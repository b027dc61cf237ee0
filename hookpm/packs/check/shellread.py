"""Reads a shell script into its commands: words, quotes, redirections, and the block of each.

Small on purpose: it runs nothing and expands nothing. A script that it does not understand raises
ShellError, and then no rule about shell speaks.
"""

from __future__ import annotations

import re

from hookpm.packs.check.shelltypes import Command, Piece, Redirection, Script, ShellError, Word
from hookpm.packs.check.shellwords import ENDS_WORD, Words

_ASSIGNMENT = re.compile(r"([A-Za-z_][A-Za-z0-9_]*)(\[[^]\s]*\])?(\+?)=")
_REDIRECTION = re.compile(r"(\d*|\{\w+\})(&>>|&>|<<<|<<-|<<|<&|<>|>>|>&|>\||<|>)")
_OPENS = {"if": "fi", "while": "done", "until": "done", "{": "}", "(": ")"}
_NEXT_BRANCH = ("then", "elif", "else", "do")
_CLOSES = ("fi", "done", "}")
# Behind a block: a pipe, or a redirection of what it prints.
_ELSEWHERE = re.compile(r"[ \t]*(\|\|?|1?>|&>)")
_SEPARATORS = re.compile(r";;&|;;|;&|&&|\|\||\|&|;|&|\|")


def read(text: str, line: int = 1) -> Script:
    """The commands of a script, in the order of their ends. line: of its first character.

    Raises ShellError.
    """
    reader = _Reader(text, line)
    try:
        reader.all()
    except (ValueError, RecursionError) as error:
        raise ShellError(str(error)) from error
    return Script(tuple(reader.commands), tuple(reader.marks), frozenset(reader.functions))


class _Reader(Words):
    """Reads commands, and through Words what they are made of."""

    def all(self) -> None:
        """Read to the end."""
        self.commands_until("")
        if self.at < len(self.source):
            raise ShellError(f"line {self.line()}: {self.source[self.at]!r} is not expected")
        if self.blocks:
            raise ShellError(f"{self.blocks[-1][0]} is missing")

    def inner(self, text: str, line: int) -> Words:
        """What was read of a text inside of this one."""
        reader = _Reader(text, line, inside=True)
        reader.all()
        return reader

    def commands_until(self, end: str) -> None:
        """Read commands up to the character `end`, which stays; to the end of the text for ""."""
        depth = len(self.blocks)
        after = ""
        while True:
            if self.blocks and self.blocks[-1][0] == "pattern":
                self.pattern()
                after = ""
                continue
            self.blanks()
            if self.at >= len(self.source):
                return
            c = self.peek()
            if c == "\n":
                self.newline()
                after = after if after in ("&&", "||", "|") else ""
            elif c == ")":
                if len(self.blocks) > depth and self.blocks[-1][0] == ")":
                    self.blocks.pop()
                    self.at += 1
                    self.closed()
                elif end == ")":
                    return
                else:
                    raise ShellError(f"line {self.line()}: a ) too many")
            elif separator := _SEPARATORS.match(self.source, self.at):
                if separator.group() == "&" and self.peek(2) == "&>":
                    self.command(after)
                    continue
                self.at = separator.end()
                after = self.separator(separator.group())
            else:
                self.command(after)
                after = ""

    def separator(self, found: str) -> str:
        if found in (";;", ";&", ";;&"):
            if not self.blocks or self.blocks[-1][0] != "arm":
                raise ShellError(f"line {self.line()}: {found} outside of case")
            self.blocks[-1] = ("pattern", 0)
        if found == "|&":
            self.mark("|&", self.at - 2)
        if found in ("|", "|&") and self.commands:
            self.commands[-1] = self.commands[-1]._replace(piped=True)
        return "|" if found == "|&" else found if found in ("&&", "||", "|") else ";"

    def command(self, after: str) -> None:
        """One command, or a word that opens, parts or closes a block."""
        start, line = self.at, self.line()
        if self.peek(2) == "((" and self.is_arithmetic():
            self.raw("((", "))", line, after)
            return
        if self.peek() == "(":
            self.at += 1
            self.open(")")
            return
        word = self.reserved()
        if word == "[[":
            self.raw("[[", "]]", line, after)
        elif word == "function":
            self.mark("function", start, line)
            self.at += len(word)
            self.blanks()
            self.functions.add(self.word().source)
            self.blanks()
            if self.peek() == "(":
                self.at = self.source.index(")", self.at) + 1
        elif word == "case":
            self.case(after)
        elif word in ("for", "select"):
            self.loop(word, after)
        elif word in _NEXT_BRANCH:
            self.at += len(word)
            self.branch()
        elif word == "esac" or word in _CLOSES:
            self.close(word)
        elif word in _OPENS:
            self.at += len(word)
            self.open(_OPENS[word])
        elif word in ("!", "time"):
            self.at += len(word)
        else:
            self.simple(after)

    def reserved(self) -> str:
        """The reserved word that stands here, or ""."""
        found = re.compile(r"\[\[|[{}!]|[a-z]+").match(self.source, self.at)
        if found is None:
            return ""
        behind = self.source[found.end() : found.end() + 1]
        if behind and behind not in ENDS_WORD:
            return ""
        word = found.group()
        known = (*_OPENS, *_NEXT_BRANCH, *_CLOSES, "case", "esac", "for", "select", "function")
        return word if word in (*known, "[[", "!", "time") else ""

    def open(self, closing: str) -> None:
        self.numbers += 1
        self.blocks.append((closing, self.numbers))
        self.starts[len(self.blocks)] = len(self.commands)

    def closed(self) -> None:
        """A block ends here; where its output goes is said behind it."""
        first = self.starts.get(len(self.blocks) + 1, len(self.commands))
        behind = _ELSEWHERE.match(self.source, self.at)
        if behind is not None and behind.group().strip() != "||":
            for index in range(first, len(self.commands)):
                self.commands[index] = self.commands[index]._replace(inside=True)

    def branch(self) -> None:
        if not self.blocks:
            raise ShellError(f"line {self.line()}: a branch of nothing")
        self.numbers += 1
        self.blocks[-1] = (self.blocks[-1][0], self.numbers)

    def close(self, word: str) -> None:
        self.at += len(word)
        if word == "esac" and self.blocks and self.blocks[-1][0] == "arm":
            self.blocks[-1] = ("esac", 0)
        if not self.blocks or self.blocks.pop()[0] != word:
            raise ShellError(f"line {self.line()}: {word} closes nothing")
        if word != "esac":
            self.closed()

    def raw(self, start: str, end: str, line: int, after: str) -> None:
        """`[[ ... ]]` or `(( ... ))`, whose inside follows rules of its own."""
        begin = self.at
        self.at += len(start)
        nested = 0
        while self.peek(2) != end or nested:
            c = self.peek()
            if not c:
                raise ShellError(f"line {line}: {end} is missing")
            if c in "'\"\\`$":
                self.part([], False)
                continue
            nested += (c == "(") - (c == ")") if start == "((" else 0
            self.at += 1
        self.at += 2
        word = Word(self.source[begin : self.at], line, (Piece("text", "", True),))
        self.add(start, line, [word], [], [], after)
        self.mark(start, begin, line)

    def case(self, after: str) -> None:
        line = self.line()
        self.at += len("case")
        self.blanks()
        self.add("case", line, [self.word()], [], [], after)
        self.blanks(newlines=True)
        if self.reserved() or not self.source.startswith("in", self.at):
            raise ShellError(f"line {line}: case without in")
        self.at += 2
        self.blocks.append(("pattern", 0))

    def pattern(self) -> None:
        """Over the patterns of one arm; or esac."""
        self.blanks(newlines=True)
        if self.reserved() == "esac":
            self.at += 4
            self.blocks.pop()
            return
        if self.peek() == "(":
            self.at += 1
        while self.peek() != ")":
            if not self.peek() or self.peek() == ";":
                raise ShellError(f"line {self.line()}: a pattern without )")
            if self.peek() in "'\"\\`$":
                self.part([], False)
            elif self.peek() in "@?*+!" and self.peek(2)[1:] == "(":
                self.at = self.source.index(")", self.at)
                self.at += 1
            else:
                self.at += 1
        self.at += 1
        self.numbers += 1
        self.blocks[-1] = ("arm", self.numbers)

    def loop(self, word: str, after: str) -> None:
        line = self.line()
        if word == "select":
            self.mark("select", self.at)
        self.at += len(word)
        self.blanks()
        words = []
        if self.peek(2) == "((":
            self.raw("((", "))", line, after)
        else:
            words.append(self.word())
            self.blanks(newlines=True)
            if re.compile(r"in\b").match(self.source, self.at):
                self.at += 2
                self.blanks()
                while self.peek() not in ("", ";", "\n", "&"):
                    words.append(self.word())
                    self.blanks()
        self.add("for", line, words, [], [], after)
        self.open("done")

    def simple(self, after: str) -> None:
        line = self.line()
        number = len(self.commands)
        words: list[Word] = []
        assignments: list[tuple[str, Word]] = []
        redirections: list[Redirection] = []
        waiting: list[tuple[int, str, bool]] = []
        while True:
            self.blanks()
            c = self.peek()
            redirection = _REDIRECTION.match(self.source, self.at)
            if redirection and not (redirection[2] in "<>" and self.is_process_substitution()):
                redirections.append(self.redirection(redirection, waiting, len(redirections)))
            elif c == "" or c in "\n;|)" or c == "&":
                break
            elif c == "(" and len(words) == 1 and not assignments:
                self.function(words[0])
                return
            elif not words and (found := _ASSIGNMENT.match(self.source, self.at)):
                assignments.append((found[1], self.assignment(found)))
            else:
                words.append(self.word())
        if self.at == 0 and not words:
            raise ShellError("nothing could be read")
        number = len(self.commands)  # those of substitutions in it came before it
        self.waiting += [(number, index, end, tabs) for index, end, tabs in waiting]
        self.add("simple", line, words, assignments, redirections, after)

    def function(self, name: Word) -> None:
        self.at += 1
        self.blanks()
        if self.peek() != ")":
            raise ShellError(f"line {self.line()}: a ( in a command")
        self.at += 1
        self.functions.add(name.source)

    def redirection(
        self, found: re.Match[str], waiting: list[tuple[int, str, bool]], index: int
    ) -> Redirection:
        operator = found[2]
        start = self.at
        self.at = found.end()
        if operator in ("&>", "&>>", "<<<"):
            self.mark(operator, start)
        self.blanks()
        target = self.word()
        if operator in ("<<", "<<-"):
            waiting.append((index, target.text, operator == "<<-"))
        return Redirection(found[1], operator, target)

    def assignment(self, found: re.Match[str]) -> Word:
        start, line = self.at, self.line()
        if found[2] or found[3]:
            self.mark("array" if found[2] else "+=", start)
        self.at = found.end()
        if self.peek() == "(":
            self.array(start)
            return Word(self.source[start : self.at], line, (Piece("array", "", True),))
        if not self.peek() or self.peek() in ENDS_WORD:
            return Word("", line, ())
        return self.word()

    def add(
        self,
        kind: str,
        line: int,
        words: list[Word],
        assignments: list[tuple[str, Word]],
        redirections: list[Redirection],
        after: str,
    ) -> None:
        block = tuple(number for _, number in self.blocks if number)
        inside = bool(self.inside)
        made = (tuple(words), tuple(assignments), tuple(redirections), block, after, False, inside)
        self.commands.append(Command(kind, line, *made))
