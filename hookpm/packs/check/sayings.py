"""What a script of any language answers, read from its text."""

from __future__ import annotations

from hookpm.packs.check import jsrules, pyread, says, shellread, shellsays
from hookpm.packs.check.finding import Source
from hookpm.packs.check.says import Saying


def of(source: Source) -> list[Saying]:
    """The sayings of a script; none where it cannot be read."""
    try:
        if source.language in ("sh", "bash"):
            return shellsays.sayings(shellread.read(source.text, source.first))
        if source.language == "python":
            return pyread.sayings(pyread.read(source.text))
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return []
    return list(says.in_text(jsrules.code(source.text), source.first))
