"""From resolved packs to what is to be installed of them: options, hooks, agents, and the audit."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from hookpm.audit import gaps
from hookpm.edit import tomltext
from hookpm.errors import RefusedError
from hookpm.packs import options
from hookpm.project import wishes
from hookpm.project.generated import PackTarget
from hookpm.project.settings import PackLine, Settings

if TYPE_CHECKING:
    from hookpm.agents.facts import Facts
    from hookpm.project.state import State
    from hookpm.resolve.resolver import Resolved


def one(now: State, each: Resolved) -> PackTarget:
    """A resolved pack with what hookpm.toml says of it.

    Raises FileFormatError, with the line, for a hook or an option that the pack does not have.
    """
    manifest = each.content.manifest
    line = now.settings.line(each.name) if each.name in now.settings.packs else PackLine()
    at = ("packs", each.name, "disable")
    for hook in line.disable:
        if manifest.hook(hook) is None:
            known = [h.id for h in manifest.hooks]
            near = tomltext.near(hook, known)
            raise tomltext.failure(
                *now.said(at),
                at,
                f"{each.name} has no hook {hook}",
                hint=f"did you mean {near}?" if near else f"its hooks: {', '.join(known)}",
            )
    at = ("packs", each.name, "options")
    values = options.merged(manifest, line.options, said=now.said, at=at)
    return PackTarget(
        each.content,
        each.source,
        each.archive_sha256,
        values,
        line.agents,
        line.disable,
        now.settings.registries.get(each.source),
        each.commit,
        each.ref,
    )


def of_lines(now: State, lines: Mapping[str, PackLine]) -> list[PackTarget]:
    """The packs that these lines bring, with their options; nothing is planned."""
    asked = now._replace(settings=Settings(packs=dict(lines), registries=now.settings.registries))
    return [one(asked, each) for each in wishes.resolve(now, lines)]


def audited(targets: Sequence[PackTarget], chosen: Sequence[Facts]) -> gaps.Audit:
    """The audit of these packs in these agents."""
    packs = [
        gaps.PackHooks(
            target.name,
            [h for h in target.content.manifest.hooks if h.id not in target.disabled],
            target.agents,
            target.content.plugin,
        )
        for target in targets
    ]
    return gaps.audit(packs, chosen)


def unmet(audit: gaps.Audit, refused: str | None) -> RefusedError:
    """The error for needs that are not met; refused: why --allow-gaps does not help."""
    lines = [
        f"{gap.pack} {'seems to need' if gap.estimated else 'needs'} {gap.word}: {gap.message}"
        for gap in audit.unmet
    ]
    losers = sorted({gap.agent for gap in audit.unmet})
    return RefusedError(
        f"not installed: {', '.join(losers)} cannot do what the packs need",
        cause="\n".join(lines),
        hint="leave the agent out of `agents` in .agents/hookpm.toml, limit the pack to other "
        f"agents there; {refused or 'or accept the gap with --allow-gaps'}",
    )
