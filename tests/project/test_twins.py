"""The user's own files, in every shape seen in the wild: install, uninstall, compare bytes."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

from hookpm.edit.jsondoc import BOM
from tests.project.world import FILES, World

CONFIGS = Path(__file__).parents[1] / "edit" / "configs"
# The outcome of each file as the native file of each agent: "in" it is merged and comes back byte
# for byte, or words of the reason why it is left alone.
CLAUDE_LIKE = (
    "empty-object-padded.json",
    "empty-object.json",
    "escapes-and-literals.json",
    "events-empty.json",
    "half-expanded.json",
    "hooks-empty-over-lines.json",
    "hooks-empty-padded.json",
    "hooks-empty.json",
    "hugging-brackets.json",
    "keys-out-of-order.json",
    "minified.json",
    "name-inside-a-command.json",
    "no-hooks.json",
    "nothing.json",
    "number-spellings.json",
    "one-newline.json",
    "same-matcher-twice.json",
    "twice-elsewhere.json",
    "tabs.agents.json",
)
COMMENTS = ("comma-in-a-string.jsonc", "comments-everywhere.jsonc", "comments-in-empty.jsonc")
REFUSED = (
    "conflict.refused.json",
    "event-object.refused.json",
    "hooks-list.refused.json",
    "top-level-list.refused.json",
    "twice-hooks.refused.json",
)


def text(name: str) -> str:
    return (CONFIGS / name).read_bytes().decode()


def variants(name: str) -> dict[str, bytes]:
    """What git hides and a user's disk has."""
    plain = text(name)
    lines = plain.split("\n")
    return {
        "as it is": plain.encode(),
        "crlf": plain.replace("\n", "\r\n").encode(),
        "bom": (BOM + plain).encode(),
        "bom and crlf": (BOM + plain.replace("\n", "\r\n")).encode(),
        "mixed": ("\r\n".join([*lines[:2], "\n".join(lines[2:])])).encode(),
        "no final newline": plain.rstrip("\n").encode(),
        "three final newlines": (plain.rstrip("\n") + "\n\n\n").encode(),
        "blank before": ("\n\n" + plain).encode(),
        "tabs": plain.replace("  ", "\t").encode(),
        "wide": plain.replace("  ", "    ").encode(),
        "spaces behind": plain.replace("\n", "  \n").encode(),
    }


def round_trip(world: World, file: str, data: bytes, agent: str) -> None:
    """Install and uninstall with this file there; it, and the whole tree, is as before."""
    world.write(file, data)
    before = world.tree()
    done = world.run("install", "guard", "helper", f"--agent={agent}")
    assert done.code == 0, done.text
    assert f"{agent}: proved" in done.out
    assert (world.repo / file).read_bytes() != data
    world.ok("uninstall", "helper")
    world.ok("install", "guard==1.0.0")
    world.ok("uninstall", "guard")
    assert world.tree() == before


def left_alone(world: World, agent: str, data: bytes, *words: str) -> None:
    """The file stays, is named with a line, and the other agent is done."""
    file = FILES[agent]
    other = "codex" if agent == "claude" else "claude"
    world.write(file, data)
    before = world.tree()
    done = world.run("install", "guard", f"--agent={agent}", f"--agent={other}")
    assert done.code == 1, done.text
    assert f"error: {agent} is not wired: {file}:" in done.err
    for word in words:
        assert word in done.err
    assert (world.repo / file).read_bytes() == data
    assert f"{other}: proved" in done.out
    again = world.run("install", "guard")
    assert again.code == 1
    assert f"{agent} is not wired" in again.err
    world.ok("uninstall", "guard")
    assert world.tree() == before


@pytest.mark.parametrize("name", CLAUDE_LIKE)
@pytest.mark.parametrize("agent", ["claude", "gemini"])
def test_a_users_file_comes_back_byte_for_byte(world: World, agent: str, name: str) -> None:
    round_trip(world, FILES[agent], (CONFIGS / name).read_bytes(), agent)


@pytest.mark.parametrize("name", ["comma-first.json", "spaced-out.json"])
def test_a_group_without_hooks_is_fine_for_gemini_and_drops_claudes_file(
    world: World, name: str
) -> None:
    left_alone(world, "claude", (CONFIGS / name).read_bytes(), "drops the whole file")
    round_trip(world, FILES["gemini"], (CONFIGS / name).read_bytes(), "gemini")


@pytest.mark.parametrize("kind", variants("keys-out-of-order.json"))
@pytest.mark.parametrize(
    "name", ["keys-out-of-order.json", "no-hooks.json", "hooks-empty-over-lines.json"]
)
def test_every_shape_of_a_disk_comes_back_byte_for_byte(world: World, name: str, kind: str) -> None:
    round_trip(world, FILES["claude"], variants(name)[kind], "claude")


@pytest.mark.parametrize("name", COMMENTS)
@pytest.mark.parametrize("agent", ["claude", "codex", "copilot"])
def test_a_file_whose_comments_its_agent_would_drop_is_left_alone(
    world: World, agent: str, name: str
) -> None:
    left_alone(world, agent, (CONFIGS / name).read_bytes())


@pytest.mark.parametrize("name", REFUSED)
@pytest.mark.parametrize("agent", ["claude", "gemini"])
def test_a_file_of_another_shape_is_left_alone(world: World, agent: str, name: str) -> None:
    left_alone(world, agent, (CONFIGS / name).read_bytes())


@pytest.mark.parametrize(
    ("kind", "data"),
    [
        ("utf-16", "{}".encode("utf-16")),
        ("nul", b"{}\0"),
        ("latin", b'{"a": "\xe4"}'),
        ("cut off", b'{"hooks": {"Pre'),
        ("two documents", b"{}{}"),
        ("a number", b"1\n"),
    ],
)
@pytest.mark.parametrize("agent", list(FILES))
def test_a_file_that_is_no_json_text_is_left_alone(
    world: World, agent: str, kind: str, data: bytes
) -> None:
    left_alone(world, agent, data)


def test_null_under_hooks_is_refused_or_comes_back(world: World) -> None:
    data = (CONFIGS / "hooks-null.refused.json").read_bytes()
    left_alone(world, "claude", data)


def test_two_hooks_keys_are_refused_with_both_lines(world: World) -> None:
    data = (CONFIGS / "twice-hooks.refused.json").read_bytes()
    left_alone(world, "claude", data, "twice", "lines")


# --- ours among the user's -------------------------------------------------------------------


def test_our_entry_that_the_user_put_beside_his_own_is_taken_over_and_his_stays(
    world: World,
) -> None:
    world.write(FILES["claude"], text("copy-merged-by-the-user.json"))
    done = world.install("guard")
    assert "note: " in done.err
    groups = world.load(FILES["claude"])["hooks"]["PreToolUse"]
    assert groups[0] == {
        "matcher": "Bash",
        "hooks": [{"type": "command", "command": "theirs.sh"}],
    }
    assert [g.get("matcher") for g in groups] == ["Bash", None]
    assert len(groups) == 2
    world.ok("uninstall", "guard")
    assert world.load(FILES["claude"])["hooks"]["PreToolUse"] == groups[:1]


def test_an_older_form_of_our_line_is_replaced_in_its_place(world: World) -> None:
    world.write(FILES["claude"], text("old-form.json"))
    done = world.install("guard")
    assert "older form" in done.err
    groups = world.load(FILES["claude"])["hooks"]["PreToolUse"]
    assert len(groups) == 1
    assert "hookpm run" not in world.read(FILES["claude"])
    world.ok("uninstall", "guard")
    assert "hookpm" not in world.read(FILES["claude"])


def test_a_line_that_took_a_relative_cache_folder_is_renewed_by_a_sync(world: World) -> None:
    world.install("guard", agents=("claude", "codex"))
    before = {name: world.read(FILES[name]) for name in ("claude", "codex")}
    for name, now in before.items():
        old = now.replace("case $y in /*) ;; *) y=;; esac; ", "")
        assert old != now
        world.write(FILES[name], old)
    assert world.run("status").code == 1
    assert "older form" in world.ok("sync").err
    assert {name: world.read(FILES[name]) for name in before} == before
    world.ok("uninstall", "guard")
    assert world.tree() == {}


def test_a_command_that_only_holds_our_name_is_the_users(world: World) -> None:
    before = text("name-inside-a-command.json")
    world.write(FILES["claude"], before)
    world.install("guard")
    assert "cat docs/hookpm-notes.md" in world.read(FILES["claude"])
    world.ok("uninstall", "guard")
    assert world.read(FILES["claude"]) == before


@pytest.mark.parametrize(
    ("agent", "name", "word"),
    [
        ("cursor", "cursor-other-event.json", "event"),
        ("cursor", "cursor-no-version.json", "version"),
    ],
)
def test_a_file_that_its_agent_drops_whole_is_left_alone_and_named(
    world: World, agent: str, name: str, word: str
) -> None:
    left_alone(world, agent, (CONFIGS / name).read_bytes(), word)


def test_a_codex_file_with_a_key_of_its_own_is_left_alone_and_named(world: World) -> None:
    left_alone(world, "codex", b'{\n  "hooks": {},\n  "notes": "mine"\n}\n', "notes", ":3 ")


def test_codex_settings_in_toml_are_not_touched(world: World) -> None:
    mine = '# mine\n[[hooks.Stop]]\nmatcher = ""\n\n[tui]\ntheme = "x"\n'
    world.write(".codex/config.toml", mine)
    world.install("guard", agents=("codex",))
    assert world.read(".codex/config.toml") == mine
    world.ok("uninstall", "guard")
    assert world.read(".codex/config.toml") == mine


# --- .agents/hooks.json ----------------------------------------------------------------------

HOOKS_FILES = (
    "empty-object.json",
    "empty-object-padded.json",
    "events-empty.json",
    "hooks-empty.json",
    "hooks-empty-over-lines.json",
    "minified.json",
    "nothing.json",
    "one-newline.json",
    "tabs.agents.json",
    "same-matcher-twice.json",
    "spaced-out.json",
    "hugging-brackets.json",
)


@pytest.mark.parametrize("name", HOOKS_FILES)
def test_the_users_own_hooks_json_comes_back_byte_for_byte(world: World, name: str) -> None:
    round_trip_hooks(world, (CONFIGS / name).read_bytes())


@pytest.mark.parametrize("kind", variants("tabs.agents.json"))
def test_every_shape_of_hooks_json_comes_back_byte_for_byte(world: World, kind: str) -> None:
    round_trip_hooks(world, variants("tabs.agents.json")[kind])


def round_trip_hooks(world: World, data: bytes) -> None:
    world.write(".agents/hooks.json", data)
    before = world.tree()
    done = world.run("install", "guard", "--agent=claude")
    # An entry of the user's that does not run is no success, and no reason to leave the pack out.
    assert (done.code, "does not run" in done.err) in ((0, False), (1, True)), done.text
    assert world.denies(".env")
    gone = world.ok("uninstall", "guard")
    assert world.tree() == before
    if b'"command"' in data:
        assert "nothing runs them any more" in gone.err


def test_the_users_own_groups_in_hooks_json_run_with_the_packs(world: World) -> None:
    world.write(
        ".agents/hooks.json",
        '{"hooks": {"PreToolUse": [{"matcher": "Write", "hooks": [{"type": "command", '
        '"command": "echo mine >&2; exit 2"}]}]}}\n',
    )
    world.install("guard")
    assert world.denies("a.txt")
    world.ok("uninstall", "guard")


@pytest.mark.parametrize(
    "name",
    [
        "comments-in-empty.jsonc",
        "hooks-list.refused.json",
        "event-object.refused.json",
        "conflict.refused.json",
        "twice-hooks.refused.json",
        "top-level-list.refused.json",
    ],
)
def test_a_hooks_json_that_cannot_be_added_to_is_refused_and_nothing_is_written(
    world: World, name: str
) -> None:
    world.write(".agents/hooks.json", (CONFIGS / name).read_bytes())
    before = world.stamped()
    done = world.run("install", "guard", "--agent=claude")
    assert done.code == 3, done.text
    assert ".agents/hooks.json:" in done.err
    assert "hint: " in done.err
    assert world.stamped() == before


def test_an_invented_hooks_json_is_refused_and_nothing_is_written(world: World) -> None:
    world.write(".agents/hooks.json", '{ "hooks": { "pre-push": ["make test"] } }\n')
    before = world.stamped()
    done = world.run("install", "guard", "--agent=claude")
    assert done.code == 3, done.text
    assert ".agents/hooks.json:1" in done.err
    assert "pre-push" in done.err
    assert world.stamped() == before


def test_antigravitys_hooks_json_is_left_alone_and_ours_lies_beside_it(world: World) -> None:
    world.write(".agents/hooks.json", text("named-hooks.agents.json"))
    before = world.tree()
    done = world.install("guard")
    assert "Antigravity" in done.err
    assert ".agents/hookpm-hooks.json" in done.err
    assert world.read(".agents/hooks.json") == text("named-hooks.agents.json")
    assert world.denies(".env")
    assert world.ok("status", "--json").json["state"] == "ok"
    assert world.run("install", "guard").out.strip().endswith("nothing to change")
    world.ok("uninstall", "guard")
    assert world.tree() == before


def test_a_hooks_json_that_becomes_antigravitys_later_gets_ours_beside_it(world: World) -> None:
    world.install("guard")
    world.write(".agents/hooks.json", text("named-hooks.agents.json"))
    world.ok("sync")
    assert world.denies(".env")
    assert world.read(".agents/hooks.json") == text("named-hooks.agents.json")
    world.ok("uninstall", "guard")
    assert set(world.tree()) == {".agents", ".agents/hooks.json"}


def test_our_file_beside_goes_back_once_antigravitys_is_gone(world: World) -> None:
    world.write(".agents/hooks.json", text("named-hooks.agents.json"))
    world.install("guard")
    (world.repo / ".agents/hooks.json").unlink()
    world.ok("sync")
    assert world.denies(".env")
    world.ok("uninstall", "guard")
    assert world.tree() == {".agents": "folder"}  # it was there, with a file of the user's


# --- the lock --------------------------------------------------------------------------------


def test_conflict_markers_in_the_lock_are_one_error_with_the_way_out(world: World) -> None:
    world.install("guard")
    lock = world.read(".agents/hookpm.lock")
    world.write(
        ".agents/hookpm.lock",
        lock.replace("version = 1\n", "version = 1\n<<<<<<< HEAD\n=======\n>>>>>>> topic\n", 1),
    )
    before = world.stamped()
    for command in (("status",), ("verify",), ("sync", "--locked"), ("list",)):
        done = world.run(*command)
        assert done.code == 3, (command, done.text)
        assert ".agents/hookpm.lock:" in done.err
        assert "conflict" in done.err
        assert "hint: " in done.err
    assert world.stamped() == before


def test_a_sync_makes_a_lock_with_a_conflict_anew_and_says_so(world: World) -> None:
    """Two branches, each with a pack of its own; hookpm.toml was merged by hand."""
    world.install("guard")
    world.git("add", "-A")
    world.git("commit", "-qm", "guard")
    world.git("checkout", "-qb", "topic")
    world.install("guard==1.1.0", "helper", agents=("codex",))
    wanted = world.tree()
    world.git("add", "-A")
    world.git("commit", "-qm", "helper")
    world.git("checkout", "-q", "main")
    world.install("guard==1.0.0")
    world.git("commit", "-qam", "older")
    with pytest.raises(subprocess.CalledProcessError):
        world.git("merge", "topic")
    assert "<<<<<<<" in world.read(".agents/hookpm.lock")
    for file in (".agents/hookpm.toml", ".agents/hooks.json", ".agents/hookpm/packs.json"):
        world.git("checkout", "--theirs", file)
    done = world.ok("sync")
    assert "merge conflict in .agents/hookpm.lock; it is made anew" in done.err
    assert world.tree() == wanted
    assert world.ok("status", "--json").json["state"] == "ok"


def test_conflict_markers_that_no_merge_of_gits_left_are_the_users_to_resolve(world: World) -> None:
    world.install("guard")
    for file in (".agents/hookpm.toml", ".agents/hooks.json"):
        kept = world.read(file)
        other = kept.replace("{", '{\n  "mine": 1,', 1)
        world.write(file, f"<<<<<<< HEAD\n{kept}=======\n{other}>>>>>>> topic\n")
        before = world.stamped()
        done = world.run("sync")
        assert done.code == 3
        assert f"{file}:1" in done.err
        assert world.stamped() == before
        world.write(file, kept)


def test_a_lock_of_a_newer_hookpm_is_refused(world: World) -> None:
    world.install("guard")
    lock = world.read(".agents/hookpm.lock")
    for was, becomes in (
        ("version = 1\n", "version = 2\n"),
        ('agent = "claude"', 'agent = "nobodys"'),
    ):
        world.write(".agents/hookpm.lock", lock.replace(was, becomes, 1))
        for command in (("status",), ("sync",), ("uninstall", "guard"), ("list",), ("verify",)):
            done = world.run(*command)
            assert done.code == 3, done.text
            assert "upgrade hookpm" in done.err
            assert ".agents/hookpm.lock" in done.err
