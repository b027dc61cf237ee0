"""What a project has now: settings, lock, hooks file, agents' files. Read once, then a value."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from hookpm.errors import FileFormatError, RefusedError
from hookpm.project import hooksjson, settings
from hookpm.project.home import localscope
from hookpm.project.home.homefolders import BRIDGE_RECORD, data_folder
from hookpm.project.home.scope import LOCAL, PROJECT, Scope
from hookpm.project.places import read, refuse_obstacles
from hookpm.project.root import LOCK, SETTINGS
from hookpm.project.vendor import FOLDER

if TYPE_CHECKING:
    from hookpm.project.hooksjson import HooksFile
    from hookpm.project.profiles.layers import Merged
    from hookpm.project.profiles.profiles import Stack
    from hookpm.project.settings import Settings
    from hookpm.resolve.lock import Edit, Lock, Wiring


class OnDisk(NamedTuple):
    """A file below `.agents/hookpm/`."""

    data: bytes
    executable: bool


class State(NamedTuple):
    """A project as it is. settings: what is wanted, profiles included; own: what hookpm.toml alone
    says; settings_text: None where there is no hookpm.toml; generated: path from the root -> file,
    for everything below `.agents/hookpm/`. mended: the lock held a conflict of git's, and is both
    sides of it. stack, merged: the profiles, and what they and hookpm.toml come to; None where
    hookpm.toml stands alone. scope: whose packs these are, and how its agents are wired; others:
    what the other one that wires files of this folder (user scope, user bridge) put there; healed:
    path -> bytes of the user's files that git could not merge, and that count as merged."""

    root: Path
    settings: Settings
    own: Settings
    settings_text: str | None
    lock: Lock
    lock_bytes: bytes | None
    hooks: HooksFile
    generated: dict[str, OnDisk]
    mended: bool = False
    healed: Mapping[str, bytes] = {}
    stack: Stack | None = None
    merged: Merged | None = None
    scope: Scope = Scope(PROJECT)
    others: tuple[Wiring, ...] = ()

    def edit(self, path: str) -> Edit | None:
        """The lock's record of our edit to a file that is the user's as well."""
        return next((edit for edit in self.lock.edits if edit.file == path), None)

    def wiring(self, agent: str) -> Wiring | None:
        """The lock's record of an agent's wiring."""
        return next((wiring for wiring in self.lock.wirings if wiring.agent == agent), None)

    def said(self, key: Sequence[str]) -> tuple[str, Path | str]:
        """The text and the file in which a key of the settings stands."""
        if self.merged is None:
            return self.settings_text or "", self.root / SETTINGS
        layer = self.merged.layer(key)
        return layer.text, layer.file

    def profile_of(self, pack: str) -> str | None:
        """The source of the profile that a pack's line came from; None for hookpm.toml itself."""
        return None if self.merged is None else self.merged.profile(pack)

    def locked_files(self) -> dict[str, str]:
        """Path from the root -> hash, for every generated file that the lock lists."""
        files = {file.path: file.sha256 for file in self.lock.files}
        for pack in self.lock.packs:
            for path, hashed in pack.files.items():
                files[f"{FOLDER}/packs/{pack.name}/{path}"] = hashed
        return files


def load(root: Path, *, mend: bool = False, look: bool = False, scope: str | None = None) -> State:
    """Read the project. mend: take a lock that git could not merge for both its sides; look: only
    to be told of, so a hooks file that does not read is no error; scope: the one to be, where there
    is no lock yet that says it.

    Raises FileFormatError and SystemFailureError, naming the file; RefusedError where the lock is
    of another scope.
    """
    refuse_obstacles(root, (SETTINGS, LOCK, hooksjson.OURS, hooksjson.BESIDE), FOLDER)
    healed: dict[str, bytes] = {}
    texts = _healed(root, healed) if mend else {}
    wanted, text = settings.read(root, texts.get(SETTINGS))
    lock_bytes = read(root, LOCK)
    lock, mended = _read_lock(root, lock_bytes, mend)
    of_lock = lock.scope or PROJECT
    found = _scope(root, of_lock if lock_bytes is not None else None, scope)
    now = State(
        root=root,
        settings=wanted,
        own=wanted,
        settings_text=text,
        lock=lock,
        lock_bytes=lock_bytes,
        hooks=hooksjson.looked_at(root) if look else hooksjson.read(root, texts),
        generated=generated(root),
        mended=mended,
        healed=healed,
        scope=found,
        others=bridge_record().wirings if found.is_user else (),
    )
    if is_plain(wanted):
        return now
    from hookpm.project.profiles import profiles

    return profiles.laid(now, profiles.held(now), text or "")


def _healed(root: Path, disk: dict[str, bytes]) -> dict[str, str]:
    """The texts of the user's files that git left with a conflict, as one; `disk` gets their bytes.

    Raises FileFormatError where that is the user's to decide.
    """
    texts = {}
    for path in (SETTINGS, hooksjson.OURS, hooksjson.BESIDE):
        data = read(root, path)
        if data is None or b"<<<<<<< " not in data:
            continue
        from hookpm.edit import tomltext
        from hookpm.project.merging import conflicts, unmerged

        text = tomltext.decode(data, root / path)
        if conflicts.has_markers(text):
            merge = unmerged.settings if path == SETTINGS else conflicts.hooks
            texts[path] = unmerged.healed(root, path, text, merge)
            disk[path] = data
    return texts


def is_plain(own: Settings) -> bool:
    """Does a hookpm.toml stand alone: no profiles, no policy?"""
    return not own.extends and own.policy == settings.Policy()


def edited(now: State, text: str) -> State:
    """The project as a hookpm.toml of this text wants it; nothing is read or written.

    Raises FileFormatError, and RefusedError for what a profile does not allow.
    """
    own = settings.parse(text, now.root / SETTINGS)
    if is_plain(own):
        return now._replace(settings=own, own=own, stack=None, merged=None)
    from hookpm.project.profiles import profiles

    return profiles.laid(now, now.stack or profiles.Stack(()), text)


def refuse_broken(now: State) -> State:
    """The project as it is; raises the first RefusedError for a line that a profile forbids."""
    if now.merged is not None and now.merged.broken:
        raise now.merged.broken[0]
    return now


def bridge_record() -> Lock:
    """What the user bridge put where; empty where there is none. Raises FileFormatError."""
    from hookpm.resolve import lock as locks

    return locks.read(data_folder() / BRIDGE_RECORD) or locks.Lock()


def _scope(root: Path, of_lock: str | None, wanted: str | None) -> Scope:
    if of_lock is not None and wanted not in (None, of_lock):
        raise RefusedError(
            f"the packs in {root} are of {of_lock} scope, not of {wanted} scope",
            cause="one folder has packs of one scope, for they are in the same place",
            hint="uninstall them first, or leave the option out",
            file=root / LOCK,
        )
    if of_lock is None and wanted == LOCAL:
        localscope.check(root)
    return Scope(of_lock or wanted or PROJECT)


def _read_lock(root: Path, data: bytes | None, mend: bool) -> tuple[Lock, bool]:
    """The lock, and whether it had to be put together from two."""
    from hookpm import agents
    from hookpm.edit import tomltext
    from hookpm.project.merging import lockmerge
    from hookpm.resolve import lock as locks

    file = root / LOCK
    if data is None:
        return locks.Lock(), False
    text = tomltext.decode(data, file)
    both = lockmerge.merged(text, file) if mend else None
    lock = locks.loads(text, file) if both is None else both
    unknown = [each.agent for each in lock.wirings if each.agent not in agents.names()]
    if unknown:
        raise FileFormatError(
            f"the lock says that {unknown[0]} is wired, which this hookpm does not know",
            hint="upgrade hookpm",
            file=file,
        )
    return lock, both is not None


def generated(root: Path) -> dict[str, OnDisk]:
    """Every file below `.agents/hookpm/`, links not followed, and every link to a folder."""
    import os

    found: dict[str, OnDisk] = {}
    for folder, folders, names in os.walk(root / FOLDER):
        links = [name for name in folders if Path(folder, name).is_symlink()]
        for name in [*names, *links]:
            path = Path(folder, name)
            relative = path.relative_to(root).as_posix()
            data = read(root, relative) if path.is_file() or path.is_symlink() else b""
            found[relative] = OnDisk(data or b"", os.access(path, os.X_OK))
    return dict(sorted(found.items()))
