"""The ways to change a project: install, uninstall, update, sync; each prepares a plan.

What is prepared is a value that can be shown, asked about, or thrown away; only `carry_out` writes.
"""

from __future__ import annotations

import shutil
from collections.abc import Callable, Sequence
from contextlib import nullcontext
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from hookpm.audit import gaps
from hookpm.errors import HookpmError, NotFoundError, RefusedError
from hookpm.project import (
    agentchoice,
    chosenregistry,
    detect,
    generated,
    gitline,
    installed,
    interpreter,
    lockcheck,
    plan,
    removal,
    settings,
    state,
    targeting,
    wishes,
)
from hookpm.project.generated import PackTarget, digest
from hookpm.project.health import nested
from hookpm.project.home import homefolders
from hookpm.project.profiles import policy, profile
from hookpm.project.root import SETTINGS
from hookpm.project.writing import transaction

if TYPE_CHECKING:
    from hookpm.agents import Agent
    from hookpm.project.chosenregistry import Chosen
    from hookpm.project.health.canary import Proof
    from hookpm.project.profiles.profileref import Reference
    from hookpm.project.review.review import PackChange
    from hookpm.project.state import State
    from hookpm.resolve.lock import LockedProfile
    from hookpm.resolve.requirement import Requirement
    from hookpm.resolve.resolver import Resolved


class PackAction(NamedTuple):
    """What becomes of a pack: install, update, keep or remove. was: the version before, or None;
    commit, ref: of a pack from git."""

    name: str
    version: str
    source: str
    action: str
    was: str | None = None
    commit: str | None = None
    ref: str | None = None


@dataclass(frozen=True, slots=True)
class Prepared:
    """A change that is ready to be made. found: how the agents were found, where they were."""

    state: State
    plan: plan.Plan
    audit: gaps.Audit
    packs: tuple[PackAction, ...]
    targets: tuple[PackTarget, ...]
    agents: tuple[Agent, ...]
    found: tuple[detect.Found, ...] = ()

    @property
    def profiles(self) -> tuple[LockedProfile, ...]:
        """The profiles, as the lock will pin them."""
        return self.state.stack.lock_blocks() if self.state.stack else ()

    @property
    def changed(self) -> bool:
        """Would anything be written?"""
        return bool(self.plan.changes)


def install(
    root: Path,
    asked: Sequence[Requirement],
    agents: Sequence[str] = (),
    *,
    allow_gaps: bool = False,
    cwd: Path | None = None,
    registry: Chosen | None = None,
    scope: str | None = None,
) -> Prepared:
    """Prepare to add packs. agents: names to add to the project's agents; cwd: what relative paths
    in `asked` are relative to; registry: the one that packs by name have to come from; scope: what
    these packs are of, where no lock says it yet.

    Raises NotFoundError (no such pack, version or agent in use), RefusedError (needs not met, a
    conflict), FileFormatError (a file that does not read); nothing has been written then.
    """
    now = profile.opened(state.load(root, mend=True, scope=scope))
    chosen, found = agentchoice.choose(now, agents)
    located = [wishes.placed(each, root, cwd or Path.cwd()) for each in asked]
    added = chosenregistry.added(now, registry, located, cwd or Path.cwd())
    now = now._replace(settings=settings.with_registries(now.settings, added))
    name = None if registry is None else registry.name
    lines = wishes.lines(now, located, name)
    resolved = wishes.resolve(now, lines, located)
    put = wishes.new_lines(now, located, resolved, name)
    edited = settings.edited(
        now.settings_text, agents=agentchoice.to_write(now, chosen), put=put, registries=added
    )
    made = _prepared(now, edited, resolved, chosen, found, policy.allows_gaps(now, allow_gaps))
    around = [] if now.scope.is_user else nested.notes(root, chosen)
    return replace(made, plan=replace(made.plan, notes=(*made.plan.notes, *around)))


def uninstall(root: Path, names: Sequence[str], *, scope: str | None = None) -> Prepared:
    """Prepare to take packs out; with the last one everything of hookpm's goes.

    Raises NotFoundError for a pack that is not installed, RefusedError where another pack needs it.
    """
    now = profile.opened(state.load(root, mend=True, scope=scope))
    for name in names:
        removal.check(now, name)
    chosen, found = agentchoice.choose(now, ()) if now.settings.agents else ((), ())
    edited = settings.edited(now.settings_text, drop=names)
    left = state.edited(now, edited.text)
    for name in names:
        removal.check_gone(left, name)
    if not left.settings.packs:
        return _torn_down(now, edited.text)
    resolved = wishes.resolve(left, wishes.wanted(left))
    still = next((r for r in resolved if r.name in names), None)
    if still is not None:
        raise RefusedError(
            f"{still.name} cannot be uninstalled: {', '.join(still.wanted_by)} needs it",
            hint=f"uninstall {' and '.join(still.wanted_by)} as well",
        )
    return _prepared(now, edited, resolved, chosen, found, allow_gaps=True)


def update(root: Path, names: Sequence[str] = (), *, allow_gaps: bool = False) -> Prepared:
    """Prepare to move packs to the best versions that hookpm.toml takes.

    names: the packs to move, and what they need moves only where it has to; without names all
    packs move, and the profiles. Raises NotFoundError for a pack that is not installed, and what
    install raises.
    """
    now = state.load(root, mend=True)
    known = [pack.name for pack in now.lock.packs]
    for name in names:
        installed.check(name, known)
    return _moved(
        profile.opened(now) if names else profile.refresh(now)[0], names or known, allow_gaps
    )


def update_profiles(root: Path, *, allow_gaps: bool = False) -> Prepared:
    """Prepare to take the profiles as they are now; a pack moves only where one of them wants it.

    Raises NotFoundError where hookpm.toml extends none, and what install raises.
    """
    now = state.load(root, mend=True)
    if not now.own.extends:
        raise NotFoundError(
            f"{SETTINGS} extends no profile", hint="`hookpm init --profile SOURCE` adds one"
        )
    return _moved(profile.refresh(now)[0], (), allow_gaps)


def _moved(now: State, moving: Sequence[str], allow_gaps: bool) -> Prepared:
    if not now.settings.packs:
        raise _nothing_to_update(now)
    chosen, found = agentchoice.choose(now, ())
    resolved = wishes.resolve(now, wishes.wanted(now), moving=moving)
    edited = settings.edited(now.settings_text, agents=agentchoice.to_write(now, chosen))
    return _prepared(now, edited, resolved, chosen, found, policy.allows_gaps(now, allow_gaps))


def sync(
    root: Path,
    agents: Sequence[str] = (),
    *,
    locked: bool = False,
    allow_gaps: bool = False,
    profiles: Sequence[Reference] = (),
    scope: str | None = None,
) -> Prepared:
    """Prepare to bring the project to what its hookpm.toml says.

    locked: nothing may differ from the lock. profiles: the project has to extend these, which are
    read from where they are. Raises NotFoundError without a hookpm.toml.
    """
    prepared = _synced(root, agents, locked, allow_gaps, profiles, scope)
    if locked:
        lockcheck.check_written(prepared.state, prepared.plan)
    return prepared


def rewire(root: Path) -> Prepared:
    """Prepare to wire what the hooks file holds now; the packs stay just as the lock has them."""
    return _synced(root, (), locked=True, allow_gaps=True, profiles=(), scope=None)


def _synced(
    root: Path,
    agents: Sequence[str],
    locked: bool,
    allow_gaps: bool,
    profiles: Sequence[Reference],
    scope: str | None,
) -> Prepared:
    now = state.load(root, mend=not locked, scope=scope)
    if now.settings_text is None and not now.lock.packs:
        rest = _torn_down(now, None)  # lines of ours that an uninstall, or `rm .agents`, left
        if rest.changed or now.lock.wirings:
            return rest
    if now.settings_text is None:
        raise NotFoundError(
            f"there is no {SETTINGS} in {root}",
            hint="`hookpm install PACK` makes one",
        )
    now = profile.opened(now, locked=locked, named=profiles)
    if locked:
        lockcheck.check_all_wanted(now)
    if not now.settings.packs:
        return _torn_down(now, now.settings_text)
    chosen, found = agentchoice.choose(now, agents)
    resolved = wishes.resolve(now, wishes.wanted(now))
    if locked:
        lockcheck.check(now, resolved)
    edited = settings.edited(now.settings_text, agents=agentchoice.to_write(now, chosen))
    return _prepared(now, edited, resolved, chosen, found, policy.allows_gaps(now, allow_gaps))


def edit(
    root: Path, change: Callable[[State], settings.Edited], *, allow_gaps: bool = False
) -> Prepared:
    """Prepare what an edited hookpm.toml brings. change: gives the edited text.

    Raises what `change` raises, and what install raises.
    """
    now = profile.opened(state.load(root, mend=True))
    edited = change(now)
    left = state.refuse_broken(state.edited(now, edited.text))
    chosen, found = agentchoice.choose(left, ())
    resolved = wishes.resolve(left, wishes.wanted(left))
    return _prepared(now, edited, resolved, chosen, found, policy.allows_gaps(left, allow_gaps))


def carry_out(prepared: Prepared) -> tuple[Proof, ...]:
    """Write the plan, and prove every wired line. Raises what transaction.apply raises."""
    from hookpm.project.health import canary

    scope = prepared.state.scope
    with homefolders.private() if scope.is_user else nullcontext():
        transaction.apply(prepared.plan.root, prepared.plan.changes, prepared.plan.made)
    interpreter.keep_link()
    wired = {each.agent: each for each in prepared.plan.agents if each.wired}
    agents = [agent for agent in prepared.agents if agent.name in wired]
    idle = [name for name, each in wired.items() if each.idle]
    return canary.prove_all(agents, prepared.plan.root, elsewhere=scope.is_user, idle=idle)


def reviewed(prepared: Prepared) -> tuple[PackChange, ...]:
    """What is new or changed in what will run, against what the lock has: what it approves."""
    from hookpm.project.review import review, running

    before = running.of_lock(prepared.state, prepared.targets)
    return review.compare(before, running.of_targets(prepared.targets))


def missing_programs(prepared: Prepared) -> list[tuple[str, str]]:
    """(pack, program) for what the packs need and this machine has not on its PATH."""
    return [
        (target.name, program)
        for target in prepared.targets
        for program in target.content.manifest.requires.programs
        if shutil.which(program) is None
    ]


def _nothing_to_update(now: State) -> HookpmError:
    if now.lock.packs:
        return RefusedError(
            f"{SETTINGS} wants no packs", hint="`hookpm sync` takes out what is left"
        )
    return NotFoundError(
        "no packs are installed here: there is nothing to update",
        hint="`hookpm install PACK` adds one",
    )


# --- the plan --------------------------------------------------------------------------------


def _prepared(
    before: State,
    edited: settings.Edited,
    resolved: Sequence[Resolved],
    chosen: tuple[Agent, ...],
    found: tuple[detect.Found, ...],
    allow_gaps: bool,
) -> Prepared:
    now = state.refuse_broken(state.edited(before, edited.text))
    policy.check(now, resolved, [agent.name for agent in chosen])
    targets = [targeting.one(now, each) for each in resolved]
    audit = targeting.audited(targets, [agent.facts for agent in chosen])
    if audit.unmet and not allow_gaps:
        raise targeting.unmet(audit, policy.refuses_gaps(now))
    record = now.edit(SETTINGS)
    undo = tuple(dict.fromkeys([*(record.undo if record else ()), *edited.undo]))
    made = plan.make(now, targets, chosen, edited.text, undo)
    lines = wishes.wanted(now)
    notes = [str(moved) for moved in profile.changes(now)]
    notes += [
        f"{lines[name].path} is not here; {name} stays as it was installed"
        for name in wishes.absent(now, lines)
    ]
    notes += gitline.moved_tags(now.lock, targets)
    notes += [f"{r.name} {r.version} was {r.withdrawn}" for r in resolved if r.withdrawn]
    made = replace(made, notes=(*made.notes, *notes))
    return Prepared(now, made, audit, _actions(now, targets), tuple(targets), chosen, found)


def _torn_down(now: State, text: str | None) -> Prepared:
    """Everything of hookpm's out; hookpm.toml too where hookpm made all of it."""
    record = now.edit(SETTINGS)
    created = bool(record and record.created)
    undo = record.undo if record else ()
    left = None if text is None else settings.without_ours(text, created, undo)
    made = plan.make(now, (), (), left, known=_unlocked_files(now))
    return Prepared(now, made, targeting.audited((), ()), _actions(now, ()), (), ())


def _unlocked_files(now: State) -> dict[str, generated.File]:
    """The packs' files as hookpm.toml names the packs, where the lock that knew them is lost.

    What cannot be had now is left where it is: the plan says so.
    """
    if now.lock_bytes is not None or not now.generated:
        return {}
    lines = {name: now.settings.line(name) for name in now.settings.packs}
    try:
        return generated.wanted_files(targeting.of_lines(now, lines), {}, now.scope)
    except HookpmError:
        return {}


def _actions(now: State, targets: Sequence[PackTarget]) -> tuple[PackAction, ...]:
    actions = []
    for target in targets:
        manifest, was = target.content.manifest, now.lock.pack(target.name)
        if was is None:
            action = "install"
        elif (was.version, was.source, was.commit) != (
            manifest.version,
            target.source,
            target.commit,
        ):
            action = "update"
        else:
            same = was.files == {p: digest(f.data) for p, f in target.content.files.items()}
            action = "keep" if same else "update"
        old = was.version if was else None
        actions.append(
            PackAction(
                manifest.name,
                manifest.version,
                target.source,
                action,
                old,
                target.commit,
                target.ref,
            )
        )
    names = {target.name for target in targets}
    actions += [
        PackAction(
            pack.name, pack.version, pack.source, "remove", pack.version, pack.commit, pack.ref
        )
        for pack in now.lock.packs
        if pack.name not in names
    ]
    return tuple(sorted(actions))
