"""hookpm migrate: take the hooks that are in an agent's own file into .agents/hooks.json."""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING

from hookpm.cli import common, output

if TYPE_CHECKING:
    from hookpm.project.migrate import Migration
    from hookpm.project.state import State


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The options of migrate."""
    common.add_agents(parser, "look at this agent's file only")
    parser.add_argument(
        "--remove", action="store_true", help="take the originals out of the agents' files"
    )
    parser.add_argument("--undo", action="store_true", help="take the last migration back")
    common.add_change(parser)


def run(options: argparse.Namespace) -> int:
    """Migrate, or undo it; exit code 1 where hooks had to stay."""
    from hookpm.project import migrate, state, transaction

    common.refuse_user(options)
    root = common.find_root(options).path
    with common.project_lock(root, options.dry_run):
        now = state.load(root)
        if options.undo:
            done = migrate.Migration((), (), migrate.undo(now))
        else:
            done = migrate.plan(now, migrate.sources(now, options.agents), remove=options.remove)
        if not options.json:
            _show(now, done, options.dry_run)
        if not options.dry_run:
            transaction.apply(root, done.changes)
    if options.json:
        output.show_json(
            {
                "changed": bool(done.changes) and not options.dry_run,
                "moved": [{**m._asdict(), "paths": len(m.paths)} for m in done.moved],
                "kept": [k._asdict() for k in done.kept],
                "files": [{"path": c.path, "action": c.action} for c in done.changes],
            }
        )
    return 1 if done.kept else 0


def _show(now: State, done: Migration, dry: bool) -> None:
    from hookpm.cli import diff

    for each in done.moved:
        matcher = each.group.get("matcher") or "all"
        output.show(f"{each.file}:{each.line} {each.event} ({matcher}) moves to {now.hooks.path}")
        for line in _elsewhere(now, each.event, each.group.get("matcher") or ""):
            output.show(f"  {line}")
    for kept in done.kept:
        output.show(f"{kept.file}:{kept.line} {kept.event} stays: {kept.reason}")
    if dry:
        for change in done.changes:
            output.show(diff.of(now.root, change).rstrip("\n"))
    if not done.changes:
        output.show("nothing to change")
    elif not now.lock.packs and done.moved:
        output.say("note: nothing runs .agents/hooks.json until a pack is installed here")


def _elsewhere(now: State, event: str, matcher: str) -> list[str]:
    """What the hook would do in the project's agents: where it never fires."""
    from hookpm import agents
    from hookpm.contract.events import EVENTS
    from hookpm.contract.matcher import matches

    lines = []
    for wiring in {w.agent: w for w in now.lock.wirings}.values():
        facts = agents.load(wiring.agent).facts
        if event not in EVENTS or not facts.native(event):
            lines.append(f"{facts.name}: has no {event}")
        elif event.endswith("ToolUse") and not facts.tools.mcp:
            continue
        elif event.endswith("ToolUse") and "mcp" not in matcher:
            taken = [tool for tool in facts.tools.names if matches(event, matcher, tool)]
            lines.append(f"{facts.name}: at {', '.join(taken) or 'no tool'}")
    return lines
