"""hookpm info: what is known of a pack before it is fetched."""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING, Any

from hookpm.cli import common, output

if TYPE_CHECKING:
    from collections.abc import Iterable

    from hookpm.project.catalog import Drop, Info
    from hookpm.registry.index import HookLine, Release

_SHOWN = 10  # versions


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The options of info."""
    parser.add_argument("pack", metavar="PACK", help="a name, or a name==version")
    parser.add_argument("--registry", metavar="NAME", help="ask this registry of hookpm.toml")
    common.add_agents(parser, "say what this agent drops (default: the project's, else all)")
    common.add_network(parser)
    common.add_project(parser)


def run(options: argparse.Namespace) -> int:
    """Print what is known; returns the exit code."""
    from hookpm import agents
    from hookpm.errors import UsageError
    from hookpm.project import catalog, state
    from hookpm.resolve import requirement

    asked = requirement.parse(options.pack)
    if not isinstance(asked, requirement.NameRequirement):
        raise UsageError(
            "info is about packs in registries", hint="name one, such as `hookpm info NAME==1.0`"
        )
    chosen = [agents.facts_here(name) for name in options.agents]
    now = state.load(common.find_root(options).path)
    names = now.settings.agents or agents.names()
    facts = chosen or [agents.facts_here(name) for name in names]
    found = catalog.info(now, asked, facts, options.registry)
    if options.json:
        output.show_json(_document(found))
    else:
        for line in _lines(found):
            output.show(line)
    return 0


def _document(found: Info) -> dict[str, Any]:
    release = found.release
    return {
        "name": found.name,
        "source": found.registry,
        "also_in": list(found.elsewhere),
        "installed": found.installed,
        "version": release.version,
        "description": release.description,
        "requires_hookpm": release.requires_hookpm,
        "estimated": bool(release.estimated),
        "yanked": release.yanked,
        "dependencies": release.dependencies,
        "archive": {"sha256": release.sha256, "size": release.size},
        "hooks": [
            {
                "id": hook.id,
                "event": hook.event,
                "matcher": hook.matcher,
                "needs": list(hook.needs),
                "uses": list(hook.uses),
            }
            for hook in release.hooks
        ],
        "versions": [
            {"version": r.version, "yanked": r.yanked, "requires_hookpm": r.requires_hookpm}
            for r in found.page.versions
        ],
        "agents": [
            {"agent": agent, "drops": [drop._asdict() for drop in drops]}
            for agent, drops in found.drops.items()
        ],
    }


def _lines(found: Info) -> Iterable[str]:
    release = found.release
    yield f"{found.name} {_title(release)}"
    yield f"  {' '.join(release.description.split())}"
    also = f" (also in {', '.join(found.elsewhere)})" if found.elsewhere else ""
    yield f"from: {found.registry}{also}"
    yield f"installed here: {found.installed or 'no'}"
    newest = [_title(r) for r in found.page.versions[: -_SHOWN - 1 : -1]]
    older = len(found.page.versions) - len(newest)
    yield f"versions: {', '.join(newest)}" + (f", and {older} older" if older else "")
    wants = [f"{name}{specifier}" for name, specifier in sorted(release.dependencies.items())]
    yield f"dependencies: {', '.join(wants) or 'none'}"
    estimated = " (of a Claude Code plugin: what they answer is estimated)"
    yield "hooks:" + (estimated if release.estimated else "")
    for hook in release.hooks:
        yield f"  {_hook(hook)}"
    whole = [agent for agent, drops in found.drops.items() if not drops]
    if whole:
        yield f"holds whole in: {', '.join(whole)}"
    for agent, drops in found.drops.items():
        if drops:
            yield f"{agent} drops: {', '.join(_drop(drop) for drop in drops)}"


def _title(release: Release) -> str:
    notes = [release.withdrawn] if release.yanked else []
    if release.requires_hookpm:
        notes.append(f"needs hookpm {release.requires_hookpm}")
    return f"{release.version} ({', '.join(notes)})" if notes else release.version


def _hook(hook: HookLine) -> str:
    parts = [f"{hook.id} at {hook.event}"]
    if hook.matcher:
        parts[0] += f" for {hook.matcher}"
    parts += [f"{word} {', '.join(of)}" for word, of in _asks(hook) if of]
    return "; ".join(parts)


def _asks(hook: HookLine) -> Iterable[tuple[str, tuple[str, ...]]]:
    return (("needs", hook.needs), ("uses", hook.uses))


def _drop(drop: Drop) -> str:
    return f"{drop.capability} of {drop.hook}" + (", which it needs" if drop.needed else "")
