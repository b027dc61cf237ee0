"""Two people who install the same write the same bytes, whatever their machines are like."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path
from typing import NamedTuple

import pytest

from hookpm import agents
from tests.project.world import CHECKOUT, World

AGENTS = tuple(f"--agent={agent.name}" for agent in agents.wirable())
EVERYONE = tuple(f"--agent={name}" for name in agents.names())


class Machine(NamedTuple):
    """What differs. repo: the project's folder below the test's; cwd: where hookpm is started."""

    repo: str = "repo"
    cwd: str = "."
    umask: int = 0o022
    python: str = sys.executable
    variables: tuple[tuple[str, str], ...] = ()


MACHINES = {
    "a home elsewhere": Machine(variables=(("HOME", "{base}/Users/ö x"), ("USER", "other"))),
    "started in a subfolder": Machine(cwd="src/deep"),
    "a folder far down": Machine(repo="a/b/c/d/e/f/g/h/i/j/k/l"),
    "blanks, quotes and letters of any script": Machine(repo='it\'s "my" $HOME/grün 日本/ré po'),
    "files for the user alone": Machine(umask=0o077),
    "files for a group": Machine(umask=0o002),
    "another locale": Machine(variables=(("LC_ALL", "C"), ("LANG", "C"), ("PYTHONUTF8", "0"))),
    "a Turkish locale": Machine(variables=(("LC_ALL", "tr_TR.UTF-8"), ("LANG", "tr_TR.UTF-8"))),
    "another PATH": Machine(variables=(("PATH", "/usr/bin:/bin:{base}/nowhere"),)),
    "another order of hashes": Machine(variables=(("PYTHONHASHSEED", "4711"),)),
    "another time zone": Machine(variables=(("TZ", "Asia/Kathmandu"),)),
    "a build's clock": Machine(variables=(("SOURCE_DATE_EPOCH", "0"),)),
    "a terminal's colours": Machine(variables=(("FORCE_COLOR", "1"), ("COLUMNS", "40"))),
}


def installed(world: World, base: Path, machine: Machine, *arguments: str) -> dict[str, str]:
    """Path -> bytes in hex and whether it is executable, after an install on that machine."""
    repo = base / machine.repo
    (repo / machine.cwd).mkdir(parents=True, exist_ok=True)
    (base / "home").mkdir(exist_ok=True)
    subprocess.run(["git", "init", "-q", str(repo)], check=True)
    (repo / ".claude").mkdir(exist_ok=True)
    (repo / ".claude/settings.json").write_text('{\n  "model": "x"\n}\n')
    variables = {key: value.format(base=base) for key, value in machine.variables}
    home = Path(variables.get("HOME", base / "home"))
    home.mkdir(parents=True, exist_ok=True)
    xdg = {f"XDG_{name}_HOME": str(home / name) for name in ("CACHE", "CONFIG", "DATA")}
    done = subprocess.run(
        [machine.python, "-m", "hookpm", "install", "protect-secrets", "--yes", *arguments],
        cwd=repo / machine.cwd,
        env={**os.environ, "HOME": str(home), "PYTHONPATH": str(CHECKOUT), **xdg, **variables},
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        timeout=300,
        check=False,
        umask=machine.umask,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    top = home if "--user" in arguments else repo
    found = {}
    for path in sorted(top.rglob("*")):
        name = path.relative_to(top).as_posix()
        if path.is_file() and not name.startswith((".git/", "CACHE/", "DATA/", "CONFIG/")):
            mode = "executable" if os.access(path, os.X_OK) else "plain"
            found[name] = f"{mode} {path.read_bytes().hex()}"
    return found


@pytest.fixture(scope="module")
def usual() -> dict[str, dict[str, str]]:
    """What the usual machine writes, once for all."""
    return {}


@pytest.mark.parametrize("name", MACHINES)
def test_a_project_is_the_same_on_every_machine(
    name: str, world: World, usual: dict[str, dict[str, str]], tmp_path: Path
) -> None:
    if not usual:
        usual.update(project=installed(world, tmp_path / "usual", Machine(), *AGENTS))
        assert len(usual["project"]) > 80
    other = installed(world, tmp_path / "other", MACHINES[name], *AGENTS)
    assert other.keys() == usual["project"].keys()
    different = [path for path, what in other.items() if what != usual["project"][path]]
    assert different == []


def test_user_scope_is_the_same_in_every_home(world: World, tmp_path: Path) -> None:
    one = installed(world, tmp_path / "one", Machine(), "--user", *EVERYONE)
    other = installed(world, tmp_path / "two", MACHINES["a home elsewhere"], "--user", *EVERYONE)
    assert one == other
    text = "".join(
        bytes.fromhex(what.split()[1]).decode("utf-8", "replace") for what in one.values()
    )
    assert str(tmp_path) not in text


def test_nothing_of_the_machine_is_in_any_file(world: World, tmp_path: Path) -> None:
    place = tmp_path / "a folder with a name"
    for what in installed(world, place, Machine(), *AGENTS).values():
        data = bytes.fromhex(what.split()[1])
        for mine in (str(tmp_path), place.name, sys.executable, os.uname().nodename):
            assert mine.encode() not in data or len(mine) < 4, mine


def other_pythons() -> list[str]:
    """Interpreters of another version that can run hookpm here."""
    found = []
    for minor in (10, 12, 13, 14):
        program = shutil.which(f"python3.{minor}")
        if program is not None:
            probe = [program, "-c", "import hookpm.cli.main, msgspec, packaging, tomlkit"]
            path = {**os.environ, "PYTHONPATH": str(CHECKOUT)}
            if subprocess.run(probe, env=path, capture_output=True, check=False).returncode == 0:
                found.append(program)
    return found


def test_another_python_writes_the_same(world: World, tmp_path: Path) -> None:
    pythons = other_pythons()
    if not pythons:
        pytest.skip("no other Python here can run hookpm")
    usual = installed(world, tmp_path / "usual", Machine(), *AGENTS)
    for number, python in enumerate(pythons):
        other = installed(world, tmp_path / str(number), Machine(python=python), *AGENTS)
        assert other == usual, python
