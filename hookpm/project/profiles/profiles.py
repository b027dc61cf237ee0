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
from urllib.parse import quote

from hookpm.edit import tomltext
from hookpm.errors import HookpmError, NotFoundError, RefusedError, UsageError
from hookpm.project import settings
from hookpm.project.generated import digest
from hookpm.project.profiles import demands, profileref
from hookpm.project.profiles.layers import Layer, Origin
from hookpm.project.profiles.profileref import Reference
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
    """A profile's bytes; in git the commit that they are from, and what the name was found to be,
    such as "tag:v3"."""

    data: bytes
    commit: str | None = None
    ref: str | None = None


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
        _, commit, ref = self.opened
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

    def lock_blocks(self) -> tuple[LockedProfile, ...]:
        """What the lock says of them."""
        return tuple(profile.lock_block() for profile in self.profiles)


class Asked(NamedTuple):
    """What a reader is asked for. above: the profiles through which it was come to, from the repo's
    own extends on; beside: the one that names it by a path in their git repo, whose commit counts.
    """

    reference: Reference
    above: tuple[Reference, ...]
    beside: Opened | None = None


# A reader gives a profile's bytes, None if it has none.
Reader = Callable[[Asked], Opened | None]


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
        self,
        reference: Reference,
        place: Origin,
        chain: tuple[Reference, ...],
        beside: Opened | None,
    ) -> frozenset[str]:
        """Collect a profile and what it extends; the sources of all of them."""
        known = self.done.get(reference.source)
        for other in (*chain, *([known.reference] if known else ())):
            if other.source == reference.source and other.name != reference.name:
                raise _at(place, f"{reference.typed} is extended as {other.typed} too")
        if any(each.source == reference.source for each in chain):
            circle = " -> ".join(each.typed for each in (*chain, reference))
            raise _at(place, "profiles extend each other in a circle", cause=circle)
        if len(chain) == DEPTH:
            raise _at(place, f"more than {DEPTH} profiles extend each other, one above the other")
        if known is not None:
            return known.layer.below | {reference.source}
        try:
            opened = self.read(Asked(reference, chain, beside))
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
            same_repo = reference.kind == "git" and ":" not in entry
            above = (*chain, reference)
            below |= self.visit(child, inner, above, opened if same_repo else None)
        self.done[reference.source] = Profile(reference, opened, layer._replace(below=below))
        return below | {reference.source}


def _layer(reference: Reference, opened: Opened) -> tuple[Layer, tuple[str, ...]]:
    """A profile's text as a layer, and what it extends. Raises FileFormatError, RefusedError."""
    if len(opened.data) > LIMIT:
        raise RefusedError(
            f"the profile {reference.typed} is larger than {LIMIT // 1024} KB", file=reference.place
        )
    text = tomltext.decode(opened.data, reference.place)
    read = settings.parse(text, reference.place, whole=False)
    data = tomltext.parse(text, reference.place)
    found = Layer(reference.source, reference.place, text, data)
    return found._replace(data=_from_root(found, reference, opened.commit)), read.extends


def _from_root(layer: Layer, reference: Reference, commit: str | None) -> dict[str, Any]:
    """A profile's values with every path from the project root. Raises RefusedError.

    A profile in a folder may name packs below that folder, and registries beside it; one in git
    packs of its own repo, which are then those of the profile's commit. From the network nothing of
    this machine may be named.
    """
    data = dict(layer.data)
    if "registries" in data:
        data["registries"] = {
            name: _registry(layer, reference, name, url) for name, url in data["registries"].items()
        }
    if "packs" in data:
        data["packs"] = {
            name: _pack(layer, reference, commit, name, layer.line(name) or {})
            for name in data["packs"]
        }
    return data


def _registry(layer: Layer, reference: Reference, name: str, url: str) -> str:
    if "://" in url and not url.startswith("file://"):
        return url
    if reference.is_remote or (reference.kind == "git" and "://" not in url):
        place = layer.origin(("registries", name))
        raise _at(place, f"registries.{name} of {layer.title} lies on this machine", cause=_REMOTE)
    if "://" in url:
        return url
    folder = posixpath.normpath(posixpath.join(posixpath.dirname(reference.where), url))
    return folder if reference.kind == "path" else f"file://{quote(folder)}"


def _pack(
    layer: Layer, reference: Reference, commit: str | None, name: str, line: dict[str, Any]
) -> dict[str, Any]:
    place = layer.origin(("packs", name))
    if str(line.get("git", "https://")).startswith("file:") and reference.is_remote:
        raise _at(place, f"packs.{name} of {layer.title} lies on this machine", cause=_REMOTE)
    if "path" not in line:
        return line
    home = {"path": reference.where, "git": reference.inner}.get(reference.kind)
    if home is None:
        raise _at(place, f"packs.{name} of {layer.title} names a folder", cause=_FOLDERS)
    path = posixpath.normpath(posixpath.join(posixpath.dirname(home), line["path"]))
    below = posixpath.dirname(home) if reference.kind == "path" else ""
    if not _is_below(path, below):
        raise _at(place, f"packs.{name} of {layer.title} lies outside of it", cause=_FOLDERS)
    if reference.kind == "path":
        return {**line, "path": path}
    rest = {key: value for key, value in line.items() if key != "path"}
    folder = {} if path == "." else {"subfolder": path}
    return {**rest, "git": reference.where, "rev": commit, **folder}


def _is_below(path: str, folder: str) -> bool:
    """Is a normal path in a folder, also one that begins with ..?"""
    if folder in ("", "."):
        return path.split("/")[0] != ".." and not path.startswith("/")
    return path.startswith(f"{folder}/") or path == folder


_REMOTE = "what a profile from the network names has to be on the network as well"
_FOLDERS = "by path a profile names packs below its own folder, or in its own git repo, alone"


def _placed(place: Origin, make: Callable[[str], Reference], entry: str) -> Reference:
    """An entry of `extends` as a reference; what is wrong with it is said with its line."""
    try:
        return make(entry)
    except (RefusedError, UsageError) as error:
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

    def read(asked: Asked) -> Opened | None:
        return in_repo(now, asked)

    return stack(now.own, now.settings_text or "", now.root / SETTINGS, read)


def in_repo(now: State, asked: Asked) -> Opened | None:
    """A profile's text in the repo, if it is the one that the lock pins for this reference."""
    pin = pinned(now, asked)
    file = now.generated.get(vendored_path(asked.reference.source))
    if pin is None or file is None or digest(file.data) != pin.sha256:
        return None
    return Opened(file.data, pin.commit, pin.ref)


def pinned(now: State, asked: Asked) -> LockedProfile | None:
    """What the lock pins for a reference; None where it pins another version, or none."""
    pin = now.lock.profile(asked.reference.source)
    if pin is None or not asked.reference.names(pin.ref):
        return None
    return pin if asked.beside is None or asked.beside.commit == pin.commit else None
