"""What the model is to do, in words that mean the same for every agent: turns, as values."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple, TypeAlias

from hookpm.errors import UsageError

PROBE_SERVER = "probe"
SUBAGENT_TASK = "See to the smaller part."


class Shell(NamedTuple):
    """Run a shell command in the session's working directory."""

    command: str


class Write(NamedTuple):
    """Create a file. Paths are relative to the repository, or absolute."""

    path: str
    content: str


class Edit(NamedTuple):
    """Replace `old` by `new` in a file; both hold whole lines, since Codex edits by lines."""

    path: str
    old: str
    new: str


class Read(NamedTuple):
    """Show a file to the model."""

    path: str


class Mcp(NamedTuple):
    """Call a tool of an MCP server; the default is the probe's own server, which echoes `text`."""

    arguments: Mapping[str, Any]
    server: str = PROBE_SERVER
    tool: str = "echo"


class Native(NamedTuple):
    """A call in the agent's own words, passed on as it is; text for free-form tools."""

    tool: str
    arguments: Mapping[str, Any] | str


class Subagent(NamedTuple):
    """Start a subagent; what it asks the model takes no turn. The agent's own module has the call,
    so that the task is always the same."""

    task: str = SUBAGENT_TASK


Call: TypeAlias = Shell | Write | Edit | Read | Mcp | Native
Step: TypeAlias = Call | Subagent


class Turn(NamedTuple):
    """What the model says in answer to one request: a text, tool calls, or both.

    tokens: what it says that the request has cost, which makes agents compact.
    """

    text: str = ""
    calls: tuple[Step, ...] = ()
    tokens: int = 1


def say(text: str) -> Turn:
    """A turn that only speaks, which ends the agent's loop."""
    return Turn(text)


def do(*calls: Step) -> Turn:
    """A turn of tool calls, all in one message."""
    return Turn(calls=calls)


def uses_probe_server(turns: Sequence[Turn]) -> bool:
    """Does a call go to the probe's own MCP server?"""
    return any(
        isinstance(call, Mcp) and call.server == PROBE_SERVER
        for turn in turns
        for call in turn.calls
    )


def uses_subagent(turns: Sequence[Turn]) -> bool:
    """Does a call start a subagent?"""
    return any(isinstance(call, Subagent) for turn in turns for call in turn.calls)


# key of a call in a script file -> its class; that key's value is the call's first field
_CALLS: dict[str, Any] = {"shell": Shell, "write": Write, "edit": Edit, "read": Read, "mcp": Mcp}
_ALLOWED = "say, calls, shell, write (content), edit (old, new), read, mcp (server, tool)"


def parse(data: Sequence[Mapping[str, Any]]) -> list[Turn]:
    """Turns from what a script file holds, one mapping per turn.

    `{"say": "done"}`, `{"shell": "ls"}`, `{"write": PATH, "content": ...}`,
    `{"edit": PATH, "old": ..., "new": ...}`, `{"read": PATH}`, `{"mcp": {ARGUMENTS}}`, or
    `{"calls": [...]}` for several calls at once; `say` may stand beside calls.
    Raises UsageError, which names the turn.
    """
    return [_turn(number, entry) for number, entry in enumerate(data, start=1)]


def _turn(number: int, entry: Mapping[str, Any]) -> Turn:
    try:
        return _checked(entry)
    except (TypeError, ValueError) as error:
        message = f"turn {number} of the script is malformed"
        hint = f"a turn takes: {_ALLOWED}"
        raise UsageError(message, cause=str(error), hint=hint) from None


def _checked(entry: Mapping[str, Any]) -> Turn:
    rest = dict(entry)
    text = rest.pop("say", "")
    calls = [_call(call) for call in rest.pop("calls", ())]
    if rest:
        calls.append(_call(rest))
    if not isinstance(text, str):
        raise ValueError("`say` is not a text")
    if not text and not calls:
        raise ValueError("it says nothing and calls nothing")
    return Turn(text, tuple(calls))


def _call(entry: Mapping[str, Any]) -> Call:
    kinds = [key for key in entry if key in _CALLS]
    if len(kinds) != 1:
        raise ValueError(f"expected one of {', '.join(_CALLS)} in {sorted(entry)}")
    (kind,) = kinds
    fields = {key: value for key, value in entry.items() if key != kind}
    wanted = Mapping if kind == "mcp" else str
    if not isinstance(entry[kind], wanted) or not all(isinstance(v, str) for v in fields.values()):
        raise ValueError(f"a value of `{kind}` has the wrong type")
    call: Call = _CALLS[kind](entry[kind], **fields)
    return call
