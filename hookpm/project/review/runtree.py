"""What runs by the files of a checkout or of a git revision, whatever its lock says of them.

For reading a colleague's branch: the packs' files, the entries and terms that the bridge goes by,
the user's own hooks, hookpm.toml, the profiles, and a bridge that is not this hookpm's.
"""

from __future__ import annotations

import os
import subprocess
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from hookpm.edit import jsondoc
from hookpm.errors import HookpmError, NotFoundError, SystemFailureError, UsageError
from hookpm.packs import tomltext
from hookpm.packs.content import FileEntry
from hookpm.project import hooksjson
from hookpm.project.generated import digest
from hookpm.project.hooksjson import Group
from hookpm.project.places import read
from hookpm.project.review import running
from hookpm.project.review.running import PACKS, RunFile, RunPack
from hookpm.project.root import LOCK, SETTINGS
from hookpm.project.vendor import FOLDER, bridge_files
from hookpm.resolve import lock as locks

if TYPE_CHECKING:
    from hookpm.resolve.lock import Lock, LockedPack

_TERMS = f"{FOLDER}/packs.json"
_RULED = ("fallback", "on_failure", "agents", "os")  # what packs.json says of a hook
_LIMIT = 120  # seconds for git

Tree = Mapping[str, FileEntry]  # path from the project root -> file


class Since(NamedTuple):
    """before, after: what runs by the revision and by the working tree; commit: the revision's;
    notes: what else changed, or is not as it should be."""

    commit: str
    before: dict[str, RunPack]
    after: dict[str, RunPack]
    notes: tuple[str, ...]


def since(root: Path, revision: str) -> Since:
    """What ran at a git revision, and what runs in the working tree.

    Raises UsageError for what is no revision, NotFoundError for one that is not there,
    SystemFailureError where git does not answer.
    """
    commit = _commit(root, revision)
    here = _here(root)
    lock = _lock(here)
    wired = sorted({each.file for each in lock.wirings})
    then = _at(root, commit, [".agents", *wired])
    own = {f"{FOLDER}/{path}": data for path, data in bridge_files().items()}
    notes = list(_bridge_notes(then, here, own))
    for file in wired:
        before = then.get(file)
        if (before.data if before else None) != read(root, file):
            notes.append(f"{file} changed: `hookpm verify` says whether its line still answers")
    odd = [p for p, sha in _hashes(lock).items() if p in here and digest(here[p].data) != sha]
    if odd:
        notes.append(f"{odd[0]} is not as the lock says ({len(odd)} such files): `hookpm status`")
    return Since(commit, _packs(then, here, own), _packs(here, here, own), tuple(notes))


# --- trees -------------------------------------------------------------------------------------


def _here(root: Path) -> Tree:
    """All files below `.agents/`, links not followed."""
    found = {}
    for folder, _, names in os.walk(root / ".agents"):
        for name in names:
            path = Path(folder, name)
            relative = path.relative_to(root).as_posix()
            data = f"-> {path.readlink()}".encode() if path.is_symlink() else read(root, relative)
            found[relative] = FileEntry(data or b"", os.access(path, os.X_OK))
    return found


def _at(root: Path, commit: str, paths: Sequence[str]) -> Tree:
    """Files of a commit, by path from the root."""
    listed = _git(root, ["ls-tree", "-r", "-z", commit, "--", *paths])
    entries = []
    for entry in filter(None, listed.split(b"\0")):
        meta, _, name = entry.partition(b"\t")
        mode, kind, blob = meta.split()
        if kind == b"blob":
            entries.append((os.fsdecode(name), blob, mode))
    data = _git(root, ["cat-file", "--batch"], b"".join(b + b"\n" for _, b, _ in entries))
    found = {}
    for path, _, mode in entries:
        head, _, rest = data.partition(b"\n")
        size = int(head.split()[2])
        link = b"-> " if mode == b"120000" else b""
        found[path] = FileEntry(link + rest[:size], mode == b"100755")
        data = rest[size + 1 :]
    return found


def _commit(root: Path, revision: str) -> str:
    if not revision or revision.startswith("-"):
        raise UsageError(f"{revision!r} is no git revision", hint="such as main, HEAD~3 or v1.0")
    command = ["rev-parse", "--verify", "--quiet", "--end-of-options", f"{revision}^{{commit}}"]
    try:
        return _git(root, command).decode().strip()
    except SystemFailureError as error:
        raise NotFoundError(
            f"git knows no revision {revision} here",
            cause=error.cause,
            hint="fetch it first: `git fetch origin`; then origin/main, say, is one",
            file=root,
        ) from None


def _git(root: Path, arguments: Sequence[str], data: bytes = b"") -> bytes:
    try:
        done = subprocess.run(
            ["git", *arguments],
            cwd=root,
            input=data,
            capture_output=True,
            timeout=_LIMIT,
            check=False,
        )
    except (OSError, subprocess.TimeoutExpired) as error:
        raise SystemFailureError("git does not answer", cause=str(error), file=root) from None
    if done.returncode != 0:
        said = done.stderr.decode("utf-8", "replace").strip()
        raise SystemFailureError("git refused", cause=said or None, file=root)
    return done.stdout


# --- packs -------------------------------------------------------------------------------------


def _packs(tree: Tree, last: Tree, own: Mapping[str, bytes]) -> dict[str, RunPack]:
    """What runs by a tree. last: the tree that will run; own: the files of this hookpm's bridge,
    which are no news where `last` has just them."""
    locked = {pack.name: pack for pack in _lock(tree).packs}
    folders = {path[len(PACKS) :].split("/")[0] for path in tree if path.startswith(PACKS)}
    groups = _groups(tree)
    terms = running.terms_of(tree[_TERMS].data) if _TERMS in tree else {}
    names = sorted({*folders, *locked, *(group.pack for group in groups)} - {""})
    found = {n: _pack(tree, n, locked.get(n), groups, terms.get(n, {})) for n in names}
    rest = {
        path: RunFile(digest(entry.data), entry.data, entry.executable)
        for path, entry in tree.items()
        if path == SETTINGS or (_is_rest(path) and not _is_own(path, last, own))
    }
    users = {g.id: running.hook_fields(g, None) for g in groups if not g.pack}
    return {"": RunPack("", "", "", users, rest, {}), **found}


def _pack(
    tree: Tree,
    name: str,
    locked: LockedPack | None,
    groups: Sequence[Group],
    terms: Mapping[str, Any],
) -> RunPack:
    start = f"{PACKS}{name}/"
    entries = {p[len(start) :]: e for p, e in tree.items() if p.startswith(start)}
    manifest = running.manifest_of(entries, name)
    ruled = terms.get("hooks") if isinstance(terms.get("hooks"), dict) else {}
    hooks = {}
    for group in groups:
        if group.pack == name:
            fields = running.hook_fields(group, manifest)
            said = (ruled or {}).get(group.id)
            if isinstance(said, dict):
                fields |= {key: said.get(key) for key in _RULED if key in said or key in fields}
            hooks[group.id] = fields
    return RunPack(
        name,
        locked.version if locked else "of no known version",
        locked.source if locked else "nowhere that a lock tells",
        hooks,
        {path: RunFile(digest(e.data), e.data, e.executable) for path, e in entries.items()},
        running.settings_of(manifest, terms.get("options"), terms.get("agents")),
        locked.commit if locked else None,
    )


def _groups(tree: Tree) -> list[Group]:
    """Every group of the hooks file; pack: "" for the user's own, whose ids are made up."""
    for path in (hooksjson.BESIDE, hooksjson.OURS):
        entry = tree.get(path)
        if entry is not None:
            break
    else:
        return []
    try:
        value = jsondoc.parse(jsondoc.decode(entry.data, path), path).value
    except HookpmError:
        return []
    table = value.get("hooks") if isinstance(value, dict) else None
    found: list[Group] = []
    for event, groups in table.items() if isinstance(table, dict) else ():
        for group in groups if isinstance(groups, list) else ():
            if isinstance(group, dict):
                pack = str(group.get("pack") or "")
                made_up = f"of the user's own, {sum(not g.pack for g in found) + 1}"
                found.append(Group(event, pack, str(group.get("id")) if pack else made_up, group))
    return found


def _is_rest(path: str) -> bool:
    """Does a file run, or say what runs, and is no pack's?"""
    return path.startswith(f"{FOLDER}/") and not path.startswith(PACKS) and path != _TERMS


def _is_own(path: str, last: Tree, own: Mapping[str, bytes]) -> bool:
    there = last.get(path)
    return path in own and there is not None and there.data == own[path]


def _bridge_notes(then: Tree, here: Tree, own: Mapping[str, bytes]) -> Sequence[str]:
    moved = [p for p, d in own.items() if p in then and then[p].data != d and _is_own(p, here, own)]
    if not moved:
        return ()
    return (f"{len(moved)} files of the bridge changed, to those of the hookpm that you run",)


def _lock(tree: Tree) -> Lock:
    entry = tree.get(LOCK)
    try:
        return locks.loads(tomltext.decode(entry.data, LOCK), LOCK) if entry else locks.Lock()
    except HookpmError:
        return locks.Lock()


def _hashes(lock: Lock) -> dict[str, str]:
    found = {file.path: file.sha256 for file in lock.files}
    for pack in lock.packs:
        found |= {f"{PACKS}{pack.name}/{path}": sha for path, sha in pack.files.items()}
    return found
