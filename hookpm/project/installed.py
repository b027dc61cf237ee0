"""The packs that lie in a project: what their files say, whatever registry they once came from."""

from __future__ import annotations

from collections.abc import Collection
from typing import TYPE_CHECKING

from hookpm.edit import tomltext
from hookpm.errors import HookpmError, NotFoundError
from hookpm.packs import content as contents
from hookpm.packs.content import Content, FileEntry
from hookpm.project.vendor import FOLDER

if TYPE_CHECKING:
    from hookpm.project.state import State


def content(now: State, name: str) -> Content | None:
    """The files of a locked pack as they are on the disk; None where they are no pack any more."""
    pack = now.lock.pack(name)
    folder = f"{FOLDER}/packs/{name}"
    files = {
        path: FileEntry(there.data, there.executable)
        for path in (pack.files if pack else ())
        if (there := now.generated.get(f"{folder}/{path}")) is not None
    }
    try:
        return contents.from_files(files, now.root / folder)
    except HookpmError:
        return None


def all_contents(now: State) -> dict[str, Content]:
    """Name -> files, for every locked pack that is whole enough to be read."""
    found = {pack.name: content(now, pack.name) for pack in now.lock.packs}
    return {name: each for name, each in found.items() if each is not None}


def check(name: str, known: Collection[str]) -> None:
    """Raise NotFoundError, with what was meant, where a name is none of the known packs."""
    if name in known:
        return
    near = tomltext.near(name, known)
    hint = f"did you mean {near}?" if near else f"installed: {', '.join(known) or 'nothing'}"
    raise NotFoundError(f"{name} is not installed", hint=hint)
