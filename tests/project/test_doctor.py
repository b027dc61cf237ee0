"""Each thing that keeps hooks from running: status or doctor names it, with what mends it."""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from hookpm.agents import shell_line
from hookpm.agents.codex.health import trust_hash
from hookpm.project import detect
from tests.project.world import FILES, World

HOOKS = ".agents/hooks.json"
CLAUDE = FILES["claude"]


def problems(world: World, command: str = "doctor") -> dict[str, dict[str, Any]]:
    """Code -> the last problem of that code."""
    done = world.run(command, "--json")
    rows = done.json["problems"]
    assert done.code == (0 if done.json["state"] == "ok" else 1)
    assert all(row["fix"] and row["message"] for row in rows)
    return {row["code"]: row for row in rows}


def own_hook(world: World, event: str = "Stop", **group: Any) -> None:
    """Put a group of the user's into the hooks file, and wire its event."""
    hooks = world.load(HOOKS)
    hooks["hooks"].setdefault(event, []).append(group)
    world.write(HOOKS, json.dumps(hooks, indent=2))
    world.run("sync")


def command(line: str) -> list[dict[str, str]]:
    return [{"type": "command", "command": line}]


# --- python ----------------------------------------------------------------------------------


def no_link(world: World) -> None:
    world.patch.setattr("hookpm.project.interpreter.keep_link", lambda: None)
    shutil.rmtree(world.home / "cache/hookpm")


def stub(world: World, text: str) -> None:
    (world.bin / "python3").unlink()
    (world.bin / "python3").write_text(text)
    (world.bin / "python3").chmod(0o755)


@pytest.mark.parametrize(
    ("text", "code", "words"),
    [
        ("#!/bin/sh\necho 'install it from the store' >&2\nexit 49\n", "no-python", "not start"),
        ("#!/bin/sh\necho 3 7\n", "old-python", "3.7"),
        ("#!/bin/sh\necho hello\n", "no-python", "not start"),
    ],
)
def test_a_python3_that_is_a_stub_or_too_old_is_named(
    world: World, text: str, code: str, words: str
) -> None:
    world.install("guard")
    no_link(world)
    stub(world, text)
    assert words in problems(world)[code]["message"]
    assert "doctor --fix" in problems(world)[code]["fix"]
    world.patch.undo()


def test_no_python3_at_all_and_a_link_that_leads_nowhere_are_mended_by_fix(world: World) -> None:
    world.install("guard")
    (world.bin / "python3").unlink()
    link = world.home / "cache/hookpm/python3"
    link.unlink()
    link.symlink_to(world.base / "gone")
    found = problems(world)
    assert {"no-python", "python-link"} <= set(found)
    world.ok("doctor", "--fix")
    assert problems(world) == {}
    assert world.denies()


@pytest.mark.parametrize(
    "text",
    ["#!/bin/sh\nexit 2\n", "#!/nowhere/python3\n", '#!/bin/sh\n[ "$3" != -c ] || echo 3 7\n'],
)
@pytest.mark.parametrize("linked", [True, False])
def test_a_fast_python_that_runs_nothing_is_named_and_replaced(
    world: World, text: str, linked: bool
) -> None:
    world.install("guard")
    link = world.home / "cache/hookpm/python3"
    link.unlink()
    program = world.base / "program" if linked else link
    program.write_text(text)
    program.chmod(0o755)
    if linked:
        link.symlink_to(program)
    assert not world.denies()
    assert "no hook runs" in problems(world)["python-link"]["message"]
    world.ok("doctor", "--fix")
    assert problems(world) == {}
    assert world.denies()


def test_an_install_replaces_a_fast_python_that_runs_nothing(world: World) -> None:
    world.install("guard")
    program = world.base / "program"
    program.write_text("#!/bin/sh\nexit 2\n")
    program.chmod(0o755)
    link = world.home / "cache/hookpm/python3"
    link.unlink()
    link.symlink_to(program)
    world.install("helper")
    assert world.denies()


def test_a_file_of_clines_that_lost_its_mode_is_named_and_gets_it_back(world: World) -> None:
    world.install("guard", agents=("cline",))
    file = next((world.repo / ".cline/hooks").iterdir())
    file.chmod(0o644)
    found = world.run("status", "--json")
    assert found.code == 1
    assert [row["code"] for row in found.json["problems"]] == ["not-executable"]
    world.ok("doctor", "--fix")
    assert file.stat().st_mode & 0o111
    assert world.ok("status", "--json").json["state"] == "ok"
    assert "nothing to change" in world.ok("sync").out


@pytest.mark.parametrize("home", ["", "relative", "/dev/null"])
def test_without_a_home_folder_nothing_in_it_is_wrong(world: World, home: str) -> None:
    world.install("guard", agents=("claude", "codex", "gemini", "copilot"))
    world.patch.setenv("HOME", home)
    assert [row for row in problems(world).values() if row["code"] == "unreadable"] == []


def test_a_config_folder_that_cannot_be_there_holds_no_allowed_projects(world: World) -> None:
    file = world.base / "file"
    file.touch()
    world.patch.setenv("XDG_CONFIG_HOME", str(file))
    world.install("guard")
    assert world.ok("status", "--json").json["state"] == "ok"
    assert world.denies()


def test_what_keeps_droids_file_from_being_written_is_named_instead_of_a_sync(world: World) -> None:
    hooks = {"PreToolUse": [{"hooks": [{"type": "command", "command": "true"}]}]}
    world.write(".factory/settings.json", json.dumps({"hooks": hooks}))
    assert world.run("install", "guard", "--agent=droid").code == 1
    (found,) = world.run("status", "--json").json["problems"]
    assert "move them to .factory/hooks.json first" in found["message"]
    world.write(".factory/hooks.json", json.dumps(hooks))
    (world.repo / ".factory/settings.json").unlink()
    world.ok("sync")
    assert world.ok("status", "--json").json["state"] == "ok"


def test_a_program_that_a_pack_needs_is_named(world: World) -> None:
    more = '[requires]\nprograms = ["no-such-program"]\n'
    world.ok("install", world.pack("needy", more=more), "--agent=claude")
    assert "no-such-program" in problems(world)["program"]["message"]


# --- the agents' own switches and trust ------------------------------------------------------


def codex_home(world: World, text: str = "") -> Path:
    """A config in which the folder is trusted."""
    file = world.home / ".codex/config.toml"
    file.parent.mkdir(exist_ok=True)
    place = json.dumps(str(world.repo.resolve()))
    file.write_text(f'{text}[projects.{place}]\ntrust_level = "trusted"\n')
    return file


def approve(world: World, config: Path) -> None:
    """What Codex keeps once its user has approved every hook of the file."""
    file = world.repo / FILES["codex"]
    lines = [config.read_text()]
    for event, groups in json.loads(file.read_text())["hooks"].items():
        snake = "".join(f"_{c.lower()}" if c.isupper() else c for c in event).lstrip("_")
        for number, group in enumerate(groups):
            for index, handler in enumerate(group["hooks"]):
                key = json.dumps(f"{file.resolve()}:{snake}:{number}:{index}")
                hashed = trust_hash(event, group.get("matcher"), handler)
                lines.append(f'[hooks.state.{key}]\ntrusted_hash = "{hashed}"\n')
    config.write_text("\n".join(lines))


def test_codex_trust_that_is_missing_stale_or_moved_is_named_and_never_granted(
    world: World,
) -> None:
    world.install("guard", agents=("codex",))
    config = world.home / ".codex/config.toml"
    config.parent.mkdir()
    config.write_text("")
    assert set(problems(world)) == {"not-trusted"}
    config = codex_home(world)
    assert "is not approved" in problems(world)["not-approved"]["message"]
    approve(world, config)
    assert problems(world) == {}
    kept = config.read_bytes()
    # A second group inserted before ours: Codex knows a hook by its position.
    hooks = world.load(FILES["codex"])
    hooks["hooks"]["PreToolUse"].insert(0, {"hooks": command("theirs.sh")})
    world.write(FILES["codex"], json.dumps(hooks))
    row = problems(world)["not-approved"]
    assert "PreToolUse" in row["message"]
    assert "approved" in row["message"]
    assert "/hooks" in row["fix"]
    world.run("doctor", "--fix")
    assert config.read_bytes() == kept


@pytest.mark.parametrize("name", ["hooks", "codex_hooks"])
def test_a_feature_flag_that_is_off_is_named_and_not_flipped(world: World, name: str) -> None:
    world.install("guard", agents=("codex",))
    file = codex_home(world, f"[features]\n{name} = false\n")
    kept = file.read_bytes()
    row = problems(world)["switched-off"]
    assert f"{name} = false" in row["message"]
    assert row["file"] == str(file)
    world.run("doctor", "--fix")
    assert file.read_bytes() == kept


@pytest.mark.parametrize("place", ["repo", "home"])
def test_hooks_that_are_disabled_are_named_with_the_file_that_does_it(
    world: World, place: str
) -> None:
    world.install("guard")
    file = {"repo": world.repo, "home": world.home}[place] / ".claude/settings.local.json"
    if place == "home":
        file = file.with_name("settings.json")
    file.parent.mkdir(exist_ok=True)
    file.write_text('{"disableAllHooks": true}')
    row = problems(world)["switched-off"]
    assert row["file"] == str(file)
    assert str(file) in row["fix"]


def test_gemini_that_is_switched_off_or_does_not_trust_is_named(world: World) -> None:
    world.install("guard", agents=("gemini",))
    folder = world.home / ".gemini"
    folder.mkdir()
    (folder / "settings.json").write_text('{"hooksConfig": {"enabled": false}}')
    assert {"switched-off", "not-trusted"} <= set(problems(world))


def test_an_agent_newer_than_its_evidence_is_a_note(world: World) -> None:
    world.install("guard")
    world.patch.setattr(detect, "installed_version", lambda _: "99.0.0")
    row = problems(world)["newer"]
    assert (row["severity"], row["agent"]) == ("note", "claude")
    assert "hookpm probe claude" in row["fix"]


# --- what would void a file, and what is ours elsewhere --------------------------------------

VOIDS: dict[str, tuple[str, Callable[[World], object]]] = {
    "timeout 0 in Claude's": (
        "claude",
        lambda w: w.write(CLAUDE, w.read(CLAUDE).replace('"timeout": 600', '"timeout": 0', 1)),
    ),
    "an event that Cursor does not know": (
        "cursor",
        lambda w: w.write(
            FILES["cursor"],
            w.read(FILES["cursor"]).replace('"hooks": {', '"hooks": {\n"notification": [],', 1),
        ),
    ),
    "a key too much in Codex's": (
        "codex",
        lambda w: w.write(
            FILES["codex"], w.read(FILES["codex"]).replace("{", '{\n"_owner": "x",', 1)
        ),
    ),
}


@pytest.mark.parametrize("name", VOIDS)
def test_an_entry_that_voids_the_whole_file_is_named_with_its_line(world: World, name: str) -> None:
    agent, breaks = VOIDS[name]
    world.install("guard", agents=(agent,))
    breaks(world)
    row = problems(world, "status")["dropped"]
    assert (row["agent"], row["file"], row["severity"]) == (agent, FILES[agent], "broken")
    assert row["line"] >= 2
    assert FILES[agent] in row["fix"]


FORMS: dict[str, Callable[[str], list[str]]] = {
    "a second copy": lambda line: [line, line],
    "an old form": lambda line: ["hookpm run claude PreToolUse"],
    "an old form with a path": lambda line: ['"/opt/my tools/hookpm" run claude PreToolUse'],
    "an old form beside today's": lambda line: [line, "/usr/bin/hookpm run claude PreToolUse"],
    "half of it removed": lambda line: [],
}


@pytest.mark.parametrize("name", FORMS)
def test_copies_and_old_forms_of_ours_are_named_and_healed(world: World, name: str) -> None:
    world.install("guard")
    kept = world.tree()
    settings = world.load(CLAUDE)
    (group,) = settings["hooks"]["PreToolUse"]
    lines = FORMS[name](group["hooks"][0]["command"])
    settings["hooks"]["PreToolUse"] = [
        {"hooks": [{"type": "command", "command": line, "timeout": 600}]} for line in lines
    ]
    world.write(CLAUDE, json.dumps(settings, indent=2) + "\n")
    row = problems(world, "status")["not-wired"]
    assert (row["file"], row["fix"]) == (CLAUDE, "hookpm sync")
    world.ok("doctor", "--fix")
    assert problems(world, "status") == {}
    assert len(world.load(CLAUDE)["hooks"]["PreToolUse"]) == 1
    assert set(world.tree()) == set(kept)


def test_a_copy_that_codexs_import_made_is_a_note_and_stays(world: World) -> None:
    world.install("guard", agents=("claude", "codex"))
    hooks = world.load(FILES["codex"])
    copied = shell_line.present("claude", "PreToolUse")
    hooks["hooks"]["PreToolUse"].append({"hooks": command(copied)})
    world.write(FILES["codex"], json.dumps(hooks, indent=2))
    row = problems(world, "status")["copied"]
    assert (row["severity"], row["file"]) == ("note", FILES["codex"])
    assert "line of claude" in row["message"]


@pytest.mark.parametrize(
    ("agent", "path", "text"),
    [
        ("claude", ".claude/settings.local.json", None),
        ("codex", ".codex/config.toml", "[[hooks.Stop]]\n[[hooks.Stop.hooks]]\ncommand = LINE\n"),
        ("copilot", ".github/hooks/other.json", None),
    ],
)
def test_an_agent_that_is_wired_twice_is_named(
    world: World, agent: str, path: str, text: str | None
) -> None:
    world.install("guard", agents=(agent,))
    line = json.dumps(shell_line.present(agent, "Stop"))
    world.write(
        path,
        (text or '{"hooks": {"Stop": [{"hooks": [{"command": LINE}]}]}}').replace("LINE", line),
    )
    row = problems(world)["wired-twice"]
    assert (row["agent"], row["file"]) == (agent, path)
    assert "Stop" in row["message"]
    (world.repo / path).unlink()
    assert "wired-twice" not in problems(world)


def test_another_agents_line_in_such_a_file_is_no_second_wiring(world: World) -> None:
    world.install("guard")
    line = json.dumps(shell_line.present("gemini", "Stop"))
    world.write(".claude/settings.local.json", f'{{"x": [{line}]}}')
    assert "wired-twice" not in problems(world)


# --- hooks that never run --------------------------------------------------------------------


@pytest.mark.parametrize(
    "line",
    [
        ".agents/mine/check.sh",
        "sh .agents/mine/check.sh --all",
        '"$CLAUDE_PROJECT_DIR"/.agents/mine/check.sh',
        'python3 -S "${CLAUDE_PROJECT_DIR}/.agents/mine/check.sh"',
    ],
)
def test_a_script_of_the_users_that_is_gone_is_named_with_its_line(world: World, line: str) -> None:
    script = world.write(".agents/mine/check.sh", "#!/bin/sh\n")
    world.install("guard")
    own_hook(world, hooks=command(line))
    assert problems(world, "status") == {}
    script.unlink()
    row = problems(world, "status")["script-gone"]
    assert (row["file"], row["severity"]) == (HOOKS, "broken")
    assert ".agents/mine/check.sh" in row["message"]
    assert f"{HOOKS}:{row['line']}" in row["fix"]
    assert world.read(HOOKS).splitlines()[row["line"] - 1].strip().startswith(("{", '"'))


@pytest.mark.parametrize(
    "line",
    ["make lint", "/opt/x/check.sh", '"$HOME/x/check.sh"', "echo a/b", "~/x.sh", "'"],
)
def test_what_is_not_surely_a_file_of_the_project_is_not_named(world: World, line: str) -> None:
    world.install("guard")
    own_hook(world, hooks=command(line))
    assert "script-gone" not in problems(world, "status")


def test_a_packs_script_that_is_gone_is_named_and_put_back(world: World) -> None:
    world.install("guard")
    (world.repo / ".agents/hookpm/packs/guard/guard.py").unlink()
    row = problems(world, "status")["missing"]
    assert row["file"].endswith("guard.py")
    world.ok("doctor", "--fix")
    assert problems(world) == {}


Make = Callable[[World], object]


@pytest.mark.parametrize(
    ("code", "agents", "make"),
    [
        (
            "matches-nothing",
            ("claude",),
            lambda w: own_hook(w, "PreToolUse", matcher="Nothing", hooks=command("true")),
        ),
        ("no-event", ("cline",), lambda w: own_hook(w, "PreCompact", hooks=command("true"))),
    ],
)
def test_a_hook_of_the_users_that_never_fires_is_a_note_with_its_line(
    world: World, code: str, agents: tuple[str, ...], make: Make
) -> None:
    world.install("guard", agents=agents)
    make(world)
    row = problems(world)[code]
    assert (row["severity"], row["file"], row["agent"]) == ("note", HOOKS, agents[-1])
    assert f"{HOOKS}:{row['line']}" in row["fix"]


def test_a_packs_hook_that_no_tool_of_the_agent_matches_is_a_note(world: World) -> None:
    hooks = '[[hooks]]\nid = "x"\nevent = "PreToolUse"\nmatcher = "Nothing"\ncommand = "true"\n'
    world.ok("install", world.pack("odd", hooks=hooks), "--agent=claude")
    row = problems(world)["matches-nothing"]
    assert row["severity"] == "note"
    assert "hookpm audit odd" in row["fix"]


def test_a_new_event_in_the_users_own_groups_is_wired_by_the_next_sync(world: World) -> None:
    """hooks.json was edited by hand since the last sync."""
    world.install("guard")
    hooks = world.load(HOOKS)
    hooks["hooks"]["Stop"] = [{"hooks": command("true")}]
    world.write(HOOKS, json.dumps(hooks, indent=2))
    row = problems(world, "status")["not-wired"]
    assert (row["file"], row["fix"]) == (CLAUDE, "hookpm sync")
    world.ok("doctor", "--fix")
    assert "Stop" in world.load(CLAUDE)["hooks"]
    assert problems(world, "status") == {}


def test_what_is_named_keeps_verify_from_saying_that_all_is_well(world: World) -> None:
    script = world.write(".agents/mine/check.sh", "#!/bin/sh\n")
    world.install("guard")
    own_hook(world, hooks=command("sh .agents/mine/check.sh"))
    world.ok("verify")
    script.unlink()
    done = world.run("verify")
    assert done.code == 1
    assert "check.sh is gone" in done.out
