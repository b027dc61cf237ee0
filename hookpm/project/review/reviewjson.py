"""A review as a document for other programs."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from hookpm.project.review import reviewtext
from hookpm.project.review.review import FileChange, HookChange, PackChange
from hookpm.project.review.running import RunFile


def document(changes: Sequence[PackChange]) -> list[dict[str, Any]]:
    """The packs of the document of `hookpm review --json`, in full: nothing is left out."""
    return [
        {
            "name": pack.name,
            "version": pack.version,
            "source": pack.source,
            "commit": pack.commit,
            "action": pack.change,
            "was": _was(pack),
            "hooks": [_hook(each) for each in pack.hooks],
            "files": [_file(each) for each in pack.files],
            "settings": [each._asdict() for each in pack.settings],
        }
        for pack in changes
    ]


def _was(pack: PackChange) -> dict[str, Any] | None:
    if pack.was is None:
        return None
    return {"version": pack.was, "source": pack.was_source, "commit": pack.was_commit}


def _hook(hook: HookChange) -> dict[str, Any]:
    return {
        "id": hook.id,
        "action": hook.change,
        **hook.fields,
        "changes": [each._asdict() for each in hook.changes],
    }


def _file(each: FileChange) -> dict[str, Any]:
    text = reviewtext.file_text(each)
    return {
        "path": each.path,
        "action": each.change,
        "was": _bytes(each.was),
        "now": _bytes(each.now),
        "kind": text.kind,
        "lines": list(text.lines),
    }


def _bytes(file: RunFile | None) -> dict[str, Any] | None:
    if file is None:
        return None
    size = None if file.data is None else len(file.data)
    sha256 = file.sha256.removeprefix("sha256:")
    return {"sha256": sha256, "size": size, "executable": file.executable}
