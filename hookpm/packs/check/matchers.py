"""Matchers that take nothing, or more than they seem to: held against the tools of every agent."""

from __future__ import annotations

import importlib
import re
from collections.abc import Iterator
from difflib import get_close_matches
from functools import cache
from typing import NamedTuple

from hookpm import agents
from hookpm.contract import jsregex, matcher
from hookpm.contract.events import MATCHED_FIELD, TOOL_EVENTS

# Claude Code's that the agents' facts do not list: newer ones, older ones, seldom seen ones.
_MORE = (
    "CronCreate",
    "CronDelete",
    "CronList",
    "EnterPlanMode",
    "EnterWorktree",
    "ExitWorktree",
    "KillBash",
    "LSP",
    "ListMcpResourcesTool",
    "Monitor",
    "MultiEdit",
    "PowerShell",
    "ReadMcpResourceTool",
    "SendMessage",
    "StructuredOutput",
    "TaskCreate",
    "TaskGet",
    "TaskList",
    "TaskOutput",
    "TaskStop",
    "TaskUpdate",
    "TeamCreate",
    "TeamDelete",
    "TodoRead",
    "ToolSearch",
    "Workflow",
)
# What a matcher is held against at events without a tool, where the values are known.
_VALUES = {
    "SessionStart": ("startup", "resume", "clear", "compact"),
    "PreCompact": ("manual", "auto"),
    "SessionEnd": ("clear", "logout", "prompt_input_exit", "resume", "other"),
    "Notification": (
        "permission_prompt",
        "idle_prompt",
        "auth_success",
        "elicitation_dialog",
        "elicitation_complete",
        "elicitation_response",
    ),
}
_ALWAYS = ("", "*", ".*", ".+", "^.*$", "^.+$")
_SERVER = re.compile(r"mcp__[A-Za-z0-9-]+(?:_[A-Za-z0-9-]+)*")


class Problem(NamedTuple):
    """What is wrong with a matcher: the rule's id, why, and the form that works."""

    code: str
    message: str
    form: str


def problems(event: str, written: str) -> Iterator[Problem]:
    """What is wrong with the matcher of a hook at an event of the contract."""
    if not written:
        return
    if event not in MATCHED_FIELD:
        yield Problem(
            "matcher-ignored",
            f"{event} ignores matchers: the hook runs every time",
            "no matcher, and the choice inside the hook",
        )
        return
    known = tools() if event in TOOL_EVENTS else _VALUES.get(event, ())
    if written in _ALWAYS or not known:
        return
    found = _in_list(event, written, known) if matcher.is_list(written) else None
    yield from found if found is not None else _expression(event, written, known)


@cache
def tools() -> tuple[str, ...]:
    """The tools of all agents, by Claude Code's names where it has one."""
    names = {name for agent in agents.known() for name in agents.facts_of(agent).tools.names}
    return tuple(sorted({*names, *_MORE}))


@cache
def natives() -> dict[str, str]:
    """The agents' own names of tools -> Claude Code's."""
    found: dict[str, str] = {}
    for name in agents.names():
        translate = importlib.import_module(f"hookpm.agents.{name}.translate")
        for native, claudes in getattr(translate, "TOOLS", {}).items():
            found.setdefault(native, claudes)
    return found


def _in_list(event: str, written: str, known: tuple[str, ...]) -> list[Problem]:
    names = matcher.names(written)
    unknown = {name: _meant(event, name, known) for name in names if not _exists(name, known)}
    if len(unknown) == len(names):
        meant = "|".join(dict.fromkeys(unknown[name] or name for name in names))
        what = "no agent has a tool" if event in TOOL_EVENTS else f"{event} has no {_field(event)}"
        form = meant if meant != written else f"one of {', '.join(known[:6])}, ..."
        return [Problem("matcher-nothing", f"{what} called {' or '.join(names)}", form)]
    return [
        Problem(
            "matcher-name",
            f"no {'tool' if event in TOOL_EVENTS else _field(event)} is called {name}",
            meant,
        )
        for name, meant in unknown.items()
        if meant and meant not in names  # beside it, another agent's own name does no harm
    ]


def _exists(name: str, known: tuple[str, ...]) -> bool:
    server, mark, tool = name[5:].partition("__")
    return name in known or (name.startswith("mcp__") and bool(server and mark and tool))


def _meant(event: str, name: str, known: tuple[str, ...]) -> str:
    """What a name that nothing has was most likely to be, or ""."""
    if event in TOOL_EVENTS:
        if _SERVER.fullmatch(name):
            return f"{name}__.*"
        if name in natives():
            return natives()[name]
        if name in ("Shell", "shell", "terminal", "Terminal"):
            return "Bash"
    by_lower = {each.lower().replace("_", ""): each for each in known}
    near = get_close_matches(name.lower().replace("_", ""), by_lower, n=1, cutoff=0.8)
    return by_lower[near[0]] if near else ""


def _expression(event: str, written: str, known: tuple[str, ...]) -> Iterator[Problem]:
    search = jsregex.searcher(written)
    if search is None:
        return  # the manifest is refused for it
    if (rule := re.fullmatch(r"([A-Za-z]+)\(.*\)", written)) and rule[1] in known:
        yield Problem(
            "matcher-nothing",
            "a matcher sees the name of the tool only; this is a permission rule",
            f"{rule[1]}, and a look at the input inside the hook",
        )
        return
    if search(""):
        yield Problem(
            "matcher-wide",
            "this expression fits nothing at all too, so it takes every "
            + ("tool" if event in TOOL_EVENTS else _field(event)),
            '"*" if that is meant; else .* for any text, as in mcp__files__.*',
        )
        return
    taken = [name for name in known if search(name)]
    if not taken and "mcp" not in written:
        words = [word for word in re.findall(r"\w+", written) if _meant(event, word, known)]
        meant = [_meant(event, word, known) for word in words]
        yield Problem(
            "matcher-nothing",
            f"no {'tool of any agent' if event in TOOL_EVENTS else _field(event)} fits it",
            "|".join(meant) if meant else f"one of {', '.join(known[:6])}, ...",
        )
    whole = jsregex.searcher(f"^(?:{written})$")
    more = [name for name in taken if whole is not None and not whole(name)]
    if more and len(more) < len(taken):
        yield Problem(
            "matcher-wide",
            f"an expression is looked for anywhere in the name: this takes {', '.join(more)} too",
            f"^({written})$" if not _plain_list(written) else _plain_list(written),
        )


def _plain_list(written: str) -> str:
    """`(Edit|Write)` as the list that was meant, or ""."""
    inner = written.strip("^$()")
    return inner if re.fullmatch(r"\w+(\|\w+)*", inner) else ""


def _field(event: str) -> str:
    return MATCHED_FIELD[event].replace("_", " ")
