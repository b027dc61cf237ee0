"""Which files of a Claude Code plugin go into a pack, and what else the plugin holds. Pure.

Everything that a hook can need goes in. Left out is what no hook can use (pictures, settings of git
and of forges), what looks like a secret, and the folders for the model or for the plugin's authors
(commands, skills, tests, ...) unless some file that a hook may run names them.
"""

from __future__ import annotations

import json
import posixpath
import re
from collections.abc import Collection, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

from hookpm.edit import jsondoc
from hookpm.errors import FileFormatError, HookpmError, NotFoundError

if TYPE_CHECKING:
    from hookpm.packs.content import FileEntry

MANIFEST = ".claude-plugin/plugin.json"
HOOKS = "hooks/hooks.json"
MARKETPLACE = ".claude-plugin/marketplace.json"

_COMPONENTS = ("commands", "agents", "skills", "output-styles")
_APART = (*_COMPONENTS, "tests", "test", "docs", "examples", "evals", "assets", "benchmarks")
_NEVER = (
    ".github",
    ".gitlab",
    ".circleci",
    ".npmrc",
)
_MEDIA = re.compile(
    r"\.(?:png|jpe?g|gif|webp|svg|ico|bmp|psd|mp[34]|mov|webm|wav|ogg|ttf|otf|woff2?|pdf|zip|gz"
    r"|tgz|tar|vsix)$"
)
_PROSE = (".md", ".mdx", ".txt", ".rst", ".html", ".adoc")


def is_plugin(paths: Collection[str]) -> bool:
    """Are these the files of a Claude Code plugin?"""
    return MANIFEST in paths


def never_needed(path: str) -> bool:
    """Can no hook use this file, whatever it does?"""
    from hookpm.packs.content import is_leftover

    parts = path.split("/")
    left = any(part in _NEVER or is_leftover(part) for part in parts)
    return left or _MEDIA.search(path.lower()) is not None


def kept(files: Mapping[str, FileEntry]) -> dict[str, FileEntry]:
    """The files that go into the pack; of those, all again."""
    from hookpm.packs.content import looks_secret

    usable = {
        path: entry
        for path, entry in files.items()
        if not never_needed(path) and not looks_secret(path, entry.data)
    }
    apart = {path for path in usable if path.partition("/")[0] in _APART and "/" in path}
    chosen = {path for path in usable if path not in apart}
    waiting = {path.partition("/")[0] for path in apart}
    fresh = set(chosen)
    while fresh and waiting:
        spoken = "\n".join(_said(path, usable[path].data) for path in sorted(fresh))
        named = {folder for folder in waiting if _names(folder, spoken)}
        waiting -= named
        fresh = {path for path in apart if path.partition("/")[0] in named}
        chosen |= fresh
    return {path: entry for path, entry in usable.items() if path in chosen}


def _said(path: str, data: bytes) -> str:
    """What a file says that a hook may run or read for paths; prose says nothing."""
    if path == MANIFEST:
        try:
            return json.dumps(parsed(data, path).get("hooks"))
        except HookpmError:
            return ""
    if path.lower().endswith(_PROSE) or b"\0" in data[:8000]:
        return ""
    return data.decode("utf-8", "replace")


def _names(folder: str, text: str) -> bool:
    name = re.escape(folder)
    pattern = rf"(?<![\w.-]){name}/|/{name}(?![\w.-])|[\"'`]{name}[\"'`]"
    return re.search(pattern, text) is not None


def parsed(data: bytes, file: Path | str) -> dict[str, Any]:
    """The object in a JSON file. Raises FileFormatError."""
    value = jsondoc.parse(jsondoc.decode(data, file), file).value
    if not isinstance(value, dict):
        raise FileFormatError("expected an object", file=file, line=1)
    return value


def beside(files: Mapping[str, FileEntry], plugin: Mapping[str, Any]) -> dict[str, list[str]]:
    """What a plugin holds beside its hooks, and hookpm does not install: kind -> names."""
    found: dict[str, list[str]] = {}
    for kind in ("commands", "agents", "output-styles"):
        found[kind] = [
            posixpath.splitext(path.partition("/")[2])[0]
            for path in files
            if path.startswith(kind + "/") and path.endswith(".md")
        ]
    found["skills"] = [
        posixpath.basename(posixpath.dirname(path))
        for path in files
        if path.startswith("skills/") and path.endswith("/SKILL.md")
    ]
    for kind, key, file in (
        ("MCP servers", "mcpServers", ".mcp.json"),
        ("LSP servers", "lspServers", ".lsp.json"),
    ):
        found[kind] = _servers(files, plugin, key, file)
    return {kind: sorted(names) for kind, names in found.items() if names}


def _servers(
    files: Mapping[str, FileEntry], plugin: Mapping[str, Any], key: str, file: str
) -> list[str]:
    given = plugin.get(key)
    tables = [given] if isinstance(given, dict) else []
    if isinstance(given, str):
        file = posixpath.normpath(given)
    if file in files:
        try:
            read = parsed(files[file].data, file)
        except HookpmError:
            return [file]
        inner = read.get(key, read)
        tables.append(inner if isinstance(inner, dict) else {})
    return sorted({str(name) for table in tables for name in table})


def no_plugin(files: Mapping[str, FileEntry], where: Path | str) -> HookpmError | None:
    """The error for files that are a marketplace of plugins, or a plugin without its plugin.json;
    None for files that are neither."""
    if MARKETPLACE in files:
        return _marketplace(parsed(files[MARKETPLACE].data, f"{where}/{MARKETPLACE}"), where)
    if HOOKS in files:
        return NotFoundError(
            f"{where} has {HOOKS}, but no {MANIFEST}",
            hint=f'a file {MANIFEST} with {{"name": "..."}} makes a Claude Code plugin of it',
            file=where,
        )
    return None


def _marketplace(document: Mapping[str, Any], where: Path | str) -> HookpmError:
    base = document.get("metadata")
    base = base.get("pluginRoot") if isinstance(base, dict) else None
    lines = []
    example = ""
    entries = document.get("plugins")
    for entry in entries if isinstance(entries, list) else ():
        if not isinstance(entry, dict):
            continue
        name, source = str(entry.get("name")), entry.get("source")
        if not isinstance(source, str):
            lines.append(f"{name} (in another repo)")
            continue
        start = base if isinstance(base, str) and not source.startswith("./") else "."
        folder = posixpath.normpath(posixpath.join(start, source))
        example = example or folder
        lines.append(f"{name} in {folder}")
    shown = ", ".join(lines[:20]) + (f" and {len(lines) - 20} more" if len(lines) > 20 else "")
    return NotFoundError(
        f"{where} is a marketplace of Claude Code plugins, and not one plugin",
        cause=f"its plugins: {shown}" if lines else "it names no plugin",
        hint=f"name the folder of one: {_spelling(where, example)}" if example else None,
        file=where,
    )


def _spelling(where: Path | str, folder: str) -> str:
    """How one writes a subfolder: of a folder, and of a git repo."""
    text = str(where)
    if "://" in text:
        return f"hookpm install '{text}#subdirectory={folder}'"
    return (
        f"hookpm install {posixpath.normpath(posixpath.join(text, folder))}, "
        f"or for a git repo 'git+URL#subdirectory={folder}'"
    )
