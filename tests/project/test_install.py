from __future__ import annotations

import json
import os
from pathlib import Path

import pytest

from tests.project.world import ALL, FILES, HOOK, World


def test_an_install_writes_settings_lock_hooks_and_files_and_wires_and_proves(
    world: World,
) -> None:
    done = world.install("guard==1.0.0", agents=ALL)
    assert 'guard = "==1.0.0"' in world.read(".agents/hookpm.toml")
    assert f"agents = {json.dumps(list(ALL))}" in world.read(".agents/hookpm.toml")
    assert 'name = "guard"' in world.read(".agents/hookpm.lock")
    group = world.load(".agents/hooks.json")["hooks"]["PreToolUse"][0]
    assert (group["pack"], group["id"], group["matcher"]) == (
        "guard",
        "guard",
        "Read|Edit|Write|Bash",
    )
    assert (world.repo / ".agents/hookpm/packs/guard/guard.py").is_file()
    for agent, file in FILES.items():
        assert (world.repo / file).is_file()
        assert f"{agent}: proved" in done.out
    assert world.denies(".env")
    assert not world.denies("readme.md")


def test_installing_twice_is_installing_once(world: World) -> None:
    world.install("guard", "helper", agents=ALL)
    before = world.stamped()
    done = world.ok("install", "guard", "helper")
    assert "nothing to change" in done.out
    assert world.stamped() == before


def test_packs_asked_for_together_or_one_by_one_give_the_same_bytes(world: World) -> None:
    world.install("guard", "helper", agents=("claude", "codex"))
    together = world.tree()
    other = world.base / "other"
    other.mkdir()
    world.ok("install", "guard", "--agent=claude", cwd=other)
    world.ok("install", "helper", "--agent=codex", cwd=other)
    assert world.tree(other) == together


@pytest.mark.parametrize(
    ("asked", "version", "line"),
    [
        ("guard", "2.0.0", "~=2.0"),
        ("guard==1.0.0", "1.0.0", "==1.0.0"),
        ("guard>=1,<2", "1.1.0", "<2,>=1"),
        ("guard~=1.0", "1.1.0", "~=1.0"),
        ("guard!=2.0.0", "1.1.0", "!=2.0.0"),
    ],
)
def test_a_specifier_chooses_the_version_and_stands_in_hookpm_toml(
    world: World, asked: str, version: str, line: str
) -> None:
    world.install(asked)
    assert f'guard = "{line}"' in world.read(".agents/hookpm.toml")
    assert world.ok("list", "--json").json["packs"][0]["version"] == version


def test_a_new_specifier_moves_the_version_and_none_keeps_the_line(world: World) -> None:
    world.install("guard==1.0.0")
    done = world.ok("install", "guard==1.1.0")
    assert "updating guard 1.1.0" in done.out
    assert "was 1.0.0" in done.out
    before = world.tree()
    world.ok("install", "guard")
    assert world.tree() == before


def test_a_pack_in_a_folder_is_relative_to_where_the_user_stands_and_stored_from_the_root(
    world: World,
) -> None:
    inside = world.repo / "sub" / "deep"
    inside.mkdir(parents=True)
    world.pack("local", at=world.repo / "tools" / "local")
    done = world.ok("install", "../../tools/local", "--agent", "claude", cwd=inside)
    assert f"project: {world.repo}" in done.err
    assert 'local = {path = "tools/local"}' in world.read(".agents/hookpm.toml").replace("./", "")
    world.ok("install", world.packs / "guard-1.0.0")
    assert 'guard = {path = "../packs/guard-1.0.0"}' in world.read(".agents/hookpm.toml")


def test_an_agent_option_adds_to_the_agents_that_are_written_down(world: World) -> None:
    world.install("guard", agents=("codex",))
    world.install("guard", agents=("claude",))
    assert 'agents = ["codex", "claude"]' in world.read(".agents/hookpm.toml")
    assert {p["agent"] for p in world.ok("install", "guard", "--json").json["agents"]} == {
        "claude",
        "codex",
    }


def test_agents_are_found_by_their_files_and_by_their_commands(world: World) -> None:
    world.write("GEMINI.md", "hello")
    program = world.bin / "codex"
    program.write_text("#!/bin/sh\nexit 1\n")
    program.chmod(0o755)
    done = world.ok("install", "guard")
    assert "found gemini (GEMINI.md)" in done.out
    assert "found codex (codex on PATH)" in done.out
    assert 'agents = ["codex", "gemini"]' in world.read(".agents/hookpm.toml")


def test_agents_that_are_written_down_are_not_looked_for_again(world: World) -> None:
    world.install("guard")
    world.write("GEMINI.md", "hello")
    world.ok("sync")
    assert 'agents = ["claude"]' in world.read(".agents/hookpm.toml")


# --- refusals: nothing is written ------------------------------------------------------------


@pytest.mark.parametrize(
    ("arguments", "code", "words"),
    [
        (("guard",), 3, ("no coding agent was found", "--agent NAME", "claude")),
        (("guard", "--agent=cluade"), 2, ("unknown agent", "claude")),
        (("gaurd", "--agent=claude"), 3, ("gaurd", "guard")),
        (("guard==9", "--agent=claude"), 3, ("2.0.0",)),
        (("guard=>1", "--agent=claude"), 2, ("cannot read the requirement", "guard>=1")),
        (("guard", "guard", "--agent=claude"), 2, ("asked for twice",)),
        (("./nowhere", "--agent=claude"), 3, ("nowhere",)),
        (("https://example.com/x", "--agent=claude"), 2, ("did you mean git+https",)),
        (("Guard!", "--agent=claude"), 2, ("'Guard' cannot be a pack's name",)),
        (("", "--agent=claude"), 2, ("name a pack",)),
    ],
)
def test_what_cannot_be_installed_is_said_and_nothing_is_written(
    world: World, arguments: tuple[str, ...], code: int, words: tuple[str, ...]
) -> None:
    world.write("README.md", "x")
    before = world.stamped()
    done = world.run("install", *arguments)
    assert done.code == code, done.text
    assert done.out == ""
    assert done.err.startswith("error: ")
    assert "hint: " in done.err or "cause: " in done.err
    for word in words:
        assert word in done.err
    assert world.stamped() == before


def test_a_refusal_after_an_install_changes_nothing_either(world: World) -> None:
    world.install("guard==1.0.0", agents=ALL)
    before = world.stamped()
    for arguments in (("helper==7",), ("nope",), ("./nope",), ("guard==1.0.0", "--agent=x")):
        assert world.run("install", *arguments).code in (2, 3)
        assert world.stamped() == before


ASKS = HOOK.replace('needs = ["deny"]', 'needs = ["ask"]')


def test_a_need_that_an_agent_does_not_meet_is_refused(world: World) -> None:
    pack = world.pack("asker", hooks=ASKS)
    before = world.stamped()
    done = world.run("install", pack, "--agent=claude", "--agent=codex")
    assert done.code == 1
    assert "codex" in done.err
    assert "needs ask" in done.err
    assert "--allow-gaps" in done.err
    assert world.stamped() == before


def test_a_need_that_is_not_met_can_be_allowed(world: World) -> None:
    pack = world.pack("asker", hooks=ASKS)
    done = world.run("install", pack, "--agent=codex", "--allow-gaps", "--json")
    assert done.code == 0, done.text
    assert [g["capability"] for g in done.json["gaps"]] == ["PreToolUse.ask"]
    assert world.denies(".env") if (world.repo / FILES["claude"]).exists() else True


def test_a_pack_that_is_limited_to_able_agents_goes_on(world: World) -> None:
    world.pack("asker", hooks=ASKS)
    world.write(
        ".agents/hookpm.toml",
        'agents = ["claude", "codex"]\n[packs]\n'
        'asker = { path = "../packs/asker-1.0.0", agents = ["claude"] }\n',
    )
    world.ok("sync")
    assert world.load(".agents/hookpm/packs.json")["packs"]["asker"]["agents"] == ["claude"]


@pytest.mark.parametrize(
    ("text", "line", "word"),
    [
        ("agents = [\n", 2, ""),
        ('agents = ["claude"]\nagnets = 1\n', 2, "agnets"),
        ('agents = ["claud"]\n', 1, "claud"),
        ("[packs]\n\nguard = 1\n", 3, "guard"),
        ('[packs]\nguard = "1..2"\n', 2, "guard"),
        ('[packs]\n"Guard!" = "*"\n', 2, "Guard!"),
        ('[packs]\nguard = { version = "*", optoins = {} }\n', 2, "optoins"),
        ('[packs]\nguard = { git = "https://example.com/x", path = "x" }\n', 2, "git"),
        ('extends = ["x"]\n', 1, "there is no profile at x"),
        ('[registries]\nacme = "http://example.com"\n', 2, "acme"),
        ('agents = ["claude"]\n<<<<<<< HEAD\n=======\n>>>>>>> x\n', 2, "conflict"),
        ('[packs]\nguard = { version = "*", disable = ["nope"] }\n', 2, "nope"),
        ('[packs]\nguard = { version = "*", options = { x = 1 } }\n', 2, "x"),
    ],
)
def test_a_broken_hookpm_toml_is_named_by_line_and_key_and_nothing_is_written(
    world: World, text: str, line: int, word: str
) -> None:
    world.write(".agents/hookpm.toml", text)
    before = world.stamped()
    done = world.run("install", "guard", "--agent=claude")
    assert done.code == 3, done.text
    assert f".agents/hookpm.toml:{line}" in done.err, done.err
    assert word in done.err
    assert world.stamped() == before


@pytest.mark.parametrize(
    ("text", "line", "word"),
    [
        ("[pack\n", 1, ""),
        ('[pack]\nname = "x"\nversion = "1.0"\ndescription = "d"\nlicence = "MIT"\n', 5, "licence"),
        ('[pack]\nname = "x"\nversion = "one"\ndescription = "d"\n', 3, "version"),
        (
            '[pack]\nname = "x"\nversion = "1"\ndescription = "d"\n\n[[hooks]]\nid = "a"\n'
            'event = "PreTool"\ncommand = "true"\n',
            8,
            "PreToolUse",
        ),
    ],
)
def test_a_broken_hookpack_toml_is_named_by_line_and_key(
    world: World, text: str, line: int, word: str
) -> None:
    folder = world.packs / "broken"
    folder.mkdir()
    (folder / "hookpack.toml").write_text(text)
    before = world.stamped()
    done = world.run("install", folder, "--agent=claude")
    assert done.code == 3, done.text
    assert f"hookpack.toml:{line}" in done.err
    assert word in done.err
    assert world.stamped() == before


# --- a disk that stands in the way -----------------------------------------------------------


@pytest.mark.parametrize("path", [".agents", ".agents/hookpm", ".agents/hookpm/packs"])
def test_a_file_where_a_folder_of_ours_belongs_is_said_and_nothing_is_written(
    world: World, path: str
) -> None:
    world.write(path, "mine")
    before = world.stamped()
    done = world.run("install", "guard", "--agent=claude")
    assert done.code == 3, done.text
    assert path in done.err
    assert "hint: " in done.err
    assert world.stamped() == before


@pytest.mark.parametrize(
    "path", [".agents/hookpm.toml", ".agents/hookpm.lock", ".agents/hooks.json"]
)
def test_a_folder_where_a_file_of_ours_belongs_is_said_and_nothing_is_written(
    world: World, path: str
) -> None:
    (world.repo / path).mkdir(parents=True)
    before = world.stamped()
    done = world.run("install", "guard", "--agent=claude")
    assert done.code == 3, done.text
    assert path in done.err
    assert world.stamped() == before


def test_a_folder_where_a_generated_file_belongs_is_said_and_nothing_is_written(
    world: World,
) -> None:
    (world.repo / ".agents/hookpm/bridge.py").mkdir(parents=True)
    before = world.stamped()
    done = world.run("install", "guard", "--agent=claude")
    assert done.code == 3, done.text
    assert "bridge.py" in done.err
    assert world.stamped() == before


@pytest.mark.parametrize("agent", ALL)
@pytest.mark.parametrize("kind", ["file for folder", "folder for file"])
def test_an_agents_file_that_cannot_be_is_left_and_the_other_agents_are_done(
    world: World, agent: str, kind: str
) -> None:
    file = FILES[agent]
    if kind == "file for folder":
        world.write(str(Path(file).parent), "mine")
    else:
        (world.repo / file).mkdir(parents=True)
    other = "claude" if agent != "claude" else "codex"
    done = world.run("install", "guard", f"--agent={agent}", f"--agent={other}")
    assert done.code == 1, done.text
    assert f"{agent} is not wired" in done.err
    assert f"{other}: proved" in done.out
    if kind == "file for folder":
        assert world.read(str(Path(file).parent)) == "mine"
    again = world.run("install", "guard")
    assert again.code == 1
    world.ok("uninstall", "guard")
    assert not (world.repo / ".agents").exists()


@pytest.mark.parametrize("what", ["folder", "file"])
def test_what_is_read_only_is_said_and_nothing_is_written(
    world: World, what: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Modes mean nothing to root, so the system's word on them is replaced."""
    file = world.write(".claude/settings.json", "{}\n")
    stuck = {file} if what == "file" else {world.repo, world.repo / ".claude"}
    real = os.access

    def access(path: str | Path, mode: int) -> bool:
        if Path(path) in stuck and mode & os.W_OK:
            return False
        return real(path, mode)

    monkeypatch.setattr(os, "access", access)
    before = world.stamped()
    done = world.run("install", "guard", "--agent=claude")
    assert done.code == 3, done.text
    assert "nothing was changed" in done.err
    assert "ermission" in done.err
    assert world.stamped() == before


def test_without_git_the_folder_itself_is_the_project(world: World, tmp_path: Path) -> None:
    plain = tmp_path / "plain"
    plain.mkdir()
    done = world.ok("install", "guard", "--agent=claude", cwd=plain)
    assert "claude: proved" in done.out
    assert world.denies(root=plain)


def test_a_link_inside_the_project_stays_a_link_and_its_target_is_edited(world: World) -> None:
    real = world.write("dotfiles/claude.json", '{\n  "model": "x"\n}\n')
    link = world.repo / ".claude/settings.json"
    link.parent.mkdir()
    link.symlink_to("../dotfiles/claude.json")
    before = world.tree()
    world.install("guard")
    assert link.is_symlink()
    assert "bridge.py" in real.read_text()
    world.ok("uninstall", "guard")
    assert world.tree() == before


def test_a_link_out_of_the_project_is_not_written_through_and_the_other_agents_are_done(
    world: World, tmp_path: Path
) -> None:
    real = tmp_path / "shared.json"
    real.write_text("{}\n")
    link = world.repo / ".claude/settings.json"
    link.parent.mkdir()
    link.symlink_to(real)
    done = world.run("install", "guard", "--agent=claude", "--agent=codex")
    assert done.code == 1
    assert "claude is not wired" in done.err
    assert "leads out of the project" in done.err
    assert "codex: proved" in done.out
    assert real.read_text() == "{}\n"
    world.ok("uninstall", "guard")
    assert real.read_text() == "{}\n"


@pytest.mark.parametrize("path", [".agents", ".claude"])
def test_a_linked_folder_out_of_the_project_is_not_written_into(
    world: World, tmp_path: Path, path: str
) -> None:
    away = tmp_path / "away"
    away.mkdir()
    (world.repo / path).symlink_to(away)
    done = world.run("install", "guard", "--agent=claude", "--agent=codex")
    assert done.code != 0
    assert "out of the project" in done.err
    assert list(away.iterdir()) == []


# --- the pack that comes with hookpm ---------------------------------------------------------


def test_protect_secrets_installs_by_name_and_denies_a_write_of_env(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    done = world.spawn("install", "protect-secrets", "--agent=claude")
    assert done.code == 0, done.text
    assert world.denies(".env")
    assert not world.denies("notes.md")


def test_an_agent_that_reads_no_projects_file_is_refused_with_the_way_out(world: World) -> None:
    world.pack("guard")
    before = world.tree()
    done = world.run("install", "./guard", "--agent", "kimi")
    assert done.code == 1
    assert "kimi cannot be wired in a project" in done.err
    assert "hookpm init --user-bridge --agent kimi" in done.err
    assert world.tree() == before
