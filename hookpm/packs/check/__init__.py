"""Finds in a pack what is known to go wrong in hooks, before it goes wrong: `hookpm pack check`."""

from __future__ import annotations

from pathlib import Path

from hookpm.errors import FileFormatError
from hookpm.packs import content, manifest
from hookpm.packs.check import (
    hookrules,
    inputrules,
    jsrules,
    pyread,
    pyrules,
    says,
    shellread,
    shellrules,
    shellsays,
    sources,
)
from hookpm.packs.check.finding import RULES, Finding, Source, settled
from hookpm.packs.check.shelltypes import ShellError

_MOST = 500_000  # characters of a script; what is longer was made by a program
_DECLARATIONS = ("answer-undeclared", "program-undeclared")

__all__ = ["RULES", "Finding", "run"]


def run(folder: Path) -> tuple[Finding, ...]:
    """All findings in the pack of a folder, by file and line; paths are relative to the folder.

    Raises NotFoundError (no pack there) and SystemFailureError; a pack that hookpm cannot read is
    a finding.
    """
    content.refuse_no_pack(folder)
    try:
        files = content.read_files(folder)
    except FileFormatError as error:
        return (_broken(error, folder),)
    return of(files, folder)


def of(files: dict[str, content.FileEntry], where: Path) -> tuple[Finding, ...]:
    """All findings in the files of a pack, with their bits as they are; where: for messages."""
    texts = {path: e.data.decode("utf-8", "replace") for path, e in files.items()}
    dos = [path for path, entry in sorted(files.items()) if sources.has_crlf(path, entry)]
    found = [_crlf(path, texts[path]) for path in dos]
    unix = {
        path: entry._replace(data=entry.data.replace(b"\r\n", b"\n")) if path in dos else entry
        for path, entry in files.items()
    }
    try:
        pack = content.from_files(unix, where)
    except FileFormatError as error:
        return settled([*found, _broken(error, where)], texts)
    where_listed = sources.listed(files)
    code = sources.of(pack.manifest, where_listed, unix)
    for source in code:
        found += _in_source(source, pack.manifest, unix)
    found += hookrules.findings(pack.manifest, where_listed, files, code)
    if not where_listed.own:  # a plugin declares neither its answers nor its programs
        found = [each for each in found if each.code not in _DECLARATIONS]
    return settled(found, texts)


def _in_source(
    source: Source, pack: manifest.Manifest, files: dict[str, content.FileEntry]
) -> list[Finding]:
    if len(source.text) > _MOST:
        return []
    if source.language in ("sh", "bash"):
        return _in_shell(source, pack)
    if source.language == "python":
        return _in_python(source, files)
    if source.language == "javascript":
        sayings = list(says.in_text(jsrules.code(source.text), source.first))
        return [*says.findings(source, sayings), *jsrules.findings(source)]
    return []


def _in_shell(source: Source, pack: manifest.Manifest) -> list[Finding]:
    try:
        script = shellread.read(source.text, source.first)
    except ShellError:
        return []  # not understood: no rule may guess
    return [
        *shellrules.findings(source, script),
        *shellsays.findings(source, script, pack.requires.programs),
        *says.findings(source, shellsays.sayings(script)),
        *inputrules.keys(source, shellsays.keys_read(script)),
        *inputrules.variables(source, shellsays.variables(script)),
        *inputrules.paths(source, shellsays.texts(script)),
    ]


def _in_python(source: Source, files: dict[str, content.FileEntry]) -> list[Finding]:
    found = list(pyrules.newer(source))
    try:
        return found + _in_module(source, pyread.read(source.text), files)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return found


def _in_module(
    source: Source, module: pyread.Module, files: dict[str, content.FileEntry]
) -> list[Finding]:
    read = pyread.keys_read(module)
    return [
        *pyrules.findings(source, module, sources.modules(files)),
        *says.findings(source, pyread.sayings(module)),
        *inputrules.keys(source, read),
        *inputrules.variables(source, {**dict(pyread.strings(module)), **read}),
        *inputrules.paths(source, pyread.strings(module)),
    ]


def _crlf(path: str, text: str) -> Finding:
    line = text.count("\n", 0, text.index("\r\n")) + 1
    shown = text.split("\n")[line - 1]
    return Finding(
        "crlf",
        path,
        line,
        shown.replace("\r", "\\r").strip()[:160],
        "Windows line ends: Linux and macOS do not find the interpreter, or read the \\r as text",
        "LF line ends, and `* text eol=lf` in .gitattributes",
    )


def _broken(error: FileFormatError, where: Path) -> Finding:
    file = Path(error.file or manifest.FILE)
    path = file.relative_to(where).as_posix() if file.is_relative_to(where) else str(file)
    timeout = "timeout is" in error.message
    return Finding(
        "timeout-unit" if timeout else "broken-pack",
        manifest.FILE if path == "." else path,
        error.line or 1,
        "",
        error.message + (f": {error.cause}" if error.cause else ""),
        error.hint or "see docs/packs.md",
    )
