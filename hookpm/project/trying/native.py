"""A call as an agent itself would send it, made from its form in Claude Code: the way back.

The frame is the canary's, which every agent's wiring has; the tool, its arguments and the event's
own fields are put into it by the tables of its translation. What comes out of the translation again
is what hooks will see, so `same` says whether it is what was meant.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from pathlib import Path
from types import ModuleType
from typing import TYPE_CHECKING, Any

from hookpm.contract.events import CANARY_SESSION, CANARY_TOOL, TOOL_EVENTS

if TYPE_CHECKING:
    from hookpm.agents import Agent

_NONCE = "try"
_PROMPT = "hookpm canary"
_TOOL_KEYS = ("tool_name", "toolName", "name")

Call = tuple[str, dict[str, Any]]


def translation(agent: Agent) -> ModuleType:
    """The agent's translate module."""
    from hookpm.bridge.event import translation as load

    return load(agent.name)


def payload(agent: Agent, event: str, call: Mapping[str, Any], root: Path) -> dict[str, Any]:
    """What the agent would send on stdin.

    event: one that the agent has; call: in Claude's form, tool_name and tool_input at tool events,
    elsewhere the event's own fields; root: the project.
    """
    tool, given = "", dict[str, Any]()
    if event in TOOL_EVENTS:
        tool, given = _native_call(agent, str(call["tool_name"]), dict(call["tool_input"]))

    def fill(value: Any, key: str = "") -> Any:
        if isinstance(value, dict):
            if value == {"nonce": _NONCE}:
                return given
            return {k: fill(v, k) for k, v in value.items()}
        if isinstance(value, list):
            return [fill(each, key) for each in value]
        if value == CANARY_TOOL:
            return tool if key in _TOOL_KEYS else "try"
        if value == _PROMPT:
            return call.get("prompt", "")
        if isinstance(value, str) and CANARY_SESSION in value:
            return value.replace(CANARY_SESSION, "hookpm-try")
        return value

    sent: dict[str, Any] = fill(agent.wiring.canary(event, _NONCE, root))
    _own_fields(agent, event, call, sent)
    return sent


def seen(agent: Agent, event: str, sent: Mapping[str, Any]) -> list[dict[str, Any]]:
    """The calls that hooks see of a native payload, in Claude's form."""
    calls: list[dict[str, Any]] = translation(agent).to_claude(event, dict(sent))
    return calls


def differences(agent: Agent, event: str, call: Mapping[str, Any], sent: Any) -> list[str]:
    """What hooks see otherwise than it was meant, one line each."""
    calls = seen(agent, event, sent)
    if len(calls) != 1:
        return [f"{agent.name} shows this call to hooks as {len(calls)} calls"]
    found: list[str] = []
    for key, value in call.items():
        got = calls[0].get(key)
        if key == "tool_input" and isinstance(got, dict):
            found += (
                f"in {agent.name} hooks see {name} as {json.dumps(got.get(name))}"
                for name in value
                if got.get(name) != value[name]
            )
        elif got != value:
            found.append(f"in {agent.name} hooks see {key} as {json.dumps(got)}")
    return found


def _own_fields(agent: Agent, event: str, call: Mapping[str, Any], sent: dict[str, Any]) -> None:
    """Put the fields of the call that the frame does not hold yet under the agent's own keys."""
    fields: dict[str, str] = getattr(translation(agent), "FIELDS", {})
    back = {claudes: native for native, claudes in reversed(list(fields.items()))}
    for key, value in call.items():
        calls = seen(agent, event, sent)
        if key in ("tool_name", "tool_input") or (calls and calls[0].get(key) == value):
            continue
        if key == "stop_hook_active" and "loop_count" in sent:  # Cursor counts instead
            sent["loop_count"] = int(bool(value))
        else:
            sent[key if key in sent else back.get(key, key)] = value


def _native_call(agent: Agent, tool: str, given: dict[str, Any]) -> Call:
    """The agent's own name of a tool, and the arguments under its own keys."""
    special = _SPECIAL.get(agent.name, {}).get(tool)
    if special is not None:
        return special(given)
    translate = translation(agent)
    tools: dict[str, str] = getattr(translate, "TOOLS", {})
    native = next((own for own, claudes in tools.items() if claudes == tool), tool)
    names: dict[str, str] = getattr(translate, "ARGUMENTS", {}).get(tool, {})
    back = {claudes: own for own, claudes in reversed(list(names.items()))}
    return native, {back.get(key, key): value for key, value in given.items()}


def _patch(given: dict[str, Any]) -> str:
    """A write or an edit as Codex's patch."""
    path = given.get("file_path", "")
    if "old_string" not in given:
        lines = [f"+{line}" for line in str(given.get("content", "")).splitlines()]
        body = [f"*** Add File: {path}", *lines]
    else:
        old = [f"-{line}" for line in str(given["old_string"]).split("\n")]
        new = [f"+{line}" for line in str(given.get("new_string", "")).split("\n")]
        body = [f"*** Update File: {path}", "@@", *old, *new]
    return "\n".join(["*** Begin Patch", *body, "*** End Patch", ""])


def _by_patch(given: dict[str, Any]) -> Call:
    return "apply_patch", {"command": _patch(given)}


def _editor(given: dict[str, Any]) -> Call:
    names = {"file_path": "path", "content": "new_text", "old_string": "old_text"}
    names["new_string"] = "new_text"
    return "editor", {names.get(key, key): value for key, value in given.items()}


def _pi_edit(given: dict[str, Any]) -> Call:
    place = {"oldText": given.get("old_string", ""), "newText": given.get("new_string", "")}
    return "edit", {"path": given.get("file_path", ""), "edits": [place]}


def _kimi_file(tool: str) -> Callable[[dict[str, Any]], Call]:
    return lambda given: (
        tool,
        {"path" if key == "file_path" else key: value for key, value in given.items()},
    )


# Tools that an agent sends in a shape that tables of names cannot say.
_SPECIAL: dict[str, dict[str, Callable[[dict[str, Any]], Call]]] = {
    "cline": {
        "Bash": lambda given: ("run_commands", {"commands": [given.get("command", "")]}),
        "Read": lambda given: ("read_files", {"files": [{"path": given.get("file_path", "")}]}),
        "Grep": lambda given: ("search_codebase", {"queries": [given.get("pattern", "")]}),
        "Write": _editor,
        "Edit": _editor,
        "WebFetch": lambda given: ("fetch_web_content", {"requests": [given]}),
    },
    "codex": {"Write": _by_patch, "Edit": _by_patch},
    "kimi": {tool: _kimi_file(tool) for tool in ("Read", "Write", "Edit")},
    "pi": {"Edit": _pi_edit},
}
