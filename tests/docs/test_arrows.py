"""The house as docs/how-it-works.md draws it: imports go down, from floor to floor."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

import hookpm

PACKAGE = Path(hookpm.__file__).parent
FLOORS = (
    {"contract"},
    {"agents", "edit", "bridge"},
    {"packs", "registry", "resolve"},
    {"audit", "probe", "project"},
    {"cli"},
)
FLOOR = {name: floor for floor, names in enumerate(FLOORS) for name in names}
BELOW_THE_BRIDGE = {"contract", "bridge", "agents"}  # of agents the translations alone


def imports(file: Path) -> Iterator[str]:
    """The dotted names below hookpm that a file imports, wherever in it."""
    for node in ast.walk(ast.parse(file.read_text())):
        if isinstance(node, ast.ImportFrom) and node.module and node.module.startswith("hookpm"):
            yield from (f"{node.module}.{alias.name}" for alias in node.names)
        elif isinstance(node, ast.Import):
            yield from (a.name for a in node.names if a.name.startswith("hookpm."))


def rooms(file: Path) -> Iterator[str]:
    """The folders of the house that a file imports from."""
    for name in imports(file):
        part = name.split(".")[1]
        if part in FLOOR:
            yield part


def test_every_folder_of_the_house_has_its_floor() -> None:
    found = {p.parent.name for p in PACKAGE.glob("*/__init__.py")}
    assert found == set(FLOOR)


def test_no_module_imports_from_a_floor_above_its_own() -> None:
    wrong = [
        f"{file.relative_to(PACKAGE)} imports {room}"
        for folder, floor in FLOOR.items()
        for file in (PACKAGE / folder).rglob("*.py")
        for room in rooms(file)
        if FLOOR[room] > floor
    ]
    assert wrong == []


def test_the_bridge_stands_on_the_contract_and_the_translations_alone() -> None:
    wrong = [
        f"{file.name} imports {name}"
        for file in (PACKAGE / "bridge").rglob("*.py")
        for name in imports(file)
        if name.split(".")[1] not in BELOW_THE_BRIDGE
    ]
    assert wrong == []
