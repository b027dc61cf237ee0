"""Rules about shell scripts as such: quotes, bash in sh, and what macOS does not have."""

from __future__ import annotations

import re
from collections.abc import Iterator

from hookpm.packs.check.finding import Finding, Source
from hookpm.packs.check.shellcommands import all_started
from hookpm.packs.check.shelltypes import Command, Piece, Script, Word, simple_commands, variable

# Commands that take words as they come, or numbers only: what is split there is meant so.
_UNSPLIT = frozenset(
    [
        ":",
        "break",
        "continue",
        "declare",
        "eval",
        "exit",
        "export",
        "let",
        "local",
        "readonly",
        "return",
        "set",
        "shift",
        "typeset",
    ]
)
_NUMBERS = frozenset("#?$!-")
_COMPARES = ("-eq", "-ge", "-gt", "-le", "-lt", "-ne")
# Variables for several words: nobody quotes them.
_LISTS = re.compile(r"(?i)(args?|opts?|options|flags?)$")
_ONE_PATH = frozenset(["basename", "cat", "dirname", "jq", "mktemp", "pwd", "readlink", "realpath"])


def findings(source: Source, script: Script) -> Iterator[Finding]:
    """All findings of this module in one script."""
    yield from _unquoted(source, script)
    if source.language == "sh":
        yield from _bashisms(source, script)
        yield from _echoes(source, script)
    yield from _not_portable(source, script)


# --- quotes ----------------------------------------------------------------------------------


def _unquoted(source: Source, script: Script) -> Iterator[Finding]:
    safe = _whole_words(script)
    for command in simple_commands(script):
        if command.name in _UNSPLIT:
            continue
        targets = [r.target for r in command.redirections if r.operator in (">", ">>", "<", ">|")]
        for index, word in enumerate([*command.words, *targets]):
            if len(word.pieces) == 1 and _is_meant(command, index):
                continue
            for piece in word.pieces:
                if _splits(piece, safe):
                    yield _quote(source, word, piece)
                    break


def _is_meant(command: Command, index: int) -> bool:
    """May a word that is nothing but a variable be several words here, or a number?"""
    words = [word.source for word in command.words]
    if index == 0 or (index == 1 and words[0] in ("exec", "command", "env", "sudo")):
        return True  # a program with its options
    beside = words[max(index - 1, 0) : index + 2]
    return any(compares in beside for compares in _COMPARES)


def _splits(piece: Piece, safe: frozenset[str]) -> bool:
    """Does the shell make several words of what is filled in here, and was that not meant?"""
    if piece.quoted:
        return False
    if piece.kind == "command":
        words = piece.text.split()
        return bool(words) and (words[0] in _ONE_PATH or words[:2] == ["git", "rev-parse"])
    if piece.kind != "variable" or piece.text in _NUMBERS or "+" in piece.text:
        return False
    name = variable(piece.text)
    return bool(name) and name not in safe and not _LISTS.search(name)


def _quote(source: Source, word: Word, piece: Piece) -> Finding:
    plain = not any(c in word.source for c in "\"'`\\*?{")
    shown = f"$({piece.text})" if piece.kind == "command" else f"${piece.text}"
    if piece.kind == "variable" and f"${{{piece.text}}}" in word.source:
        shown = f"${{{piece.text}}}"
    return source.at(
        "unquoted",
        word.line,
        f"{shown} stands without quotes: a blank or a * in it makes other words of it",
        f'"{word.source}"' if plain else f'"{shown}"',
    )


def _whole_words(script: Script) -> frozenset[str]:
    """Variables that the script itself only ever sets to one plain word, or to a number."""
    values: dict[str, list[Word | None]] = {}
    for command in script.commands:
        for name, word in command.assignments:
            values.setdefault(name, []).append(word)
        if command.kind == "for" and command.words:
            values.setdefault(command.words[0].source, []).extend(command.words[1:] or [None])
        if command.name in ("read", "mapfile", "readarray", "getopts"):
            for word in command.words[1:]:
                values.setdefault(word.source, []).append(None)
        if command.name in ("local", "export", "readonly", "declare", "typeset"):
            for word in command.words[1:]:
                name, is_set, rest = word.source.partition("=")
                if is_set:
                    values.setdefault(name, []).append(word if _plain(rest) else None)
    # Optimistic first, so that variables made of such variables count; then down to a fixed point.
    safe = frozenset(values)
    while True:
        kept = frozenset(
            name for name in safe if all(w is not None and _is_one(w, safe) for w in values[name])
        )
        if kept == safe:
            return safe
        safe = kept


def _is_one(word: Word, safe: frozenset[str]) -> bool:
    for piece in word.pieces:
        if piece.kind == "text" and not _plain(piece.text):
            return False
        if piece.kind == "variable" and piece.text in safe:
            continue
        if (
            piece.kind == "variable"
            and piece.text not in _NUMBERS
            and not piece.text.startswith("#")
        ):
            return False
        counts = r"(.*\|\s*)?(wc -[lcmw]+|grep -c\b.*|date \+%s|id -u|expr [^:]*)( <.*)?"
        if piece.kind == "command" and re.fullmatch(counts, piece.text, re.DOTALL) is None:
            return False
        if piece.kind == "array":
            return False
    return True


def _plain(text: str) -> bool:
    return re.search(r"[\s*?\[\]$`]", text) is None


# --- bash in sh ------------------------------------------------------------------------------

_FORMS = {
    "[[": ("[[ ... ]] is bash's", '[ "$a" = "$b" ], or case for patterns'),
    "((": ("(( ... )) is bash's", '[ "$a" -gt 1 ], and a=$((a + 1)) to count'),
    "function": ("the word function is bash's", "name() { ...; }"),
    "array": ("arrays are bash's", 'set -- a b c, and then "$@"'),
    "+=": ("+= is bash's", 'a="$a..."'),
    "process substitution": ("<(...) is bash's", "a pipe, or a file from mktemp"),
    "$'": ("$'...' is bash's", "\"$(printf '\\t')\""),
    '$"': ('$"..." is bash\'s', '"..."'),
    "|&": ("|& is bash's", "2>&1 |"),
    "&>": ("&> is bash's: sh goes on in the background instead", ">file 2>&1"),
    "&>>": ("&>> is bash's: sh goes on in the background instead", ">>file 2>&1"),
    "<<<": ("<<< is bash's", "printf '%s\\n' \"$text\" | ..."),
    "select": ("select is bash's", "read in a loop"),
}
_COMMANDS = {
    "source": '. "./file"',
    "declare": "plain assignments",
    "typeset": "plain assignments",
    "mapfile": "while IFS= read -r line; do ...; done",
    "readarray": "while IFS= read -r line; do ...; done",
    "shopt": "nothing like it: use bash",
    "pushd": "( cd DIR && ... )",
    "popd": "( cd DIR && ... )",
    "let": "a=$((a + 1))",
}
_BASH_VARIABLES = frozenset(
    [
        "BASH_REMATCH",
        "BASH_SOURCE",
        "BASHPID",
        "EPOCHSECONDS",
        "FUNCNAME",
        "PIPESTATUS",
        "RANDOM",
        "SECONDS",
    ]
)
_EXPANSIONS = (
    (re.compile(r"\w+//?[^}]"), "${a/x/y} is bash's", "sed"),
    (re.compile(r"\w+(\^\^?|,,?)"), "${a^^} and ${a,,} are bash's", "tr A-Z a-z"),
    (re.compile(r"\w+:\s*(\d|\$|\()"), "${a:0:3} is bash's", "cut, or ${a%...} and ${a#...}"),
    (re.compile(r"\w+\[.*\]"), "arrays are bash's", 'set -- a b c, and then "$@"'),
    (re.compile(r"!\w+"), "${!a} is bash's", "eval, or case"),
)
_BRACES = re.compile(r"(?<![$\\])\{[^{}\s,]*(,|\.\.)[^{}\s]*\}")
_CHANGE = "start the script with #!/usr/bin/env bash, or write: "


def _bashisms(source: Source, script: Script) -> Iterator[Finding]:
    def found(line: int, text: str, what: str, form: str) -> Finding:
        return source.finding(
            "bashism", line, text, f"{what}; sh is another shell on many systems", _CHANGE + form
        )

    for mark in script.marks:
        if mark.form in _FORMS:
            yield found(mark.line, mark.source, *_FORMS[mark.form])
    for command in script.commands:
        shown = source.line(command.line)
        for what, form in _bash_commands(command, script):
            yield found(command.line, shown, what, form)
        for word in [*command.words, *(value for _, value in command.assignments)]:
            for what, form in _bash_words(word):
                yield found(word.line, source.line(word.line), what, form)


def _bash_commands(command: Command, script: Script) -> Iterator[tuple[str, str]]:
    if command.kind != "simple" or command.name in script.functions:
        return
    name = command.name
    words = [word.source for word in command.words]
    if name in _COMMANDS:
        yield f"{name} is bash's", _COMMANDS[name]
    elif name in ("[", "test") and "==" in words:
        yield "== in [ ] is bash's", '[ "$a" = "$b" ]'
    elif name in ("[", "test") and "=~" in words:
        yield "=~ is bash's", "case, or grep -E"
    elif name == "set" and "pipefail" in words:
        yield "set -o pipefail ends dash with exit code 2, which blocks", "set -eu"
    elif name == "trap" and {"ERR", "DEBUG", "RETURN"} & set(words):
        yield "trap ... ERR is bash's", "trap ... EXIT"
    elif name == "printf" and "-v" in words[1:2]:
        yield "printf -v is bash's", "a=$(printf ...)"
    elif name == "echo" and words[1:2] in (["-e"], ["-E"], ["-ne"], ["-en"]):
        yield f"echo {words[1]} is bash's: dash prints it", "printf"
    elif name == "read" and any(re.match(r"-\w*[adnNstu]", word) for word in words[1:]):
        yield "this option of read is bash's", "IFS= read -r line"
    elif name == "local" and any(re.match(r"-[aAnirx]", word) for word in words[1:]):
        yield "options of local are bash's", 'local name="$1"'


def _bash_words(word: Word) -> Iterator[tuple[str, str]]:
    for piece in word.pieces:
        if piece.kind == "variable":
            if variable(piece.text) in _BASH_VARIABLES:
                yield f"${variable(piece.text)} is bash's", "a way without it"
            for pattern, what, form in _EXPANSIONS:
                if pattern.match(piece.text):
                    yield what, form
                    break
        elif piece.kind == "text" and not piece.quoted and _BRACES.search(piece.text):
            yield "{a,b} and {1..3} are bash's", "the words one by one, or a loop"


def _echoes(source: Source, script: Script) -> Iterator[Finding]:
    """`echo "$input" | jq` in sh: the \\n in its JSON become line ends in dash."""
    inputs = {
        name
        for command in script.commands
        for name, word in command.assignments
        if any(p.kind == "command" and re.match(r"cat\b|jq\b", p.text) for p in word.pieces)
    }
    for command in simple_commands(script):
        if command.name != "echo" or not command.piped:
            continue
        names = [variable(p.text) for w in command.words for p in w.pieces if p.kind == "variable"]
        for name in names:
            if name in inputs:
                yield source.at(
                    "echo-data",
                    command.line,
                    f"echo turns the \\n in ${name} into line ends where sh is dash",
                    f"printf '%s\\n' \"${name}\"",
                )


# --- macOS -----------------------------------------------------------------------------------


def _not_portable(source: Source, script: Script) -> Iterator[Finding]:
    def found(line: int, what: str, form: str) -> Finding:
        return source.at("not-portable", line, what, form)

    for each in all_started(script):
        words = each.literals
        line = each.command.line
        if each.name in ("mapfile", "readarray") and source.language == "bash":
            yield found(line, f"macOS has bash 3.2, without {each.name}", _COMMANDS["mapfile"])
        elif each.name in ("declare", "local", "typeset") and words[:1] == ["-A"]:
            if source.language == "bash":
                yield found(
                    line, "macOS has bash 3.2, without associative arrays", "case, or Python"
                )
        elif each.name == "grep" and any(re.fullmatch(r"-\w*P\w*", word) for word in words):
            yield found(line, "grep -P is GNU's: macOS has none", "grep -E, or sed -n 's/.../p'")
        elif each.name == "sed" and _bare_i(words):
            yield found(
                line, "sed -i without an ending fails on macOS", "sed -i.bak ..., then rm the .bak"
            )
        elif each.name == "date" and any(
            word == "-d" or word.startswith("--date") for word in words
        ):
            yield found(line, "date -d is GNU's: macOS has none", "Python's datetime")
    if source.language == "bash":
        for command in script.commands:
            for word in [*command.words, *(value for _, value in command.assignments)]:
                if any(
                    p.kind == "variable" and re.match(r"\w+(\^\^?|,,?)", p.text)
                    for p in word.pieces
                ):
                    yield found(
                        word.line, "macOS has bash 3.2, without ${a^^} and ${a,,}", "tr A-Z a-z"
                    )


def _bare_i(words: list[str]) -> bool:
    """`-i` by itself: GNU takes no ending then, BSD the next word for one (`-i ''` is BSD's)."""
    for index, word in enumerate(words):
        if re.fullmatch(r"-[nEr]*i", word):
            return words[index + 1 : index + 2] != [""]
    return False
