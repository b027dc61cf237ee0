"""hookpm list: the installed packs."""

from __future__ import annotations

import argparse
import sys
from typing import TYPE_CHECKING, Any

from hookpm.cli import common, output

if TYPE_CHECKING:
    from hookpm.packs.content import Content
    from hookpm.project.state import State


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The options of list."""
    common.add_project(parser)


def run(options: argparse.Namespace) -> int:
    """Print the packs; returns the exit code."""
    from hookpm.project import installed, state

    now = state.load(common.find_root(options).path)
    found = installed.all_contents(now)
    plugins = {name: each.plugin for name, each in found.items() if each.plugin}
    packs = [
        {
            "name": p.name,
            "version": p.version,
            "source": p.source,
            **common.of_git(p.ref, p.commit),
            **common.of_profile(now, p.name),
            "hooks": len(p.entries),
            "limited": _limited(now, p.name, found.get(p.name)),
            **(plugins[p.name].json() if p.name in plugins else {}),
        }
        for p in now.lock.packs
    ]
    if options.json:
        output.show_json({"packs": packs})
        return 0
    for pack in packs:
        output.show(_line(pack))
        if pack["name"] in plugins:
            for line in plugins[pack["name"]].lines(pack["name"]):
                output.show(f"  {line}")
    if not packs:
        output.say("no packs are installed here; `hookpm install PACK` adds one")
    return 0


def _limited(now: State, name: str, found: Content | None) -> list[dict[str, Any]]:
    """The hooks of a pack that do not run on every system or in every agent."""
    line = now.settings.line(name) if name in now.settings.packs else None
    ours = None if line is None or line.agents is None else list(line.agents)
    pack = now.lock.pack(name)
    ids = pack.entries if pack else {}
    limited = []
    for hook in found.manifest.hooks if found else ():
        agents = ours if hook.agents is None else [a for a in hook.agents if a in (ours or [a])]
        if hook.id in ids and not (agents is None and hook.os is None):
            systems = None if hook.os is None else list(hook.os)
            limited.append({"hook": hook.id, "agents": agents, "os": systems})
    return limited


def _line(pack: dict[str, Any]) -> str:
    hooks = "1 hook" if pack["hooks"] == 1 else f"{pack['hooks']} hooks"
    place = common.origin(pack["source"], pack.get("ref"), pack.get("commit"))
    by = f"; by {pack['profile']}" if "profile" in pack else ""
    lines = [f"{pack['name']} {pack['version']} from {place} ({hooks}{by})"]
    for each in pack["limited"]:
        agents, systems = each["agents"], each["os"]
        where = [] if agents is None else [f"in {' and '.join(agents) or 'no agent'}"]
        where += [] if systems is None else [f"on {' and '.join(systems)}"]
        here = systems is None or _system() in systems
        away = "" if here else ", so not on this machine"
        lines.append(f"  {each['hook']} runs only {' '.join(where)}{away}")
    return "\n".join(lines)


def _system() -> str:
    """This machine's operating system, in the manifest's words."""
    known = {"linux": "linux", "darwin": "macos", "win32": "windows"}
    return known.get(sys.platform, sys.platform)
