"""The same wishes give the same bytes on every machine, and Codex the same entries for ever."""

from __future__ import annotations

import os
import stat
from pathlib import Path

import pytest

from tests.project.world import ALL, FILES, HOOK, STOP_HOOK, World


def contents(tree: dict[str, bytes | str]) -> dict[str, bytes | str]:
    """Without the modes but for the executable bit, which is all that git keeps."""
    found: dict[str, bytes | str] = {}
    for path, what in tree.items():
        if isinstance(what, bytes):
            mode, _, data = what.partition(b" ")
            found[path] = (b"x " if int(mode, 8) & 0o100 else b"- ") + data
        else:
            found[path] = what
    return found


def test_two_machines_write_the_same_bytes_and_nothing_of_a_machine(
    world: World, tmp_path: Path
) -> None:
    pack = world.pack(
        "local", hooks=HOOK.replace("guard.py", "x.sh"), at=world.repo / "packs/local"
    )
    (pack / "x.sh").write_text("#!/bin/sh\n")
    (pack / "x.sh").chmod(0o755)
    other = tmp_path / "elsewhere" / "ä project with 'quotes'"
    other.mkdir(parents=True)
    world.pack("local", hooks=HOOK.replace("guard.py", "x.sh"), at=other / "packs/local")
    (other / "packs/local/x.sh").write_text("#!/bin/sh\n")
    (other / "packs/local/x.sh").chmod(0o755)
    arguments = ("install", "guard", "./packs/local", *(f"--agent={a}" for a in ALL))
    world.ok(*arguments)
    home = tmp_path / "another home"
    home.mkdir()
    before = os.umask(0o077)
    try:
        for name, value in {
            "HOME": str(home),
            "XDG_CACHE_HOME": str(home / "c"),
            "LANG": "tr_TR.UTF-8",
            "TZ": "Asia/Kathmandu",
            "USER": "somebody",
            "PYTHONHASHSEED": "7",
        }.items():
            world.patch.setenv(name, value)
        world.ok(*arguments, cwd=other)
    finally:
        os.umask(before)
    ours = contents(world.tree())
    assert contents(world.tree(other)) == ours
    for path, what in ours.items():
        data = what if isinstance(what, bytes) else what.encode()
        for place in (tmp_path, home, Path.home(), Path(os.path.realpath("/tmp"))):
            assert f"{place}/".encode() not in data or place == Path("/tmp"), path
        assert str(tmp_path).encode() not in data, path


def test_a_process_with_another_hash_seed_writes_the_same_bytes(world: World) -> None:
    pack = world.pack("local")
    trees = []
    for seed in ("1", "2"):
        folder = world.base / f"seed{seed}"
        folder.mkdir()
        done = world.spawn(
            "install", pack, *(f"--agent={a}" for a in ALL), cwd=folder, PYTHONHASHSEED=seed
        )
        assert done.code == 0, done.text
        trees.append(world.tree(folder))
    assert trees[0] == trees[1]


def test_calls_leave_no_caches_beside_the_code(world: World) -> None:
    world.patch.delenv("PYTHONDONTWRITEBYTECODE")
    world.install("guard")
    before = world.tree()
    assert world.denies(".env")
    assert world.denies(".env")
    world.ok("verify")
    assert world.tree() == before
    assert world.ok("status", "--json").json["state"] == "ok"


def test_vendored_files_are_readable_and_only_programs_are_executable(world: World) -> None:
    world.install("guard")
    for path, what in world.stamped().items():
        if isinstance(what[0], bytes):
            mode = (world.repo / path).stat().st_mode
            assert mode & stat.S_IRUSR
            assert not mode & stat.S_IXUSR, path


# --- Codex trusts a hook by its place and its bytes ------------------------------------------


@pytest.mark.parametrize(
    "mine", [None, '{"hooks": {"Stop": [{"hooks": [{"type": "command", "command": "mine"}]}]}}\n']
)
def test_codex_entries_stay_the_same_over_every_change_of_packs(
    world: World, mine: str | None
) -> None:
    if mine:
        world.write(FILES["codex"], mine)
    world.publish(
        world.pack("slow", hooks=STOP_HOOK.replace("[[hooks]]\n", "[[hooks]]\ntimeout = 500\n"))
    )
    world.install("guard==1.0.0", agents=("codex",))
    wanted = world.read(FILES["codex"])
    for arguments in (
        ("install", "guard==1.1.0"),
        ("install", "helper"),
        ("install", "slow"),
        ("uninstall", "guard"),
        ("install", "helper", "--agent=claude"),
        ("sync",),
    ):
        world.ok(*arguments)
        assert world.read(FILES["codex"]) == wanted, arguments
    if mine:
        groups = world.load(FILES["codex"])["hooks"]["Stop"]
        assert groups[0]["hooks"][0]["command"] == "mine"
        assert len(groups) == 2


def test_codex_entries_have_no_matcher_and_its_own_default_timeouts(world: World) -> None:
    world.install("guard", agents=("codex",))
    events = world.load(FILES["codex"])["hooks"]
    assert len(events) == 10
    for event, groups in events.items():
        assert len(groups) == 1
        assert "matcher" not in groups[0]
        assert groups[0]["hooks"][0]["timeout"] == (3 if event == "SessionEnd" else 600)


def test_a_copy_of_ours_that_codex_trusts_stays_in_its_place(world: World) -> None:
    """The user put a group of his own behind ours: ours keeps its index."""
    world.install("guard", agents=("codex",))
    hooks = world.load(FILES["codex"])
    hooks["hooks"]["Stop"].append({"hooks": [{"type": "command", "command": "mine"}]})
    import json

    world.write(FILES["codex"], json.dumps(hooks, indent=2) + "\n")
    text = world.read(FILES["codex"])
    world.ok("install", "helper")
    assert world.read(FILES["codex"]) == text
