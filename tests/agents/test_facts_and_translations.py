"""What the facts say an agent supports is what its translation really emits, and nothing else."""

from __future__ import annotations

import importlib
from pathlib import Path

import pytest

from hookpm import agents
from hookpm.agents.facts import MEETS
from hookpm.contract.events import EVENTS

NAMES = [
    name
    for name in agents.names()
    if (Path(agents.__file__).parent / name / "translate.py").is_file()
]


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("event", EVENTS)
def test_facts_and_translation_agree(name: str, event: str) -> None:
    supported = importlib.import_module(f"hookpm.agents.{name}.translate").SUPPORTED.get(event, ())
    cells = agents.load(name).facts.cells(event)
    words = {word: {cell.support, *cell.surfaces.values()} for word, cell in cells.items()}
    promised = {word for word, support in words.items() if support & MEETS}
    allowed = {word for word, support in words.items() if support & (MEETS | {"unknown"})}
    assert promised <= set(supported) <= allowed
