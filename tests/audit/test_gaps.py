"""The audit: what each agent would drop, and what the pack does there instead."""

from __future__ import annotations

from typing import Any

import pytest

from hookpm import agents
from hookpm.agents.facts import Facts
from hookpm.audit import report
from hookpm.audit.gaps import Audit, Gap, PackHooks, audit
from hookpm.packs.manifest import Hook


def hook(**fields: Any) -> Hook:
    values: dict[str, Any] = {"id": "guard", "event": "PreToolUse", "run": "guard.py", **fields}
    return Hook(**values)


PROTECT_SECRETS = PackHooks(
    "protect-secrets",
    [hook(id="guard-files", matcher="*", needs=("deny",), uses=("ask",), fallback={"ask": "deny"})],
)


def facts(*names: str) -> list[Facts]:
    return [agents.load(name).facts for name in names]


def audited(one: Hook, *names: str) -> Audit:
    return audit([PackHooks("a-pack", [one])], facts(*names))


def gap_of(one: Hook, name: str) -> Gap:
    (gap,) = audited(one, name).gaps
    return gap


GAP_KEYS = {
    "id",
    "pack",
    "hook",
    "event",
    "capability",
    "kind",
    "agent",
    "surface",
    "support",
    "surfaces",
    "fallback",
    "evidence",
    "message",
    "estimated",
}


def test_protect_secrets_asks_in_claude_and_denies_in_codex() -> None:
    found = audit([PROTECT_SECRETS], facts("claude", "codex"))
    (gap,) = found.gaps
    assert (gap.agent, gap.capability, gap.kind) == ("codex", "PreToolUse.ask", "uses")
    assert (gap.support, gap.surface, gap.fallback) == ("dropped", "all", "deny")
    assert gap.surfaces == {"headless": "dropped", "interactive": "dropped"}
    assert gap.evidence.startswith("observed")
    assert "denies instead" in gap.message
    assert found.unmet == ()
    assert [(line.agent, line.support) for line in found.hooks] == [
        ("claude", "native"),
        ("codex", "native"),
    ]


def test_protect_secrets_holds_in_all_five() -> None:
    five = ("claude", "codex", "copilot", "cursor", "gemini")
    found = audit([PROTECT_SECRETS], [agents.facts_of(name) for name in five])
    assert found.unmet == ()
    assert found.warnings == ()
    assert {gap.agent for gap in found.gaps} == {"codex", "gemini", "cursor"}


def test_the_json_has_the_stable_keys() -> None:
    document = audit([PROTECT_SECRETS], facts("claude", "codex")).json()
    assert set(document) >= {"gaps", "hooks", "summary"}
    assert set(document["gaps"][0]) == GAP_KEYS
    stable = {"pack", "hook", "event", "matcher", "agent", "support"}
    assert set(document["hooks"][0]) == {*stable, "holds", "os", "estimated"}
    assert document["hooks"][1]["holds"] == ["deny"]
    assert document["summary"] == {
        "gaps": 1,
        "unmet": 0,
        "warnings": 0,
        "agents": 2,
        "packs": 1,
    }


def test_a_need_that_is_dropped_is_unmet_even_with_a_fallback() -> None:
    found = audited(hook(needs=("ask",), fallback={"ask": "deny"}), "codex")
    assert [gap.kind for gap in found.unmet] == ["needs"]


def test_a_use_that_is_dropped_is_met_well_enough() -> None:
    assert audited(hook(uses=("continue:false",)), "codex").unmet == ()


def test_without_a_fallback_the_hook_goes_without() -> None:
    gap = gap_of(hook(uses=("ask",)), "codex")
    assert gap.fallback == "drop"
    assert "goes without" in gap.message


@pytest.mark.parametrize("support", ["native", "translated"])
def test_what_is_native_or_translated_is_no_gap(support: str) -> None:
    word = {"native": "additionalContext", "translated": "updatedInput"}[support]
    assert agents.load("codex").facts.cell("PreToolUse", word).support == support
    assert audited(hook(needs=(word,)), "codex").gaps == ()


def test_what_is_emulated_is_a_gap_that_meets_the_need() -> None:
    found = audited(hook(event="Stop", needs=("continue:false",)), "copilot")
    assert [gap.support for gap in found.gaps] == ["emulated"]
    assert found.gaps[0].fallback is None
    assert found.unmet == ()


def test_what_is_unknown_is_a_gap_that_does_not_refuse() -> None:
    found = audited(hook(needs=("continue:false",)), "cursor")
    assert [gap.support for gap in found.gaps] == ["unknown"]
    assert found.gaps[0].evidence == "unknown"
    assert found.unmet == ()


def test_where_surfaces_differ_the_gap_names_the_one_that_lacks_it() -> None:
    gap = gap_of(hook(uses=("ask",), fallback={"ask": "deny"}), "gemini")
    assert (gap.surface, gap.support, gap.fallback) == ("headless", "dropped", "deny")
    assert gap.surfaces == {"headless": "dropped", "interactive": "translated"}
    assert gap.id.endswith("/headless")


def test_each_surface_that_lacks_it_in_its_own_way_is_a_gap() -> None:
    found = audited(hook(event="Stop", uses=("systemMessage",)), "cursor")
    assert [(gap.surface, gap.support) for gap in found.gaps] == [
        ("headless", "absent"),
        ("interactive", "dropped"),
    ]
    assert [gap.fallback for gap in found.gaps] == [None, "drop"]


def test_ids_of_gaps_are_unique_and_stable() -> None:
    every = [agent.facts for agent in agents.all_agents()]
    hooks = [
        hook(id="a", needs=("ask", "defer"), uses=("ask", "systemMessage")),
        hook(id="b", event="Stop", needs=("block",), uses=("systemMessage",)),
    ]
    first, second = (audit([PackHooks("p", hooks)], every) for _ in range(2))
    assert first == second
    ids = [gap.id for gap in first.gaps]
    assert len(ids) == len(set(ids))


def test_a_hook_is_only_held_against_the_agents_it_is_meant_for() -> None:
    limited = hook(uses=("ask",), agents=("claude",))
    assert audited(limited, "codex", "claude").hooks[0].agent == "claude"
    assert len(audited(limited, "codex", "claude").hooks) == 1
    pack = PackHooks("a-pack", [hook(uses=("ask",))], agents=("codex",))
    assert [line.agent for line in audit([pack], facts("codex", "gemini")).hooks] == ["codex"]


def test_a_hook_fares_as_its_weakest_need() -> None:
    lines = audited(hook(needs=("deny", "updatedInput")), "claude", "codex", "gemini").hooks
    assert [line.support for line in lines] == ["native", "translated", "translated"]
    stop = audited(hook(event="Stop", needs=("block",)), "cursor").hooks
    assert [line.support for line in stop] == ["absent"]


# --- coverage --------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("name", "matcher", "words"),
    [
        ("codex", "Read", "through the shell"),
        ("codex", "Read|Grep", "has no tool"),
        ("codex", "NotebookEdit|MultiEdit", "has no tool"),
        ("claude", "MultiEdit", "has no tool"),
        ("claude", "bash", "has no tool"),
        ("gemini", "run_shell_command", "has no tool"),
        ("claude", "(", "not a valid regular expression"),
        ("claude", "|", "names no tool"),
    ],
)
def test_a_matcher_that_takes_no_tool_of_the_agent_is_told(
    name: str, matcher: str, words: str
) -> None:
    (warning,) = audited(hook(matcher=matcher), name).warnings
    assert warning.code == "matches-nothing"
    assert words in warning.message


@pytest.mark.parametrize(
    "matcher", ["", "*", "Bash", "Read|Bash", ".*", "^(?!Bash)", "mcp__github__.*", "Edit, Write"]
)
def test_a_matcher_that_takes_a_tool_is_not_told(matcher: str) -> None:
    assert audited(hook(matcher=matcher), *agents.names()).warnings == ()


def test_a_matcher_of_another_event_is_no_tools_name() -> None:
    assert audited(hook(event="SessionStart", matcher="startup"), "codex").warnings == ()


def test_on_failure_is_told_where_the_agent_cannot_refuse() -> None:
    codes = {
        (event, name): [
            w.code for w in audited(hook(event=event, on_failure="block"), name).warnings
        ]
        for event in ("PreToolUse", "PreCompact", "SessionStart")
        for name in ("claude", "gemini")
    }
    assert codes["PreToolUse", "claude"] == codes["PreToolUse", "gemini"] == []
    assert codes["PreCompact", "claude"] == []
    assert codes["PreCompact", "gemini"] == ["on-failure"]
    assert codes["SessionStart", "claude"] == ["on-failure"]


def test_an_event_that_an_agent_lacks_is_told() -> None:
    import msgspec

    codex = agents.load("codex").facts
    events = {**codex.events, "PreCompact": msgspec.structs.replace(codex.events["PreCompact"])}
    events["PreCompact"] = msgspec.structs.replace(events["PreCompact"], native="", answers={})
    lacking = msgspec.structs.replace(codex, events=events)
    found = audit([PackHooks("p", [hook(event="PreCompact", needs=("block",))])], [lacking])
    assert [gap.support for gap in found.unmet] == ["absent"]
    assert [warning.code for warning in found.warnings] == ["no-event"]
    assert found.hooks[0].support == "absent"


# --- the report ------------------------------------------------------------------------------


def test_the_report_says_per_agent_what_holds_and_what_happens_instead() -> None:
    every = facts("claude", "codex", "gemini")
    found = audit([PROTECT_SECRETS], every)
    text = "\n".join(report.lines(found, every))
    assert "claude (Claude Code 2.1.332, observed)\n  protect-secrets: holds (guard-files)" in text
    assert "  protect-secrets: every need is met\n    guard-files: deny holds\n" in text
    assert "guard-files: uses ask: dropped, so it denies" in text
    assert "guard-files: uses ask: dropped headless, so it denies" in text
    assert report.summary(found) == "2 gaps in 3 agents, every need is met"


def test_the_report_names_needs_that_are_not_met_and_groups_equal_gaps() -> None:
    codex = facts("codex")
    hooks = [hook(id="a", needs=("ask",)), hook(id="b", needs=("ask",)), hook(id="c")]
    found = audit([PackHooks("p", hooks)], codex)
    lines = report.lines(found, codex)
    assert lines[1:3] == ["  p: NEEDS NOT MET", "    c: holds"]
    assert [line for line in lines if line.startswith("    a, b: needs ask: dropped")]
    assert report.summary(found) == "2 gaps in 1 agent, 2 needs not met"


def test_no_gaps_are_told_in_one_line() -> None:
    found = audit([PROTECT_SECRETS], facts("claude"))
    assert report.summary(found) == "no gaps in 1 agent"
    assert len(report.lines(found, facts("claude"))) == 2


def test_a_hook_for_some_systems_says_so_wherever_it_is_named() -> None:
    found = audited(hook(needs=("deny",), os=("linux", "macos")), "claude")
    assert (
        "a-pack: holds (guard on linux and macos only)" in report.lines(found, facts("claude"))[1]
    )
    assert found.json()["hooks"][0]["os"] == ["linux", "macos"]
