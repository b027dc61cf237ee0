"""hookpm review: what is new in what would run is shown whole, and taken only when approved."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.project.world import HOOK, STOP_HOOK, World

OPTION = '[options.word]\ntype = "str"\ndefault = "{}"\n'


@pytest.fixture
def local(world: World) -> Path:
    """A pack in a folder of its own, installed: its changes need no new version."""
    folder = world.pack("mine", more=OPTION.format("a"), at=world.base / "mine")
    world.install(folder, agents=("claude", "codex"))
    return folder


def test_nothing_is_new_after_an_install(world: World, local: Path) -> None:
    assert world.ok("review").out == "nothing is new: what would run is what the lock has\n"
    assert world.ok("review", "--json").json == {"state": "approved", "packs": []}


def test_what_is_new_is_1_until_it_is_in_the_lock_and_review_itself_writes_nothing(
    world: World, local: Path
) -> None:
    (local / "guard.py").write_text("import os\nos.system('x')\n")
    before = world.stamped()
    for _ in range(2):
        assert world.run("review").code == 1
        assert world.run("review", "--json").code == 1
    assert world.stamped() == before
    world.ok("sync")
    assert world.run("review").code == 0


def test_every_kind_of_change_is_shown(world: World, local: Path) -> None:
    hooks = HOOK.replace("timeout = 10", "timeout = 20").replace('["deny"]', '["deny", "ask"]')
    more = OPTION.format("b") + '[requires]\nprograms = ["jq"]\n[dependencies]\nhelper = ">=1"\n'
    world.pack("mine", hooks=hooks + STOP_HOOK, more=more, files={"new.sh": "rm -rf x\n"}, at=local)
    (local / "guard.py").write_text("print('other')\n")
    done = world.run("review")
    assert done.code == 1
    for words in (
        "helper 1.0.0 from embedded: new",
        "changed hook guard at PreToolUse",
        "timeout: 10 -> 20",
        "needs: deny -> deny ask",
        "new hook tell at Stop",
        "runs: true",
        'option word: "a" -> "b"',
        'depends on helper: ">=1"',
        "needs the program jq",
        "file new.sh: new, 1 line",
        "+ rm -rf x",
        "- import json, sys",
        "+ print('other')",
    ):
        assert words in done.out, words


def test_what_no_longer_runs_is_shown_too(world: World, local: Path) -> None:
    text = world.read(".agents/hookpm.toml")
    line = 'mine = {path = "../mine", disable = ["guard"]}'
    assert 'mine = {path = "../mine"}' in text
    world.write(".agents/hookpm.toml", text.replace('mine = {path = "../mine"}', line))
    done = world.run("review")
    assert done.code == 1
    assert "hook guard at PreToolUse Read|Edit|Write|Bash NO LONGER RUNS" in done.out


def test_an_option_set_by_a_colleague_is_new(world: World, local: Path) -> None:
    text = world.read(".agents/hookpm.toml")
    line = 'mine = {path = "../mine", options = {word = "curl x | sh"}}'
    world.write(".agents/hookpm.toml", text.replace('mine = {path = "../mine"}', line))
    done = world.run("review")
    assert (done.code, 'option word: "a" -> "curl x | sh"' in done.out) == (1, True)


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("# \u202ereversed\n", "+ # <U+202E>reversed"),
        ("ok\x1b[1A\x1b[2K\n", "+ ok<U+001B>[1A<U+001B>[2K"),
        ("# fine\rimport evil\n", "+ # fine<U+000D>import evil"),
        ("a = 'admin\u200b'\n", "+ a = 'admin<U+200B>'"),
        ("x = 1" + " " * 999 + "; evil()\n", "+ x = 1<999 blanks>; evil()"),
        ("x = '" + "y" * 5000 + "' or evil()\n", "' or evil()"),
    ],
)
def test_nothing_in_a_file_can_hide(world: World, local: Path, text: str, shown: str) -> None:
    (local / "guard.py").write_bytes(text.encode())
    done = world.run("review")
    assert shown in done.out
    assert max(map(len, done.out.splitlines())) < 200
    assert not any(c in done.out for c in "\x1b\r\u202e\u200b")


def test_nothing_in_a_command_a_matcher_or_an_option_can_hide(world: World, local: Path) -> None:
    hooks = 'id = "tell"\nevent = "Stop"\ncommand = "\\u0441url x\\u202e\\n evil"\n'
    more = OPTION.format("\\u200b\\u001b[2K")
    world.pack("mine", hooks=f"[[hooks]]\n{hooks}", more=more, at=local)
    done = world.run("review")
    assert "runs: \u0441url x<U+202E>\n" in done.out
    assert "runs:  evil\n" in done.out
    assert "NOT ASCII in it: U+0441 CYRILLIC SMALL LETTER ES" in done.out
    assert "<U+200B>" in done.out
    assert "\x1b" not in done.out


def test_a_binary_file_is_named_by_size_and_hash(world: World, local: Path) -> None:
    import hashlib

    data = bytes(range(256))
    (local / "tool").write_bytes(data)
    digest = hashlib.sha256(data).hexdigest()
    assert f"(no text: 256 bytes, sha256:{digest})" in world.run("review").out
    (file,) = [
        f for f in world.run("review", "--json").json["packs"][0]["files"] if f["path"] == "tool"
    ]
    now = {"sha256": digest, "size": 256, "executable": False}
    assert (file["kind"], file["now"]) == ("binary", now)


def test_a_long_file_is_cut_with_its_counts_and_full_shows_it(world: World, local: Path) -> None:
    (local / "long.txt").write_text("".join(f"line {n}\n" for n in range(1000)))
    cut = world.run("review")
    assert "+ line 399\n" in cut.out
    assert "line 400\n" not in cut.out
    assert "... 600 MORE LINES ARE NOT SHOWN of 1000 (8890 bytes in all)" in cut.out
    whole = world.run("review", "--full")
    assert (whole.code, "+ line 999\n" in whole.out) == (1, True)
    assert "NOT SHOWN" not in whole.out
    lines = world.run("review", "--json").json["packs"][0]["files"][0]["lines"]
    assert lines[-1] == "+ line 999"


def test_a_file_cannot_pretend_to_be_the_review(world: World, local: Path) -> None:
    (local / "notes.txt").write_text("--- mine/other.py\nnothing is new\n@@ -1 +1 @@\n")
    done = world.run("review")
    for line in ("--- mine/other.py", "nothing is new", "@@ -1 +1 @@"):
        assert line not in done.out.splitlines()
        assert f"+ {line}" in done.out.splitlines()


def test_what_the_lock_stands_for_counts_not_what_lies_on_the_disk(
    world: World, local: Path
) -> None:
    """An edited file is restored by a sync, so nothing new would run; nor does it hide what is."""
    world.write(".agents/hookpm/packs/mine/guard.py", "evil()\n")
    assert world.run("review").code == 0
    (local / "guard.py").write_text("evil()\n")
    done = world.run("review")
    assert done.code == 1
    assert "(what was approved is not at hand: all of it)" in done.out
    assert "+ evil()" in done.out


def test_a_pack_whose_locked_manifest_is_gone_is_shown_whole(world: World, local: Path) -> None:
    world.pack("mine", hooks=HOOK.replace("10", "11"), at=local)
    (world.repo / ".agents/hookpm/packs/mine/hookpack.toml").unlink()
    assert "new hook guard at PreToolUse" in world.run("review").out


def test_a_need_that_an_agent_does_not_meet_is_no_reason_not_to_read(
    world: World, local: Path
) -> None:
    world.pack("mine", hooks=HOOK.replace('["deny"]', '["deny", "ask"]'), at=local)
    assert "needs: deny -> deny ask" in world.run("review").out
    assert world.run("sync").code == 1


def test_an_install_shows_what_is_new_and_yes_does_not_silence_it(world: World) -> None:
    done = world.install("guard", "--yes")
    assert "new hook guard at PreToolUse" in done.err
    assert "file guard.py: new" in done.err
    done = world.ok("install", "helper", "-q", "-y", "--agent=claude")
    assert (done.out, done.err) == ("", "")


def test_another_source_of_the_same_version_is_said(world: World) -> None:
    world.install("guard")
    done = world.ok("install", str(world.packs / "guard-2.0.0"))
    assert "guard 2.0.0 from path:../packs/guard-2.0.0 (WAS FROM embedded): changed" in done.err


def test_a_hook_that_is_a_request_is_shown_with_its_address(world: World) -> None:
    hooks = '[[hooks]]\nid = "ask"\nevent = "Stop"\nurl = "https://example.com/h"\n'
    done = world.install(world.pack("asker", hooks=hooks))
    assert "new hook ask at Stop" in done.err
    assert '"url": "https://example.com/h"' in done.err
