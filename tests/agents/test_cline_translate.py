"""Cline: its lists taken apart for hooks, and refusals without a deny."""

from __future__ import annotations

import copy
import importlib
import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from hookpm import agents
from hookpm.agents.cline import translate
from hookpm.contract.answer import Answer, Reply
from hookpm.contract.events import EVENTS

SAMPLES: list[dict[str, Any]] = json.loads(
    (Path(__file__).parent / "payloads" / "cline.json").read_text("utf-8")
)
PRE, POST = "PreToolUse", "PostToolUse"
REST = [event for event in EVENTS if event not in (PRE, POST, "PermissionRequest")]


def payload(name: str = "run_commands", given: Any = None, **more: Any) -> dict[str, Any]:
    call = {"id": "c", "name": name, "input": {"commands": ["old"]} if given is None else given}
    return {"clineVersion": "", "hookName": "tool_call", "tool_call": call, **more}


def calls(name: str, given: Any) -> list[tuple[str, dict[str, Any]]]:
    found = translate.to_claude(PRE, payload(name, given))
    return [(call["tool_name"], call["tool_input"]) for call in found]


@pytest.mark.parametrize("sample", SAMPLES, ids=lambda sample: sample["name"])
def test_a_payload_is_shown_to_hooks_in_claudes_form(sample: dict[str, Any]) -> None:
    given = copy.deepcopy(sample["payload"])
    found = translate.to_claude(sample["event"], given)
    assert given == sample["payload"]
    assert all(call["hook_event_name"] == sample["event"] for call in found)
    if "calls" in sample:
        assert [[call["tool_name"], call["tool_input"]] for call in found] == sample["calls"]
    for call in found:
        for key, value in sample.get("fields", {}).items():
            assert call[key] == value
        assert not set(sample.get("absent", ())) & set(call)


@pytest.mark.parametrize("sample", SAMPLES, ids=lambda sample: sample["name"])
def test_a_payload_proves_cline_and_nobody_else(sample: dict[str, Any]) -> None:
    modules = {
        name: importlib.import_module(f"hookpm.agents.{name}.translate") for name in agents.names()
    }
    claims = [name for name in modules if modules[name].recognises(sample["payload"])]
    assert claims == ["cline"]


# Each of these ran the command in Cline 3.0.65; the second value is what it ran.
@pytest.mark.parametrize(
    ("spelling", "commands"),
    [
        ({"commands": ["a", "b"]}, ["a", "b"]),
        ({"commands": "a"}, ["a"]),
        ({"commands": {"command": "touch", "args": ["c d"]}}, ["touch 'c d'"]),
        ({"commands": [{"command": "a", "args": []}, "b"]}, ["a", "b"]),
        ({"command": "a"}, ["a"]),
        ({"cmd": "a"}, ["a"]),
        ({"commands": 5, "command": "a"}, ["a"]),
        (["a", "b"], ["a", "b"]),
        ([{"command": "a"}], ["a"]),
        ("a", ["a"]),
    ],
)
def test_no_spelling_hides_a_command_from_hooks(spelling: Any, commands: list[str]) -> None:
    assert calls("run_commands", spelling) == [("Bash", {"command": text}) for text in commands]


@pytest.mark.parametrize(
    "spelling",
    [
        {"files": [{"path": ".env"}]},
        {"files": [".env"]},
        {"files": ".env"},
        {"files": {"path": ".env"}},
        {"files": [{"file_path": ".env"}]},
        {"file_paths": [".env"]},
        {"file_paths": ".env"},
        {"paths": [".env"]},
        {"paths": {"filePath": ".env"}},
        {"path": ".env"},
        {"filePath": ".env"},
        [".env"],
        [{"path": ".env"}],
        ".env",
    ],
)
def test_no_spelling_hides_a_file_from_hooks(spelling: Any) -> None:
    assert calls("read_files", spelling) == [("Read", {"file_path": ".env"})]


def test_of_spellings_side_by_side_all_are_shown() -> None:
    shown = calls("run_commands", {"commands": ["a"], "command": "b", "cmd": "c"})
    assert [given["command"] for _, given in shown] == ["a", "b", "c"]
    shown = calls("read_files", {"files": ["a"], "paths": ["b"], "path": "c"})
    assert [given["file_path"] for _, given in shown] == ["a", "b", "c"]


@pytest.mark.parametrize(
    ("name", "tool"),
    [("run_commands", "Bash"), ("read_files", "Read"), ("search_codebase", "search_codebase")],
)
@pytest.mark.parametrize("given", [{}, {"x": 1}, [], 5])
def test_a_call_that_holds_nothing_is_shown_as_it_is(name: str, tool: str, given: Any) -> None:
    assert calls(name, given) == [(tool, given if isinstance(given, dict) else {"input": given})]


def test_the_folder_below_the_root_in_which_it_was_started_is_where_it_works(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    root, below, beside = tmp_path / "repo", tmp_path / "repo" / "a", tmp_path / "repository"
    for folder in (below, beside):
        folder.mkdir(parents=True)
    given = payload(workspaceRoots=[str(root)])
    for here, expected in ((below, below), (root, root), (beside, root), (tmp_path, root)):
        monkeypatch.chdir(here)
        assert translate.to_claude(PRE, given)[0]["cwd"] == str(expected)


def said(event: str, given: dict[str, Any] | None = None, **fields: Any) -> Reply:
    answer = Answer()
    for name, value in fields.items():
        setattr(answer, name, value)
    given = payload() if given is None else given
    return translate.from_claude(event, answer, given, translate.to_claude(event, given))


DENY = {"decision": "deny", "reason": "no"}
BLOCK = {"decision": "block", "reason": "no"}
STOPS = {"stop": True, "stop_reason": "enough"}
TOLD = {"contexts": ["one", "two"]}
REWRITE = {"updated_input": {"command": "new"}}
REFUSED = {"overrideInput": None, "contextModification": f"{translate.REFUSED}no"}
ENDED = {"cancel": True, "errorMessage": "enough"}

ROWS: list[tuple[str, dict[str, Any], dict[str, Any] | None, list[str]]] = [
    (PRE, {}, None, []),
    (PRE, DENY, REFUSED, []),
    (PRE, {**DENY, **TOLD}, {**REFUSED, "contextModification": "{}no\none\ntwo"}, []),
    (PRE, {"decision": "deny"}, {**REFUSED, "contextModification": "{}Blocked by hook"}, []),
    (PRE, {**DENY, **REWRITE}, REFUSED, []),
    (PRE, {**DENY, **STOPS}, {"cancel": True, "errorMessage": "no"}, []),
    (PRE, {"decision": "ask", "reason": "sure?"}, None, ["ask"]),
    (PRE, {"decision": "allow"}, None, ["allow"]),
    (PRE, {"decision": "defer"}, None, ["defer"]),
    (PRE, REWRITE, {"overrideInput": {"commands": ["new"]}}, []),
    (
        PRE,
        {**REWRITE, **TOLD},
        {"overrideInput": {"commands": ["new"]}, "contextModification": "one\ntwo"},
        [],
    ),
    (PRE, STOPS, ENDED, []),
    (PRE, {"stop": True}, {"cancel": True, "errorMessage": "Blocked by hook"}, []),
    (PRE, {**STOPS, **TOLD}, ENDED, ["additionalContext"]),
    (PRE, {"system_message": "look"}, None, ["systemMessage"]),
    (POST, BLOCK, {"contextModification": "no"}, []),
    (POST, {**BLOCK, **TOLD}, {"contextModification": "no\none\ntwo"}, []),
    (POST, STOPS, ENDED, []),
    *[(event, {**BLOCK, **STOPS}, None, ["block", "continue:false"]) for event in REST],
    *[(event, TOLD, None, ["additionalContext"]) for event in REST],
]


@pytest.mark.parametrize(("event", "fields", "out", "dropped"), ROWS)
def test_an_answer_has_this_native_form(
    event: str, fields: dict[str, Any], out: dict[str, Any] | None, dropped: list[str]
) -> None:
    if out and str(out.get("contextModification")).startswith("{}"):
        out = {**out, "contextModification": out["contextModification"].format(translate.REFUSED)}
    reply = said(event, **fields)
    assert (reply.out, reply.dropped) == (out, dropped)


@pytest.mark.parametrize("name", ["probe__echo", "unknown", "a__b__c", ""])
def test_a_tool_that_may_be_a_servers_is_only_kept_from_running_by_a_cancel(name: str) -> None:
    reply = said(PRE, payload(name, {"text": "x"}), **DENY)
    assert reply.out == {"cancel": True, "errorMessage": "no"}


@pytest.mark.parametrize("name", ["editor", "apply_patch", "team_status", "spawn_agent"])
def test_clines_own_tools_are_refused_without_ending_the_run(name: str) -> None:
    assert said(PRE, payload(name, {"path": "x"}), **DENY).out == REFUSED


@pytest.mark.parametrize(
    ("name", "native", "updated", "out"),
    [
        ("read_files", {"paths": ["a"]}, {"file_path": "b"}, {"files": [{"path": "b"}]}),
        (
            "read_files",
            {"files": [{"path": "a", "end_line": 9}]},
            {"file_path": "b", "end_line": 9},
            {"files": [{"path": "b", "end_line": 9}]},
        ),
        ("run_commands", {"cmd": "a"}, {"command": "b"}, {"commands": ["b"]}),
        (
            "editor",
            {"path": "a", "new_text": "x"},
            {"file_path": "b", "content": "y"},
            {"path": "b", "new_text": "y"},
        ),
        (
            "editor",
            {"path": "a", "old_text": "o", "new_text": "n"},
            {"file_path": "a", "old_string": "o", "new_string": "m"},
            {"path": "a", "old_text": "o", "new_text": "m"},
        ),
        (
            "editor",
            {"path": "a", "new_text": "n", "insert_line": 3},
            {"file_path": "b", "old_string": "", "new_string": "m"},
            {"path": "b", "old_text": "", "new_text": "m", "insert_line": 3},
        ),
        ("search_codebase", {"queries": ["a"]}, {"pattern": "b"}, {"queries": ["b"]}),
        (
            "fetch_web_content",
            {"requests": [{"url": "a", "prompt": "p"}]},
            {"url": "b", "prompt": "p"},
            {"requests": [{"url": "b", "prompt": "p"}]},
        ),
        ("probe__echo", {"text": "a"}, {"text": "b"}, {"text": "b"}),
    ],
)
def test_a_rewrite_goes_back_into_clines_words(
    name: str, native: Any, updated: dict[str, Any], out: dict[str, Any]
) -> None:
    assert said(PRE, payload(name, native), updated_input=updated).out == {"overrideInput": out}


def test_a_call_of_several_parts_or_a_patch_is_not_rewritten() -> None:
    patch = {"input": "*** Begin Patch\n*** Add File: a\n+x\n*** End Patch"}
    for whole in (payload("run_commands", ["a", "b"]), payload("apply_patch", patch)):
        assert not translate.can_rewrite(whole, translate.to_claude(PRE, whole))
        reply = said(PRE, whole, updated_input={"command": "c"})
        assert (reply.out, reply.dropped) == (None, ["updatedInput"])


NAMES = ["run_commands", "read_files", "editor", "apply_patch", "search_codebase", "a__b", "x"]
KEYS = [
    "commands command cmd args files paths file_paths path file_path filePath old_text new_text",
    "insert_line input queries requests url",
]
JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=4),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(st.sampled_from(" ".join(KEYS).split()), inner, max_size=3)
    ),
    max_leaves=8,
)


@given(
    name=st.sampled_from(NAMES) | JSON,
    given=JSON,
    event=st.sampled_from(EVENTS),
    odd=st.dictionaries(
        st.sampled_from(
            ["sessionContext", "workspaceRoots", "tool_call", "tool_result", "turn", "taskId"]
        ),
        JSON,
        max_size=2,
    ),
)
@settings(max_examples=300, deadline=None)
def test_whatever_comes_in_a_refusal_goes_out(
    name: Any, given: Any, event: str, odd: dict[str, Any]
) -> None:
    whole = {**payload(name, given), "tool_result": {"name": name, "input": given}, **odd}
    found = translate.to_claude(event, whole)
    assert found
    for call in found:
        assert isinstance(call["session_id"], str)
        if event in (PRE, POST):
            assert isinstance(call["tool_name"], str)
            assert isinstance(call["tool_input"], dict)
    answer = Answer()
    answer.decision = "deny"
    reply = translate.from_claude(event, answer, whole, found)
    if event == PRE:
        assert reply.out is not None
        assert reply.out.get("cancel") is True or reply.out.get("overrideInput", 1) is None
    answer = Answer()
    answer.updated_input = {"command": "x"}
    json.dumps(translate.from_claude(event, answer, whole, found).out)
