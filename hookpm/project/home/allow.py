"""Which projects the user bridge may run: what the user saw and allowed, kept outside of them.

The list lies in the user's config folder, a copy of every allowed project's files in the data
folder. The bridge compares the project with the copy, byte for byte, and runs the copy.
"""

from __future__ import annotations

import json
import os
import shutil
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from datetime import datetime, timezone
from hashlib import sha256
from pathlib import Path
from typing import Any, NamedTuple

from hookpm.bridge import userfiles
from hookpm.bridge.userfiles import UnsafeError
from hookpm.contract import hooksfile
from hookpm.contract.jsontext import JsonError, loads
from hookpm.errors import FileFormatError, HookpmError, NotFoundError, RefusedError, UsageError
from hookpm.project.home import scope
from hookpm.project.home.homefolders import (
    config_folder,
    data_folder,
    home_or_none,
    make_folders,
    remove_empty,
    write_privately,
)
from hookpm.project.root import LOCK
from hookpm.project.vendor import FOLDER
from hookpm.project.writing import locking
from hookpm.project.writing.pending import PENDING
from hookpm.resolve import lock as locks

LIST = "allowed.json"
COPIES = "allowed"
_MOST = 64 << 20  # bytes that a project's files may come to: they are read on every call


class Command(NamedTuple):
    """A hook that would run. pack: "" for the user's own; matcher: None takes every call."""

    event: str
    matcher: str | None
    pack: str
    id: str
    command: str


class Seen(NamedTuple):
    """A project's files, read once: what is shown, hashed and kept are the same bytes."""

    root: Path
    files: tuple[userfiles.File, ...]
    whole: bytes

    @property
    def sha256(self) -> str:
        """The hash over all files, with their paths and modes."""
        return sha256(self.whole).hexdigest()

    def names(self) -> list[str]:
        """The files' paths, from the project's root."""
        return [f".agents/{userfiles.key(file.path)}" for file in self.files]


class Allowed(NamedTuple):
    """A project on the list. state: "allowed", "changed" or "gone"; when: ISO time, UTC."""

    path: str
    sha256: str
    when: str
    state: str


def find(start: Path) -> Path:
    """The project that the bridge would find from here: the nearest folder upward with a lock.

    Raises NotFoundError where there is none, UsageError where `start` is no folder.
    """
    here = _real(start)
    if not here.is_dir():
        raise UsageError(f"{start} is not a folder")
    above = home_or_none()
    for folder in (here, *here.parents):
        if (folder / LOCK).is_file() and (folder != above or folder == here):
            if scope.recorded(folder) == scope.USER:
                break
            return folder
    raise NotFoundError(
        f"there is no {LOCK} in {here}, nor in a folder above it",
        hint="`hookpm install PACK` makes one",
    )


def look(root: Path) -> Seen:
    """Read everything that counts. Raises RefusedError where one file cannot be trusted to be read
    the same again, NotFoundError where there are no hooks."""
    if (root / PENDING).exists():
        raise RefusedError(
            "an earlier run was stopped half-way here", hint="run `hookpm sync` first", file=root
        )
    try:
        files = tuple(userfiles.collect(os.fsencode(root), _MOST))
    except UnsafeError as error:
        raise RefusedError("this project cannot be allowed", cause=str(error), file=root) from None
    return Seen(root, files, userfiles.whole(list(files)))


def commands(seen: Seen) -> tuple[list[Command], list[str]]:
    """The hooks that would run, in file order, and what of the hooks file does not run.

    Raises FileFormatError for a hooks file that is not JSON.
    """
    hooks_file = next(file for file in seen.files if file.path in userfiles.HOOKS_FILES)
    name, data = hooks_file.path, hooks_file.data
    path = f".agents/{userfiles.key(name)}"
    try:
        document = loads(data.decode("utf-8", "replace"))
    except JsonError as error:
        raise FileFormatError(f"{path} is not JSON", cause=str(error), file=path) from None
    found = []
    table = document.get("hooks") if isinstance(document, dict) else None
    for event in table if isinstance(table, dict) else ():
        for hook in hooksfile.hooks_for(document, event)[0]:
            words = " ".join([hook.command, *(hook.args or ())])
            sent = getattr(hook, "allowed", None)  # variables that go into a request's headers
            words += f" with {', '.join(f'${name}' for name in sent)}" if sent else ""
            found.append(Command(event, hook.matcher, hook.pack, hook.id, words))
    return found, [f"{path}: {problem.message}" for problem in hooksfile.check(document)]


def warnings(seen: Seen) -> list[str]:
    """What the user has to know before: files that nothing watches, and ones that the lock does not
    know as they are."""
    found = []
    own = [each for each in commands(seen)[0] if not each.pack]
    if own:
        count = "1 hook is" if len(own) == 1 else f"{len(own)} hooks are"
        found.append(
            f"{count} no pack's: of what it runs, only files below {FOLDER} are watched for changes"
        )
    found += _against_the_lock(seen)
    return found


def _against_the_lock(seen: Seen) -> Iterator[str]:
    files = dict(zip(seen.names(), seen.files, strict=True))
    try:
        lock = locks.loads(files[LOCK].data.decode("utf-8", "replace"), LOCK)
    except HookpmError as error:
        yield f"{LOCK}: {error.message}"
        return
    listed = {file.path: file.sha256 for file in lock.files}
    for pack in lock.packs:
        listed |= {f"{FOLDER}/packs/{pack.name}/{path}": h for path, h in pack.files.items()}
    for path, file in files.items():
        if not path.startswith(f"{FOLDER}/"):
            continue
        if path not in listed:
            yield f"{path} is not in the lock"
        elif listed[path] != f"sha256:{sha256(file.data).hexdigest()}":
            yield f"{path} is not the file that the lock lists"


def state_of(seen: Seen) -> str:
    """ "allowed", "changed" since it was, or "not allowed"."""
    entry = _read()["projects"].get(_key(seen.root))
    if entry is None:
        return "not allowed"
    return "allowed" if _whole(entry) == seen.whole else "changed"


def changes(seen: Seen) -> list[tuple[str, str]]:
    """What is new ("+"), gone ("-") or different ("~") since it was allowed: mark and path."""
    entry = _read()["projects"].get(_key(seen.root)) or {}
    kept = _copy(entry) / ".agents"
    before = {
        path.relative_to(kept.parent).as_posix(): path.read_bytes()
        for path in kept.rglob("*")
        if path.is_file()
    }
    now = {name: file.data for name, file in zip(seen.names(), seen.files, strict=True)}
    marks = [("+", n) for n in now.keys() - before] + [("-", n) for n in before.keys() - now]
    marks += [("~", n) for n in now.keys() & before if now[n] != before[n]]
    return sorted(marks, key=lambda mark: mark[1])


def allow(seen: Seen) -> None:
    """Put what was seen on the list. Raises SystemFailureError and what reading the list raises."""
    with _changing() as document:
        document["made"] += _keep(seen)
        document["projects"][_key(seen.root)] = {
            "sha256": seen.sha256,
            "files": len(seen.files),
            "allowed": datetime.now(timezone.utc).isoformat(timespec="seconds"),
        }


def revoke(folder: Path) -> str:
    """Take a project off the list; returns its path as it stood there. The folder may be gone.

    Raises NotFoundError for one that is not on it.
    """
    with _changing() as document:
        tried = [_key(_real(folder)), _key(Path(os.path.abspath(folder)))]  # noqa: PTH100
        with suppress(NotFoundError, UsageError):
            tried.append(_key(find(folder)))
        for name in tried:
            if name in document["projects"]:
                del document["projects"][name]
                return name
    raise NotFoundError(f"{folder} is not allowed", hint="`hookpm allow --list` shows what is")


def listed() -> list[Allowed]:
    """Every project on the list, by path. Raises FileFormatError for a list that does not read."""
    found = []
    for name, entry in sorted(_read()["projects"].items()):
        root = Path(os.fsdecode(name.encode("utf-8", "surrogateescape")))
        found.append(Allowed(name, entry["sha256"], entry["allowed"], _state(root, entry)))
    return found


def forget_all() -> int:
    """Take every project off the list, and the list away; returns how many there were."""
    with _changing() as document:
        count = len(document["projects"])
        document["projects"].clear()
    return count


# --- the list and the copies -----------------------------------------------------------------


def _state(root: Path, entry: dict[str, Any]) -> str:
    if not root.is_dir():
        return "gone"
    try:
        same = userfiles.is_as_allowed(os.fsencode(root), str(_copy(entry)))
    except UnsafeError:
        same = False
    return "allowed" if same else "changed"


def _read() -> dict[str, Any]:
    """The list; a new one where there is none. Raises FileFormatError."""
    try:
        userfiles.allowed_projects()
        document = json.loads((config_folder() / LIST).read_bytes())
        entries = document["projects"].values()
        if not all(isinstance(each["sha256"] + each["allowed"], str) for each in entries):
            raise TypeError
    except (FileNotFoundError, NotADirectoryError):
        return {"version": 1, "made": [], "projects": {}}
    except (UnsafeError, OSError, ValueError, KeyError, TypeError, AttributeError) as error:
        raise FileFormatError(
            "the list of allowed projects does not read",
            cause=str(error) if isinstance(error, UnsafeError | OSError) else None,
            hint="mend it, or remove it and allow your projects again",
            file=config_folder() / LIST,
        ) from None
    return dict(document)


@contextmanager
def _changing() -> Iterator[dict[str, Any]]:
    """The list, to be changed: one process at a time, written in one step, nothing on an error."""
    folder = config_folder()
    with locking.locked(folder):
        document = _read()
        yield document
        if document["projects"]:
            document["made"] = sorted({*document["made"], *make_folders(folder)})
            text = json.dumps(document, indent=1)
            write_privately(folder / LIST, f"{text}\n".encode())
        _drop_copies({each["sha256"] for each in document["projects"].values()})
        if not document["projects"]:
            (folder / LIST).unlink(missing_ok=True)
            remove_empty([str(folder), *document["made"]])


def _keep(seen: Seen) -> list[str]:
    """Write the copy, as a tree and in one; it appears whole or not at all. Returns the folders
    that were made for it."""
    copies = data_folder() / COPIES
    made = make_folders(copies)
    draft, kept = copies / f"new-{os.getpid()}", copies / seen.sha256
    shutil.rmtree(draft, ignore_errors=True)
    for file in seen.files:
        target = draft / ".agents" / os.fsdecode(file.path)
        make_folders(target.parent)
        target.write_bytes(file.data)
        target.chmod(0o700 if file.executable else 0o600)
    write_privately(draft / userfiles.WHOLE, seen.whole)
    shutil.rmtree(kept, ignore_errors=True)
    draft.rename(kept)
    return made


def _drop_copies(wanted: set[str]) -> None:
    copies = data_folder() / COPIES
    for path in copies.iterdir() if copies.is_dir() else ():
        if path.name not in wanted:
            shutil.rmtree(path, ignore_errors=True)
    remove_empty([str(copies), str(copies.parent)])


def _copy(entry: dict[str, Any]) -> Path:
    return data_folder() / COPIES / str(entry.get("sha256"))


def _whole(entry: dict[str, Any]) -> bytes | None:
    try:
        return (_copy(entry) / userfiles.WHOLE).read_bytes()
    except OSError:
        return None


def _real(path: Path) -> Path:
    return Path(os.path.realpath(path))


def _key(path: Path) -> str:
    return userfiles.key(os.fsencode(path))
