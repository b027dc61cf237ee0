"""The code of a pack: which files its hooks run, in which language, and what they import."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, NamedTuple

from hookpm.edit.tomltext import line_of
from hookpm.packs import manifest as manifests
from hookpm.packs.check.finding import Source
from hookpm.packs.pluginfiles import HOOKS, MANIFEST

if TYPE_CHECKING:
    from hookpm.packs.content import FileEntry
    from hookpm.packs.manifest import Hook, Manifest

_ENDINGS = {
    ".bash": "bash",
    ".cjs": "javascript",
    ".js": "javascript",
    ".mjs": "javascript",
    ".py": "python",
    ".ts": "javascript",
}
_INTERPRETERS = {
    "ash": "sh",
    "bash": "bash",
    "bun": "javascript",
    "dash": "sh",
    "deno": "javascript",
    "node": "javascript",
    "sh": "sh",
}
_CODE = (".sh", *_ENDINGS)
_IMPORT = re.compile(r"^[ \t]*(?:from|import)[ \t]+([\w., \t]+)", re.MULTILINE)


class Listed(NamedTuple):
    """Where a pack's hooks are listed: hookpack.toml, or a Claude Code plugin's own file (own is
    false then: what it declares is an estimate of hookpm's)."""

    file: str
    text: str
    own: bool

    def line(self, hook: Hook, index: int, key: str) -> int:
        """The line of a key of a hook, or the nearest there is."""
        if self.own:
            return line_of(self.text, ("hooks", index, key)) or 1
        written = json.dumps(hook.command or "", ensure_ascii=False)[1:-1]
        # hookpm puts the quotes into a plugin's command lines that are missing there.
        places = (self.text.find(form) for form in (written, written.replace('\\"', "")))
        at = next((place for place in places if place >= 0), 0)
        return self.text.count("\n", 0, at) + 1


def listed(files: Mapping[str, FileEntry]) -> Listed:
    """The file of a pack that lists its hooks."""
    if manifests.FILE in files:
        return Listed(manifests.FILE, _text(files[manifests.FILE]), own=True)
    known = [path for path in (HOOKS, MANIFEST) if path in files]
    return Listed(known[0], _text(files[known[0]]), own=False)


def of(manifest: Manifest, where: Listed, files: Mapping[str, FileEntry]) -> tuple[Source, ...]:
    """The scripts that the hooks run or import, and their command lines."""
    runs: dict[str, list[Hook]] = {}
    for hook in manifest.hooks:
        for path in _run_by(hook, files):
            if hook not in runs.setdefault(path, []):
                runs[path].append(hook)
    found = []
    for path, hooks in sorted(runs.items()):
        code = _text(files[path])
        called = " ".join(hook.command or "" for hook in hooks)
        found.append(Source(path, 1, code, language(path, code, called), tuple(hooks)))
    return (*found, *_lines(manifest, where))


def language(path: str, text: str, called: str = "") -> str:
    """The language of a script, "" if it is none that is checked. called: command lines that name
    it: `bash x.sh` runs it in bash, whatever its first line says."""
    if re.search(rf"\bbash\b[^|;&]*{re.escape(path)}", called):
        return "bash"
    if text.startswith("#!"):
        words = text.split("\n", 1)[0][2:].split()
        programs = [word.rpartition("/")[2] for word in words]
        program = next((p for p in programs if p != "env" and not p.startswith("-")), "")
        if program.startswith("python"):
            return "python"
        return _INTERPRETERS.get(program, "")
    if path.endswith(".sh"):
        return "sh"
    return next((word for ending, word in _ENDINGS.items() if path.endswith(ending)), "")


def has_crlf(path: str, entry: FileEntry) -> bool:
    """Is this a script that Windows line ends break?"""
    is_script = entry.data.startswith(b"#!") or path.endswith((".sh", ".bash"))
    return is_script and b"\r\n" in entry.data


def modules(files: Mapping[str, FileEntry]) -> frozenset[str]:
    """The names under which the pack's own Python files can be imported."""
    parts = (part for path in files if path.endswith(".py") for part in path[:-3].split("/"))
    return frozenset(parts)


def _run_by(hook: Hook, files: Mapping[str, FileEntry]) -> Iterator[str]:
    """The files that a hook starts or names, and what these import or start of the pack."""
    named = hook.run if hook.run is not None else hook.command or ""
    waiting = [path for path in _code(files) if _names(named, path)]
    seen: set[str] = set()
    while waiting:
        path = waiting.pop()
        if path in seen:
            continue
        seen.add(path)
        yield path
        text = _text(files[path])
        if path.endswith(".py"):
            names = {n.strip() for m in _IMPORT.finditer(text) for n in re.split(r"[,\s]+", m[1])}
            tops = {name.partition(".")[0] for name in names if name}
            waiting += [
                p for p in _code(files) if p.endswith(".py") and tops & set(p[:-3].split("/"))
            ]
        else:
            waiting += [p for p in _code(files) if p != path and _names(text, p.rpartition("/")[2])]


def _code(files: Mapping[str, FileEntry]) -> list[str]:
    """The files that may be scripts, in order."""
    return [
        path
        for path, entry in sorted(files.items())
        if path.endswith(_CODE) or entry.data.startswith(b"#!") or entry.executable
    ]


def _names(text: str, path: str) -> bool:
    return re.search(rf"(?<![\w.-]){re.escape(path)}(?![\w-])", text) is not None


def _text(entry: FileEntry) -> str:
    return entry.data.decode("utf-8", "replace")


def _lines(manifest: Manifest, where: Listed) -> Iterator[Source]:
    """The command lines; sh runs them."""
    for index, hook in enumerate(manifest.hooks):
        if hook.command is not None:
            line = where.line(hook, index, "command")
            yield Source(where.file, line, hook.command, "sh", (hook,))
