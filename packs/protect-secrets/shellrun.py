"""Follows the commands of a shell text: variables, substitutions, pipes, and the judging of the
files they name.

Nothing is run. Variables set in the text are known, the rest of the environment is not: it
becomes UNKNOWN, which matches like a star. What each program does with its arguments is in
shellcalls.py.
"""

from commands import GREPS, READ_BY_VALUE, RUN_BY_VALUE
from globs import END, MAX_WORDS, REF, UNKNOWN, braces, marked, plain, typed
from secretnames import NO, SURE, UNSURE
from secretpaths import LONGEST, Place, entered
from shelltext import Text
from shellwords import Command, Ref, TooDeepError, unescaped

MAX_STAGES = 50  # of a pipe, looked back
MAX_TOTAL = 60_000  # words in one call; a longer text is not something to wave through


class Runner:
    """One tool call's shell text. `found` collects (level, what, path)."""

    def __init__(self, place: Place):
        self.place = place
        self.refs: "list[Ref]" = []
        self.vars: "dict[str, list[str]]" = {
            "HOME": [place.home or "~"],
            "PWD": [place.cwd or "."],
            "IFS": [" "],
        }
        self.found: "list[tuple[int, str, str]]" = []
        self.previous = ""
        self.streams: "dict[str, Command]" = {}  # <(...) by the name that stands for it
        self.total = 0
        self.work = 0  # see shellparams.py
        self.cap = SURE  # the most that a finding counts for where what runs is a guess
        self.guess = False  # reading prose that may be a command: only plain touches count

    def read(self, text: str, depth: int = 0) -> None:
        """Follow a whole text. What cannot be followed to the end is UNSURE."""
        self._safely(lambda: self.run(Text(typed(text), self.refs, depth).script()))

    def read_argv(self, argv: "list[str]") -> None:
        """Follow one command that came as a list, without a shell around it."""
        self._safely(lambda: self.call(argv, Command(), 0))

    def read_glob(self, pattern: str) -> None:
        """A glob as a search tool takes it."""
        self._safely(lambda: self.glob_option(pattern))

    def glob_option(self, pattern: str) -> None:
        """A glob on a search tool's command line: shellcalls.Shell knows how."""
        raise NotImplementedError

    def _safely(self, judge: "Callable[[], None]") -> None:
        try:
            judge()
        except (TooDeepError, RecursionError):
            self.found.append((UNSURE, "nested too deeply to read", "this command"))
        except OverflowError:
            self.found.append((UNSURE, "too long to read", "this command"))

    def run(self, nodes: "list[Command]") -> None:
        for node in nodes:
            if node.group is not None:
                cwd = self.place.cwd
                self.run(node.group)
                self.place.cwd = cwd
            self._command(node)

    def _command(self, node: Command) -> None:
        for name, values in node.assigns:
            texts = [text for value in values for text in self.expand(value)]
            if not texts and len(values) == 1:  # nothing but blanks, as in X=$IFS
                texts = self.expand(values[0], split_words=False)
            self._assign(name, texts)
        argv = [text for word in node.words for text in self.expand(word)]
        self.total += len(argv)
        if self.total > MAX_TOTAL:
            raise OverflowError
        node.argv = argv
        if node.stdin is not None:
            node.given = (
                "\n".join(self.expand(node.stdin, split_words=False)[:4])
                if REF in node.stdin
                else node.stdin
            )
        for operator, target in node.redirects:
            for text in self.expand(target):
                if text in self.streams and operator == "<":
                    node.upstream = self.streams[text]
                else:
                    self.touch(text)
        if not argv:
            self._loop_input(node)
            return
        self.streams["/dev/stdin"] = node
        for name, values in node.assigns:
            if name in RUN_BY_VALUE:
                for text in self.expand(values[0]):
                    self.guessed(text, 0, SURE)
            elif name in READ_BY_VALUE:
                self.touch_all(self.expand(values[0]))
        self.call(argv, node, 0)
        self.vars["_"] = argv[-1:]

    def _loop_input(self, node: Command) -> None:
        """`done <<< .env`: names that a loop reads are used in its body, which came before."""
        words: "list[str]" = []
        if node.given is not None:
            words = plain(node.given).split()[:MAX_WORDS]
        elif node.upstream is not None and node.redirects:
            words = self.fed(node)
        for word in words:
            self.touch(word, False)

    def fed(self, node: Command) -> "list[str]":
        """The words that reach a command by its input: what is printed there, or named there."""
        if node.given is not None:  # where a wildcard is text, unlike in `echo .e* | ...`
            return plain(node.given).split()[:MAX_WORDS]
        text = self.printed(node.upstream)
        if text is not None:
            return text.split()[:MAX_WORDS]
        return self.mentioned([node.upstream]) if node.upstream is not None else []

    def _assign(self, name: str, values: "list[str]") -> None:
        if name.endswith("+"):
            name = name[:-1]
            old = self.vars.get(name, [""])
            values = [before + after for before in old[:8] for after in values[:8]] + values
        kept = [value if len(value) <= LONGEST else UNKNOWN for value in values]
        if len(kept) > MAX_WORDS:  # of very many, those that matter
            kept = [value for value in kept if self.place.judge_glob(value)[0]][:MAX_WORDS]
            kept.append(UNKNOWN)
        if name:
            self.vars[name] = kept

    # Expansion

    def expand(self, word: str, split_words: bool = True) -> "list[str]":
        """The words that a marked word may become; at most MAX_WORDS."""
        if REF not in word:
            return braces(word)
        out: "list[str]" = []
        for piece in braces(word):
            out.extend(self._substitute(piece, split_words))
        if len(out) > MAX_WORDS:
            return [*out[:MAX_WORDS], UNKNOWN]
        return out

    def _substitute(self, word: str, split_words: bool) -> "list[str]":
        texts: "list[list[str]]" = [[]]
        at = 0
        loose = False
        start = word.find(REF)
        while start >= 0:
            end = word.find(END, start)
            ref = self.refs[int(word[start + 1 : end])]
            values = self.value(ref)
            loose = loose or not ref.quoted
            if len(values) > 1 and len(texts) < MAX_WORDS:
                texts = [[*text, word[at:start], value] for text in texts for value in values]
                del texts[MAX_WORDS:]
            else:
                for text in texts:
                    text += word[at:start], values[0]
            at = end + 1
            start = word.find(REF, at)
        joined = ["".join(text) + word[at:] for text in texts]
        if not (loose and split_words):
            return joined
        return [
            part
            for text in joined
            for part in (text.split() if " " in text or "\n" in text else (text,))
        ]

    def value(self, ref: Ref) -> "list[str]":
        """What a reference may stand for. A substitution is run once, a variable is looked up
        each time.
        """
        if ref.nodes is not None:
            if ref.value is None:
                ref.value = [UNKNOWN]  # for a text that refers to itself
                ref.value = self._stream(ref.nodes) if ref.stream else self._output(ref.nodes)
            return ref.value
        values = self.vars.get(ref.name)
        if ref.default:
            more = self.expand(ref.default)
            if ref.assigns and not values:
                self._assign(ref.name, more)
            if ref.exact:
                values = (values or [UNKNOWN]) + more
        if not ref.exact or not values:
            return [UNKNOWN]
        if ref.change:
            from shellparams import changed

            return changed(self, ref, values)
        return values

    def _stream(self, nodes: "list[Command]") -> "list[str]":
        """`<(...)`: a file, whose content is what the last command prints."""
        self.run(nodes)
        name = "/dev/fd/hookpm-" + str(len(self.streams))
        self.streams[name] = nodes[-1] if nodes else Command()
        return [name]

    def _output(self, nodes: "list[Command]") -> "list[str]":
        cwd = self.place.cwd
        self.run(nodes)
        self.place.cwd = cwd
        texts = [None if node.redirects else self.printed(node) for node in nodes[:MAX_STAGES]]
        text = "".join(text or "" for text in texts)
        if None not in texts and len(text) <= LONGEST and len(nodes) <= MAX_STAGES:
            return [text.strip("\n")]
        return [UNKNOWN, *self.mentioned(nodes)]

    def printed(self, node: "Command | None") -> "str | None":
        """What a command prints, where that is plain to see: echo, printf, cat of a
        here-document.
        """
        if node is None:
            return None
        if node.group is not None:
            return self.printed(node.group[-1]) if len(node.group) == 1 else None
        name = program(node.argv[0]) if node.argv else ""
        args = node.argv[1:]
        if name == "echo":
            escapes = False
            while args and args[0][:1] == "-" and args[0][1:].strip("neE") == "":
                escapes = escapes or "e" in args[0]
                args = args[1:]
            text = " ".join(args)
            return unescaped(text) if escapes else text
        if name == "printf" and args:
            text = unescaped(args[0]).replace("\0", "\n")
            values = args[1:]
            for directive in ("%s", "%b", "%q"):
                while directive in text and values:
                    text = text.replace(directive, values.pop(0), 1)
            return text + "".join("\n" + value for value in values)
        if name in ("cat", "tee") and not args and node.given is not None:
            return node.given
        if name in ("tr", "cat", "sort", "uniq", "head", "tail") and node.upstream is not None:
            return self.printed(node.upstream)
        return None

    def mentioned(self, nodes: "list[Command]") -> "list[str]":
        """The secrets named in these commands and what is piped into them, though nothing there
        opened them: `find -name .env`."""
        found: "list[str]" = []
        todo = nodes[:MAX_STAGES]
        stages = 0
        while todo and stages < MAX_STAGES and len(found) < 8:
            node = todo.pop()
            stages += 1
            todo += (node.group or [])[:MAX_STAGES]
            if node.upstream is not None:
                todo.append(node.upstream)
            if not node.argv or (program(node.argv[0]) in GREPS and _inverted(node.argv)):
                continue
            regex = program(node.argv[0]) in GREPS
            for word in map(marked, node.argv[1 : MAX_WORDS + 1]):
                if regex:
                    word = bare_name(word)
                if word[:1] != "-" and self.place.judge_glob(word, True)[0]:
                    found.append(word)
        return found[:8]

    def call(self, argv: "list[str]", node: Command, depth: int) -> None:
        """One command with its arguments: shellcalls.Shell knows how."""
        raise NotImplementedError

    # Judging

    def touch(self, word: str, known: bool = True, dotted: bool = False) -> None:
        """A file is opened, or (not `known`) named to a program that may open it: then two doubts
        make silence.
        """
        for path in _candidates(word):
            self.total += 1
            level, what, name = self.place.judge_glob(path, dotted)
            if level == NO:
                continue
            if not known:
                if level < SURE or self.guess:
                    continue
                level = UNSURE
            self.found.append(
                (
                    min(level, self.cap),
                    what,
                    path if not name or plain(path) == name else plain(path),
                )
            )

    def touch_all(self, words: "list[str]", known: bool = True) -> None:
        """Every word that is no excluding option, as a file."""
        skip = False
        cwd = self.place.cwd
        entering = False
        for word in words:
            if skip:
                skip = False
            elif word.startswith(("--exclude", "--ignore", "--skip")):
                skip = "=" not in word
            else:
                self.touch(word, known)
                if entering or word.startswith(("-C", "--directory=")):
                    folder = word if entering else word.partition("=")[2] or word[2:]
                    self.place.cwd = entered(folder, self.place) if folder else cwd
                entering = word == "--directory" or (word[:1] == "-" and word[-1] == "C")
        self.place.cwd = cwd

    def code(self, text: str) -> None:
        """Code of another language: a secret's name in it is UNSURE."""
        for path in _in_code(text):
            self.total += 1
            level, what = self.place.judge(path)
            if level == SURE:
                self.found.append((UNSURE, what + ", named in code", path))

    def guessed(self, text: str, depth: int, cap: int = UNSURE) -> None:
        """A text that some program may run as a shell command."""
        if len(text) > 100_000 or ("." not in text and "/" not in text and "id_" not in text):
            return
        cap, self.cap = self.cap, min(self.cap, cap)
        guess, self.guess = self.guess, True
        kept = dict(self.vars)
        cwd = self.place.cwd
        self.read(text, depth + 1)
        self.cap, self.guess, self.vars, self.place.cwd = cap, guess, kept, cwd


def _inverted(argv: "list[str]") -> bool:
    return any(arg[:2] == "-v" for arg in argv)


def bare_name(regex: str) -> str:
    """The name in a regular expression such as ^\\.env$."""
    return regex.strip("^$").replace("\\", "")


def program(word: str) -> str:
    """A program's name: /usr/bin/Cat.exe is cat."""
    name = word.replace("\\", "/").rpartition("/")[2].lower()
    return name[:-4] if name.endswith(".exe") else name


def _candidates(word: str) -> "list[str]":
    """The paths in a word: itself, an option's value, the sides of = : @ and commas."""
    if not word or len(word) > 5 * LONGEST:
        return []
    if "://" in word and word[:5].lower() != "file:":
        return []
    out = []
    if word[0] == "-" and len(word) > 1:
        if word[1] != "-":
            out.append(word[2:])
            if "=" not in word:  # -czf.env
                at = min((word.find(mark) for mark in "./~" if mark in word), default=0)
                if 2 < at < 5:
                    out.append(word[at:])
    elif "=" not in word:
        out.append(word)
    if any(mark in word for mark in "=:@,"):
        pieces = word
        for mark in "=:@,":
            pieces = pieces.replace(mark, "\n")
        out.extend(pieces.split("\n")[:32])
    return [text for text in out if text and text != "."]


def _in_code(text: str) -> "list[str]":
    """What may be a path in code: string literals, the words in them, and bare words like .env or
    a/b.
    """
    out: "list[str]" = []
    for quote in ("'", '"', "`"):
        for plus in ("+", " + ", " "):  # '.e' + 'nv'
            text = text.replace(quote + plus + quote, "")
        out.extend(
            piece
            for piece in text.split(quote)[1:4000]  # what stands before the first is no literal
            if 1 < len(piece) <= LONGEST and "\n" not in piece
        )
    loose = text
    for mark in "'\"`(<[{|,;\n\t=":
        loose = loose.replace(mark, " ")
    for word in loose.split(" ")[:20_000]:
        word = word.rstrip(")>]}:")
        if word and (word[0] in ".~" or "/" in word) and not _looks_like_regex(word):
            out.append(word)
    return out


def _looks_like_regex(word: str) -> bool:
    """`/.env/`, `s/.env/x/`, `/\\.env/`; and an address, which is no path either."""
    return word[-1] == "/" or "\\" in word or "://" in word or word[:2] in ("s/", "m/", "y/")


TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Callable
