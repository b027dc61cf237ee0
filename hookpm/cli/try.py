# ruff: noqa: N999 - the module is called like its command
"""hookpm try: what would happen to a call, in each agent's own words."""

from __future__ import annotations

import argparse
import json
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

from hookpm.cli import common, output
from hookpm.errors import NotFoundError, SystemFailureError, UsageError

if TYPE_CHECKING:
    from hookpm.project.trying.trial import HookRun, Trial


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The options of try."""
    parser.add_argument(
        "pack", metavar="PACK", help="an installed pack, one of a registry, or a folder (./my-pack)"
    )
    parser.add_argument(
        "--event", metavar="EVENT", help="default: PreToolUse; with --prompt UserPromptSubmit"
    )
    parser.add_argument(
        "--tool", metavar="NAME", help="the tool, by Claude Code's name: Bash, Edit"
    )
    parser.add_argument(
        "--input",
        metavar="JSON",
        help="the tool's input in Claude Code's form, elsewhere the event's fields; "
        "@FILE reads a file, - stdin",
    )
    parser.add_argument("--prompt", metavar="TEXT", help="what the user sends, at UserPromptSubmit")
    common.add_agents(parser, "the agent that calls (default: claude)")
    common.add_network(parser)
    common.add_project(parser)


def run(options: argparse.Namespace) -> int:
    """Try the call; returns 0 whatever is decided."""
    from hookpm import agents
    from hookpm.project import state, wishes
    from hookpm.project.trying import trial

    event, call = _call(options)
    asked = wishes.parse_requirements([options.pack])[0]
    chosen = [agents.load(name) for name in dict.fromkeys(options.agents or ["claude"])]
    root = common.find_root(options)
    targets = trial.find(state.load(root.path), asked, Path.cwd())
    done = [trial.run(targets, agent, event, call) for agent in chosen]
    if options.json:
        documents = [_document(each) for each in done]
        output.show_json(documents[0] if len(documents) == 1 else {"tries": documents})
        return 0
    for number, each in enumerate(done):
        if number:
            output.show("")
        _show(each)
    return 0


def _call(options: argparse.Namespace) -> tuple[str, dict[str, Any]]:
    """The event, and the call in Claude's form. Raises UsageError."""
    from hookpm.contract.events import TOOL_EVENTS
    from hookpm.packs import rules

    event = options.event or ("UserPromptSubmit" if options.prompt is not None else "PreToolUse")
    if wrong := rules.event_problem(event):
        raise UsageError(wrong[0], hint=wrong[1])
    given = _input(options.input)
    if options.prompt is not None and event != "UserPromptSubmit":
        raise UsageError(f"{event} has no prompt", hint="--prompt is for UserPromptSubmit")
    if event in TOOL_EVENTS:
        if not options.tool:
            raise UsageError(f"{event} needs a tool", hint="such as --tool Bash")
        return event, {"tool_name": options.tool, "tool_input": given}
    if options.tool:
        raise UsageError(f"{event} has no tool", hint="give the event's fields with --input")
    if options.prompt is not None:
        given["prompt"] = options.prompt
    if event == "UserPromptSubmit" and "prompt" not in given:
        raise UsageError("there is no prompt", hint="such as --prompt 'deploy it'")
    return event, given


def _input(text: str | None) -> dict[str, Any]:
    """The object in --input. Raises UsageError, NotFoundError and SystemFailureError."""
    if text is None:
        return {}
    where = "--input"
    if text == "-":
        text, where = sys.stdin.read(), "stdin"
    elif text.startswith("@"):
        where = text[1:]
        try:
            text = Path(where).read_text("utf-8")
        except FileNotFoundError:
            raise NotFoundError("no such file for --input", file=where) from None
        except (OSError, UnicodeDecodeError) as error:
            raise SystemFailureError("cannot read --input", cause=str(error), file=where) from None
    try:
        value = json.loads(text)
    except ValueError as error:
        raise UsageError(
            f"{where} is not JSON", cause=str(error), hint="""such as '{"command": "ls"}'"""
        ) from None
    if not isinstance(value, dict):
        raise UsageError(f"{where} is not a JSON object", hint="""such as '{"command": "ls"}'""")
    return value


def _show(each: Trial) -> None:
    output.show(f"{each.agent}, {each.event}: {' and '.join(each.outcomes) or 'none'}")
    if each.sent:
        output.show(f"  sent    {json.dumps(each.sent)}")
    for hook in each.hooks:
        _show_hook(hook)
    output.show(f"  answer  {json.dumps(each.answer) if each.answer else 'nothing: no objection'}")
    for note in each.notes:
        output.show(f"  note    {note}")


def _show_hook(hook: HookRun) -> None:
    ended = "ended at its time limit" if hook.exit is None else f"exit code {hook.exit}"
    output.show(f"  hook    {hook.pack}/{hook.hook}: {ended}, {hook.ms:.0f} ms")
    for name, text in (("stdout", hook.stdout), ("stderr", hook.stderr)):
        for line in text.splitlines():
            output.show(f"    {name}: {line}")


def _document(each: Trial) -> dict[str, Any]:
    return {
        "agent": each.agent,
        "event": each.event,
        "decision": each.decision,
        "outcomes": list(each.outcomes),
        "sent": each.sent,
        "hooks": [hook._asdict() for hook in each.hooks],
        "answer": each.answer,
        "notes": list(each.notes),
    }
