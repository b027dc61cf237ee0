"""Everything that keeps hooks from running, in the project and on this machine. Never writes.

`status` compares the project with its lock and says the same on every machine; the doctor also
looks at what only this machine knows: interpreters, programs, the agents' own trust and switches.
"""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from typing import TYPE_CHECKING

from hookpm import agents as all_agents
from hookpm.agents import health, windows_paths
from hookpm.project import detect, installed, interpreter
from hookpm.project.health import status, switches, userhooks, wired
from hookpm.project.health.problem import Problem
from hookpm.project.interpreter import OLDEST
from hookpm.registry import userfolders

if TYPE_CHECKING:
    from hookpm.project.state import State


def examine(now: State) -> list[Problem]:
    """The problems of `status`, then those of this machine."""
    found = status.examine(now)
    if not now.lock.packs:
        return found
    found += [*_python(), *_programs(now)]
    for wiring in {w.agent: w for w in now.lock.wirings}.values():
        found += [
            Problem(each.code, "broken", each.file, wiring.agent, each.message, each.fix)
            for each in health.examine(wiring.agent, switches.machine(now))
            if not switches.is_of_repo(now, each)  # `status` has named it
        ]
        found += _evidence(wiring.agent)
        agent = now.scope.agent(wiring.agent)
        found += [*wired.twice(now, agent), *userhooks.that_never_fire(now, agent.facts)]
    return [*found, *_never_fires(now)]


def _python() -> Iterator[Problem]:
    """The interpreter that the wired lines start: the cached link, or python3 on PATH."""
    folder = userfolders.cache_folder()
    link = folder / "python3" if folder else None
    fix = "hookpm doctor --fix makes a link to this Python"
    if link is not None and interpreter.is_taken(link):
        version = interpreter.version(str(link))
        if version is None or version < OLDEST:
            what = "does not start" if version is None else f"is {version[0]}.{version[1]}"
            message = f"what is to be a fast Python of 3.8 or newer {what}: no hook runs"
            yield Problem("python-link", "broken", str(link), None, message, fix)
        return
    if link is not None and link.is_symlink():
        message = "the link to a fast interpreter leads nowhere"
        yield Problem("python-link", "broken", str(link), None, message, fix)
    found = shutil.which("python3")
    version = interpreter.version(found) if found else None
    if version is None:
        what = f"{found} does not start" if found else "there is no python3 on PATH"
        if found and windows_paths.is_store_link(found):
            what = f"{found} is Windows' link to its store, and no Python"
        yield Problem("no-python", "broken", found, None, f"{what}: no hook runs", fix)
    elif version < OLDEST:
        message = f"python3 is {version[0]}.{version[1]}, the bridge needs 3.8: no hook runs"
        yield Problem("old-python", "broken", found, None, message, fix)


def _programs(now: State) -> Iterator[Problem]:
    """The programs that packs say they need."""
    for pack, content in installed.all_contents(now).items():
        seems = ("seems to need", "note") if content.plugin else ("needs", "broken")
        for program in content.manifest.requires.programs:
            if shutil.which(program) is None:
                message = f"{pack} {seems[0]} {program}, which is not on PATH"
                yield Problem("program", seems[1], None, None, message, f"install {program}")


def _evidence(name: str) -> Iterator[Problem]:
    """An agent newer than what its table was measured on may do otherwise."""
    from packaging.version import InvalidVersion, Version

    agent = all_agents.load(name)
    if agent.facts.basis != "observed":
        return
    here = detect.installed_version(agent.facts)
    try:
        newer = here is not None and Version(here) > Version(agent.facts.version)
    except InvalidVersion:
        return
    if newer:
        message = (
            f"{agent.facts.title} {here} is newer than {agent.facts.version}, on which its "
            "table was measured"
        )
        yield Problem("newer", "note", None, name, message, f"hookpm probe {name} measures it here")


def _never_fires(now: State) -> Iterator[Problem]:
    """Hooks that never run in an agent: no such event, or a matcher that takes no tool of it."""
    from hookpm.audit import gaps

    packs = []
    for pack, content in installed.all_contents(now).items():
        line = now.settings.line(pack) if pack in now.settings.packs else None
        disabled = line.disable if line else ()
        kept = [hook for hook in content.manifest.hooks if hook.id not in disabled]
        packs.append(gaps.PackHooks(pack, kept, line.agents if line else None))
    facts = [all_agents.load(w.agent).facts for w in now.lock.wirings]
    for warning in gaps.audit(packs, facts).warnings:
        yield Problem(
            warning.code,
            "note",
            None,
            warning.agent,
            warning.message,
            f"hookpm audit {warning.pack} shows more",
        )
