"""A reader of shell text: from a command line to the commands in it, as bash would split it.

Operators, redirects, here-documents, subshells and the reserved words are read here, the words
between them in shellwords.py. Nothing is run, and bad syntax is no error.
"""

from globs import OPEN
from secretnames import names
from shellwords import ENDS, MAX_DEPTH, NAME_CHARS, Command, TooDeepError, Words

MAX_COMMANDS = 20_000  # in one text; a longer one is not something to wave through
_BLANK = " \t\r"
_RESERVED = names("if then elif else fi while until do done { } ! coproc")


class Text(Words):
    """Reads the commands of one text."""

    def script(self, closer: str = "") -> "list[Command]":
        """All commands up to the closer (")") or the end, in order."""
        self.depth += 1
        if self.depth > MAX_DEPTH:
            raise TooDeepError
        nodes: "list[Command]" = []
        command = Command()
        upstream: "Command | None" = None
        cases = 0

        def finish(pipe: bool = False) -> None:
            nonlocal command, upstream
            if not command.empty():
                nodes.append(command)
                if len(nodes) > MAX_COMMANDS:
                    raise OverflowError
            if pipe:
                following = Command()
                following.upstream = command if not command.empty() else upstream
                upstream = following.upstream
                command = following
            else:
                command, upstream = Command(), None

        text = self.text
        while self.at < self.size:
            char = text[self.at]
            if char in _BLANK:
                self.at += 1
            elif char == "\\" and text.startswith("\\\n", self.at):
                self.at += 2
            elif char == "\n":
                self.at += 1
                piped = (
                    command.empty() and command.upstream is not None
                )  # a newline after | goes on
                if not piped:
                    finish()
                self._bodies()
            elif char == "#":
                end = text.find("\n", self.at)
                self.at = end if end >= 0 else self.size
            elif char == ";":
                self.at += 1
                finish()
            elif char == "&":
                if text.startswith("&>", self.at):
                    self._redirect(command)
                else:
                    self.at += 2 if text.startswith("&&", self.at) else 1
                    finish()
            elif char == "|":
                double = text.startswith("||", self.at)
                self.at += 2 if double or text.startswith("|&", self.at) else 1
                finish(pipe=not double)
            elif char == "(":
                self._open(command, finish)
            elif char == ")":
                self.at += 1
                if cases:  # the end of a pattern: what stands before it is no command
                    command, upstream = Command(), None
                elif closer:
                    break
            elif char in "<>" and not text.startswith(("<(", ">("), self.at):
                self._redirect(command)
            else:
                cases = max(0, cases + self._word(command, finish))
        finish()
        self.depth -= 1
        return nodes

    def _open(self, command: Command, finish: "Callable[[], None]") -> None:
        """`(`: arithmetic, a subshell, or the () of a function."""
        if command.words:
            close = self.at + 1
            while close < self.size and self.text[close] in _BLANK:
                close += 1
            if close < self.size and self.text[close] == ")":
                command.words.clear()
                self.at = close + 1
                return
            finish()
        elif self.text.startswith("((", self.at):
            end = self._arithmetic(self.at)
            if end:
                self.at = end
                return
        self.at += 1
        command.group = self.script(")")

    def _word(self, command: Command, finish: "Callable[[], None]") -> int:
        """One word into the command. Returns by how much a `case` was opened or closed."""
        start = self.at
        word = self.word()
        if self.at == start:  # a lone < or > of something that is no redirect
            self.at += 1
            return 0
        if word.isdigit() and self.at < self.size and self.text[self.at] in "<>":
            return 0  # the 2 of 2>file
        if command.words:
            command.words.append(word)
            return 0
        name, value = _assignment(word)
        if name:
            values = [value]
            if not value and self.at < self.size and self.text[self.at] == "(":
                values = self._array()
            command.assigns.append((name, values))
            return 0
        raw = self.text[start : self.at]
        if raw in _RESERVED:
            return 0
        if raw == "esac":
            return -1
        if raw == "case":
            return self._case(command, finish)
        if raw in ("for", "select"):
            self._for(command, finish)
            return 0
        if raw == "function":
            self._blanks()
            self.word()
            return 0
        if raw == "[[":
            self._condition(command)
            return 0
        command.words.append(word)
        return 0

    def _blanks(self) -> None:
        while self.at < self.size and self.text[self.at] in _BLANK:
            self.at += 1

    def _case(self, command: Command, finish: "Callable[[], None]") -> int:
        """`case WORD in`. The word may hold a substitution, so it stays, as the value of a
        variable without a name.
        """
        for _ in range(2):
            while self.at < self.size and self.text[self.at] in " \t\r\n":
                self.at += 1
            word = self.word()
            if word == "in":
                break
            command.assigns.append(("", [word]))
        finish()
        return 1

    def _for(self, command: Command, finish: "Callable[[], None]") -> None:
        """`for NAME in WORDS`: an assignment of every word to the name."""
        self._blanks()
        if self.text.startswith("((", self.at):
            self.at = self._arithmetic(self.at) or self.at + 2
            return
        name = self.word()
        values = []
        while self.at < self.size:
            self._blanks()
            start = self.at
            word = self.word()
            if self.at == start:
                break
            values.append(word)
        if values and values[0] == "in":
            command.assigns.append((name, values[1:]))
            finish()

    def _condition(self, command: Command) -> None:
        """`[[ ... ]]`: its &&, ||, < and ( are its own, not the shell's."""
        command.words.append("[[")
        while self.at < self.size:
            char = self.text[self.at]
            if char in "\n;":
                return
            if char in ENDS:
                self.at += 1
                continue
            word = self.word()
            if word == "]]":
                return
            command.words.append(word)

    def _array(self) -> "list[str]":
        self.at += 1
        values = []
        while self.at < self.size and self.text[self.at] != ")":
            start = self.at
            word = self.word()
            if self.at == start:
                self.at += 1
            else:
                values.append(word)
        self.at += 1
        return values

    def _redirect(self, command: Command) -> None:
        text = self.text
        for operator in ("<<<", "<<-", "&>>", "<<", ">>", "<>", ">|", "&>", ">&", "<&", "<", ">"):
            if text.startswith(operator, self.at):
                break
        self.at += len(operator)
        self._blanks()
        start = self.at
        target = self.word()
        if operator in ("<<", "<<-"):
            quoted = any(mark in text[start : self.at] for mark in "'\"\\")
            self.waiting.append((command, target, operator == "<<-", quoted))
            if command.stdin is None:
                command.stdin = ""
        elif operator == "<<<":
            command.stdin = target
        elif operator in (">&", "<&") and (target.isdigit() or target in ("-", "")):
            pass
        elif target:
            command.redirects.append((operator, target))

    def _bodies(self) -> None:
        """The here-documents whose bodies begin here."""
        for command, delimiter, tabs, quoted in self.waiting:
            lines = []
            while self.at < self.size:
                end = self.text.find("\n", self.at)
                end = end if end >= 0 else self.size
                line = self.text[self.at : end]
                self.at = end + 1
                if tabs:
                    line = line.lstrip("\t")
                if line.rstrip("\r") == delimiter:
                    break
                lines.append(line)
            body = "\n".join(lines)
            if not quoted and ("$" in body or "`" in body or "\\" in body):
                inner = Text(body, self.refs, self.depth)
                body = inner.quoted("")
            command.stdin = body
        self.waiting.clear()
        self.at = min(self.at, self.size)


def _assignment(word: str) -> "tuple[str, str]":
    """(name, value) of `name=value`; ("", "") when it is none."""
    name, equals, value = word.partition("=")
    bare = name[:-1] if name.endswith("+") else name
    bare = bare.partition(OPEN)[0].partition("[")[0]
    if not equals or not bare or bare[0].isdigit() or any(char not in NAME_CHARS for char in bare):
        return "", ""
    return (bare + "+" if name.endswith("+") else bare), value


TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Callable
