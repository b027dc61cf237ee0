"""The JSON Schemas say what the code reads: sound, and in step with it."""

from __future__ import annotations

import importlib
import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
import tomlkit
from jsonschema import Draft202012Validator  # type: ignore[import-untyped]

from hookpm.contract.answer import read
from hookpm.contract.events import CLAUDE_EVENTS, EVENTS, TOOL_EVENTS, tool_kind
from hookpm.contract.hooksfile import check
from hookpm.errors import NotFoundError
from hookpm.project import schema

NAMES = ("hook-input", "hook-answer", "hooks", "hookpack", "hookpm", "lock", "config")
PAYLOADS = Path(__file__).parent.parent / "agents" / "payloads"
AGENTS = [file for file in sorted(PAYLOADS.glob("*.json")) if file.stem != "others"]


def validator(name: str) -> Draft202012Validator:
    return Draft202012Validator(json.loads(schema.text(name)))


def accepts(name: str, value: object) -> bool:
    accepted: bool = validator(name).is_valid(value)
    return accepted


# All of them


def test_there_is_a_schema_of_every_format() -> None:
    assert schema.names() == NAMES


@pytest.mark.parametrize("name", NAMES)
def test_a_schema_is_a_sound_one_with_its_own_identity_and_words(name: str) -> None:
    text = schema.text(name)
    assert text.endswith("}\n")
    document = json.loads(text)
    assert text == json.dumps(document, indent=2, ensure_ascii=False) + "\n"
    Draft202012Validator.check_schema(document)
    assert document["$schema"] == "https://json-schema.org/draft/2020-12/schema"
    assert document["$id"] == f"urn:hookpm:schema:{name}"
    assert document["title"]
    assert document["description"]


@pytest.mark.parametrize("name", ["hook-input", "hook-answer", "hooks", "hooks"])
def test_every_field_is_described_and_the_examples_are_valid(name: str) -> None:
    document = json.loads(schema.text(name))
    for field, about in document["properties"].items():
        assert about.get("description") or "$ref" in about, field
    for example in document["examples"]:
        validator(name).validate(example)


@pytest.mark.parametrize(
    ("asked", "near"), [("hook_inputs", "hook-input"), ("Hooks", "hooks"), ("locks", "lock")]
)
def test_an_unknown_name_is_refused_with_near_ones(asked: str, near: str) -> None:
    with pytest.raises(NotFoundError) as caught:
        schema.text(asked)
    assert asked in caught.value.message
    assert near in str(caught.value.hint)


def test_a_name_that_is_near_to_nothing_is_refused_with_the_list() -> None:
    with pytest.raises(NotFoundError) as caught:
        schema.text("zzz")
    assert "hook-input, hook-answer, hooks" in str(caught.value.hint)


def test_msgspec_is_loaded_only_for_the_types() -> None:
    script = (
        "import sys; from hookpm.project import schema; schema.text('hooks'); schema.names();"
        "sys.exit('msgspec' in sys.modules)"
    )
    assert subprocess.run([sys.executable, "-c", script], timeout=60).returncode == 0


# Hook input


def given(event: str, **fields: Any) -> dict[str, Any]:
    """An input as the bridge writes it."""
    tool = {"tool_name": "Bash", "tool_input": {"command": "ls"}, "tool_kind": "shell"}
    own: dict[str, Any] = {
        "PreToolUse": tool,
        "PostToolUse": {**tool, "tool_response": {"stdout": "a.txt"}},
        "UserPromptSubmit": {"prompt": "do it"},
        "SessionStart": {"source": "startup"},
        "Stop": {"stop_hook_active": False},
        "PreCompact": {"trigger": "manual", "custom_instructions": None},
        "SessionEnd": {"reason": "other"},
        "PostToolUseFailure": {**tool, "error": "no such file"},
        "SubagentStart": {"agent_id": "a1", "agent_type": "general-purpose"},
        "SubagentStop": {"agent_id": "a1", "stop_hook_active": False},
        "PermissionRequest": tool,
        "Notification": {"message": "look", "notification_type": "idle_prompt"},
    }
    return {"hook_event_name": event, "harness": "codex", **own[event], **fields}


@pytest.mark.parametrize("event", EVENTS)
def test_an_input_of_every_event_is_valid_with_and_without_the_agents_own_fields(
    event: str,
) -> None:
    validator("hook-input").validate(given(event))
    validator("hook-input").validate(given(event, session_id="s", cwd="/r", turn_id="t", more=[1]))


@pytest.mark.parametrize(
    "tool",
    [
        {"tool_name": "Read", "tool_input": {"file_path": "/r/a"}, "tool_kind": "read"},
        {"tool_name": "Edit", "tool_input": {"file_path": "/r/a"}, "tool_kind": "write"},
        {"tool_name": "mcp__files__read", "tool_input": {}, "tool_kind": "mcp"},
        {"tool_name": "Agent", "tool_input": {"prompt": "x"}, "tool_kind": "other"},
    ],
)
def test_an_input_of_every_kind_of_tool_is_valid(tool: dict[str, Any]) -> None:
    validator("hook-input").validate(given("PreToolUse", **tool))


@pytest.mark.parametrize(
    "value",
    [
        [],
        {},
        {"hook_event_name": "PreToolUse", "harness": "codex"},
        {**given("PreToolUse"), "hook_event_name": "preToolUse"},
        given("PreToolUse", tool_input="ls"),
        given("PreToolUse", tool_kind="mcp"),
        given("PreToolUse", tool_kind="bash"),
        given("PreToolUse", tool_input={"command": ["ls"]}),
        given("PreToolUse", tool_name="mcp__a__b"),
        given("PreToolUse", harness=""),
        given("Stop", stop_hook_active="false"),
        {k: v for k, v in given("PostToolUse").items() if k != "tool_response"},
        {k: v for k, v in given("UserPromptSubmit").items() if k != "prompt"},
        {k: v for k, v in given("Stop").items() if k != "harness"},
    ],
)
def test_a_wrong_input_is_invalid(value: object) -> None:
    assert not accepts("hook-input", value)


@pytest.mark.parametrize("file", AGENTS, ids=lambda file: str(file.stem))
def test_what_hooks_are_shown_of_every_agents_payloads_is_valid(file: Path) -> None:
    translate = importlib.import_module(f"hookpm.agents.{file.stem}.translate")
    for sample in json.loads(file.read_text(encoding="utf-8")):
        event = sample["event"]
        if event not in EVENTS:
            continue
        for call in translate.to_claude(event, sample["payload"]):
            shown = {**call, "harness": file.stem}
            if event in TOOL_EVENTS:
                kind = "write" if call["tool_name"] == "apply_patch" else ""
                shown["tool_kind"] = kind or tool_kind(call["tool_name"])
            errors = [e.message for e in validator("hook-input").iter_errors(shown)]
            assert errors == [], sample["name"]


# Hook answer


def spec(event: str, **fields: Any) -> dict[str, Any]:
    return {"hookSpecificOutput": {"hookEventName": event, **fields}}


GOOD_ANSWERS: list[tuple[str, dict[str, Any]]] = [
    ("PreToolUse", {}),
    ("PreToolUse", {"decision": "block", "reason": "r"}),
    ("PreToolUse", {"decision": "approve"}),
    *(("PreToolUse", spec("PreToolUse", permissionDecision=w)) for w in ("deny", "ask", "allow")),
    ("PreToolUse", spec("PreToolUse", permissionDecision="defer", permissionDecisionReason="r")),
    ("PreToolUse", spec("PreToolUse", updatedInput={"command": "ls"}, additionalContext="c")),
    ("PreToolUse", {"continue": False, "stopReason": "s", "systemMessage": "m"}),
    ("PreToolUse", {"continue": True, "suppressOutput": True, "terminalSequence": "\a"}),
    ("PreToolUse", spec("PreToolUse", colour="red")),
    ("PostToolUse", {"decision": "block", **spec("PostToolUse", additionalContext="c")}),
    ("PostToolUse", spec("PostToolUse", updatedToolOutput={"stdout": ""})),
    ("UserPromptSubmit", {"decision": "block", "suppressOriginalPrompt": True}),
    ("SessionStart", spec("SessionStart", additionalContext="c", initialUserMessage="go")),
    ("Stop", {"decision": "block", "reason": "go on"}),
    ("PreCompact", {"decision": "block"}),
]
BAD_ANSWERS: list[tuple[str, dict[str, Any]]] = [
    ("PreToolUse", {"decision": "deny"}),
    ("PreToolUse", {"decision": "ask"}),
    ("PreToolUse", {"continue": "false"}),
    ("PreToolUse", {"systemMessage": 5}),
    ("PreToolUse", {"hookSpecificOutput": "deny"}),
    ("PreToolUse", {"permissionDecision": "deny"}),
    ("PreToolUse", {"additionalContext": "c"}),
    ("PreToolUse", {"updatedInput": {}}),
    ("PreToolUse", {"async": True}),
    ("PreToolUse", spec("PreToolUse", permissionDecision="nope")),
    ("PreToolUse", spec("PreToolUse", updatedInput="ls")),
    ("PreToolUse", spec("PreToolUse", additionalContext=["c"])),
    ("PreToolUse", spec("preToolUse", permissionDecision="deny")),
    ("Stop", spec("Stop", permissionDecision="deny")),
    ("PostToolUse", spec("PostToolUse", updatedInput={})),
]


@pytest.mark.parametrize(("event", "document"), GOOD_ANSWERS)
def test_an_answer_that_is_read_without_a_remark_is_valid(
    event: str, document: dict[str, Any]
) -> None:
    assert read(event, 0, json.dumps(document).encode(), b"").notes == []
    validator("hook-answer").validate(document)


@pytest.mark.parametrize(("event", "document"), BAD_ANSWERS)
def test_an_answer_that_is_read_with_a_remark_is_invalid(
    event: str, document: dict[str, Any]
) -> None:
    assert read(event, 0, json.dumps(document).encode(), b"").notes
    assert not accepts("hook-answer", document)


def test_the_contracts_short_form_without_the_events_name_is_valid() -> None:
    short = {"hookSpecificOutput": {"permissionDecision": "deny", "permissionDecisionReason": "r"}}
    validator("hook-answer").validate(short)
    assert read("PreToolUse", 0, json.dumps(short).encode(), b"").decision == "deny"


@pytest.mark.parametrize("value", [[], "deny", None, {"reason": 5}, {"stopReason": []}])
def test_what_is_no_answer_is_invalid(value: object) -> None:
    assert not accepts("hook-answer", value)


# hooks.json


def handler(**fields: Any) -> dict[str, Any]:
    return {"type": "command", "command": "true", **fields}


def request(**fields: Any) -> dict[str, Any]:
    return {"type": "http", "url": "https://hooks.example.com/judge", **fields}


def file(*handlers: object, event: str = "PreToolUse", **group: Any) -> dict[str, Any]:
    return {"hooks": {event: [{**group, "hooks": list(handlers)}]}}


@pytest.mark.parametrize(
    "document",
    [
        {"hooks": {}},
        {"$schema": "./hookpm/hooks.schema.json", "hooks": {"Stop": []}},
        *(file(handler(), event=event) for event in CLAUDE_EVENTS),
        file(handler(timeout=0.5, onFailure="block", args=["a"], statusMessage="s"), matcher="B.*"),
        file(handler(shell="bash", once=True), handler(), pack="guard", id="one", note="n"),
        file(handler(**{"if": "", "async": False})),
        file(request(headers={"X-Key": "$KEY"}, allowedEnvVars=["KEY"], timeout=3)),
        file(request(url="http://[::1]:8080", onFailure="block", once=True), handler()),
        file(request(url="HTTP://h?q@r", headers={}, statusMessage="s")),
        {"description": "d", **file()},
    ],
)
def test_a_hooks_file_without_a_problem_is_valid(document: object) -> None:
    assert check(document) == []
    validator("hooks").validate(document)


@pytest.mark.parametrize(
    "document",
    [
        [],
        {},
        {"hooks": []},
        {"hooks": None},
        {"hooks": {"preToolUse": []}},
        {"hooks": {"pre-push": ["make"]}},
        {"hooks": {"Stop": {}}},
        {"hooks": {"Stop": ["true"]}},
        {"hooks": {"Stop": [{}]}},
        file(matcher={}),
        file(pack=1),
        file("true"),
        file({"command": "true"}),
        file({"type": "command"}),
        file(handler(type="http")),
        *(file(handler(type=kind)) for kind in ("mcp_tool", "prompt", "agent", "webhook")),
        *(
            file(request(url=url))
            for url in (1, "", "hooks", "file:///x", "http://", "http://a b", "http://u:p@h/")
        ),
        file(request(headers=["A: b"])),
        file(request(headers={"A": 1})),
        file(request(headers={"A b": "c"})),
        file(request(headers={"": "c"})),
        file(request(allowedEnvVars="KEY")),
        file(request(allowedEnvVars=[1])),
        file(request(timeout=-1)),
        file(request(**{"if": "Bash(rm *)"})),
        file(handler(command=" ")),
        file(handler(timeout=0)),
        file(handler(timeout="1")),
        file(handler(timeout=True)),
        file(handler(args=[1])),
        file(handler(onFailure="deny")),
        file(handler(shell="powershell")),
        file(handler(**{"if": "Bash(rm *)"})),
        file(handler(**{"async": True})),
        file(handler(asyncRewake=True)),
    ],
)
def test_a_hooks_file_with_a_problem_is_invalid(document: object) -> None:
    assert check(document) != []
    assert not accepts("hooks", document)


# The TOML files

PACK = """
[pack]
name = "guard"
version = "1.0.0"
description = "Guards"
requires-hookpm = ">=0.1"

[requires]
programs = ["git"]

[dependencies]
patterns = ">=1,<2"

[options.extra]
type = "list[str]"
default = []
help = "more"

[[hooks]]
id = "files"
event = "PreToolUse"
matcher = "Edit|Write"
run = "guard.py"
timeout = 10
needs = ["deny"]
uses = ["ask"]
fallback = { ask = "deny" }
on_failure = "block"
"""
SETTINGS = """
agents = ["claude", "codex"]

[packs]
guard = "~=1.2"
format = { version = ">=2,<3", options = { tools = ["ruff"] }, agents = ["claude"] }
rules = { path = "../rules", disable = ["one"] }

[registries]
acme = "../index"
"""


def toml(text: str) -> dict[str, Any]:
    return tomlkit.parse(text).unwrap()


def lock(digest: str = "sha256:" + "0" * 64) -> dict[str, Any]:
    pack = {"name": "guard", "version": "1.0.0", "source": "hookpm", "files": {"guard.py": digest}}
    return {"version": 1, "pack": [pack]}


def test_the_forms_of_the_toml_files_are_valid() -> None:
    validator("hookpack").validate(toml(PACK))
    validator("hookpm").validate(toml(SETTINGS))
    validator("lock").validate(lock())


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("hookpack", {}),
        ("hookpack", toml(PACK.replace("guard", "Guard!"))),
        ("hookpack", toml(PACK.replace("PreToolUse", "preToolUse"))),
        ("hookpack", toml(PACK.replace("timeout = 10", "timeout = 0"))),
        ("hookpack", toml(PACK.replace("uses =", "likes ="))),
        ("hookpack", toml(PACK.replace('ask = "deny"', 'ask = "allow"'))),
        ("hookpm", {"packs": {"guard": 1}}),
        ("hookpm", {"packs": {"guard": {"versoin": "1"}}}),
        ("hookpm", {"agent": ["claude"]}),
        ("lock", lock(digest="0" * 64)),
        ("lock", {"pack": [{"name": "guard"}]}),
    ],
)
def test_a_wrong_toml_file_is_invalid(name: str, value: object) -> None:
    assert not accepts(name, value)


def test_the_packs_of_this_repo_are_valid() -> None:
    packs = Path(__file__).parent.parent.parent / "packs"
    for manifest in packs.glob("*/hookpack.toml"):
        validator("hookpack").validate(toml(manifest.read_text(encoding="utf-8")))


# What people read


def examples() -> list[Any]:
    """The JSON in the contract's page, with the name of the format each belongs to."""
    page = Path(__file__).parent.parent.parent / "docs" / "contract.md"
    found = []
    for block in page.read_text(encoding="utf-8").split("```json\n")[1:]:
        value = json.loads(block.partition("```")[0])
        answer_or_hooks = "hooks" if "hooks" in value else "hook-answer"
        found.append(("hook-input" if "hook_event_name" in value else answer_or_hooks, value))
    return found


def test_the_examples_in_the_contracts_page_are_valid() -> None:
    assert [name for name, _ in examples()] == ["hook-input", "hook-answer", "hooks", "hooks"]
    for name, value in examples():
        validator(name).validate(value)


# The user's configuration


def test_the_users_configuration_and_its_schema_take_the_same() -> None:
    host = {"hooks.example.com": {"token": "t"}}
    assert accepts("config", {})
    assert accepts("config", {"ca-bundle": "own.pem", "hosts": host})
    assert not accepts("config", {"ca_bundle": "own.pem"})
    assert not accepts("config", {"hosts": {"hooks.example.com": {"tokne": "t"}}})
