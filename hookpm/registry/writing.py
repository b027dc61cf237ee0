"""Writing to a registry in a folder: one run at a time, each file in one step, the index last."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import NamedTuple

from hookpm.errors import SystemFailureError
from hookpm.registry import waiting
from hookpm.registry.index import INDEX, page_path

WAIT = 60.0  # seconds that a second run waits for the first

_TEMPORARY = ".hookpm-"
_JOURNAL = ".hookpm-publishing"  # the packs whose pages are being written, while they are
_PAGES = page_path("").rpartition("/")[0] + "/"


class Plan(NamedTuple):
    """What is to be written (path in the registry -> bytes), and for which new versions."""

    files: dict[str, bytes]
    added: tuple[str, ...]  # "name version"


@contextmanager
def locked(index: Path) -> Iterator[None]:
    """Hold the registry for a change; the folder is made where there is none.

    Raises SystemFailureError where another run has it for WAIT seconds, or it cannot be written.
    """
    try:
        index.mkdir(parents=True, exist_ok=True)
        handle = os.open(index, os.O_RDONLY)
    except OSError as error:
        raise _failure(error, index) from error
    try:
        if not waiting.acquire(handle, WAIT):
            raise SystemFailureError(
                f"another hookpm has been writing to this registry for {WAIT:.0f} seconds",
                hint="wait until it is done, or end it",
                file=index,
            )
        yield
    finally:
        os.close(handle)


def changed(files: Mapping[str, bytes], index: Path) -> dict[str, bytes]:
    """Those of the files that are not in the registry as they are here."""
    return {path: data for path, data in files.items() if _present(index / path) != data}


def unfinished(index: Path) -> list[str]:
    """The packs whose pages a run was writing that did not end."""
    return (_present(index / _JOURNAL) or b"").decode("utf-8", "replace").split()


def left_behind(paths: Iterable[str]) -> set[str]:
    """Those of the paths that a killed run left there; the next one takes them away."""
    return {path for path in paths if path.rpartition("/")[2].startswith(_TEMPORARY)}


def apply(planned: Plan, index: Path) -> None:
    """Write a plan. Archives go first and index.json last: a reader never finds a dead link.

    Raises SystemFailureError.
    """
    pages = [path for path in planned.files if path.startswith(_PAGES)]
    names = [Path(path).stem for path in pages] + unfinished(index)
    if names:
        _write(index / _JOURNAL, "\n".join(sorted(set(names))).encode() + b"\n")
    for start in ("archives/", _PAGES, INDEX):
        for path, data in sorted(planned.files.items()):
            if path.startswith(start):
                _write(index / path, data)
    _tidy(index)


def _tidy(index: Path) -> None:
    """Take away the journal, and what killed runs left beside it."""
    try:
        for folder in (index, index / "archives", index / "packs"):
            for file in folder.glob(f"{_TEMPORARY}*"):
                file.unlink(missing_ok=True)
    except OSError as error:
        raise _failure(error, index) from error


def _present(file: Path) -> bytes | None:
    return file.read_bytes() if file.is_file() else None


def _write(file: Path, data: bytes) -> None:
    """Replace a file in one step."""
    try:
        file.parent.mkdir(parents=True, exist_ok=True)
        handle, temporary = tempfile.mkstemp(dir=file.parent, prefix=_TEMPORARY)
        try:
            with os.fdopen(handle, "wb") as stream:
                stream.write(data)
            Path(temporary).chmod(0o644)
            Path(temporary).replace(file)
        except BaseException:
            Path(temporary).unlink(missing_ok=True)
            raise
    except OSError as error:
        raise _failure(error, file) from error


def _failure(error: OSError, file: Path) -> SystemFailureError:
    return SystemFailureError("cannot write to the registry", cause=error.strerror, file=file)
