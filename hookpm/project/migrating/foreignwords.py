"""Hooks of other agents in Claude Code's words: events, matchers, time limits, command lines. Pure.

What cannot be put into them is said, never guessed.
"""

from __future__ import annotations

import re
import shlex
from collections.abc import Mapping
from importlib import import_module
from typing import Any, NamedTuple

from hookpm.contract import jsregex, matcher
from hookpm.contract.events import CLAUDE_EVENTS, MATCHED_FIELD, TOOL_EVENTS
from hookpm.packs import estimate, pluginline

_PROJECT = re.compile(
    r"\$\{?(?:CLAUDE|GEMINI|QWEN|CURSOR|COPILOT|FACTORY|DROID)_PROJECT_DIR(?:\}|(?![A-Za-z0-9_]))"
)
_HOOK_FOLDER = re.compile(r"\$\{?COPILOT_HOOK_DIR(?:\}|(?![A-Za-z0-9_]))")
_STRANGE = "no_tool_has_this_name"  # what an open-ended matcher takes all the same

# Events of Cursor that are about one kind of tool, with the tools that Claude Code has there.
_CURSORS = {
    "beforeShellExecution": ("PreToolUse", "Bash"),
    "afterShellExecution": ("PostToolUse", "Bash"),
    "beforeMCPExecution": ("PreToolUse", "mcp__.*"),
    "afterMCPExecution": ("PostToolUse", "mcp__.*"),
    "beforeReadFile": ("PreToolUse", "Read"),
    "afterFileEdit": ("PostToolUse", "Edit|Write"),
}
# Native names beside those of the translation: the same as Claude's, or several of Claude's.
_MORE_TOOLS: dict[str, dict[str, tuple[str, ...]]] = {
    "claude": {},
    "codex": {"Bash": ("Bash",), "apply_patch": ("Edit", "Write")},
    "cursor": {"Read": ("Read",), "Write": ("Edit", "Write"), "Grep": ("Grep",)},
    "droid": {
        **{name: (name,) for name in ("Read", "Edit", "LS", "Grep", "Glob", "TodoWrite")},
        "ApplyPatch": ("Edit", "Write"),
    },
    "vscode": {"apply_patch": ("Edit", "Write")},
    "copilot": {"apply_patch": ("Edit", "Write")},
}
_MCP_AS_CLAUDE = ("claude", "codex", "qwen")
_BASH = ("copilot", "gemini", "qwen")  # agents that run a command with bash
_FROM_ROOT = ("copilot", "cursor")  # agents that run hooks in the project's root
_SOURCES = {("copilot", "new"): "startup", ("vscode", "new"): "startup"}


class Untold(Exception):  # noqa: N818
    """Something that cannot be put into Claude's words; the text says what."""


class Meant(NamedTuple):
    """Claude's event; matcher: the tools that the native event is limited to, None for any.

    own: the input at this event has a form of the agent's own."""

    event: str
    matcher: str | None = None
    own: bool = False


def event(agent: str, native: str) -> Meant:
    """What an agent's event is called in Claude's words. Raises Untold."""
    if agent == "cursor" and native in _CURSORS:
        name, tools = _CURSORS[native]
        return Meant(name, tools, own=True)
    if agent == "claude" and native in CLAUDE_EVENTS:
        return Meant(native)
    known: Mapping[str, str] = import_module(f"hookpm.agents.{agent}.translate").EVENTS
    if native not in known:
        raise Untold(f"{native} is no event that the bridge carries")
    return Meant(known[native])


def tools(agent: str) -> dict[str, tuple[str, ...]]:
    """The agent's names of tools, with Claude's."""
    found = getattr(import_module(f"hookpm.agents.{agent}.translate"), "TOOLS", {})
    return {name: (claude,) for name, claude in found.items()} | _MORE_TOOLS.get(agent, {})


def tools_matched(agent: str, native: str, meant: Meant, given: object) -> str:
    """An agent's matcher as Claude's, "" for any. native: the event as it stands there.

    Raises Untold for one that Claude's words cannot say.
    """
    if not isinstance(given, str | None):
        raise Untold("the matcher is no text")
    if agent == "claude":
        return given or ""
    if meant.matcher is not None:
        if given in (None, "", "*", ".*"):
            return meant.matcher
        raise Untold(f"the matcher of {native} is held against a command or a name of Cursor's")
    if meant.event not in MATCHED_FIELD:
        return ""
    if meant.event not in TOOL_EVENTS:
        return _SOURCES.get((agent, given or ""), given or "")
    if agent == "copilot" and native not in CLAUDE_EVENTS and given in ("", "*"):
        raise Untold(f"the matcher {given!r} never fires in Copilot CLI")
    if agent == "vscode":
        return ""  # by its documentation it reads no matcher
    if given in (None, "", "*", ".*", "^.*$", ".+"):
        return ""
    if matcher.is_list(given):
        return _of_list(agent, given)
    return _of_regex(agent, given)


def _of_list(agent: str, given: str) -> str:
    found: list[str] = []
    for name in matcher.names(given):
        hits = _hits(agent, name)
        if not hits and agent not in _MCP_AS_CLAUDE and re.search(r"mcp|___|\w-\w", name):
            raise Untold(f"the matcher names MCP tools in {agent}'s way: {name}")
        # A name that no known tool has is Claude's already, or no tool's: it takes nothing more.
        found += hits or [name]
    return "|".join(dict.fromkeys(found))


def _of_regex(agent: str, given: str) -> str:
    search = jsregex.searcher(given)
    if search is None:
        raise Untold(f"the matcher {given!r} matches nothing")
    hits = _hits(agent, given)
    if agent in _MCP_AS_CLAUDE:
        missed = [name for name in hits if not matcher.matches("PreToolUse", given, name)]
        return f"{given}|^(?:{'|'.join(missed)})$" if missed else given
    if "mcp" in given.lower() or "___" in given:
        raise Untold(f"the matcher names MCP tools in {agent}'s way: {given}")
    if _takes(agent, given, _STRANGE):
        if len(set(hits)) == len({each for names in tools(agent).values() for each in names}):
            return ""
        raise Untold(f"the matcher {given!r} takes all but some tools of {agent}'s")
    if not hits:
        raise Untold(f"the matcher {given!r} takes no tool of {agent}'s")
    return "|".join(hits)


def _hits(agent: str, pattern: str) -> list[str]:
    """Claude's names of the agent's tools that a pattern takes, by the agent's own rule."""
    known = tools(agent)
    own = {claude for names in known.values() for claude in names}
    hits = [
        each for name, claude in known.items() if _takes(agent, pattern, name) for each in claude
    ]
    if agent in ("qwen", "copilot", "codex") and pattern in own:
        hits = [pattern]  # these take Claude's names as well
    return list(dict.fromkeys(hits))


def _takes(agent: str, pattern: str, name: str) -> bool:
    if pattern == name:
        return True
    if agent in ("codex", "droid", "qwen") and matcher.is_list(pattern):
        return name in matcher.names(pattern)
    whole = f"^(?:{pattern})$" if agent == "copilot" else pattern
    search = jsregex.searcher(whole)
    return search is not None and bool(search(name))


# --- handlers --------------------------------------------------------------------------------


def handler(agent: str, given: Mapping[str, Any], plugin: str = "") -> dict[str, Any]:
    """A handler in Claude's form. plugin: the folder of a Claude Code plugin, from the root.

    Raises Untold for what cannot be said there; what Claude's own handlers cannot do is left to
    whoever reads the hooks file.
    """
    if agent in ("claude", "codex"):
        return _in_plugin(given, plugin) if plugin else dict(given)
    made: dict[str, Any] = {"type": given.get("type") or "command"}
    if made["type"] != "command":
        return {**given, **made}
    line, words = _line(agent, given)
    made["command"] = line
    if words is not None:
        made["args"] = words
    elif agent in _BASH:
        made["shell"] = "bash"
    limit = given.get("timeoutSec", given.get("timeout"))
    if isinstance(limit, int | float) and not isinstance(limit, bool):
        made["timeout"] = _seconds(agent, limit)
    elif limit is not None:
        raise Untold(f"its timeout is no number: {limit!r}")
    if given.get("failClosed") is True:
        made["onFailure"] = "block"
    for key in ("async", "if"):
        if given.get(key):
            made[key] = given[key]
    return made


def _seconds(agent: str, limit: float) -> float:
    if agent == "gemini" or (agent == "qwen" and limit >= 1000):
        limit = limit / 1000
    return int(limit) if limit == int(limit) else limit


def _line(agent: str, given: Mapping[str, Any]) -> tuple[str, list[str] | None]:
    """The command, and its words where no shell is to read it."""
    if isinstance(given.get("exec"), str):
        return given["exec"], [str(each) for each in given.get("args") or ()]
    line = given.get("bash") or given.get("command")
    systems = {given.get(key) for key in ("linux", "osx") if given.get(key)}
    if len(systems) > 1:
        raise Untold("it has another command on each operating system")
    line = systems.pop() if systems else line
    if not isinstance(line, str) or not line.strip():
        only = "it has a command for PowerShell only" if given.get("powershell") else None
        raise Untold(only or "it has no command")
    line = _HOOK_FOLDER.sub("$CLAUDE_PROJECT_DIR/.github/hooks", line)
    line = pluginline.quoted(line, _PROJECT, "${CLAUDE_PROJECT_DIR}")
    folder = given.get("cwd")
    if isinstance(folder, str) and folder not in ("", "."):
        line = f'cd "${{CLAUDE_PROJECT_DIR}}"/{shlex.quote(folder)} && {line}'
    elif agent in _FROM_ROOT and re.match(r"[\"']?\.?[\w-]*/|(?:ba|z)?sh [^-]|node |python", line):
        line = f'cd "${{CLAUDE_PROJECT_DIR}}" && {line}'
    env = given.get("env")
    if isinstance(env, dict) and env:
        pairs = [f"{name}={shlex.quote(str(value))}" for name, value in env.items()]
        line = f"export {' '.join(pairs)}; {line}"
    return line, None


def _in_plugin(given: Mapping[str, Any], plugin: str) -> dict[str, Any]:
    """A handler of a Claude Code plugin that lies in the project, told where the plugin is."""
    line, words = given.get("command"), given.get("args")
    if given.get("type") != "command" or not isinstance(line, str):
        return dict(given)
    if isinstance(words, list):
        line = pluginline.of_words([line, *map(str, words)])
    folder = f'"${{CLAUDE_PROJECT_DIR}}"/{shlex.quote(plugin)}'
    line = f"export CLAUDE_PLUGIN_ROOT={folder}; {pluginline.quoted(line)}"
    return {key: value for key, value in given.items() if key != "args"} | {"command": line}


# --- whose protocol --------------------------------------------------------------------------

# Keys and variables of an agent's own input, answers and environment, which the bridge has not.
_SIGNS: dict[str, tuple[str, ...]] = {
    "gemini": ("llmContent", "returnDisplay", "prompt_response", "mcp_context", "GEMINI_"),
    "qwen": ("llmContent", "returnDisplay", "QWEN_"),
    "cursor": (
        "conversation_id|generation_id|workspace_roots|cursor_version|tool_output|CURSOR_",
        "agent_message|user_message|followup_message|additional_context|updated_input",
        r"[\"']permission\\?[\"']",
    ),
    "copilot": (
        "toolName|toolArgs|toolResult|sessionId|stopReason|modifiedArgs|tool_result|COPILOT_",
        "file_text|old_str|new_str",
    ),
    "vscode": ("filePath|oldString|newString|sessionId",),
    "droid": ("old_str|new_str|change_all|directory_path|FACTORY_|DROID_",),
}
_READS = re.compile(r"\bstdin\b|\bcat\b|\bjq\b|\bread\s|/dev/stdin|fs\.readFile|\bSTDIN\b")


class Scripts(NamedTuple):
    """The scripts that a command names, by path: those that can be read, and the others.

    texts: what the ones that can be read say, and what they load.
    """

    read: list[str]
    gone: list[str]
    texts: list[str]


def speaks(agent: str, meant: Meant, command: str, scripts: Scripts) -> str:
    """Why a hook seems to speak its agent's own protocol and not Claude's; "" if it does not."""
    if agent in ("claude", "codex"):
        return ""
    plain = re.sub(r"\$\{?CLAUDE_PROJECT_DIR\}?(\"?)/", r"\1", command)
    plain = re.sub(r"(^|[\s\"'])\./", r"\1", plain)
    unread = scripts.gone + estimate.opaque(plain, scripts.read)
    said = "\n".join([command, *scripts.texts])
    sign = _sign(agent, said)
    if sign:
        return f"it speaks this agent's own protocol: {sign}"
    if unread or not command:
        return f"hookpm cannot read what it runs: {unread[0] if unread else 'no command'}"
    if meant.own and _READS.search(said):
        return "it reads an input that only this agent sends"
    if agent == "copilot" and meant.event == "PreToolUse" and re.search(r"\bexit\s*\(?1\b", said):
        return "it denies with exit code 1, which allows everywhere else"
    return ""


def _sign(agent: str, said: str) -> str:
    for pattern in _SIGNS.get(agent, ()):
        found = re.search(pattern, said)
        if found:
            return found.group()
    own = [name for name, claude in tools(agent).items() if name not in claude]
    for name in own:
        if re.search(rf"[\"'|(\s]{re.escape(name)}\\?[\"'|)]", said):
            return name
    return ""
