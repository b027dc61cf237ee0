"""What is wrong with the user's own hooks in the hooks file: no script, no tool, no such event."""

from __future__ import annotations

import posixpath
import re
import shlex
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

from hookpm.contract import hooksfile
from hookpm.edit import jsondoc
from hookpm.project.health.problem import Problem

if TYPE_CHECKING:
    from hookpm.agents.facts import Facts
    from hookpm.contract.hooksfile import Hook
    from hookpm.project.state import State

_ROOT = ("${CLAUDE_PROJECT_DIR}", "$CLAUDE_PROJECT_DIR", "${CLAUDE_PROJECT_DIR:-.}")
_INTERPRETERS = ("sh", "bash", "zsh", "dash", "python", "python3", "node", "ruby", "perl")


def own(now: State) -> Iterator[tuple[Hook, int]]:
    """The hooks of the user's own groups that can run, each with its line."""
    document = jsondoc.parse(now.hooks.text or "", now.hooks.path)
    table = document.value.get("hooks") if isinstance(document.value, dict) else None
    for event in table if isinstance(table, dict) else ():
        for hook in hooksfile.hooks_for(document.value, event)[0]:
            if not hook.pack:
                yield hook, document.line_at(hook.place) or 1


def without_script(now: State) -> Iterator[Problem]:
    """Hooks whose command names a file of the project that is not there."""
    file = now.hooks.path
    for hook, line in own(now):
        script = None if hook.url else _script(hook.command, hook.args)
        if script is not None and not (now.root / script).exists():
            message = f"{script} is gone, so this hook of {hook.event} never runs"
            fix = f"restore {script}, or take the entry out of {file}:{line}"
            yield Problem("script-gone", "broken", file, None, message, fix, line)


def that_never_fire(now: State, facts: Facts) -> Iterator[Problem]:
    """Hooks that one agent never runs: it has no such event, or no tool that the matcher takes."""
    from hookpm.audit import gaps
    from hookpm.packs import manifest

    file = now.hooks.path
    for hook, line in own(now):
        asked = manifest.Hook(
            id="it", event=hook.event, matcher=hook.matcher or "", command=hook.command
        )
        for warning in gaps.warnings_of("", asked, facts):
            fix = f"change the entry in {file}:{line}, or leave it to the other agents"
            message = f"your own hook: {warning.message}"
            yield Problem(warning.code, "note", file, facts.name, message, fix, line)


def _script(command: str, arguments: list[str] | None) -> str | None:
    """The file of the project that a command starts, from the root; None where it names none, or
    where that depends on more than the words."""
    try:
        words = [command, *arguments] if arguments is not None else shlex.split(command)
    except ValueError:
        return None
    if words and Path(words[0]).name in _INTERPRETERS:
        words = [word for word in words[1:] if not word.startswith("-")][:1]
    for word in words[:1]:
        for variable in _ROOT:
            word = word.removeprefix(f"{variable}/")
        plain = "/" in word and not word.startswith(("/", "~", "../"))
        return word if plain and not any(c in word for c in "$`*?;&|<>(){}=\n") else None
    return None


def named_files(group: Mapping[str, Any]) -> set[str]:
    """What may be files of the project among the words of a group's commands, from the root."""
    found = set()
    handlers = group.get("hooks")
    for handler in handlers if isinstance(handlers, list) else ():
        if not isinstance(handler, dict):
            continue
        more = handler.get("args")
        texts = [handler.get("command"), *(more if isinstance(more, list) else ())]
        for text in texts:
            for word in _SPLIT.split(text) if isinstance(text, str) else ():
                for variable in _ROOT:
                    word = word.removeprefix(f"{variable}/")
                plain = posixpath.normpath(word) if word else "."
                if not plain.startswith(("/", "~", "..", "-", ":")) and plain != ".":
                    found.add(plain)
    return found


_SPLIT = re.compile(r"""[\s"';&|<>()`=]+""")
