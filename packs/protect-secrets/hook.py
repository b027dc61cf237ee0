"""From the tool call on stdin to the answer on stdout.

Claude Code's protocol: the tool call as JSON on stdin; deny or ask as JSON on stdout with exit 0;
no output for all that is none of this guard's business, and never an allow. Input that cannot be
read: a note on stderr and exit 1, which blocks nothing. Runs on every tool call, so nothing is
imported that a call does not need.
"""

import sys

# Tools that show names at most, never what is in a file. Whole names: what another server calls
# "list_files" or "task" may do anything.
HARMLESS = frozenset(
    str.split(
        "glob ls todowrite todoread websearch agent task exitplanmode askuserquestion "
        "skill toolsearch taskoutput bashoutput killshell killbash list_directory write_todos "
        "list_files list_dir directory_tree search_files get_file_info list_allowed_directories "
        "hookpm_canary mcp__filesystem__list_directory mcp__filesystem__directory_tree "
        "mcp__filesystem__list_directory_with_sizes mcp__filesystem__search_files "
        "mcp__filesystem__get_file_info mcp__filesystem__list_allowed_directories"
    )
)


def environment(name: str) -> str:
    """One variable, without importing os."""
    try:
        import posix
    except ImportError:
        import os

        return os.environ.get(name, "")
    return posix.environ.get(name.encode(), b"").decode("utf-8", "surrogateescape")


class _Scanner:
    """What _json.make_scanner wants to know."""

    strict = False
    object_hook = object_pairs_hook = None
    parse_float = float
    parse_int = int
    memo: "dict[str, str]" = {}  # noqa: RUF012 - one scanner, one process

    @staticmethod
    def parse_constant(name: str) -> float:
        return float(name.replace("Infinity", "inf"))


def parse(text: str) -> object:
    """JSON, by the C scanner alone: importing json costs as much as Python's own start.
    ValueError if it is none.
    """
    text = text.strip(" \t\r\n\ufeff")
    try:
        from _json import make_scanner
    except ImportError:
        import json

        return json.loads(text)
    try:
        value, end = make_scanner(_Scanner())(text, 0)  # type: ignore[arg-type]
    except (StopIteration, SystemError):  # the latter for a bare word such as nan
        raise ValueError("no JSON value") from None
    if end != len(text):
        raise ValueError("text after the JSON value")
    return value


def _quoted(text: str) -> str:
    try:
        from _json import encode_basestring_ascii
    except ImportError:
        from json import dumps

        return dumps(text)
    return encode_basestring_ascii(text)


def answer(payload: "dict[str, object]", options: "dict[str, object]") -> "tuple[str, str]":
    """(decision, reason) for one tool call: "deny", "ask" or "" (no objection)."""
    if payload.get("hook_event_name", "PreToolUse") != "PreToolUse":
        return "", ""
    tool = payload.get("tool_name")
    given = payload.get("tool_input")
    if not isinstance(tool, str) or not given or tool.lower() in HARMLESS:
        return "", ""
    from toolcalls import Surroundings, verdict

    return verdict(
        payload, options, Surroundings(environment("HOME"), environment("CLAUDE_PROJECT_DIR"))
    )


def _options() -> "dict[str, object]":
    text = environment("HOOKPM_OPTIONS")
    if not text:
        return {}
    try:
        value = parse(text)
    except (ValueError, RecursionError):
        value = None
    if isinstance(value, dict):
        return value
    sys.stderr.write(
        "protect-secrets: HOOKPM_OPTIONS is no JSON object; going on with the defaults\n"
    )
    return {}


def main() -> int:
    """Read the call, answer it."""
    try:
        payload = parse(sys.stdin.buffer.read().decode("utf-8", "replace"))
    except Exception as error:
        payload = None
        sys.stderr.write("protect-secrets: " + type(error).__name__ + " in the input. ")
    if not isinstance(payload, dict):
        sys.stderr.write(
            "protect-secrets: the input is no JSON object, so this call was not judged\n"
        )
        return 1
    try:
        decision, reason = answer(payload, _options())
    except Exception as error:  # a fault of ours blocks nobody, and is not silent
        sys.stderr.write("protect-secrets: this call was not judged: " + repr(error)[:300] + "\n")
        return 1
    if decision:
        sys.stdout.write(
            '{"hookSpecificOutput": {"hookEventName": "PreToolUse", "permissionDecision": '
            + _quoted(decision)
            + ', "permissionDecisionReason": '
            + _quoted(reason)
            + "}}\n"
        )
    return 0
