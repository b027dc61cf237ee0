"""hookpm init: a hookpm.toml for a project; with --user-bridge, the bridge in the user's config."""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING

from hookpm.cli import common, output
from hookpm.errors import RefusedError, UsageError

if TYPE_CHECKING:
    from collections.abc import Sequence

    from hookpm.project.health.canary import Proof
    from hookpm.project.home.userbridge import Plan
    from hookpm.project.start import Start


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The options of init."""
    parser.add_argument(
        "--user-bridge",
        action="store_true",
        help="wire the agents in your own config, for projects that they do not look into",
    )
    parser.add_argument(
        "--remove", action="store_true", help="with --user-bridge: take it out without a trace"
    )
    parser.add_argument(
        "--profile",
        action="append",
        default=[],
        metavar="SOURCE",
        dest="profiles",
        help="extend a team's profile: a folder, https://HOST/hookpm.toml or git+URL@REF"
        "; repeatable, a later one wins",
    )
    common.add_agents(parser, "wire this agent (default: those in use)")
    common.add_change(parser, user=argparse.SUPPRESS)


def run(options: argparse.Namespace) -> int:
    """Make a hookpm.toml, or install or remove the user bridge; returns the exit code."""
    common.refuse_user(options)
    if options.user_bridge and options.profiles:
        raise UsageError("--profile is for a project, not for the user bridge")
    if options.user_bridge:
        return _user_bridge(options)
    if options.remove:
        raise UsageError("--remove stands with --user-bridge alone")
    return _project(options)


# --- a project -------------------------------------------------------------------------------


def _project(options: argparse.Namespace) -> int:
    """Write `.agents/hookpm.toml` with the agents in use; one that is there is left alone."""
    from hookpm import agents
    from hookpm.cli import diff
    from hookpm.project import start
    from hookpm.project.writing import transaction

    for name in options.agents:
        agents.load(name)
    root = common.find_root(options).path
    named = common.profiles(options, root)
    with common.project_lock(root, options.dry_run):
        started = start.prepare(root, options.agents, named)
        if options.dry_run:
            for change in started.changes if not options.json else ():
                output.show(diff.of(root, change).rstrip("\n"))
        else:
            transaction.apply(root, started.changes)
    if options.json:
        files = [{"path": change.path, "action": change.action} for change in started.changes]
        made = bool(files) and not options.dry_run
        output.show_json({"changed": made, "files": files, "packs": [*started.now.settings.packs]})
    elif not options.dry_run:
        _say_started(started)
    return 0


def _say_started(started: Start) -> None:
    """What was written, and what to do next."""
    from hookpm.project.root import SETTINGS

    extended = [each.reference.typed for each in (started.now.stack or ((),))[0]]
    packs = ", ".join(started.now.settings.packs)
    if extended and packs:
        done = "now extends" if started.changes else "extends"
        output.show(f"{SETTINGS} {done} {', '.join(extended)}; `hookpm sync` brings {packs}")
    elif started.there:
        output.show(f"{SETTINGS} is there already; `hookpm install PACK` adds packs")
    else:
        listed = ", ".join(started.now.settings.agents or ()) or "no agents yet"
        output.show(f"made {SETTINGS} ({listed}); `hookpm install PACK` adds packs")


# --- the user bridge -------------------------------------------------------------------------


def _user_bridge(options: argparse.Namespace) -> int:
    from hookpm.project.home import homefolders, userbridge

    home = homefolders.home()
    with common.project_lock(home, options.dry_run):
        make = userbridge.remove if options.remove else userbridge.install
        plan = make(options.agents)
        if options.dry_run:
            return _dry_run(plan, options)
        if not options.json and not options.quiet:
            _before(plan)
        ask = plan.changed and not options.yes and not options.json and common.on_terminal()
        if ask and not common.agrees():
            raise RefusedError("nothing was changed")
        forgotten = userbridge.carry_out(plan) if plan.changed else 0
    wired = [each.agent for each in plan.agents if each.wired and not options.remove]
    return _after(plan, userbridge.prove(wired), forgotten, options)


def _before(plan: Plan) -> None:
    from hookpm.project.home.homefolders import data_folder

    for change in plan.changes:
        output.show(f"{change.action} {plan.home / change.path}")
    if plan.code:
        verb = "remove" if plan.bare else "write"
        output.show(f"{verb} the bridge, {len(plan.code)} files, in {data_folder()}")


def _dry_run(plan: Plan, options: argparse.Namespace) -> int:
    from hookpm.cli import diff
    from hookpm.project.home import userbridge

    if options.json:
        output.show_json({"changed": False, **userbridge.describe(plan)})
        return _code(plan, ())
    for change in plan.changes:
        output.show(diff.of(plan.home, change).rstrip("\n"))
    for path in plan.code:
        output.show(f"{'remove' if plan.bare else 'write'} {userbridge.code_folder() / path}")
    if not plan.changed:
        output.say("nothing would change")
    _say_findings(plan)
    return _code(plan, ())


def _after(plan: Plan, proofs: Sequence[Proof], forgotten: int, options: argparse.Namespace) -> int:
    from hookpm.project.home import userbridge

    code = _code(plan, proofs)
    if options.json:
        verified = [proof._asdict() for proof in proofs]
        document = {"changed": plan.changed, **userbridge.describe(plan), "verified": verified}
        output.show_json(document)
        return code
    _say_findings(plan)
    for proof in proofs:
        if not proof.ok:
            output.say(f"error: {proof.sentence}")
        elif not options.quiet:
            output.show(proof.sentence)
    if options.quiet:
        return code
    if forgotten:
        output.show(f"{forgotten} allowed projects are forgotten")
    if options.remove:
        output.show("the user bridge is gone" if plan.changed else "nothing to change")
        return code
    output.show("restart open sessions of these agents" if plan.changed else "nothing to change")
    output.show(
        "a project's hooks run through it once you allow them: `hookpm allow` in its folder"
    )
    return code


def _say_findings(plan: Plan) -> None:
    for each in plan.agents:
        file = plan.home / each.file
        for finding in each.findings:
            output.say(f"error: {each.agent}: {file}:{finding.line} {finding.message}")
        for finding in each.off:
            output.say(
                f"error: {each.agent} is wired, but off: {file}:{finding.line} {finding.message}"
            )
        for note in each.notes:
            output.say(f"note: {note}")
    for note in plan.notes:
        output.say(f"note: {note}")


def _code(plan: Plan, proofs: Sequence[Proof]) -> int:
    whole = all(not each.findings and not each.off for each in plan.agents)
    return 0 if whole and all(proof.ok for proof in proofs) else 1
