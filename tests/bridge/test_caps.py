"""A context that is longer than the agent takes is cut at a line, and said; never lost."""

from __future__ import annotations

import importlib
import json
import re
from typing import Any

import pytest

from hookpm import agents
from hookpm.bridge import caps
from tests.bridge.rig import Heard, Repo

TOKEN_BYTES = 4  # what Codex takes for a token
CUT = {"copilot": "additionalContext", "cursor": "additional_context"}
WHOLE = ("claude", "codex")
LINE = "x" * 99


def translation(name: str) -> Any:
    return importlib.import_module(f"hookpm.agents.{name}.translate")


@pytest.mark.parametrize("name", [agent.name for agent in agents.wirable()])
def test_the_translation_knows_the_cap_that_the_facts_tell(name: str) -> None:
    limits = agents.load(name).facts.limits
    told = limits.get("context_chars", int(limits.get("context_tokens", 0)) * TOKEN_BYTES)
    assert getattr(translation(name), "CONTEXT_CHARS", 0) == told


def telling(repo: Repo, text: str, event: str = "SessionStart") -> None:
    said = {"hookSpecificOutput": {"hookEventName": event, "additionalContext": text}}
    name = f"said-{len(repo.hooks)}.json"
    (repo.root / name).write_text(json.dumps(said), encoding="utf-8")
    repo.hook(f'cat "$CLAUDE_PROJECT_DIR/{name}"', event)


def start(repo: Repo, agent: str) -> Heard:
    return repo.call(agent, "SessionStart", repo.payload(agent, "SessionStart"))


@pytest.mark.parametrize("agent", CUT)
def test_what_an_agent_would_drop_is_cut_at_a_line_with_a_remark_and_a_note(
    agent: str, repo: Repo
) -> None:
    telling(repo, "\n".join([LINE] * 300))
    heard = start(repo, agent)
    given = heard.answer[CUT[agent]]
    assert 9_800 < len(given) <= 10_000
    *lines, remark = given.split("\n")
    assert set(lines) == {LINE}
    kept = 100 * len(lines) - 1
    assert remark == f"[hookpm cut {29_999 - kept} characters here: {agent} takes 10000]"
    assert f"{29_999 - kept} of 29999 characters of context were cut" in heard.stderr


@pytest.mark.parametrize("agent", CUT)
def test_a_reason_that_goes_as_context_counts_too(agent: str, repo: Repo) -> None:
    reason = "\n".join([LINE] * 60)
    telling(repo, "\n".join([LINE] * 60), "PostToolUse")
    repo.hook(f"printf '%s' '{reason}' >&2; exit 2", "PostToolUse")
    payload = repo.payload(agent, "PostToolUse", tool="Shell", given={"command": "ls"})
    heard = repo.call(agent, "PostToolUse", payload)
    assert len(heard.answer[CUT[agent]]) <= 10_000
    assert "characters of context were cut" in heard.stderr


@pytest.mark.parametrize("agent", CUT)
@pytest.mark.parametrize("size", [1, 6_000, 10_000])
def test_what_fits_is_left_alone(size: int, agent: str, repo: Repo) -> None:
    telling(repo, "y" * size)
    heard = start(repo, agent)
    assert (heard.answer, heard.stderr) == ({CUT[agent]: "y" * size}, "")


@pytest.mark.parametrize("agent", WHOLE)
def test_where_the_agent_keeps_the_whole_it_passes_whole_with_a_note(
    agent: str, repo: Repo
) -> None:
    text = "\n".join([LINE] * 300)
    telling(repo, text)
    heard = start(repo, agent)
    assert heard.answer["hookSpecificOutput"]["additionalContext"] == text
    assert f"{agent} shows the model a part of a context this long (29999" in heard.stderr


def test_claude_code_gets_the_very_bytes_of_a_long_answer(repo: Repo) -> None:
    telling(repo, "z" * 20_000)
    assert start(repo, "claude").stdout == (repo.root / "said-0.json").read_bytes()


def test_an_agent_without_a_cap_is_told_all(repo: Repo) -> None:
    telling(repo, "z" * 200_000)
    heard = start(repo, "gemini")
    assert heard.answer["hookSpecificOutput"]["additionalContext"] == "z" * 200_000
    assert heard.stderr == ""


def test_clines_cap_counts_what_stands_before_the_reason_too(repo: Repo) -> None:
    cline = translation("cline")
    out = {"contextModification": cline.REFUSED + "\n".join([LINE] * 600)}

    class Event:
        agent, translate = "cline", cline

    assert "were cut: cline takes 50000" in caps.fit(Event(), out)  # type: ignore[arg-type]
    assert 49_800 < len(out["contextModification"]) <= 50_000


@pytest.mark.parametrize(
    "text", ["\U0001f600" * 9_000, "é\U0001f600" * 4_000, "a\n" + "b" * 20_000]
)
def test_a_cut_fits_as_javascript_counts_and_wastes_no_half(text: str) -> None:
    made = caps.cut(text, 10_000, "cursor")
    assert 9_900 < caps.units(made) <= 10_000
    kept, _, remark = made.rpartition("\n")
    assert text.startswith(kept)
    missing = re.search(r"cut (\d+) characters", remark)
    assert missing
    assert len(kept) + int(missing[1]) == len(text)
