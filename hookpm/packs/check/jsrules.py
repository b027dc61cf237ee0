"""Rules about hooks in JavaScript and TypeScript: few, and only what a line shows for sure."""

from __future__ import annotations

import re
from collections.abc import Iterator

from hookpm.packs.check import says, starts
from hookpm.packs.check.finding import Finding, Source

_COMMENT = re.compile(r"/\*.*?\*/|(?<![:\"'`\w])//[^\n]*", re.DOTALL)
_EXIT = re.compile(r"process\.exit\((\d+)\)|process\.exitCode\s*=\s*(\d+)")
_TOLD = re.compile(r"console\.(?:error|log|warn)\(|process\.std(?:err|out)\.write\(")
_STARTED = re.compile(
    r"\b(?:exec|execSync|spawn|spawnSync|execFile|execFileSync)\(\s*([\"'`])(.*?)\1(?:\s*,\s*\[(.*?)\])?"
)


def code(text: str) -> str:
    """The text without its comments, line by line as it was."""
    return _COMMENT.sub(lambda found: re.sub(r"[^\n]", " ", found.group()), text)


def findings(source: Source) -> Iterator[Finding]:
    """All findings of this module in one script."""
    lines = code(source.text).split("\n")
    for index, line in enumerate(lines):
        number = source.first + index
        if found := _EXIT.search(line):
            yield from _exit(
                source, number, found[1] or found[2], lines[max(index - 2, 0) : index + 1]
            )
        if found := _STARTED.search(line):
            words = [*found[2].split(), *re.findall(r"[\"'`](.*?)[\"'`]", found[3] or "")]
            name = words[0].rpartition("/")[2] if words else ""
            if what := starts.from_network(name, words[1:]):
                yield starts.network_finding(source, number, what)


def _exit(source: Source, number: int, status: str, near: list[str]) -> Iterator[Finding]:
    """An exit with another code than 2 right behind a message that says that it refuses."""
    told = " ".join(line for line in near if _TOLD.search(line))
    if status in ("0", "2") or not says.can_refuse(source) or not says.refuses_in_words(told):
        return
    yield source.at(
        "exit-1",
        number,
        f"exit code {status} is a failure, and a failure allows: nothing is blocked",
        "process.exit(2), with the reason on stderr",
    )
