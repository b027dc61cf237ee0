"""Factory Droid: its payloads in Claude's form, refusals by exit code, a file without a wrapper."""

from __future__ import annotations

import copy
import importlib
import json
import os
import subprocess
from pathlib import Path
from typing import Any

import pytest

from hookpm import agents
from hookpm.agents import shell_line
from hookpm.agents.droid import translate, wiring
from hookpm.contract.answer import REFUSED, Answer, Reply
from hookpm.contract.events import EVENTS
from hookpm.edit import jsonedit
from hookpm.edit.jsondoc import parse

PAYLOADS = Path(__file__).parent / "payloads"
SAMPLES: list[dict[str, Any]] = json.loads((PAYLOADS / "droid.json").read_text("utf-8"))
PRE, POST, PROMPT = "PreToolUse", "PostToolUse", "UserPromptSubmit"
START, END, STOP, COMPACT = "SessionStart", "SessionEnd", "Stop", "PreCompact"


@pytest.mark.parametrize("sample", SAMPLES, ids=lambda sample: sample["name"])
def test_a_payload_is_shown_to_hooks_in_claudes_form(sample: dict[str, Any]) -> None:
    payload = copy.deepcopy(sample["payload"])
    calls = translate.to_claude(sample["event"], payload)
    assert payload == sample["payload"]
    assert all(call["hook_event_name"] == sample["event"] for call in calls)
    if "calls" in sample:
        assert [[call["tool_name"], call["tool_input"]] for call in calls] == sample["calls"]
    for key, value in sample.get("fields", {}).items():
        assert [call[key] for call in calls] == [value]


@pytest.mark.parametrize("sample", SAMPLES, ids=lambda sample: sample["name"])
def test_a_payload_proves_droid_and_nobody_else(sample: dict[str, Any]) -> None:
    modules = {
        name: importlib.import_module(f"hookpm.agents.{name}.translate") for name in agents.names()
    }
    claims = [name for name in modules if modules[name].recognises(sample["payload"])]
    assert claims == ["droid"]


def said(event: str, payload: dict[str, Any] | None = None, **fields: Any) -> Reply:
    answer = Answer()
    for name, value in fields.items():
        setattr(answer, name, value)
    given = payload or {"tool_name": "Execute", "tool_input": {"command": "old", "timeout": 30}}
    return translate.from_claude(event, answer, given, translate.to_claude(event, given))


def hso(event: str, **fields: Any) -> dict[str, Any]:
    return {"hookSpecificOutput": {"hookEventName": event, **fields}}


DENY = {"decision": "deny", "reason": "no"}
BLOCK = {"decision": "block", "reason": "no"}
CONTEXT = {"contexts": ["one", "two"]}
STOPS = {"stop": True, "stop_reason": "enough"}
MESSAGE = {"system_message": "look"}
REWRITE = {"updated_input": {"command": "new"}}
TOLD = {"additionalContext": "one\ntwo"}
ENDED = {"continue": False, "stopReason": "enough"}
SHOWN = {"systemMessage": "look"}
DENIED = hso(PRE, permissionDecision="deny", permissionDecisionReason="no")
REWRITTEN = hso(PRE, updatedInput={"command": "new", "timeout": 30})

Row = tuple[str, dict[str, Any], dict[str, Any] | None, str, list[str]]
ROWS: list[Row] = [
    (PRE, {}, None, "", []),
    (PRE, DENY, DENIED, "no", []),
    (
        PRE,
        {"decision": "deny"},
        hso(PRE, permissionDecision="deny", permissionDecisionReason="Blocked by hook"),
        "Blocked by hook",
        [],
    ),
    (PRE, {"decision": "ask"}, None, "", ["ask"]),
    (PRE, {"decision": "allow", "reason": "fine"}, None, "", ["allow"]),
    (PRE, {"decision": "defer"}, None, "", ["defer"]),
    (PRE, REWRITE, REWRITTEN, "", []),
    (PRE, {"decision": "allow", **REWRITE}, REWRITTEN, "", ["allow"]),
    (PRE, {**DENY, **REWRITE}, DENIED, "no", []),
    (PRE, {**CONTEXT, **MESSAGE}, None, "", ["additionalContext", "systemMessage"]),
    (PRE, STOPS, ENDED, "", []),
    (PRE, {**DENY, **STOPS}, {**DENIED, **ENDED}, "no", []),
    (POST, BLOCK, None, "no", []),
    (POST, {**BLOCK, **CONTEXT}, hso(POST, **TOLD), "no", []),
    (POST, {**STOPS, **MESSAGE}, {**ENDED, **SHOWN}, "", []),
    (PROMPT, BLOCK, {"continue": False, "stopReason": "no"}, "no", []),
    (PROMPT, CONTEXT, hso(PROMPT, **TOLD), "", []),
    (PROMPT, STOPS, ENDED, "", []),
    (PROMPT, MESSAGE, None, "", ["systemMessage"]),
    (START, {**CONTEXT, **MESSAGE}, hso(START, **TOLD), "", ["systemMessage"]),
    (START, {**BLOCK, **STOPS}, None, "", ["block", "continue:false"]),
    (END, MESSAGE, None, "", ["systemMessage"]),
    (STOP, BLOCK, BLOCK, "", []),
    (STOP, {**STOPS, **MESSAGE}, {**ENDED, **SHOWN}, "", []),
    (STOP, {**BLOCK, **STOPS}, ENDED, "", []),
    (STOP, CONTEXT, None, "", ["additionalContext"]),
    (COMPACT, BLOCK, None, "no", []),
    (COMPACT, MESSAGE, None, "", ["systemMessage"]),
]


@pytest.mark.parametrize(("event", "fields", "out", "refusal", "dropped"), ROWS)
def test_an_answer_has_this_native_form(
    event: str,
    fields: dict[str, Any],
    out: dict[str, Any] | None,
    refusal: str,
    dropped: list[str],
) -> None:
    made = said(event, **fields)
    assert made.out == out
    assert made.refusal == refusal
    assert made.dropped == dropped


def test_allow_is_never_said_since_it_would_undo_other_hooks_refusals() -> None:
    for event in EVENTS:
        made = said(event, decision="allow", reason="fine", contexts=["x"], **REWRITE)
        assert "allow" not in json.dumps(made.out)


def test_a_rewrite_is_said_in_droids_own_arguments() -> None:
    edit = {"tool_name": "Edit", "tool_input": {"file_path": "a", "old_str": "1", "new_str": "2"}}
    wanted = {"file_path": "a", "old_string": "1", "new_string": "3"}
    assert said(PRE, edit, updated_input=wanted).out == hso(
        PRE, updatedInput={"file_path": "a", "old_str": "1", "new_str": "3"}
    )
    glob = {"tool_name": "Glob", "tool_input": {"patterns": ["*"], "folder": "/r"}}
    assert said(PRE, glob, updated_input={"pattern": "*.py", "path": "/r"}).out == hso(
        PRE, updatedInput={"patterns": ["*.py"], "folder": "/r"}
    )


@pytest.mark.parametrize(
    ("tool", "given", "can"),
    [
        ("Execute", {"command": "ls"}, True),
        ("Glob", {"patterns": ["a"]}, True),
        ("Glob", {"patterns": ["a", "b"]}, False),
        ("ApplyPatch", {"input": "*** Begin Patch\n*** Add File: a\n+b\n*** End Patch"}, False),
    ],
)
def test_what_hooks_see_in_pieces_or_in_another_form_is_not_rewritten(
    tool: str, given: dict[str, Any], can: bool
) -> None:
    payload = {"tool_name": tool, "tool_input": given}
    assert translate.can_rewrite(payload, translate.to_claude(PRE, payload)) is can
    assert (said(PRE, payload, updated_input={"x": 1}).out is not None) is can


# --- the line: refusals by exit code -------------------------------------------------------------


def run_line(root: Path, bridge: str) -> subprocess.CompletedProcess[str]:
    """Droid's line in a project whose bridge is this Python text."""
    place = root / shell_line.BRIDGE
    place.parent.mkdir(parents=True)
    place.write_text(bridge)
    (root / "sub").mkdir()
    return subprocess.run(
        [*wiring.SHELL, shell_line.present("droid", PRE)],
        cwd=root / "sub",
        env={"PATH": os.environ["PATH"], "HOME": str(root)},
        input="{}",
        capture_output=True,
        text=True,
        check=False,
    )


def test_a_refusal_of_the_bridge_becomes_exit_code_2(tmp_path: Path) -> None:
    text = f"import sys; print('{{}}'); sys.stderr.write('no'); sys.exit({REFUSED})"
    done = run_line(tmp_path, text)
    assert (done.returncode, done.stdout, done.stderr) == (2, "{}\n", "no")


@pytest.mark.parametrize("end", ["0", "1", "2", "3", "126", "127", "'text'"])
def test_no_other_end_of_the_bridge_is_passed_on(end: str, tmp_path: Path) -> None:
    assert run_line(tmp_path, f"import sys; sys.exit({end})").returncode == 0


def test_no_agent_but_droid_is_refused_by_exit_code() -> None:
    lines = {name: shell_line.present(name, PRE) for name in agents.names()}
    assert [name for name in lines if "exit 2" in lines[name]] == ["droid"]


# --- the file --------------------------------------------------------------------------------


def findings(text: str) -> list[int]:
    return [finding.line for finding in wiring.dropped_by(parse(text, "the file"))]


GOOD = '{"type": "command", "command": "x", "timeout": 1.5, "extra": 1}'


def test_the_events_stand_at_the_top_of_the_file() -> None:
    text = ""
    for entry in wiring.entries(EVENTS, 10):
        text = jsonedit.append(text, entry.path, entry.value, wiring.FILE).text
    assert list(json.loads(text)) == [event for event in EVENTS if event in translate.EVENTS]
    assert findings(text) == []


@pytest.mark.parametrize(
    "text",
    [
        '{"PreToolUse": [{"matcher": "", "hooks": [' + GOOD + "]}]} // fine",
        '{"Unknown": {"a": 1}, "other": "text", "$schema": "x", "hooks": {"Stop": 1}}',
        '{"Unknown": [{"hooks": [{"command": "x"}]}]}',
        '{"hooksDisabled": false}',
    ],
)
def test_what_droid_takes_is_not_named(text: str) -> None:
    assert findings(text) == []


@pytest.mark.parametrize(
    "text",
    [
        '{"Stop": [\n],}',
        '{\n"Stop": {}}',
        '{\n"Stop": null}',
        '{"Stop": [\n"x"]}',
        '{"Stop": [\n{"matcher": "x"}]}',
        '{"Stop": [\n{"matcher": 5, "hooks": []}]}',
        '{"Stop": [{"hooks": [\n{"command": "x"}]}]}',
        '{"Stop": [{"hooks": [\n{"type": "command"}]}]}',
        '{"Stop": [{"hooks": [\n{"type": "prompt", "prompt": "x"}]}]}',
        '{"Stop": [{"hooks": [\n{"type": "command", "command": "x", "timeout": "5"}]}]}',
        '{"Stop": [{"hooks": [\n"x"]}]}',
        '{\n"hooksDisabled": "true"}',
    ],
)
def test_what_makes_droid_drop_the_file_is_named(text: str) -> None:
    assert findings(text) == [2]


def test_a_byte_order_mark_is_named() -> None:
    assert findings('\ufeff{"Stop": []}') == [1]


def test_the_switch_is_named() -> None:
    text = '{"Stop": [],\n"hooksDisabled": true}'
    assert [finding.line for finding in wiring.switched_off(parse(text, "the file"))] == [2]


def test_hooks_of_the_users_that_our_file_would_silence_keep_it_from_being_written(
    tmp_path: Path,
) -> None:
    def found() -> int:
        return len(wiring.conflicts(tmp_path, [PRE, STOP]))

    handler = '{"type": "command", "command": "theirs"}'
    folder = tmp_path / ".factory"
    folder.mkdir()
    assert found() == 0
    (folder / "settings.json").write_text('{"model": "x", "hooks": {"PreToolUse": []}}')
    assert found() == 0
    theirs = f'{{"hooks": {{"PreToolUse": [{{"hooks": [{handler}]}}]}}}}'
    (folder / "settings.json").write_text(theirs)
    assert found() == 1
    (folder / "settings.json").write_text("broken")
    assert found() == 1
    (folder / "settings.json").write_text(theirs.replace("PreToolUse", "Notification"))
    assert found() == 0
    (folder / "hooks").mkdir()
    (folder / "hooks" / "hooks.json").write_text("{}")
    assert found() == 1
    (folder / "settings.json").write_text(theirs)
    (folder / "hooks.json").write_text(f'{{"PreToolUse": [{{"hooks": [{handler}]}}]}}')
    assert found() == 0  # the user's own file silences them already


TEXT = "hookpm canary n0nce: 3 hooks"


def test_a_block_before_a_tool_which_droid_ignores_is_no_proof() -> None:
    ignored = json.dumps({"decision": "block", "reason": TEXT})
    assert not wiring.read_canary(PRE, "n0nce", ignored, "")
