"""`sync --locked` installs just what the lock says, and refuses any other byte."""

from __future__ import annotations

import shutil

import pytest

from hookpm.project.vendor import bridge_files
from tests.project.world import HOOK, STOP_HOOK, World

LINE = 'opt = "~=1.0"'


@pytest.fixture
def locked(world: World) -> World:
    """The pack opt, with an option and two hooks, in claude and codex; all of it committed."""
    more = '[options.word]\ntype = "str"\ndefault = "a"\n'
    world.publish(world.pack("opt", hooks=HOOK + STOP_HOOK, more=more))
    world.install("opt", agents=("claude", "codex"))
    world.git("add", "-A")
    world.git("commit", "-qm", "x")
    return world


def edit(world: World, was: str, becomes: str) -> None:
    text = world.read(".agents/hookpm.toml")
    assert was in text
    world.write(".agents/hookpm.toml", text.replace(was, becomes))


@pytest.mark.parametrize(
    ("was", "becomes", "words"),
    [
        (LINE, 'opt = { version = "~=1.0", options = { word = "b" } }', "options or agents"),
        (LINE, 'opt = { version = "~=1.0", agents = ["claude"] }', "options or agents"),
        (LINE, 'opt = { version = "~=1.0", disable = ["tell"] }', "other hooks of opt are on"),
        (LINE, 'opt = "==2.0"', "no version of opt"),
        (LINE, f"{LINE}\nhelper = '*'", "helper is wanted, but not in the lock"),
        (LINE, "", "wants no packs"),
        ('["claude", "codex"]', '["claude", "codex", "gemini"]', "the wired agents"),
        ('["claude", "codex"]', '["claude"]', "the wired agents"),
    ],
)
def test_what_hookpm_toml_wants_otherwise_is_refused(
    locked: World, was: str, becomes: str, words: str
) -> None:
    edit(locked, was, becomes)
    before = locked.stamped()
    done = locked.run("sync", "--locked")
    assert (done.code, words in done.err) in ((1, True), (3, True)), done.text
    assert locked.stamped() == before
    if becomes not in ("", 'opt = "==2.0"'):
        locked.ok("sync")
        assert locked.ok("sync", "--locked").out.endswith("nothing to change\n")


def test_another_agent_on_the_command_line_is_refused(locked: World) -> None:
    assert locked.run("sync", "--locked", "--agent=gemini").code == 1


def test_a_hook_of_the_users_own_that_is_not_wired_yet_is_refused(locked: World) -> None:
    document = locked.load(".agents/hooks.json")
    document["hooks"]["SessionEnd"] = [{"hooks": [{"type": "command", "command": "true"}]}]
    import json

    locked.write(".agents/hooks.json", json.dumps(document))
    assert locked.run("sync", "--locked").code == 1


def test_another_hookpms_bridge_is_refused(locked: World, monkeypatch: pytest.MonkeyPatch) -> None:
    newer = {**bridge_files(), "bridge.py": b"# newer\n"}
    monkeypatch.setattr("hookpm.project.generated.bridge_files", lambda: newer)
    done = locked.run("sync", "--locked")
    assert (done.code, "bridge.py would be another hookpm version's" in done.err) == (1, True)


@pytest.mark.parametrize(
    "lost",
    [".agents/hookpm", ".agents/hooks.json", ".claude", ".codex", ".agents/hookpm/packs/opt"],
)
def test_what_was_lost_comes_back_just_as_it_was_locked(locked: World, lost: str) -> None:
    before = locked.tree()
    path = locked.repo / lost
    shutil.rmtree(path) if path.is_dir() else path.unlink()
    locked.ok("sync", "--locked")
    assert locked.tree() == before


@pytest.mark.parametrize("path", [".agents/hookpm/packs/opt/guard.py", ".agents/hookpm/bridge.py"])
def test_what_was_edited_is_restored_to_the_locked_byte(locked: World, path: str) -> None:
    before = locked.tree()
    locked.write(path, "evil()\n")
    locked.ok("sync", "--locked")
    assert locked.tree() == before


def test_a_release_that_changed_in_the_registry_is_refused(locked: World) -> None:
    shutil.rmtree(locked.repo / ".agents/hookpm/packs")
    shutil.rmtree(locked.index)
    more = '[options.word]\ntype = "str"\ndefault = "a"\n'
    files = {"guard.py": "evil()\n"}
    locked.publish(locked.pack("opt", hooks=HOOK + STOP_HOOK, more=more, files=files))
    before = locked.stamped()
    done = locked.run("sync", "--locked")
    assert done.code == 1, done.text
    assert locked.stamped() == before
