"""A planned change as a patch that `git apply` takes."""

from __future__ import annotations

import difflib
import os
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from hookpm.project.writing.change import Change


def of(root: Path, change: Change) -> str:
    """One file's change in git's unified format; what is no text is only named."""
    old_name, new_name = _quoted(f"a/{change.path}"), _quoted(f"b/{change.path}")
    head = [f"diff --git {old_name} {new_name}\n", *_modes(root, change)]
    old, new = _lines(change.old), _lines(change.new)
    if old is None or new is None:
        return "".join([*head, f"Binary files {old_name} and {new_name} differ\n"])
    body = difflib.unified_diff(
        old,
        new,
        "/dev/null" if change.old is None else old_name + _tab(change.path),
        "/dev/null" if change.new is None else new_name + _tab(change.path),
    )
    no_end = "\n\\ No newline at end of file\n"
    return "".join([*head, *(x if x.endswith("\n") else x + no_end for x in body)])


def _modes(root: Path, change: Change) -> list[str]:
    file = root / change.path
    if change.old is None:
        return [f"new file mode {_mode(change.executable)}\n"]
    now = os.access(file, os.X_OK)
    if change.new is None:
        return [f"deleted file mode {_mode(now)}\n"]
    if change.executable and not now:
        return [f"old mode {_mode(False)}\n", f"new mode {_mode(True)}\n"]
    return []


def _mode(executable: bool) -> str:
    return "100755" if executable else "100644"


def _lines(data: bytes | None) -> list[str] | None:
    """The lines with their ends; only a newline ends one. None for what is no text."""
    try:
        text = (data or b"").decode()
    except UnicodeDecodeError:
        return None
    if "\0" in text:
        return None
    lines = [f"{line}\n" for line in text.split("\n")]
    last = lines.pop().removesuffix("\n")
    return [*lines, last] if last else lines


def _tab(path: str) -> str:
    """Behind a name with a space a tab says where it ends."""
    return "\t" if " " in path else ""


def _quoted(name: str) -> str:
    """A name as git writes it: quoted where a character could be taken for something else."""
    if all(c.isprintable() and c not in '"\\' for c in name):
        return name
    named = {'"': '\\"', "\\": "\\\\", "\n": "\\n", "\t": "\\t"}
    octal = (
        named.get(c) or (c if c.isprintable() else "".join(f"\\{b:03o}" for b in c.encode()))
        for c in name
    )
    return '"' + "".join(octal) + '"'
