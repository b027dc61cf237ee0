"""Rules about the hooks of a manifest: timeouts, matchers, what is needed, programs, stop loops."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING

from hookpm.packs import manifest as manifests
from hookpm.packs.check import matchers, sayings, says, starts
from hookpm.packs.check.finding import Finding, Source

if TYPE_CHECKING:
    from hookpm.packs.check.sources import Listed
    from hookpm.packs.content import FileEntry
    from hookpm.packs.manifest import Hook, Manifest

At = Callable[..., Finding]  # (key, code, message, form): a finding at a key of the hook

LONG = 600.0  # seconds; where Claude Code itself stops waiting
_BINARIES = (b"\x7fELF", b"MZ", b"\xcf\xfa\xed\xfe", b"\xca\xfe\xba\xbe", b"\xfe\xed\xfa")
# A script that starts another program may pass on what that one answers.
_HANDS_ON = re.compile(r"\bsubprocess\b|\bchild_process\b|\bexec\b|\bexecv|\bposix_spawn|\beval\b")
_STARTED = re.compile(
    r"""^\s*(?:exec\s+)?["']?\$\{?(?:HOOKPM_PACK_DIR|CLAUDE_PLUGIN_ROOT)\}?["']?/([\w./-]+)"""
)


def findings(
    manifest: Manifest, where: Listed, files: Mapping[str, FileEntry], sources: Sequence[Source]
) -> Iterator[Finding]:
    """All findings about the hooks of a manifest and the files that they start."""
    for index, hook in enumerate(manifest.hooks):

        def at(
            key: str, code: str, message: str, form: str, hook: Hook = hook, index: int = index
        ) -> Finding:
            line = where.line(hook, index, key)
            shown = where.text.split("\n")[line - 1].strip()
            return Finding(code, where.file, line, shown[:160], message, form)

        yield from _timeout(hook, at)
        for problem in matchers.problems(hook.event, hook.matcher):
            yield at("matcher", problem.code, problem.message, problem.form)
        yield from _program(hook, files, at)
        own = [source for source in sources if hook in source.hooks]
        yield from _stop_loop(hook, own, sources, at)
        if where.own:
            yield from _interpreter(hook, manifest.requires.programs, files)
            yield from _unanswered(hook, own, sources, at)


def _timeout(hook: Hook, at: At) -> Iterator[Finding]:
    if hook.timeout > LONG:
        per = hook.timeout / 1000
        yield at(
            "timeout",
            "timeout-unit",
            f"a timeout is in seconds: the agent waits {hook.timeout / 60:.0f} minutes",
            f"timeout = {per:g}" if per >= 1 else "timeout = 60, or work that goes on by itself",
        )


def _program(hook: Hook, files: Mapping[str, FileEntry], at: At) -> Iterator[Finding]:
    """A file that the kernel starts: its bit, and its first line."""
    started = _STARTED.match(hook.command or "")
    path = hook.run if hook.run is not None else started[1] if started else None
    entry = files.get(path or "")
    if path is None or entry is None or (hook.run is not None and path.endswith(".py")):
        return
    binary = entry.data.startswith(_BINARIES)
    if not binary and not entry.data.startswith(b"#!"):
        first = entry.data.split(b"\n", 1)[0].decode("utf-8", "replace")
        yield Finding(
            "shebang",
            path,
            1,
            first.strip()[:160],
            "no #! line says what runs this file",
            "#!/bin/sh, or #!/usr/bin/env bash, as the first line",
        )
    if not entry.executable:
        key = "run" if hook.run is not None else "command"
        yield at(
            key,
            "exec-bit",
            f"{path} is not executable here; hookpm sets the bit at install, git and others do not",
            f"chmod +x {path}",
        )


def _interpreter(
    hook: Hook, declared: Sequence[str], files: Mapping[str, FileEntry]
) -> Iterator[Finding]:
    """The program that a file of the pack names in its first line."""
    entry = files.get(hook.run or "")
    if entry is None or hook.run is None or not entry.data.startswith(b"#!"):
        return
    first = entry.data.split(b"\n", 1)[0].decode("utf-8", "replace")
    names = {word.rpartition("/")[2] for word in first[2:].split()}
    for name in sorted(names & starts.DECLARED - set(declared)):
        yield starts.undeclared_finding(Source(hook.run, 1, first, "", (hook,)), 1, name)


def _stop_loop(
    hook: Hook, own: Sequence[Source], sources: Sequence[Source], at: At
) -> Iterator[Finding]:
    if hook.event not in ("Stop", "SubagentStop"):
        return
    if any("stop_hook_active" in _without_comments(source.text) for source in sources):
        return
    said = (each for source in own for each in sayings.of(source))
    if "block" in (*hook.needs, *hook.uses) or any(
        says.word(hook.event, each) == "block" for each in said
    ):
        yield at(
            "event",
            "stop-loop",
            "this blocks the stop and never looks at stop_hook_active: it can go on for ever",
            'no answer where the input has "stop_hook_active": true',
        )


def _without_comments(text: str) -> str:
    lines = text.split("\n")
    return "\n".join(line for line in lines if not line.lstrip().startswith(("#", "//")))


def _unanswered(
    hook: Hook, own: Sequence[Source], sources: Sequence[Source], at: At
) -> Iterator[Finding]:
    """Words that nothing in the pack can say. Only where all code that runs can be read."""
    if not own or any(not source.language or _HANDS_ON.search(source.text) for source in own):
        return
    if hook.command is not None and not _in_pack(hook.command, sources):
        return
    texts = [source.text for source in sources if source.file != manifests.FILE]
    texts += [source.text for source in own]
    for key, words in (("needs", hook.needs), ("uses", hook.uses)):
        for word in says.unanswered(words, texts):
            yield at(
                key,
                "needs-unanswered",
                f"the hook {hook.id} {key} {word}, but nothing in the pack answers it",
                f"without {word}; agents that lack it are refused or warned about for nothing",
            )


def _in_pack(command: str, sources: Sequence[Source]) -> bool:
    """Does a command line run only what can be read here: the pack's files, the shell itself?"""
    if any(source.file != manifests.FILE and source.file in command for source in sources):
        return True
    first = command.split()[0] if command.split() else ""
    return first in (
        "echo",
        "printf",
        "cat",
        "exit",
        "true",
        ":",
        "case",
        "if",
        "grep",
        "test",
        "[",
    )
