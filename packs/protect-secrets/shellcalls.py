"""What each program does with its arguments: which of them are files, code, patterns, or another
command.
"""

from commands import (
    AWKS,
    CODE,
    CODE_LONG,
    ENTERING,
    FIRST_WORDS,
    GLOB_OPTIONS,
    MESSAGES,
    NAME_AND_FILE,
    PATTERN_FIRST,
    RUN_INPUT,
    SEDS,
    SHELLS,
    TALKS,
    TOUCHES,
    TWO_VALUES,
    WRAPPER_FILES,
    WRAPPER_FOLDERS,
    WRAPPERS,
)
from globs import braces, marked, plain
from patches import patched_files
from secretnames import SURE, UNSURE
from secretpaths import entered
from shellrun import Runner, program
from shellwords import LIVE, Command, TooDeepError, settled


class Call:
    """A program's name, its arguments, the whole command with its pipe and input, and how many
    wrappers are around it."""

    __slots__ = ("args", "depth", "name", "node")

    def __init__(self, name: str, args: "list[str]", node: Command, depth: int):
        self.name = name
        self.args = args
        self.node = node
        self.depth = depth


class Shell(Runner):
    """Knows the programs."""

    special: "dict[str, Callable[[Any, Call], None]]" = {}  # noqa: RUF012 - filled by shellspecial

    def call(self, argv: "list[str]", node: Command, depth: int) -> None:
        """One command with its arguments, unwrapped first."""
        if depth > 30:
            raise TooDeepError
        name = program(argv[0])
        args = argv[1:]
        if "." in name or "_" in name:  # `./.env`, and ReadAllText('.env') read as a command
            self.touch(argv[0], False)
        if name in WRAPPERS:
            self._wrapped(name, args, node, depth)
        elif name in SHELLS:
            self._shell(args, node, depth)
        elif name in self.special:
            self.special[name](self, Call(name, args, node, depth))
        elif name in PATTERN_FIRST:
            self.pattern_first(name, args)
        elif name in TALKS:
            if name == "printf" and args[:1] == ["-v"]:
                self._assign("".join(args[1:2]), [" ".join(args[2:])])
            if name in ("file", "date", "du") and any(
                arg.startswith(("-f", "--file")) for arg in args
            ):
                self.touch_all(args)
        elif name in TOUCHES:
            excluded = args.index("-x") if name == "zip" and "-x" in args else len(args)
            self.touch_all(args[:excluded])
            if name in ("source", ".") and args and args[0] in self.streams:
                self._stream_script(args[0], depth)
            if name in ("patch", "apply_patch"):
                self.patch(args, node)
            elif name in ("cpio", "zip", "tar", "bsdtar") or any("0-from" in arg for arg in args):
                self.fed_files(node)
        elif name in CODE or name.rstrip("0123456789.") in CODE:
            self._interpreter(name if name in CODE else name.rstrip("0123456789."), args, node)
        else:
            self._unknown(args, depth)
            if name in RUN_INPUT:
                text = node.given if node.given is not None else self.printed(node.upstream)
                self.guessed(text or "", depth)

    def _unknown(self, args: "list[str]", depth: int) -> None:
        """A program in no table: secrets among its arguments are UNSURE, and so are commands
        and code quoted to it.
        """
        cwd = self.place.cwd
        for at, word in enumerate(args):
            before = args[at - 1] if at else ""
            if before in ENTERING:
                self.touch(word, False)
                self.place.cwd = entered(word, self.place)
            if before in MESSAGES or before in ("--exclude", "--ignore"):
                continue
            if program(word) in SHELLS and at + 2 < len(args) and _has_c(args[at + 1]):
                self.guessed(args[at + 2], depth, SURE)
            elif " " in word or "\n" in word or "(" in word:
                self.guessed(word, depth)
                if before.lower() in CODE_LONG:
                    self.code(word)
            elif self.guess and word in TOUCHES:
                self.touch_all(args[at + 1 :])  # `shell cat .env`, quoted to a debugger
                break
            else:
                self.touch(word, False)
        self.place.cwd = cwd

    def _wrapped(self, name: str, args: "list[str]", node: Command, depth: int) -> None:
        takers, operands = WRAPPERS[name][0].split(), WRAPPERS[name][1]
        cwd = self.place.cwd
        at = 0
        slot = "{}"
        while at < len(args):
            word = args[at]
            if word == "--":
                at += 1
                break
            if name == "xargs" and word[:2] in ("-I", "-i", "-J"):
                slot = word[2:] or "".join(args[at + 1 : at + 2]) or slot
            if name == "env" and (ends_in(word, "S") or word.startswith(("-S", "--split-string"))):
                inside = word.partition("=")[2] if word[1] == "-" else word.partition("S")[2]
                self.read(" ".join([inside, *args[at + 1 :]]), depth + 1)
                return
            if name == "command" and word in ("-v", "-V"):
                return
            if word[:1] == "-" and len(word) > 1:
                option, value, step = _option(word, args[at + 1 : at + 2], takers)
                if option in WRAPPER_FILES.get(name, ()):
                    self.touch(value)
                elif option in WRAPPER_FOLDERS.get(name, ()):
                    self.place.cwd = entered(value, self.place)
                at += step
            elif (
                name in ("env", "sudo", "doas")
                and "=" in word
                and "/" not in word.partition("=")[0]
            ):
                at += 1
            elif operands:
                operands -= 1
                at += 1
            else:
                break
        rest = args[at:]
        if name in ("watch", "parallel", "flock", "su") and len(rest) >= 1 and " " in rest[0]:
            self.read(rest[0], depth + 1)
        if name == "flock" and rest[:1] == ["-c"]:
            self.read(" ".join(rest[1:]), depth + 1)
        elif name == "xargs":
            self._xargs(slot, rest, node, depth)
        elif rest:
            self.call(rest, node, depth + 1)
        self.place.cwd = cwd if name in WRAPPER_FOLDERS else self.place.cwd

    def _xargs(self, slot: str, rest: "list[str]", node: Command, depth: int) -> None:
        """The command with what comes down the pipe: known words count fully, mentioned ones as a
        guess. `slot`: the text of -I that stands for them."""
        rest = rest or ["echo"]
        if node.given is not None or self.printed(node.upstream) is not None:
            words = self.fed(node)
            self.call([*filled(rest, words, slot), *words], node, depth + 1)
            return
        self.call(rest, node, depth + 1)
        more = self.mentioned([node.upstream]) if node.upstream is not None else []
        if more:
            cap, self.cap = self.cap, UNSURE
            self.call([*filled(rest, more, slot), *more], node, depth + 1)
            self.cap = cap

    def _shell(self, args: "list[str]", node: Command, depth: int) -> None:
        at = 0
        while at < len(args):
            word = args[at]
            if word in ("--rcfile", "--init-file") and at + 1 < len(args):
                self.touch(args[at + 1])
                at += 2
            elif _has_c(word):
                at += 1 if args[at + 1 : at + 2] == ["--"] else 0
                if at + 1 < len(args):
                    for number, value in enumerate(args[at + 2 : at + 12]):
                        self.vars[str(number)] = [value]
                    if args[at + 3 :]:
                        self.vars["@"] = args[at + 3 :]
                    self.read(args[at + 1], depth + 1)
                return
            elif word[:1] in ("-", "+") and word != "-":
                at += 2 if word[-1] in "oO" and word[:2] != "--" else 1  # set options by name
            else:
                break
        if at < len(args) and args[at] in self.streams:
            self._stream_script(args[at], depth)
            return
        if at < len(args) and args[at] != "-":
            self.touch(args[at])
            self.touch_all(args[at + 1 :], False)
            return
        text = node.given if node.given is not None else self.printed(node.upstream)
        if text:
            self.read(text, depth + 1)

    def _stream_script(self, name: str, depth: int) -> None:
        """A shell that runs `<(...)` or /dev/stdin."""
        node = self.streams[name]
        text = node.given if node.given is not None else self.printed(node)
        if text is None:
            text = self.printed(node.upstream)
        if text:
            self.read(text, depth + 1)

    def _interpreter(self, name: str, args: "list[str]", node: Command) -> None:
        letters = CODE[name]
        if name in ("python", "pypy") and args[:2] in (["-m", "venv"], ["-m", "virtualenv"]):
            return
        code = False
        for at, word in enumerate(args):
            low = word.lower()
            short = word[:1] == "-" and word[1:2] != "-"
            if (
                (at and (args[at - 1].lower() in CODE_LONG or ends_in(args[at - 1], letters)))
                or low.startswith(("--eval=", "--print="))
                or (short and any(letter in letters for letter in word[1:]) and word[1:2].islower())
            ):
                self.code(word)
                code = True
            elif name in ("perl", "ruby", "sqlite3") and code:
                self.touch(word)  # perl -ne '...' FILE reads it
            elif " " in word or "\n" in word:
                self.code(word)
            else:
                self.touch(word, False)
        text = node.given if node.given is not None else self.printed(node.upstream)
        if text:
            self.code(text)

    def pattern_first(self, name: str, args: "list[str]", pathspec: bool = False) -> None:
        """grep PATTERN FILE..., sed SCRIPT FILE..., jq FILTER FILE...: the pattern is no file."""
        letters = PATTERN_FIRST[name]
        given = False
        at = 0
        while at < len(args):
            word = args[at]
            following = args[at + 1 : at + 2]
            at += 1
            option, equals, value = word.partition("=")
            if option in GLOB_OPTIONS and (equals or following):
                at += 0 if equals else 1
                self.glob_option(value if equals else following[0])
            elif option in ("--regexp", "--expression"):
                at += 0 if equals else 1
                given = True
                self._program_text(name, value if equals else "".join(following))
            elif word in TWO_VALUES:
                at += 2
            elif word in NAME_AND_FILE:
                self.touch_all(args[at + 1 : at + 2])
                at += 2
            elif option.startswith(("--exclude", "--ignore")):
                at += 0 if equals else 1
            elif word[:2] == "--":
                self.touch(value)
            elif word[:1] == "-" and len(word) > 1:
                letter, inline = valued(word, letters)
                if letter and letter in "ep":
                    given = True
                if letter == "f":
                    given = name != "dasel"  # whose -f is the file to read
                    self.touch(inline or "".join(following))
                if letter == "g" and inline:
                    self.glob_option(inline)
                at += 1 if letter and not inline else 0
                if letter in ("e", "v") and (inline or following):
                    self._program_text(name, inline or following[0])
            elif not word and args[at - 2 : at - 1] == ["-i"]:
                continue  # sed -i '' of BSD
            elif name in ("yq", "dasel") and not given and word in FIRST_WORDS:
                continue
            elif not given:
                given = True
                self._program_text(name, word)
            elif pathspec:
                from shellgit import pathspec as judge

                judge(self, word)
            else:
                self.touch(word)

    def _program_text(self, name: str, text: str) -> None:
        """awk's program may open files by name; sed's r and w commands do."""
        if name in AWKS:
            self.code(text)
        elif name in SEDS:
            from sedtext import effects

            files, runs = effects(plain(text))
            for file in files:
                self.touch(file)
            for run in runs:
                self.guessed(run, 0, SURE)

    def fed_files(self, node: Command) -> None:
        """A program that reads the names of files from its input."""
        text = node.given if node.given is not None else self.printed(node.upstream)
        for word in self.fed(node):
            self.touch(word, text is not None)

    def glob_option(self, pattern: str) -> None:
        """A glob that a search tool takes: here a star matches a leading dot."""
        pattern = plain(pattern)
        if not pattern.startswith("!"):
            for word in braces(_live_braces(pattern)):
                self.touch(marked(word), dotted=True)

    def patch(self, args: "list[str]", node: Command) -> None:
        text = node.given if node.given is not None else self.printed(node.upstream)
        for patch in [text or "", *args]:
            for path in patched_files(patch):
                self.touch(path)


def _has_c(word: str) -> bool:
    return word[:1] == "-" and word[1:2] != "-" and "c" in word[1:]


def ends_in(word: str, letters: str) -> bool:
    """A cluster of short options that ends in one of these, as -lc or -pe."""
    return (
        len(word) > 1
        and word[0] == "-"
        and word[1] != "-"
        and word[-1] in letters
        and word[1:].isalnum()
    )


def valued(word: str, letters: str) -> "tuple[str, str]":
    """The option in a cluster that takes a value, and the value if it is attached: -A3 is ("A",
    "3").
    """
    for at, letter in enumerate(word[1:]):
        if letter in letters:
            return letter, word[at + 2 :]
    return "", ""


def _option(word: str, following: "list[str]", takers: "list[str]") -> "tuple[str, str, int]":
    """(option, its value, words taken) of an option word: -0a FILE, -aFILE, --arg-file=FILE.
    `takers`: the options that take a value."""
    if word[:2] == "--":
        option, equals, value = word.partition("=")
        if option in takers and not equals:
            return option, "".join(following), 2
        return option, value, 1
    letter, inline = valued(word, "".join(taker[1] for taker in takers if len(taker) == 2))
    return letter, inline or "".join(following), 2 if letter and not inline else 1


def filled(command: "list[str]", fields: "list[str]", slot: str = "{}") -> "list[str]":
    """The command with its slot filled: where it stands in a word, by each of the names."""
    out: "list[str]" = []
    for word in command:
        text = plain(word)
        if slot in text:
            out.extend(text.replace(slot, field) for field in fields[:8])
        else:
            out.append(word)
    return out


def _live_braces(pattern: str) -> str:
    return settled("".join(LIVE[char] if char in "{}," else char for char in pattern))


TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, Callable
