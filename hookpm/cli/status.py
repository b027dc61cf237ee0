"""hookpm status: what is wrong here, and the command that mends it."""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING, Any

from hookpm.cli import common, output

if TYPE_CHECKING:
    from hookpm.project.health.problem import Problem
    from hookpm.project.state import State


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The options of status."""
    common.add_project(parser)


def run(options: argparse.Namespace) -> int:
    """Print the state; exit code 1 where something is wrong."""
    from hookpm.project import state
    from hookpm.project.health import status
    from hookpm.project.health.problem import state_word
    from hookpm.project.home import userbridge

    root, scope = common.find_root(options).path, common.scope_of(options)
    now = state.load(root, look=True, scope=scope)
    problems = status.examine(now)
    word = state_word(problems)
    if options.json:
        output.show_json(document(now, problems))
        return 0 if word == "ok" else 1
    for pack in now.lock.packs:
        place = common.origin(pack.source, pack.ref, pack.commit)
        output.show(f"{pack.name} {pack.version} from {place}")
    for profile in now.lock.profiles:
        place = common.origin(profile.source, profile.ref, profile.commit)
        output.show(f"extends {place}")
    for wiring in now.lock.wirings:
        output.show(f"{wiring.agent}: wired in {wiring.file} at {', '.join(wiring.events)}")
    for line in userbridge.lines(now.root):
        output.show(line)
    show_problems(problems)
    if not now.lock.packs and not problems:
        output.show("no packs are installed here; `hookpm install PACK` adds one")
    else:
        output.show(f"state: {word}")
    return 0 if word == "ok" else 1


def show_problems(problems: list[Problem]) -> None:
    """Each problem with its place and its fix."""
    for problem in problems:
        place = f"{problem.file}:{problem.line}" if problem.line else problem.file or "the project"
        who = f"{problem.agent}: " if problem.agent else ""
        output.show(f"{problem.severity}: {who}{place}: {problem.message}")
        output.show(f"  fix: {problem.fix}")


def document(now: State, problems: list[Problem]) -> dict[str, Any]:
    """The stable document of status, verify and doctor."""
    from hookpm.project.health.problem import state_word
    from hookpm.project.home import userbridge

    standing = userbridge.standing(now.root)
    return {
        "scope": now.scope.name,
        "state": state_word(problems),
        "problems": [problem._asdict() for problem in problems],
        "packs": [
            {
                "name": p.name,
                "version": p.version,
                "source": p.source,
                **common.of_git(p.ref, p.commit),
                **common.of_profile(now, p.name),
            }
            for p in now.lock.packs
        ],
        "profiles": [
            {"source": p.source, **common.of_git(p.ref, p.commit), "sha256": p.sha256}
            for p in now.lock.profiles
        ],
        "agents": [
            {"agent": w.agent, "file": w.file, "events": list(w.events)} for w in now.lock.wirings
        ],
        "user_bridge": {"wired": standing.wired, "project": standing.state},
    }
