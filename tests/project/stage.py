"""A run that is repeated from the same start, to be stopped or failed at each of its writes."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

from hookpm.project import generated, interpreter, ownfiles, vendor
from hookpm.project.health import canary, ignored, status
from hookpm.project.home import userbridge
from hookpm.project.home.homefolders import BRIDGE_RECORD, config_folder, home
from hookpm.project.review import runtree
from hookpm.project.writing import locking
from hookpm.project.writing.pending import PENDING
from tests.project.faults import Faults, Tree, injected, put_back, taken
from tests.project.world import FILES, Result, World

Command = tuple[str, ...]
INSTALL: Command = ("install", "guard", "--agent=claude", "--agent=codex")
BRIDGE: Command = ("init", "--user-bridge", "--agent=claude", "--agent=gemini")
NO_BRIDGE: Command = ("init", "--user-bridge", "--remove")
IN_HOME: Command = ("install", "guard", "--user", "--agent=claude", "--agent=pi")
LOCALLY: Command = ("install", "guard", "--local", "--agent=claude")
MINE = """\
{
\t"model": "x", "big": 12345678901234567890,
\t"hooks": { "Stop": [ {"hooks": [{"type": "command", "command": "mine.sh"}]} ] }
}"""


def nothing(world: World) -> None:
    """A project with nothing in it."""


def users_files(world: World) -> None:
    world.write(FILES["claude"], MINE).chmod(0o600)
    world.write(".agents/hooks.json", '{"hooks": {}}')


def older(world: World) -> None:
    users_files(world)
    world.ok("install", "guard==1.1.0", "helper", "--agent=claude", "--agent=codex")
    wanted = world.read(".agents/hookpm.toml")
    world.write(".agents/hookpm.toml", wanted.replace("==1.1.0", "~=2.0"))


def outdated(world: World) -> None:
    users_files(world)
    world.ok("install", "guard==1.0.0", "--agent=claude", "--agent=codex")
    wanted = world.read(".agents/hookpm.toml")
    world.write(".agents/hookpm.toml", wanted.replace("==1.0.0", "~=1.0"))


def installed(world: World) -> None:
    users_files(world)
    world.ok(*INSTALL)


def two_packs(world: World) -> None:
    installed(world)
    world.ok("install", "helper")


def migrated(world: World) -> None:
    installed(world)
    world.ok("migrate", "--remove")


def users_home(world: World) -> None:
    world.ok("install", "guard", "--agent=codex")
    file = world.home / ".claude/settings.json"
    file.parent.mkdir()
    file.write_text(MINE)


def bridged(world: World) -> None:
    users_home(world)
    world.ok(*BRIDGE)


def in_home(world: World) -> None:
    bridged(world)
    world.ok(*IN_HOME)


class Run(NamedTuple):
    """before: makes what is there; command: the run; then: what may be run after it was stopped.

    steps: the run makes several changes, each whole or not at all, and each good to stop at.
    """

    before: Callable[[World], None]
    command: Command
    then: tuple[Command, ...] = (("sync",), INSTALL, ("uninstall", "guard"))
    steps: bool = False


USERS = (BRIDGE, NO_BRIDGE)
HOMES: tuple[Command, ...] = (("sync", "--user"), IN_HOME, ("uninstall", "guard", "--user"))
RUNS = {
    "install": Run(users_files, INSTALL),
    "install into nothing": Run(nothing, INSTALL),
    "sync to another version": Run(older, ("sync",)),
    "update": Run(outdated, ("update", "--yes")),
    "uninstall of the last": Run(installed, ("uninstall", "guard")),
    "uninstall of one": Run(two_packs, ("uninstall", "helper")),
    "init": Run(nothing, ("init", "--agent=claude")),
    "migrate": Run(installed, ("migrate", "--remove"), steps=True),
    "migrate back": Run(migrated, ("migrate", "--undo"), steps=True),
    "user bridge": Run(users_home, BRIDGE, USERS),
    "user bridge out": Run(bridged, NO_BRIDGE, USERS),
    "user scope": Run(bridged, IN_HOME, HOMES),
    "user scope out": Run(in_home, HOMES[-1], HOMES),
    "local scope": Run(nothing, LOCALLY, (("sync",), LOCALLY, ("uninstall", "guard"))),
}


class Stage:
    """A world with few files of each kind that there are, and no program to start.

    before, after: the disk around the run; calls: what the run does to it, in order.
    """

    def __init__(self, world: World, run: Run) -> None:
        few = ("bridge.py", ".gitattributes", "bridge/main.py", "agents/codex/translate.py")
        files = {path: vendor.bridge_files()[path][:99] for path in few}
        for module in (generated, ownfiles, runtree, status, userbridge):
            world.patch.setattr(module, "bridge_files", lambda: files)
        proof = canary.Proof("claude", ok=True, detail="")
        world.patch.setattr(canary, "prove", lambda *_: proof)
        world.patch.setattr(ignored, "find", lambda *_: [])
        self.world, self.run = world, run
        self.tops = (world.repo, world.home)
        for place in (world.repo, home(), config_folder()):
            with locking.locked(place):
                interpreter.keep_link()  # beside the project there is what any run makes
        run.before(world)
        self.before = taken(*self.tops)
        faults = Faults()
        _, self.after = self.faulty(faults)
        self.calls = faults.calls
        self._known: dict[tuple[bool, Command], tuple[Result, Tree]] = {}

    def faulty(self, faults: Faults) -> tuple[Result | None, Tree]:
        """The run, from the start, with faults; None where it was killed; and the disk then."""
        put_back(self.before, *self.tops)
        done = None
        with injected(faults):
            done = self.world.run(*self.run.command)
        return done, taken(*self.tops)

    def goes_on(self, tree: Tree, command: Command) -> tuple[Result, Tree]:
        """A run that finds this disk, and the disk that it leaves."""
        put_back(tree, *self.tops)
        return self.world.run(*command), taken(*self.tops)

    def is_in_repo(self, path: str) -> bool:
        """Is it a path of the project, and not of the home?"""
        return path.startswith(f"{self.world.repo}/")

    def same(self, one: Tree, other: Tree) -> bool:
        """Are the two the same? But for the record of which empty folders are the user bridge's:
        a run that is killed right after it has made them does not know them as its own."""
        if self.run.then is not USERS:
            return one == other
        loose = [str(self.world.home / path) for path in ("data", f"data/hookpm/{BRIDGE_RECORD}")]
        first, second = ({p: k for p, k in t.items() if p not in loose} for t in (one, other))
        return first == second

    def check_the_steps(self, tree: Tree, at: str) -> None:
        """No hook of the user's is lost at a stop between two changes; the same run again, and a
        sync, come to the end."""
        every = b"".join(kept.data for kept in tree.values() if isinstance(kept.data, bytes))
        assert b"mine.sh" in every, at
        done, between = self.goes_on(tree, self.run.command)
        synced, now = self.goes_on(between, ("sync",))
        assert now == self.after, (at, done.text, synced.text)

    def known(self, after: bool, command: Command) -> tuple[Result, Tree]:
        """What a command comes to where the run had not begun, or was whole."""
        key = (after, command)
        if key not in self._known:
            self._known[key] = self.goes_on(self.after if after else self.before, command)
        return self._known[key]


def left_behind(tree: Tree) -> str:
    """What a stopped run left: "half", "whole" or "begun"; "" where it left nothing."""
    names = {f"/{part}/" for path in tree for part in path.split("/")}
    if "/.hookpm-done/" in names or "/.agents.hookpm-done/" in names:
        return "whole"
    if any(path.endswith(f"{PENDING}/journal.json") for path in tree):
        return "half"
    return "begun" if {"/.hookpm-pending/", "/.agents.hookpm-new/"} & names else ""


def configs(stage: Stage, tree: Tree) -> Tree:
    """The files that are the user's as well."""
    names = [*FILES.values(), ".agents/hooks.json"]
    places = [str(top / name) for top in stage.tops for name in names]
    return {place: tree[place] for place in places if place in tree}
