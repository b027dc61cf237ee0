"""A project's first hookpm.toml: the agents in use, and the profiles that a team gives it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

from hookpm.project import detect, settings, state
from hookpm.project.root import SETTINGS
from hookpm.project.writing.change import Change

if TYPE_CHECKING:
    from pathlib import Path

    from hookpm.project.profiles.profileref import Reference
    from hookpm.project.state import State


class Start(NamedTuple):
    """changes: what would be written, nothing where the file is as it should be; there: it was
    there before; now: the project as it then is, its profiles opened."""

    changes: tuple[Change, ...]
    there: bool
    now: State


def prepare(root: Path, agents: Sequence[str], profiles: Sequence[Reference] = ()) -> Start:
    """Prepare a hookpm.toml. One that is there is left alone, but for profiles that it lacks.

    agents: names; those in use where there are none and no profile names any. Raises what opening
    the profiles raises.
    """
    before = state.load(root)
    old = before.settings_text
    text = _text(old, profiles)
    now = _opened(before, text) if profiles else before
    if old is None and (agents or now.settings.agents is None):
        names = agents or [found.agent for found in detect.in_use(root)]
        text = settings.edited(text, agents=list(dict.fromkeys(names))).text
    if text is not None and old is None:
        text += "\n[packs]\n"
    if text is None or text == old:
        return Start((), old is not None, now)
    change = Change(SETTINGS, None if old is None else old.encode(), text.encode())
    return Start((change,), old is not None, _opened(before, text))


def _opened(before: State, text: str) -> State:
    own = settings.parse(text, before.root / SETTINGS)
    if state.is_plain(own):
        return before._replace(settings=own, own=own, settings_text=text)
    from hookpm.project.profiles import profile

    return profile.opened(before._replace(own=own, settings_text=text))


def _text(old: str | None, profiles: Sequence[Reference]) -> str:
    """The file with these profiles in `extends`, those that are new behind those that are there."""
    text = settings.NEW_FILE if old is None else old
    if not profiles:
        return text
    import tomlkit

    document = tomlkit.parse(text)
    present: Any = document.get("extends")
    wanted = [each.typed for each in profiles if each.typed not in (present or ())]
    if present is None:
        first = "extends = []\n"
        document = tomlkit.parse(settings.with_first(text, first))
        present = document["extends"]
    present.extend(wanted)
    return tomlkit.dumps(document) if wanted else text
