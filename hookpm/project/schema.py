"""The JSON Schemas of every format: what `hookpm schema NAME` prints.

Those of the hooks' side lie as files beside the contract, since repos get a copy of one; those of
hookpm's own TOML files are made from the types that read them, so that the two cannot differ.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any

from hookpm.errors import NotFoundError

if TYPE_CHECKING:
    import msgspec

_FOLDER = Path(__file__).parent.parent / "contract" / "schemas"
_FILES = ("hook-input", "hook-answer", "hooks")
_DIALECT = "https://json-schema.org/draft/2020-12/schema"


def _hookpack() -> type[msgspec.Struct]:
    from hookpm.packs.manifest import Manifest

    return Manifest


def _hookpm() -> type[msgspec.Struct]:
    from hookpm.project.settings import Settings

    return Settings


def _lock() -> type[msgspec.Struct]:
    from hookpm.resolve.lock import Lock

    return Lock


def _config() -> type[msgspec.Struct]:
    from hookpm.project.home.userconfig import UserConfig

    return UserConfig


# name: (title, where its type is)
_TYPES: dict[str, tuple[str, Callable[[], type[msgspec.Struct]]]] = {
    "hookpack": ("The manifest of a pack (hookpack.toml)", _hookpack),
    "hookpm": ("What a repo wants from hookpm (.agents/hookpm.toml)", _hookpm),
    "lock": ("Exactly what a repo got (.agents/hookpm.lock)", _lock),
    "config": ("The user's own configuration (config.toml)", _config),
}


def names() -> tuple[str, ...]:
    """The names that `text` takes."""
    return (*_FILES, *_TYPES)


def text(name: str) -> str:
    """The schema of one format as JSON text (draft 2020-12), with a final newline.

    Raises NotFoundError, with near names in its hint.
    """
    if name in _FILES:
        return (_FOLDER / f"{name}.json").read_text(encoding="utf-8")
    if name in _TYPES:
        title, find = _TYPES[name]
        return json.dumps(_from_type(name, title, find()), indent=2, ensure_ascii=False) + "\n"
    raise _unknown(name)


def _from_type(name: str, title: str, struct: type[msgspec.Struct]) -> dict[str, Any]:
    """A type's schema under our own identity; the top type's fields stand at the top."""
    import msgspec

    made = msgspec.json.schema(struct)
    parts = made.get("$defs", {})
    top = parts.pop(struct.__name__)
    head = {"$schema": _DIALECT, "$id": f"urn:hookpm:schema:{name}", "title": title}
    return {**head, **{k: v for k, v in top.items() if k != "title"}, "$defs": parts}


def _unknown(name: str) -> NotFoundError:
    from difflib import get_close_matches

    near = get_close_matches(name.lower().replace("_", "-"), names(), n=2, cutoff=0.5)
    hint = f"did you mean {' or '.join(near)}?" if near else f"there are {', '.join(names())}"
    return NotFoundError(f"no schema is called {name!r}", hint=hint)
