"""Wires Kimi Code: `[[hooks]]` entries in the user's own config.toml, the only place it reads.

So a project cannot wire it: these are the entries of a bridge in the user's home, which finds the
project from the working directory. An entry has no matcher: `*` is none there, and matches nothing.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from hookpm.agents import shell_line
from hookpm.agents import wiring as shared
from hookpm.agents.home import Home
from hookpm.agents.shell_line import Form
from hookpm.agents.wiring import Entry, Finding, Owned, Todo
from hookpm.contract import jsregex
from hookpm.contract.events import CANARY_TOOL, EVENTS, TOOL_EVENTS
from hookpm.edit.tomldoc import TomlDocument

SCOPE = "user"
FORMAT = "toml"  # edited by hookpm.edit.tomledit
HOME = Home(".kimi-code", "config.toml", "KIMI_CODE_HOME")
USER_FILE = FILE = HOME.path
TABLE = ("hooks",)
FORM = Form()
SHELL = ("/bin/sh", "-c")
SKELETON: dict[str, Any] = {}
why_not = (
    "Kimi Code reads hooks from the user's own ~/.kimi-code/config.toml and from no file of a "
    "project; `hookpm init --user-bridge` wires it there"
)

_LONGEST = 600  # seconds; one entry with more, and Kimi drops all hooks
_KEYS = ("event", "matcher", "command", "timeout")
_NATIVE_EVENTS = (
    *EVENTS,
    "PermissionResult",
    "UserPromptQueued",
    "TurnStarted",
    "StopFailure",
    "Interrupt",
    "SessionHeartbeat",
    "TaskStarted",
    "PostCompact",
)


def entries(events: Sequence[str], longest: float) -> list[Entry]:  # noqa: ARG001
    """One entry per event, with the longest timeout that Kimi takes."""
    return [
        Entry(
            event,
            ("hooks",),
            {
                "event": event,
                "command": shell_line.present("kimi", event),
                "timeout": _LONGEST,
            },
        )
        for event in events
    ]


def owner_of(value: object) -> Owned | None:
    """What is ours in an element of the list: the element. Kimi writes it anew at a login, so it
    may come in other spelling; a key beside our own is the user's."""
    owned = shared.owner_of_flat(value)
    if owned is None or not isinstance(value, dict):
        return None
    return owned._replace(whole=owned.whole and set(value) <= set(_KEYS))


def dropped_by(document: TomlDocument) -> list[Finding]:
    """Every entry that makes Kimi 2.1.0 drop all hooks, with one line that it prints."""
    hooks = document.get(("hooks",))
    if hooks is None:
        return []
    if not isinstance(hooks, list):
        line = document.line_at(("hooks",)) or 1
        return [Finding(line, 'Kimi drops all hooks: "hooks" has to be a list of tables')]
    return shared.in_order(
        [
            Finding(document.line_at(("hooks", index, *key)) or 1, f"Kimi drops all hooks: {wrong}")
            for index, entry in enumerate(hooks)
            for key, wrong in _problems(entry)
        ]
    )


def _problems(entry: object) -> Iterator[tuple[tuple[str, ...], str]]:
    """What is wrong in an entry, each with the key it is at."""
    if not isinstance(entry, dict):
        yield (), "an entry has to be a table"
        return
    for key in entry:
        if key not in _KEYS:
            yield (key,), f'the unknown key "{key}"'
    if entry.get("event") not in _NATIVE_EVENTS:
        yield ("event",), f"the unknown event {entry.get('event')!r}"
    command, matcher, timeout = (entry.get(key) for key in ("command", "matcher", "timeout"))
    if not isinstance(command, str) or not command:
        yield ("command",), "a command has to be a text"
    if matcher is not None and not isinstance(matcher, str):
        yield ("matcher",), "a matcher has to be a text"
    if timeout is not None and not _is_timeout(timeout):
        yield ("timeout",), f"a timeout has to be a whole number from 1 to {_LONGEST}"


def _is_timeout(value: object) -> bool:
    whole = isinstance(value, int) and not isinstance(value, bool)
    if isinstance(value, float):
        whole = value.is_integer()
    return whole and 1 <= value <= _LONGEST  # type: ignore[operator]


def switched_off(document: TomlDocument) -> list[Finding]:
    """Matchers that are no regular expression: such a hook never runs, and Kimi does not say so."""
    hooks = document.get(("hooks",))
    found = []
    for index, entry in enumerate(hooks if isinstance(hooks, list) else ()):
        matcher = entry.get("matcher") if isinstance(entry, dict) else None
        if isinstance(matcher, str) and matcher and jsregex.searcher(matcher) is None:
            line = document.line_at(("hooks", index, "matcher")) or 1
            message = f'the matcher "{matcher}" is no regular expression, so this hook never runs'
            found.append(Finding(line, message))
    return found


def canary(event: str, nonce: str, root: Path) -> dict[str, Any]:
    """The payload as Kimi Code 2.1.0 sends it."""
    payload: dict[str, Any] = {
        "hook_event_name": event,
        "session_id": shared.canary_session(event, nonce),
        "cwd": str(root),
        "client_type": "kimi_code_cli",
    }
    if event in TOOL_EVENTS:
        payload.update(tool_name=CANARY_TOOL, tool_input={"nonce": nonce}, tool_call_id=CANARY_TOOL)
    payload.update(_OWN_FIELDS.get(event, {}))
    return payload


_OWN_FIELDS: dict[str, dict[str, Any]] = {
    "PostToolUse": {"tool_output": ""},
    "UserPromptSubmit": {
        "prompt": [{"type": "text", "text": "hookpm canary"}],
        "is_steer": False,
    },
    "SessionStart": {"source": "startup", "model": "hookpm-canary", "profile": "agent"},
    "SessionEnd": {"reason": "exit"},
    "Stop": {"stop_hook_active": False},
    "PreCompact": {"trigger": "manual", "token_count": 0},
}


def environment(root: Path) -> dict[str, str]:  # noqa: ARG001
    """Kimi gives its hooks no variable."""
    return {}


def read_canary(event: str, nonce: str, stdout: str, stderr: str) -> bool:
    """The one refusal that Kimi takes, where it waits for an answer at all."""
    if event not in ("PreToolUse", "UserPromptSubmit", "Stop"):
        return shared.on_stderr(stderr, nonce)
    answer = shared.one_object(stdout)
    denied = shared.specific(answer, event, "permissionDecision") == "deny"
    return denied and shared.says(shared.specific(answer, event, "permissionDecisionReason"), nonce)


def todo(root: Path) -> list[Todo]:  # noqa: ARG001
    """There is no trust to give; a session that is open keeps its hooks."""
    return [
        Todo("restart open sessions", "type /reload in Kimi Code, or leave it and start it again"),
    ]
