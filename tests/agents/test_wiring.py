"""Each agent's wiring: its entries, what is ours in a file, what makes the agent drop it."""

from __future__ import annotations

import importlib
import json
from pathlib import Path
from typing import Any

import pytest

from hookpm import agents
from hookpm.agents import shell_line
from hookpm.agents import wiring as shared
from hookpm.contract.answer import Answer, refusal
from hookpm.contract.events import CANNOT_BLOCK, EVENTS, TOOL_EVENTS
from hookpm.edit.jsondoc import Document, parse

NAMES = agents.names()
# An agent and an event that it has.
PAIRS = [(n, e) for n in NAMES for e in EVENTS if agents.load(n).facts.native(e)]
# Kimi's entries stand in a TOML file (see test_kimi_wiring); some have whole files of ours instead.
JSON = [n for n in NAMES if getattr(agents.load(n).wiring, "FORMAT", "json") == "json"]
WITH_ENTRIES = [n for n in JSON if not hasattr(agents.load(n).wiring, "generated")]


def wired(name: str, events: tuple[str, ...] = EVENTS, longest: float = 10) -> dict[str, Any]:
    """The agent's new file as a value: its skeleton with all entries."""
    wiring = agents.load(name).wiring
    value: dict[str, Any] = json.loads(json.dumps(wiring.SKELETON))
    for entry in wiring.entries(events, longest):
        place = value
        for key in entry.path[:-1]:
            place = place.setdefault(key, {})
        place.setdefault(entry.path[-1], []).append(entry.value)
    return value


def table(name: str) -> tuple[str, ...]:
    """Path of the object that holds the event lists."""
    path: tuple[str, ...] = getattr(agents.load(name).wiring, "TABLE", ("hooks",))
    return path


def document(text: str) -> Document:
    return parse(text, "the file")


def lines(name: str, text: str) -> list[int]:
    return [finding.line for finding in agents.load(name).wiring.dropped_by(document(text))]


@pytest.mark.parametrize("name", JSON)
def test_the_facts_and_the_wiring_name_the_same_file_and_events(name: str) -> None:
    agent = agents.load(name)
    assert agent.facts.config == agent.wiring.FILE
    for entry in agent.wiring.entries(EVENTS, 10):
        assert entry.path == (*table(name), agent.facts.native(entry.event))


@pytest.mark.parametrize("name", NAMES)
def test_every_entry_is_found_again_as_ours(name: str) -> None:
    wiring = agents.load(name).wiring
    for entry in wiring.entries(EVENTS, 10):
        owned = wiring.owner_of(entry.value)
        assert owned is not None
        assert owned.whole
        assert owned.events == (entry.event,)
        assert [h.present for h in owned.handlers] == [True]
        assert owned.handlers[0].agent == name


@pytest.mark.parametrize("name", JSON)
def test_a_file_that_we_wrote_is_one_that_the_agent_takes(name: str) -> None:
    wiring = agents.load(name).wiring
    text = json.dumps(wired(name), indent=2)
    assert wiring.dropped_by(document(text)) == []
    assert wiring.switched_off(document(text)) == []


@pytest.mark.parametrize("name", [name for name in WITH_ENTRIES if name != "codex"])
def test_only_the_events_that_are_asked_for_are_wired(name: str) -> None:
    got = agents.load(name).wiring.entries(("Stop", "PreToolUse"), 10)
    assert [entry.event for entry in got] == ["Stop", "PreToolUse"]


def test_codex_entries_never_depend_on_the_packs() -> None:
    wiring = agents.load("codex").wiring
    entries = wiring.entries(("Stop",), 10)
    assert entries == wiring.entries(EVENTS, 5000)
    assert [entry.event for entry in entries] == [e for n, e in PAIRS if n == "codex"]
    handlers = {entry.event: entry.value["hooks"][0] for entry in entries}
    assert handlers["PreToolUse"]["timeout"] == 600
    assert handlers["SessionEnd"]["timeout"] == 3
    assert all(set(entry.value) == {"hooks"} for entry in entries)
    assert wiring.entries((), 10) == []


@pytest.mark.parametrize(
    ("name", "key", "per_second"),
    [
        ("claude", "timeout", 1),
        ("gemini", "timeout", 1000),
        ("copilot", "timeoutSec", 1),
        ("cursor", "timeout", 1),
    ],
)
def test_the_native_timeout_is_above_the_longest_hooks(
    name: str, key: str, per_second: int
) -> None:
    for longest, seconds in ((5.0, 600), (595.5, 606), (3600, 3610)):
        entry = agents.load(name).wiring.entries(("PreToolUse",), longest)[0]
        handler = entry.value.get("hooks", [entry.value])[0]
        assert handler[key] == seconds * per_second


@pytest.mark.parametrize("name", ["claude", "codex", "gemini"])
def test_a_group_that_holds_the_users_own_handler_is_not_wholly_ours(name: str) -> None:
    value = {
        "matcher": "Bash",
        "hooks": [
            {"type": "command", "command": f"hookpm run {name} PreToolUse", "timeout": 5},
            {"type": "command", "command": "mine.sh"},
        ],
    }
    owned = agents.load(name).wiring.owner_of(value)
    assert owned == shared.Owned(
        (shared.Handler(("hooks", 0), name, "PreToolUse", present=False),), whole=False
    )


def test_claudes_line_that_codex_imported_is_known_as_claudes() -> None:
    owned = agents.load("codex").wiring.owner_of(shared.group("claude", "Stop", 600))
    assert owned is not None
    assert (owned.handlers[0].agent, owned.handlers[0].event) == ("claude", "Stop")


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize(
    "value",
    [
        None,
        "hookpm run claude Stop",
        {},
        {"hooks": {}},
        {"hooks": []},
        {"hooks": ["hookpm run claude Stop"]},
        {"command": ["hookpm", "run"], "bash": 5},
        {"hooks": [{"type": "command", "command": "node /work/hookpm-notes/run.js"}]},
        {"command": "hookpm run claude Stop; mine.sh"},
    ],
)
def test_what_merely_holds_our_words_is_not_ours(name: str, value: object) -> None:
    assert agents.load(name).wiring.owner_of(value) is None


# --- what makes an agent drop its file -------------------------------------------------------


def pre_tool_use(handler: str, group: str = "") -> str:
    return '{"hooks": {"PreToolUse": [\n{' + group + '"hooks": [\n' + handler + "\n]}]}}"


GOOD = '{"type": "command", "command": "x", "timeout": 5}'


@pytest.mark.parametrize(
    "handler",
    [
        '{"type": "command", "command": "x", "timeout": 0}',
        '{"type": "command", "command": "x", "timeout": -1}',
        '{"type": "command", "command": "x", "timeout": "5"}',
        '{"type": "command", "command": "x", "timeout": true}',
        '{"command": "x"}',
        '{"type": "foo", "command": "x"}',
        '{"type": 5, "command": "x"}',
        '{"type": "command"}',
        '"x"',
    ],
)
def test_one_bad_handler_before_tools_makes_claude_drop_the_file(handler: str) -> None:
    assert lines("claude", pre_tool_use(GOOD + ",\n" + handler)) == [4]
    permission = pre_tool_use(handler).replace("PreToolUse", "PermissionRequest")
    assert lines("claude", permission) == [3]
    assert lines("claude", pre_tool_use(handler).replace("PreToolUse", "Stop")) == []


def test_a_bad_group_before_tools_makes_claude_drop_the_file() -> None:
    assert lines("claude", pre_tool_use(GOOD, group='"matcher": 5,')) == [2]
    assert lines("claude", '{"hooks": {"PreToolUse": [\n{"hooks": {}}]}}') == [2]
    assert lines("claude", '{"hooks": {"PreToolUse": [\n{"matcher": "x"}]}}') == [2]
    assert lines("claude", '{"hooks": {"PreToolUse": [\n"x"]}}') == [2]


def test_claude_takes_every_type_unknown_keys_events_and_fractions() -> None:
    good = [
        GOOD,
        '{"type": "command", "command": "x", "timeout": 0.5, "extra": 1, "args": ["a"]}',
        '{"type": "http", "url": "x"}',
        '{"type": "mcp_tool", "server": "x", "tool": "y"}',
        '{"type": "prompt", "prompt": "x"}',
        '{"type": "agent", "prompt": "x"}',
    ]
    assert lines("claude", pre_tool_use(",\n".join(good), group='"matcher": "",')) == []
    assert lines("claude", '\ufeff{"hooks": {"Unknown": [], "stop": []}, "x": 1}') == []


@pytest.mark.parametrize("name", ["claude", "codex", "copilot"])
def test_comments_make_a_strict_reader_drop_the_file(name: str) -> None:
    text = '{"version": 1, // one\n"hooks": {}} /* two */'.replace('"version": 1,', "")
    assert lines(name, text) == [1, 2]


def test_comments_are_fine_in_gemini() -> None:
    assert lines("gemini", '{ // one\n"hooks": {}} /* two */') == []


@pytest.mark.parametrize("name", WITH_ENTRIES)
def test_a_trailing_comma_is_named_with_its_line(name: str) -> None:
    text = '{"version": 1, "hooks": {"x": [\n1,\n]}}'
    assert 2 in lines(name, text)


@pytest.mark.parametrize("name", WITH_ENTRIES)
def test_a_file_of_another_shape_is_named(name: str) -> None:
    assert 1 in lines(name, "[]")
    for key in table(name):
        assert 1 in lines(name, json.dumps({"version": 1, key: []}))


@pytest.mark.parametrize("name", WITH_ENTRIES)
def test_an_event_that_is_no_list_is_named(name: str) -> None:
    event = agents.load(name).facts.native("Stop")
    value: dict[str, Any] = {event: {}}
    for key in reversed(table(name)):
        value = {key: value}
    text = json.dumps({"version": 1, **value}).replace(f'"{event}"', f'\n"{event}"')
    assert lines(name, text)[-1] == 2


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("text", ["", " \n"])
def test_a_blank_file_is_none_that_stays_dropped(name: str, text: str) -> None:
    assert lines(name, text) == []


@pytest.mark.parametrize(
    ("text", "line"),
    [
        ('{"hooks": {},\n"$schema": "x"}', 2),
        ('{"hooks": {},\n"version": 1}', 2),
        ('\ufeff{"hooks": {}}', 1),
        (pre_tool_use('{"type": "http", "url": "x"}'), 3),
        (pre_tool_use('{"type": "foo", "command": "x"}'), 3),
        (pre_tool_use('{"command": "x"}'), 3),
        (pre_tool_use('{"type": "command", "command": "x", "timeout": 1.5}'), 3),
        (pre_tool_use('{"type": "command", "command": "x", "timeout": "5"}'), 3),
        (pre_tool_use('{"type": "command", "command": ["x"]}'), 3),
        (
            pre_tool_use(
                '{"type": "command", "command": "x", "command_windows": "", "commandWindows": ""}'
            ),
            3,
        ),
    ],
)
def test_what_makes_codex_drop_the_file_is_named(text: str, line: int) -> None:
    # In a file of a single line, a key that is too much stands in line 1 as well.
    assert lines("codex", text) == [line]


def test_codex_takes_unknown_events_and_unknown_keys_below_the_top() -> None:
    text = pre_tool_use(
        '{"type": "command", "command": "x", "timeout": 0, "name": "y", "if": "z"}',
        group='"_ours": 1,',
    )
    assert lines("codex", text) == []
    assert lines("codex", '{"description": "x", "hooks": {"Setup": [{"hooks": [5]}]}}') == []


@pytest.mark.parametrize("version", ["2", '"1"', "null"])
def test_copilot_drops_another_version(version: str) -> None:
    assert lines("copilot", '{"hooks": {},\n"version": ' + version + "}") == [2]


def test_copilot_takes_a_missing_version() -> None:
    assert lines("copilot", '{"hooks": {"unknown": []}}') == []


@pytest.mark.parametrize(
    ("text", "line"),
    [
        ('{"hooks": {}}', 1),
        ('{"hooks": {},\n"version": 2}', 2),
        ('{"hooks": {},\n"version": true}', 2),
        ('{"version": 1, "hooks": {"stop": [],\n"notification": []}}', 2),
        ('{"version": 1, "hooks": {"preToolUse": [\n{"command": "x", "matcher": "("}]}}', 2),
        ('{"version": 1, "hooks": {"stop": [\n{"command": "curl http://x"}]}}', 2),
        ('{"version": 1,\n/* x */ "hooks": {}}', 2),
    ],
)
def test_what_makes_cursor_drop_the_file_is_named(text: str, line: int) -> None:
    assert lines("cursor", text) == [line]


def test_cursor_takes_line_comments_and_good_matchers() -> None:
    text = '{"version": 1, // see http://x\n"hooks": {"preToolUse": [{"matcher": "Shell|^Re"}]}}'
    assert lines("cursor", text) == []


# --- switched off ----------------------------------------------------------------------------


@pytest.mark.parametrize("name", ["claude", "copilot"])
def test_disable_all_hooks_is_named(name: str) -> None:
    wiring = agents.load(name).wiring
    found = wiring.switched_off(document('{"hooks": {},\n"disableAllHooks": true}'))
    assert [finding.line for finding in found] == [2]
    assert wiring.switched_off(document('{"disableAllHooks": false}')) == []


def test_geminis_switches_are_named() -> None:
    wiring = agents.load("gemini").wiring
    line = json.dumps(shell_line.present("gemini", "Stop"))
    text = '{"hooksConfig": {"enabled": false,\n"disabled": ["other",\n' + line + "]}}"
    assert [finding.line for finding in wiring.switched_off(document(text))] == [1, 3]


@pytest.mark.parametrize("name", NAMES)
def test_a_blank_file_is_not_switched_off(name: str) -> None:
    assert agents.load(name).wiring.switched_off(document("")) == []


# --- the canary ------------------------------------------------------------------------------


@pytest.mark.parametrize(("name", "event"), PAIRS)
def test_the_canary_carries_its_nonce_where_the_bridge_looks(
    name: str, event: str, tmp_path: Path
) -> None:
    payload = agents.load(name).wiring.canary(event, "n0nce", tmp_path)
    json.dumps(payload)
    call = importlib.import_module(f"hookpm.agents.{name}.translate").to_claude(event, payload)[0]
    assert call["cwd"] == str(tmp_path)
    if event in TOOL_EVENTS:
        assert call["tool_name"] == "hookpm_canary"
        assert call["tool_input"] == {"nonce": "n0nce"}
        assert call["session_id"] == "hookpm-canary"
    else:
        assert call["session_id"] == "hookpm-canary:n0nce"


PAYLOAD_KEYS = {
    "codex": {"turn_id", "model"},
    "gemini": {"timestamp", "hook_event_name"},
    "copilot": {"sessionId", "timestamp", "toolName"},
    "cursor": {"cursor_version", "conversation_id", "workspace_roots"},
}


@pytest.mark.parametrize("name", list(PAYLOAD_KEYS))
def test_the_canary_has_the_marks_of_its_agent(name: str, tmp_path: Path) -> None:
    assert set(agents.load(name).wiring.canary("PreToolUse", "n", tmp_path)) >= PAYLOAD_KEYS[name]


TEXT = "hookpm canary n0nce: 3 hooks"


# --- what is left to the user ----------------------------------------------------------------


@pytest.mark.parametrize("name", NAMES)
def test_what_is_left_to_the_user_names_trust(name: str, tmp_path: Path) -> None:
    agent = agents.load(name)
    left = agent.wiring.todo(tmp_path)
    assert any("trust" in todo.what for todo in left) or agent.facts.trust.startswith("None")
    assert all(todo.what and todo.how for todo in left)


def test_a_linked_worktree_is_named_to_codex_users(tmp_path: Path) -> None:
    todo = agents.load("codex").wiring.todo
    assert not any("linked git worktree" in item.how for item in todo(tmp_path))
    (tmp_path / ".git").write_text("gitdir: /elsewhere\n", encoding="utf-8")
    assert any("linked git worktree" in item.how for item in todo(tmp_path))


# --- wiring and translation together ----------------------------------------------------------


@pytest.mark.parametrize(("name", "event"), PAIRS)
def test_the_canarys_answer_goes_through_the_translation_and_is_read(
    name: str, event: str, tmp_path: Path
) -> None:
    translate = importlib.import_module(f"hookpm.agents.{name}.translate")
    wiring = agents.load(name).wiring
    payload = wiring.canary(event, "n0nce", tmp_path)
    assert name == "claude" or event == "SessionEnd" or translate.recognises(payload)
    calls = translate.to_claude(event, payload)
    answer = Answer()
    if event in CANNOT_BLOCK:
        answer.contexts.append(TEXT)
    else:
        answer.decision, answer.reason = refusal(event), TEXT
    reply = translate.from_claude(event, answer, payload, calls)
    stdout, stderr = ("", TEXT) if reply.out is None else (json.dumps(reply.out), "")
    assert wiring.read_canary(event, "n0nce", stdout, stderr)
    for call in calls:
        if event in TOOL_EVENTS:
            assert (call["tool_name"], call["tool_input"]) == ("hookpm_canary", {"nonce": "n0nce"})
        else:
            assert call["session_id"] == "hookpm-canary:n0nce"
