"""Windows: which shell an agent runs a line with, how words are quoted for it, the line of ours.

Pure, and tested as such; nothing of it has run on Windows. No committed file depends on it: what is
wired is the same on every machine, and `docs/windows.md` says what follows from that.
"""

from __future__ import annotations

import re
from typing import NamedTuple

from hookpm.agents.shell_line import BRIDGE

CMD, POWERSHELL, BASH, POSIX = "cmd", "powershell", "bash", "posix"
PYTHON = ("py", "-3")  # the launcher; `python3` is often a link to the store that starts nothing


class Shell(NamedTuple):
    """What an agent runs a command line with on Windows. kind: "" where nobody knows; key: the
    handler's key for a Windows line of its own; basis: where that was read."""

    kind: str
    key: str = ""
    basis: str = "unknown"


# None of this was measured: "documented" is the agent's documentation or its published code.
SHELLS = {
    "antigravity": Shell(""),
    "claude": Shell(BASH, basis="documented: Git Bash, or PowerShell where a handler says so"),
    "cline": Shell("", basis="documented: no line, a file per event: .ps1, or .py by `py -3`"),
    "codex": Shell(CMD, "commandWindows", "documented: %COMSPEC% /C"),
    "copilot": Shell(POWERSHELL, "powershell", "documented"),
    "cursor": Shell(""),
    "droid": Shell(""),
    "gemini": Shell(POWERSHELL, basis="documented: powershell -NoProfile -Command"),
    "kimi": Shell(CMD, basis="documented: the shell of Node, cmd.exe"),
    "opencode": Shell("", basis="a plugin of ours starts the line, by sh"),
    "pi": Shell("", basis="an extension of ours starts the line, by sh"),
    "qwen": Shell(""),
    "vscode": Shell(POWERSHELL, "windows", "documented"),
}


# --- quoting ---------------------------------------------------------------------------------


def quote_argument(text: str) -> str:
    """One argument as a Windows program reads it off its command line (Microsoft's C rules).

    Raises ValueError for NUL, which no command line can hold.
    """
    if "\0" in text:
        raise ValueError("a command line holds no NUL")
    if text and not re.search(r'[\s"]', text):
        return text
    escaped = re.sub(r'(\\*)"', r'\1\1\\"', text)
    return _in_quotes(escaped)


def _in_quotes(escaped: str) -> str:
    """In quotes; backslashes before the closing one are doubled, else it would be text."""
    tail = len(escaped) - len(escaped.rstrip("\\"))
    return '"' + escaped + "\\" * tail + '"'


def split_arguments(line: str) -> list[str]:
    """The arguments that a Windows program reads from what follows its name; the inverse."""
    words: list[str] = []
    word, quoted, open_word = "", False, False
    for slashes, char in re.findall(r'(\\*)("|\s|[^\\"\s]|$)', line):
        if char == '"':
            word += "\\" * (len(slashes) // 2)
            open_word = True
            if len(slashes) % 2:
                word += '"'
            else:
                quoted = not quoted
            continue
        word += slashes
        open_word = open_word or bool(slashes)
        if (char.isspace() and not quoted) or not char:
            if open_word:
                words.append(word)
            word, open_word = "", False
            if not char:
                break
        else:
            word, open_word = word + char, True
    return words


_CMD_SPECIAL = re.compile(r'[()%!^"<>&|]')


def quote_cmd(text: str) -> str:
    """One argument of a program, for a line that `cmd /D /C` runs.

    Every character that means something to cmd gets a caret, the quotes too, so that cmd never
    sees a quoted part and no variable is filled in. That holds on a command line, in no batch file.
    Raises ValueError for what ends a line there.
    """
    if re.search(r"[\r\n]", text):
        raise ValueError("a line of cmd ends at a newline")
    return _CMD_SPECIAL.sub(r"^\g<0>", quote_argument(text))


_POWERSHELL_QUOTES = re.compile(
    "['\u2018\u2019\u201a\u201b]"
)  # all of them end a quoted text there


def quote_powershell(text: str) -> str:
    """One text as PowerShell's own: in single quotes, where nothing is filled in.

    Raises ValueError for NUL.
    """
    if "\0" in text:
        raise ValueError("a command line holds no NUL")
    return "'" + _POWERSHELL_QUOTES.sub(lambda found: found[0] * 2, text) + "'"


# --- our line --------------------------------------------------------------------------------

_LEVELS = 8  # folders that a line looks through upwards, where an agent names no project


def cmd_line(agent: str, event: str, variable: str = "") -> str:
    """Our line for cmd. variable: the agent's own for the project's folder, "" = it has none, and
    the folders from the working one upwards are looked through. It ends with 0 whatever happens."""
    bridge = BRIDGE.replace("/", "\\")
    start = " ".join(PYTHON)
    if variable:
        file = f'"%{variable}%\\{bridge}"'
        return f"if exist {file} ({start} -I -S {file} {agent} {event}) & exit 0"
    folders = " ".join("\\".join([".."] * depth) or "." for depth in range(_LEVELS))
    file = f'"%d\\{bridge}"'
    found = f"({start} -I -S {file} {agent} {event} & exit 0)"
    return f"(for %d in ({folders}) do @if exist {file} {found}) & exit 0"


def powershell_line(agent: str, event: str, variable: str = "") -> str:
    """Our line for PowerShell, as `cmd_line`; stdin goes on to python as it is."""
    start = " ".join(PYTHON)
    look = (
        f"$d = $env:{variable}"
        if variable
        else f'$d = $PWD.Path; while ($d -and -not (Test-Path -LiteralPath "$d/{BRIDGE}")) '
        "{ $d = Split-Path -Parent $d }"
    )
    run = f"{start} -I -S $b {agent} {event}"
    return (
        f'{look}; $b = "$d/{BRIDGE}"; if ($d -and (Test-Path -LiteralPath $b)) {{ {run} }}; exit 0'
    )


def line(agent: str, event: str, variable: str = "") -> str | None:
    """The line of ours that this agent would be given on Windows; None where its shell is not
    known, or where it runs the same line as everywhere."""
    build = {CMD: cmd_line, POWERSHELL: powershell_line}.get(SHELLS[agent].kind)
    return build(agent, event, variable) if build else None
