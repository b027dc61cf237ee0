"""The files of a pack as a value: what is read from a folder, packed, hashed and vendored."""

from __future__ import annotations

import fnmatch
import hashlib
import os
import stat
from collections.abc import Callable, Collection, Iterator, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from hookpm.edit import tomltext
from hookpm.errors import FileFormatError, SystemFailureError
from hookpm.packs import manifest as manifests
from hookpm.packs import names
from hookpm.packs.manifest import Manifest

if TYPE_CHECKING:
    from hookpm.packs.plugin import Plugin

MAX_BYTES = 10 * 1024 * 1024  # of all files of a pack together
MAX_FILES = 2000

# What tools leave in a folder, and what tells git how to take the files around it: in the repo that
# installs the pack that would hide them from a clone, or change their bytes. Matched against each
# part of a path.
LEFTOVERS = (
    ".git",
    ".gitignore",
    ".gitattributes",
    ".gitmodules",
    ".hg",
    ".svn",
    "__pycache__",
    "node_modules",
    "*.py[co]",
    ".pytest_cache",
    ".mypy_cache",
    ".ruff_cache",
    ".hypothesis",
    ".venv",
    ".idea",
    ".vscode",
    ".DS_Store",
    "._*",
    "Thumbs.db",
    "desktop.ini",
    "*~",
    ".*.sw[a-p]",
    ".#*",
    "#*#",
    "*.orig",
    "*.rej",
)

# Names of files that hold secrets and nothing else, and those of them that are for all to see.
SECRETS = (
    ".env",
    ".env.*",
    "id_rsa",
    "id_dsa",
    "id_ecdsa",
    "id_ecdsa_sk",
    "id_ed25519",
    "id_ed25519_sk",
    ".netrc",
    ".pgpass",
    ".git-credentials",
    "*.p12",
    "*.pfx",
    "*.jks",
    "*.keystore",
    "*.ppk",
)
SAMPLES = (".env.example", ".env.sample", ".env.template", ".env.dist")
_KEY_NAMES = ("*.pem", "*.key")
_KEY_TEXT = b"PRIVATE KEY-----"


class FileEntry(NamedTuple):
    """One file: its bytes, and whether it has the executable bit."""

    data: bytes
    executable: bool

    @property
    def sha256(self) -> str:
        """Of the bytes, in hex."""
        return hashlib.sha256(self.data).hexdigest()


class Content(NamedTuple):
    """A pack: its manifest, and all its files by path (forward slashes, sorted).

    plugin: what there is to say about a pack that is a Claude Code plugin, else None.
    """

    manifest: Manifest
    files: dict[str, FileEntry]
    plugin: Plugin | None = None

    @property
    def sha256(self) -> str:
        """Of the whole: paths, bytes and executable bits, in hex."""
        digest = hashlib.sha256()
        for path, entry in self.files.items():
            digest.update(f"{entry.sha256} {'x' if entry.executable else '-'} {path}\n".encode())
        return digest.hexdigest()


def read(folder: Path) -> Content:
    """The pack in `folder`, without what version control, caches and editors left there.

    A Claude Code plugin is one too. Raises NotFoundError (no pack there), SystemFailureError
    (unreadable), FileFormatError (a file that cannot be in a pack, or looks like a secret; a broken
    manifest), RefusedError (a plugin without a hook that could run).
    """
    refuse_no_pack(folder)
    return from_files(read_files(folder), folder)


def read_files(folder: Path) -> dict[str, FileEntry]:
    """The files of a pack's folder as they lie there, whatever its manifest says.

    Of a Claude Code plugin, without those that no hook can need. Raises SystemFailureError,
    FileFormatError (a file that cannot be in a pack).
    """
    skipped = skipped_in(_telling(folder))
    found: dict[str, FileEntry] = {}
    size = 0
    for path in _paths(folder, folder, "", skipped):
        if len(found) == MAX_FILES:
            raise refused(folder, path, f"a pack has at most {MAX_FILES} files")
        found[path] = _read_file(folder, path, MAX_BYTES - size)
        size += len(found[path].data)
    return found


def skipped_in(paths: Collection[str]) -> Callable[[str], bool]:
    """Which files of a folder with these paths need not be read: of a plugin, what no hook uses."""
    from hookpm.packs import pluginfiles

    own = manifests.FILE not in paths and pluginfiles.is_plugin(paths)
    return pluginfiles.never_needed if own else _nothing


def _nothing(_path: str) -> bool:
    return False


def _telling(folder: Path) -> list[str]:
    """Those files of a folder that tell what it is."""
    from hookpm.packs import pluginfiles

    known = (
        manifests.FILE,
        pluginfiles.MANIFEST,
        pluginfiles.MARKETPLACE,
        pluginfiles.HOOKS,
    )
    return [path for path in known if (folder / path).is_file()]


def refuse_no_pack(folder: Path) -> None:
    """Raise NotFoundError for a folder that holds no pack, with a word on what it is instead."""
    from hookpm.packs import pluginfiles

    there = _telling(folder)
    if manifests.FILE in there or pluginfiles.is_plugin(there):
        return
    entries = {path: _read_file(folder, path, MAX_BYTES) for path in there}
    if error := pluginfiles.no_plugin(entries, folder):
        raise error
    manifests.missing_pack(folder)


def checked(files: Mapping[str, FileEntry], where: Path | str) -> Mapping[str, FileEntry]:
    """The files, if their names can exist side by side on every system. Raises FileFormatError."""
    for path in files:
        if problem := names.path_problem(path):
            raise refused(where, path, problem)
    if collision := names.case_collision(sorted(files)):
        raise refused(where, collision[1], f"on a disk that is blind to case it is {collision[0]}")
    if folder := names.file_and_folder(files):
        raise refused(where, folder, "it is a file and a folder")
    return files


def from_files(files: Mapping[str, FileEntry], where: Path | str) -> Content:
    """A Content of files that lie in `where` (a folder or an archive, for messages).

    Without a hookpack.toml it may be a Claude Code plugin. A file that starts with `#!`, and any
    file but Python that a hook runs, becomes executable, whatever its bit: that bit gets lost on
    the way through zip files and some disks. Raises FileFormatError with the name of the wrong
    member, and what `plugin.content_of` raises.
    """
    if manifests.FILE not in files:
        from hookpm.packs import plugin, pluginfiles

        if pluginfiles.is_plugin(files):
            return plugin.content_of(files, where)
        checked(files, where)
        if error := pluginfiles.no_plugin(files, where):
            raise error
        raise refused(where, manifests.FILE, "it is missing")
    checked(files, where)
    for path, entry in files.items():
        if looks_secret(path, entry.data):
            raise refused(
                where,
                path,
                "it looks like a secret; leave it out",
                hint="a pack's files are published, and copied into every repo that installs it",
            )
        if entry.data.startswith(b"#!") and b"\r\n" in entry.data:
            raise refused(
                where,
                path,
                "a script with CRLF line ends does not start on Linux and macOS",
                hint="save it with LF line ends; `* text eol=lf` in .gitattributes keeps them so",
            )
    place = f"{where}/{manifests.FILE}"  # no Path, which would take a slash from an address
    text = tomltext.decode(files[manifests.FILE].data, place)
    manifest = manifests.parse(text, place)
    manifests.check_runs(manifest, files.__contains__, text, place)
    programs = {h.run for h in manifest.hooks if h.run is not None and not h.run.endswith(".py")}
    return Content(
        manifest,
        {
            path: entry._replace(
                executable=entry.executable or entry.data.startswith(b"#!") or path in programs
            )
            for path, entry in sorted(files.items())
        },
    )


def is_leftover(name: str) -> bool:
    """Is `name`, one part of a path, something that tools leave behind?"""
    return any(fnmatch.fnmatchcase(name, pattern) for pattern in LEFTOVERS)


def looks_secret(path: str, data: bytes) -> bool:
    """Is a file by its name, or a key file by its text, one that nobody is to see?"""
    name = path.rpartition("/")[2].lower()
    if any(fnmatch.fnmatchcase(name, pattern) for pattern in _KEY_NAMES):
        return _KEY_TEXT in data
    return name not in SAMPLES and any(fnmatch.fnmatchcase(name, each) for each in SECRETS)


def _paths(root: Path, folder: Path, prefix: str, skipped: Callable[[str], bool]) -> Iterator[str]:
    """The files under `folder`, sorted, without leftovers and what is skipped.

    Refuses what cannot be in a pack.
    """
    try:
        entries = sorted(os.scandir(folder), key=lambda entry: entry.name)
    except OSError as error:
        raise SystemFailureError(
            "cannot read a folder of the pack", cause=error.strerror, file=folder
        ) from error
    for entry in entries:
        if is_leftover(entry.name):
            continue
        path = prefix + entry.name
        if skipped(path):
            continue
        if problem := names.path_problem(path):
            raise refused(root, path, problem)
        if entry.is_dir(follow_symlinks=False):
            yield from _paths(root, Path(entry.path), path + "/", skipped)
            continue
        if entry.is_symlink():
            _check_link(root, path)
        yield path


def _check_link(root: Path, path: str) -> None:
    """A link is copied as the file that it leads to, if that is a file of the same pack."""
    target = Path(os.path.realpath(root / path))
    inside = Path(os.path.realpath(root))
    if not target.is_relative_to(inside):
        raise refused(root, path, "it is a link that leads out of the pack")
    if any(is_leftover(part) for part in target.relative_to(inside).parts):
        raise refused(root, path, "it is a link to something that is not packed")
    if not target.exists():
        raise refused(root, path, "it is a link to nothing")
    if not target.is_file():
        raise refused(root, path, "it is a link to something that is not a file")


def _read_file(root: Path, path: str, room: int) -> FileEntry:
    """Read one file of at most `room` bytes."""
    too_big = f"the pack comes to more than {MAX_BYTES // (1024 * 1024)} MB"
    try:
        status = (root / path).stat()
        # Asked before it is opened: opening a pipe would wait for a writer.
        if not stat.S_ISREG(status.st_mode):
            raise refused(root, path, "it is not a regular file")
        if status.st_size > room:
            raise refused(root, path, too_big)
        with (root / path).open("rb") as stream:
            data = stream.read(room + 1)
    except OSError as error:
        raise SystemFailureError(
            f"cannot read {path}", cause=error.strerror, file=root / path
        ) from error
    if len(data) > room:
        raise refused(root, path, too_big)
    return FileEntry(data, bool(status.st_mode & stat.S_IXUSR))


def refused(
    where: Path | str, path: str, problem: str, *, hint: str | None = None
) -> FileFormatError:
    """The error for the member `path` of `where`; whatever is in its name can be printed."""
    shown = path.encode("utf-8", "backslashreplace").decode()
    shown = "".join(c if c.isprintable() else f"\\x{ord(c):02x}" for c in shown)
    return FileFormatError(f"{shown} cannot be in a pack: {problem}", hint=hint, file=where)
