"""One bare repository per address in the user's cache: shallow, never checked out, never tidied up.

A second hookpm waits for the first. What a killed run left is cleared; a repository that is damaged
is made anew beside the old one, and takes its place only when it has what was asked for.
"""

from __future__ import annotations

import os
import shutil
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from hashlib import sha256
from pathlib import Path

from hookpm.errors import SystemFailureError
from hookpm.registry import gitrun, waiting
from hookpm.registry.userfolders import cache_folder

WAIT = 900.0  # seconds that a second run waits: a fetch may take that long


@contextmanager
def opened(url: str) -> Iterator[Path]:
    """The repository for an address, made if need be, held until the end.

    Without a folder for caches (no HOME) it lives as long as this. Raises SystemFailureError.
    """
    base = cache_folder()
    if base is None:
        with tempfile.TemporaryDirectory(prefix="hookpm-git-") as made:
            repo = Path(made, "repo.git")
            create(repo)
            yield repo
        return
    folder = base / "git"
    repo = folder / f"{sha256(url.encode()).hexdigest()[:32]}.git"
    try:
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        lock = os.open(repo.with_suffix(".lock"), os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
    except OSError as error:
        raise SystemFailureError(
            "the cache for git repositories cannot be written",
            cause=str(error),
            hint="set XDG_CACHE_HOME to a folder that can be written",
            file=folder,
        ) from None
    try:
        if not waiting.acquire(lock, WAIT):
            raise SystemFailureError(
                f"another hookpm has been fetching {url} for {WAIT:.0f} seconds",
                hint="wait until it is done, or end it",
            )
        if not (repo / "HEAD").is_file():
            create(repo)
        _clear(repo)
        yield repo
    finally:
        os.close(lock)


def create(repo: Path) -> None:
    """Make an empty repository, in the place of what was there. No template: it may hold hooks."""
    shutil.rmtree(repo, ignore_errors=True)
    draft = repo.with_name(f"{repo.name}.{os.getpid()}")
    shutil.rmtree(draft, ignore_errors=True)
    draft.parent.mkdir(parents=True, exist_ok=True)
    ran = gitrun.local(None, "init", "--quiet", "--bare", "--template=", "--", str(draft))
    if ran.code != 0:
        raise SystemFailureError(
            "the cache for git repositories cannot be written", cause=ran.err.strip(), file=draft
        )
    draft.replace(repo)


def beside(repo: Path) -> Path:
    """A new, empty repository beside one that may be damaged."""
    fresh = repo.with_name(f"{repo.name}.new")
    create(fresh)
    return fresh


def swap(fresh: Path, repo: Path) -> None:
    """Put the new repository in the place of the damaged one."""
    shutil.rmtree(repo, ignore_errors=True)
    fresh.replace(repo)


def has(repo: Path, commit: str) -> bool:
    """Is a commit in the repository, with its tree?"""
    return gitrun.local(repo, "cat-file", "-e", f"{commit}^{{tree}}").code == 0


def kept_ref(ref: str) -> str:
    """The name under which the repository keeps a ref of the remote.

    A hash, since `a` and `a/b`, or `A` and `a`, cannot always lie side by side on a disk.
    """
    return f"refs/hookpm/{sha256(ref.encode()).hexdigest()[:32]}"


def kept(repo: Path, ref: str) -> str | None:
    """The commit that a ref had when it was last fetched."""
    ran = gitrun.local(repo, "rev-parse", "--verify", "--quiet", f"{kept_ref(ref)}^{{commit}}")
    return ran.out.decode().strip() if ran.code == 0 else None


def _clear(repo: Path) -> None:
    """Take away what a killed git left: half a download, and locks that nobody holds."""
    left = [*repo.glob("*.lock"), *(repo / "objects" / "pack").glob("tmp_*")]
    left += (repo / "refs").rglob("*.lock")
    for path in left:
        with suppress(OSError):
            path.unlink()
    for folder in repo.parent.glob(f"{repo.name}.*"):
        shutil.rmtree(folder, ignore_errors=True)
