"""The shell line of user scope: it runs the user's own packs, in every project.

The bridge is the one in the home folder's `.agents`, found by HOME and by nothing of the project;
it is told the agent's project, for the hooks to know.
"""

from __future__ import annotations

from functools import partial

from hookpm.agents import moved_line
from hookpm.agents.shell_line import BRIDGE, Form

_BRIDGE = f"$HOME/{BRIDGE}"
MARK = "home"  # how the bridge knows that it was started by this line


def build(form: Form, agent: str, event: str) -> str:
    """The line for one agent and one of Claude's event names."""
    return moved_line.moved(form, agent, event, _BRIDGE, f'"{form.root or "."}" {MARK}')


KIND = moved_line.Kind(build, _BRIDGE, rf'"[^"]*"\ {MARK}\b')
present = partial(moved_line.present, KIND)
read = partial(moved_line.read, KIND)
lines = partial(moved_line.lines, KIND)
swapped = partial(moved_line.swapped, KIND)
