"""hookpm doctor: what keeps hooks from running here; --fix mends what is safe."""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING

from hookpm.cli import common, output
from hookpm.errors import HookpmError

if TYPE_CHECKING:
    from hookpm.project.state import State


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The options of doctor."""
    parser.add_argument(
        "--fix", action="store_true", help="mend what is safe: sync, and the link to a fast Python"
    )
    common.add_project(parser)


def run(options: argparse.Namespace) -> int:
    """Print what is wrong; exit code 1 where something keeps hooks from running."""
    from hookpm.cli import status as status_command
    from hookpm.project import state
    from hookpm.project.health import doctor

    root = common.find_root(options).path
    scope = common.scope_of(options)
    now = state.load(root, look=True, scope=scope)
    if options.fix:
        for line in _fix(now):
            output.say(f"fixed: {line}")
        now = state.load(root, look=True, scope=scope)
    problems = doctor.examine(now)
    ok = not any(problem.severity in ("broken", "drift") for problem in problems)
    if options.json:
        output.show_json(status_command.document(now, problems))
        return 0 if ok else 1
    status_command.show_problems(problems)
    if not problems:
        output.show("nothing keeps the hooks from running here")
    return 0 if ok else 1


def _fix(now: State) -> list[str]:
    """Mend what is safe; what needs the user's consent, such as trust, is never granted."""
    from hookpm.cli.common import project_lock
    from hookpm.project import interpreter, state, work

    done = []
    if interpreter.keep_link() is not None:
        done.append("the link to a fast Python is in place")
    try:
        with project_lock(now.root, dry=False):
            if state.load(now.root, scope=now.scope.name).settings.packs:
                prepared = work.sync(now.root, allow_gaps=True, scope=now.scope.name)
                if prepared.changed:
                    work.carry_out(prepared)
                    done.append(f"hookpm sync: {len(prepared.plan.changes)} files changed")
    except HookpmError as error:
        output.say(f"not fixed: {error.message}{f'; {error.hint}' if error.hint else ''}")
    return done
