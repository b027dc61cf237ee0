"""The shell line that the user bridge puts into the user's own config, for any project.

The project's line, but for where the bridge lies, where the project is looked for, and that a
machine without python is told only inside a project of hookpm's. Nothing is taken from the folder
that the agent was started in: a clone must not run code by being opened.
"""

from __future__ import annotations

from functools import partial

from hookpm.agents import moved_line
from hookpm.agents.shell_line import TELLS, Form

DATA = "${XDG_DATA_HOME:-$HOME/.local/share}/hookpm"
LOCK = ".agents/hookpm.lock"

_BRIDGE = f"{DATA}/bridge/bridge.py"
_IN_A_PROJECT = (
    f'until [ -f "$d/{LOCK}" ]; do case $d in */*) d=${{d%/*}};; *) exit 0;; esac; done; '
)


def build(form: Form, agent: str, event: str) -> str:
    """The line for one agent and one of Claude's event names."""
    start = form.root or "."
    line = moved_line.moved(form, agent, event, _BRIDGE, f'"{start}"')
    if TELLS in line:
        told = f'{TELLS}d=$(cd "{start}" && pwd -P); {_IN_A_PROJECT}'
        line = moved_line.put(line, TELLS, told)
    return line


KIND = moved_line.Kind(build, _BRIDGE, "")
present = partial(moved_line.present, KIND)
read = partial(moved_line.read, KIND)
lines = partial(moved_line.lines, KIND)
swapped = partial(moved_line.swapped, KIND)
