"""What a check finds: a rule's id, the place, the text there, and the form that works."""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import lru_cache
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from hookpm.packs.manifest import Hook


class Rule(NamedTuple):
    """A rule. severity: "error" (the hook does not do its work, or harm) or "warning" (it does not
    everywhere, or less well than it could); about: one sentence for the table of rules."""

    severity: str
    about: str


RULES = {
    "broken-pack": Rule("error", "hookpm itself cannot read the pack"),
    "unquoted": Rule(
        "error", "a variable without quotes: a blank or a `*` in it makes other words"
    ),
    "bashism": Rule("error", "bash's own language in a script that `sh` runs"),
    "not-portable": Rule("warning", "a form that macOS's old bash or BSD tools do not have"),
    "echo-data": Rule("error", "`echo` of JSON in `sh`: dash turns its `\\n` into line ends"),
    "exit-1": Rule("error", "an exit code other than 2 meant as a block: it allows"),
    "stop-loop": Rule("error", "a hook that blocks at Stop and never reads `stop_hook_active`"),
    "timeout-unit": Rule("error", "a timeout that looks like milliseconds; it is in seconds"),
    "network-runner": Rule(
        "error", "`npx`, `uvx`, `curl | sh`, `pip install` ...: code from the net"
    ),
    "crlf": Rule("error", "a script with Windows line ends"),
    "exec-bit": Rule("warning", "a program without the executable bit"),
    "shebang": Rule("error", "a program without a `#!` line"),
    "matcher-nothing": Rule("error", "a matcher that no tool of any agent fits"),
    "matcher-name": Rule("error", "a name in a matcher that no tool has"),
    "matcher-wide": Rule("warning", "an expression that takes more tools than it seems to"),
    "matcher-ignored": Rule("warning", "a matcher at an event that ignores matchers"),
    "allow-answer": Rule("warning", "an answer that approves: it switches off the user's prompt"),
    "old-decision": Rule("warning", 'the old `"decision"` before a tool'),
    "event-name": Rule("error", "`hookSpecificOutput` without the right `hookEventName`"),
    "mixed-output": Rule("error", "text on stdout before the JSON answer"),
    "reason-on-stdout": Rule("warning", "exit code 2 with the reason on stdout"),
    "input-key": Rule("error", "a key of the input that is never there"),
    "dead-variable": Rule("error", "a variable that no agent sets"),
    "needs-unanswered": Rule("error", "`needs` or `uses` a word that the hook never answers"),
    "answer-undeclared": Rule("error", "an answer that the manifest does not declare"),
    "program-undeclared": Rule("warning", "a program that `requires.programs` does not list"),
    "machine-path": Rule("error", "a path of one machine"),
    "python-version": Rule("error", "Python newer than 3.8"),
    "python-import": Rule("error", "a Python module that is not in the standard library"),
}

_IGNORE = re.compile(r"(?:#|//)\s*hookpm: ignore ([a-z0-9, -]+)")


class Finding(NamedTuple):
    """A finding. file: path in the pack; line: from 1; text: what stands there; message: what is
    wrong with it; form: what works instead."""

    code: str
    file: str
    line: int
    text: str
    message: str
    form: str

    @property
    def severity(self) -> str:
        """ "error" or "warning"."""
        return RULES[self.code].severity


class Source(NamedTuple):
    """A script of the pack, or a command line of its manifest.

    file: path in the pack; first: the line that the text begins at; language: "sh" (no more than
    POSIX), "bash", "python", "javascript" or "". hooks: those that run it, directly or by import.
    """

    file: str
    first: int
    text: str
    language: str
    hooks: tuple[Hook, ...]

    def finding(self, code: str, line: int, text: str, message: str, form: str) -> Finding:
        """A finding in this source."""
        return Finding(code, self.file, line, text.strip()[:160], message, form)

    def at(self, code: str, line: int, message: str, form: str) -> Finding:
        """A finding about a whole line."""
        return self.finding(code, line, self.line(line), message, form)

    def events(self) -> frozenset[str]:
        """The events that it runs at."""
        return frozenset(hook.event for hook in self.hooks)

    def line(self, number: int) -> str:
        """The text of a line."""
        lines = _split(self.text)
        index = number - self.first
        return lines[index] if 0 <= index < len(lines) else ""


@lru_cache(maxsize=4)
def _split(text: str) -> list[str]:
    """A text's lines; kept, as a long script can have many findings."""
    return text.split("\n")


def settled(findings: Iterable[Finding], texts: dict[str, str]) -> tuple[Finding, ...]:
    """Each finding once, by file and line, without those that a comment there ignores.

    texts: path -> text of the files. The comment stands on the line, or alone on the one before.
    """
    lines = {path: text.split("\n") for path, text in texts.items()}
    kept: dict[tuple[str, str, int, str], Finding] = {}
    for each in findings:
        if each.code not in _ignored(lines.get(each.file, []), each.line):
            kept.setdefault((each.file, each.code, each.line, each.text), each)
    return tuple(sorted(kept.values(), key=lambda each: (each.file, each.line, each.code)))


def _ignored(lines: list[str], number: int) -> set[str]:
    codes: set[str] = set()
    here = lines[number - 1 : number]
    before = [line for line in lines[max(number - 2, 0) : number - 1] if _is_comment(line)]
    for line in here + before:
        found = _IGNORE.search(line)
        codes |= set(re.split(r"[,\s]+", found[1].strip())) if found else set()
    return codes


def _is_comment(line: str) -> bool:
    return line.lstrip().startswith(("#", "//"))
