"""Files of the user's that are more than bytes: somebody else's, with two names, or no file."""

from __future__ import annotations

import os
import shutil
import socket
from pathlib import Path

import pytest

from hookpm.project.writing import pending
from tests.project.world import FILES, World

CLAUDE = FILES["claude"]
HOOKS = ".agents/hooks.json"
MINE = '{\n  "model": "a"\n}\n'


# --- somebody else's, or with two names ------------------------------------------------------


def is_somebody_elses(world: World, path: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """A file of another user's, as a run that is not root's sees it: none can be given away."""

    def refuse(*_: object) -> None:
        raise PermissionError(1, "Operation not permitted")

    os.chown(world.repo / path, 4243, 4243)
    monkeypatch.setattr(os, "chown", refuse)


@pytest.mark.skipif(os.geteuid() != 0, reason="only root can give a file away to set this up")
@pytest.mark.parametrize("path", [CLAUDE, HOOKS, ".agents/hookpm.toml"])
def test_a_file_of_another_user_stays_his_and_is_written(
    world: World, path: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    texts = {CLAUDE: MINE, HOOKS: '{"hooks": {}}\n', ".agents/hookpm.toml": "# mine\n[packs]\n"}
    file = world.write(path, texts[path])
    file.chmod(0o664)
    before = world.tree()
    is_somebody_elses(world, path, monkeypatch)
    stat = file.stat()
    world.install("guard")
    now = file.stat()
    assert (now.st_uid, now.st_gid, now.st_mode, now.st_ino) == (4243, 4243, 0o100664, stat.st_ino)
    assert "guard" in world.read(path) or path == CLAUDE
    assert world.denies()
    world.ok("uninstall", "guard")
    assert world.tree() == before
    assert file.stat().st_uid == 4243


@pytest.mark.skipif(os.geteuid() != 0, reason="only root can give a file away to set this up")
def test_generated_files_of_another_user_are_replaced(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    world.install("guard==1.0.0")
    is_somebody_elses(world, ".agents/hookpm/packs.json", monkeypatch)
    world.install("guard>=2", "helper")
    assert world.ok("status", "--json").json["state"] == "ok"


def test_root_gives_a_new_file_to_the_owner_of_the_old_one(world: World) -> None:
    if os.geteuid() != 0:
        pytest.skip("only root can")
    file = world.write(CLAUDE, MINE)
    os.chown(file, 4243, 4244)
    world.install("guard")
    assert (file.stat().st_uid, file.stat().st_gid) == (4243, 4244)


def test_a_file_with_two_names_keeps_both(world: World) -> None:
    file = world.write(CLAUDE, MINE)
    other = world.home / "dotfiles.json"
    other.hardlink_to(file)
    world.install("guard")
    assert file.samefile(other)
    assert "hookpm" in other.read_text()
    world.ok("uninstall", "guard")
    assert file.samefile(other)
    assert other.read_text() == MINE


def test_a_copy_of_the_repo_by_links_does_not_get_our_generated_files(world: World) -> None:
    world.install("guard==1.0.0")
    copy = world.base / "copy"
    shutil.copytree(world.repo / ".agents/hookpm", copy, copy_function=os.link)
    before = world.tree(copy)
    world.install("guard>=2")
    assert world.tree(copy) == before


def test_a_write_in_place_that_breaks_off_is_made_whole_by_the_next_run(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = world.write(CLAUDE, MINE)
    (world.home / "other").hardlink_to(file)

    def half(real: Path, data: bytes, mode: int) -> None:
        real.write_bytes(data[: len(data) // 2])
        raise OSError(28, "No space left on device", str(real))

    with monkeypatch.context() as patch:
        patch.setattr(pending, "_write_in_place", half)
        done = world.run("install", "guard", "--agent=claude")
    assert done.code == 3
    assert "stopped half-way" in done.err
    world.ok("sync")
    assert world.denies()
    world.ok("uninstall", "guard")
    assert world.read(CLAUDE) == MINE


def test_a_shorter_text_leaves_no_rest_of_the_longer_one(tmp_path: Path) -> None:
    file = tmp_path / "a"
    file.write_bytes(b"long" * 1000)
    pending._write_in_place(file, b"short", 0o100644 & 0o7777)
    assert file.read_bytes() == b"short"


# --- no file ---------------------------------------------------------------------------------


def pipe(file: Path) -> None:
    os.mkfifo(file)


def to_a_device(file: Path) -> None:
    file.symlink_to("/dev/zero")


def at_a_socket(file: Path) -> None:
    with socket.socket(socket.AF_UNIX) as made:
        here = Path.cwd()
        os.chdir(file.parent)  # the name of a socket is short
        made.bind(file.name)
        os.chdir(here)


KINDS = {"a named pipe": pipe, "a device": to_a_device, "a socket": at_a_socket}
COMMANDS = [
    ("install", "guard", "--agent=claude"),
    ("sync",),
    ("status",),
    ("verify",),
    ("list",),
    ("uninstall", "guard"),
]


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize(
    "path", [HOOKS, ".agents/hookpm.toml", ".agents/hookpm.lock", ".agents/hookpm/packs.json"]
)
def test_what_is_no_file_is_named_and_never_read(world: World, kind: str, path: str) -> None:
    world.install("guard")
    (world.repo / path).unlink()
    KINDS[kind](world.repo / path)
    for command in COMMANDS:
        done = world.run(*command)
        if path != ".agents/hookpm/packs.json":
            assert done.code == 3, (command, done.text)
            assert f"{path} is {kind}, where a file belongs" in done.err


@pytest.mark.parametrize("kind", KINDS)
def test_an_agents_file_that_is_no_file_is_left_alone(world: World, kind: str) -> None:
    world.write(CLAUDE, MINE).unlink()
    KINDS[kind](world.repo / CLAUDE)
    done = world.run("install", "guard", "--agent=claude", "--agent=codex")
    assert done.code == 1
    assert f"{CLAUDE} is {kind}, where a file belongs" in done.err
    for command in ("status", "verify", "sync"):
        seen = world.run(command)
        assert seen.code == 1, seen.text
        assert f"is {kind}, where a file belongs" in seen.text
    world.ok("uninstall", "guard")


@pytest.mark.parametrize("path", [".agents/hookpm.toml", CLAUDE, HOOKS])
@pytest.mark.parametrize("command", COMMANDS)
def test_a_pipe_where_nothing_is_installed_stops_no_command_for_good(
    world: World, path: str, command: tuple[str, ...]
) -> None:
    pipe(world.write(path, "").with_name("x"))
    (world.repo / path).unlink()
    (world.repo / path).with_name("x").rename(world.repo / path)
    world.run(*command)
    world.run("init")


# --- names that no place has -----------------------------------------------------------------


@pytest.mark.parametrize(
    "arguments",
    [
        ["install", "~nobody-at-all/x"],
        ["install", "guard", "--registry", "own=~nobody-at-all/x"],
        ["install", "./circle"],
        ["install", "./circle/x"],
        ["install", "./\udcff"],
        ["audit", "~nobody-at-all/x"],
        ["try", "~nobody-at-all/x", "--tool", "Bash", "--input", "{}"],
        ["init", "--profile", "~nobody-at-all/x"],
        ["list", "--root", "circle"],
    ],
)
def test_a_folder_that_cannot_be_is_not_found_in_words(world: World, arguments: list[str]) -> None:
    (world.repo / "circle").symlink_to("circle")
    shutil.copytree(world.packs / "guard-1.0.0", world.repo / "\udcff")
    before = world.tree()
    done = world.run(*arguments, *(["--agent=claude"] if arguments[0] == "install" else []))
    assert done.code in (2, 3), done.text
    assert "error: " in done.err
    assert "Traceback" not in done.err
    assert world.tree() == before


@pytest.mark.parametrize(
    "line",
    [
        '[packs]\nguard = {path = "~nobody-at-all/x"}\n',
        '[packs]\nguard = {path = "a\\u0000b"}\n',
        '[packs]\nguard = "*"\n[registries]\nown = "~nobody-at-all/x"\n',
        '[packs]\nguard = "*"\n[registries]\nown = "a\\u0000b"\n',
        '[packs]\nguard = "*"\n[registries]\nown = "file:///a%00b"\n',
        f"[packs]\nguard = {'9' * 5000}\n",
        f'[packs]\nguard = ">={"9" * 5000}"\n',
    ],
)
def test_a_line_that_names_no_place_or_no_version_is_refused_in_words(
    world: World, line: str
) -> None:
    world.write(".agents/hookpm.toml", f'agents = ["claude"]\n{line}')
    for arguments in (["sync"], ["info", "guard"], ["search", "guard"], ["install", "guard"]):
        done = world.run(*arguments)
        assert done.code in (0, 3), done.text
        assert "Traceback" not in done.err


def test_a_pack_in_the_home_folder_is_taken_from_there_as_it_is_now(world: World) -> None:
    shutil.copytree(world.packs / "guard-1.0.0", world.home / "guard")
    world.write(".agents/hookpm.toml", 'agents = ["claude"]\n[packs]\nguard = {path = "~/guard"}\n')
    world.ok("sync")
    (world.home / "guard" / "more.txt").write_text("x")
    world.ok("sync")
    assert world.read(".agents/hookpm/packs/guard/more.txt") == "x"


# --- links -----------------------------------------------------------------------------------


@pytest.mark.parametrize("target", ["mine.json", "../conf/mine.json"])
@pytest.mark.parametrize(
    ("agent", "path"), [("claude", CLAUDE), ("opencode", ".opencode/plugins/hookpm.js")]
)
def test_a_link_that_leads_nowhere_stays_as_it_is_and_stops_nothing_half_way(
    world: World, agent: str, path: str, target: str
) -> None:
    (world.repo / path).parent.mkdir(parents=True)
    (world.repo / path).symlink_to(target)
    before = world.tree()
    done = world.run("install", "guard", f"--agent={agent}", "--agent=codex")
    assert done.code == 1
    assert f"{path} is a link that leads nowhere" in done.err
    assert world.run("status").code == 1
    world.ok("uninstall", "guard")
    assert world.tree() == before


@pytest.mark.parametrize(
    ("agent", "path"), [("claude", CLAUDE), ("opencode", ".opencode/plugins/hookpm.js")]
)
def test_a_file_of_ours_that_was_moved_and_linked_to_leaves_nothing_behind(
    world: World, agent: str, path: str
) -> None:
    (world.repo / "conf").mkdir()
    world.install("guard", agents=(agent,))
    file = world.repo / path
    file.rename(world.repo / "conf/moved")
    file.symlink_to(os.path.relpath(world.repo / "conf/moved", file.parent))
    world.ok("uninstall", "guard")
    assert not (world.repo / "conf/moved").exists()
    assert not file.is_symlink()


# --- what status says of it ------------------------------------------------------------------


@pytest.mark.parametrize("command", ["status", "doctor", "verify"])
@pytest.mark.parametrize("path", [".opencode/plugins/hookpm.js", CLAUDE])
def test_a_folder_in_an_agents_files_place_is_one_row_and_hides_no_other(
    world: World, path: str, command: str
) -> None:
    world.install("guard", agents=("claude", "codex", "opencode"))
    (world.repo / path).unlink()
    (world.repo / path).mkdir()
    (world.repo / FILES["codex"]).unlink()
    done = world.run(command, "--json")
    assert done.code == 1
    rows = {(row["agent"], row["code"]): row for row in done.json["problems"]}
    row = next(rows[key] for key in rows if key[1] == "unreadable")
    assert row["message"] == f"{path} is a folder, where a file belongs"
    assert ("codex", "not-wired") in rows


def test_what_stands_in_a_generated_files_place_is_said_with_what_mends_it(world: World) -> None:
    world.install("guard")
    (world.repo / ".agents/hookpm/bridge.py").unlink()
    (world.repo / ".agents/hookpm/bridge.py").mkdir()
    found = world.run("status", "--json").json["problems"]
    row = next(each for each in found if each["file"] == ".agents/hookpm/bridge.py")
    assert "is a folder" in row["message"]
    assert "out of the way" in row["fix"]
