"""One suite for every agent: the same hooks end in what the agent's table predicts.

What a single answer does is measured in test_cells. Here are the answers that meet: hooks that
disagree, that crash, run late or are gone, and what a pack falls back on where the agent cannot do
what it asks. Judged by what reached the model and what lies on the disk; two runs per agent.
"""

from __future__ import annotations

import json
import shlex
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, NamedTuple

import pytest

from hookpm import agents as known_agents
from hookpm.agents.local import HEADLESS, HELD
from hookpm.probe import agents
from hookpm.probe.compare import predicted
from hookpm.probe.run import Outcome, run_agent
from hookpm.probe.scenarios import creates
from hookpm.probe.script import Shell, Turn, do, say

if TYPE_CHECKING:
    from pathlib import Path

    from tests.live.conftest import World

RUN_S = 420.0
RAN, REFUSED, REWRITTEN = "ran", "refused", "rewritten"
SET_TO_BLOCK = "it is set to block then"
INSTEAD = "Use this input instead"

# A hook per pack that says what its scene has it say. `must` blocks when it fails; `strict` denies
# what the agent cannot do; of the others that is left out. In this order they stand in the file.
TERMS = {
    "one": "",
    "strict": 'fallback = { ask = "deny", updatedInput = "deny", "continue:false" = "deny" }',
    "soft": "timeout = 2",
    "must": 'timeout = 5\non_failure = "block"',
    "two": "",
}
MANIFEST = """\
[pack]
name = "{name}"
version = "1.0.0"
description = "Says what the suite has it say"

[[hooks]]
id = "say"
event = "PreToolUse"
matcher = "Bash"
command = 'sh "$HOOKPM_PACK_DIR/say.sh"'
uses = ["ask", "updatedInput", "additionalContext", "continue:false"]
{terms}
"""
# updatedInput in `uses` makes a hook one of those that run first; these two judge with the others.
UNDECLARED = ("one", "two")
KEEP_GOING = """
[[hooks]]
id = "keep-going"
event = "Stop"
command = 'test -e "{once}" || {{ : > "{once}"; echo "{answer}"; }}'
uses = ["block"]
"""
CRASHES = """
[[hooks]]
id = "crash-at-the-end"
event = "Stop"
command = "exit 1"

[[hooks]]
id = "late-at-the-end"
event = "Stop"
command = "echo '{\\"decision\\": \\"block\\", \\"reason\\": \\"too-late-a-block\\"}'; sleep 60"
timeout = 1
"""


def decision(word: str, reason: str) -> str:
    return specific(permissionDecision=word, permissionDecisionReason=reason)


def specific(**fields: object) -> str:
    return printed({"hookSpecificOutput": {"hookEventName": "PreToolUse", **fields}})


def printed(answer: Mapping[str, object]) -> str:
    """The shell command by which a hook gives an answer."""
    return f"printf %s {shlex.quote(json.dumps(answer))}"


def rewrite(name: str) -> str:
    return specific(updatedInput={"command": creates(name)})


class Scene(NamedTuple):
    """A shell call, what hooks say to it (shell commands by hook), and what comes of it.

    word: the capability that it takes. held, lost: the outcome where the agent has it, and where it
    has not. told: what reaches the model then, in this order; told_lost: where it has not.
    """

    name: str
    says: Mapping[str, str]
    word: str = "deny"
    held: str = REFUSED
    lost: str = RAN
    told: tuple[str, ...] = ()
    told_lost: tuple[str, ...] = ()

    @property
    def mark(self) -> str:
        """The call's file, without .made; no scene's name is the end of another's."""
        return f"scene-{self.name}"

    def outcome(self, agent: str) -> tuple[str, tuple[str, ...]]:
        """The outcome and what the model is told, by the agent's table."""
        if holds(agent, self.word):
            return self.held, self.told
        return self.lost, self.told_lost


def allowed(name: str, says: Mapping[str, str]) -> Scene:
    """A failure that lets the call through in every agent."""
    return Scene(name, says, held=RAN)


GONE = 'exec python3 "$HOOKPM_PACK_DIR/gone.py"'
SCENES: tuple[Scene, ...] = (
    allowed("silence", {}),
    Scene("deny", {"one": decision("deny", "reason-1")}, told=("reason-1",)),
    Scene("exit-2", {"one": "echo reason-2 >&2; exit 2"}, told=("reason-2",)),
    allowed("exit-1", {"soft": "echo oops >&2; exit 1"}),
    Scene(
        "two-denies",
        {"two": decision("deny", "reason-3b"), "one": f"sleep 1; {decision('deny', 'reason-3a')}"},
        told=("reason-3a", "reason-3b"),
    ),
    Scene(
        "allow-and-deny",
        {"one": decision("allow", "fine"), "two": decision("deny", "reason-4")},
        told=("reason-4",),
    ),
    allowed("exit-127", {"soft": "exit 127"}),
    Scene(
        "deny-and-allow",
        {"one": decision("deny", "reason-5"), "two": decision("allow", "fine")},
        told=("reason-5",),
    ),
    Scene(
        "ask-and-deny",
        {"one": decision("ask", "sure?"), "two": decision("deny", "reason-6")},
        told=("reason-6",),
    ),
    allowed("killed", {"soft": "kill -9 $$"}),
    Scene(
        "rewrite-and-deny",
        {"one": rewrite("made-of-6"), "two": decision("deny", "reason-7")},
        told=("reason-7",),
    ),
    Scene(
        "crash-and-deny",
        {"soft": "exit 1", "two": decision("deny", "reason-8")},
        told=("reason-8",),
    ),
    allowed("late", {"soft": f"{decision('deny', 'too-late-a-deny')}; sleep 60"}),
    Scene("block-on-exit-1", {"must": "exit 1"}, told=(SET_TO_BLOCK,)),
    Scene("block-when-late", {"must": "sleep 60"}, told=(SET_TO_BLOCK,)),
    allowed("script-gone", {"soft": GONE}),
    Scene("block-when-gone", {"must": GONE}, told=(SET_TO_BLOCK,)),
    Scene(
        "context",
        {"one": specific(additionalContext="news-9")},
        "additionalContext",
        held=RAN,
        told=("news-9",),
    ),
    Scene("rewrite", {"one": rewrite("made-of-rewrite")}, "updatedInput", REWRITTEN),
    Scene(
        "two-rewrites",
        {"two": rewrite("made-by-two"), "one": f"sleep 1; {rewrite('made-of-two-rewrites')}"},
        "updatedInput",
        REWRITTEN,
    ),
    Scene(
        "rewrite-or-deny",
        {"strict": rewrite("made-of-rewrite-or-deny")},
        "updatedInput",
        REWRITTEN,
        REFUSED,
        told_lost=(INSTEAD,),
    ),
    Scene("ask", {"one": decision("ask", "reason-10")}, "ask"),
    Scene(
        "ask-or-deny",
        {"strict": decision("ask", "reason-11")},
        "ask",
        REFUSED,
        REFUSED,
        told_lost=("reason-11",),
    ),
)
# These may end the run: the first in every agent that can stop, the second is for the others.
STOP_OR_DENY = Scene(
    "stop-or-deny",
    {"strict": printed({"continue": False, "stopReason": "reason-12"})},
    "continue:false",
    lost=REFUSED,
    told_lost=("reason-12",),
)
STOP = Scene("stop", {"one": printed({"continue": False, "stopReason": "x"})}, "continue:false")
LAST_WORDS = "The task is done."


class Played(NamedTuple):
    """One run. turns: scene -> its turn. made: the files that its calls left, without .made."""

    outcome: Outcome
    turns: Mapping[str, int]
    made: frozenset[str]
    length: int

    @property
    def asked(self) -> int:
        """How many turns the model was asked for."""
        return sum(request.turn is not None for request in self.outcome.requests)


class Story(NamedTuple):
    """What one agent lived through."""

    agent: str
    together: Played
    stopping: Played


def holds(agent: str, word: str, event: str = "PreToolUse") -> bool:
    """Does the table say that the agent honours this, headless?"""
    support = known_agents.facts_of(agent).cell(event, word).on(HEADLESS)
    return predicted(support) == HELD


def install(world: World, agent: str) -> None:
    """The packs, in the order of TERMS, wired as the agent's users do it."""
    names = []
    for name in TERMS:
        write_pack(world.base / name, name)
        names.append(str(world.base / name))
    other = known_agents.wirable()[0].name
    project = known_agents.load(agent).scope == "project"
    commands = [["install", *names, "--allow-gaps", "--agent", agent if project else other]]
    if not project:
        commands += [["init", "--user-bridge", "--agent", agent], ["allow"]]
    for command in commands:
        done = world.hookpm(*command, "--yes")
        assert done.returncode == 0, done.stdout + done.stderr


def write_pack(folder: Path, name: str) -> None:
    manifest = MANIFEST.format(name=name, terms=TERMS[name])
    if name in UNDECLARED:
        manifest = manifest.replace('"updatedInput", ', "")
    lines = [
        f"*{scene.mark}.made*) {scene.says[name]} ;;"
        for scene in (*SCENES, STOP_OR_DENY, STOP)
        if name in scene.says
    ]
    lines = ["call=$(cat)", 'case "$call" in', *lines, "esac", ""]
    folder.mkdir()
    if name == "one":
        answer = r"{\"decision\": \"block\", \"reason\": \"go-on-13\"}"
        manifest += KEEP_GOING.format(once=folder.parent / "was-kept-going", answer=answer)
    elif name == "soft":
        manifest += CRASHES
    (folder / "hookpack.toml").write_text(manifest, encoding="utf-8")
    (folder / "say.sh").write_text("\n".join(lines), encoding="utf-8")


def script(scenes: tuple[Scene, ...]) -> tuple[list[Turn], dict[str, int]]:
    """The model's turns, and which is whose. Cline ends a run after three refusals in a row."""
    turns: list[Turn] = []
    whose: dict[str, int] = {}
    refusals = 0
    for scene in scenes:
        whose[scene.name] = len(turns)
        turns.append(do(Shell(creates(scene.mark))))
        refusals = refusals + 1 if REFUSED in (scene.held, scene.lost) else 0
        if refusals == 2:
            turns.append(do(Shell(creates(f"between-{len(turns)}"))))
            refusals = 0
    return [*turns, say(LAST_WORDS)], whose


def play(world: World, agent: str, scenes: tuple[Scene, ...]) -> Played:
    turns, whose = script(scenes)
    outcome = run_agent(agent, world.repo, turns, home=world.home, env=world.xdg, timeout=RUN_S)
    made = frozenset(path.stem for path in world.repo.glob("*.made"))
    return Played(outcome, whose, made, len(turns))


@pytest.fixture(scope="module")
def story(agent: str, new_world: Callable[[], World]) -> Story:
    """Both runs of one agent, for all tests below."""
    world = new_world()
    install(world, agent)
    together = play(world, agent, SCENES)
    return Story(agent, together, play(world, agent, (STOP_OR_DENY, STOP)))


def check(played: Played, scene: Scene, agent: str) -> None:
    """Did the scene end as the table predicts?"""
    outcome, told = scene.outcome(agent)
    turn, report = played.turns[scene.name], played.outcome.report()
    assert played.asked > turn + 1, report
    assert (scene.mark in played.made) == (outcome == RAN), report
    assert (f"made-of-{scene.name}" in played.made) == (outcome == REWRITTEN), report
    for text in {*scene.told, *told}:
        assert played.outcome.model_saw(text, after=turn) == (text in told), report
    (following,) = [r for r in played.outcome.requests if r.turn == turn + 1]
    places = [json.dumps(following.body).find(text) for text in told]
    assert places == sorted(places), report


@pytest.mark.prediction
@pytest.mark.parametrize("scene", SCENES, ids=[scene.name for scene in SCENES])
def test_a_call_ends_as_the_agents_table_predicts(story: Story, scene: Scene) -> None:
    check(story.together, scene, story.agent)


@pytest.mark.prediction
def test_what_came_too_late_or_lost_against_another_is_never_heard_of(story: Story) -> None:
    played = story.together
    assert "made-by-two" not in played.made
    assert "made-of-6" not in played.made
    for text in ("too-late-a-deny", "too-late-a-block"):
        assert not played.outcome.model_saw(text), played.outcome.report()


@pytest.mark.prediction
def test_at_the_end_a_block_counts_and_hooks_that_fail_do_not(story: Story) -> None:
    played = story.together
    kept_going = holds(story.agent, "block", "Stop")
    assert played.outcome.ending == "exit", played.outcome.report()
    assert played.asked == played.length + kept_going, played.outcome.report()
    assert played.outcome.model_saw("go-on-13") == kept_going, played.outcome.report()


@pytest.mark.prediction
def test_a_stop_stops_or_is_met_by_the_packs_fallback(story: Story) -> None:
    played, agent = story.stopping, story.agent
    assert played.outcome.ending == "exit", played.outcome.report()
    if holds(agent, STOP_OR_DENY.word):
        assert played.asked == 1, played.outcome.report()
    else:
        check(played, STOP_OR_DENY, agent)
        check(played, STOP, agent)


@pytest.mark.parametrize("name", agents.names())
def test_the_table_predicts_every_scene(name: str) -> None:
    words = {scene.word for scene in (*SCENES, STOP_OR_DENY, STOP)}
    facts = known_agents.facts_of(name)
    supports = {word: facts.cell("PreToolUse", word).on(HEADLESS) for word in words}
    supports["Stop.block"] = facts.cell("Stop", "block").on(HEADLESS)
    assert "unknown" not in supports.values(), supports
