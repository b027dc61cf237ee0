"""`.agents/hooks.json`: which hooks there are for an event, and what is wrong with the others.

Vendored. Claude Code's shape; an installed group also carries "pack" and "id".
"""

from hookpm.contract.events import CLAUDE_EVENTS, DEFAULT_TIMEOUT, MATCHED_FIELD
from hookpm.contract.matcher import problem

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

OTHER_TYPES = ("mcp_tool", "prompt", "agent")
LONGEST_TIMEOUT = 86400.0  # seconds; more is taken as this
_FOR_MATCHER = ("toolName", "tool_name", "toolNames", "tool", "tools", "matchers", "match")


class Hook:
    """One hook of the file. timeout: seconds. args: exec form, no shell, where not None.

    url: where the input is sent, "" for a command; headers: name -> value of that request, allowed:
    names of the variables that may be filled in there. command: "POST " and the URL then.
    place: keys and indexes of the handler in the document.
    """

    __slots__ = (
        "allowed",
        "args",
        "command",
        "event",
        "headers",
        "id",
        "matcher",
        "on_failure",
        "pack",
        "place",
        "shell",
        "timeout",
        "url",
    )

    def __init__(self, event: str, group: "dict[str, Any]", handler: "dict[str, Any]") -> None:
        self.event = event
        self.matcher: "str | None" = group.get("matcher")
        self.pack: str = group.get("pack") or ""
        self.id: str = group.get("id") or ""
        self.url: str = handler["url"] if handler["type"] == "http" else ""
        self.headers: "dict[str, str]" = handler.get("headers") or {}
        self.allowed: "list[str]" = handler.get("allowedEnvVars") or []
        self.command: str = "POST " + self.url if self.url else handler["command"]
        self.args: "list[str] | None" = None if self.url else handler.get("args")
        self.shell: str = handler.get("shell") or ""
        self.timeout: float = min(handler.get("timeout", DEFAULT_TIMEOUT), LONGEST_TIMEOUT)
        self.on_failure = "block" if handler.get("onFailure") == "block" else "allow"
        self.place: "tuple[str | int, ...]" = ()

    def name(self) -> str:
        """How messages name it: pack/id, or the command."""
        if self.pack:
            return self.pack + "/" + self.id if self.id else self.pack
        return self.command if len(self.command) <= 80 else self.command[:77] + "..."


class Problem:
    """Something in the file that does not run. place: keys and indexes, as far as they go."""

    __slots__ = ("message", "place")

    def __init__(self, place: "tuple[str | int, ...]", message: str) -> None:
        self.place = place
        self.message = message


def is_antigravitys(document: "Any") -> bool:
    """Does this document belong to Google Antigravity (top-level keys are hook names)?

    Documented: every top-level value there is an object that holds events; ours has "hooks".
    """
    if not isinstance(document, dict) or not document:
        return False
    if not all(isinstance(value, dict) for value in document.values()):
        return False
    hooks = document.get("hooks")
    if hooks is None:
        return True
    return len(document) > 1 or "enabled" in hooks


def hooks_for(document: "Any", event: str) -> "tuple[list[Hook], list[Problem]]":
    """The hooks of one event in file order, and what of that event cannot run."""
    hooks: "list[Hook]" = []
    problems: "list[Problem]" = []
    table = document.get("hooks") if isinstance(document, dict) else None
    if not isinstance(table, dict):
        problems.append(Problem(("hooks",), 'expected an object "hooks"'))
        return hooks, problems
    groups = table.get(event, [])
    if not isinstance(groups, list):
        problems.append(Problem(("hooks", event), "expected a list of groups"))
        return hooks, problems
    for index, group in enumerate(groups):
        place: "tuple[str | int, ...]" = ("hooks", event, index)
        wrong = _group_problem(group)
        if wrong:
            problems.append(Problem(place, wrong))
            continue
        for number, handler in enumerate(group["hooks"]):
            here = (*place, "hooks", number)
            wrong = _handler_problem(handler)
            if wrong:
                problems.append(Problem(here, wrong))
                continue
            hook = Hook(event, group, handler)
            hook.place = here
            hooks.append(hook)
    return hooks, problems


def check(document: "Any") -> "list[Problem]":
    """Everything in the document that does not run as it reads; [] for a sound file."""
    if not isinstance(document, dict):
        return [Problem((), "expected an object")]
    table = document.get("hooks")
    if not isinstance(table, dict):
        return [Problem(("hooks",), 'expected an object "hooks" with an event per key')]
    problems: "list[Problem]" = []
    for event in table:
        if event not in CLAUDE_EVENTS:
            problems.append(Problem(("hooks", event), _unknown(event)))
            continue
        problems += hooks_for(document, event)[1]
        if isinstance(table[event], list):
            for index, group in enumerate(table[event]):
                if isinstance(group, dict):
                    problems += _matcher_problems(("hooks", event, index), group)
    return problems


def _unknown(event: str) -> str:
    for known in CLAUDE_EVENTS:
        if known.lower() == event.lower().replace("_", "").replace("-", ""):
            return "unknown event " + event + ": did you mean " + known + "?"
    return "unknown event " + event


def _matcher_problems(place: "tuple[str | int, ...]", group: "dict[str, Any]") -> "list[Problem]":
    found: "list[Problem]" = []
    matcher = group.get("matcher")
    if isinstance(matcher, str) and place[1] in MATCHED_FIELD:
        broken = problem(matcher)
        if broken:
            found.append(Problem((*place, "matcher"), "matcher: " + broken))
    if matcher is None:
        for key in _FOR_MATCHER:
            if key in group:
                words = key + ' is not read, so this runs for everything: did you mean "matcher"?'
                found.append(Problem((*place, key), words))
    return found


def _group_problem(group: "Any") -> str:
    if not isinstance(group, dict):
        return 'expected a group: {"matcher": ..., "hooks": [...]}'
    if not isinstance(group.get("matcher", ""), str):
        return "matcher: expected text"
    if not isinstance(group.get("hooks"), list):
        return 'expected a list "hooks" in the group'
    for key in ("pack", "id"):
        if not isinstance(group.get(key, ""), str):
            return key + ": expected text"
    return ""


def _handler_problem(handler: "Any") -> str:
    if not isinstance(handler, dict):
        return "expected a handler: an object with type and command"
    kind = handler.get("type")
    if kind in OTHER_TYPES:
        return "type " + str(kind) + " cannot run through the bridge; command and http can"
    if kind == "http":
        return _request_problem(handler) or _common_problem(handler)
    if kind != "command":
        return 'type: expected "command" or "http"'
    return _command_problem(handler) or _common_problem(handler)


def _command_problem(handler: "dict[str, Any]") -> str:
    command = handler.get("command")
    if not isinstance(command, str) or not command.strip():
        return "command: expected a shell line"
    args = handler.get("args")
    if args is not None and not (isinstance(args, list) and _are_texts(args)):
        return "args: expected a list of texts"
    if handler.get("shell") not in (None, "", "bash"):
        return "shell: only bash can be honoured"
    return ""


def _request_problem(handler: "dict[str, Any]") -> str:
    url = handler.get("url")
    if not isinstance(url, str) or not _is_url(url):
        return "url: expected http://HOST... or https://HOST..., without a user's name in it"
    headers = handler.get("headers")
    if headers is not None and not (
        isinstance(headers, dict) and _are_texts(headers) and _are_texts(list(headers.values()))
    ):
        return "headers: expected an object of texts"
    for name in headers or ():
        if not all("!" <= c <= "~" and c not in '()<>@,;:\\"/[]?={}' for c in name) or not name:
            return "headers: no header can be named " + repr(name)
    allowed = handler.get("allowedEnvVars")
    if allowed is not None and not (isinstance(allowed, list) and _are_texts(allowed)):
        return "allowedEnvVars: expected a list of texts"
    return ""


def _is_url(url: str) -> bool:
    scheme, _, rest = url.partition("://")
    if scheme.lower() not in ("http", "https") or any(c <= " " or c == "\x7f" for c in url):
        return False
    for mark in "/?#":
        rest = rest.partition(mark)[0]
    return bool(rest) and rest[0] != ":" and "@" not in rest


def _are_texts(values: "Any") -> bool:
    return isinstance(values, (list, dict)) and all(isinstance(value, str) for value in values)


def _common_problem(handler: "dict[str, Any]") -> str:
    timeout = handler.get("timeout", 1)
    if isinstance(timeout, bool) or not isinstance(timeout, (int, float)) or not timeout > 0:
        return "timeout: expected seconds, more than 0"
    if handler.get("onFailure") not in (None, "continue", "allow", "block"):
        return "onFailure: expected continue or block"
    if handler.get("if"):
        return '"if" cannot be honoured by the bridge'
    if handler.get("async") or handler.get("asyncRewake"):
        return '"async" cannot be honoured by the bridge'
    return ""
