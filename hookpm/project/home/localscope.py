"""`--local`: packs for this checkout alone, of which git sees nothing.

The same layout as a project's, wired in files that are not committed: an agent's own local file, or
a file that is ours from its first byte. All of it is named in `.git/info/exclude`, and taken out
there to the byte by an uninstall.
"""

from __future__ import annotations

import os
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, cast

from hookpm.agents import Agent
from hookpm.agents.wiring import Finding
from hookpm.edit import lines
from hookpm.errors import RefusedError, SystemFailureError
from hookpm.project.hooksjson import BESIDE, OURS
from hookpm.project.places import read
from hookpm.project.root import LOCK, SETTINGS
from hookpm.project.vendor import FOLDER
from hookpm.project.writing.draft import missing_folders
from hookpm.resolve import lock as locks

if TYPE_CHECKING:
    from hookpm.agents.wiring import Wiring
    from hookpm.project.writing.draft import Draft

EXCLUDE = ".git/info/exclude"
_HEAD = "# written by hookpm install --local, and taken out by hookpm uninstall"
_STAGED = "/.agents/.hookpm-*"


class LocalWiring:
    """An agent's wiring in the file of its own that is not committed, where it has one."""

    def __init__(self, wiring: Wiring) -> None:
        self._wiring = wiring
        self.FILE = str(getattr(wiring, "LOCAL_FILE", wiring.FILE))

    def __getattr__(self, name: str) -> Any:
        return getattr(self._wiring, name)


def wired(agent: Agent) -> Agent:
    """The agent as it is wired in local scope."""
    if not hasattr(agent.wiring, "LOCAL_FILE"):
        return agent
    return agent._replace(wiring=cast("Wiring", LocalWiring(agent.wiring)))


def check(root: Path) -> None:
    """Raise RefusedError where a project cannot have packs that git does not see."""
    if not (root / ".git").is_dir():
        why = f"{root} is none, so nothing would keep these files out of commits"
        if (root / ".git").exists():
            why = "git keeps no list of excludes for one linked worktree, or one submodule, alone"
        raise RefusedError(
            "--local is for the top of a git checkout",
            cause=why,
            hint="`hookpm install PACK --user` installs packs for you alone, for every project",
        )
    committed = tracked(root, [SETTINGS, LOCK, OURS, BESIDE, FOLDER])
    if committed:
        raise RefusedError(
            "--local needs an `.agents` that is not committed",
            cause=f"git tracks {committed[0]}: this project has packs, or hooks, for everybody",
            hint="`hookpm install PACK` adds to them; `hookpm install PACK --user` installs packs "
            "for you alone, for every project",
            file=root / committed[0],
        )


def tracked(root: Path, paths: Sequence[str]) -> list[str]:
    """Those of the paths, or the files below them, that git tracks. Raises SystemFailureError."""
    import subprocess

    try:
        done = subprocess.run(
            ["git", "ls-files", "-z", "--", *(f":(literal){path}" for path in paths)],
            cwd=root,
            capture_output=True,
            timeout=30,
            check=True,
        )
    except (OSError, subprocess.SubprocessError) as error:
        raise SystemFailureError("git cannot be asked what it tracks", cause=str(error)) from None
    return [os.fsdecode(path) for path in done.stdout.split(b"\0") if path]


def in_the_way(draft: Draft, agent: Agent, path: str, *, created: bool) -> Finding | None:
    """Why our entries cannot be in that file of an agent's: it is committed, or shared with what is
    the user's, and would be a change that git sees. created: it is ours from its first byte."""
    if tracked(draft.state.root, [path]):
        return Finding(1, f"git tracks {path}, so what is in it is for everybody")
    own = path == getattr(agent.wiring, "LOCAL_FILE", None)
    if own or created or read(draft.state.root, path) is None:
        return None
    return Finding(
        1,
        f"{agent.facts.title} has no local file, and {path} holds what is not hookpm's; move it "
        "away, or install without --local",
    )


def plan(draft: Draft, wanted: bool) -> None:
    """Plan git's list of excludes: what we made is in it. wanted: there are packs."""
    state = draft.state
    record = state.edit(EXCLUDE)
    data = read(state.root, EXCLUDE)
    text = (data or b"").decode("utf-8", "surrogateescape")
    undo = record.undo if record else ()
    if not wanted:
        left = lines.removed(text, undo)
        gone = bool(record and record.created) and not left
        if record is not None:
            draft.made += record.made
            draft.put(EXCLUDE, data, None if gone else left.encode("utf-8", "surrogateescape"))
        return
    edited = lines.put(text, _lines(draft), undo)
    made = record.made if record else tuple(missing_folders(state.root, EXCLUDE))
    created = record.created if record else data is None
    draft.edits.append(locks.Edit(file=EXCLUDE, created=created, made=made, undo=edited.undo))
    draft.put(EXCLUDE, data, edited.text.encode("utf-8", "surrogateescape"))
    if draft.changes:
        draft.notes.append(
            f"local scope: git sees nothing of what hookpm writes here ({EXCLUDE} says so), and no "
            "other clone is protected by it"
        )


def _lines(draft: Draft) -> list[str]:
    """What git is to leave out: a file that was there before is the user's to exclude."""
    edited = {edit.file for edit in draft.edits if edit.created and edit.file != EXCLUDE}
    wired_in = {wiring.file for wiring in draft.wirings if wiring.created}
    own = (f"/{path}" for path in {LOCK, *edited, *wired_in})
    return [_HEAD, *sorted({*own, f"/{FOLDER}/", _STAGED})]
