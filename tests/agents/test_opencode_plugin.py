"""OpenCode's plugin under Node, with a host that plays OpenCode: every event, every answer."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from tests.agents.node_host import BRIDGE, Result, play, project

HOST = """
const calls = []
const answers = { get: { data: {} }, promptAsync: {}, abort: {}, showToast: {}, log: {} }
const record = (name) => async (given) => (calls.push([name, given]), answers[name])
const client = {
  session: { get: record("get"), promptAsync: record("promptAsync"), abort: record("abort") },
  tui: { showToast: record("showToast") },
  app: { log: record("log") },
}
if (steps[0]?.session) answers.get.data = steps.shift().session
const module = await import(plugin)
const hooks = await module[Object.keys(module)[0]]({ client, directory: steps.shift() })
const seen = []
for (const [name, input, output] of steps) {
  let thrown = null
  const given = output?.args
  try {
    await hooks[name](input, output)
  } catch (error) {
    thrown = error.message
  }
  seen.push({ thrown, output, same: given === output?.args })
}
const [exports, names] = [Object.keys(module), Object.keys(hooks)]
console.log(JSON.stringify({ exports, hooks: names, seen, calls }))
"""
SESSION = {"sessionID": "s"}
CALL = {"tool": "bash", "sessionID": "s", "callID": "c"}


def before(**args: Any) -> list[Any]:
    return ["tool.execute.before", CALL, {"args": args}]


def after(**output: Any) -> list[Any]:
    return ["tool.execute.after", {**CALL, "args": {"command": "ls"}}, output]


def prompt(text: str = "hello", session: str = "s") -> list[Any]:
    part = {"type": "text", "text": text, "id": "prt_1", "messageID": "m", "sessionID": session}
    message = {"agent": "build", "model": {"providerID": "p", "modelID": "m"}}
    return ["chat.message", {"sessionID": session}, {"message": message, "parts": [part]}]


def event(kind: str, **properties: Any) -> list[Any]:
    return ["event", {"event": {"type": kind, "properties": {**SESSION, **properties}}}]


IDLE = event("session.idle")
END = ["dispose"]


def run(
    root: Path, answers: dict[str, Any], *steps: Any, bridge: str = BRIDGE, mode: str = "run"
) -> Result:
    plugin = project(root, "opencode", answers, bridge)
    first = [steps[0]] if isinstance(steps[0], dict) else []
    rest = steps[len(first) :]
    return play(HOST, plugin, [*first, str(root), *rest], root, mode)


def calls(result: Result, name: str) -> list[Any]:
    return [given for called, given in result.seen["calls"] if called == name]


def test_the_plugin_has_one_export_and_hooks_for_all_events(tmp_path: Path) -> None:
    result = run(tmp_path, {}, before(command="ls"))
    assert result.seen["exports"] == ["Hookpm"]
    assert {"chat.message", "tool.execute.before", "tool.execute.after", "dispose"} <= set(
        result.seen["hooks"]
    )


def test_a_denial_is_thrown_with_exactly_its_reason(tmp_path: Path) -> None:
    result = run(
        tmp_path, {"PreToolUse": {"decision": "deny", "reason": "no"}}, before(command="x")
    )
    assert [step["thrown"] for step in result.seen["seen"]] == ["no"]


def test_the_bridge_is_asked_in_the_form_that_the_translation_reads(tmp_path: Path) -> None:
    config = ["config", {"mcp": {"probe": {}}}]
    result = run(tmp_path, {}, config, before(command="x"))
    assert result.asked == [
        {
            "agent": "opencode",
            "event": "PreToolUse",
            "cwd": str(tmp_path),
            "payload": {
                "hookpm_plugin": "opencode",
                "hook_event_name": "tool.execute.before",
                "session_id": "s",
                "cwd": str(tmp_path),
                "tool_name": "bash",
                "tool_input": {"command": "x"},
                "tool_use_id": "c",
                "mcp_servers": ["probe"],
            },
        }
    ]


def test_a_rewrite_changes_the_very_object_and_all_of_it(tmp_path: Path) -> None:
    answers = {"PreToolUse": {"updatedInput": {"command": "new", "description": "d"}}}
    result = run(tmp_path, answers, before(command="old", timeout=5))
    (step,) = result.seen["seen"]
    assert step["output"]["args"] == {"command": "new", "description": "d"}
    assert step["same"]


def test_context_before_a_tool_comes_with_its_result(tmp_path: Path) -> None:
    answers = {
        "PreToolUse": {"additionalContext": "before"},
        "PostToolUse": {"additionalContext": "after"},
    }
    result = run(tmp_path, answers, before(command="x"), after(output="out"), after(output="out"))
    outputs = [step["output"].get("output") for step in result.seen["seen"]]
    assert outputs == [None, "out\n\nbefore\nafter", "out\n\nafter"]


def test_context_after_an_mcp_tool_is_one_more_block(tmp_path: Path) -> None:
    answers = {"PostToolUse": {"additionalContext": "more"}}
    result = run(tmp_path, answers, after(content=[{"type": "text", "text": "one"}]))
    blocks = result.seen["seen"][0]["output"]["content"]
    assert [block["text"] for block in blocks] == ["one", "more"]


def test_continue_false_aborts_the_session_and_blocks_the_call(tmp_path: Path) -> None:
    answers = {"PreToolUse": {"continue": False, "stopReason": "enough"}}
    result = run(tmp_path, answers, before(command="x"))
    assert result.seen["seen"][0]["thrown"] == "enough"
    assert calls(result, "abort") == [{"path": {"id": "s"}}]
    assert result.stderr == "enough\n"


def test_continue_false_after_a_tool_aborts_without_touching_its_result(tmp_path: Path) -> None:
    result = run(tmp_path, {"PostToolUse": {"continue": False}}, after(output="out"))
    assert result.seen["seen"][0] == {"thrown": None, "output": {"output": "out"}, "same": True}
    assert len(calls(result, "abort")) == 1


def test_the_first_prompt_of_a_session_starts_it(tmp_path: Path) -> None:
    answers = {
        "SessionStart": {"additionalContext": "start"},
        "UserPromptSubmit": {"additionalContext": "prompt"},
    }
    result = run(tmp_path, answers, prompt("one"), prompt("two"))
    assert [one["event"] for one in result.asked] == [
        "SessionStart",
        "UserPromptSubmit",
        "UserPromptSubmit",
    ]
    assert result.payloads("SessionStart")[0]["source"] == "startup"
    assert [p["prompt"] for p in result.payloads("UserPromptSubmit")] == ["one", "two"]
    added = [step["output"]["parts"][1:] for step in result.seen["seen"]]
    assert [[part["text"] for part in parts] for parts in added] == [["start\nprompt"], ["prompt"]]
    (part,) = added[0]
    assert part["synthetic"] is True
    assert (part["messageID"], part["sessionID"]) == ("m", "s")
    assert part["id"].startswith("prt_1")
    assert part["id"] != "prt_1"


def test_a_session_from_before_the_plugin_is_a_resumed_one(tmp_path: Path) -> None:
    result = run(tmp_path, {}, {"session": {"time": {"created": 5}}}, prompt())
    assert result.payloads("SessionStart")[0]["source"] == "resume"


def test_a_subagents_prompt_and_stop_are_not_the_users(tmp_path: Path) -> None:
    result = run(tmp_path, {}, {"session": {"parentID": "p"}}, prompt(), IDLE, before(command="x"))
    assert [one["event"] for one in result.asked] == ["PreToolUse"]


@pytest.mark.parametrize(
    "answer", [{"decision": "block", "reason": "no"}, {"continue": False, "stopReason": "no"}]
)
def test_a_blocked_prompt_is_thrown_and_told(tmp_path: Path, answer: dict[str, Any]) -> None:
    result = run(tmp_path, {"UserPromptSubmit": answer}, prompt())
    assert result.seen["seen"][0]["thrown"] == "no"
    assert result.stderr == "no\n"


def test_a_start_context_outlives_a_blocked_prompt(tmp_path: Path) -> None:
    answers = {
        "SessionStart": {"additionalContext": "start"},
        "UserPromptSubmit": {"decision": "block", "reason": "no"},
    }
    unblock = BRIDGE + (
        "if event == 'UserPromptSubmit':\n    open(here + '/answers.json', 'w').write('{}')\n"
    )
    result = run(tmp_path, answers, prompt("one"), prompt("two"), bridge=unblock)
    assert [step["thrown"] for step in result.seen["seen"]] == ["no", None]
    assert result.seen["seen"][1]["output"]["parts"][1]["text"] == "start"


BLOCK_STOP = {"Stop": {"decision": "block", "reason": "go on"}}


def test_a_blocked_stop_goes_on_with_the_reason_as_a_prompt_that_is_not_the_users(
    tmp_path: Path,
) -> None:
    said = ["experimental.text.complete", SESSION, {"text": "done"}]
    steps = [prompt("one"), said, IDLE, prompt("go on"), IDLE, prompt("two"), IDLE]
    result = run(tmp_path, BLOCK_STOP, *steps, mode="serve")
    assert [one["event"] for one in result.asked] == [
        "SessionStart",
        "UserPromptSubmit",
        "Stop",
        "Stop",
        "UserPromptSubmit",
        "Stop",
    ]
    stops = result.payloads("Stop")
    assert [stop["stop_hook_active"] for stop in stops] == [False, True, False]
    assert stops[0]["last_assistant_message"] == "done"
    body = {
        "agent": "build",
        "model": {"providerID": "p", "modelID": "m"},
        "parts": [{"type": "text", "text": "go on"}],
    }
    assert calls(result, "promptAsync") == [{"path": {"id": "s"}, "body": body}] * 3


def test_opencode_run_says_that_it_cannot_go_on(tmp_path: Path) -> None:
    result = run(tmp_path, BLOCK_STOP, prompt(), IDLE)
    assert calls(result, "promptAsync") == []
    assert "cannot go on, as a hook wanted: go on" in result.stderr


def test_no_stop_fires_after_an_abort_or_a_compaction_of_an_idle_session(tmp_path: Path) -> None:
    aborted = event("session.error", error={"name": "MessageAbortedError"})
    compacted = ["experimental.session.compacting", SESSION, {"context": []}]
    result = run(tmp_path, {}, prompt(), aborted, IDLE, prompt(), IDLE, compacted, IDLE)
    fired = [one["event"] for one in result.asked]
    assert fired.count("Stop") == 1
    assert fired.count("PreCompact") == 1


def test_a_session_ends_once_with_the_process_or_when_it_is_deleted(tmp_path: Path) -> None:
    deleted = event("session.deleted")
    other = prompt(session="t")
    result = run(tmp_path, {}, prompt(), deleted, other, END)
    assert [p["session_id"] for p in result.payloads("SessionEnd")] == ["s", "t"]


def test_a_message_reaches_the_user_as_a_notice_under_the_terminal_interface(
    tmp_path: Path,
) -> None:
    answers = {"PreToolUse": {"systemMessage": "look"}}
    result = run(tmp_path, answers, before(command="x"), mode="tui")
    assert result.stderr == ""
    assert calls(result, "showToast") == [{"body": {"message": "look", "variant": "warning"}}]


def test_a_message_of_a_hook_is_shown_each_time_and_one_of_hookpm_once(tmp_path: Path) -> None:
    answers = {
        "PreToolUse": {"systemMessage": "look"},
        "PostToolUse": {"systemMessage": "hookpm: x"},
    }
    steps = [before(command="x"), after(output=""), before(command="x"), after(output="")]
    assert run(tmp_path, answers, *steps).stderr == "look\nhookpm: x\nlook\n"


# --- what is broken allows -------------------------------------------------------------------

ALL = [prompt(), before(command="x"), after(output="out"), IDLE, END]


@pytest.mark.parametrize(
    "bridge",
    [
        "raise SystemError",
        "print('deny')",
        "print('[1]')",
        "print('null')",
        "print('{}{}')",
        "import os; os.kill(os.getpid(), 9)",
        "import os; os.close(0); os.close(1)",
        "import sys; sys.exit(2)",
        "print({'decision': 'deny'})",
    ],
)
def test_a_broken_bridge_allows(tmp_path: Path, bridge: str) -> None:
    result = run(tmp_path, {}, *ALL, bridge=bridge)
    assert [step["thrown"] for step in result.seen["seen"]] == [None] * len(ALL)
    assert result.seen["seen"][2]["output"] == {"output": "out"}
    assert result.seen["seen"][1]["output"] == {"args": {"command": "x"}}


@pytest.mark.parametrize("gone", [".agents", ".agents/hookpm", ".agents/hookpm/bridge.py"])
def test_what_was_half_removed_allows(tmp_path: Path, gone: str) -> None:
    plugin = project(tmp_path, "opencode", {"PreToolUse": {"decision": "deny", "reason": "no"}})
    (tmp_path / gone).rename(tmp_path / "away")
    result = play(HOST, plugin, [str(tmp_path), *ALL], tmp_path, "run")
    assert [step["thrown"] for step in result.seen["seen"]] == [None] * len(ALL)
    assert result.stderr == ""


def test_an_agent_that_is_not_as_expected_is_not_disturbed(tmp_path: Path) -> None:
    steps = [
        ["tool.execute.before", None, None],
        ["tool.execute.after", {}, {}],
        ["chat.message", {"sessionID": "s"}, {}],
        ["event", {"event": {"type": "session.idle"}}],
        ["config", None],
    ]
    result = run(tmp_path, {}, *steps)
    assert [step["thrown"] for step in result.seen["seen"]] == [None] * len(steps)


def test_a_client_that_fails_turns_no_denial_into_a_pass(tmp_path: Path) -> None:
    host = HOST.replace("answers[name])", "Promise.reject(new Error(name)))")
    answers = {
        "PreToolUse": {"decision": "deny", "reason": "no", "systemMessage": "look"},
        "PostToolUse": {"continue": False},
    }
    plugin = project(tmp_path, "opencode", answers)
    steps = [str(tmp_path), prompt(), before(command="x"), after(output="")]
    result = play(host, plugin, steps, tmp_path, "tui")
    assert [step["thrown"] for step in result.seen["seen"]] == [None, "no", None]


# --- the bridge is not started for nothing ---------------------------------------------------


@pytest.mark.parametrize(
    ("text", "asks"),
    [
        ('{"hooks": {}}', False),
        ('{"hooks": {"PreToolUse": []}}', False),
        ('{"hooks": {"PreToolUse": [{}]}}', True),
        ('{"hooks": {"PreToolUse": {}}}', True),
        ('{"hooks": []}', True),
        ("{}", True),
        ("[]", True),
        ("null", True),
        ("{", True),
        ('{"hooks": {"PreToolUse": NaN}}', True),
    ],
)
def test_the_bridge_is_asked_unless_there_is_surely_no_hook(
    tmp_path: Path, text: str, asks: bool
) -> None:
    plugin = project(tmp_path, "opencode", {})
    (tmp_path / ".agents" / "hooks.json").write_text(text)
    result = play(HOST, plugin, [str(tmp_path), before(command="x")], tmp_path, "run")
    assert bool(result.asked) == asks


def test_the_other_hooks_file_counts_where_it_is(tmp_path: Path) -> None:
    plugin = project(tmp_path, "opencode", {})
    (tmp_path / ".agents" / "hookpm-hooks.json").write_text(json.dumps({"hooks": {}}))
    result = play(HOST, plugin, [str(tmp_path), before(command="x")], tmp_path, "run")
    assert result.asked == []


def test_the_project_is_where_the_plugin_lies_whatever_the_agents_folder_is(tmp_path: Path) -> None:
    other = tmp_path / "other"
    project(other, "opencode", {})
    root = tmp_path / 'it\'s "the" répo'
    plugin = project(root, "opencode", {"PreToolUse": {"decision": "deny", "reason": "no"}})
    result = play(HOST, plugin, [str(other), before(command="x")], root, "run")
    assert result.seen["seen"][0]["thrown"] == "no"
    assert result.asked[0]["cwd"] == str(other)
    gone = play(HOST, plugin, [str(tmp_path / "gone"), before(command="x")], root, "run")
    assert gone.seen["seen"][0]["thrown"] == "no"
