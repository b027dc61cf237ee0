"""Dry runs, JSON, quiet and loud: what other programs and people read."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from hookpm.project import state
from tests.project.world import ALL, FILES, HOOK, World

# --- --dry-run -------------------------------------------------------------------------------


def apply_patch(world: World, root: Path, patch: str) -> None:
    done = subprocess.run(
        ["git", "apply", "--whitespace=nowarn", "-"],
        input=patch.encode(),
        cwd=root,
        capture_output=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr.decode()


def test_a_dry_run_writes_nothing(world: World) -> None:
    world.write(FILES["claude"], "{}\n")
    before = world.stamped()
    homes = world.stamped(world.home)
    done = world.ok("install", "guard", *(f"--agent={a}" for a in ALL), "--dry-run")
    assert world.stamped() == before
    assert world.stamped(world.home) == homes
    assert "+++ b/.agents/hookpm.toml" in done.out
    as_json = world.ok("install", "guard", "--agent=claude", "--dry-run", "--json").json
    assert (as_json["changed"], as_json["would_change"]) == (False, True)
    assert world.stamped() == before


@pytest.mark.parametrize(
    "mine",
    [
        {},
        {FILES["claude"]: '{\n  "model": "x"\n}', ".agents/hookpm.toml": "# mine"},
        {FILES["claude"]: "", FILES["codex"]: "{\r\n}\r\n", ".agents/hooks.json": "{}"},
    ],
)
def test_the_diff_of_a_dry_run_is_a_patch_that_makes_what_the_run_makes(
    world: World, mine: dict[str, str]
) -> None:
    pack = world.pack("shell", hooks=HOOK.replace("guard.py", "run me.sh"))
    (pack / "run me.sh").write_text("#!/bin/sh\n")
    (pack / "run me.sh").chmod(0o755)
    (pack / "empty").write_text("")
    (pack / "ä ö.txt").write_text("no newline")
    for path, text in mine.items():
        world.write(path, text)
    before = world.tree()
    arguments = ("install", "guard", str(pack), "--agent=claude", "--agent=codex")
    patch = world.ok(*arguments, "--dry-run").out
    world.ok(*arguments)
    wanted = world.tree()
    gone = world.ok("uninstall", "guard", "shell", "--dry-run").out
    world.ok("uninstall", "guard", "shell")
    assert world.tree() == before
    apply_patch(world, world.repo, patch)
    assert world.tree() == wanted
    apply_patch(world, world.repo, gone)
    files = {path: what for path, what in before.items() if what != "folder"}
    assert {path: what for path, what in world.tree().items() if what != "folder"} == files


# --- --json ----------------------------------------------------------------------------------

CHANGE_KEYS = {"changed", "packs", "files", "agents", "gaps", "verified"}
ERROR_KEYS = {"code", "message", "hint", "file", "line"}


def test_every_change_gives_the_stable_document(world: World) -> None:
    done = world.ok("install", "guard", *(f"--agent={a}" for a in ALL), "--json").json
    assert set(done) >= CHANGE_KEYS
    assert done["changed"] is True
    assert done["packs"] == [
        {"name": "guard", "version": "2.0.0", "source": "embedded", "action": "install"}
    ]
    assert {"path": ".agents/hookpm.toml", "action": "create"} in done["files"]
    assert [a["agent"] for a in done["agents"]] == sorted(ALL)
    for agent in done["agents"]:
        assert agent["wired"] is True
        assert agent["files"] == [FILES[agent["agent"]]]
        assert all(set(todo) == {"what", "how"} for todo in agent["todo"])
    assert [set(v) for v in done["verified"]] == [{"agent", "ok", "detail"}] * 5
    assert all(v["ok"] for v in done["verified"])
    for command in (("sync",), ("install", "guard"), ("uninstall", "guard")):
        document = world.ok(*command, "--json").json
        assert set(document) >= CHANGE_KEYS
        assert document["changed"] is (command[0] == "uninstall")


def test_gaps_have_the_stable_keys(world: World) -> None:
    pack = world.pack("asker", hooks=HOOK + 'uses = ["ask"]\n')
    done = world.ok("install", pack, "--agent=codex", "--json").json
    keys = "id pack hook event capability kind agent surface support fallback evidence message"
    assert set(done["gaps"][0]) >= set(keys.split())


def test_what_looks_gives_the_stable_documents(world: World) -> None:
    world.install("guard", agents=("claude", "codex"))
    assert world.ok("list", "--json").json == {
        "packs": [
            {"name": "guard", "version": "2.0.0", "source": "embedded", "hooks": 1, "limited": []}
        ]
    }
    for command in ("status", "verify"):
        document = world.ok(command, "--json").json
        assert (document["state"], document["problems"]) == ("ok", [])
    audit = world.ok("audit", "--json").json
    assert set(audit) >= {"gaps", "hooks", "summary"}
    assert set(audit["hooks"][0]) >= {"pack", "hook", "event", "matcher", "agent", "support"}
    assert set(audit["summary"]) >= {"gaps", "agents", "packs"}
    agent = world.ok("agents", "claude", "--json").json["agents"][0]
    assert set(agent) >= {"agent", "title", "installed_version", "wired", "events"}
    cell = agent["events"]["PreToolUse"]["answers"]["deny"]
    assert set(cell) >= {"support", "basis", "version", "source", "note", "surfaces"}


def test_problems_have_the_stable_keys(world: World) -> None:
    world.install("guard")
    (world.repo / ".agents/hookpm/bridge.py").unlink()
    done = world.run("status", "--json")
    assert done.code == 1
    assert set(done.json["problems"][0]) >= {
        "code",
        "severity",
        "file",
        "agent",
        "message",
        "fix",
    }


@pytest.mark.parametrize(
    ("arguments", "code"),
    [
        (("install", "nope"), 3),
        (("install", "guard", "--agent=x"), 2),
        (("install",), 2),
        (("install", "guard", "--nope"), 2),
        (("uninstall", "nope"), 3),
        (("sync",), 3),
        (("verify",), 3),
        (("audit",), 3),
        (("agents", "x"), 2),
        (("status", "--root", "/nowhere"), 2),
        (("pack", "test", "nope"), 3),
        (("nope",), 2),
        ((), 2),
    ],
)
def test_an_error_is_one_json_document_too(
    world: World, arguments: tuple[str, ...], code: int
) -> None:
    done = world.run(*arguments, "--json")
    assert done.code == code, done.text
    assert set(done.json) == {"error"}
    assert set(done.json["error"]) >= ERROR_KEYS
    assert done.err.startswith("error: ")


def test_an_agent_that_is_left_alone_is_in_the_document_with_its_line(world: World) -> None:
    world.write(FILES["claude"], "{\n  // mine\n}\n")
    done = world.run("install", "guard", "--agent=claude", "--agent=codex", "--json")
    assert done.code == 1
    claude = next(a for a in done.json["agents"] if a["agent"] == "claude")
    assert claude["wired"] is False
    assert claude["problems"][0]["line"] == 2
    assert [v["agent"] for v in done.json["verified"]] == ["codex"]


# --- words -----------------------------------------------------------------------------------


def test_quiet_says_nothing_where_all_is_well(world: World) -> None:
    done = world.ok("install", "guard", "--agent=claude", "-q")
    assert (done.out, done.err) == ("", "")
    done = world.ok("uninstall", "guard", "-q")
    assert (done.out, done.err) == ("", "")


def test_quiet_still_says_what_is_wrong(world: World) -> None:
    world.write(FILES["claude"], "{ // mine\n}\n")
    done = world.run("install", "guard", "--agent=claude", "-q")
    assert (done.code, done.out) == (1, "")
    assert "claude is not wired" in done.err


def test_verbose_names_every_file(world: World) -> None:
    done = world.ok("install", "guard", "--agent=claude", "-v")
    assert "create .agents/hookpm/bridge.py" in done.out
    assert "create .claude/settings.json" in done.out


def test_the_version_is_printed(world: World) -> None:
    from hookpm import __version__

    assert world.ok("--version").out == f"hookpm {__version__}\n"


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (("isntall", "guard"), ("unknown command", "hookpm install")),
        (("add", "guard"), ("unknown command", "hookpm install")),
        (("frobnicate",), ("unknown command", "commands: ")),
        (("install", "guard", "--dry"), ("--dry",)),
        (("install", "guard", "--frobnicate"), ("unknown option", "--frobnicate")),
        (("install",), ("PACK",)),
        (("list", "more"), ("unknown option or argument: more",)),
        (("--frobnicate",), ("--frobnicate",)),
    ],
)
def test_a_wrong_command_line_is_refused_in_one_message(
    world: World, arguments: tuple[str, ...], words: tuple[str, ...]
) -> None:
    done = world.run(*arguments)
    assert (done.code, done.out) == (2, ""), done.text
    for word in words:
        assert word in done.err
    assert "hint: " in done.err
    assert "Traceback" not in done.err


def test_a_project_without_packs_has_a_status_that_is_fine(world: World) -> None:
    done = world.ok("status")
    assert "no packs are installed here" in done.text
    assert world.ok("status", "--json").json["state"] == "ok"
    assert world.ok("list", "--json").json == {"packs": []}


def test_a_reader_that_goes_away_is_no_error(world: World) -> None:
    done = subprocess.run(
        ["bash", "-c", 'set -o pipefail; "$0" -m hookpm agents | head -1', sys.executable],
        env={**os.environ, "PYTHONPATH": str(Path(__file__).parents[2])},
        capture_output=True,
        text=True,
        check=False,
    )
    assert "Traceback" not in done.stderr
    assert "Broken" not in done.stderr


def test_names_that_could_drive_a_terminal_are_shown_harmless(world: World) -> None:
    done = world.run("install", "x\x1b[31my")
    assert done.code == 2
    assert "\x1b" not in done.err


def test_output_goes_through_a_stream_without_unicode(world: World) -> None:
    pack = world.pack("umlaut", files={"ä.txt": "x"})
    done = world.spawn("install", pack, "--agent=claude", "-v", PYTHONIOENCODING="ascii")
    assert done.code == 0, done.text


def test_what_is_left_to_the_user_is_said_when_an_agent_is_wired_and_not_again(
    world: World,
) -> None:
    done = world.install("guard", agents=("claude", "codex"))
    said = done.out[done.out.index("left to you:") :]
    assert "  claude: trust the folder in Claude Code: " in said
    assert "  codex: approve the hooks in Codex: " in said
    assert said.count("restart open sessions") == 1
    assert "claude, codex: restart open sessions" in said
    assert "left to you" not in world.ok("install", "helper").out
    assert "left to you" not in world.ok("uninstall", "helper").out
    again = world.ok("install", "guard", "--agent=gemini").out
    assert "trust the folder in Gemini CLI" in again
    assert "approve the hooks in Codex" not in again


def test_a_fault_of_hookpms_own_is_an_answer_too(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Whoever reads --json gets one document; 1 would be "no", which nobody said."""

    def fall(*_: object, **__: object) -> None:
        raise KeyError("surprise")

    monkeypatch.setattr(state, "load", fall)
    done = world.run("list", "--json")
    assert done.code == 3
    assert done.json["error"]["cause"] == "KeyError: 'surprise'"
    assert "test_output.py" in done.err, "where it happened is what mends it"


def test_the_names_of_schemas_are_a_document_too(world: World) -> None:
    assert "lock" in world.ok("schema", "--json").json["schemas"]
