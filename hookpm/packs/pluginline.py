"""The shell lines of a Claude Code plugin's hooks: made to work wherever the plugin lies.

Claude Code puts the plugin's folder into the line as text, quotes or not; here it is a variable of
the environment, so that the same line holds on every machine. Pure.
"""

from __future__ import annotations

import posixpath
import re
import shlex
from collections.abc import Collection, Iterator, Sequence

ROOT = "${CLAUDE_PLUGIN_ROOT}"
DATA = "CLAUDE_PLUGIN_DATA"

_ROOT = re.compile(r"\$\{CLAUDE_PLUGIN_ROOT\}|\$CLAUDE_PLUGIN_ROOT(?![A-Za-z0-9_])")
_VARIABLE = re.compile(r"\$\{(?:CLAUDE_PLUGIN_ROOT|CLAUDE_PROJECT_DIR|CLAUDE_PLUGIN_DATA)\}")
_INNER = re.compile(r"(?:^|[\s;&|(/])(?:ba|da|z|k)?sh(?:\s+-[a-z]+)*\s+-[a-z]*c\s+$")
_BEFORE_PROGRAM = re.compile(r"exec|command|time|nohup|if|then|elif|else|while|until|do|!|\{")
_SHELL = re.compile(r"(?:.*/)?(?:ba|da|z|k)?sh")
_HERE = "\0"  # stands for the plugin's folder in a word
_WORD_ENDS = " \t\n;&|()<>"
_RUNNERS = re.compile(
    r"(?:|ba|da|z|k)sh|python[\d.]*|node(?:js)?|bun|deno|ruby|perl|php|uvx?|npx|tsx|ts-node|env|exec"
    r"|command|run|time|nohup|sudo|cd|source|test|true|exit|export|set"
)


def quoted(line: str, variable: re.Pattern[str] = _ROOT, name: str = ROOT) -> str:
    """The line with the plugin's folder in double quotes wherever it stands bare.

    A folder with spaces in its path stays one word then, in a script handed to `sh -c` as well.
    variable, name: another variable to be treated so, and what it is called then.
    """
    out: list[str] = []
    states = [""]  # "", '"', "'" or "(" (inside "$(...)")
    at = 0
    while at < len(line):
        state, char = states[-1], line[at]
        found = variable.match(line, at)
        if found:
            out.append({'"': name, "'": f"'\"{name}\"'"}.get(state, f'"{name}"'))
            at = found.end()
            continue
        if char == "\\" and state != "'":
            out.append(line[at : at + 2])
            at += 2
            continue
        if char in "'\"" and state in ("", "(") and _INNER.search("".join(out)):
            end = _closing(line, at)
            out.append(_inner(line[at:end], variable, name))
            at = end
            continue
        if line.startswith("$(", at) and state != "'":
            states.append("(")
            out.append("$(")
            at += 2
            continue
        if char == state or (char == ")" and state == "("):
            states.pop()
        elif char in "'\"" and state in ("", "("):
            states.append(char)
        out.append(char)
        at += 1
    return "".join(out)


def _closing(line: str, at: int) -> int:
    """Where the quoted text that starts at `at` ends, its closing quote included."""
    mark, end = line[at], at + 1
    while end < len(line) and line[end] != mark:
        end += 2 if mark == '"' and line[end] == "\\" else 1
    return min(end + 1, len(line))


def _inner(text: str, variable: re.Pattern[str], name: str) -> str:
    """A quoted script for another shell, with the folder quoted for that one."""
    mark, body = text[0], text[1:-1]
    if mark == "'":
        return f"'{quoted(body, variable, name)}'"
    # The outer shell puts the folder in, the inner one needs quotes around what it gets.
    parts: list[str] = []
    held = ""
    at = 0
    while at < len(body):
        found = variable.match(body, at)
        if found:
            parts.append(name if held else f'\\"{name}\\"')
            at = found.end()
            continue
        step = 2 if body[at] == "\\" else 1
        piece = body[at : at + step]
        if piece in ('\\"', "'") and held in ("", piece):
            held = "" if held else piece
        parts.append(piece)
        at += step
    return f'"{"".join(parts)}"'


def with_data(line: str, plugin: str) -> str:
    """The line with the folder that Claude Code keeps for a plugin's data, made where it is not.

    It lies with the user's data, not in the repo: what is below `.agents/hookpm/` is hashed.
    """
    folder = f'"${{XDG_DATA_HOME:-$HOME/.local/share}}/hookpm/plugins/{plugin}"'
    return f'{DATA}={folder}; export {DATA}; mkdir -p "${DATA}"; {line}'


def of_words(words: Sequence[str]) -> str:
    """The shell line of a command in exec form: each word as it is, but Claude's own variables."""
    return " ".join(_word(word) for word in words)


def _word(word: str) -> str:
    if not _VARIABLE.search(word):
        return shlex.quote(word)
    parts = []
    at = 0
    for found in _VARIABLE.finditer(word):
        parts += [_escaped(word[at : found.start()]), found.group()]
        at = found.end()
    return f'"{"".join(parts)}{_escaped(word[at:])}"'


def _escaped(text: str) -> str:
    return re.sub(r'([\\"$`])', r"\\\1", text)


def files(line: str, there: Collection[str]) -> tuple[list[str], list[str]]:
    """The plugin's files that a line names: those that are there, and those that are not."""
    found: list[str] = []
    gone: list[str] = []
    words = list(_words(line))
    inside = any(word == "cd" and after == _HERE for word, after in _pairs(words))
    for word, after in _pairs(words):
        if _HERE in word:
            for path in _paths(word, there):
                if path in there:
                    found.append(path)
                elif not any(each.startswith(path + "/") for each in there):
                    gone.append(path)
        elif word == "-m":
            module = after.replace(".", "/")
            names = (f"{module}.py", f"{module}/__main__.py", f"{module}/__init__.py")
            found += [each for each in there if each.endswith(names) and _whole(each, names)]
        elif inside and posixpath.normpath(word) in there:
            found.append(posixpath.normpath(word))
    return list(dict.fromkeys(found)), list(dict.fromkeys(gone))


def _paths(word: str, there: Collection[str]) -> list[str]:
    """The plugin's files in one word: the whole of it, or parts of a longer text."""
    whole = posixpath.normpath(word[2:]) if word.startswith(_HERE + "/") else ""
    if whole in there or (whole and re.fullmatch(r"[^*?$\[\]{}()`;|&<>:=,]+", whole)):
        return [whole]
    plain = re.findall(_HERE + r"/([^\s*?$\[\]{}()`;|&<>:=,\"']+)(?![*?$\[{`])", word)
    return [posixpath.normpath(path) for path in plain]


def _whole(path: str, names: Sequence[str]) -> bool:
    """Does the path end in one of the names as whole parts?"""
    return any(f"/{path}".endswith(f"/{name}") for name in names)


def started(line: str) -> list[tuple[str, str]]:
    """Each of the plugin's files that a line starts, with the program that runs it.

    The program is "" for a file that is started by itself.
    """
    found = []
    before = ""
    for word in _words(line):
        if word.startswith(_HERE + "/"):
            found.append((before, posixpath.normpath(word[2:])))
        if not word.startswith("-"):
            before = "" if _HERE in word else word.rpartition("/")[2]
        if word in (";", "&&", "||", "|", "&", "(", ")", "\n"):
            before = ""
    return found


def programs(line: str) -> list[str]:
    """The programs that a line starts, as far as one sees: names without a folder."""
    return [word for word in _heads(line) if re.fullmatch(r"[A-Za-z][\w.+-]*", word)]


def heads(line: str) -> list[str]:
    """The first word of each command in a line; a file of the plugin as seen from its folder."""
    return [word.removeprefix(_HERE + "/") for word in _heads(line)]


def _heads(line: str) -> list[str]:
    found: list[str] = []
    first = True
    for word in _words(line):
        if word in (";", "&&", "||", "|", "&", "(", ")", "\n"):
            first = True
        elif first and not re.match(r"[A-Za-z_]\w*=", word):
            first = _BEFORE_PROGRAM.fullmatch(word) is not None
            if not first:
                found.append(word)
    return list(dict.fromkeys(found))


def label(line: str, there: Collection[str]) -> str:
    """What a hook is called after: the script that its line starts, else its first program."""
    named, _ = files(line, there)
    if named:
        return posixpath.splitext(posixpath.basename(named[0]))[0]
    own = [name for name in programs(line) if not _RUNNERS.fullmatch(name)]
    return own[0] if own else next(iter(programs(line)), "hook")


def _pairs(words: Sequence[str]) -> Iterator[tuple[str, str]]:
    """Each word with the one after it, "" after the last."""
    return zip(words, [*words[1:], ""], strict=False)


def _words(line: str) -> Iterator[str]:
    """The words and operators of a line, quotes taken off; a script for `sh -c` as words too."""
    at = 0
    before = program = ""
    while at < len(line):
        if line[at] in " \t":
            at += 1
            continue
        if line[at] in _WORD_ENDS:
            two = line[at : at + 2]
            step = 2 if two in ("&&", "||", ">>", "<<", ">&") else 1
            yield line[at : at + step]
            at += step
            continue
        word, at = _take_word(line, at)
        if re.fullmatch(r"-[a-z]*c", before) and _SHELL.fullmatch(program):
            yield from _words(word.replace(_HERE, ROOT))
        else:
            yield word
        before = word
        program = program if word.startswith("-") else word


def _take_word(line: str, at: int) -> tuple[str, int]:
    out: list[str] = []
    mark = ""
    while at < len(line):
        char = line[at]
        found = _ROOT.match(line, at)
        if found:
            out.append(_HERE)
            at = found.end()
        elif char == "\\" and mark != "'" and at + 1 < len(line):
            out.append(line[at + 1])
            at += 2
        elif char == mark:
            mark = ""
            at += 1
        elif char in "'\"" and not mark:
            mark = char
            at += 1
        elif not mark and char in _WORD_ENDS:
            break
        else:
            out.append(char)
            at += 1
    return "".join(out), at
