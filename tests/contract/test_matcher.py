from __future__ import annotations

import pytest

from hookpm.contract.events import CLAUDE_EVENTS, EVENTS, MATCHED_FIELD, tool_kind
from hookpm.contract.matcher import is_list, matches, names, problem

TOOLS = (
    *("Bash", "Edit", "Write", "Read", "NotebookEdit", "Agent", "Glob"),
    *("mcp__probe__echo", "mcp__files__read", "WebSearch"),
)

# Observed in Claude Code 2.1.332: matcher, the tools of TOOLS it takes.
TABLE = [
    ("Bash", "Bash"),
    ("Edit|Write", "Edit Write"),
    ("Edit | Write", "Edit Write"),
    ("Edit,Write", "Edit Write"),
    ("Edit, Write", "Edit Write"),
    ("Edit|Write|", "Edit Write"),
    ("|Edit||Write", "Edit Write"),
    (" Bash ", "Bash"),
    ("Ba.*", "Bash"),
    ("Bas?h", "Bash"),
    ("^Bash$", "Bash"),
    ("Bash|.*Edit", "Bash Edit NotebookEdit"),
    (".*", " ".join(TOOLS)),
    ("B*", " ".join(TOOLS)),
    ("^(?!Bash)", " ".join(t for t in TOOLS if t != "Bash")),
    ("mcp__.*", "mcp__probe__echo mcp__files__read"),
    ("mcp__*", "mcp__probe__echo mcp__files__read"),
    ("mcp__probe__*", "mcp__probe__echo"),
    ("mcp__probe__.*", "mcp__probe__echo"),
    ("mcp__probe__echo", "mcp__probe__echo"),
    ("bash", ""),
    ("BASH", ""),
    ("shell", ""),
    ("Shell", ""),
    ("Bash Read", ""),
    ("Edit-Write", ""),
    ("Ba", ""),
    ("ash", ""),
    ("echo", ""),
    ("probe", ""),
    ("(", ""),
    ("**", ""),
    ("Bash(echo *)", ""),
    ("!Bash", ""),
    ("/bash/i", ""),
    ("Bash|*", ""),
    ("|", ""),
    (" ", ""),
    (",", ""),
    ("MultiEdit", ""),
    ("mcp__probe", ""),
    ("Task", "Agent"),
    ("Agent", "Agent"),
    ("Task|Edit", "Edit Agent"),
    ("^Task$", "Agent"),
    ("^Agent$", "Agent"),
]


@pytest.mark.parametrize(("matcher", "taken"), TABLE)
@pytest.mark.parametrize("event", ["PreToolUse", "PostToolUse", "PostToolUseFailure"])
def test_a_matcher_takes_the_tools_that_claude_code_was_seen_to_take(
    event: str, matcher: str, taken: str
) -> None:
    assert [tool for tool in TOOLS if matches(event, matcher, tool)] == taken.split()


@pytest.mark.parametrize("matcher", [None, "", "*"])
@pytest.mark.parametrize("event", CLAUDE_EVENTS)
def test_no_matcher_takes_everything_at_every_event(event: str, matcher: str | None) -> None:
    assert matches(event, matcher, "anything")
    assert matches(event, matcher, "")
    assert matches(event, matcher, None)


@pytest.mark.parametrize(
    ("event", "matcher", "value", "taken"),
    [
        ("SessionStart", "startup", "startup", True),
        ("SessionStart", "Startup", "startup", False),
        ("SessionStart", "startup|resume", "resume", True),
        ("SessionStart", "clear", "compact", False),
        ("SessionStart", "c.*", "compact", True),
        ("SessionEnd", "clear", "clear", True),
        ("SessionEnd", "clear", "other", False),
        ("PreCompact", "manual", "manual", True),
        ("PreCompact", "manual", "auto", False),
        ("PostCompact", "auto", "auto", True),
        ("Notification", "permission_prompt", "idle_prompt", False),
        ("SubagentStop", "reviewer", "reviewer", True),
        ("SubagentStart", "reviewer", "writer", False),
        ("UserPromptExpansion", "deploy", "deploy", True),
        ("StopFailure", "rate_limit", "server_error", False),
        ("Setup", "init", "maintenance", False),
        ("Elicitation", "files", "files", True),
        ("PreModelSwitch", "opus", "sonnet", False),
    ],
)
def test_outside_of_tools_a_matcher_is_held_against_the_events_own_field(
    event: str, matcher: str, value: str, taken: bool
) -> None:
    assert matches(event, matcher, value) is taken


@pytest.mark.parametrize("event", [e for e in CLAUDE_EVENTS if e not in MATCHED_FIELD])
@pytest.mark.parametrize("matcher", ["Bash", "(", "nothing.*"])
def test_events_without_a_matched_field_ignore_the_matcher(event: str, matcher: str) -> None:
    assert matches(event, matcher, None)
    assert matches(event, matcher, "something")


def test_the_events_that_ignore_matchers_are_prompt_and_stop() -> None:
    assert [e for e in EVENTS if e not in MATCHED_FIELD] == ["UserPromptSubmit", "Stop"]


@pytest.mark.parametrize("matcher", ["Bash", "Ba.*", "^.+$"])
def test_an_input_without_the_matched_field_is_taken_by_no_named_matcher(matcher: str) -> None:
    assert not matches("PreToolUse", matcher, None)


def test_names_and_regular_expressions_are_told_apart_by_their_characters() -> None:
    assert is_list("mcp__a-b__c, Edit | Write_2")
    assert not is_list("Edit|Write.")
    assert not is_list("Écrire")
    assert not is_list("Edit\tWrite")
    assert names(" Edit,, Write |") == ["Edit", "Write"]


@pytest.mark.parametrize("matcher", [None, "", "*", "Bash", "Edit|Write", "mcp__.*", "(?<=a+)b"])
def test_a_sound_matcher_has_no_problem(matcher: str | None) -> None:
    assert problem(matcher or "") is None


@pytest.mark.parametrize("matcher", ["(", "**", "Bash|*", "[z-a]", "|", " , "])
def test_a_matcher_that_takes_nothing_says_so(matcher: str) -> None:
    assert "matches nothing" in str(problem(matcher))


@pytest.mark.parametrize(
    ("tool", "kind"),
    [
        ("Bash", "shell"),
        ("Read", "read"),
        ("Glob", "read"),
        ("Edit", "write"),
        ("Write", "write"),
        ("MultiEdit", "write"),
        ("NotebookEdit", "write"),
        ("mcp__a__b", "mcp"),
        ("Agent", "other"),
        ("apply_patch", "other"),
        ("", "other"),
    ],
)
def test_every_tool_has_a_kind(tool: str, kind: str) -> None:
    assert tool_kind(tool) == kind
