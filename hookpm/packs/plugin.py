"""A Claude Code plugin as a pack: its hooks as they are, with what they can answer estimated. Pure.

What the bridge cannot run, and what a plugin holds beside hooks, is kept out and named.
"""

from __future__ import annotations

import json
import posixpath
import re
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, NamedTuple
from urllib.parse import urlsplit

from hookpm.contract import hooksfile
from hookpm.contract.events import CLAUDE_EVENTS, DEFAULT_TIMEOUT, MATCHED_FIELD
from hookpm.edit import jsondoc
from hookpm.errors import FileFormatError, RefusedError
from hookpm.packs import estimate, pluginfiles, pluginline, pluginmeta, rules
from hookpm.packs.content import Content, FileEntry, checked
from hookpm.packs.manifest import MAX_TIMEOUT, Hook, Manifest, Requires
from hookpm.packs.pluginfiles import HOOKS, MANIFEST

_PYTHON = re.compile(r"python[\d.]*$")
# What starts a file as the program that it is, or as a shell script.
_STARTS = re.compile(r"|exec|then|else|do|if|!|env|nohup|time|command|source|\.|(?:ba|da|z|k)?sh")


class NotRun(NamedTuple):
    """A hook of a plugin that is kept out of the pack. what: its type and command, shortened."""

    event: str
    what: str
    reason: str
    file: str
    line: int | None

    def __str__(self) -> str:
        place = self.file if self.line is None else f"{self.file}:{self.line}"
        return f"{self.event} ({self.what}, {place}): {self.reason}"


class Plugin(NamedTuple):
    """What there is to say about a pack that is a Claude Code plugin.

    name: the plugin's own; answers: hook id -> the words that it seems to answer with; not_run: its
    hooks that are kept out; beside: what else it holds and hookpm does not install, kind -> names;
    notes: what else to know, a sentence each.
    """

    name: str
    answers: Mapping[str, tuple[str, ...]] = {}
    not_run: tuple[NotRun, ...] = ()
    beside: Mapping[str, list[str]] = {}
    notes: tuple[str, ...] = ()

    def json(self) -> dict[str, Any]:
        """As it stands in documents of `--json`."""
        return {
            "plugin": self.name,
            "estimated": True,
            "answers": {hook: list(words) for hook, words in self.answers.items()},
            "not_run": [each._asdict() for each in self.not_run],
            "not_installed": {kind: list(held) for kind, held in self.beside.items()},
            "notes": list(self.notes),
        }

    def lines(self, pack: str) -> list[str]:
        """What is said about it, a sentence each."""
        guessed = "; ".join(
            f"{hook} {', '.join(words) or 'nothing seen'}" for hook, words in self.answers.items()
        )
        said = [f"{pack} is a Claude Code plugin; what its hooks answer is estimated: {guessed}"]
        said += [f"{pack}: not run: {each}" for each in self.not_run]
        if self.beside:
            held = ", ".join(_counted(kind, len(held)) for kind, held in self.beside.items())
            said.append(f"{pack}: not installed, as only its hooks are: {held}")
        return said + [f"{pack}: {note}" for note in self.notes]


class _Found(NamedTuple):
    """A handler as it stands in a file of the plugin."""

    event: str
    group: Any
    handler: Any
    file: str
    line: int | None


def content_of(files: Mapping[str, FileEntry], where: Path | str) -> Content:
    """The pack that a Claude Code plugin is. files: all of it; where: a folder or an archive.

    Raises FileFormatError (a JSON file that does not read, a file that cannot be in a pack, a name
    that says nothing), RefusedError (no hook that could run).
    """
    plugin = pluginfiles.parsed(files[MANIFEST].data, f"{where}/{MANIFEST}")
    held = checked(pluginfiles.kept(files), where)
    name = pluginmeta.name(plugin, where)
    texts = {path: entry.data.decode("utf-8", "replace") for path, entry in held.items()}
    hooks: list[Hook] = []
    not_run: list[NotRun] = []
    for each in _once(_handlers(plugin, held, texts, where, not_run)):
        reason = _kept_out(each, held)
        if reason:
            not_run.append(NotRun(each.event, _what(each.handler), reason, each.file, each.line))
        else:
            hooks.append(_hook(each, name, hooks, texts))
    beside = pluginfiles.beside(files, plugin)
    if not hooks:
        raise _nothing_runs(name, not_run, beside, where)
    started = {
        path
        for hook in hooks
        for program, path in pluginline.started(hook.command or "")
        if _STARTS.fullmatch(program)
    }
    manifest = Manifest(
        pack=pluginmeta.pack_table(plugin, name),
        requires=_requires(hooks, texts),
        hooks=tuple(hooks),
    )
    rules.check(manifest, "", f"{where}/{MANIFEST}")
    notes = tuple(_notes(plugin, manifest, files, held))
    answers = {hook.id: (*hook.needs, *hook.uses) for hook in hooks}
    return Content(
        manifest,
        {
            path: entry._replace(
                executable=entry.executable or entry.data.startswith(b"#!") or path in started
            )
            for path, entry in sorted(held.items())
        },
        Plugin(plugin["name"], answers, tuple(not_run), beside, notes),
    )


# --- the hooks -------------------------------------------------------------------------------


def _once(handlers: Iterator[_Found]) -> list[_Found]:
    """Without repetitions: Claude Code runs the same hook once."""
    found: dict[str, _Found] = {}
    for each in handlers:
        matcher = each.group.get("matcher") if isinstance(each.group, dict) else None
        found.setdefault(repr((each.event, matcher, each.handler)), each)
    return list(found.values())


def _handlers(
    plugin: Mapping[str, Any],
    held: Mapping[str, FileEntry],
    texts: Mapping[str, str],
    where: Path | str,
    not_run: list[NotRun],
) -> Iterator[_Found]:
    """All handlers: of hooks/hooks.json, then of what plugin.json names or holds."""
    given = plugin.get("hooks")
    sources: dict[str, None] = dict.fromkeys([HOOKS] if HOOKS in held else [])
    inline = []
    for index, each in enumerate(given if isinstance(given, list) else [given]):
        path = ("hooks", index) if isinstance(given, list) else ("hooks",)
        line = _document(texts, MANIFEST, where).line_at(path)
        if isinstance(each, dict):
            inline.append(path)
        elif isinstance(each, str):
            file = posixpath.normpath(each)
            file = f"{file}/hooks.json" if f"{file}/hooks.json" in held else file
            if file in held:
                sources[file] = None
            else:
                not_run.append(NotRun("hooks", each, "there is no such file", MANIFEST, line))
        elif each is not None:
            reason = "expected a path or an object of events"
            not_run.append(NotRun("hooks", repr(each)[:60], reason, MANIFEST, line))
    for file in sources:
        document = _document(texts, file, where)
        at: tuple[str | int, ...] = ()
        yield from _table(document, at, file, not_run)
    for at in inline:
        yield from _table(_document(texts, MANIFEST, where), at, MANIFEST, not_run)


def _document(texts: Mapping[str, str], file: str, where: Path | str) -> jsondoc.Document:
    return jsondoc.parse(texts[file], f"{where}/{file}")


def _table(
    document: jsondoc.Document, at: tuple[str | int, ...], file: str, not_run: list[NotRun]
) -> Iterator[_Found]:
    """The handlers of one table of events, with or without "hooks" around it."""
    table: Any = document.value
    for key in at:
        table = table[key]
    if isinstance(table, dict) and isinstance(table.get("hooks"), dict):
        table, at = table["hooks"], (*at, "hooks")
    if not isinstance(table, dict):
        not_run.append(NotRun("hooks", file, "expected an object of events", file, 1))
        return
    for event, groups in table.items():
        line = document.line_at((*at, event))
        if problem := rules.event_problem(event):
            if event in CLAUDE_EVENTS or isinstance(groups, list):
                not_run.append(NotRun(event, "all of it", problem[0], file, line))
            continue
        if not isinstance(groups, list):
            not_run.append(NotRun(event, "all of it", "expected a list of groups", file, line))
            continue
        for index, group in enumerate(groups):
            yield from _group(document, (*at, event, index), event, group, file)


def _group(
    document: jsondoc.Document, at: tuple[str | int, ...], event: str, group: Any, file: str
) -> Iterator[_Found]:
    listed = group.get("hooks") if isinstance(group, dict) else None
    if not isinstance(listed, list):
        yield _Found(event, group, None, file, document.line_at(at))
        return
    for number, handler in enumerate(listed):
        yield _Found(event, group, handler, file, document.line_at((*at, "hooks", number)))


def _kept_out(found: _Found, held: Mapping[str, FileEntry]) -> str:
    """Why a handler cannot be a hook of a pack; "" if it can."""
    group = {"hooks": [found.handler]}
    if isinstance(found.group, dict):
        group = {**found.group, **group}
    group.pop("pack", None)
    problems = hooksfile.check({"hooks": {found.event: [group if found.handler else found.group]}})
    if problems:
        return problems[0].message
    line = _line(found.handler)
    said = line or json.dumps(found.handler)
    if "user_config" in said or "CLAUDE_PLUGIN_OPTION_" in said:
        return "it takes a setting that Claude Code asks its user for"
    _, gone = pluginline.files(line, held)
    if gone:
        return f"it starts {gone[0]}, which the plugin does not hold"
    for program, path in pluginline.started(line):
        data = held[path].data if path in held else b""
        if data.partition(b"\n")[0].endswith(b"\r") and _STARTS.fullmatch(program):
            return f"{path} has Windows line ends, with which it does not start on Linux and macOS"
    return ""


def _line(handler: Mapping[str, Any]) -> str:
    """The shell line of a handler, as the plugin means it; "" for a request."""
    if handler["type"] == "http":
        return ""
    args = handler.get("args")
    if args is not None:
        return pluginline.of_words([handler["command"], *args])
    line: str = pluginline.quoted(handler["command"].strip())
    if handler.get("shell") == "bash":
        import shlex

        return f"exec bash -c {shlex.quote(line)}"
    return line


def _hook(found: _Found, plugin: str, before: list[Hook], texts: Mapping[str, str]) -> Hook:
    handler, event = found.handler, found.event
    line = _line(handler)
    scripts, _ = pluginline.files(line, texts)
    read = estimate.reading(scripts, texts)
    said = "\n".join([line, *(texts[path] for path in read)])
    if pluginline.DATA in said:
        line = pluginline.with_data(line, plugin)
    words = estimate.words(event, said)
    needs = words if event == "PreToolUse" and words == ("deny",) else ()
    return Hook(
        id=_id(found, line, before, texts),
        event=event,
        matcher=(found.group.get("matcher") or "") if event in MATCHED_FIELD else "",
        command=line or None,
        url=handler["url"] if not line else None,
        headers=dict(handler.get("headers") or {}),
        allowed_env=tuple(handler.get("allowedEnvVars") or ()),
        timeout=min(float(handler.get("timeout", DEFAULT_TIMEOUT)), MAX_TIMEOUT),
        needs=needs,
        uses=() if needs else words,
        on_failure="block" if handler.get("onFailure") == "block" else "allow",
    )


def _id(found: _Found, line: str, before: list[Hook], texts: Mapping[str, str]) -> str:
    """From the event and the script, or the host of a request; where that id is taken, from the
    matcher as well."""
    taken = {hook.id for hook in before}
    event = re.sub(r"(?<!^)([A-Z])", r"-\1", found.event)
    if line:
        label = pluginline.label(pluginline.quoted(found.handler["command"]), texts)
    else:
        label = urlsplit(found.handler["url"]).hostname or "request"
    first = pluginmeta.slug(f"{event} {label}")
    second = pluginmeta.slug(f"{first[:48]} {found.group.get('matcher') or 'all'}")
    numbered = (f"{first[:60]}-{number}" for number in range(2, 10_000))
    return next(each for each in (first, second, *numbered) if each not in taken)


def _what(handler: Any) -> str:
    """A handler in a few words."""
    if not isinstance(handler, dict):
        return "no handler"
    kind = handler.get("type")
    said = handler.get("command") or handler.get("url") or handler.get("prompt") or ""
    said = " ".join(str(said).split())
    said = said if len(said) <= 60 else said[:57] + "..."
    return f"{kind}: {said}" if kind != "command" and said else said or str(kind)


# --- the pack --------------------------------------------------------------------------------


def _requires(hooks: list[Hook], texts: Mapping[str, str]) -> Requires:
    """The programs that the hooks seem to need, shells left out."""
    found: set[str] = set()
    for hook in hooks:
        line = hook.command or ""
        known = {"jq", "git", "gh", "node", "npx", "bun", "deno", "python", "uv", "uvx", "ruby"}
        found |= {p for p in pluginline.programs(line) if p in known or _PYTHON.match(p)}
        for path in estimate.reading(pluginline.files(line, texts)[0], texts):
            found |= estimate.programs(texts[path])
    return Requires(programs=tuple(sorted(found)))


def _notes(
    plugin: Mapping[str, Any],
    manifest: Manifest,
    files: Mapping[str, FileEntry],
    held: Mapping[str, FileEntry],
) -> Iterator[str]:
    given = plugin["name"]
    if given != manifest.name:
        yield f"the plugin calls itself {given!r}"
    version = pluginmeta.text(plugin.get("version"))
    if not version:
        yield "it states no version, so its version is 0"
    elif version.removeprefix("v") != manifest.version:
        yield f"its version {version!r} is read as {manifest.version}"
    left = len([path for path in files if path not in held])
    if left:
        yield f"left out, since no hook names them: {_counted('files', left)}"
    for hook in manifest.hooks:
        line = hook.command or ""
        unknown = estimate.opaque(line, pluginline.files(line, held)[0])
        if hook.url is not None or unknown:
            what = hook.url or unknown[0]
            yield f"what {hook.id} answers cannot be estimated: it is up to {what}"
    if any(hook.command and "node" in hook.command for hook in manifest.hooks):
        try:
            package = pluginfiles.parsed(held["package.json"].data, "package.json")
        except (KeyError, FileFormatError):
            return
        if package.get("dependencies"):
            yield "the packages that its package.json names are not installed"


def _nothing_runs(
    name: str, not_run: list[NotRun], beside: Mapping[str, list[str]], where: Path | str
) -> RefusedError:
    held = ", ".join(_counted(kind, len(listed)) for kind, listed in beside.items())
    if not_run:
        return RefusedError(
            f"none of the hooks of the Claude Code plugin {name} can run",
            cause="\n".join(map(str, not_run)),
            file=where,
        )
    return RefusedError(
        f"the Claude Code plugin {name} has no hooks",
        cause=f"it holds {held}, which hookpm does not install" if held else None,
        hint="hookpm installs the hooks of a plugin",
        file=where,
    )


def _counted(kind: str, count: int) -> str:
    return f"{count} {kind[:-1] if count == 1 else kind}"
