"""What is wrong in a project, and the one command that mends each thing. Reads, never writes."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

from hookpm.errors import HookpmError, NotFoundError, SystemFailureError
from hookpm.project import hooksjson, twins
from hookpm.project.generated import canonical, digest
from hookpm.project.health import ignored, switches, userhooks, wired
from hookpm.project.health.problem import SYNC, Problem
from hookpm.project.home.scope import PROJECT, for_user
from hookpm.project.root import LOCK, SETTINGS
from hookpm.project.vendor import FOLDER, bridge_files
from hookpm.project.writing import pending

if TYPE_CHECKING:
    from hookpm.project.state import State


def examine(now: State) -> list[Problem]:
    """Everything that is wrong, in the order: files, hooks file, agents, settings."""
    found = _examine(now)
    if not now.scope.is_user:
        return found
    return [each._replace(fix=for_user(each.fix)) for each in found]


def _examine(now: State) -> list[Problem]:
    if not now.lock.packs:
        return [*_pending(now), *_not_installed(now)]
    found = [*_pending(now), *_files(now), *_hooks_file(now)]
    for name in _agent_names(now):
        found += wired.examine(now, now.scope.agent(name))
    found += [
        Problem(each.code, "broken", each.file, name, each.message, each.fix)
        for name, each in switches.in_repo(now, _agent_names(now))
    ]
    found += [*_profiles(now), *_forbidden(now), *_settings(now), *_ignored(now)]
    return found or list(_unsynced(now))


def _not_installed(now: State) -> Iterator[Problem]:
    yield from _profiles(now)
    yield from _forbidden(now)
    if now.settings.packs:
        packs = ", ".join(now.settings.packs)
        yield Problem(
            "not-synced",
            "broken",
            SETTINGS,
            None,
            f"{packs} wanted, but nothing is installed",
            SYNC,
        )
    yield from wired.orphans(now)
    for wiring in now.lock.wirings:
        yield Problem(
            "left-over",
            "drift",
            wiring.file,
            wiring.agent,
            "hookpm's entries are still in it: it could not be edited at the uninstall",
            f"mend {wiring.file}, then {SYNC}",
        )


def _pending(now: State) -> Iterator[Problem]:
    left = pending.left(now.root)
    if left == pending.HALF:
        message, fix = "an earlier run was stopped half-way; the next run completes it", SYNC
        wrong = pending.complaint(now.root)
        if wrong is not None:
            message, fix = wrong.message, wrong.hint or SYNC
        yield Problem("half-done", "broken", pending.PENDING, None, message, fix)
    elif left is not None:
        which = "with all its changes made" if left == pending.WHOLE else "before it changed a file"
        message = f"an earlier run was stopped {which}; its leftovers are still here"
        fix = "hookpm doctor --fix takes them away, as any next run does"
        yield Problem("half-done", "drift", pending.PENDING, None, message, fix)


def _files(now: State) -> Iterator[Problem]:
    """The generated files against the lock."""
    locked = now.locked_files()
    for path, hashed in locked.items():
        present = now.generated.get(path)
        if present is None:
            yield Problem("missing", "broken", path, None, *wired.missing(now.root, path))
        elif digest(present.data) != hashed:
            yield Problem(
                "edited",
                "drift",
                path,
                None,
                "the file is not the one that was installed",
                f"{SYNC} restores it (`hookpm sync --dry-run` shows the difference)",
            )
    for path in now.generated:
        if path not in locked:
            yield Problem(
                "unlisted",
                "drift",
                path,
                None,
                f"the lock does not list this file below {FOLDER}",
                f"remove {path}",
            )
    own = {f"{FOLDER}/{path}": digest(data) for path, data in bridge_files().items()}
    if any(locked.get(path) != hashed for path, hashed in own.items()):
        yield Problem(
            "other-bridge",
            "drift",
            f"{FOLDER}/bridge.py",
            None,
            "the bridge here is another hookpm version's",
            f"{SYNC} brings this version's",
        )


def _hooks_file(now: State) -> Iterator[Problem]:
    """The merged entries against the lock, and what in the file does not run."""
    path, text = now.hooks.path, now.hooks.text
    if now.hooks.wrong is not None:
        error = now.hooks.wrong
        message = f"{error.message}{f': {error.cause}' if error.cause else ''}; no hook runs"
        fix = f"mend {path}, then {SYNC}"
        yield Problem("unreadable", "broken", path, None, message, fix, error.line)
        return
    if text is None:
        if any(pack.entries for pack in now.lock.packs):  # else all hooks are switched off
            yield Problem("missing", "broken", path, None, "the hooks file is gone", SYNC)
        return
    for wrong in hooksjson.problems(text, path):
        yield Problem(
            "not-run",
            "broken",
            path,
            None,
            f"{wrong.message}; it does not run",
            f"mend {path}:{wrong.line}",
            wrong.line,
        )
    yield from userhooks.without_script(now)
    present = {
        (group.pack, group.id): digest(canonical(group.value))
        for group in hooksjson.installed(text, path)
    }
    locked = {(p.name, hook): h for p in now.lock.packs for hook, h in p.entries.items()}
    for group in hooksjson.installed(text, path):
        file = hooksjson.program(group)
        there = now.generated.get(f"{FOLDER}/packs/{group.pack}/{file}") if file else None
        if there is not None and not there.executable:
            yield Problem(
                "not-executable",
                "broken",
                f"{FOLDER}/packs/{group.pack}/{file}",
                None,
                f"{group.pack}/{group.id} cannot start: the file is not executable",
                f"{SYNC}, and let git keep the mode (git update-index --chmod=+x)",
            )
    for (pack, hook), hashed in locked.items():
        if (pack, hook) not in present:
            yield Problem("entry-gone", "broken", path, None, f"{pack}/{hook} is not in it", SYNC)
        elif present[pack, hook] != hashed:
            yield Problem("entry-edited", "drift", path, None, f"{pack}/{hook} was edited", SYNC)
    for pack, hook in present:
        if (pack, hook) not in locked:
            yield Problem(
                "entry-unknown",
                "drift",
                path,
                None,
                f"{pack}/{hook} says it is a pack's, but the lock does not list it",
                SYNC
                if now.lock.pack(pack) or pack in now.settings.packs
                else f"`hookpm install {pack}`, or take the entry out of {path}",
            )


def _agent_names(now: State) -> list[str]:
    known = [wiring.agent for wiring in now.lock.wirings]
    return list(dict.fromkeys([*(now.settings.agents or ()), *known]))


def _profiles(now: State) -> Iterator[Problem]:
    """Profiles that hookpm.toml extends, and that a clone would have to fetch."""
    for each in now.stack.absent if now.stack else ():
        pin = now.lock.profile(each.source)
        if pin is None or not each.names(pin.ref):  # else its file was edited, and is named as that
            message = f"it extends {each.typed}, which the lock does not pin"
            yield Problem("not-synced", "broken", SETTINGS, None, message, SYNC)


def _forbidden(now: State) -> Iterator[Problem]:
    """Lines that a profile does not allow, as far as they can be told from the files alone."""
    if now.merged is None:
        return
    from hookpm.project.profiles import policy

    wrong = list(now.merged.broken)
    if now.settings.agents is not None:
        wrong += policy.missing_agents(now, now.settings.agents)
    for error in wrong:
        told = f"{error.message} ({error.cause})"
        fix = error.hint or SYNC
        yield Problem("forbidden", "broken", error.file, None, told, fix, error.line)


def _settings(now: State) -> Iterator[Problem]:
    """What is wanted against what is locked."""
    for name in now.settings.packs:
        if now.lock.pack(name) is None:
            yield Problem(
                "not-synced", "broken", SETTINGS, None, f"{name} is wanted, but not installed", SYNC
            )
    if now.settings_text is None:
        yield Problem("missing", "drift", SETTINGS, None, "the file is gone", "restore it from git")
    known = {wiring.agent for wiring in now.lock.wirings}
    for name in known - set(now.settings.agents or known):
        yield Problem(
            "not-synced", "drift", SETTINGS, name, f"{name} is wired, but no longer wanted", SYNC
        )


def _unsynced(now: State) -> Iterator[Problem]:
    """What a sync would change although all is as the lock says: other options, versions, files."""
    from hookpm.project import work

    try:
        prepared = work.sync(now.root, allow_gaps=True)
    except (NotFoundError, SystemFailureError):
        return  # a pack's folder or a registry that is not here does not make the install wrong
    except HookpmError as error:
        yield Problem(
            "not-synced",
            "drift",
            error.file or SETTINGS,
            None,
            error.message,
            error.hint or f"mend it, then {SYNC}",
            error.line,
        )
        return
    if prepared.changed:
        paths = [change.path for change in prepared.plan.changes]
        told = ", ".join(paths[:3]) + (f" and {len(paths) - 3} more" if len(paths) > 3 else "")
        yield Problem("not-synced", "drift", SETTINGS, None, f"a sync would change {told}", SYNC)


def _ignored(now: State) -> Iterator[Problem]:
    """What git ignores does not reach the other clones; only a project has some."""
    if now.scope.name != PROJECT:
        return
    paths = [LOCK, SETTINGS, now.hooks.path, *now.locked_files()]
    paths += [wiring.file for wiring in now.lock.wirings]
    for path in twins.find(now.root, [*paths, hooksjson.BESIDE]):
        message = "a disk that is blind to case takes it for the file of that name that hookpm has"
        yield Problem("twin", "drift", path, None, message, f"remove {path}")
    for each in ignored.find(now.root, paths):
        yield Problem("ignored", "drift", each.paths[0], None, each.message, each.fix)


def exists(root: Path) -> bool:
    """Is there anything of hookpm's in the project?"""
    return any((root / path).exists() for path in (SETTINGS, LOCK, FOLDER))
