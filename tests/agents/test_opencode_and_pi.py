"""OpenCode and Pi: translation both ways, and the wiring by a generated file."""

from __future__ import annotations

import copy
import importlib
import json
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from hookpm import agents
from hookpm.agents import health, shell_line
from hookpm.agents.wiring import GeneratedFile
from hookpm.contract.answer import Answer
from hookpm.contract.events import CAPABILITIES, EVENTS
from hookpm.contract.forms import asked
from hookpm.project import agentfiles
from hookpm.project.vendor import bridge_files

AGENTS = ("opencode", "pi")
PAYLOADS = Path(__file__).parent / "payloads"
OTHERS = [
    name
    for name in agents.names()
    if (Path(agents.__file__).parent / name / "translate.py").is_file()
]


def translate(agent: str) -> ModuleType:
    return importlib.import_module(f"hookpm.agents.{agent}.translate")


def samples() -> list[Any]:
    return [
        pytest.param(agent, sample, id=f"{agent}-{sample['name']}")
        for agent in AGENTS
        for sample in json.loads((PAYLOADS / f"{agent}.json").read_text("utf-8"))
    ]


@pytest.mark.parametrize(("agent", "sample"), samples())
def test_a_payload_is_shown_to_hooks_in_claudes_form(agent: str, sample: dict[str, Any]) -> None:
    payload = copy.deepcopy(sample["payload"])
    calls = translate(agent).to_claude(sample["event"], payload)
    assert payload == sample["payload"]
    if "calls" in sample:
        assert [[call["tool_name"], call["tool_input"]] for call in calls] == sample["calls"]
    else:
        assert len(calls) == 1
    for call in calls:
        assert call["hook_event_name"] == sample["event"]
        assert {key: call[key] for key in sample.get("fields", ())} == sample.get("fields", {})
        assert not set(call) & set(sample.get("absent", ()))


@pytest.mark.parametrize(("agent", "sample"), samples())
def test_a_payload_proves_its_agent_and_no_other(agent: str, sample: dict[str, Any]) -> None:
    assert [name for name in OTHERS if translate(name).recognises(sample["payload"])] == [agent]


@pytest.mark.parametrize("agent", AGENTS)
def test_native_event_names_lead_to_claudes(agent: str) -> None:
    facts = agents.load(agent).facts
    served = [event for event in EVENTS if facts.native(event)]
    assert [translate(agent).EVENTS[facts.native(event)] for event in served] == served


PRE, POST, PROMPT = "PreToolUse", "PostToolUse", "UserPromptSubmit"
START, END, STOP, COMPACT = "SessionStart", "SessionEnd", "Stop", "PreCompact"
DENY = {"decision": "deny", "reason": "no"}
BLOCK = {"decision": "block", "reason": "no"}
ENOUGH = {"stop": True, "stop_reason": "enough"}
ENDED = {"continue": False, "stopReason": "enough"}
CONTEXT = {"contexts": ["one", "two"]}
TOLD = {"additionalContext": "one\ntwo"}
MESSAGE = {"system_message": "look"}
SHOWN = {"systemMessage": "look"}

Row = tuple[str, dict[str, Any], dict[str, Any] | None, list[str]]
BOTH: list[Row] = [
    (PRE, {}, None, []),
    (PRE, DENY, DENY, []),
    (PRE, {"decision": "deny"}, {"decision": "deny", "reason": "Blocked by hook"}, []),
    (PRE, {**DENY, **CONTEXT, **MESSAGE}, {**DENY, **TOLD, **SHOWN}, []),
    (PRE, {**DENY, "updated_input": {"command": "n"}}, DENY, []),
    (PRE, {"decision": "allow"}, None, ["allow"]),
    (PRE, {"decision": "defer"}, None, ["defer"]),
    (PRE, ENOUGH, ENDED, []),
    (PRE, CONTEXT, TOLD, []),
    (POST, BLOCK, {"additionalContext": "no"}, []),
    (POST, {**BLOCK, **CONTEXT}, {"additionalContext": "no\none\ntwo"}, []),
    (POST, {**ENOUGH, **MESSAGE}, {**ENDED, **SHOWN}, []),
    (PROMPT, {**BLOCK, **CONTEXT}, {**BLOCK, **TOLD}, []),
    (PROMPT, ENOUGH, ENDED, []),
    (START, CONTEXT, TOLD, []),
    (START, MESSAGE, SHOWN, []),
    (END, MESSAGE, None, ["systemMessage"]),
    (STOP, BLOCK, BLOCK, []),
    (STOP, {**BLOCK, **ENOUGH}, ENDED, []),
    (STOP, MESSAGE, SHOWN, []),
    (COMPACT, MESSAGE, SHOWN, []),
]
TABLE: dict[str, list[Row]] = {
    "opencode": [
        *BOTH,
        (PRE, {"decision": "ask", "reason": "sure?"}, None, ["ask"]),
        (COMPACT, BLOCK, None, ["block"]),
    ],
    "pi": [
        *BOTH,
        (PRE, {"decision": "ask", "reason": "sure?"}, {"decision": "ask", "reason": "sure?"}, []),
        (COMPACT, BLOCK, BLOCK, []),
    ],
}


def made(**fields: Any) -> Answer:
    answer = Answer()
    for name, value in fields.items():
        setattr(answer, name, value)
    return answer


@pytest.mark.parametrize(
    ("agent", "event", "fields", "out", "dropped"),
    [(agent, *row) for agent, rows in TABLE.items() for row in rows],
)
def test_an_answer_becomes_the_plugins_fields(
    agent: str,
    event: str,
    fields: dict[str, Any],
    out: dict[str, Any] | None,
    dropped: list[str],
) -> None:
    module = translate(agent)
    payload = {"tool_name": "bash", "tool_input": {"command": "old"}}
    calls = module.to_claude(event, payload)
    reply = module.from_claude(event, made(**fields), payload, calls)
    assert (reply.out, reply.dropped) == (out, dropped)


@pytest.mark.parametrize(
    ("agent", "tool", "native", "updated", "expected"),
    [
        (
            "opencode",
            "bash",
            {"command": "o", "description": "d"},
            {"command": "n"},
            {"description": "d", "command": "n"},
        ),
        (
            "opencode",
            "edit",
            {"filePath": "a", "oldString": "x", "newString": "y", "replaceAll": True},
            {"file_path": "b", "old_string": "x", "new_string": "z"},
            {"filePath": "b", "oldString": "x", "newString": "z"},
        ),
        ("opencode", "probe_echo", {"text": "a", "loud": 1}, {"text": "b"}, {"text": "b"}),
        (
            "pi",
            "bash",
            {"command": "o", "timeout": 5},
            {"command": "n"},
            {"timeout": 5, "command": "n"},
        ),
        (
            "pi",
            "write",
            {"path": "a", "content": "x"},
            {"file_path": "b", "content": "y"},
            {"path": "b", "content": "y"},
        ),
        (
            "pi",
            "edit",
            {"path": "a", "edits": [{"oldText": "x", "newText": "y"}]},
            {"file_path": "b", "old_string": "x", "new_string": "z"},
            {"path": "b", "edits": [{"oldText": "x", "newText": "z"}]},
        ),
        ("pi", "mcp__p__e", {"text": "a", "loud": 1}, {"text": "b"}, {"text": "b"}),
    ],
)
def test_a_rewrite_goes_back_under_the_agents_own_names(
    agent: str,
    tool: str,
    native: dict[str, Any],
    updated: dict[str, Any],
    expected: dict[str, Any],
) -> None:
    module = translate(agent)
    payload = {"tool_name": tool, "tool_input": native, "mcp_servers": ["probe"]}
    calls = module.to_claude(PRE, payload)
    reply = module.from_claude(PRE, made(updated_input=updated), payload, calls)
    assert (reply.out, reply.dropped) == ({"updatedInput": expected}, [])


@pytest.mark.parametrize(
    ("agent", "payload"),
    [
        ("opencode", {"tool_name": "apply_patch", "tool_input": {"patchText": "*** Add File: a"}}),
        ("opencode", {"tool_name": "invalid", "tool_input": {}}),
        ("pi", {"tool_name": "edit", "tool_input": {"path": "a", "edits": [{}, {}]}}),
    ],
)
def test_what_was_shown_in_pieces_is_not_rewritten(agent: str, payload: dict[str, Any]) -> None:
    module = translate(agent)
    calls = module.to_claude(PRE, payload)
    reply = module.from_claude(PRE, made(updated_input={"content": "n"}), payload, calls)
    assert (reply.out, reply.dropped) == (None, ["updatedInput"])


ANY = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=6),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(
            st.sampled_from(["command", "path", "filePath", "edits", "patchText", "oldText"]), inner
        )
    ),
    max_leaves=8,
)
KEYS = (
    "hookpm_plugin hook_event_name session_id cwd tool_name tool_input tool_response mcp_servers "
    "source reason trigger prompt transcript_path"
)
TOOLS = st.sampled_from(["bash", "edit", "write", "apply_patch", "invalid", "a_b", "mcp__a__b"])
KNOWN = {
    "decision",
    "reason",
    "updatedInput",
    "additionalContext",
    "continue",
    "stopReason",
    "systemMessage",
}


@settings(max_examples=200, deadline=None)
@given(
    st.sampled_from(AGENTS),
    st.sampled_from(EVENTS),
    st.dictionaries(st.sampled_from(KEYS.split()), ANY | TOOLS, max_size=8),
    st.sampled_from(["", "deny", "block", "ask", "allow", "defer"]),
    st.booleans(),
    st.none() | st.dictionaries(st.text(max_size=3), ANY, max_size=2),
)
def test_translations_take_any_payload_and_lose_no_refusal(
    agent: str,
    event: str,
    payload: dict[str, Any],
    decision: str,
    stop: bool,
    updated: dict[str, Any] | None,
) -> None:
    module = translate(agent)
    module.recognises(payload)
    calls = module.to_claude(event, payload)
    for call in calls:
        assert event not in ("PreToolUse", "PostToolUse") or isinstance(call["tool_name"], str)
        assert isinstance(call.get("tool_input", {}), dict) or event not in (PRE, POST)
    answer = made(decision=decision, stop=stop, updated_input=updated, system_message="m")
    reply = module.from_claude(event, answer, payload, calls)
    assert set(reply.out or ()) <= KNOWN
    assert set(reply.dropped) <= set(asked(event, answer))
    if event == PRE and answer.refuses():
        assert reply.out["decision"] == "deny"
        assert reply.out["reason"].strip()
        assert "updatedInput" not in reply.out


# --- wiring ----------------------------------------------------------------------------------


def generated(agent: str, longest: float = 10, events: tuple[str, ...] = EVENTS) -> GeneratedFile:
    (file,) = agentfiles.generated(agents.load(agent), events, longest)
    return file


@pytest.mark.parametrize("agent", AGENTS)
def test_the_file_is_the_same_whichever_packs_are_installed(agent: str) -> None:
    assert generated(agent) == generated(agent, 590, ("Stop",)) == generated(agent, 0, ())
    assert "TIME_LIMIT_S = 600\n" in generated(agent).text
    assert "TIME_LIMIT_S = 3610\n" in generated(agent, 3600).text


@pytest.mark.parametrize("agent", AGENTS)
def test_the_file_says_who_wrote_it_and_holds_the_wired_line_of_every_event(agent: str) -> None:
    text = generated(agent).text
    assert "generated by hookpm" in text.splitlines()[0]
    for event in EVENTS:
        line = f'"{event}": {json.dumps(shell_line.present(agent, event))}'
        assert (line in text) == bool(agents.load(agent).facts.native(event))
    assert str(Path.home()) not in text


@pytest.mark.parametrize("agent", AGENTS)
def test_a_file_is_ours_in_every_version_until_somebody_changes_it(agent: str) -> None:
    path, text, _ = generated(agent)
    load = agents.load(agent)

    def owns(path: str, text: str) -> bool:
        return agentfiles.owns(load, path, text.encode())

    assert owns(path, text)
    assert owns(path, generated(agent, 5000).text)
    assert owns(path, text.replace("\n", "\r\n"))
    assert not owns("plugins/other.js", text)
    assert not owns(path, text.replace("deny", "denied", 1))
    assert not owns(path, text + "\n")
    assert not owns(path, "// mine\n" + text)
    assert not owns(path, text.split("\n", 1)[1])
    assert not owns(path, "")
    assert not owns(path, "// generated by hookpm\n")


@pytest.mark.parametrize("agent", AGENTS)
def test_the_plugin_needs_nothing_but_node_itself_and_no_network(agent: str) -> None:
    text = generated(agent).text
    imports = [line for line in text.splitlines() if line.startswith("import ")]
    assert imports
    assert all(line.split('"')[1].startswith("node:") for line in imports)
    assert not any(word in text for word in ("fetch(", "http:", "https:", "require(", "eval("))


def test_the_bridge_knows_the_plugins_form_in_a_users_repo() -> None:
    assert {"contract/plugins.py", "agents/opencode/translate.py", "agents/pi/translate.py"} <= set(
        bridge_files()
    )


@pytest.mark.parametrize("agent", AGENTS)
def test_every_word_that_the_facts_promise_is_one_that_the_plugin_hears(agent: str) -> None:
    for event, words in translate(agent).SUPPORTED.items():
        assert set(words) <= set(CAPABILITIES[event])


# --- this machine ----------------------------------------------------------------------------


def codes(agent: str, root: Path, **environment: str) -> list[str]:
    machine = health.Machine(root, root / "home", environment)
    return [found.code for found in health.examine(agent, machine)]


@pytest.mark.parametrize(
    ("trusted", "settings", "found"),
    [
        (None, None, ["not-trusted"]),
        ({}, {"defaultProjectTrust": "ask"}, ["not-trusted"]),
        ({}, {"defaultProjectTrust": "always"}, []),
        ({".": True}, None, []),
        ({"..": True}, None, []),
        ({"..": True, ".": False}, {"defaultProjectTrust": "always"}, ["not-trusted"]),
        ({"..": False, ".": True}, None, []),
        ({".": None}, None, ["not-trusted"]),
        ([], None, ["not-trusted"]),
    ],
)
def test_pi_is_in_order_when_the_nearest_decision_or_the_default_says_so(
    tmp_path: Path, trusted: Any, settings: Any, found: list[str]
) -> None:
    folder = tmp_path / "home" / ".pi" / "agent"
    folder.mkdir(parents=True)
    if isinstance(trusted, dict):
        trusted = {str((tmp_path / place).resolve()): said for place, said in trusted.items()}
    if trusted is not None:
        (folder / "trust.json").write_text(json.dumps(trusted))
    if settings is not None:
        (folder / "settings.json").write_text(json.dumps(settings))
    assert codes("pi", tmp_path) == found
    moved = tmp_path / "moved"
    folder.rename(moved)
    assert codes("pi", tmp_path, PI_CODING_AGENT_DIR=str(moved)) == found


def test_what_pi_keeps_and_cannot_be_read_is_said(tmp_path: Path) -> None:
    folder = tmp_path / "home" / ".pi" / "agent"
    folder.mkdir(parents=True)
    (folder / "trust.json").write_text("{")
    assert codes("pi", tmp_path) == ["unreadable", "not-trusted"]


@pytest.mark.parametrize(("value", "found"), [("1", ["switched-off"]), ("", []), ("0", [])])
def test_opencode_can_be_switched_off_by_the_environment(
    tmp_path: Path, value: str, found: list[str]
) -> None:
    assert codes("opencode", tmp_path) == []
    assert codes("opencode", tmp_path, OPENCODE_PURE=value) == found
