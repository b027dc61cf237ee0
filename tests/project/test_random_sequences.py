"""Random files through random sequences of install, edit, update and uninstall."""

from __future__ import annotations

import random
from typing import Any

import pytest
from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import (
    RuleBasedStateMachine,
    initialize,
    invariant,
    rule,
    run_state_machine_as_test,
)

from hookpm import agents
from hookpm.edit import tomldoc
from hookpm.edit.jsontree import BOM
from hookpm.project import wire, wiretoml
from tests.conftest import Tally
from tests.edit import test_jsonedit_random as json_files
from tests.edit import test_tomledit_random as toml_files
from tests.project.test_every_config import entries, theirs

SEEDS = st.integers(0, 2**40)
EVENTS = st.sets(st.sampled_from(("PreToolUse", "PostToolUse", "SessionStart", "Stop")), min_size=1)
LONGEST = st.sampled_from((5.0, 900.0))
counted = {"sequences": 0, "steps": 0}


class Sequence(RuleBasedStateMachine):
    """mine: the file as it is without hookpm; text: as it is; undo: our record of it."""

    def __init__(self) -> None:
        super().__init__()
        self.mine = self.text = ""
        self.undo: tuple[str, ...] = ()
        self.wired = False
        counted["sequences"] += 1

    def settle(self, outcome: wire.Outcome) -> None:
        counted["steps"] += 1
        if outcome.findings:  # its agent would drop it: left alone
            assert outcome.text == self.text
            return
        self.text, self.undo, self.wired = outcome.text or "", outcome.undo, True


class JsonSequence(Sequence):
    @initialize(seed=SEEDS, name=st.sampled_from(("claude", "gemini", "qwen")))
    def begin(self, seed: int, name: str) -> None:
        self.agent = agents.load(name)
        self.mine = self.text = json_files.document(random.Random(seed))

    @rule(events=EVENTS, longest=LONGEST)
    def install_or_update(self, events: set[str], longest: float) -> None:
        wanted = entries(self.agent, tuple(sorted(events)), longest)
        self.settle(wire.wire(self.agent, self.text, wanted, self.undo))

    @rule(seed=SEEDS)
    def edit(self, seed: int) -> None:
        counted["steps"] += 1
        self.mine, self.text = json_files.edit_both(random.Random(seed), self.mine, self.text)

    @rule()
    def uninstall(self) -> None:
        counted["steps"] += 1
        gone = wire.unwire(self.agent, self.text, self.undo)
        if not gone.findings:
            assert gone.text == self.mine
            self.text, self.undo, self.wired = self.mine, (), False

    @invariant()
    def what_is_not_ours_means_the_same(self) -> None:
        if self.mine:
            assert theirs(self.agent, self.text) == theirs(self.agent, self.mine)

    def teardown(self) -> None:
        if self.mine:
            self.uninstall()


class TomlSequence(Sequence):
    @initialize(seed=SEEDS)
    def begin(self, seed: int) -> None:
        self.agent = agents.load("kimi")
        self.mine = self.text = toml_files.valid(random.Random(seed))[0]

    @rule(events=EVENTS, longest=LONGEST)
    def install_or_update(self, events: set[str], longest: float) -> None:
        wanted = entries(self.agent, tuple(sorted(events)), longest)
        self.settle(wiretoml.wire(self.agent, self.text, wanted, self.undo))

    @rule(comment=st.sampled_from(("# mine\n", "\n", "# [[hooks]]\n")))
    def edit_above(self, comment: str) -> None:
        counted["steps"] += 1
        mark = BOM if self.mine.startswith(BOM) else ""
        if self.mine.removeprefix(mark).strip():
            self.mine = mark + comment + self.mine.removeprefix(mark)
            self.text = mark + comment + self.text.removeprefix(mark)

    @rule()
    def uninstall(self) -> None:
        counted["steps"] += 1
        gone = wiretoml.unwire(self.agent, self.text, self.undo)
        if not gone.findings:
            assert gone.text == self.mine
            self.text, self.undo, self.wired = self.mine, (), False

    @invariant()
    def what_is_not_ours_means_the_same(self) -> None:
        ours, mine = (_plain(self.text), _plain(self.mine))
        assert ours == mine

    def teardown(self) -> None:
        self.uninstall()


def _plain(text: str) -> Any:
    """The values without our entries, and without a list that held nothing else."""
    value = dict(tomldoc.parse(text).value)
    owner_of = agents.load("kimi").wiring.owner_of
    hooks = value.get("hooks")
    if isinstance(hooks, list):
        value["hooks"] = [each for each in hooks if owner_of(each) is None]
        if not value["hooks"]:
            del value["hooks"]
    return repr(value)


@pytest.mark.parametrize("machine", [JsonSequence, TomlSequence])
def test_whatever_happens_in_between_an_uninstall_leaves_the_users_file(
    machine: type[Sequence], tally: Tally
) -> None:
    before = dict(counted)
    run_state_machine_as_test(
        machine,
        settings=settings(
            max_examples=120,
            stateful_step_count=8,
            deadline=None,
            suppress_health_check=list(HealthCheck),
        ),
    )
    tally(
        random_sequences=counted["sequences"] - before["sequences"],
        steps_of_random_sequences=counted["steps"] - before["steps"],
    )
