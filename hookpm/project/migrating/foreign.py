"""The hooks that people already have: in the agents' own files, and in Claude Code plugins.

Reads, and says of each hook what it is in Claude's words, whether it can move, and why not.
"""

from __future__ import annotations

import posixpath
import re
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from hookpm import agents as all_agents
from hookpm.contract import hooksfile
from hookpm.edit import jsondoc, tomltext
from hookpm.errors import NotFoundError, RefusedError
from hookpm.packs import estimate, pluginfiles
from hookpm.project.migrating import foreignwords as words
from hookpm.project.places import read

_SCRIPT = re.compile(r"\.(?:sh|bash|zsh|py|js|mjs|cjs|ts|rb|pl|ps1)$")
_CODE = re.compile(rf"{_SCRIPT.pattern}|^[\w-]+$")
_LONGEST_SCRIPT = 1024 * 1024  # bytes
_MOST_BESIDE = 200  # files of a script's folder that are looked at

Place = tuple[str | int, ...]


class Source(NamedTuple):
    """A file with hooks. table: where its events stand; plugin: the folder of a plugin, or ""."""

    agent: str
    file: str
    table: tuple[str | int, ...] = ("hooks",)
    plugin: str = ""


class Moved(NamedTuple):
    """A group that moves, in Claude's words. paths: where its handlers stand in the agent's file.

    listed: the native list they are taken from; original: what has to be put back there; doubt: why
    it may not do in other agents what it does in its own, "" if nothing speaks for that; plugin:
    the folder of the plugin that it is from, or "".
    """

    agent: str
    file: str
    line: int
    event: str
    group: dict[str, Any]
    paths: tuple[Place, ...]
    listed: Place
    original: dict[str, Any]
    doubt: str = ""
    plugin: str = ""


class Kept(NamedTuple):
    """A hook that stays where it is, and why; doubt: `--all` moves it all the same."""

    agent: str
    file: str
    line: int
    event: str
    reason: str
    doubt: bool = False


def sources(root: Path, names: Sequence[str], *, local: bool = False) -> list[Source]:
    """The files of these agents, else of all, that are there. local: the uncommitted ones too."""
    chosen = list(names) or list(all_agents.names())
    found: list[Source] = []
    for name in chosen:
        agent = all_agents.load(name)
        if agent.scope == "user" or hasattr(agent.wiring, "generated"):
            if names:
                raise RefusedError(f"{name} keeps no hooks in a file of the project")
            continue
        if name in ("copilot", "vscode"):
            if name == "copilot" or "copilot" not in chosen:
                found += [Source(name, file) for file in _github(root)]
            continue
        table = getattr(agent.wiring, "TABLE", ("hooks",))
        found.append(Source(name, agent.wiring.FILE, tuple(table)))
        if name == "codex":
            found.append(Source(name, ".codex/config.toml"))
        if name == "droid":
            found.append(Source(name, ".factory/settings.json"))
        if name == "claude" and local:
            found.append(Source(name, ".claude/settings.local.json"))
    return [each for each in found if (root / each.file).is_file()]


def _github(root: Path) -> list[str]:
    """The files in `.github/hooks`, folders in it included, but ours."""
    ours = {all_agents.load(name).wiring.FILE for name in ("copilot", "vscode")}
    files = sorted((root / ".github/hooks").rglob("*.json"))
    paths = [file.relative_to(root).as_posix() for file in files]
    return [path for path in paths if path not in ours]


def of_plugin(root: Path, folder: Path) -> list[Source]:
    """The files with hooks of a Claude Code plugin that lies in the project.

    Raises NotFoundError (no plugin), RefusedError (it lies elsewhere: a clone would not have it).
    """
    place = folder.resolve()
    if not (place / pluginfiles.MANIFEST).is_file():
        raise NotFoundError(
            f"{folder} is no Claude Code plugin: it has no {pluginfiles.MANIFEST}", file=folder
        )
    if not place.is_relative_to(root.resolve()):
        raise RefusedError(
            f"{folder} lies outside the project, and a clone would not have it",
            hint=f"install it as a pack: hookpm install {folder}",
        )
    base = place.relative_to(root.resolve()).as_posix()
    about = f"{base}/{pluginfiles.MANIFEST}"
    given = pluginfiles.parsed((root / about).read_bytes(), about).get("hooks")
    files = [pluginfiles.HOOKS]
    found: list[Source] = []
    for number, each in enumerate(given if isinstance(given, list) else [given]):
        if isinstance(each, str):
            files.append(posixpath.normpath(each))
        elif isinstance(each, dict):
            at: Place = ("hooks", number) if isinstance(given, list) else ("hooks",)
            at = (*at, "hooks") if isinstance(each.get("hooks"), dict) else at
            found.append(Source("claude", about, at, base))
    named = [f"{base}/{file}" for file in dict.fromkeys(files)]
    return [
        Source("claude", file, plugin=base) for file in named if (root / file).is_file()
    ] + found


def hooks_of(root: Path, source: Source, *, everything: bool) -> Iterator[Moved | Kept]:
    """The hooks of one file that are not ours, group by group.

    everything: also those that seem to speak another protocol.
    """
    data = read(root, source.file)
    if data is None:
        return
    if source.file.endswith(".toml"):
        yield from _in_toml(source, data)
        return
    document = jsondoc.parse(jsondoc.decode(data, source.file), source.file)
    table = document.get(source.table)
    value = table.value if table is not None else None
    for event, listed in value.items() if isinstance(value, dict) else ():
        if not isinstance(listed, list):
            continue  # "hooksDisabled" and the like, or nothing that any agent runs
        for index, element in enumerate(listed):
            path = (*source.table, event, index)
            line = document.line_at(path) or 1
            owned = all_agents.load(source.agent).wiring.owner_of(element)
            if owned is not None and owned.whole:
                continue
            ours = {handler.path for handler in owned.handlers} if owned else set()
            reason = _shadowed(root, source, document, event)
            if reason:
                yield Kept(source.agent, source.file, line, event, reason)
                continue
            yield from _element(root, source, document, path, element, ours, everything)


def _in_toml(source: Source, data: bytes) -> Iterator[Kept]:
    """The hooks in a TOML file, which are only named."""
    text = tomltext.decode(data, source.file)
    table = tomltext.parse(text, source.file).get("hooks")
    for event, listed in table.items() if isinstance(table, dict) else ():
        if isinstance(listed, list) and listed:
            line = tomltext.line_of(text, ("hooks", event)) or 1
            reason = f"it is in TOML; move it to {all_agents.load(source.agent).wiring.FILE} first"
            yield Kept(source.agent, source.file, line, event, reason)


def _shadowed(root: Path, source: Source, document: jsondoc.Document, event: str) -> str:
    """Why the agent runs no hook of this file, or none at this event; "" if it does."""
    wiring = all_agents.load(source.agent).wiring
    if not source.plugin and (off := wiring.switched_off(document)):
        return f"hooks are switched off there: {off[0].message}"
    if not source.plugin and (dropped := wiring.dropped_by(document)):
        return f"it does not run, for line {dropped[0].line}: {dropped[0].message}"
    if source.agent == "droid" and source.file != wiring.FILE:
        data = read(root, wiring.FILE)
        own = None if data is None else jsondoc.parse(jsondoc.decode(data), wiring.FILE).value
        if isinstance(own, dict) and event in own:
            return f"{wiring.FILE} has {event} too, so it never ran"
    return ""


def _element(
    root: Path,
    source: Source,
    document: jsondoc.Document,
    path: Place,
    element: Any,
    ours: set[Any],
    everything: bool,
) -> Iterator[Moved | Kept]:
    """One element of an event's list: a group, or a handler by itself."""
    native = str(path[-2])
    flat = isinstance(element, dict) and "hooks" not in element
    line = document.line_at(path) or 1

    def kept(reason: str, at: int, doubt: bool = False) -> Kept:
        return Kept(source.agent, source.file, at, native, reason, doubt)

    if not isinstance(element, dict) or not (flat or isinstance(element["hooks"], list)):
        yield kept("it is no group of hooks", line)
        return
    if flat and source.agent not in ("copilot", "cursor", "vscode"):
        yield kept("it is no group of hooks", line)
        return
    try:
        meant = words.event(source.agent, native)
        if element.get("commandRegex"):
            raise words.Untold("commandRegex has no counterpart in Claude's words")
        matcher = words.tools_matched(source.agent, native, meant, element.get("matcher"))
    except words.Untold as untold:
        yield kept(str(untold), line)
        return
    taken: dict[str, list[tuple[Place, Any, dict[str, Any]]]] = {}
    for number, given in enumerate([element] if flat else element["hooks"]):
        if ("hooks", number) in ours:
            continue
        here = path if flat else (*path, "hooks", number)
        at = document.line_at(here) or 1
        made = _handler(source, meant.event, matcher, given)
        if isinstance(made, str):
            yield kept(made, at)
            continue
        command = str(made.get("command") or "")
        doubt = words.speaks(source.agent, meant, command, _scripts(root, command))
        if doubt and not everything:
            yield kept(doubt, at, doubt=True)
        else:
            taken.setdefault(doubt, []).append((here, given, made))
    for doubt, found in taken.items():
        whole = flat or len(found) == len(element["hooks"])
        group: dict[str, Any] = {"matcher": matcher} if matcher else {}
        group["hooks"] = [made for _, _, made in found]
        yield Moved(
            source.agent,
            source.file,
            line,
            meant.event,
            group,
            (path,) if whole else tuple(here for here, _, _ in found),
            path[:-1],
            element if whole else {**element, "hooks": [given for _, given, _ in found]},
            doubt,
            source.plugin,
        )


def _handler(source: Source, event: str, matcher: str, given: Any) -> dict[str, Any] | str:
    """A handler in Claude's form, or why the bridge could not run it."""
    if not isinstance(given, dict):
        return "it is no handler"
    try:
        made = words.handler(source.agent, given, source.plugin)
    except words.Untold as untold:
        return str(untold)
    group = {"matcher": matcher, "hooks": [made]} if matcher else {"hooks": [made]}
    wrong = hooksfile.check({"hooks": {event: [group]}})
    if wrong:
        return wrong[0].message
    return made


def _scripts(root: Path, command: str) -> words.Scripts:
    """The scripts that a command names: what those of the project, and what they load, say."""
    plain = command.replace("${CLAUDE_PROJECT_DIR}", ".").replace("$CLAUDE_PROJECT_DIR", ".")
    named = re.findall(r"[\w./@+~-]+", plain.replace('"', "").replace("'", ""))
    named = [posixpath.normpath(each) for each in dict.fromkeys(named)]
    named = [each for each in named if not each.startswith(("/usr/bin/", "/bin/"))]
    found = [path for path in named if _is_script(root, path)]
    gone = [path for path in named if path not in found and _SCRIPT.search(path)]
    texts: dict[str, str] = {}
    for script in found:
        beside = sorted((root / script).parent.iterdir())[:_MOST_BESIDE]
        for file in [root / script, *(each for each in beside if _CODE.search(each.name))]:
            path = file.relative_to(root).as_posix()
            if path not in texts and _is_script(root, path):
                texts[path] = file.read_bytes().decode("utf-8", "replace")
    return words.Scripts(found, gone, [texts[path] for path in estimate.reading(found, texts)])


def _is_script(root: Path, path: str) -> bool:
    file = root / path
    if path.startswith(("..", "/")) or not file.is_file():
        return False
    return file.stat().st_size <= _LONGEST_SCRIPT
