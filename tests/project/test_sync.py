from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from tests.project.world import ALL, FILES, HOOK, World

OPTION = '[options.word]\ntype = "str"\ndefault = "a"\n'


def settings(world: World, packs: str, agents: str = '["claude"]') -> None:
    world.write(".agents/hookpm.toml", f"agents = {agents}\n\n[packs]\n{packs}")


def test_a_pack_that_was_added_by_hand_is_installed_and_one_taken_out_goes(world: World) -> None:
    settings(world, 'guard = "~=1.0"\n')
    world.ok("sync")
    assert world.denies(".env")
    settings(world, 'helper = "*"\n')
    done = world.ok("sync")
    assert "removing guard 1.1.0" in done.out
    assert "installing helper 1.0.0" in done.out
    assert not (world.repo / ".agents/hookpm/packs/guard").exists()
    groups = world.load(".agents/hooks.json")["hooks"]["PreToolUse"]
    assert [g["pack"] for g in groups] == ["helper"]


def test_a_sync_after_the_last_pack_was_taken_out_takes_everything_out(world: World) -> None:
    world.install("guard", agents=ALL)
    settings(world, "")
    world.ok("sync")
    assert world.tree() == {}


def test_options_that_were_changed_by_hand_reach_the_hooks(world: World) -> None:
    world.publish(world.pack("opted", more=OPTION))
    settings(world, 'opted = "*"\n')
    world.ok("sync")
    assert world.load(".agents/hookpm/packs.json")["packs"]["opted"]["options"] == {"word": "a"}
    settings(world, 'opted = { version = "*", options = { word = "b" } }\n')
    assert "state: drift" in world.run("status").out
    world.ok("sync")
    assert world.load(".agents/hookpm/packs.json")["packs"]["opted"]["options"] == {"word": "b"}


def test_a_hook_that_is_switched_off_by_hand_goes_from_hooks_json(world: World) -> None:
    world.publish(world.pack("two", hooks=HOOK + HOOK.replace('"guard"', '"second"')))
    settings(world, 'two = { version = "*", disable = ["guard"] }\n')
    world.ok("sync")
    groups = world.load(".agents/hooks.json")["hooks"]["PreToolUse"]
    assert [g["id"] for g in groups] == ["second"]
    settings(world, 'two = "*"\n')
    world.ok("sync")
    assert len(world.load(".agents/hooks.json")["hooks"]["PreToolUse"]) == 2


def test_an_agent_that_was_taken_out_is_unwired_and_one_put_in_is_wired(world: World) -> None:
    world.write(FILES["codex"], '{\n  "description": "mine"\n}\n')
    world.install("guard", agents=("claude", "codex"))
    settings(world, 'guard = "~=2.0"\n', '["claude", "gemini"]')
    world.ok("sync")
    assert world.read(FILES["codex"]) == '{\n  "description": "mine"\n}\n'
    assert world.line("gemini")
    wired = world.load(".agents/hookpm/packs.json")["wired"]
    assert set(wired) == {"claude", "gemini"}


def test_what_was_deleted_or_edited_is_restored(world: World) -> None:
    world.install("guard", agents=ALL)
    before = world.tree()
    shutil.rmtree(world.repo / ".agents/hookpm")
    world.ok("sync")
    assert world.tree() == before
    world.write(".agents/hookpm/packs/guard/guard.py", "pass\n")
    (world.repo / ".agents/hookpm/bridge.py").unlink()
    (world.repo / ".agents/hooks.json").unlink()
    for file in FILES.values():
        (world.repo / file).unlink()
    world.ok("sync")
    assert world.tree() == before
    (world.repo / ".agents/hookpm.lock").unlink()
    world.ok("sync")
    assert world.ok("status", "--json").json["state"] == "ok"


def test_a_link_in_the_place_of_a_generated_file_is_replaced_not_written_through(
    world: World,
) -> None:
    world.install("guard")
    before = world.tree()
    target = world.write("elsewhere.py", "mine\n")
    file = world.repo / ".agents/hookpm/packs/guard/guard.py"
    file.unlink()
    file.symlink_to("../../../../elsewhere.py")
    seen = world.run("status", "--json").json["problems"]
    assert [p["code"] for p in seen] == ["edited"]
    world.ok("sync")
    assert target.read_text() == "mine\n"
    target.unlink()
    assert world.tree() == before


def test_a_linked_folder_among_the_generated_ones_is_named(world: World, tmp_path: Path) -> None:
    world.install("guard")
    real = tmp_path / "away"
    folder = world.repo / ".agents/hookpm/packs"
    shutil.move(folder, real)
    folder.symlink_to(real)
    assert world.run("status").code == 1
    done = world.run("sync")
    assert done.code == 3
    assert ".agents/hookpm/packs is a link" in done.err


def test_a_lost_executable_bit_is_seen_and_restored(world: World) -> None:
    pack = world.pack(
        "shell", hooks=HOOK.replace("guard.py", "x.sh"), files={"x.sh": "#!/bin/sh\n"}
    )
    (pack / "x.sh").chmod(0o755)
    world.ok("install", pack, "--agent=claude")
    file = world.repo / ".agents/hookpm/packs/shell/x.sh"
    assert file.stat().st_mode & 0o111
    file.chmod(0o644)
    seen = world.run("status", "--json").json["problems"]
    assert [p["code"] for p in seen] == ["not-executable"]
    world.ok("sync")
    assert file.stat().st_mode & 0o111
    assert world.ok("status", "--json").json["state"] == "ok"


def test_changes_of_a_pack_in_a_folder_are_taken_over_without_a_new_version(world: World) -> None:
    pack = world.pack("local")
    world.ok("install", pack, "--agent=claude")
    (pack / "guard.py").write_text("# new\n")
    (pack / "more.txt").write_text("x")
    done = world.ok("sync")
    assert "updating local 1.0.0" in done.out
    assert world.read(".agents/hookpm/packs/local/guard.py") == "# new\n"
    (pack / "more.txt").unlink()
    world.ok("sync")
    assert not (world.repo / ".agents/hookpm/packs/local/more.txt").exists()


def test_a_newer_version_is_not_taken_without_being_asked(world: World) -> None:
    world.install("guard==1.0.0")
    settings(world, 'guard = "~=1.0"\n')
    world.ok("sync")
    assert world.ok("list", "--json").json["packs"][0]["version"] == "1.0.0"


# --- --check and --locked --------------------------------------------------------------------


@pytest.mark.parametrize(
    "change",
    [
        lambda w: w.write(".agents/hookpm/bridge.py", "x"),
        lambda w: (w.repo / ".agents/hooks.json").unlink(),
        lambda w: (w.repo / FILES["claude"]).unlink(),
        lambda w: settings(w, 'guard = "==1.0.0"\n'),
        lambda w: settings(w, 'guard = "*"\n', '["claude", "codex"]'),
    ],
)
def test_check_shows_what_a_sync_would_do_exits_1_and_writes_nothing(
    world: World, change: object
) -> None:
    world.install("guard")
    assert world.ok("sync", "--check").out == ""
    change(world)  # type: ignore[operator]
    before = world.stamped()
    done = world.run("sync", "--check")
    assert done.code == 1
    assert "+++ " in done.out
    assert world.stamped() == before
    as_json = world.run("sync", "--check", "--json")
    assert (as_json.code, as_json.json["changed"], as_json.json["would_change"]) == (1, False, True)
    assert world.stamped() == before
    world.ok("sync")
    world.ok("sync", "--check")


def test_locked_restores_what_the_lock_says_and_refuses_anything_else(world: World) -> None:
    pack = world.pack("local")
    world.install("guard==1.0.0", pack)
    before = world.tree()
    shutil.rmtree(world.repo / ".agents/hookpm")
    world.ok("sync", "--locked")
    assert world.tree() == before
    (pack / "guard.py").write_text("# new\n")
    done = world.run("sync", "--locked")
    assert done.code == 1
    assert "local" in done.err
    assert world.tree() == before
    world.pack("local")
    for packs in ('guard = "==1.1.0"\n', 'guard = "==1.0.0"\nhelper = "*"\n', ""):
        settings(world, packs)
        kept = world.tree()
        done = world.run("sync", "--locked")
        assert done.code == 1, (packs, done.text)
        assert "lock" in done.err
        assert world.tree() == kept


# --- a clone ---------------------------------------------------------------------------------


def test_a_fresh_clone_is_protected_with_nothing_run(world: World, tmp_path: Path) -> None:
    world.install("guard", agents=ALL)
    world.git("add", "-A")
    world.git("commit", "-qm", "hooks")
    clone = tmp_path / "a clone"
    world.git("clone", "-q", str(world.repo), str(clone))
    assert world.denies(".env", root=clone)
    assert not world.denies("a.txt", root=clone)
    assert world.ok("status", "--json", cwd=clone).json["state"] == "ok"
    assert world.ok("verify", cwd=clone)
    assert "nothing to change" in world.ok("sync", cwd=clone).out
    assert world.git("status", "--porcelain", cwd=clone) == ""


def test_a_clone_with_crlf_line_ends_is_protected_and_not_drift(
    world: World, tmp_path: Path
) -> None:
    """What runs is hashed: .gitattributes keeps its line ends as they are."""
    world.install("guard")
    world.git("add", "-A")
    world.git("commit", "-qm", "hooks")
    clone = tmp_path / "clone"
    world.git("clone", "-q", "-c", "core.autocrlf=true", str(world.repo), str(clone))
    assert b"\r\n" in (clone / ".claude/settings.json").read_bytes()
    assert world.denies(".env", root=clone)
    assert world.ok("status", "--json", cwd=clone).json["problems"] == []


def test_a_sync_without_a_hookpm_toml_is_said(world: World) -> None:
    done = world.run("sync")
    assert done.code == 3
    assert "there is no .agents/hookpm.toml" in done.err
    assert "hookpm install PACK" in done.err


# --- a clone without the folder of a pack beside it ------------------------------------------


def test_a_clone_without_a_packs_own_folder_can_still_be_changed(world: World) -> None:
    pack = world.pack("local")
    world.install(pack, "guard==1.0.0")
    moved = world.base / "moved"
    pack.rename(moved)
    assert world.ok("status", "--json").json["state"] == "ok"
    before = world.read(".agents/hookpm/packs/local/guard.py")
    for command in (("sync",), ("sync", "--locked"), ("install", "helper"), ("uninstall", "guard")):
        done = world.ok(*command)
        assert "../packs/local-1.0.0 is not here; local stays as it was installed" in done.err
    assert world.read(".agents/hookpm/packs/local/guard.py") == before
    assert 'source = "path:../packs/local-1.0.0"' in world.read(".agents/hookpm.lock")
    moved.rename(pack)
    assert "nothing to change" in world.ok("sync").out


def test_what_is_not_as_the_lock_has_it_cannot_stand_for_a_packs_folder(world: World) -> None:
    pack = world.pack("local")
    world.install(pack)
    shutil.rmtree(pack)
    world.write(".agents/hookpm/packs/local/guard.py", "pass\n")
    done = world.run("sync")
    assert done.code == 3
    assert "local-1.0.0" in done.err


def test_a_program_that_a_pack_needs_and_is_not_here_is_said(world: World) -> None:
    more = '[requires]\nprograms = ["git", "a-program-that-nobody-has"]\n'
    done = world.install(world.pack("needy", more=more))
    assert "needy needs the program a-program-that-nobody-has" in done.err
    assert "program git, which is not on PATH" not in done.err
