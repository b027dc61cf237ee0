"""What git ignores of the files that a clone needs: what is ignored reaches no other clone."""

from __future__ import annotations

import os
import subprocess
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

from hookpm.project.root import git_top


class Ignored(NamedTuple):
    """A line of a .gitignore, and the files it keeps from other clones.

    file: where the line stands, seen from the root; absolute where it is not in the repo.
    """

    pattern: str
    file: str
    line: int
    paths: tuple[str, ...]

    @property
    def message(self) -> str:
        """What is wrong."""
        more = len(self.paths) - 1
        files = "this file" if not more else f"this file and {more} more"
        return (
            f"git ignores {files} (`{self.pattern}` in {self.file}:{self.line}), "
            "so other clones are not protected"
        )

    @property
    def fix(self) -> str:
        """What the user has to do. No `!` pattern: git looks for none below a folder it ignores."""
        return f"take the line `{self.pattern}` out of {self.file}:{self.line}"


def find(root: Path, paths: Sequence[str]) -> list[Ignored]:
    """Every line that makes git ignore one of the files, in the order of the files.

    What is tracked already is not ignored. Nothing is found where there is no git, or no checkout.
    """
    asked = _without_links(root, paths)
    try:
        done = subprocess.run(
            ["git", "check-ignore", "-v", "-z", "--stdin"],
            cwd=root,
            input=b"\0".join(map(os.fsencode, asked)),
            capture_output=True,
            timeout=30,
            check=False,
        )
    except (OSError, subprocess.TimeoutExpired):
        return []  # no git, nothing that could be ignored
    if done.returncode != 0:
        return []
    fields = [os.fsdecode(field) for field in done.stdout.split(b"\0")]
    found: dict[tuple[str, str, int], list[str]] = {}
    for source, line, pattern, path in zip(*[iter(fields)] * 4, strict=False):
        if not pattern.startswith("!"):  # that one takes a file in again
            found.setdefault((pattern, _seen_from(root, source), int(line)), []).append(asked[path])
    return [Ignored(*rule, tuple(files)) for rule, files in found.items()]


def _without_links(root: Path, paths: Sequence[str]) -> dict[str, str]:
    """What to ask git of -> the path that it is about: git takes no path through a link."""
    top = Path(os.path.realpath(root))
    asked: dict[str, str] = {}
    for path in paths:
        file = top / path
        real = os.path.relpath(os.path.realpath(file.parent), top)
        if not real.startswith(".."):
            asked.setdefault((Path(real) / file.name).as_posix(), path)
        for folder in list(Path(path).parents)[-2::-1]:
            if (top / folder).is_symlink():
                asked.setdefault(folder.as_posix(), path)
                break
    return asked


def _seen_from(root: Path, source: str) -> str:
    """git names its files as seen from the top of the checkout."""
    top = git_top(root.resolve())
    return source if top is None else os.path.relpath(top / source, root.resolve())
