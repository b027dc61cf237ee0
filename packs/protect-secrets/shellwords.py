"""The words of a shell text: quotes, escapes, expansions, wildcards.

What is quoted and what is live is kept apart: live wildcards and braces become marks (globs.py),
a variable or a command substitution becomes REF index END, whose meaning is in Words.refs. It
never fails on bad syntax: what is not closed ends at the end. Only nesting beyond MAX_DEPTH is
refused.
"""

from globs import ANY, BRACE, COMMA, END, MARKS, OPEN, REF, STAR, UNBRACE, UNKNOWN

MAX_DEPTH = 40
MAX_REFS = 20_000  # variables and substitutions in one call

ENDS = frozenset(" \t\r\n;&|()<>")
_SPECIAL = frozenset(" \t\r\n;&|()<>'\"\\$`*?[{},")
_IN_QUOTES = frozenset('"\\$`')
NAME_CHARS = frozenset("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_")
LIVE = {"*": STAR, "?": ANY, "[": OPEN, "{": BRACE, ",": COMMA, "}": UNBRACE}
_ESCAPES = {
    "n": "\n",
    "t": "\t",
    "r": "\r",
    "a": "\a",
    "b": "\b",
    "f": "\f",
    "v": "\v",
    "e": "\x1b",
    "E": "\x1b",
}


class TooDeepError(Exception):
    """Nested deeper than anybody writes."""


class Command:
    """One simple command, or a group `( ... )`.

    words: marked texts. assigns: (name, marked texts) before or instead of it. redirects:
    (operator, marked text). stdin: marked text of a here-document or here-string. upstream: what
    is piped into it. argv, given: words and stdin once expanded, by whoever runs it
    (shellrun.py).
    """

    __slots__ = ("argv", "assigns", "given", "group", "redirects", "stdin", "upstream", "words")

    def __init__(self) -> None:
        self.words: "list[str]" = []
        self.assigns: "list[tuple[str, list[str]]]" = []
        self.redirects: "list[tuple[str, str]]" = []
        self.stdin: "str | None" = None
        self.upstream: "Command | None" = None
        self.group: "list[Command] | None" = None
        self.argv: "list[str]" = []
        self.given: "str | None" = None

    def empty(self) -> bool:
        return not (
            self.words or self.assigns or self.redirects or self.group or self.stdin is not None
        )


class Ref:
    """A variable (name; its default text, which `assigns` it or not; the operator that makes a
    `change` to its value)
    or a command substitution (nodes), as its text or, for `<(...)`, as a `stream`. exact: the
    value as it is; quoted: not split into words.
    """

    __slots__ = (
        "assigns",
        "change",
        "default",
        "exact",
        "name",
        "nodes",
        "quoted",
        "stream",
        "value",
    )

    def __init__(self, name: str, nodes: "list[Command] | None", quoted: bool):
        self.name = name
        self.nodes = nodes
        self.quoted = quoted
        self.default: "str | None" = None
        self.exact = True
        self.assigns = False
        self.change = ""
        self.stream = False
        self.value: "list[str] | None" = None


def clean(text: str) -> str:
    """The text without characters that this reader uses as marks."""
    if text.isascii():
        return text
    return text.translate(dict.fromkeys(map(ord, MARKS), "?"))


class Words:
    """Reads the words of one text. `refs` is shared by all texts of one tool call, so that a REF
    means the same everywhere.
    """

    def __init__(self, text: str, refs: "list[Ref]", depth: int = 0):
        self.text = text
        self.size = len(text)
        self.at = 0
        self.refs = refs
        self.depth = depth
        # Here-documents, whose bodies follow the next newline: command, delimiter, -, quoted.
        self.waiting: "list[tuple[Command, str, bool, bool]]" = []

    def script(self, closer: str = "") -> "list[Command]":
        """The commands up to the closer: shelltext.Text knows how."""
        raise NotImplementedError

    def word(self) -> str:
        """The word that begins here, marked; "" (and no progress) where none begins."""
        text, size = self.text, self.size
        out: "list[str]" = []
        at = self.at
        while at < size:
            start = at
            while at < size and text[at] not in _SPECIAL:
                at += 1
            if at > start:
                out.append(text[start:at])
                continue
            char = text[at]
            self.at = at
            if char in ENDS:
                if not self._within_word(char, out):
                    break
            elif char == "'":
                end = text.find("'", at + 1)
                end = end if end >= 0 else size
                out.append(text[at + 1 : end])
                self.at = end + 1
            elif char == '"':
                self.at += 1
                out.append(self.quoted('"'))
            elif char == "\\":
                if not text.startswith("\\\n", at):
                    out.append(text[at + 1 : at + 2])
                self.at += 2
            elif char == "$":
                out.append(self._dollar(False))
            elif char == "`":
                out.append(self._backtick(False))
            else:
                out.append(LIVE[char])
                self.at += 1
            at = self.at
        self.at = min(at, size)
        return settled("".join(out))

    def _within_word(self, char: str, out: "list[str]") -> bool:
        """Process substitution `<(...)` and ksh's `@(a|b)` go on in the word."""
        if char in "<>" and self.text.startswith("(", self.at + 1) and not out:
            self.at += 2
            ref = Ref("", self.script(")"), True)
            ref.stream = True
            out.append(self._ref(ref))
            return True
        if char == "(" and out and out[-1][-1:] in (STAR, ANY, "@", "+", "!"):
            end = self.text.find(")", self.at)
            inside = self.text[self.at + 1 : end]
            if end > 0 and not any(blank in inside for blank in " \n(\"'$`"):
                kind = out[-1][-1]
                out[-1] = out[-1][:-1]
                # Of @(a|b) and +(a|b) one is meant; the others may match anything.
                known = kind in "@+" and inside
                out.append(BRACE + inside.replace("|", COMMA) + UNBRACE if known else UNKNOWN)
                self.at = end + 1
                return True
        return False

    def quoted(self, closer: str) -> str:
        """Text in double quotes (or of a here-document, closer "") up to its end: only $, ` and
        \\ are live.
        """
        text, size = self.text, self.size
        out: "list[str]" = []
        at = self.at
        while at < size:
            start = at
            while at < size and text[at] not in _IN_QUOTES:
                at += 1
            if at > start:
                out.append(text[start:at])
                continue
            char = text[at]
            self.at = at
            if char == closer:
                self.at += 1
                return "".join(out)
            if char == "\\":
                following = text[at + 1 : at + 2]
                if following in ("$", "`", '"', "\\"):
                    out.append(following)
                elif following != "\n":
                    out.append(char + following)
                self.at += 2
            elif char == "$":
                out.append(self._dollar(True))
            elif char == "`":
                out.append(self._backtick(True))
            else:
                out.append(char)
                self.at += 1
            at = self.at
        self.at = size
        return "".join(out)

    def _dollar(self, quoted: bool) -> str:
        text = self.text
        self.at += 1
        char = text[self.at : self.at + 1]
        if char == "(":
            if text.startswith("((", self.at):
                end = self._arithmetic(self.at)
                if end:
                    inner = type(self)(text[self.at + 2 : end - 2], self.refs, self.depth)
                    inside = inner.quoted("")
                    self.at = end
                    return UNKNOWN + _only_refs(inside)
            self.at += 1
            return self._substitution(self.script(")"), quoted)
        if char == "{":
            return self._braced(quoted)
        if char == "'" and not quoted:
            return self._ansi()
        if char == '"' and not quoted:
            self.at += 1
            return self.quoted('"')
        start = self.at
        while self.at < self.size and text[self.at] in NAME_CHARS:
            self.at += 1
        name = text[start : self.at]
        if name and name[0].isdigit():
            self.at = start + 1
            name = name[0]
        elif not name and char and char in "@*":
            self.at += 1
            name = "@"
        if name:
            return self._ref(Ref(name, None, quoted))
        if char and char in "?#!$-":
            self.at += 1
            return UNKNOWN
        return "$"

    def _ref(self, ref: Ref) -> str:
        if len(self.refs) >= MAX_REFS:
            raise OverflowError
        self.refs.append(ref)
        return REF + str(len(self.refs) - 1) + END

    def _substitution(self, nodes: "list[Command]", quoted: bool) -> str:
        return self._ref(Ref("", nodes, quoted))

    def _braced(self, quoted: bool) -> str:
        """`${name}` and its operators, as far as shellparams.py follows them."""
        self.at += 1
        start = self.at
        while self.at < self.size and self.text[self.at] in NAME_CHARS:
            self.at += 1
        if self.at == start and self.text[start : start + 1] in ("@", "*"):
            self.at += 1
        indirect = self.text[start : start + 1] == "!"
        while indirect and self.text[self.at + 1 : self.at + 2] in NAME_CHARS:
            self.at += 1
        if indirect:
            self.at += 1
        ref = Ref(self.text[start + indirect : self.at].replace("*", "@"), None, quoted)
        rest = self._until_brace()
        if indirect:
            ref.exact = bool(ref.name) and not rest
            ref.change = "!"
            ref.default = _only_refs(rest) or None
        elif rest:
            operator = rest.lstrip(":")
            if operator[:1] in ("-", "=", "+"):
                ref.default = operator[1:]
                ref.assigns = operator[0] == "="
            elif rest.startswith(("[", "@", "^", ",")) or (ref.name == "@" and rest[0] == ":"):
                pass  # an element of an array: one of its values; another case, which is no matter
            elif rest[0] in "#%/:" and ref.name:
                ref.change = rest
            else:
                ref.exact = False
                ref.default = _only_refs(rest) or None
        return self._ref(ref)

    def _until_brace(self) -> str:
        out: "list[str]" = []
        self.depth += 1
        if self.depth > MAX_DEPTH:
            raise TooDeepError
        while self.at < self.size:
            char = self.text[self.at]
            if char == "}":
                self.at += 1
                break
            if char == '"':
                self.at += 1
                out.append(self.quoted('"'))
            elif char == "'":
                end = self.text.find("'", self.at + 1)
                end = end if end >= 0 else self.size
                out.append(self.text[self.at + 1 : end])
                self.at = end + 1
            elif char == "$":
                out.append(self._dollar(True))
            elif char == "`":
                out.append(self._backtick(True))
            else:
                if char == "\\":
                    self.at += 1
                out.append(self.text[self.at : self.at + 1])
                self.at += 1
        self.depth -= 1
        return "".join(out)

    def _backtick(self, quoted: bool) -> str:
        start = self.at + 1
        at = start
        while at < self.size and self.text[at] != "`":
            at += 2 if self.text[at] == "\\" else 1
        inside = self.text[start:at]
        self.at = min(at + 1, self.size)
        for char in ("`", "$", "\\"):
            inside = inside.replace("\\" + char, char)
        return self._substitution(type(self)(inside, self.refs, self.depth).script(), quoted)

    def _arithmetic(self, start: int) -> int:
        """The end of `((...))` that starts here; 0 when it is two subshells instead."""
        level = 0
        for at in range(start, min(self.size, start + 10_000)):
            char = self.text[at]
            if char == "(":
                level += 1
            elif char == ")":
                level -= 1
                if level == 1:
                    return at + 2 if self.text.startswith("))", at) else 0
        return 0

    def _ansi(self) -> str:
        """`$'...'` with its escapes."""
        text = self.text
        out = []
        at = self.at + 1
        while at < self.size and text[at] != "'":
            if text[at] != "\\":
                out.append(text[at])
                at += 1
                continue
            char = text[at + 1 : at + 2]
            at += 2
            base, most = {"x": (16, 2), "u": (16, 4), "U": (16, 8)}.get(char, (8, 3))
            digits = "0123456789abcdefABCDEF" if base == 16 else "01234567"
            if char in ("x", "u", "U") or (char and char in "01234567"):
                at -= 0 if base == 16 else 1
                end = at
                while end < min(at + most, self.size) and text[end] in digits:
                    end += 1
                code = int(text[at:end] or "0", base)
                out.append(chr(code) if code < 0x110000 else "?")
                at = end
            elif char == "c":
                at += 1
            else:
                out.append(_ESCAPES.get(char, char))
        self.at = min(at + 1, self.size)
        return clean("".join(out))


def settled(word: str) -> str:
    """Marks that turned out to be plain characters: a [ without ], a brace without comma or
    range.
    """
    if OPEN in word and "]" not in word[word.find(OPEN) + 2 :]:
        word = word.replace(OPEN, "[")
    if BRACE not in word or UNBRACE not in word or not (COMMA in word or ".." in word):
        word = word.replace(BRACE, "{").replace(COMMA, ",").replace(UNBRACE, "}")
    return word


def _only_refs(text: str) -> str:
    """The references in a text, without the rest: what they run still counts."""
    out = []
    at = text.find(REF)
    while at >= 0:
        end = text.find(END, at)
        out.append(text[at : end + 1])
        at = text.find(REF, end)
    return "".join(out)


def unescaped(text: str) -> str:
    """A text with its backslash escapes decoded, as printf and echo -e do."""
    if "\\" not in text:
        return text
    return Words("'" + text.replace("'", "\\'") + "'", [])._ansi()
