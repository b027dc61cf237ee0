"""The profiles of a project, opened one after the other: from the repo, or from where they are.

What the lock pins and the repo holds is taken from there, so that a clone needs nothing else. A
folder that is on this machine is read each time: its changes come with a sync, as a pack's do.
"""

from __future__ import annotations

import posixpath
import re
from collections.abc import Callable
from hashlib import sha256
from typing import TYPE_CHECKING, Any, NamedTuple

from hookpm.errors import HookpmError, NotFoundError, RefusedError
from hookpm.packs import tomltext
from hookpm.project import demands, profileref, settings
from hookpm.project.generated import digest
from hookpm.project.layers import Layer, Origin
from hookpm.project.profileref import Reference
from hookpm.project.root import SETTINGS
from hookpm.project.vendor import FOLDER
from hookpm.resolve.lock import LockedProfile

if TYPE_CHECKING:
    from pathlib import Path

    from hookpm.project.settings import Settings
    from hookpm.project.state import State

DEPTH = 8  # how far profiles may extend each other
LIMIT = 256 * 1024  # bytes of a profile's text


class Opened(NamedTuple):
    """A profile's bytes, and the commit they are from where it lies in git."""

    data: bytes
    commit: str | None = None


class Profile(NamedTuple):
    """One profile of the stack, as it was read."""

    reference: Reference
    opened: Opened
    layer: Layer

    @property
    def sha256(self) -> str:
        """Of its text, as the lock writes it."""
        return digest(self.opened.data)

    def lock_block(self) -> LockedProfile:
        """What the lock says of it."""
        ref, commit = self.reference.ref, self.opened.commit
        return LockedProfile(
            source=self.reference.source, ref=ref, commit=commit, sha256=self.sha256
        )

    @property
    def path(self) -> str:
        """Where its text lies in the repo."""
        return vendored_path(self.reference.source)


class Stack(NamedTuple):
    """profiles: in the order in which they are laid; absent: those that could not be read."""

    profiles: tuple[Profile, ...]
    absent: tuple[Reference, ...] = ()


# A reader gives a profile's bytes, None if it has none. The commit is the one that is meant, where
# a profile names another one in its own git repo.
Reader = Callable[[Reference, str | None], Opened | None]


def vendored_path(source: str) -> str:
    """The path of a profile's text in the repo: the same whatever its version is."""
    words = re.findall(r"[a-z0-9]+", source.lower().removesuffix(".toml").removesuffix("/hookpm"))
    name = "-".join([*words[-3:], sha256(source.encode()).hexdigest()[:8]])
    return f"{FOLDER}/profiles/{name}.toml"


def stack(own: Settings, text: str, file: Path | str, read: Reader) -> Stack:
    """The profiles that the repo's own file extends, and those that they extend.

    Raises RefusedError for what is no profile's address, a circle, more than DEPTH above each
    other, and one profile in two versions; FileFormatError for what is wrong in a profile; and
    what `read` raises.
    """
    walk = _Walk(read)
    root = Layer(None, file, text, {})
    for index, entry in enumerate(own.extends):
        place = root.origin(("extends", str(index)))
        walk.visit(_placed(place, profileref.parse, entry), place, (), None)
    return Stack(tuple(walk.done.values()), tuple(walk.absent.values()))


class _Walk:
    """Profiles by source while they are being collected, the farthest first."""

    def __init__(self, read: Reader) -> None:
        self.read = read
        self.done: dict[str, Profile] = {}
        self.absent: dict[str, Reference] = {}

    def visit(
        self, reference: Reference, place: Origin, chain: tuple[Reference, ...], commit: str | None
    ) -> frozenset[str]:
        """Collect a profile and what it extends; the sources of all of them."""
        known = self.done.get(reference.source)
        for other in (*chain, *([known.reference] if known else ())):
            if other.source == reference.source and other.ref != reference.ref:
                raise _at(place, f"{reference.typed} is extended as {other.typed} too")
        if any(each.source == reference.source for each in chain):
            circle = " -> ".join(each.typed for each in (*chain, reference))
            raise _at(place, "profiles extend each other in a circle", cause=circle)
        if len(chain) == DEPTH:
            raise _at(place, f"more than {DEPTH} profiles extend each other, one above the other")
        if known is not None:
            return known.layer.below | {reference.source}
        try:
            opened = self.read(reference, commit)
        except NotFoundError as error:
            raise NotFoundError(
                error.message,
                cause=error.cause,
                hint=error.hint,
                file=place.file,
                line=place.line,
            ) from None
        if opened is None:
            self.absent[reference.source] = reference
            return frozenset({reference.source})
        layer, extends = _layer(reference, opened)
        below: frozenset[str] = frozenset()
        for index, entry in enumerate(extends):
            inner = layer.origin(("extends", str(index)))
            child = _placed(inner, lambda text: profileref.relative(reference, text), entry)
            same_repo = reference.kind == "git" and "://" not in entry
            below |= self.visit(
                child, inner, (*chain, reference), opened.commit if same_repo else None
            )
        self.done[reference.source] = Profile(reference, opened, layer._replace(below=below))
        return below | {reference.source}


def _layer(reference: Reference, opened: Opened) -> tuple[Layer, tuple[str, ...]]:
    """A profile's text as a layer, and what it extends. Raises FileFormatError."""
    if len(opened.data) > LIMIT:
        raise RefusedError(
            f"the profile {reference.typed} is larger than {LIMIT // 1024} KB", file=reference.place
        )
    text = tomltext.decode(opened.data, reference.place)
    read = settings.parse(text, reference.place, whole=False)
    data = tomltext.parse(text, reference.place)
    found = Layer(reference.source, reference.place, text, data)
    return found._replace(data=_from_root(found, reference)), read.extends


def _from_root(layer: Layer, reference: Reference) -> dict[str, Any]:
    """A profile's values with every path from the project root. Raises RefusedError.

    A folder's profile may name packs below its own folder and registries beside it. From the
    network nothing of this machine may be named.
    """
    data = dict(layer.data)
    if "registries" in data:
        data["registries"] = {
            name: _registry(layer, reference, name, url) for name, url in data["registries"].items()
        }
    if "packs" in data:
        data["packs"] = {
            name: _pack(layer, reference, name, layer.line(name) or {}) for name in data["packs"]
        }
    return data


def _registry(layer: Layer, reference: Reference, name: str, url: str) -> str:
    if "://" in url and not url.startswith("file://"):
        return url
    if reference.is_remote:
        place = layer.origin(("registries", name))
        raise _at(place, f"registries.{name} of {layer.title} lies on this machine", cause=_REMOTE)
    if "://" in url:
        return url
    folder = posixpath.normpath(posixpath.join(posixpath.dirname(reference.where), url))
    return folder if reference.kind == "path" else f"file://{folder}"


def _pack(layer: Layer, reference: Reference, name: str, line: dict[str, Any]) -> dict[str, Any]:
    place = layer.origin(("packs", name))
    if str(line.get("git", "https://")).startswith("file:") and reference.is_remote:
        raise _at(place, f"packs.{name} of {layer.title} lies on this machine", cause=_REMOTE)
    if "path" not in line:
        return line
    if reference.kind != "path":
        raise _at(place, f"packs.{name} of {layer.title} names a folder", cause=_FOLDERS)
    home = posixpath.dirname(reference.where)
    path = posixpath.normpath(posixpath.join(home, line["path"]))
    if posixpath.isabs(line["path"]) or not f"{path}/".startswith(f"{home}/" if home else ""):
        raise _at(
            place, f"packs.{name} of {layer.title} lies outside of its folder", cause=_FOLDERS
        )
    return {**line, "path": path}


_REMOTE = "what a profile from the network names has to be on the network as well"
_FOLDERS = "only a profile in a folder may name packs by path, and only below that folder"


def _placed(place: Origin, make: Callable[[str], Reference], entry: str) -> Reference:
    """An entry of `extends` as a reference; what is wrong with it is said with its line."""
    try:
        return make(entry)
    except RefusedError as error:
        raise _at(place, error.message, cause=error.cause, hint=error.hint) from None


def _at(
    place: Origin, message: str, *, cause: str | None = None, hint: str | None = None
) -> HookpmError:
    return RefusedError(message, cause=cause, hint=hint, file=place.file, line=place.line)


def laid(now: State, found: Stack, text: str) -> State:
    """The project with these profiles below a hookpm.toml of this text."""
    file = now.root / SETTINGS
    seen = text if now.settings_text is None else now.settings_text  # lines as the user sees them
    own = settings.parse(text, file)
    data = tomltext.parse(text, file)
    layers = [*(each.layer for each in found.profiles), Layer(None, file, seen, data)]
    merged = demands.merge(layers)
    return now._replace(settings=merged.settings, own=own, stack=found, merged=merged)


def held(now: State) -> Stack:
    """The profiles as the repo holds them, without those that the lock does not pin."""

    def read(reference: Reference, commit: str | None) -> Opened | None:
        return pinned(now, reference, commit)

    return stack(now.own, now.settings_text or "", now.root / SETTINGS, read)


def pinned(now: State, reference: Reference, commit: str | None) -> Opened | None:
    """A profile's text in the repo, if it is the one that the lock pins for this reference."""
    pin = now.lock.profile(reference.source)
    file = now.generated.get(vendored_path(reference.source))
    if pin is None or file is None or pin.ref != reference.ref:
        return None
    if digest(file.data) != pin.sha256 or commit not in (None, pin.commit):
        return None
    return Opened(file.data, pin.commit)
