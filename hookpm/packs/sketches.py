"""The texts of new packs: for each event a small hook in Python and in sh, and its cases."""

from __future__ import annotations

from typing import Any, NamedTuple

from hookpm.contract.events import MATCHED_FIELD


class SketchCase(NamedTuple):
    """A case: what goes in, what is expected, and a part of what the hook says then."""

    name: str
    input: dict[str, Any]
    expect: str
    said: str = ""


class Sketch(NamedTuple):
    """A hook to start from. python, shell: whole files, with ABOUT where the description goes.

    tool: Claude's name of the tool in the cases, at events that have one. declared, word: `needs`
    or `uses`, and the capability in it; word is "" where the hook answers nothing.
    """

    hook_id: str
    about: str
    matcher: str
    tool: str
    declared: str
    word: str
    python: str
    shell: str
    cases: tuple[SketchCase, ...]


def of(event: str) -> Sketch:
    """The sketch for an event of the contract."""
    return _SKETCHES.get(event) or _told(event)


_PYTHON = '''\
"""ABOUT.

Reads one JSON object on stdin: the call, in Claude Code's form in every agent. The answer is one
JSON object on stdout; printing nothing means no objection, and is no approval.
"""

import json
import sys


def judge(call):
    """The answer to a call, or None."""
{judge}

answer = judge(json.load(sys.stdin))
if answer is not None:
    json.dump(answer, sys.stdout)
'''

_SHELL_REFUSES = """\
#!/bin/sh
# ABOUT.
# The call comes as one JSON object on stdin. It is looked at as a text here, which is enough for a
# word that stands nowhere else; where you need its fields, Python reads them without a further
# program. To refuse: the reason on stderr, exit code 2. Any other code is a failure, and allows.
{read}
case $call in
  {pattern})
    echo "{reason}" >&2
    exit 2
    ;;
esac
"""

_SHELL_TELLS = """\
#!/bin/sh
# ABOUT.
# The call comes as one JSON object on stdin; the answer is one JSON object on stdout. Printing
# nothing means no objection.
call=$(cat)
case $call in
  {pattern})
    printf '%s\\n' '{answer}'
    ;;
esac
"""

_SHELL_ALWAYS_TELLS = """\
#!/bin/sh
# ABOUT.
# The call comes as one JSON object on stdin; the answer is one JSON object on stdout.
cat >/dev/null
printf '%s\\n' '{answer}'
"""

_PUSH = "Forced pushes are off limits here."
_KEY = "The prompt holds a private key."
_TESTS = "Run the tests before you stop."
_COMPACT = "Compact by hand here: automatic compaction is off limits."

_PUSHES = (
    SketchCase("denies a forced push", {"command": "git push --force"}, "deny", "off limits"),
    SketchCase("is silent on any other command", {"command": "git push"}, "none"),
)
_STOPS = (
    SketchCase("asks for the tests once", {"stop_hook_active": False}, "block", "tests"),
    SketchCase("lets it stop the second time", {"stop_hook_active": True}, "none"),
)
_STOPS_PYTHON = _PYTHON.format(
    judge=f"""\
    if call.get("stop_hook_active"):
        return None  # it goes on because of a hook already: do not keep it for ever
    return {{"decision": "block", "reason": "{_TESTS}"}}
"""
)
_STOPS_SHELL = f"""\
#!/bin/sh
# ABOUT.
# The call comes as one JSON object on stdin. Exit code 2 makes the agent go on, with the text on
# stderr as its next input. It then stops again, with stop_hook_active set: do not keep it for ever.
call=$(tr -d ' \\t\\n')
case $call in
  *'"stop_hook_active":true'*) exit 0 ;;
esac
echo "{_TESTS}" >&2
exit 2
"""
_PUSH_TEST = """\
    command = call["tool_input"].get("command", "")
    words = command.split()
    if "push" not in words or "--force" not in words:
        return None
"""

_SKETCHES = {
    "PreToolUse": Sketch(
        "guard-push",
        "Denies git push --force",
        "Bash",
        "Bash",
        "needs",
        "deny",
        _PYTHON.format(
            judge=f"""\
{_PUSH_TEST}\
    return {{
        "hookSpecificOutput": {{
            "hookEventName": "PreToolUse",
            "permissionDecision": "deny",
            "permissionDecisionReason": "{_PUSH}",
        }}
    }}
"""
        ),
        _SHELL_REFUSES.format(read="call=$(cat)", pattern='*"git push --force"*', reason=_PUSH),
        _PUSHES,
    ),
    "PermissionRequest": Sketch(
        "deny-push",
        "Denies the permission for git push --force",
        "Bash",
        "Bash",
        "needs",
        "deny",
        _PYTHON.format(
            judge=f"""\
{_PUSH_TEST}\
    return {{
        "hookSpecificOutput": {{
            "hookEventName": "PermissionRequest",
            "decision": {{"behavior": "deny", "message": "{_PUSH}"}},
        }}
    }}
"""
        ),
        _SHELL_TELLS.format(
            pattern='*"git push --force"*',
            answer='{"hookSpecificOutput": {"hookEventName": "PermissionRequest", '
            f'"decision": {{"behavior": "deny", "message": "{_PUSH}"}}}}}}',
        ),
        _PUSHES,
    ),
    "UserPromptSubmit": Sketch(
        "guard-prompt",
        "Keeps private keys out of prompts",
        "",
        "",
        "needs",
        "block",
        _PYTHON.format(
            judge=f"""\
    if "PRIVATE KEY-----" not in call.get("prompt", ""):
        return None
    return {{"decision": "block", "reason": "{_KEY}"}}
"""
        ),
        _SHELL_REFUSES.format(read="call=$(cat)", pattern='*"PRIVATE KEY-----"*', reason=_KEY),
        (
            SketchCase(
                "blocks a key",
                {"prompt": "use -----BEGIN PRIVATE KEY-----"},
                "block",
                "private key",
            ),
            SketchCase("is silent on any other prompt", {"prompt": "rename the class"}, "none"),
        ),
    ),
    "Stop": Sketch(
        "ask-for-tests",
        "Asks for the tests once before the agent stops",
        "",
        "",
        "needs",
        "block",
        _STOPS_PYTHON,
        _STOPS_SHELL,
        _STOPS,
    ),
    "SubagentStop": Sketch(
        "ask-for-tests",
        "Asks a subagent for the tests once before it stops",
        "",
        "",
        "needs",
        "block",
        _STOPS_PYTHON,
        _STOPS_SHELL,
        _STOPS,
    ),
    "PreCompact": Sketch(
        "by-hand",
        "Blocks automatic compaction",
        "auto",
        "",
        "needs",
        "block",
        _PYTHON.format(
            judge=f"""\
    if call.get("trigger") != "auto":
        return None
    return {{"decision": "block", "reason": "{_COMPACT}"}}
"""
        ),
        _SHELL_REFUSES.format(
            read="call=$(tr -d ' \\t\\n')", pattern='*\'"trigger":"auto"\'*', reason=_COMPACT
        ),
        (
            SketchCase("blocks an automatic one", {"trigger": "auto"}, "block", "by hand"),
            SketchCase("is silent on one by hand", {"trigger": "manual"}, "none"),
        ),
    ),
}

# What is said at the other events, and to which input: event -> about, matcher, tool, text, the
# words of the input that it is said to ("" for any), an input like that and one unlike it.
_TELLING: dict[str, tuple[str, str, str, str, str, dict[str, Any], dict[str, Any]]] = {
    "PostToolUse": (
        "Reminds the agent of the tests after a change of a Python file",
        "Edit|Write",
        "Edit",
        "A Python file was changed: run its tests.",
        ".py",
        {"file_path": "app.py"},
        {"file_path": "notes.txt"},
    ),
    "PostToolUseFailure": (
        "Says what to do where a push fails",
        "Bash",
        "Bash",
        "A push failed: pull first, and never force it.",
        "git push",
        {"command": "git push"},
        {"command": "ls"},
    ),
    "SessionStart": (
        "Tells the agent the rules of the house when a session starts",
        "",
        "",
        "Commit messages say why, not what.",
        "",
        {"source": "startup"},
        {},
    ),
    "SubagentStart": (
        "Tells a subagent the rules of the house",
        "",
        "",
        "Commit messages say why, not what.",
        "",
        {"agent_id": "a1", "agent_type": "reviewer"},
        {},
    ),
}


def _told(event: str) -> Sketch:
    """Context for the model; at events that take no answer at all, a hook that says nothing."""
    if event not in _TELLING:
        return _silent(event)
    about, matcher, tool, text, word, like, unlike = _TELLING[event]
    answer = (
        f'{{"hookSpecificOutput": {{"hookEventName": "{event}", "additionalContext": "{text}"}}}}'
    )
    condition = f"""\
    if "{word}" not in json.dumps(call["tool_input"]):
        return None
"""
    judge = f"""\
{condition if word else ""}\
    return {{
        "hookSpecificOutput": {{
            "hookEventName": "{event}",
            "additionalContext": "{text}",
        }}
    }}
"""
    shell = _SHELL_ALWAYS_TELLS.format(answer=answer)
    if word:
        shell = _SHELL_TELLS.format(pattern=f'*"{word}"*', answer=answer)
    cases = [SketchCase("tells the model", like, "context", text)]
    if unlike:
        cases.append(SketchCase("is silent on anything else", unlike, "none"))
    return Sketch(
        "remind",
        about,
        matcher,
        tool,
        "uses",
        "additionalContext",
        _PYTHON.format(judge=judge),
        shell,
        tuple(cases),
    )


def _silent(event: str) -> Sketch:
    field = MATCHED_FIELD.get(event, "")
    python = '''\
"""ABOUT.

Reads one JSON object on stdin. Nothing that it could answer has an effect at this event.
"""

import json
import sys

call = json.load(sys.stdin)
# What is to happen goes here; what it writes belongs outside of the repo.
'''
    shell = """\
#!/bin/sh
# ABOUT.
# The call comes as one JSON object on stdin. Nothing that the hook could answer has an effect here.
cat >/dev/null
# What is to happen goes here; what it writes belongs outside of the repo.
"""
    given = {field: "other" if field == "reason" else "idle_prompt"} if field else {}
    return Sketch(
        "notice",
        f"Runs at {event} and says nothing yet",
        "",
        "",
        "uses",
        "",
        python,
        shell,
        (SketchCase("says nothing", given, "none"),),
    )
