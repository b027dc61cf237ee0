"""`.agents/hookpm.toml`: what a repo wants. Read into values, edited so that the layout stays."""

from __future__ import annotations

import re
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Literal, NamedTuple

import msgspec
from msgspec import Meta

from hookpm.edit import tomltext
from hookpm.errors import FileFormatError, NotFoundError
from hookpm.packs import names
from hookpm.project import gitline
from hookpm.project.places import refuse_obstacles
from hookpm.project.root import SETTINGS
from hookpm.registry import address, embedded

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

NEW_FILE = "# What this repo wants from hookpm. `hookpm sync` brings it about.\n"

SOURCE = ("version", "path", "registry", *gitline.KEYS)  # what says which pack a line is about

_Specifier = Annotated[str, Meta(description="a PEP 440 specifier; * takes any version")]


class PackLine(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """One line of [packs]. path: relative to the project root; git: the address of a repository,
    with one of tag, branch, rev, or its default branch. disable: hook ids.

    required: in a profile, nothing that extends it can weaken the line; open: the options that
    others may set all the same.
    """

    version: _Specifier | None = None
    path: str | None = None
    git: str | None = None
    tag: str | None = None
    branch: str | None = None
    rev: str | None = None
    subfolder: str | None = None
    registry: str | None = None
    options: dict[str, Any] = {}
    agents: tuple[str, ...] | None = None
    disable: tuple[str, ...] = ()
    required: bool = False
    open: tuple[str, ...] = ()


class Policy(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What has to hold whatever else is said; every file's counts, so that one can only add to it.

    agents: these have to be wired. sources: packs come from these alone: "embedded", "path", a
    registry of the same file or of what it extends, or the beginning of a registry's or a git
    repo's address. gaps: "refuse" takes no --allow-gaps.
    """

    agents: tuple[str, ...] = ()
    sources: tuple[str, ...] | None = None
    gaps: Literal["refuse"] | None = None


class Settings(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The whole file. packs: name -> its line; a bare text is the version. extends: profiles, the
    later ones over the earlier."""

    agents: tuple[str, ...] | None = None
    extends: tuple[str, ...] = ()
    packs: dict[str, str | PackLine] = {}
    registries: dict[str, str] = {}
    policy: Policy = Policy()

    def line(self, name: str) -> PackLine:
        """The line of a pack, in its long form."""
        line = self.packs[name]
        return PackLine(version=line) if isinstance(line, str) else line


class _TablesOnly(Settings, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The file without the lines that are a bare version: errors name what is in a table."""

    packs: dict[str, PackLine] = {}  # type: ignore[assignment]


def read(root: Path, text: str | None = None) -> tuple[Settings, str | None]:
    """The settings and the file's text; empty settings and None where there is no file.

    text: what counts as its text, whatever is on the disk.

    Raises FileFormatError, which names line and key, and SystemFailureError.
    """
    file = root / SETTINGS
    refuse_obstacles(root, (SETTINGS,))
    try:
        text = tomltext.read(file) if text is None else text
    except NotFoundError:
        return Settings(), None
    return parse(text, file), text


def parse(text: str, file: Path | str, *, whole: bool = True) -> Settings:
    """Settings from a file's text. whole: a registry that a line names has to be in it, unless it
    extends profiles. Raises FileFormatError.
    """
    if "\n<<<<<<< " in f"\n{text}":
        line = f"\n{text}".count("\n", 0, f"\n{text}".index("\n<<<<<<< ") + 1)
        raise FileFormatError(
            "the file holds git conflict markers",
            hint="`hookpm sync` merges what two branches only added; resolve the rest by hand",
            file=file,
            line=line,
        )
    data = tomltext.parse(text, file)
    _check_lines(data, text, file)
    settings = tomltext.convert(data, Settings, text, file)
    _check(settings, text, file, whole and not settings.extends)
    return settings


def _check_lines(data: dict[str, Any], text: str, file: Path | str) -> None:
    """Raise FileFormatError for a pack's line whose shape is wrong: text or table, each alone."""
    packs = data.get("packs")
    if not isinstance(packs, dict):
        return
    for name, line in packs.items():
        if not isinstance(line, str | dict):
            raise tomltext.failure(
                text,
                file,
                ("packs", name),
                f"`packs.{name}` must be a version or a table",
                hint=f'such as {name} = "~=1.0"',
            )
    tables = {name: line for name, line in packs.items() if isinstance(line, dict)}
    tomltext.convert({**data, "packs": tables}, _TablesOnly, text, file)


def _check(settings: Settings, text: str, file: Path | str, whole: bool) -> None:
    from hookpm import agents

    for name in settings.packs:
        place = ("packs", name)
        if problem := names.name_problem(name):
            raise tomltext.failure(text, file, place, f"{name} cannot name a pack: {problem}")
        line = settings.line(name)
        if line.path is not None and (line.version or line.registry):
            raise tomltext.failure(
                text, file, place, f"packs.{name}: path stands alone, without version or registry"
            )
        if odd := gitline.problem(line):
            raise tomltext.failure(
                text, file, (*place, odd.key), f"packs.{name}: {odd.what}", hint=odd.hint
            )
        if line.version not in (None, "*") and (
            problem := names.specifier_problem(line.version or "")
        ):
            raise tomltext.failure(
                text, file, place, f"packs.{name}: {line.version!r} is no version: {problem}"
            )
        if whole and line.registry not in (None, embedded.SOURCE, *settings.registries):
            raise tomltext.failure(
                text, file, place, f"packs.{name}: there is no registry {line.registry} in the file"
            )
        for agent in line.agents or ():
            _known_agent(agent, agents.names(), text, file, (*place, "agents"))
    for agent in settings.agents or ():
        _known_agent(agent, agents.names(), text, file, ("agents",))
    for agent in settings.policy.agents:
        _known_agent(agent, agents.names(), text, file, ("policy", "agents"))
    for name, url in settings.registries.items():
        problem = names.name_problem(name)
        if name == embedded.SOURCE:
            problem = "so is the one called that comes with hookpm"
        if problem is not None:
            raise tomltext.failure(
                text, file, ("registries", name), f"{name} cannot name a registry: {problem}"
            )
        wrong = address.problem(url, base=True) if "://" in url else None
        if wrong is not None:  # the address is not repeated: it may hold a password
            raise tomltext.failure(
                text,
                file,
                ("registries", name),
                f"registries.{name}: {wrong.what}",
                hint=wrong.hint,
            )


def _known_agent(
    agent: str, known: Sequence[str], text: str, file: Path | str, place: Sequence[str]
) -> None:
    if agent not in known:
        near = tomltext.near(agent, known)
        hint = f"did you mean {near}?" if near else f"known agents: {', '.join(known)}"
        raise tomltext.failure(text, file, tuple(place), f"unknown agent {agent!r}", hint=hint)


class Edited(NamedTuple):
    """The file's text after an edit; undo: what `without_ours` takes out again."""

    text: str
    undo: tuple[str, ...]


def edited(
    text: str | None,
    *,
    agents: Sequence[str] | None = None,
    put: Mapping[str, str | PackLine] | None = None,
    drop: Sequence[str] = (),
    registries: Mapping[str, str] | None = None,
) -> Edited:
    """The file with these agents, with pack lines put in or replaced, and with others dropped.

    What the user wrote beside them keeps its bytes. text: None for a new file; registries: name ->
    address, for new ones.
    """
    if text is None and agents is not None and put and not registries:
        return Edited(_new(agents, put), ("agents", "packs 1"))
    import tomlkit

    source = NEW_FILE if text is None else text
    undo: list[str] = []
    if source and not source.endswith("\n"):
        undo.append(f"newline {source.splitlines()[-1]}")
        source += "\n"
    present = tomlkit.parse(source)
    if agents is not None and "agents" not in present:
        source = with_first(source, "agents = []\n")
        undo.append("agents")
    for table, lines in (("registries", registries), ("packs", put)):
        if lines and table not in present:
            gap = "" if source.endswith("\n\n") else "\n" if source.endswith("\n") else "\n\n"
            source += f"{gap}[{table}]\n"
            undo.append(f"{table} {len(gap)}")
    document = tomlkit.parse(source)
    if agents is not None and list(document["agents"]) != list(agents):
        listed = tomlkit.array()
        listed.extend(list(agents))
        document["agents"] = listed
    named: Any = document.get("registries", {})
    for name, url in (registries or {}).items():
        named[name] = url
        undo.append(f"registry {name}")
    packs: Any = document.get("packs", {})
    for name in drop:
        packs.pop(name, None)
    for name, line in (put or {}).items():
        _put_line(packs, name, line)
    return Edited(tomlkit.dumps(document), tuple(undo))


def _new(agents: Sequence[str], put: Mapping[str, str | PackLine]) -> str:
    """The text of a new file. Plain enough to do without tomlkit, which takes its time to load."""
    from json import dumps  # a JSON string without lone surrogates is a TOML string

    lines = []
    for name, line in put.items():
        if isinstance(line, str):
            lines.append(f"{name} = {dumps(line, ensure_ascii=False)}\n")
        else:
            parts = [f"{k} = {dumps(v, ensure_ascii=False)}" for k, v in source_of(line).items()]
            lines.append(f"{name} = {{{', '.join(parts)}}}\n")
    listed = ", ".join(dumps(agent) for agent in agents)
    return f"{NEW_FILE}agents = [{listed}]\n\n[packs]\n{''.join(lines)}"


def without_ours(text: str, created: bool, undo: Sequence[str]) -> str | None:
    """The file once the last pack is gone: None where all of it was ours.

    created: hookpm made the file; undo: what hookpm added to a file of the user's.
    """
    text = _without_registries(text, undo)
    lines = [line for line in text.splitlines() if line.strip() and line + "\n" != NEW_FILE]
    if created and all(line.startswith("agents = [") or line == "[packs]" for line in lines):
        return None
    last = ""
    for record in undo:
        kind, _, rest = record.partition(" ")
        if kind == "agents":
            text = re.sub(r"^agents = \[[^\n]*\]\n", "", text, count=1, flags=re.MULTILINE)
        elif kind == "newline":
            last = rest
        elif kind == "packs" and text.endswith(ours := "\n" * int(rest) + "[packs]\n"):
            text = text.removesuffix(ours)
    return text.removesuffix("\n") if last and text.endswith(f"{last}\n") else text


def _without_registries(text: str, undo: Sequence[str]) -> str:
    """The text without the registries that hookpm wrote down, once no pack's line is left."""
    records = [record.partition(" ") for record in undo]
    names = [rest for kind, _, rest in records if kind == "registry"]
    for name in names:
        line = rf'^(?:registries\.)?{re.escape(name)} = "(?:[^"\\\n]|\\.)*"\n'
        text = re.sub(line, "", text, count=1, flags=re.MULTILINE)
    if names and re.search(r"^registries\s*=", text, re.MULTILINE):  # all of them in one line
        import tomlkit

        document = tomlkit.parse(text)
        listed: Any = document["registries"]
        for name in names:
            listed.pop(name, None)
        text = tomlkit.dumps(document)
    for gap in (rest for kind, _, rest in records if kind == "registries"):
        table = rf"\n{{{gap}}}\[registries\]\n(?=\n*(?:\[|\Z))"
        text = re.sub(table, "", text, count=1)
    return text


def with_first(source: str, line: str) -> str:
    """The text with a key line before all tables, behind the comments at its head."""
    at = 0
    for part in source.splitlines(keepends=True):
        if part.strip() and not part.lstrip().startswith("#"):
            break
        at += len(part)
        if not part.strip():
            break
    head = source[:at]
    return head + ("\n" if head and not head.endswith("\n") else "") + line + source[at:]


def with_registries(wanted: Settings, added: Mapping[str, str]) -> Settings:
    """The settings with further registries: name -> address."""
    return msgspec.structs.replace(wanted, registries={**wanted.registries, **added})


def source_of(line: PackLine) -> dict[str, str]:
    """The keys of a line that say where its pack comes from."""
    return {key: value for key in SOURCE if (value := getattr(line, key)) is not None}


def with_source(line: PackLine, source: PackLine) -> PackLine:
    """A line that is about the pack of another line; all else of it stays."""
    return msgspec.structs.replace(line, **{key: getattr(source, key) for key in SOURCE})


def _put_line(packs: Any, name: str, line: str | PackLine) -> None:
    """Set a pack's line; of a table that says more, only where the pack comes from changes."""
    import tomlkit

    present = packs.get(name)
    if isinstance(line, str) and not isinstance(present, dict):
        packs[name] = line
        return
    new = source_of(PackLine(version=line) if isinstance(line, str) else line)
    says_more = isinstance(present, dict) and not present.keys() <= set(SOURCE)
    if says_more or isinstance(present, tomlkit.items.Table):
        for key in SOURCE:
            if key not in new:
                present.pop(key, None)
        present.update(new)
        return
    table = tomlkit.inline_table()
    table.update(new)
    packs[name] = table


def schema() -> dict[str, Any]:
    """The JSON Schema of hookpm.toml, from the same types."""
    return msgspec.json.schema(Settings)
