"""Whatever comes in: translations never fail, say only what an agent knows, and lose no refusal."""

from __future__ import annotations

import importlib
import os
import subprocess
import sys
from pathlib import Path
from shutil import which
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from hookpm.contract.answer import Answer, Reply
from hookpm.contract.events import CAPABILITIES, CLAUDE_EVENTS, EVENTS
from hookpm.contract.forms import asked

AGENTS = ("claude", "codex", "copilot", "cursor", "gemini")
ROOT = Path(__file__).resolve().parents[2]

FIELDS = (
    "hook_event_name session_id sessionId conversation_id transcript_path transcriptPath cwd "
    "timestamp turn_id model permission_mode prompt_id cursor_version client_type tool_name "
    "toolName tool_input toolArgs tool_response tool_result toolResult tool_output mcp_context "
    "mcp_server_name workspace_roots loop_count source reason trigger prompt stop_reason "
)
KEYS = st.sampled_from(FIELDS.split())
WORDS = st.sampled_from(
    [
        *CLAUDE_EVENTS,
        "BeforeTool",
        "preToolUse",
        "Bash",
        "bash",
        "Shell",
        "apply_patch",
        "run_shell_command",
        "create",
        "StrReplace",
        "mcp_a_b",
        "mcp__a__b",
        "MCP:x",
        "a-b",
        "-",
        "new",
        "apply_patch <<EOF\n*** Begin Patch\n*** Add File: x\n+1\nEOF",
        '{"path": 1}',
        "2026-11-30T10:00:00Z",
    ]
)
JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=8) | WORDS,
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(st.sampled_from(["command", "path", "file_path", "x"]), inner, max_size=3)
    ),
    max_leaves=6,
)
PAYLOADS = st.dictionaries(KEYS | st.text(max_size=4), JSON, max_size=8)
TEXT = st.text(max_size=5)


@st.composite
def answers(draw: st.DrawFn) -> Answer:
    made = Answer()
    made.decision = draw(st.sampled_from(["", "deny", "block", "defer", "ask", "allow"]))
    made.reason = draw(TEXT)
    made.contexts = draw(st.lists(st.text(min_size=1, max_size=5), max_size=2))
    made.updated_input = draw(st.none() | st.dictionaries(TEXT, JSON, max_size=2))
    made.stop = draw(st.booleans())
    made.stop_reason = draw(TEXT)
    made.system_message = draw(TEXT)
    made.extras = draw(st.dictionaries(st.sampled_from(["async", "sessionTitle", "foo"]), JSON))
    made.specific_extras = draw(
        st.dictionaries(st.sampled_from(["text", "retry", "updatedToolOutput"]), JSON)
    )
    return made


CLAUDES = [
    "continue",
    "stopReason",
    "systemMessage",
    "decision",
    "reason",
    "hookSpecificOutput",
]
KNOWN = {
    "codex": CLAUDES,
    "gemini": CLAUDES,
    "copilot": [
        "permissionDecision",
        "permissionDecisionReason",
        "modifiedArgs",
        "additionalContext",
        "decision",
        "reason",
        "behavior",
        "message",
    ],
    "cursor": [
        "permission",
        "user_message",
        "agent_message",
        "updated_input",
        "continue",
        "additional_context",
        "followup_message",
    ],
}
INSIDE = {
    "codex": [
        "hookEventName",
        "permissionDecision",
        "permissionDecisionReason",
        "updatedInput",
        "additionalContext",
        "decision",
    ],
    "gemini": ["hookEventName", "tool_input", "additionalContext"],
}
EVERY_WORD = {word for words in CAPABILITIES.values() for word in words}


def ask(agent: str, event: str, answer: Answer, payload: dict[str, Any]) -> Reply:
    module = importlib.import_module(f"hookpm.agents.{agent}.translate")
    calls = module.to_claude(event, payload)
    assert calls
    for call in calls:
        assert call["hook_event_name"] == event
        if event in ("PreToolUse", "PostToolUse"):
            assert isinstance(call["tool_name"], str)
            assert isinstance(call["tool_input"], dict)
    reply: Reply = module.from_claude(event, answer, payload, calls)
    return reply


@settings(max_examples=150, deadline=None)
@given(st.sampled_from(AGENTS), st.sampled_from(CLAUDE_EVENTS), answers(), PAYLOADS)
def test_translations_take_any_payload_and_say_only_known_fields(
    agent: str, event: str, answer: Answer, payload: dict[str, Any]
) -> None:
    module = importlib.import_module(f"hookpm.agents.{agent}.translate")
    assert isinstance(module.recognises(payload), bool)
    reply = ask(agent, event, answer, payload)
    assert len(reply.dropped) == len(set(reply.dropped))
    assert set(reply.dropped) <= EVERY_WORD | ({"text"} if agent == "claude" else set())
    assert reply.out != {}
    if reply.out is None or agent == "claude":
        return
    assert set(reply.out) <= set(KNOWN[agent])
    assert set(reply.out.get("hookSpecificOutput", ())) <= set(INSIDE.get(agent, ()))
    if event != "PermissionRequest":
        assert "decision" not in reply.out.get("hookSpecificOutput", ())


@settings(max_examples=150, deadline=None)
@given(st.sampled_from(AGENTS), answers(), PAYLOADS)
def test_a_refusal_before_a_tool_is_never_lost(
    agent: str, answer: Answer, payload: dict[str, Any]
) -> None:
    answer.decision = "deny"
    out = ask(agent, "PreToolUse", answer, payload).out or {}
    if agent in ("claude", "codex"):
        specific = out["hookSpecificOutput"]
        assert specific["hookEventName"] == "PreToolUse"
        assert specific["permissionDecision"] == "deny"
        assert specific["permissionDecisionReason"].strip() or agent == "claude"
        assert "updatedInput" not in specific
        assert "async" not in out
        assert agent == "claude" or not {"continue", "stopReason"} & set(out)
    elif agent == "gemini":
        assert (out["decision"], bool(out["reason"].strip())) == ("deny", True)
        assert "hookSpecificOutput" not in out
    elif agent == "copilot":
        assert out["permissionDecision"] == "deny"
        assert out["permissionDecisionReason"].strip()
        assert "modifiedArgs" not in out
    else:
        assert out["permission"] == "deny"
        assert "updated_input" not in out


@settings(max_examples=100, deadline=None)
@given(st.sampled_from(["codex", "cursor", "gemini"]), answers(), PAYLOADS)
def test_nothing_but_a_rewrite_in_codex_becomes_a_native_allow(
    agent: str, answer: Answer, payload: dict[str, Any]
) -> None:
    out = ask(agent, "PreToolUse", answer, payload).out or {}
    specific = out.get("hookSpecificOutput", {})
    assert out.get("permission") != "allow"
    assert out.get("decision") != "allow"
    if specific.get("permissionDecision") == "allow":
        assert "updatedInput" in specific


@settings(max_examples=150, deadline=None)
@given(st.sampled_from(AGENTS), st.sampled_from(EVENTS), answers(), PAYLOADS)
def test_what_is_asked_and_not_printed_counts_as_dropped(
    agent: str, event: str, answer: Answer, payload: dict[str, Any]
) -> None:
    reply = ask(agent, event, answer, payload)
    at_stop = ("Stop", "SubagentStop")
    if reply.out is None:
        silent = {"continue:false", "block"} if event in at_stop and answer.stop else set()
        assert set(asked(event, answer)) - silent <= set(reply.dropped)


@pytest.fixture
def vendored(tmp_path: Path) -> Path:
    """The translations and what they import, as they lie in a user's repo."""
    for source in (*ROOT.glob("hookpm/contract/*.py"), *ROOT.glob("hookpm/agents/*/translate.py")):
        if source.name == "__init__.py":
            continue
        target = tmp_path / source.relative_to(ROOT)
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_bytes(source.read_bytes())
    return tmp_path


def run_python(python: str, folder: Path, script: str, *arguments: str) -> str:
    start = f"import sys; sys.path.insert(0, {str(folder)!r}); "
    run = subprocess.run(
        [python, "-I", "-S", "-B", "-c", start + script, *arguments],
        capture_output=True,
        text=True,
        check=False,
    )
    assert run.returncode == 0, run.stderr
    return run.stdout


def old_python() -> str:
    """A Python 3.8 that runs, named by HOOKPM_PYTHON38 or on PATH; or ""."""
    for python in (os.environ.get("HOOKPM_PYTHON38"), which("python3.8")):
        if python and subprocess.run([python, "-c", ""], capture_output=True).returncode == 0:
            return python
    return ""


SAMPLES = """
import json
from hookpm.contract.answer import Answer
for agent in sys.argv[2:]:
    module = __import__("hookpm.agents." + agent + ".translate", fromlist=["x"])
    for sample in json.load(open(sys.argv[1] + "/" + agent + ".json", encoding="utf-8")):
        said = Answer()
        said.decision, said.reason, said.contexts = "deny", "no", ["c"]
        calls = module.to_claude(sample["event"], sample["payload"])
        assert module.recognises(sample["payload"])
        assert module.from_claude(sample["event"], said, sample["payload"], calls)
        if "calls" in sample:
            assert [[c["tool_name"], c["tool_input"]] for c in calls] == sample["calls"]
"""


def test_the_translations_run_on_python_3_8(vendored: Path) -> None:
    python = old_python()
    if not python:
        pytest.skip("no Python 3.8: none on PATH and HOOKPM_PYTHON38 is not set")
    run_python(python, vendored, SAMPLES, str(ROOT / "tests/agents/payloads"), *AGENTS)


@pytest.mark.parametrize("agent", AGENTS)
def test_a_translation_imports_nothing_that_costs(agent: str, vendored: Path) -> None:
    script = (
        "before = set(sys.modules)\n"
        f"import hookpm.agents.{agent}.translate as module\n"
        'module.to_claude("PreToolUse", {"tool_name": "Bash", "tool_input": {"command": "ls"}})\n'
        "print(*sorted(set(sys.modules) - before))"
    )
    loaded = run_python(sys.executable, vendored, script).split()
    assert {name for name in loaded if not name.startswith("hookpm")} <= {"_json"}
