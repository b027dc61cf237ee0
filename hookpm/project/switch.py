"""Hooks switched off and on again: `disable` in hookpm.toml, and what no longer holds without them.

The file keeps its layout; a hook that is switched off and on again leaves no trace in it.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from hookpm import agents as all_agents
from hookpm.audit import gaps
from hookpm.edit import tomltext
from hookpm.errors import NotFoundError, UsageError
from hookpm.project import installed, settings, work
from hookpm.project.settings import Edited, PackLine

if TYPE_CHECKING:
    from hookpm.agents.facts import Facts
    from hookpm.packs.manifest import Hook
    from hookpm.project.state import State
    from hookpm.project.work import Prepared


class Switch(NamedTuple):
    """What was asked for: a hook of a pack; hook: None for all that are off."""

    pack: str
    hook: str | None


def parse(texts: Sequence[str], *, whole: bool) -> list[Switch]:
    """`PACK/HOOK`, and where `whole` is true also `PACK`. Raises UsageError."""
    found = []
    for text in texts:
        pack, slash, hook = text.partition("/")
        if not pack or bool(slash) != bool(hook) or "/" in hook:
            raise UsageError(
                f"{text!r} is no PACK/HOOK", hint="such as protect-secrets/guard-files"
            )
        if not hook and not whole:
            raise UsageError(
                f"{text} names no hook",
                hint=f"name one: {text}/HOOK; `hookpm uninstall {text}` takes the pack out",
            )
        found.append(Switch(pack, hook or None))
    return found


def disable(root: Path, asked: Sequence[Switch]) -> Prepared:
    """Prepare to switch hooks off. Raises NotFoundError for a pack or a hook that is not there,
    RefusedError where a profile requires it."""
    return _prepared(root, asked, _with)


def enable(root: Path, asked: Sequence[Switch]) -> Prepared:
    """Prepare to switch hooks on. Raises as `disable` does; also where a need of such a hook is not
    met in an agent."""
    return _prepared(root, asked, _without)


def _with(off: Sequence[str], switch: Switch) -> list[str]:
    return [*off, *([switch.hook] if switch.hook and switch.hook not in off else [])]


def _without(off: Sequence[str], switch: Switch) -> list[str]:
    return [hook for hook in off if switch.hook not in (None, hook)]


def _prepared(root: Path, asked: Sequence[Switch], change: Any) -> Prepared:
    notes: list[str] = []

    def edit(now: State) -> Edited:
        text = now.settings_text or ""
        undo: tuple[str, ...] = ()
        for switch in asked:
            hooks = _hooks(now, switch.pack)
            if switch.hook is not None:
                _check_hook(switch, list(hooks))
            off = _off(now, text, switch.pack)
            wanted = change(off, switch)
            notes.extend(_told(now, switch.pack, hooks, off, wanted))
            if list(wanted) != list(off):
                edited = _switched(now, text, switch.pack, wanted)
                text, undo = edited.text, (*undo, *edited.undo)
        return Edited(text, undo)

    prepared = work.edit(root, edit, allow_gaps=change is _with)
    plan = replace(prepared.plan, notes=(*prepared.plan.notes, *dict.fromkeys(notes)))
    return replace(prepared, plan=plan)


def _hooks(now: State, pack: str) -> Mapping[str, Hook]:
    """The hooks of an installed pack by id. Raises NotFoundError."""
    installed.check(pack, [each.name for each in now.lock.packs])
    content = installed.content(now, pack)
    if content is None:
        raise NotFoundError(
            f"the files of {pack} are not here as a pack", hint="`hookpm sync` restores them"
        )
    return {hook.id: hook for hook in content.manifest.hooks}


def _check_hook(switch: Switch, known: Sequence[str]) -> None:
    if switch.hook not in known:
        near = tomltext.near(switch.hook or "", known)
        hint = f"did you mean {switch.pack}/{near}?" if near else f"its hooks: {', '.join(known)}"
        raise NotFoundError(f"{switch.pack} has no hook {switch.hook}", hint=hint)


def _off(now: State, text: str, pack: str) -> tuple[str, ...]:
    """The hooks of a pack that are off by a hookpm.toml of this text, and its profiles."""
    from hookpm.project import state

    wanted = state.edited(now, text).settings
    return wanted.line(pack).disable if pack in wanted.packs else ()


# --- the file ----------------------------------------------------------------------------------


def _switched(now: State, text: str, pack: str, wanted: Sequence[str]) -> Edited:
    """The file with these hooks of a pack off. An empty list is written where a profile has one."""
    import tomlkit

    lines = tomlkit.parse(text).get("packs", {})
    edited = Edited(text, ())
    if pack not in lines:
        edited = settings.edited(text, put={pack: PackLine()})
    document: Any = tomlkit.parse(edited.text)
    packs = document["packs"]
    line = packs[pack]
    if isinstance(line, str):
        table = tomlkit.inline_table()
        table["version"] = str(line)
        packs[pack] = line = table
    listed = tomlkit.array()
    listed.extend(list(wanted))
    _put(line, listed)
    if not wanted:
        line.pop("disable")
        if not line:
            packs.pop(pack)
        elif list(line) == ["version"] and isinstance(line, tomlkit.items.InlineTable):
            packs[pack] = str(line["version"])
        if _off(now, tomlkit.dumps(document), pack):  # a profile's
            return _emptied(edited, pack)
    return Edited(tomlkit.dumps(document), edited.undo)


def _emptied(edited: Edited, pack: str) -> Edited:
    import tomlkit

    document: Any = tomlkit.parse(edited.text)
    line = document["packs"][pack]
    if isinstance(line, str):
        table = tomlkit.inline_table()
        table["version"] = str(line)
        document["packs"][pack] = line = table
    _put(line, tomlkit.array())
    return Edited(tomlkit.dumps(document), edited.undo)


def _put(line: Any, listed: Any) -> None:
    """Set `disable`, in a table behind its last key: comments below that are the next table's."""
    import tomlkit

    if "disable" not in line and isinstance(line, tomlkit.items.Table) and line:
        listed.trivia.trail = "\n"
        line.value._insert_after(list(line)[-1], "disable", listed)
    else:
        line["disable"] = listed


# --- what it means -----------------------------------------------------------------------------


def _told(
    now: State, pack: str, hooks: Mapping[str, Hook], off: Sequence[str], wanted: Sequence[str]
) -> Iterable[str]:
    """What no longer holds, or holds again; and what stays as it is."""
    if list(off) == list(wanted):
        yield f"nothing of {pack} changes: {_state(off)}"
    names = now.settings.agents or tuple(w.agent for w in now.lock.wirings)
    facts = [all_agents.load(name).facts for name in dict.fromkeys(names)]
    for hook_id in [*(h for h in wanted if h not in off), *(h for h in off if h not in wanted)]:
        hook = hooks.get(hook_id)
        if hook is None:
            continue
        where = f"{hook.event} {hook.matcher}".strip()
        verb = "no longer runs" if hook_id in wanted else "runs again"
        yield f"{pack}/{hook_id} {verb} at {where}{_holding(pack, hook, facts, hook_id in wanted)}"


def _state(off: Sequence[str]) -> str:
    return f"{', '.join(off)} {'is' if len(off) == 1 else 'are'} off" if off else "no hook is off"


def _holding(pack: str, hook: Hook, facts: Sequence[Facts], gone: bool) -> str:
    """Such as ": deny and ask no longer hold in claude, codex"."""
    held: dict[str, list[str]] = {}
    for line in gaps.audit([gaps.PackHooks(pack, [hook])], facts).hooks:
        for word in line.holds:
            held.setdefault(word, []).append(line.agent)
    words: dict[str, list[str]] = {}
    for word, agents in held.items():
        words.setdefault(", ".join(agents), []).append(word)
    told = []
    for where, same in words.items():
        verb = "holds" if len(same) == 1 else "hold"
        verb = f"no longer {verb}" if gone else f"{verb} again"
        told.append(f"{' and '.join(same)} {verb} in {where}")
    return f": {'; '.join(told)}" if told else ""
