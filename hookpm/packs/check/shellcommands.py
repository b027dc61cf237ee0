"""What a shell command really starts: behind `env`, `exec`, `sudo` and the like."""

from __future__ import annotations

import re
from typing import NamedTuple

from hookpm.packs.check.shelltypes import Command, Script, Word, simple_commands

# Words in front of a program, and their options that take a word of their own.
_WRAPPERS = {
    "builtin": "",
    "command": "",
    "env": "uCS",
    "exec": "a",
    "nice": "n",
    "nohup": "",
    "setsid": "",
    "stdbuf": "ioe",
    "sudo": "ugCp",
    "time": "",
    "timeout": "ks",
    "xargs": "nIPLsdEa",
}


class Started(NamedTuple):
    """A program that is started: its name without folders, its arguments, and the command."""

    name: str
    arguments: tuple[Word, ...]
    command: Command

    @property
    def literals(self) -> list[str]:
        """The arguments, "" where one is not fixed."""
        return [word.literal or "" for word in self.arguments]


def started(command: Command) -> Started | None:
    """The program of a simple command; None where it is not fixed, or only looked for."""
    words = list(command.words)
    while words:
        name = (words[0].literal or "").rpartition("/")[2]
        if name not in _WRAPPERS:
            return Started(name, tuple(words[1:]), command) if name else None
        if name == "command" and len(words) > 1 and words[1].source in ("-v", "-V"):
            return None
        words = _behind(words[1:], _WRAPPERS[name], name == "timeout")
    return None


def all_started(script: Script) -> list[Started]:
    """All programs that a script starts by a fixed name, its own functions left out."""
    found = (started(command) for command in simple_commands(script))
    return [each for each in found if each is not None and each.name not in script.functions]


def looked_for(script: Script) -> set[str]:
    """The programs that a script asks for before it uses them (`command -v jq`)."""
    names: set[str] = set()
    for command in simple_commands(script):
        words = [word.literal or "" for word in command.words]
        if words[0] in ("type", "which", "hash") or words[:2] in (
            ["command", "-v"],
            ["command", "-V"],
        ):
            names.update(words[1:])
    return names


def _behind(words: list[Word], with_value: str, counts: bool) -> list[Word]:
    """The words behind a wrapper's options, its assignments and, for timeout, its duration."""
    while words:
        source = words[0].source
        if source.startswith("-") and source != "-":
            takes = len(source) == 2 and source[1] in with_value
            words = words[2:] if takes else words[1:]
        elif re.match(r"[A-Za-z_]\w*=", source):
            words = words[1:]
        elif counts:
            words, counts = words[1:], False
        else:
            return words
    return []
