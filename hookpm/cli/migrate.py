"""hookpm migrate: take the hooks that are in an agent's own file into .agents/hooks.json."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import TYPE_CHECKING, Any

from hookpm.cli import common, output

if TYPE_CHECKING:
    from hookpm.project.migrating.foreign import Moved
    from hookpm.project.migrating.migrate import Migration
    from hookpm.project.state import State


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The options of migrate."""
    common.add_agents(parser, "look at this agent's files only")
    parser.add_argument(
        "--plugin",
        action="append",
        default=[],
        type=Path,
        metavar="DIR",
        help="take the hooks of a Claude Code plugin that lies in the project; repeatable",
    )
    parser.add_argument(
        "--local", action="store_true", help="look at .claude/settings.local.json as well"
    )
    parser.add_argument(
        "--all",
        action="store_true",
        help="also take hooks that seem to speak their own agent's protocol and not Claude Code's",
    )
    parser.add_argument(
        "--remove", action="store_true", help="take the originals out of the agents' files"
    )
    parser.add_argument("--undo", action="store_true", help="take the last migration back")
    common.add_change(parser, user=argparse.SUPPRESS)


def run(options: argparse.Namespace) -> int:
    """Migrate, or undo it; exit code 1 where hooks had to stay."""
    from hookpm.project import state
    from hookpm.project.migrating import foreign, migrate

    common.refuse_user(options)
    root = common.find_root(options).path
    how = {"remove": options.remove, "everything": options.all}
    with common.project_lock(root, options.dry_run):
        found = [each for folder in options.plugin for each in foreign.of_plugin(root, folder)]
        if options.agents or not options.plugin:
            found += foreign.sources(root, options.agents, local=options.local)
        now = state.load(root)
        if options.dry_run and options.undo:
            done = migrate.Migration((), (), migrate.undo(now))
        elif options.dry_run:
            done = migrate.plan(now, found, **how)
        else:
            done = (
                migrate.take_back(root) if options.undo else migrate.carry_out(root, found, **how)
            )
    if not options.json:
        _show(state.load(root), done, options)
    if options.json:
        output.show_json(
            {
                "changed": bool(done.changes) and not options.dry_run,
                "moved": [_moved(now, each) for each in done.moved],
                "kept": [k._asdict() for k in done.kept],
                "staying": [_moved(now, each) for each in done.staying],
                "files": [{"path": c.path, "action": c.action} for c in done.changes],
            }
        )
    return 1 if done.kept or done.staying else 0


def _moved(now: State, each: Moved) -> dict[str, Any]:
    return {
        "agent": each.agent,
        "file": each.file,
        "line": each.line,
        "event": each.event,
        "group": each.group,
        "paths": len(each.paths),
        "doubt": each.doubt,
        "elsewhere": _elsewhere(now, each.event, each.group.get("matcher") or ""),
    }


def _show(now: State, done: Migration, options: argparse.Namespace) -> None:
    from hookpm.cli import diff

    show = _nothing if options.quiet else output.show
    for each in done.moved:
        matcher = each.group.get("matcher") or "all"
        show(f"{each.file}:{each.line} {each.event} ({matcher}) moves to {now.hooks.path}")
        if each.doubt:
            output.say(
                f"warning: {each.file}:{each.line} {each.doubt}; try it before you rely on it"
            )
        for line in _elsewhere(now, each.event, each.group.get("matcher") or ""):
            show(f"  {line}")
    for kept in done.kept:
        output.show(f"{kept.file}:{kept.line} {kept.event} stays: {kept.reason}")
    for stay in done.staying:
        output.say(
            f"error: {stay.file}:{stay.line} {stay.event}: the original stays, since the bridge is "
            f"not wired in {stay.agent} at {stay.event}"
        )
        output.say(f"hint: hookpm install PACK --agent {stay.agent}, then migrate again")
    if any(kept.doubt for kept in done.kept):
        output.say("hint: --all takes hooks that speak another protocol all the same")
    if options.dry_run:
        for change in done.changes:
            output.show(diff.of(now.root, change).rstrip("\n"))
    if done.changes and not now.lock.packs and done.moved:
        output.say("note: nothing runs .agents/hooks.json until a pack is installed here")
    _say_twice(now, done, options.remove)
    count = len(done.changes)
    if not count:
        show("nothing to change")
    elif not options.dry_run:
        word = "taken back" if options.undo else "done"
        show(f"{word}: {count} {'file' if count == 1 else 'files'} changed")


def _nothing(text: str) -> None:
    """Stands for a print where only what is wrong is to be said."""


def _say_twice(now: State, done: Migration, removed: bool) -> None:
    """Where the original still stands beside its copy, and both run."""
    wired = {wiring.agent for wiring in now.lock.wirings}
    here = {m.agent for m in done.moved if not m.plugin} & wired
    for name in sorted(here) if not removed else ():
        output.say(f"note: in {name} these hooks run twice until `hookpm migrate --remove`")
    for folder in sorted({each.plugin for each in done.moved if each.plugin}):
        output.say(f"note: {folder} stays as it is; switch the plugin off where it is on")


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
