"""Writes down what each hook of a scratch project does: its exit code, its output, its time.

Each command of the hooks file is started through a small program that keeps a record of it and
passes everything on, so that the bridge notices no difference.
"""

from __future__ import annotations

import json
import shlex
import sys
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from hookpm.project.hooksjson import Group

# Output goes to files and not through pipes: a child that a hook leaves behind is not waited for.
_PROGRAM = """\
import json, os, subprocess, sys, time

base, number = sys.argv[1], int(sys.argv[2])
with open(os.path.join(base, "commands.json"), encoding="utf-8") as stream:
    command = json.load(stream)[number]
name = os.path.join(base, "%d-%d" % (time.time_ns(), os.getpid()))
with open(name + ".in", "wb") as stream:
    stream.write(sys.stdin.buffer.read())


def keep(code, ms):
    with open(name + ".new", "w", encoding="utf-8") as stream:
        json.dump({"number": number, "exit": code, "ms": ms}, stream)
    os.replace(name + ".new", name + ".json")


keep(None, 0)
with open(name + ".in", "rb") as given, open(name + ".out", "wb") as out:
    with open(name + ".err", "wb") as err:
        start = time.perf_counter()
        code = subprocess.call(["/bin/sh", "-c", command], stdin=given, stdout=out, stderr=err)
        keep(code, (time.perf_counter() - start) * 1000)
for ending, stream in ((".out", sys.stdout), (".err", sys.stderr)):
    with open(name + ending, "rb") as kept:
        stream.buffer.write(kept.read())
    stream.flush()
os._exit(code if code >= 0 else 128 - code)
"""


class Record(NamedTuple):
    """One run. number: which of the commands; exit: None where it was ended before it had ended."""

    number: int
    exit: int | None
    ms: float
    stdout: bytes
    stderr: bytes


class Recorder:
    """Keeps records in a folder. commands: those that were replaced, in order."""

    def __init__(self, folder: Path) -> None:
        folder.mkdir(parents=True)
        (folder / "record.py").write_text(_PROGRAM, encoding="utf-8")
        self.folder = folder
        self.commands: list[str] = []

    def instead(self, group: Group) -> Group:
        """The group with a command that keeps a record of its own one."""
        handlers = []
        for handler in group.value["hooks"]:
            line = shlex.join([sys.executable, "-I", "-S", str(self.folder / "record.py")])
            line += f" {shlex.quote(str(self.folder))} {len(self.commands)}"
            self.commands.append(handler.get("command", ""))
            handlers.append({**handler, "command": line} if "command" in handler else handler)
        (self.folder / "commands.json").write_text(json.dumps(self.commands), encoding="utf-8")
        return group._replace(value={**group.value, "hooks": handlers})

    def read(self) -> list[Record]:
        """The records in the order in which the runs began."""
        found = []
        for file in sorted(self.folder.glob("*-*.json")):
            kept = json.loads(file.read_text("utf-8"))
            streams = [file.with_suffix(ending) for ending in (".out", ".err")]
            output = [each.read_bytes() if each.exists() else b"" for each in streams]
            found.append(Record(kept["number"], kept["exit"], round(kept["ms"], 1), *output))
        return found
