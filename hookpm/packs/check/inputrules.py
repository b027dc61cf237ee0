"""What scripts in any language expect to be there and is not: input keys, variables, paths."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping

from hookpm.contract import matcher
from hookpm.packs.check.finding import Finding, Source

# Keys that other protocols have, or nobody: what the input has instead.
_KEYS = {
    "filePath": "file_path",
    "hookEventName": "hook_event_name",
    "newString": "new_string",
    "oldString": "old_string",
    "sessionId": "session_id",
    "stopHookActive": "stop_hook_active",
    "toolArgs": "tool_input",
    "toolInput": "tool_input",
    "toolName": "tool_name",
    "toolResponse": "tool_response",
    "tool_args": "tool_input",
    "tool_output": "tool_response",
    "transcriptPath": "transcript_path",
}
_DEAD = re.compile(
    r"CLAUDE_(TOOL_(INPUT|NAME|OUTPUT|ARGS|RESPONSE)|FILE_PATHS?|HOOK_EVENT)|STDIN_JSON"
)
_SHELL_TOOLS = {"Bash", "PowerShell"}
_FILE_TOOLS = {"Read", "Edit", "Write", "MultiEdit"}
_HOME = re.compile(
    r"(?<![\w.~*\])}/-])(?:/home/|/Users/|[A-Za-z]:\\+Users\\+)([A-Za-z0-9][\w.-]*)[/\\]+[\w.]"
)
_ANYBODY = frozenset(
    [
        "alice",
        "bob",
        "dev",
        "example",
        "foo",
        "me",
        "name",
        "node",
        "runner",
        "runneradmin",
        "shared",
        "ubuntu",
        "user",
        "username",
        "vscode",
        "you",
        "yourname",
    ]
)


def keys(source: Source, read: Mapping[str, int]) -> Iterator[Finding]:
    """Keys that are looked up in the input and are never there. read: key -> line."""
    # Elsewhere they may be: a transcript has sessionId, Claude Code's tool_response a filePath.
    elsewhere = "transcript" in source.text or "tool_response" in read
    for key, line in read.items():
        right = _KEYS.get(key)
        if right is None or right in read or elsewhere:
            continue
        yield source.at(
            "input-key",
            line,
            f"the input has no {key}, in any agent: hooks get Claude Code's keys",
            right,
        )
    yield from _other_tools_keys(source, read)


def _other_tools_keys(source: Source, read: Mapping[str, int]) -> Iterator[Finding]:
    """`file_path` of a shell command, `command` of a file tool."""
    if not source.hooks or not all(matcher.is_list(hook.matcher) for hook in source.hooks):
        return
    tools = {name for hook in source.hooks for name in matcher.names(hook.matcher)}
    if not tools or not all(hook.matcher for hook in source.hooks):
        return
    for wanted, own, others in (
        ("file_path", "command", _SHELL_TOOLS),
        ("command", "file_path", _FILE_TOOLS),
    ):
        if wanted in read and own not in read and tools <= others:
            yield source.at(
                "input-key",
                read[wanted],
                f"the hook runs for {' and '.join(sorted(tools))} alone: no {wanted} in the input",
                own,
            )


def variables(source: Source, read: Mapping[str, int]) -> Iterator[Finding]:
    """Variables that look like an agent's and are never set. read: name -> line."""
    for name, line in read.items():
        if _DEAD.fullmatch(name):
            yield source.at(
                "dead-variable",
                line,
                f"no agent sets {name}: it is always empty, so the hook does nothing",
                "the JSON on stdin",
            )


def paths(source: Source, texts: Iterable[tuple[str, int]]) -> Iterator[Finding]:
    """Paths into somebody's home. texts: the fixed texts of the code, with their lines."""
    for text, line in texts:
        found = _HOME.search(text)
        if found and found[1].lower() not in _ANYBODY:
            at = line + text.count("\n", 0, found.start())
            yield source.at(
                "machine-path",
                at,
                f"{found.group()}... is on one machine only",
                '"$HOOKPM_PACK_DIR/..." for the pack, "$CLAUDE_PROJECT_DIR/..." for the project, '
                "$HOME for the user",
            )
