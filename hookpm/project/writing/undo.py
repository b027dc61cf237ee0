"""The editor's records of what it put into users' files, kept no longer than they are of use."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

from hookpm.edit import jsondoc

if TYPE_CHECKING:
    from pathlib import Path

    from hookpm.edit.jsonedit import Undo


def still_true(text: str, undo: Undo, file: Path | str) -> Undo:
    """The records whose place is still in the text.

    What we made and took out again is as if it had never been: the same packs give the same lock,
    and what the user makes there later is his.
    """
    document = jsondoc.parse(text, file)
    kept = []
    for record in undo:
        kind, path, *_ = json.loads(record)
        if kind not in ("made", "set") or document.get(path) is not None:
            kept.append(record)
    return tuple(kept)
