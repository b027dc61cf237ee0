from __future__ import annotations

import shutil

import pytest

from hookpm.registry import publish
from tests.project.world import ALL, FILES, HOOK, STOP_HOOK, World

TOMLS = {
    "none": None,
    "empty": "",
    "comment": "# ours\n",
    "comment without newline": "# ours",
    "agents": 'agents = ["claude"]\n',
    "agents over lines": "agents = [\n  'claude', # the one\n]\n",
    "packs": "# ours\n\n[packs]\n# none yet\n",
    "packs, no newline": "[packs]",
    "all": '# head\nagents = ["claude"]  # one\n\n[packs] # here\n\n[registries]\n',
    "registries": '# head\n\n[registries]\nhouse = "../house"\n',
    "crlf": '# head\r\nagents = ["claude"]\r\n\r\n[packs]\r\n',
    "crlf without packs": "# head\r\n\r\n[registries]\r\n",
}


@pytest.mark.parametrize("kind", TOMLS)
@pytest.mark.parametrize("asked", [("guard",), ("guard", "helper"), ("packs/guard-1.0.0",)])
def test_the_last_uninstall_gives_the_tree_back_with_any_hookpm_toml(
    world: World, kind: str, asked: tuple[str, ...]
) -> None:
    text = TOMLS[kind]
    publish.apply(publish.plan([world.pack("own")], world.base / "house"), world.base / "house")
    if text is not None:
        world.write(".agents/hookpm.toml", text)
    before = world.tree()
    names = [n if "/" not in n else str(world.base / n) for n in asked]
    world.ok("install", *names, "--agent=claude")
    assert world.denies(".env")
    for name in ("helper", "guard") if len(asked) == 2 else ("guard",):
        world.ok("uninstall", name)
    assert world.tree() == before


def test_all_at_once_or_one_by_one_leaves_the_tree_as_it_was(world: World) -> None:
    before = world.tree()
    world.install("guard", "helper", agents=ALL)
    world.ok("uninstall", "guard", "helper")
    assert world.tree() == before
    world.install("guard", "helper", agents=ALL)
    world.ok("uninstall", "guard")
    assert world.denies(".env")
    assert "guard" not in world.read(".agents/hookpm.toml")
    assert not (world.repo / ".agents/hookpm/packs/guard").exists()
    world.ok("uninstall", "helper")
    assert world.tree() == before


def test_empty_folders_of_the_user_stay_and_ours_go(world: World) -> None:
    for folder in (".claude", ".github", ".gemini/empty", ".agents"):
        (world.repo / folder).mkdir(parents=True)
    before = world.tree()
    world.install("guard", agents=ALL)
    world.ok("uninstall", "guard")
    assert world.tree() == before


def test_files_of_the_user_in_folders_of_ours_stay(world: World) -> None:
    world.install("guard", agents=ALL)
    world.write(".codex/mine.txt", "x")
    world.write(".agents/skills/mine.md", "x")
    world.write(".github/hooks/other.json", "{}")
    world.ok("uninstall", "guard")
    assert {p for p, what in world.tree().items() if what != "folder"} == {
        ".codex/mine.txt",
        ".agents/skills/mine.md",
        ".github/hooks/other.json",
    }


def test_what_the_user_added_in_between_stays(world: World) -> None:
    world.write(FILES["claude"], '{\n  "model": "a"\n}\n')
    world.install("guard", agents=("claude", "codex"))
    text = world.read(FILES["claude"])
    world.write(FILES["claude"], text.replace('"model": "a"', '"model": "b",\n  "env": {"X": "1"}'))
    codex = world.read(FILES["codex"])
    world.write(FILES["codex"], codex.replace("{\n", '{\n  "description": "mine",\n', 1))
    world.ok("uninstall", "guard")
    assert world.read(FILES["claude"]) == '{\n  "model": "b",\n  "env": {"X": "1"}\n}\n'
    assert world.load(FILES["codex"]) == {"description": "mine"}


def test_a_group_that_the_user_put_beside_ours_stays(world: World) -> None:
    world.install("guard")
    text = world.read(FILES["claude"])
    mine = '{"matcher": "X", "hooks": [{"type": "command", "command": "mine"}]}'
    world.write(FILES["claude"], text.replace('"PreToolUse": [', f'"PreToolUse": [{mine},', 1))
    world.ok("uninstall", "guard")
    left = world.load(FILES["claude"])
    assert [g["matcher"] for g in left["hooks"]["PreToolUse"]] == ["X"]


def test_groups_of_the_user_in_hooks_json_stay_and_he_is_told_that_they_no_longer_run(
    world: World,
) -> None:
    world.install("guard")
    text = world.read(".agents/hooks.json")
    mine = '{"matcher": "X", "hooks": [{"type": "command", "command": "mine"}]}'
    world.write(".agents/hooks.json", text.replace('"PreToolUse": [', f'"PreToolUse": [{mine},'))
    done = world.ok("uninstall", "guard")
    assert "nothing runs them any more" in done.err
    left = world.load(".agents/hooks.json")
    assert [g["matcher"] for g in left["hooks"]["PreToolUse"]] == ["X"]
    assert {p for p, what in world.tree().items() if what != "folder"} == {".agents/hooks.json"}


def test_what_the_user_wrote_into_hookpm_toml_stays(world: World) -> None:
    world.install("guard")
    text = world.read(".agents/hookpm.toml")
    world.write(".agents/hookpm.toml", text + "\n# a note of mine\n")
    world.ok("uninstall", "guard")
    assert "# a note of mine" in world.read(".agents/hookpm.toml")
    assert not (world.repo / ".agents/hookpm.lock").exists()
    assert not (world.repo / ".agents/hookpm").exists()


def test_a_file_of_the_users_below_our_folder_stays_and_is_named_while_packs_are_left(
    world: World,
) -> None:
    world.install("guard", "helper")
    world.write(".agents/hookpm/packs/guard/mine.txt", "x")
    done = world.ok("uninstall", "guard")
    assert ".agents/hookpm/packs/guard/mine.txt is not hookpm's" in done.err
    assert world.read(".agents/hookpm/packs/guard/mine.txt") == "x"


def test_files_of_the_user_below_our_folder_stay_with_the_last_uninstall_too(world: World) -> None:
    mine = {
        ".agents/hookpm/mine.txt": "was there before",
        ".agents/hookpm/NOTES.md": "",
        ".agents/hookpm/packs/guard/sub/mine.py": "x",
        ".agents/hookpm/packs/other/mine.py": "x",
        ".agents/hookpm/bridge/__pycache__/x.pyc": "x",
    }
    first, *more = mine
    world.write(first, mine[first])
    world.install("guard", agents=ALL)
    for path in more:
        world.write(path, mine[path])
    (world.repo / ".agents/hookpm/empty/folder").mkdir(parents=True)
    done = world.ok("uninstall", "guard")
    left = {p for p, what in world.tree().items() if what != "folder"}
    assert left == set(mine)
    assert {world.read(path) for path in mine} == set(mine.values())
    for path in mine:
        assert f"{path} is not hookpm's: the lock does not list it, so it stays" in done.err
    assert (world.repo / ".agents/hookpm/empty/folder").is_dir()


@pytest.mark.parametrize("place", ["packs.json", "bridge/main.py", "packs/guard/guard.py", "x/y"])
@pytest.mark.parametrize("full", [True, False])
def test_a_stray_folder_does_not_stop_the_last_uninstall(
    world: World, place: str, full: bool
) -> None:
    world.install("guard")
    stray = world.repo / ".agents/hookpm" / place
    stray.unlink(missing_ok=True)
    stray.mkdir(parents=True)
    if full:
        (stray / "mine").write_text("x")
    world.ok("uninstall", "guard")
    assert stray.is_dir() or not full
    left = {p for p, what in world.tree().items() if what != "folder"}
    assert left == ({f".agents/hookpm/{place}/mine"} if full else set())
    assert world.ok("status", "--json").json["state"] == "ok"


def test_a_link_of_the_users_below_our_folder_stays_and_so_does_what_it_leads_to(
    world: World,
) -> None:
    world.write("docs/a.md", "x")
    world.install("guard")
    for name, target in (("a.md", "../../docs/a.md"), ("docs", "../../docs"), ("gone", "nowhere")):
        (world.repo / ".agents/hookpm" / name).symlink_to(target)
    world.ok("uninstall", "guard")
    assert world.read("docs/a.md") == "x"
    assert {p.name for p in (world.repo / ".agents/hookpm").iterdir()} == {"a.md", "docs", "gone"}


def test_a_pack_that_another_needs_is_not_uninstalled_alone(world: World) -> None:
    world.publish(world.pack("upper", more='[dependencies]\nhelper = ">=1"\n'))
    world.install("upper")
    before = world.stamped()
    done = world.run("uninstall", "helper")
    assert done.code == 1
    assert "upper" in done.err or "another pack needs it" in done.err
    assert world.stamped() == before
    world.ok("install", "helper")
    before = world.stamped()
    done = world.run("uninstall", "helper")
    assert done.code == 1
    assert "upper" in done.err
    assert world.stamped() == before
    world.ok("uninstall", "upper", "helper")
    assert world.tree() == {}


def test_what_only_the_uninstalled_pack_needed_goes_with_it(world: World) -> None:
    world.publish(world.pack("upper", more='[dependencies]\nhelper = ">=1"\n'))
    world.install("upper", "guard")
    world.ok("uninstall", "upper")
    assert [p["name"] for p in world.ok("list", "--json").json["packs"]] == ["guard"]
    assert not (world.repo / ".agents/hookpm/packs/helper").exists()


@pytest.mark.parametrize(
    ("name", "word"), [("gaurd", "did you mean guard?"), ("zzz", "installed: guard")]
)
def test_an_unknown_pack_is_said_with_near_names_and_nothing_is_written(
    world: World, name: str, word: str
) -> None:
    world.install("guard")
    before = world.stamped()
    done = world.run("uninstall", name)
    assert done.code == 3
    assert word in done.err
    assert world.stamped() == before


def test_uninstalling_where_nothing_is_installed_is_said(world: World) -> None:
    done = world.run("uninstall", "guard")
    assert done.code == 3
    assert "guard is not installed" in done.err
    assert world.tree() == {}


def test_uninstall_needs_neither_the_registry_nor_the_packs_folder(world: World) -> None:
    pack = world.pack("local")
    world.ok("install", pack, "guard", "--agent=claude")
    shutil.rmtree(world.index)
    shutil.rmtree(pack)
    world.ok("uninstall", "guard", "local")
    assert world.tree() == {}


def test_a_pack_whose_folder_is_gone_can_be_uninstalled(world: World) -> None:
    pack = world.pack("local")
    world.ok("install", pack, "guard", "--agent=claude")
    shutil.rmtree(pack)
    world.ok("uninstall", "local")
    assert world.denies(".env")


def test_an_event_that_no_pack_left_uses_is_unwired(world: World) -> None:
    world.publish(world.pack("both", hooks=HOOK + "\n" + STOP_HOOK))
    world.install("guard", agents=("claude", "copilot"))
    before = world.tree()
    world.install("both", agents=("claude", "copilot"))
    assert "Stop" in world.load(FILES["claude"])["hooks"]
    world.ok("uninstall", "both")
    assert world.tree() == before


def test_an_agent_that_was_left_alone_does_not_stop_the_uninstall(world: World) -> None:
    world.install("guard", agents=("claude", "codex"))
    whole = world.read(FILES["claude"])
    broken = whole[:-20]
    world.write(FILES["claude"], broken)
    done = world.run("uninstall", "guard")
    assert done.code == 1
    assert "claude" in done.err
    assert f"{FILES['claude']}:" in done.err
    assert world.read(FILES["claude"]) == broken
    assert not (world.repo / FILES["codex"]).exists()
    # The record stays until the user has mended the file; then the rest goes.
    seen = world.run("status", "--json").json["problems"]
    assert [(p["code"], p["agent"]) for p in seen] == [("left-over", "claude")]
    assert world.run("sync").code == 1
    world.write(FILES["claude"], whole)
    world.ok("sync")
    assert world.tree() == {}
