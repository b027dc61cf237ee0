"""The agents' facts: complete, consistent, and with evidence."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from hookpm import agents
from hookpm.agents import facts as facts_module
from hookpm.agents.facts import BASIS, MEETS, SUPPORT, Facts, check, read, weakest
from hookpm.contract.events import CAPABILITIES, EVENTS
from hookpm.errors import FileFormatError, UsageError

FOLDER = Path(facts_module.__file__).parent
NAMES = sorted(path.parent.name for path in FOLDER.glob("*/facts.toml"))


def facts_of(name: str) -> Facts:
    return read(FOLDER / name / "facts.toml")


def test_agents_are_found_by_their_folders() -> None:
    assert list(agents.known()) == NAMES
    assert {"claude", "codex", "gemini", "copilot", "cursor"} <= set(agents.names()) <= set(NAMES)


def test_an_unknown_agent_is_refused_with_near_names() -> None:
    with pytest.raises(UsageError) as caught:
        agents.load("codx")
    assert "codex" in (caught.value.hint or "")
    with pytest.raises(UsageError) as caught:
        agents.load("zzz")
    assert "claude" in (caught.value.hint or "")


@pytest.mark.parametrize("name", NAMES)
def test_every_capability_of_every_event_has_a_cell_with_evidence(name: str) -> None:
    facts = facts_of(name)
    assert facts.name == name
    assert set(facts.events) == set(EVENTS)
    for event, words in CAPABILITIES.items():
        cells = facts.cells(event)
        assert tuple(cells) == tuple(words)
        for cell in cells.values():
            assert cell.support in SUPPORT
            assert cell.basis in BASIS
            assert cell.version
            assert cell.source


@pytest.mark.parametrize("name", NAMES)
def test_markers_show_one_agent_only(name: str) -> None:
    others = [marker for other in NAMES if other != name for marker in facts_of(other).markers]
    markers = facts_of(name).markers
    assert markers
    assert not set(markers) & {*others, "AGENTS.md"}


@pytest.mark.parametrize("name", NAMES)
def test_another_agents_file_that_is_also_read_is_really_another_agents(name: str) -> None:
    assert facts_of(name).config not in facts_of(name).also_reads


def test_what_decides_over_safety_is_as_measured() -> None:
    cells = {
        (name, event, word): facts_of(name).cell(event, word).support
        for name in NAMES
        for event in EVENTS
        for word in CAPABILITIES[event]
    }
    assert cells["codex", "PreToolUse", "ask"] == "dropped"
    assert cells["codex", "PreToolUse", "continue:false"] == "dropped"
    assert cells["gemini", "PreToolUse", "ask"] == "dropped"
    assert cells["gemini", "PreCompact", "block"] == "dropped"
    assert cells["copilot", "PreToolUse", "ask"] == "translated"
    assert cells["cursor", "PreToolUse", "ask"] not in MEETS
    assert cells["claude", "PreToolUse", "defer"] == "unknown"
    for name in ("claude", "codex", "gemini", "copilot", "cursor"):
        assert cells[name, "PreToolUse", "deny"] in MEETS
        assert cells[name, "PostToolUse", "block"] in MEETS


def test_an_event_that_an_agent_lacks_makes_its_cells_absent() -> None:
    text = (FOLDER / "codex" / "facts.toml").read_text(encoding="utf-8")
    head, _, _ = text.partition("[events.PreCompact]")
    facts = parsed(head + '[events.PreCompact]\nnative = ""\n')
    assert facts.cell("PreCompact", "block").support == "absent"
    assert facts.native("PreCompact") == ""


def test_a_word_that_the_contract_lacks_is_a_key_error() -> None:
    with pytest.raises(KeyError):
        facts_of("codex").cell("Stop", "deny")


def test_the_json_of_the_facts_has_every_answer_on_every_surface() -> None:
    events = facts_of("gemini").json()
    assert set(events) == set(EVENTS)
    ask = events["PreToolUse"]["answers"]["ask"]
    assert set(ask) == {"support", "basis", "version", "source", "note", "surfaces"}
    assert ask["surfaces"] == {"headless": "dropped", "interactive": "translated"}
    assert events["PreToolUse"]["native"] == "BeforeTool"
    assert events["SessionEnd"]["answers"] == {}
    json.dumps(events)


def test_the_weakest_surface_decides() -> None:
    assert weakest(["native", "dropped"]) == "dropped"
    assert weakest(["unknown", "emulated"]) == "unknown"
    assert weakest(["absent", "dropped"]) == "absent"


def parsed(text: str) -> Facts:
    import msgspec

    return msgspec.toml.decode(text, type=Facts)


@pytest.mark.parametrize(
    ("old", "new", "words"),
    [
        ('block = { support = "dropped", note = "ignored" }\n', "", "no cell for PreCompact.block"),
        ('support = "native"', 'support = "naive"', "unknown support 'naive'"),
        ('basis = "observed"', 'basis = "guessed"', "unknown basis 'guessed'"),
        ("[events.Stop]", "[events.Stopp]\nnative = 'x'\n[events.Stop]", "unknown event Stopp"),
        ('headless = "dropped"', 'headless = "native"', "weakest of the surfaces"),
        ('headless = "dropped", ', "", "surfaces need headless and interactive"),
        (', note = "does not skip the approval"', "", "needs a note"),
        ("[events.Stop.answers]", "[events.Stop.answers]\ndeny = {support='native'}", "Stop.deny"),
    ],
)
def test_facts_that_do_not_fit_the_contract_are_named(old: str, new: str, words: str) -> None:
    text = (FOLDER / "gemini" / "facts.toml").read_text(encoding="utf-8")
    assert old in text
    assert any(words in line for line in check(parsed(text.replace(old, new, 1))))


@pytest.mark.parametrize("broken", ["name = ", 'name = "x"\nextra = 1\n', "\xff"])
def test_a_broken_facts_file_is_named(tmp_path: Path, broken: str) -> None:
    file = tmp_path / "facts.toml"
    file.write_bytes(broken.encode("latin-1"))
    with pytest.raises(FileFormatError) as caught:
        read(file)
    assert caught.value.file == str(file)
