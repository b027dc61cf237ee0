"""The shell line that the user bridge puts into the user's own config, for any project.

The project's line, but for where the bridge lies, where the project is looked for, and that a
machine without python is told only inside a project of hookpm's. Nothing is taken from the folder
that the agent was started in: a clone must not run code by being opened.
"""

from __future__ import annotations

import re
from functools import cache
from typing import Any

from hookpm.agents import shell_line
from hookpm.agents.shell_line import BRIDGE, TELLS, Form, Ours
from hookpm.contract.events import EVENTS

DATA = "${XDG_DATA_HOME:-$HOME/.local/share}/hookpm"
LOCK = ".agents/hookpm.lock"

_MARK = "@"


def build(form: Form, agent: str, event: str) -> str:
    """The line for one agent and one of Claude's event names."""
    start = form.root or "."
    line = shell_line.build(form._replace(root=_MARK), agent, event)
    line = _put(line, f'b="{_MARK}/{BRIDGE}"; ', f'b="{DATA}/bridge/bridge.py"; {_absolute("b")}')
    line = _put(line, f'"$b" {agent} {event}', f'"$b" {agent} {event} "{start}"')
    if TELLS in line:
        line = _put(line, TELLS, f'{TELLS}d=$(cd "{start}" && pwd -P); {_IN_A_PROJECT}')
    return line


def present(agent: str, event: str) -> str:
    """Today's line for one agent and event. Raises UsageError for an unknown agent."""
    from hookpm import agents

    return build(agents.load(agent).wiring.FORM, agent, event)


def read(command: str) -> Ours | None:
    """Whose user line a command is, in today's form or another version's; None if it is not ours.

    Every version's begins with where the bridge lies and ends with `exit 0`.
    """
    known = lines().get(command)
    if known is not None:
        return Ours(*known, present=True)
    found = _ANY_FORM.fullmatch(command)
    if found is None or (found["agent"], found["event"]) not in lines().values():
        return None
    return Ours(found["agent"], found["event"], present=False)


_ANY_FORM = re.compile(
    rf"""(?:/bin/sh\ -c\ ')? b="{re.escape(f"{DATA}/bridge/bridge.py")}";
        .* "\$b"\ (?P<agent>[a-z]+)\ (?P<event>[A-Za-z]+)\ .* exit\ 0'?""",
    re.VERBOSE,
)


@cache
def lines() -> dict[str, tuple[str, str]]:
    """Every user line of today -> its agent and event."""
    from hookpm import agents

    return {present(agent, event): (agent, event) for agent in agents.names() for event in EVENTS}


def swapped(value: Any, *, to_user: bool) -> Any:
    """A config value with the user's lines in the place of the project's, or the other way round.

    The other way round, a project's line becomes empty text: in the user's file it is not ours.
    """
    if isinstance(value, dict):
        return {key: swapped(each, to_user=to_user) for key, each in value.items()}
    if isinstance(value, list):
        return [swapped(each, to_user=to_user) for each in value]
    if not isinstance(value, str):
        return value
    if to_user:
        found = shell_line.read(value)
        return value if found is None else present(found.agent, found.event)
    ours = read(value)
    if ours is not None:
        old = f"hookpm run {ours.agent} {ours.event}"
        return shell_line.present(ours.agent, ours.event) if ours.present else old
    return "" if shell_line.read(value) is not None else value


def _absolute(name: str) -> str:
    """A relative XDG folder does not count: it would lie in whatever folder the agent works in."""
    return f"case ${name} in /*) ;; *) {name}=;; esac; "


_IN_A_PROJECT = (
    f'until [ -f "$d/{LOCK}" ]; do case $d in */*) d=${{d%/*}};; *) exit 0;; esac; done; '
)


def _put(line: str, old: str, new: str) -> str:
    if line.count(old) != 1:
        raise AssertionError(f"{old!r} is not once in the line of the project")
    return line.replace(old, new)
