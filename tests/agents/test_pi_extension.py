"""Pi's extension under Node, with a host that plays Pi: every event, every answer."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from tests.agents.node_host import BRIDGE, Result, play, project

HOST = """
const [setting, ...events] = steps
const calls = []
const handlers = {}
const pi = {
  on(name, handler) {
    if (name === setting.unknown) throw new Error("no such event")
    handlers[name] = handler
  },
  sendMessage: (...given) => calls.push(["sendMessage", ...given]),
}
const ctx = {
  cwd: setting.cwd,
  hasUI: setting.hasUI ?? false,
  sessionManager: { getSessionId: () => "s", getSessionFile: () => "/s.jsonl" },
  ui: {
    notify: (...given) => calls.push(["notify", ...given]),
    confirm: async (...given) => {
      calls.push(["confirm", ...given])
      if (setting.consent === "broken") throw new Error("no dialog")
      return setting.consent
    },
  },
  abort: () => calls.push(["abort"]),
}
const module = await import(plugin)
module.default(pi)
const seen = []
for (const event of events) {
  const input = event.input
  const returned = (await handlers[event.type]?.(event, setting.bare ? undefined : ctx)) ?? null
  seen.push({ returned, event, same: input === event.input })
}
const [exports, names] = [Object.keys(module), Object.keys(handlers)]
console.log(JSON.stringify({ exports, handlers: names, seen, calls }))
"""


def tool_call(name: str = "bash", **given: Any) -> dict[str, Any]:
    return {"type": "tool_call", "toolName": name, "toolCallId": "c", "input": given}


def tool_result(text: str = "out", **more: Any) -> dict[str, Any]:
    content = [{"type": "text", "text": text}]
    call = {"toolName": "bash", "toolCallId": "c", "input": {"command": "x"}}
    return {"type": "tool_result", **call, "content": content, "isError": False, **more}


def typed(text: str = "hello", source: str = "interactive") -> dict[str, Any]:
    return {"type": "input", "text": text, "source": source}


def settle(outcome: str = "completed", **more: Any) -> dict[str, Any]:
    state = {"outcome": outcome, "entries": [{"type": "custom"}], "continue": False}
    return {"type": "agent_before_settle", **state, **more}


START = {"type": "session_start", "reason": "startup"}
COMPACT = {"type": "session_before_compact", "reason": "threshold"}
QUIT = {"type": "session_shutdown", "reason": "quit"}
TURN = {"type": "turn_start"}


def run(
    root: Path, answers: dict[str, Any], *events: Any, bridge: str = BRIDGE, **setting: Any
) -> Result:
    extension = project(root, "pi", answers, bridge)
    return play(HOST, extension, [{"cwd": str(root), **setting}, *events], root)


def returned(result: Result) -> list[Any]:
    return [step["returned"] for step in result.seen["seen"]]


def test_the_extension_is_a_default_export_that_listens_to_all_events(tmp_path: Path) -> None:
    result = run(tmp_path, {})
    assert result.seen["exports"] == ["default"]
    assert {
        "session_start",
        "input",
        "tool_call",
        "tool_result",
        "agent_before_settle",
        "session_before_compact",
        "session_shutdown",
    } <= set(result.seen["handlers"])


def test_a_denial_blocks_with_exactly_its_reason(tmp_path: Path) -> None:
    answers = {"PreToolUse": {"decision": "deny", "reason": "no"}}
    result = run(tmp_path, answers, tool_call(command="x"))
    assert returned(result) == [{"block": True, "reason": "no"}]


def test_the_bridge_is_asked_in_the_form_that_the_translation_reads(tmp_path: Path) -> None:
    result = run(tmp_path, {}, tool_call(command="x"))
    assert result.asked == [
        {
            "agent": "pi",
            "event": "PreToolUse",
            "cwd": str(tmp_path),
            "payload": {
                "hookpm_plugin": "pi",
                "hook_event_name": "tool_call",
                "session_id": "s",
                "transcript_path": "/s.jsonl",
                "cwd": str(tmp_path),
                "tool_name": "bash",
                "tool_input": {"command": "x"},
                "tool_use_id": "c",
            },
        }
    ]


def test_a_rewrite_changes_the_very_object_and_all_of_it(tmp_path: Path) -> None:
    answers = {"PreToolUse": {"updatedInput": {"command": "new"}}}
    result = run(tmp_path, answers, tool_call(command="old", timeout=5))
    (step,) = result.seen["seen"]
    assert step["event"]["input"] == {"command": "new"}
    assert step["same"]
    assert step["returned"] is None


ASK = {"PreToolUse": {"decision": "ask", "reason": "sure?", "updatedInput": {"command": "new"}}}


def test_an_ask_is_a_dialog_that_shows_what_will_run(tmp_path: Path) -> None:
    result = run(tmp_path, ASK, tool_call(command="old"), hasUI=True, consent=True)
    ((name, title, question),) = result.seen["calls"]
    assert (name, title) == ("confirm", "A hook asks")
    assert "sure?" in question
    assert "new" in question
    assert returned(result) == [None]
    assert result.seen["seen"][0]["event"]["input"] == {"command": "new"}


@pytest.mark.parametrize(
    "setting",
    [
        {"hasUI": True, "consent": False},
        {"hasUI": True, "consent": "broken"},
        {"hasUI": True},
        {"hasUI": False, "consent": True},
    ],
)
def test_an_ask_without_a_users_yes_is_a_denial(tmp_path: Path, setting: dict[str, Any]) -> None:
    result = run(tmp_path, ASK, tool_call(command="old"), **setting)
    assert returned(result) == [{"block": True, "reason": "sure?"}]


def test_context_before_a_tool_comes_with_its_result(tmp_path: Path) -> None:
    answers = {
        "PreToolUse": {"additionalContext": "before"},
        "PostToolUse": {"additionalContext": "after"},
    }
    result = run(tmp_path, answers, tool_call(command="x"), tool_result(), tool_result())
    texts = [r and [block["text"] for block in r["content"]] for r in returned(result)]
    assert texts == [None, ["out", "before\nafter"], ["out", "after"]]


def test_context_after_a_tool_keeps_its_structured_result(tmp_path: Path) -> None:
    answers = {"PostToolUse": {"additionalContext": "after"}}
    result = run(tmp_path, answers, tool_result(structuredContent={"exit_code": 0}))
    assert returned(result)[0]["structuredContent"] == {"exit_code": 0}


def test_a_tool_result_without_news_is_left_alone(tmp_path: Path) -> None:
    assert returned(run(tmp_path, {}, tool_result())) == [None]


def test_continue_false_ends_the_run_for_good(tmp_path: Path) -> None:
    answers = {"PreToolUse": {"continue": False, "stopReason": "enough"}}
    events = [tool_call(command="x"), TURN, settle(), typed(), TURN]
    result = run(tmp_path, answers, *events)
    assert returned(result)[0] == {"block": True, "reason": "enough", "terminate": True}
    assert result.seen["calls"] == [["abort"]]
    assert [one["event"] for one in result.asked] == ["PreToolUse", "UserPromptSubmit"]
    assert result.stderr == "enough\n"


def test_continue_false_after_a_tool_aborts(tmp_path: Path) -> None:
    result = run(tmp_path, {"PostToolUse": {"continue": False}}, tool_result())
    assert result.seen["calls"] == [["abort"]]


@pytest.mark.parametrize(
    "answer", [{"decision": "block", "reason": "no"}, {"continue": False, "stopReason": "no"}]
)
@pytest.mark.parametrize("ui", [True, False])
def test_a_blocked_prompt_is_dropped_and_told(
    tmp_path: Path, answer: dict[str, Any], ui: bool
) -> None:
    result = run(tmp_path, {"UserPromptSubmit": answer}, typed(), hasUI=ui)
    assert returned(result) == [{"action": "handled"}]
    assert result.stderr == ("" if ui else "no\n")
    assert result.seen["calls"] == ([["notify", "no", "warning"]] if ui else [])


def test_context_is_added_to_the_prompt_and_its_images_stay(tmp_path: Path) -> None:
    answers = {"UserPromptSubmit": {"additionalContext": "more"}}
    result = run(tmp_path, answers, {**typed(), "images": [1]})
    transformed = {"action": "transform", "text": "hello\n\nmore", "images": [1]}
    assert returned(result) == [transformed]


def test_what_another_extension_types_is_no_prompt_of_the_users(tmp_path: Path) -> None:
    assert run(tmp_path, {}, typed(source="extension")).asked == []


def test_context_at_the_start_is_a_message_that_is_not_displayed(tmp_path: Path) -> None:
    result = run(tmp_path, {"SessionStart": {"additionalContext": "start"}}, START)
    message = {"customType": "hookpm", "content": "start", "display": False}
    assert result.seen["calls"] == [["sendMessage", message]]
    assert result.payloads("SessionStart")[0]["source"] == "startup"


BLOCK_STOP = {"Stop": {"decision": "block", "reason": "go on"}}


def test_a_blocked_stop_goes_on_with_the_reason_as_a_message(tmp_path: Path) -> None:
    message = {
        "role": "assistant",
        "content": [{"type": "thinking"}, {"type": "text", "text": "done"}],
    }
    events = [{"type": "turn_end", "message": message}, settle(), settle(), typed(), settle()]
    result = run(tmp_path, BLOCK_STOP, *events)
    stops = result.payloads("Stop")
    assert [stop["stop_hook_active"] for stop in stops] == [False, True, False]
    assert stops[0]["last_assistant_message"] == "done"
    first = returned(result)[1]
    assert first["continue"] is True
    assert first["entries"][0] == {"type": "custom"}
    assert first["entries"][1]["content"] == "go on"


@pytest.mark.parametrize(
    "event", [settle("aborted"), settle("error"), {**settle(), "continue": True}]
)
def test_no_stop_fires_where_the_agent_does_not_stop_by_itself(
    tmp_path: Path, event: dict[str, Any]
) -> None:
    assert run(tmp_path, BLOCK_STOP, event).asked == []


@pytest.mark.parametrize(
    ("reason", "trigger"), [("manual", "manual"), ("threshold", "auto"), ("overflow", "auto")]
)
def test_a_blocked_compaction_is_cancelled_and_told(
    tmp_path: Path, reason: str, trigger: str
) -> None:
    answers = {"PreCompact": {"decision": "block", "reason": "not now"}}
    result = run(tmp_path, answers, {**COMPACT, "reason": reason, "customInstructions": "i"})
    assert returned(result) == [{"cancel": True}]
    (payload,) = result.payloads("PreCompact")
    assert (payload["trigger"], payload["custom_instructions"]) == (trigger, "i")
    assert result.stderr == "not now\n"


def test_the_end_of_a_session_waits_for_its_hooks(tmp_path: Path) -> None:
    slow = "import time; time.sleep(0.5)\n" + BRIDGE
    result = run(tmp_path, {}, QUIT, bridge=slow)
    assert result.payloads("SessionEnd")[0]["reason"] == "quit"


def test_notes_of_the_bridge_are_not_drawn_over_the_interface(tmp_path: Path) -> None:
    noisy = BRIDGE + "sys.stderr.write('hookpm: a note\\n')\n"
    events = [tool_call(command="x"), tool_call(command="y")]
    assert run(tmp_path / "a", {}, *events, bridge=noisy).stderr == "hookpm: a note\n"
    shown = run(tmp_path / "b", {}, *events, bridge=noisy, hasUI=True)
    assert (shown.stderr, shown.seen["calls"]) == ("", [])


ALL = [START, typed(), tool_call(command="x"), tool_result(), settle(), COMPACT, QUIT]


@pytest.mark.parametrize(
    "bridge",
    [
        "raise SystemError",
        "print('deny')",
        "print('[1]')",
        "print('{}{}')",
        "import os; os.kill(os.getpid(), 9)",
        "import os; os.close(0); os.close(1)",
        "import sys; sys.exit(2)",
    ],
)
def test_a_broken_bridge_allows(tmp_path: Path, bridge: str) -> None:
    result = run(tmp_path, {}, *ALL, bridge=bridge)
    assert returned(result) == [None] * len(ALL)
    assert result.seen["seen"][2]["event"]["input"] == {"command": "x"}


@pytest.mark.parametrize("gone", [".agents", ".agents/hookpm", ".agents/hookpm/bridge.py"])
def test_what_was_half_removed_allows(tmp_path: Path, gone: str) -> None:
    extension = project(tmp_path, "pi", {"PreToolUse": {"decision": "deny", "reason": "no"}})
    (tmp_path / gone).rename(tmp_path / "away")
    result = play(HOST, extension, [{"cwd": str(tmp_path)}, *ALL], tmp_path)
    assert returned(result) == [None] * len(ALL)


def test_a_pi_that_is_not_as_expected_is_not_disturbed(tmp_path: Path) -> None:
    assert returned(run(tmp_path / "a", {}, *ALL, bare=True)) == [None] * len(ALL)
    events = [{"type": "turn_end"}, {"type": "tool_result"}, {"type": "input"}]
    assert returned(run(tmp_path / "b", {}, *events)) == [None] * 3
    lacking = run(tmp_path / "c", {}, *ALL, unknown="agent_before_settle")
    assert "tool_call" in lacking.seen["handlers"]


@pytest.mark.parametrize("text", ['{"hooks": {}}', '{"hooks": {"PreToolUse": []}}'])
def test_the_bridge_is_not_started_where_there_is_surely_no_hook(tmp_path: Path, text: str) -> None:
    extension = project(tmp_path, "pi", {})
    (tmp_path / ".agents" / "hooks.json").write_text(text)
    assert play(HOST, extension, [{"cwd": "/"}, tool_call(command="x")], tmp_path).asked == []


def test_a_bridge_that_does_not_end_is_ended_with_all_it_started(tmp_path: Path) -> None:
    hanging = (
        "import os, subprocess, sys, time\n"
        "child = subprocess.Popen(['sleep', '300'])\n"
        "open(sys.argv[0] + '.pid', 'w').write(str(child.pid))\n"
        "time.sleep(300)\n"
    )
    extension = project(tmp_path, "pi", {}, hanging)
    text = extension.read_text("utf-8")
    assert text.count("const TIME_LIMIT_S = 600\n") == 1
    extension.write_text(text.replace("const TIME_LIMIT_S = 600\n", "const TIME_LIMIT_S = 2\n"))
    result = play(HOST, extension, [{"cwd": str(tmp_path)}, tool_call(command="x")], tmp_path)
    assert returned(result) == [None]
    assert "did not answer within 2 s" in result.stderr
    pid = (tmp_path / ".agents/hookpm/bridge.py.pid").read_text()
    state = Path(f"/proc/{pid}/stat")
    assert not state.exists() or state.read_text().split()[2] == "Z"
