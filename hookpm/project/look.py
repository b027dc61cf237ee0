"""Looking without changing: the audit of a project's packs, or of packs that are not there yet."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from hookpm.errors import NotFoundError
from hookpm.project import targeting, wishes

if TYPE_CHECKING:
    from hookpm.agents.facts import Facts
    from hookpm.audit.gaps import Audit
    from hookpm.project.state import State


def audit(now: State, packs: Sequence[str], chosen: Sequence[Facts]) -> Audit:
    """The audit of the named packs, else of the project's, in these agents.

    Raises NotFoundError where neither are there, UsageError for a malformed name.
    """
    if packs:
        lines = {}
        for asked in wishes.parse_requirements(packs):
            placed = wishes.placed(asked, now.root, Path.cwd())
            lines[wishes.pack_name(now, placed)] = wishes.source_line(placed)
    else:
        lines = {name: now.settings.line(name) for name in now.settings.packs}
    if not lines:
        raise NotFoundError(
            "there is nothing to audit: no packs are installed here",
            hint="name one: `hookpm audit protect-secrets`",
        )
    return targeting.audited(targeting.of_lines(now, lines), chosen)
