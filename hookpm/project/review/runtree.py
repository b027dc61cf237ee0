"""What runs by the files of a checkout or of a git revision, whatever its lock says of them.

For reading a colleague's branch: the packs' files, the entries and terms that the bridge goes by,
the user's own hooks, hookpm.toml, the profiles, and a bridge that is not this hookpm's.
"""

from __future__ import annotations

import os
import posixpath
import subprocess
from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from fnmatch import fnmatchcase
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from hookpm.edit import jsondoc, tomltext
from hookpm.errors import HookpmError, NotFoundError, SystemFailureError, UsageError
from hookpm.packs.content import FileEntry
from hookpm.project import hooksjson, twins
from hookpm.project.generated import digest
from hookpm.project.health import userhooks
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
_TWIN = b"(a disk that is blind to case has it in the place of the file of that name)\n"
_LINKS = 8  # one after the other

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
    then, here = _at(root, commit), _here(root)
    asked: set[str] = set()
    while more := {path for tree in (then, here) for path in _named(tree)} - asked:
        asked |= more
        then |= _at(root, commit, sorted(more))
        here |= _there(root, more)
    lock = _lock(here)
    own = {f"{FOLDER}/{path}": data for path, data in bridge_files().items()}
    notes = list(_bridge_notes(then, here, own))
    notes += [
        f"{file} changed: `hookpm verify` says whether its line still answers"
        for file in sorted({each.file for each in lock.wirings})
        if then.get(file) != here.get(file)
    ]
    notes += _unread(then, "at that revision")
    notes += _unread(here, "here")
    paths = [LOCK, SETTINGS, hooksjson.OURS, hooksjson.BESIDE, _TERMS, *_agents_files()]
    for path in twins.find(root, paths):
        asked.add(path)
        here[path] = FileEntry(_TWIN, executable=False)
    odd = [p for p, sha in _hashes(lock).items() if p in here and digest(here[p].data) != sha]
    if odd:
        notes.append(f"{odd[0]} is not as the lock says ({len(odd)} such files): `hookpm status`")
    shown = {SETTINGS, *asked, *(p for tree in (then, here) for p in _as_files(tree))}
    before, after = (_packs(tree, here, own, shown) for tree in (then, here))
    return Since(commit, before, after, tuple(notes))


# --- trees -------------------------------------------------------------------------------------


def _named(tree: Tree) -> set[str]:
    """Files that what runs leads to: those that the team's own hooks name, and where links lead."""
    found = {_target(p, e.data) for p, e in tree.items() if not p.startswith(f"{FOLDER}/")}
    for group in _groups(tree):
        if not group.pack:
            found |= userhooks.named_files(group.value)
    return {each for each in found if each and not each.startswith((".git/", f"{FOLDER}/"))}


_LINK = b"-> "  # before where it leads, in the place of a file's bytes


def _target(path: str, data: bytes) -> str | None:
    """Where a link leads, from the root; None for what is no link, or leads out."""
    if not data.startswith(_LINK) or b"\n" in data:
        return None
    to = posixpath.normpath(posixpath.join(posixpath.dirname(path), os.fsdecode(data[3:])))
    return None if to.startswith(("/", "..")) else to


def _there(root: Path, paths: Collection[str]) -> dict[str, FileEntry]:
    files = {p: root / p for p in paths}
    return {p: _entry(root, p) for p, f in files.items() if f.is_symlink() or f.is_file()}


def _here(root: Path) -> dict[str, FileEntry]:
    """All files below `.agents/` and those of the agents, links not followed."""
    found = {}
    for folder, folders, names in os.walk(root / ".agents"):
        links = [name for name in folders if Path(folder, name).is_symlink()]
        for name in [*names, *links]:
            path = Path(folder, name).relative_to(root).as_posix()
            found[path] = _entry(root, path)
    for pattern in _agents_files():
        for each in root.glob(pattern):
            if each.is_symlink() or not each.is_dir():
                path = each.relative_to(root).as_posix()
                found[path] = _entry(root, path)
    return found


def _entry(root: Path, path: str) -> FileEntry:
    file = root / path
    if file.is_symlink():
        return FileEntry(_LINK + os.fsencode(file.readlink()), executable=False)
    return FileEntry(read(root, path) or b"", os.access(file, os.X_OK))


def _agents_files() -> list[str]:
    """Patterns of all files of a project in which an agent finds hooks, wired here or not."""
    from hookpm import agents

    found = []
    for name in agents.names():
        wiring = agents.load(name).wiring
        also = getattr(wiring, "ALSO_READS", ())
        found += [each for each in (getattr(wiring, "FILE", ""), *also) if each]
    return sorted({each for each in found if not each.startswith(("~", "/"))})


def _at(root: Path, commit: str, paths: Sequence[str] = ()) -> dict[str, FileEntry]:
    """These files of a commit; without paths those that `_here` has of the working tree."""
    patterns = paths or [".agents/*", *_agents_files()]
    folders = paths or sorted({".agents", *(p.rpartition("/")[0] for p in patterns[1:])} - {""})
    listed = _git(root, ["ls-tree", "-r", "-z", commit, "--", *folders])
    entries = []
    for entry in filter(None, listed.split(b"\0")):
        meta, _, name = entry.partition(b"\t")
        mode, kind, blob = meta.split()
        path = os.fsdecode(name)
        wanted = path in paths if paths else any(fnmatchcase(path, each) for each in patterns)
        if kind == b"blob" and wanted:
            entries.append((path, blob, mode))
    data = _git(root, ["cat-file", "--batch"], b"".join(b + b"\n" for _, b, _ in entries))
    found = {}
    for path, _, mode in entries:
        head, _, rest = data.partition(b"\n")
        size = int(head.split()[2])
        link = _LINK if mode == b"120000" else b""
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


def _packs(
    tree: Tree, last: Tree, own: Mapping[str, bytes], shown: Collection[str]
) -> dict[str, RunPack]:
    """What runs by a tree. last: the tree that will run; own: the files of this hookpm's bridge,
    which are no news where `last` has just them; shown: what is to be read as files."""
    locked = {pack.name: pack for pack in _lock(tree).packs}
    below = [path[len(PACKS) :] for path in tree if path.startswith(PACKS)]
    folders = {path.split("/")[0] for path in below if "/" in path}
    groups = _groups(tree)
    terms = running.terms_of(tree[_TERMS].data) if _TERMS in tree else {}
    names = sorted({*folders, *locked, *(group.pack for group in groups)} - {""})
    found = {n: _pack(tree, n, locked.get(n), groups, terms.get(n, {})) for n in names}
    rest = {
        path: RunFile(digest(entry.data), entry.data, entry.executable)
        for path, entry in tree.items()
        if _is_rest(path, shown) and not _is_own(path, last, own)
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
    try:
        value = _hooks_document(tree)
    except HookpmError:
        return []  # it is shown as a file: see _is_rest
    table = value.get("hooks") if isinstance(value, dict) else None
    found: list[Group] = []
    seen: Counter[tuple[str, str]] = Counter()
    for event, groups in table.items() if isinstance(table, dict) else ():
        for group in groups if isinstance(groups, list) else ():
            if isinstance(group, dict):
                pack = str(group.get("pack") or "")
                own = str(group.get("id")) if pack else "of the user's own"
                seen[pack, own] += 1
                count = seen[pack, own]
                said = f"{own}, {count}" if not pack or count > 1 else own  # each one runs
                found.append(Group(event, pack, said, group))
    return found


def _hooks_file(tree: Tree) -> str:
    """The one that the bridge reads."""
    return hooksjson.BESIDE if hooksjson.BESIDE in tree else hooksjson.OURS


def _hooks_document(tree: Tree) -> Any:
    """The hooks file's value, None where there is none. Raises HookpmError."""
    path = _hooks_file(tree)
    for _ in range(_LINKS):
        to = _target(path, tree[path].data) if path in tree else None
        path = to or path
    if path not in tree:
        return None
    return jsondoc.parse(jsondoc.decode(tree[path].data, path), path).value


def _unread(tree: Tree, where: str) -> Sequence[str]:
    try:
        _hooks_document(tree)
    except HookpmError as error:
        told = f"{_hooks_file(tree)} {where}: {error.message}"
        return (f"{told}; the bridge may read it all the same, so it is shown as a file",)
    return ()


def _as_files(tree: Tree) -> Sequence[str]:
    """The hooks file, where its entries do not tell all of it."""
    path = _hooks_file(tree)
    linked = path in tree and tree[path].data.startswith(_LINK)
    return [path] if linked or _unread(tree, "") else []


def _is_rest(path: str, shown: Collection[str]) -> bool:
    """Does a file run, or say what runs, and is no pack's?"""
    if not path.startswith(".agents/"):
        return True  # an agent's
    if path.startswith(f"{FOLDER}/"):
        return path != _TERMS and not (path.startswith(PACKS) and "/" in path[len(PACKS) :])
    return path in shown


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
