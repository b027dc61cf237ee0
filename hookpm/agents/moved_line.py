"""Lines of ours in a user's own config: the project's line, with the bridge in another place.

There are two kinds, the user bridge's and user scope's, and both may stand in one file. Each is
known by its whole form, so neither is ever taken for the other, nor a project's for either.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import cache
from typing import Any, NamedTuple

from hookpm.agents import shell_line
from hookpm.agents.shell_line import BRIDGE, Form, Ours
from hookpm.contract.events import EVENTS

_MARK = "@"


class Kind(NamedTuple):
    """A kind of line. build: as shell_line.build; bridge: where the bridge lies, as the line has it
    (every version's line begins with it); ends: what stands behind agent and event, in words of a
    regular expression."""

    build: Callable[[Form, str, str], str]
    bridge: str
    ends: str


def moved(form: Form, agent: str, event: str, bridge: str, arguments: str) -> str:
    """The project's line with the bridge at another place; the shell fills in both.

    arguments: what the bridge gets behind agent and event. A relative place does not count: it
    would lie in whatever folder the agent works in.
    """
    line = shell_line.build(form._replace(root=_MARK), agent, event)
    absolute = "case $b in /*) ;; *) b=;; esac; "
    line = put(line, f'b="{_MARK}/{BRIDGE}"; ', f'b="{bridge}"; {absolute}')
    return put(line, f'"$b" {agent} {event}', f'"$b" {agent} {event} {arguments}')


def put(line: str, old: str, new: str) -> str:
    """The line with `new` in the one place of `old`."""
    if line.count(old) != 1:
        raise AssertionError(f"{old!r} is not once in the line of the project")
    return line.replace(old, new)


def present(kind: Kind, agent: str, event: str) -> str:
    """Today's line for one agent and event. Raises UsageError for an unknown agent."""
    from hookpm import agents

    return kind.build(agents.load(agent).wiring.FORM, agent, event)


@cache
def lines(kind: Kind) -> dict[str, tuple[str, str]]:
    """Every line of today -> its agent and event."""
    from hookpm import agents

    return {
        present(kind, agent, event): (agent, event) for agent in agents.names() for event in EVENTS
    }


def read(kind: Kind, command: str) -> Ours | None:
    """Whose line of this kind a command is, in today's form or another version's; None if it is
    not ours. Every version's begins with where the bridge lies and ends with `exit 0`."""
    known = lines(kind).get(command)
    if known is not None:
        return Ours(*known, present=True)
    found = _any_form(kind).fullmatch(command)
    if found is None or (found["agent"], found["event"]) not in lines(kind).values():
        return None
    return Ours(found["agent"], found["event"], present=False)


@cache
def _any_form(kind: Kind) -> re.Pattern[str]:
    return re.compile(
        rf"""(?:/bin/sh\ -c\ ')? b="{re.escape(kind.bridge)}";
            .* "\$b"\ (?P<agent>[a-z]+)\ (?P<event>[A-Za-z]+)\ {kind.ends} .* exit\ 0'?""",
        re.VERBOSE,
    )


def swapped(kind: Kind, value: Any, *, to_user: bool) -> Any:
    """A config value with the user's lines in the place of the project's, or the other way round.

    The other way round, a project's line becomes empty text: in the user's file it is not ours.
    """
    if isinstance(value, dict):
        return {key: swapped(kind, each, to_user=to_user) for key, each in value.items()}
    if isinstance(value, list):
        return [swapped(kind, each, to_user=to_user) for each in value]
    if not isinstance(value, str):
        return value
    if to_user:
        found = shell_line.read(value)
        return value if found is None else present(kind, found.agent, found.event)
    ours = read(kind, value)
    if ours is not None:
        old = f"hookpm run {ours.agent} {ours.event}"
        return shell_line.present(ours.agent, ours.event) if ours.present else old
    return "" if shell_line.read(value) is not None else value
