"""A pack that works, to start from: manifest, hook, cases and README for an event and a language.

What is written passes `pack check` and `pack test`; the texts are data in `sketches`.
"""

from __future__ import annotations

import json
import tempfile
from collections.abc import Mapping
from pathlib import Path

from hookpm.contract.events import TOOL_EVENTS
from hookpm.errors import RefusedError, SystemFailureError
from hookpm.packs import sketches
from hookpm.packs.content import FileEntry
from hookpm.packs.sketches import Sketch

LANGUAGES = ("python", "sh")

_README = """\
# {name}

{description}

    hookpm pack check .      # finds what is known to go wrong in hooks
    hookpm pack test .       # runs cases/*.toml through the bridge
    hookpm pack build .      # makes the archive

`hookpack.toml` says when `{run}` runs and what it answers. In a repo,
`hookpm install PATH/TO/{name}` takes this folder itself, and `hookpm sync` takes its changes.
"""


def files(name: str, *, lang: str, event: str, description: str = "") -> dict[str, FileEntry]:
    """Path -> file of a new pack.

    name: a pack's name; lang: one of LANGUAGES; event: one that a hook can have; description: one
    line, "" for the sketch's own.
    """
    sketch = sketches.of(event)
    told = description.strip() or sketch.about
    run = "hook.py" if lang == "python" else "hook.sh"
    body = sketch.python if lang == "python" else sketch.shell
    texts = {
        "hookpack.toml": _manifest(name, event, told, run, sketch),
        run: body.replace("ABOUT", _one_line(told, lang)),
        f"cases/{event}.toml": _cases(event, sketch),
        "README.md": _README.format(name=name, description=told, run=run),
    }
    return {path: FileEntry(text.encode(), path == "hook.sh") for path, text in texts.items()}


def write(wanted: Mapping[str, FileEntry], folder: Path) -> None:
    """Write a new pack's files; the folder is there whole or not at all.

    Raises RefusedError where something is there already, SystemFailureError.
    """
    try:
        if folder.is_symlink() or (folder.exists() and not folder.is_dir()):
            raise RefusedError(f"{folder} is there already, and no folder", file=folder)
        if folder.is_dir() and any(folder.iterdir()):
            raise RefusedError(
                f"{folder} is there already, and not empty",
                hint="nothing was written; choose another name, or another place with --to DIR",
                file=folder,
            )
        folder.parent.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryDirectory(dir=folder.parent, prefix=f".{folder.name}-") as made:
            whole = Path(made) / "pack"
            for path, entry in wanted.items():
                (whole / path).parent.mkdir(parents=True, exist_ok=True)
                (whole / path).write_bytes(entry.data)
                if entry.executable:
                    (whole / path).chmod(0o755)
            whole.rename(folder)  # takes the place of an empty folder, of no other
    except OSError as error:
        raise SystemFailureError(
            "cannot write the new pack", cause=error.strerror, file=error.filename or folder
        ) from error


def _manifest(name: str, event: str, told: str, run: str, sketch: Sketch) -> str:
    lines = [
        "[pack]",
        f'name = "{name}"',
        'version = "0.1.0"',
        f"description = {json.dumps(told, ensure_ascii=False)}",
        'requires-hookpm = ">=0.1"',
        "",
        "[[hooks]]",
        f'id = "{sketch.hook_id}"',
        f'event = "{event}"',
        *([f'matcher = "{sketch.matcher}"'] if sketch.matcher else []),
        f'run = "{run}"',
        "timeout = 10                  # seconds",
        *([f'{sketch.declared} = ["{sketch.word}"]'] if sketch.word else []),
    ]
    return "\n".join(lines) + "\n"


def _cases(event: str, sketch: Sketch) -> str:
    made = []
    for case in sketch.cases:
        lines = ["[[case]]", f'name = "{case.name}"', f'event = "{event}"']
        if event in TOOL_EVENTS:
            lines.append(f'tool = "{sketch.tool}"')
        given = ", ".join(f"{key} = {json.dumps(value)}" for key, value in case.input.items())
        lines += [f"input = {{ {given} }}" if given else "input = {}", f'expect = "{case.expect}"']
        if case.said and case.expect != "none":
            lines.append(f'{"context" if case.expect == "context" else "reason"} = "{case.said}"')
        made.append("\n".join(lines) + "\n")
    return "\n".join(made)


def _one_line(told: str, lang: str) -> str:
    """The description as the first line of a docstring, or of a comment."""
    if lang == "python":
        told = told.replace("\\", "\\\\").replace('"', "'")
    return told.rstrip(".")
