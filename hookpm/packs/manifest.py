"""The manifest of a pack, hookpack.toml, as frozen values."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Annotated, Any, Literal

import msgspec
from msgspec import Meta

from hookpm.contract.events import DEFAULT_TIMEOUT, EVENTS
from hookpm.edit import tomltext
from hookpm.packs import names

FILE = "hookpack.toml"
MAX_TIMEOUT = 3600.0  # seconds

OptionValue = str | int | float | bool | list[str]
OptionType = Literal["str", "int", "float", "bool", "list[str]"]

_Name = Annotated[
    str, Meta(extra_json_schema={"pattern": f"^{names.NAME_PATTERN}$", "maxLength": 64})
]
_Event = Annotated[str, Meta(extra_json_schema={"enum": list(EVENTS)})]
_Timeout = Annotated[float, Meta(extra_json_schema={"exclusiveMinimum": 0, "maximum": MAX_TIMEOUT})]


class PackTable(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """`[pack]`: who the pack is. `requires_hookpm` is a PEP 440 specifier, "" for any."""

    name: _Name
    version: str
    description: str
    license: str = ""
    requires_hookpm: str = msgspec.field(default="", name="requires-hookpm")
    authors: tuple[str, ...] = ()
    homepage: str = ""
    keywords: tuple[str, ...] = ()


class Requires(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """`[requires]`: what has to be on the machine; programs are looked for on PATH."""

    programs: tuple[str, ...] = ()


class Option(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """`[options.NAME]`: what a user may set. `choices` limits a value, or each item of a list."""

    type: OptionType
    default: Any
    help: str = ""
    choices: tuple[Any, ...] | None = None


class Hook(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """`[[hooks]]`: one hook. One of `run` (a file of the pack), `command` (a shell line) and `url`
    (where the input is sent to).

    headers: of that request; allowed_env: the variables that may be filled in there. timeout in
    seconds; needs, uses and the keys of fallback are capability words of the event.
    """

    id: _Name
    event: _Event
    matcher: str = ""
    run: str | None = None
    command: str | None = None
    url: str | None = None
    headers: dict[str, str] = {}
    allowed_env: tuple[str, ...] = msgspec.field(default=(), name="allowed-env")
    timeout: _Timeout = DEFAULT_TIMEOUT
    needs: tuple[str, ...] = ()
    uses: tuple[str, ...] = ()
    fallback: dict[str, Literal["deny", "drop"]] = {}
    on_failure: Literal["allow", "block"] = "allow"
    agents: tuple[str, ...] | None = None
    os: tuple[Literal["linux", "macos", "windows"], ...] | None = None


class Manifest(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A whole hookpack.toml. dependencies: pack name -> PEP 440 specifier."""

    pack: PackTable
    requires: Requires = Requires()
    dependencies: dict[str, str] = {}
    options: dict[str, Option] = {}
    hooks: tuple[Hook, ...] = ()

    @property
    def name(self) -> str:
        """The pack's name."""
        return self.pack.name

    @property
    def version(self) -> str:
        """The pack's version, in PEP 440's normal form."""
        return self.pack.version

    def hook(self, hook_id: str) -> Hook | None:
        """The hook with this id."""
        return next((hook for hook in self.hooks if hook.id == hook_id), None)


def load(folder: Path) -> Manifest:
    """The manifest of a pack folder; also checks that the files its hooks run are there.

    Raises NotFoundError (no such folder, no hookpack.toml), SystemFailureError, FileFormatError.
    """
    file = folder / FILE
    missing_pack(folder)
    text = tomltext.read(file)
    manifest = parse(text, file)
    check_runs(manifest, lambda path: (folder / path).is_file(), text, file)
    return manifest


def missing_pack(folder: Path) -> None:
    """Raise NotFoundError if `folder` is not a folder with a manifest."""
    from hookpm.errors import NotFoundError

    if not folder.is_dir():
        raise NotFoundError(
            f"no folder {folder}" if not folder.exists() else f"{folder} is not a folder",
            hint="give the folder of a pack, the one that holds hookpack.toml",
            file=folder,
        )
    if not (folder / FILE).is_file():
        raise NotFoundError(
            f"{folder} is not a pack: it has no {FILE}",
            hint=f"start one with `hookpm pack new {folder.name}`",
            file=folder,
        )


def parse(text: str, file: Path | str) -> Manifest:
    """The manifest in `text`; `file` names it in messages.

    Raises FileFormatError with file, line, the key and what is allowed.
    """
    from hookpm.packs import rules

    manifest = tomltext.convert(tomltext.parse(text, file), Manifest, text, file)
    rules.check(manifest, text, file)
    return manifest


def check_runs(
    manifest: Manifest, exists: Callable[[str], bool], text: str, file: Path | str
) -> None:
    """Raise FileFormatError if `exists(path)` is false for a file that a hook runs."""
    for index, hook in enumerate(manifest.hooks):
        if hook.run is not None and not exists(hook.run):
            raise tomltext.failure(
                text,
                file,
                ("hooks", index, "run"),
                f"hook {hook.id} runs {hook.run}, which is not in the pack",
            )


def schema() -> dict[str, Any]:
    """The JSON Schema of hookpack.toml, from the same types."""
    return msgspec.json.schema(Manifest)
