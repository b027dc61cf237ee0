"""hookpm --help and the help of each command: complete, alike, true, and quick to come."""

from __future__ import annotations

import shlex
import subprocess
import sys

import pytest

from hookpm.cli import commands, parser
from hookpm.cli.commands import COMMANDS, GROUPS
from hookpm.cli.examples import EXAMPLES, EXITS
from hookpm.cli.pack import VERBS
from tests.project.world import World

HEAVY = {"argparse", "json", "re", "typing", "pathlib", "subprocess", "requests", "rich", "tomlkit"}
SHARED = ("--root DIR", "--user", "--json", "--dry-run", "--offline", "-y, --yes", "--allow-gaps")


def test_hookpm_alone_shows_the_help(world: World) -> None:
    assert world.ok().out == world.ok("--help").out


def test_every_command_stands_in_one_group_of_the_overview(world: World) -> None:
    lines = world.ok("--help").out.splitlines()
    for purpose, verbs in GROUPS.items():
        at = lines.index(f"{purpose}:") + 1
        assert [line.split()[0] for line in lines[at : at + len(verbs)]] == list(verbs)
    modules = {name for names in GROUPS.values() for name in names}
    assert len(modules) == sum(map(len, GROUPS.values()))
    assert all(commands.module(name).add_arguments for name in modules)


def test_the_overview_imports_nothing_that_costs() -> None:
    show = "import sys; from hookpm.cli import main; main.run(['--help']); print(*sys.modules)"
    shown = {}
    for code in (show, "import sys; print(*sys.modules)"):
        done = subprocess.run(
            [sys.executable, "-S", "-c", code], capture_output=True, text=True, check=True
        )
        shown[code] = set(done.stdout.splitlines()[-1].split())
    new = shown[show] - shown["import sys; print(*sys.modules)"]
    assert "hookpm.cli.main" in new
    assert not {name.partition(".")[0] for name in new} & HEAVY
    assert not new & {"hookpm.cli.parser", "hookpm.cli.examples", "hookpm.cli.common"}


@pytest.mark.parametrize("command", [*COMMANDS, *(f"pack {verb}" for verb in VERBS)])
def test_every_command_has_help_that_explains_every_option(world: World, command: str) -> None:
    done = world.ok(*command.split(), "--help")
    assert done.out.startswith(f"usage: hookpm {command}")
    assert done.err == ""
    for line in done.out.splitlines():
        assert len(line) <= 100, line


def test_an_option_reads_the_same_in_every_command(world: World) -> None:
    texts: dict[str, set[str]] = {}
    for command in set(COMMANDS) - {"schema"}:  # whose --json says that a schema is JSON already
        shown = world.ok(command, "--help").out.partition("\nex")[0]
        words = " ".join(shown.partition("\noptions:")[2].split())
        for option in SHARED:
            _, found, text = words.partition(f" {option} ")
            if found:
                texts.setdefault(option, set()).add(" ".join(text.split()[:3]))
    assert set(texts) == set(SHARED)
    assert all(len(each) == 1 for each in texts.values()), texts


@pytest.mark.parametrize("line", [line for lines in EXAMPLES.values() for line in lines])
def test_the_examples_of_the_help_are_command_lines_that_hookpm_takes(line: str) -> None:
    hookpm, *arguments = shlex.split(line)
    assert hookpm == "hookpm"
    assert parser.parse(arguments) is not None


def test_every_example_stands_in_the_help_of_its_command(world: World) -> None:
    for command, lines in EXAMPLES.items():
        shown = world.ok(*command.split(), "--help").out
        for line in lines:
            assert f"{line} ".startswith(f"hookpm {command} ")
            assert f"\n  {line}\n" in shown


@pytest.mark.parametrize("command", EXITS)
def test_what_an_exit_code_says_stands_in_the_help(world: World, command: str) -> None:
    assert f"\nexit code: {EXITS[command]}\n" in world.ok(*command.split(), "--help").out
