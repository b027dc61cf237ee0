"""update and outdated: newer versions within what hookpm.toml takes, and a look at them first."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.project.world import ALL, FILES, HOOK, STOP_HOOK, World
from tests.registry.gitrepo import make

NEEDS = '[dependencies]\nhelper = "{}"\n'


def version(world: World, name: str) -> str:
    packs = world.ok("list", "--json").json["packs"]
    return str(next(p["version"] for p in packs if p["name"] == name))


def versions(world: World) -> dict[str, str]:
    return {p["name"]: p["version"] for p in world.ok("list", "--json").json["packs"]}


@pytest.fixture
def old(world: World) -> World:
    """guard ~=1.0 at 1.0.0, although 1.1.0 and 2.0.0 are there."""
    world.install("guard==1.0.0", agents=("claude", "codex"))
    text = world.read(".agents/hookpm.toml").replace('"==1.0.0"', '"~=1.0"  # mine')
    world.write(".agents/hookpm.toml", text)
    return world


def test_an_update_takes_the_best_version_that_the_line_takes(old: World) -> None:
    settings = old.read(".agents/hookpm.toml")
    old.ok("sync")
    assert version(old, "guard") == "1.0.0"
    done = old.ok("update")
    assert "updating guard 1.1.0 from embedded (was 1.0.0)" in done.out
    assert version(old, "guard") == "1.1.0"
    assert old.read(".agents/hookpm.toml") == settings
    assert old.ok("update").out.endswith("nothing to change\n")


def test_only_the_named_pack_moves(old: World) -> None:
    old.install("helper")
    old.publish(old.pack("helper", "1.1.0"))
    old.ok("update", "guard")
    assert versions(old) == {"guard": "1.1.0", "helper": "1.0.0"}
    old.ok("update")
    assert versions(old) == {"guard": "1.1.0", "helper": "1.1.0"}


@pytest.mark.parametrize(("wants", "helper"), [(">=1", "1.0.0"), (">=1.1", "1.1.0")])
def test_what_a_pack_needs_moves_only_where_it_has_to(
    world: World, wants: str, helper: str
) -> None:
    world.publish(world.pack("top", "1.0.0", more=NEEDS.format(">=1")))
    world.install("top")
    world.publish(world.pack("helper", "1.1.0"), world.pack("helper", "1.2.0"))
    world.publish(world.pack("top", "1.1.0", more=NEEDS.format(wants)))
    before = world.ok("update", "top", "--json").json["packs"]
    assert {p["name"]: p["action"] for p in before}["top"] == "update"
    assert versions(world)["helper"] == ("1.0.0" if helper == "1.0.0" else "1.2.0")


def test_a_dependency_can_be_updated_by_its_own_name(world: World) -> None:
    world.publish(world.pack("top", more=NEEDS.format(">=1,<1.2")))
    world.install("top")
    world.publish(world.pack("helper", "1.1.0"), world.pack("helper", "1.2.0"))
    world.ok("update", "helper")
    assert versions(world) == {"top": "1.0.0", "helper": "1.1.0"}
    assert "helper" not in world.read(".agents/hookpm.toml")


def test_a_dry_run_writes_nothing_and_shows_the_diff(old: World) -> None:
    before = old.stamped()
    done = old.ok("update", "--dry-run")
    assert '-version = "1.0.0"' in done.out
    assert old.ok("update", "--dry-run", "--json").json["would_change"] is True
    assert old.stamped() == before


def test_the_document_is_that_of_every_change(old: World) -> None:
    done = old.ok("update", "--json").json
    assert done["packs"] == [
        {"name": "guard", "version": "1.1.0", "source": "embedded", "action": "update"}
    ]
    assert done["changed"] is True
    assert {v["agent"]: v["ok"] for v in done["verified"]} == {"claude": True, "codex": True}


def test_an_update_shows_what_changes_in_what_runs(old: World) -> None:
    hooks = HOOK.replace("Read|Edit", "Read|Grep|Edit") + STOP_HOOK
    old.publish(old.pack("guard", "1.2.0", hooks=hooks, files={"guard.py": "evil()\n"}))
    done = old.ok("update")
    for words in (
        'matcher: "Read|Edit|Write|Bash" -> "Read|Grep|Edit|Write|Bash"',
        "new hook tell at Stop",
        "runs: true",
        "file guard.py: changed, 1 line",
        "  - import json, sys",
        "  + evil()",
    ):
        assert words in done.err, words


def test_a_need_that_an_agent_does_not_meet_refuses_before_anything_is_written(old: World) -> None:
    hooks = HOOK.replace('["deny"]', '["deny", "ask"]')
    old.publish(old.pack("guard", "1.2.0", hooks=hooks))
    before = old.stamped()
    done = old.run("update")
    assert (done.code, "codex" in done.err, "ask" in done.err) == (1, True, True)
    assert old.stamped() == before
    old.ok("update", "--allow-gaps")
    assert version(old, "guard") == "1.2.0"


@pytest.mark.parametrize(
    "change",
    [
        {"timeout = 10": "timeout = 500"},
        {"Read|Edit|Write|Bash": "*"},
        {'run = "guard.py"': 'command = "sh other.sh"'},
        {'id = "guard"': 'id = "other"'},
    ],
    ids=str,
)
def test_what_the_user_trusted_in_codex_stays_as_it_was(old: World, change: dict[str, str]) -> None:
    """Codex trusts an entry by file, position and hash; and no other agent's file changes."""
    old.ok("sync", *(f"--agent={name}" for name in ALL))
    hooks = HOOK
    for was, now in change.items():
        hooks = hooks.replace(was, now)
    before = {name: old.read(FILES[name]) for name in ("codex", "claude")}
    old.publish(old.pack("guard", "1.5.0", hooks=hooks, files={"other.sh": "exit 0\n"}))
    old.ok("update")
    assert version(old, "guard") == "1.5.0"
    assert old.read(FILES["codex"]) == before["codex"]
    if "timeout = 10" not in change:
        assert old.read(FILES["claude"]) == before["claude"]


def test_a_withdrawn_version_is_left_even_for_a_lower_one_and_kept_where_it_is_the_only_one(
    world: World,
) -> None:
    world.install("guard==1.1.0")
    text = world.read(".agents/hookpm.toml").replace('"==1.1.0"', '"~=1.0"')
    world.write(".agents/hookpm.toml", text)
    withdraw(world, "guard", "1.1.0")
    assert "guard 1.1.0 was withdrawn" in world.run("outdated").out
    world.ok("update")
    assert version(world, "guard") == "1.0.0"
    withdraw(world, "guard", "1.0.0")
    world.ok("update")
    assert version(world, "guard") == "1.0.0"


def withdraw(world: World, name: str, number: str) -> None:
    page = world.index / "packs" / f"{name}.json"
    import json

    data = json.loads(page.read_text())
    for release in data["versions"]:
        if release["version"] == number:
            release["yanked"] = True
    page.write_text(json.dumps(data))


@pytest.mark.parametrize(
    ("arguments", "code", "words"),
    [
        (("update", "gaurd"), 3, "did you mean guard?"),
        (("update", "nothing-like-it"), 3, "installed: guard"),
        (("update", "guard>=2"), 3, "not installed"),
        (("update", "--frobnicate"), 2, "unknown option"),
    ],
)
def test_what_cannot_be_updated_is_said(
    old: World, arguments: tuple[str, ...], code: int, words: str
) -> None:
    before = old.stamped()
    done = old.run(*arguments)
    assert (done.code, words in done.err) == (code, True), done.text
    assert old.stamped() == before


@pytest.mark.parametrize("command", ["update", "outdated"])
def test_a_project_without_packs_has_nothing_to_update(world: World, command: str) -> None:
    done = world.run(command)
    assert (done.code, "no packs are installed here" in done.err) == (3, True)


def test_a_sync_takes_the_changes_of_a_folder_without_a_new_version(world: World) -> None:
    folder = world.pack("mine")
    world.install(folder)
    (folder / "guard.py").write_text("print('other')\n")
    seen = world.run("outdated")
    assert "mine 1.0.0 has other files now" in seen.out
    done = world.ok("sync")
    assert "file guard.py: changed" in done.err
    assert world.read(".agents/hookpm/packs/mine/guard.py") == "print('other')\n"
    assert world.ok("outdated").out == "every pack is the newest that this hookpm takes\n"


def test_a_branch_moves_with_an_update_alone(world: World) -> None:
    folder = world.pack("shield", at=world.base / "draft")
    repo = make(world.base / "shield.git", {p.name: p.read_bytes() for p in folder.iterdir()})
    first = repo.git("rev-parse", "HEAD")
    world.install(f"git+{repo.url}@main")
    repo.commit({"guard.py": "print('other')\n"})
    world.ok("sync")
    assert f'commit = "{first}"' in world.read(".agents/hookpm.lock")
    assert "shield 1.0.0 has other files now" in world.run("outdated").out
    done = world.ok("update")
    second = repo.git("rev-parse", "HEAD")
    assert f"shield 1.0.0 from git+{repo.url} at {second} (was at {first}): changed" in done.err
    assert f'commit = "{second}"' in world.read(".agents/hookpm.lock")
    assert world.read(".agents/hookpm/packs/shield/guard.py") == "print('other')\n"


# --- outdated ----------------------------------------------------------------------------------


def test_outdated_says_what_an_update_brings_and_what_keeps_it_back(old: World) -> None:
    done = old.run("outdated")
    assert done.code == 1
    assert done.out.splitlines()[:2] == [
        "pack   installed  update brings  latest  from",
        "guard  1.0.0      1.1.0          2.0.0   embedded",
    ]
    assert "guard 2.0.0 is there, but .agents/hookpm.toml:5 takes 1.1.0" in done.out
    assert old.run("outdated", "--json").json["packs"] == [
        {
            "name": "guard",
            "source": "embedded",
            "installed": "1.0.0",
            "wanted": "1.1.0",
            "latest": "2.0.0",
            "yanked": False,
            "moved": False,
            "file": ".agents/hookpm.toml",
            "line": 5,
        }
    ]


def test_outdated_is_0_where_everything_is_the_newest_and_writes_nothing(world: World) -> None:
    world.install("guard")
    before = world.stamped()
    assert world.ok("outdated", "--json").json == {"packs": [], "profiles": []}
    assert world.stamped() == before


def test_a_dependency_that_others_keep_back_is_said(world: World) -> None:
    world.publish(world.pack("top", more=NEEDS.format("<1.1")))
    world.publish(world.pack("helper", "1.1.0"))
    world.install("top")
    assert "helper 1.1.0 is there, but other packs want 1.0.0" in world.run("outdated").out


@pytest.mark.parametrize("more", ['requires-hookpm = ">=999"\n', ""], ids=["newer", "pre"])
def test_what_this_hookpm_cannot_take_is_not_the_latest(world: World, more: str) -> None:
    world.install("guard")
    folder: Path = world.pack("guard", "3.0.0" if more else "3.0.0rc1")
    manifest = folder / "hookpack.toml"
    manifest.write_text(
        manifest.read_text().replace('license = "MIT"\n', f'license = "MIT"\n{more}')
    )
    world.publish(folder)
    assert world.run("outdated").code == 0
    world.ok("update")
    assert version(world, "guard") == "2.0.0"
