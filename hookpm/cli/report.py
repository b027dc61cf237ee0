"""What install, uninstall and sync say: before they write, instead of writing, and afterwards."""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from hookpm.agents import health
from hookpm.audit import report as audit_report
from hookpm.cli import common, diff, output
from hookpm.project import detect, work
from hookpm.project.health import ignored
from hookpm.project.home import userbridge
from hookpm.project.home.scope import for_user
from hookpm.project.places import GENERATED

if TYPE_CHECKING:
    from pathlib import Path

    from hookpm.errors import HookpmError
    from hookpm.project.health.canary import Proof
    from hookpm.project.state import State
    from hookpm.project.work import Prepared

_VERBS = {"install": "installing", "update": "updating", "remove": "removing", "keep": "keeping"}

_LINES = 100  # of each file that an update changes


def before(prepared: Prepared, options: argparse.Namespace, asks: bool) -> None:
    """What is about to happen: packs, agents, gaps, and what is new in what will run."""
    silent = options.json or options.quiet
    if not silent:
        _show_packs(prepared, options.verbose)
    if prepared.changed and (asks or not silent):
        review(prepared, files=options.command == "update")
    if prepared.changed and asks:
        _say_files(prepared)


def _show_packs(prepared: Prepared, verbose: bool) -> None:
    for pack in prepared.packs:
        if pack.action == "keep" and not verbose:
            continue
        was = f" (was {pack.was})" if pack.action == "update" and pack.was != pack.version else ""
        place = common.origin(pack.source, pack.ref, pack.commit)
        output.show(f"{_VERBS[pack.action]} {pack.name} {pack.version} from {place}{was}")
    for found in prepared.found:
        output.show(f"found {found.agent} ({found.why})")
    if prepared.found:
        known = prepared.state.scope.agents
        for name, why_not in detect.out_of_reach(prepared.plan.root, known).items():
            output.say(f"note: {name} is in use here too, but not wired: {why_not}")
    if prepared.targets and (prepared.changed or verbose):
        for line in audit_report.lines(prepared.audit, [a.facts for a in prepared.agents]):
            output.show(line)
    if verbose:
        for change in prepared.plan.changes:
            output.show(f"{change.action} {change.path}")


def review(prepared: Prepared, *, files: bool) -> None:
    """Every command, setting and file that is new in what will run. files: with their texts."""
    from hookpm.project.review import reviewtext

    changes = work.reviewed(prepared)
    if not changes:
        output.say("Nothing is new in what will run.")
        return
    output.say("What is new in what will run:")
    for line in reviewtext.summary(changes):
        output.say(f"  {line}")
    for line in reviewtext.contents(changes, _LINES) if files else ():
        output.say(f"  {line}")


def review_files(prepared: Prepared) -> None:
    """The text of every file that is new in what will run."""
    from hookpm.project.review import reviewtext

    for line in reviewtext.contents(work.reviewed(prepared)):
        output.say(line)


def _say_files(prepared: Prepared) -> None:
    output.say("These files would be written:")
    for change in prepared.plan.changes:
        if not change.path.startswith(GENERATED):
            output.say(f"  {change.action} {change.path}")
    below = sum(change.path.startswith(GENERATED) for change in prepared.plan.changes)
    if below:
        output.say(f"  {below} files below {GENERATED}: the packs' and the bridge's")


_OFF = {"other-program": "another program may answer"}


def check(prepared: Prepared, as_json: bool) -> int:
    """What would change, and what may keep hooks from running that no sync mends; 1 for either."""
    from hookpm.project.health import switches

    wrong = [
        f"{path} can run in the place of a file that the lock lists: remove it"
        for path in prepared.plan.strangers
    ]
    agents = [each.agent for each in prepared.plan.agents]
    wrong += [
        f"{agent} is wired, but {_OFF.get(each.code, 'off')}: {each.message}; {each.fix}"
        for agent, each in switches.in_repo(prepared.state, agents)
    ]
    code = dry_run(prepared, as_json, wrong)
    for line in wrong if not as_json else ():
        output.say(f"error: {line}")
    return 1 if wrong or prepared.changed else code


def dry_run(prepared: Prepared, as_json: bool, more: Sequence[str] = ()) -> int:
    """A unified diff of every file that would change. more: further notes of the document."""
    if as_json:
        document = _document(prepared, (), dry=True)
        document["notes"] = [*document["notes"], *more]
        output.show_json(document)
        return 0 if is_whole(prepared) else 1
    for change in prepared.plan.changes:
        output.show_raw(diff.of(prepared.plan.root, change))
    _say_agents(prepared)
    for note in prepared.plan.notes:
        output.say(f"note: {note}")
    if not prepared.changed:
        output.say("nothing would change")
    return 0 if is_whole(prepared) else 1


def after(prepared: Prepared, proofs: Sequence[Proof], options: argparse.Namespace) -> int:
    """What was done, what is proved, and what is left to the user; returns the exit code."""
    off = switched_off(prepared.state, [proof.agent for proof in proofs])
    code = 0 if is_whole(prepared) and not off and all(proof.ok for proof in proofs) else 1
    if options.json:
        output.show_json(_document(prepared, proofs, dry=False))
        return code
    _say_agents(prepared)
    for line in off:
        output.say(f"error: {line}")
    for note in prepared.plan.notes:
        output.say(f"note: {note}")
    for pack, program in work.missing_programs(prepared) if prepared.changed else ():
        output.say(f"note: {pack} needs the program {program}, which is not on PATH here")
    if options.quiet:
        for pack, plugin in prepared.audit.plugins.items() if prepared.changed else ():
            for left in plugin.not_run:
                output.say(f"note: {pack}: not run: {left}")
        for proof in proofs:
            if not proof.ok:
                output.say(f"error: {proof.agent}: not proved: {proof.detail}")
        return code
    for proof in proofs:
        output.show(proof.sentence)
    if prepared.changed:
        _show_todo(prepared)
    if prepared.changed and userbridge.standing(prepared.plan.root).state == "changed":
        output.show("left to you: `hookpm allow`, for the user bridge to run this project again")
    output.show(_closing(prepared, code))
    return code


def all_gone(root: Path, as_json: bool, why: HookpmError) -> int:
    """The killed run that was just finished had done the work of this one."""
    if as_json:
        from hookpm.project import state

        lists = "packs profiles plugins files agents gaps verified not_run ignored"
        output.show_json(
            {
                "scope": state.load(root).scope.name,
                "changed": True,
                "would_change": True,
                **{key: [] for key in lists.split()},
                "notes": [why.message],
            }
        )
    else:
        output.show("done: the earlier run had taken everything out")
    return 0


def switched_off(now: State, agents: Sequence[str]) -> list[str]:
    """Switches in other files on this machine that keep an agent from running any hook."""
    from hookpm.project.health import switches

    machine = switches.machine(now)
    return [
        f"{agent} is wired, but off: {each.message}; {each.fix}"
        for agent in agents
        for each in health.examine(agent, machine)
        if each.code == "switched-off"
    ]


def is_whole(prepared: Prepared) -> bool:
    """Has every agent working hooks, here and in every clone?"""
    wired = all(each.wired and not each.off for each in prepared.plan.agents)
    return wired and not prepared.plan.not_run and not _ignored(prepared)


def _ignored(prepared: Prepared) -> list[ignored.Ignored]:
    return ignored.find(prepared.plan.root, prepared.plan.needed)


def _say_agents(prepared: Prepared) -> None:
    for each in prepared.plan.agents:
        for finding in each.findings:
            output.say(
                f"error: {each.agent} is not wired: {each.file}:{finding.line} {finding.message}"
            )
        for finding in each.off:
            output.say(
                f"error: {each.agent} is wired, but off: {each.file}:{finding.line} "
                f"{finding.message}"
            )
        for note in each.notes:
            output.say(f"note: {note}")
        if each.findings:
            hint = f"{each.file} was left as it is; mend it, then run `hookpm sync`"
            output.say(f"hint: {for_user(hint) if prepared.state.scope.is_user else hint}")
    for line in prepared.plan.not_run:
        output.say(f"error: {line}")
    for rule in _ignored(prepared):
        output.say(f"error: {rule.paths[0]}: {rule.message}")
        output.say(f"hint: {rule.fix}")


def _show_todo(prepared: Prepared) -> None:
    """What is left to the user, for agents whose files changed: a new pack alone needs nothing.

    What several agents want is said once.
    """
    changed = {change.path for change in prepared.plan.changes}
    plans = {each.agent: each for each in prepared.plan.agents if each.wired and not each.idle}
    wanted: dict[str, dict[str, str]] = {}
    for agent in prepared.agents:
        if agent.name in plans and plans[agent.name].file in changed:
            for each in agent.wiring.todo(prepared.plan.root):
                wanted.setdefault(each.what, {})[agent.name] = each.how
    if wanted:
        output.show("left to you:")
    for what, hows in wanted.items():
        if len(hows) == 1:
            ((name, how),) = hows.items()
            output.show(f"  {name}: {what}: {how}")
    for what, hows in wanted.items():
        if len(hows) > 1:
            output.show(f"  {', '.join(hows)}: {what}")


def _closing(prepared: Prepared, code: int) -> str:
    if not prepared.changed:
        return "nothing to change" if code == 0 else "nothing was changed, and not all is well"
    count = len(prepared.plan.changes)
    files = "1 file" if count == 1 else f"{count} files"
    return f"done: {files} changed" if code == 0 else f"done, but not whole: {files} changed"


def _document(prepared: Prepared, proofs: Sequence[Proof], dry: bool) -> dict[str, Any]:
    """The stable document of install, sync and uninstall."""
    import msgspec

    by_name = {agent.name: agent for agent in prepared.agents}
    agents = []
    for each in prepared.plan.agents:
        agent = by_name.get(each.agent)
        todo = (
            agent.wiring.todo(prepared.plan.root) if agent and each.wired and not each.idle else []
        )
        agents.append(
            {
                "agent": each.agent,
                "wired": each.wired,
                "files": [each.file],
                "todo": [{"what": t.what, "how": t.how} for t in todo],
                "problems": [
                    {"line": f.line, "message": f.message} for f in (*each.findings, *each.off)
                ],
                "notes": list(each.notes),
            }
        )
    return {
        "scope": prepared.state.scope.name,
        "changed": prepared.changed and not dry,
        "would_change": prepared.changed,
        "packs": [
            {
                "name": p.name,
                "version": p.version,
                "source": p.source,
                **common.of_git(p.ref, p.commit),
                **common.of_profile(prepared.state, p.name),
                "action": p.action,
            }
            for p in prepared.packs
        ],
        "profiles": [
            {"source": p.source, **common.of_git(p.ref, p.commit), "sha256": p.sha256}
            for p in prepared.profiles
        ],
        "plugins": [{"pack": pack, **each.json()} for pack, each in prepared.audit.plugins.items()],
        "files": [{"path": c.path, "action": c.action} for c in prepared.plan.changes],
        "agents": agents,
        "gaps": msgspec.to_builtins(prepared.audit.gaps),
        "verified": [{"agent": p.agent, "ok": p.ok, "detail": p.detail} for p in proofs],
        "notes": list(prepared.plan.notes),
        "not_run": list(prepared.plan.not_run),
        "ignored": [
            {"pattern": i.pattern, "file": i.file, "line": i.line, "paths": list(i.paths)}
            for i in _ignored(prepared)
        ],
    }
