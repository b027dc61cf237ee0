"""The one shell line that an agent runs at each event: written here, and recognised here.

It finds the bridge, picks a python, and ends with 0 whatever happens: several agents take any other
exit code, or text on stdout, for a refusal. So nothing but the bridge's JSON may reach stdout. An
agent that is best refused by exit code 2 gets it where the bridge refuses, and nowhere else.

Facts it rests on: Claude Code runs hooks by `/bin/sh -c` (dash on many systems), Gemini CLI by
`bash -c`, Copilot CLI by `/bin/bash --norc --noprofile -c`, Codex by the login shell of the passwd
file (which may be fish or zsh); Cursor's shell is not known.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from functools import cache
from typing import Any, NamedTuple

from hookpm.contract.answer import REFUSED
from hookpm.contract.events import CLAUDE_EVENTS, EVENTS

BRIDGE = ".agents/hookpm/bridge.py"
NO_PYTHON = ".agents/hookpm/no-python.json"  # one line of JSON, shown where python3 does not start

# Walks up from the working directory. `until` and not `while !`: csh reads ! in single quotes.
_WALK = (
    f'd=$PWD; until [ -f "$d/{BRIDGE}" ]; do '
    "case $d in */*) d=${d%/*};; *) END;; esac; done; "
    f'b="$d/{BRIDGE}"; '
)
# A link to a fast interpreter, kept by hookpm on each machine; else what PATH has. A relative path
# would lie in whatever folder the agent works in, where a model can put a program.
_ABSOLUTE = "case $y in /*) ;; *) y=;; esac; "
_PYTHON = (
    f'y="${{XDG_CACHE_HOME:-$HOME/.cache}}/hookpm/python3"; {_ABSOLUTE}'
    '[ -f "$y" ] && [ -x "$y" ] || y=python3; '
)
# Ends in which nothing has been printed: the shell found nothing to run (126, 127), python refused
# its options (2), could not read the bridge (1), or died at its own start (134, 139).
# `read` and `printf` are part of the shell: with an empty PATH there is no `cat`.
TELLS = "1|2|126|127|134|139) "
_TELL = TELLS + 'IFS= read -r m <"${b%bridge.py}no-python.json" && printf "%s\\n" "$m";; '
# The one exit code that means a refusal: nothing but the bridge ends with it.
_REFUSE = f"{REFUSED}) exit 2;; "


NO_PYTHON_TEXT = (
    '{"systemMessage": "hookpm: the hooks of this project did not run: python3 (3.8 or newer) or '
    'the bridge does not start here; `hookpm doctor` says why"}\n'
)


class Form(NamedTuple):
    """How one agent's line is built.

    root: a shell expression for the project root, from the agent's own variable; "" = it has none,
    and the line walks up from the working directory. tells: the agent shows a systemMessage, so a
    machine without python is told. foreign_shell: what runs the line may not be a POSIX shell.
    neutral: an event (Claude's name) -> the answer that has no opinion, for an agent that takes
    silence for a refusal: the line gives it wherever the bridge gave no answer.
    refuses_by_exit: a refusal of the bridge becomes exit code 2, with the reason on stderr.
    """

    root: str = ""
    tells: bool = False
    foreign_shell: bool = False
    neutral: Callable[[str], dict[str, Any] | None] | None = None
    refuses_by_exit: bool = False


class Ours(NamedTuple):
    """A command line of ours: for which agent and event, and whether in today's form."""

    agent: str
    event: str
    present: bool


def build(form: Form, agent: str, event: str) -> str:
    """The line for one agent and one of Claude's event names."""
    find = f'b="{form.root}/{BRIDGE}"; [ -f "$b" ] || END; ' if form.root else _WALK
    run = f'"$y" -I -S "$b" {agent} {event}'
    neutral = form.neutral(event) if form.neutral else None
    if neutral is None:
        arms = (_REFUSE if form.refuses_by_exit else "") + (_TELL if form.tells else "")
        body = find + _PYTHON + f"{run}; " + (f"case $? in {arms}esac; " if arms else "") + "END"
        body = body.replace("END", "exit 0")
    else:
        said = json.dumps(neutral, separators=(",", ":")).replace('"', '\\"')
        body = find + _PYTHON + f'o=$({run}); [ "$o" ] || o="{said}"; printf "%s\\n" "$o"; exit 0'
        body = body.replace("END", f'{{ printf "%s\\n" "{said}"; exit 0; }}')
    return f"/bin/sh -c '{body}'" if form.foreign_shell else body


def present(agent: str, event: str) -> str:
    """Today's line for one agent and one of Claude's event names.

    Raises UsageError for an unknown agent.
    """
    from hookpm import agents

    return build(agents.load(agent).wiring.FORM, agent, event)


def read(command: str) -> Ours | None:
    """Whose line a command is: ours in today's or an older form, or None if it is not ours.

    The whole command has to be equal; a command that merely holds our words is the user's.
    """
    known = _present_lines().get(command)
    if known is not None:
        return Ours(*known, present=True)
    former = _former_lines().get(command)
    if former is not None:
        return Ours(*former, present=False)
    found = _OLD_FORM.fullmatch(command.strip())
    if found is None or found["agent"] not in _agent_names() or found["event"] not in CLAUDE_EVENTS:
        return None
    return Ours(found["agent"], found["event"], present=False)


# `hookpm run AGENT EVENT`, with or without a path before it, quoted or not.
_OLD_FORM = re.compile(
    r"""(?: (?:[^\s"'`$;&|<>()]*/)? hookpm | "(?:[^"`$]*/)? hookpm" | '(?:[^']*/)? hookpm' )
        [ ]+ run [ ]+ (?P<agent>[a-z]+) [ ]+ (?P<event>[A-Za-z]+)""",
    re.VERBOSE,
)


def _agent_names() -> tuple[str, ...]:
    from hookpm import agents

    return agents.names()


@cache
def _former_lines() -> dict[str, tuple[str, str]]:
    """The lines of 0.1.0's first form, which took the interpreter from a relative folder too."""
    return {line.replace(_ABSOLUTE, ""): known for line, known in _present_lines().items()}


@cache
def _present_lines() -> dict[str, tuple[str, str]]:
    return {present(agent, event): (agent, event) for agent in _agent_names() for event in EVENTS}
