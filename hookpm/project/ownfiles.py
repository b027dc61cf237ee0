"""The part of a plan that is about `.agents/hookpm/`: what is written, what goes, what stays.

Whatever lies there and is not known to be hookpm's is somebody's: it is neither overwritten nor
removed, but named.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import TYPE_CHECKING

from hookpm.errors import RefusedError
from hookpm.project.places import read, refuse_obstacles
from hookpm.project.root import LOCK
from hookpm.project.vendor import ATTRIBUTES, FOLDER, bridge_files
from hookpm.project.writing.change import Change

if TYPE_CHECKING:
    from hookpm.project.generated import File
    from hookpm.project.state import State
    from hookpm.project.writing.draft import Draft


def plan(draft: Draft, files: Mapping[str, File], known: Mapping[str, File]) -> None:
    """Plan that just `files` of ours lie there. known: more files that count as ours where they
    have these very bytes, for a project whose lock was lost.

    Raises RefusedError where a file of somebody else's stands in the place of one of ours.
    """
    state, present = draft.state, draft.state.generated
    refuse_obstacles(state.root, [path for path in files if path not in present])
    _refuse_strangers(state, files)
    for path, file in files.items():
        old = present.get(path)
        if old is None:
            draft.put(path, read(state.root, path), file.data, file.executable)
        elif old.data != file.data or (file.executable and not old.executable):
            draft.changes[path] = Change(path, old.data, file.data, file.executable)
    for path, old in present.items():
        if path in files:
            continue
        if _is_ours(state, path, old.data) or (path in known and known[path].data == old.data):
            draft.put(path, old.data, None)
        else:
            draft.strangers.append(path)
            stays = "" if files else ", so it stays"
            draft.notes.append(f"{path} is not hookpm's: the lock does not list it{stays}")


def _refuse_strangers(state: State, files: Mapping[str, File]) -> None:
    if _is_a_folder_without_its_lock(state):
        return
    strange = [
        path
        for path, file in files.items()
        if path in state.generated
        and state.generated[path].data != file.data
        and not _is_ours(state, path, state.generated[path].data)
    ]
    if strange:
        more = f", and {len(strange) - 1} more files" if len(strange) > 1 else ""
        raise RefusedError(
            f"{strange[0]} is not hookpm's{more}: nothing is written over it",
            cause=f"{LOCK} does not list it, and hookpm would write other bytes there",
            hint="move it away, or remove it, and run the command again",
            file=state.root / strange[0],
        )


def _is_a_folder_without_its_lock(state: State) -> bool:
    """Did hookpm make the folder, and is the record of what is in it lost, or merged by git?"""
    mark = state.generated.get(f"{FOLDER}/.gitattributes")
    ours = mark is not None and mark.data == ATTRIBUTES.encode()
    return state.mended or (ours and state.lock_bytes is None)


def _is_ours(state: State, path: str, data: bytes) -> bool:
    """Does the lock list a file, or is it this version's, to the byte?"""
    if path in state.locked_files():
        return True
    name = path.removeprefix(f"{FOLDER}/")
    own = bridge_files().get(name)
    return (own is not None and own == data) or (name == "packs.json" and _is_packs_json(data))


def _is_packs_json(data: bytes) -> bool:
    """Is it what hookpm tells the bridge of packs, whichever they are?"""
    try:
        value = json.loads(data)
    except ValueError:
        return False
    return isinstance(value, dict) and set(value) == {"packs", "wired"}
