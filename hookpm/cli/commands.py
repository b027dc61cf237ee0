"""The commands there are, and the modules that carry them out."""

from __future__ import annotations

import sys

TYPE_CHECKING = False  # `typing` is not imported for the overview
if TYPE_CHECKING:
    from types import ModuleType

# Purpose -> verb -> what it does; the module of a verb's name below hookpm.cli has
# add_arguments and run.
GROUPS = {
    "Install": {
        "install": "add packs, check every agent, wire the bridge",
        "uninstall": "take packs out; with the last one everything goes",
        "sync": "bring the project to what its hookpm.toml says; --check for CI",
        "enable": "switch hooks of packs on again",
        "disable": "switch hooks of packs off, and say what no longer holds",
        "init": "start a project, with a team's profile; --user-bridge wires your own config",
        "migrate": "take hooks from agents' own files into .agents/hooks.json, and back",
    },
    "Review and update": {
        "review": "show what is new in what would run, and take it once you agree",
        "update": "move packs to the best versions that hookpm.toml takes",
        "outdated": "show which packs are not the newest, and what keeps them back",
        "try": "send a call to a pack's hooks, and see what an agent would do",
        "allow": "let the user bridge run this project's hooks, as they are now",
    },
    "Look and prove": {
        "list": "list the installed packs",
        "tree": "show the packs, each with what it depends on",
        "why": "show who wants a pack, up to the line that started it",
        "status": "say what is wrong here, and the command that mends it",
        "doctor": "find what keeps hooks from running, also on this machine; --fix mends",
        "verify": "prove the install: hashes, entries, and a canary through every line",
    },
    "Find packs": {
        "search": "find packs by words, in all registries",
        "info": "show what is known of a pack: versions, hooks, what agents drop",
    },
    "See what agents do": {
        "audit": "show what each agent would drop of what the packs ask",
        "agents": "show what each agent can do with a hook's answers",
        "probe": "measure the agent installed here, and hold the table against it",
    },
    "Write packs": {
        "pack": "start, check, test, build, publish and withdraw a pack",
        "schema": "print the JSON Schema of a format",
    },
}

COMMANDS = {name: text for group in GROUPS.values() for name, text in group.items()}


def module(name: str) -> ModuleType:
    """A command's module. `__import__`, since importlib itself takes its time."""
    full = f"hookpm.cli.{name}"
    __import__(full)
    return sys.modules[full]
