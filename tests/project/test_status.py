"""Every problem that status knows, provoked, seen with its fix, and mended by it."""

from __future__ import annotations

import json
import os
import shutil
from collections.abc import Callable

import pytest

from tests.project.world import ALL, FILES, World

Break = Callable[[World], object]


def edit(path: str, was: str, becomes: str) -> Break:
    def change(world: World) -> None:
        text = world.read(path)
        assert was in text
        world.write(path, text.replace(was, becomes, 1))

    return change


def drop(path: str) -> Break:
    return lambda world: (world.repo / path).unlink()


def entry_of_a_stranger(world: World) -> None:
    hooks = world.load(".agents/hooks.json")
    hooks["hooks"]["Stop"] = [
        {"pack": "stranger", "id": "x", "hooks": [{"type": "command", "command": "true"}]}
    ]
    world.write(".agents/hooks.json", json.dumps(hooks))


def no_entry_of_a_stranger(world: World) -> None:
    hooks = world.load(".agents/hooks.json")
    del hooks["hooks"]["Stop"]
    world.write(".agents/hooks.json", json.dumps(hooks))


def no_entry(world: World) -> None:
    hooks = world.load(".agents/hooks.json")
    hooks["hooks"]["PreToolUse"] = []
    world.write(".agents/hooks.json", json.dumps(hooks))


LOCK = ".agents/hookpm.lock"
TOML = ".agents/hookpm.toml"
GUARD = ".agents/hookpm/packs/guard/guard.py"
# name: (what breaks it, the code, severity, file, agent)
BY_SYNC: dict[str, tuple[Break, str, str, str, str | None]] = {
    "bridge gone": (
        drop(".agents/hookpm/bridge.py"),
        "missing",
        "broken",
        ".agents/hookpm/bridge.py",
        None,
    ),
    "pack edited": (edit(GUARD, "import", "#import"), "edited", "drift", GUARD, None),
    "hooks gone": (drop(".agents/hooks.json"), "missing", "broken", ".agents/hooks.json", None),
    "entry gone": (no_entry, "entry-gone", "broken", ".agents/hooks.json", None),
    "entry edited": (
        edit(".agents/hooks.json", '"timeout": 10', '"timeout": 11'),
        "entry-edited",
        "drift",
        ".agents/hooks.json",
        None,
    ),
    "a hook that the pack has not": (
        edit(".agents/hooks.json", '"id": "guard"', '"id": "older"'),
        "entry-unknown",
        "drift",
        ".agents/hooks.json",
        None,
    ),
    "agent's file gone": (drop(FILES["claude"]), "not-wired", "broken", FILES["claude"], "claude"),
    "line edited": (
        edit(FILES["claude"], "-I -S", "-I"),
        "not-wired",
        "broken",
        FILES["claude"],
        "claude",
    ),
    "entry narrowed": (
        edit(FILES["claude"], '"hooks": [\n          {', '"matcher": "X", "hooks": [\n          {'),
        "not-wired",
        "broken",
        FILES["claude"],
        "claude",
    ),
    "pack wanted": (
        edit(TOML, "[packs]\n", '[packs]\nhelper = "*"\n'),
        "not-synced",
        "broken",
        TOML,
        None,
    ),
    "other version wanted": (
        edit(TOML, '"~=2.0"', '"~=1.0"'),
        "not-synced",
        "drift",
        TOML,
        None,
    ),
    "agent not wanted": (
        edit(TOML, '["claude", "codex"]', '["claude"]'),
        "not-synced",
        "drift",
        TOML,
        "codex",
    ),
}


@pytest.mark.parametrize("name", BY_SYNC)
def test_a_problem_is_seen_with_its_fix_and_a_sync_mends_it(world: World, name: str) -> None:
    breaks, code, severity, file, agent = BY_SYNC[name]
    world.install("guard", agents=("claude", "codex"))
    breaks(world)
    before = world.stamped()
    done = world.run("status", "--json")
    assert done.code == 1
    seen = [p for p in done.json["problems"] if p["code"] == code]
    assert [(p["severity"], p["file"], p["agent"]) for p in seen] == [(severity, file, agent)]
    assert "hookpm sync" in seen[0]["fix"]
    assert done.json["state"] in ("broken", severity)
    said = world.run("status")
    assert said.code == 1
    assert f"{severity}: " in said.out
    assert "  fix: " in said.out
    assert world.stamped() == before
    world.ok("sync")
    assert world.ok("status", "--json").json["state"] == "ok"


BY_HAND: dict[str, tuple[Break, Break, str, str]] = {
    "a file that is not ours": (
        lambda w: w.write(".agents/hookpm/mine.py", "x"),
        drop(".agents/hookpm/mine.py"),
        "unlisted",
        ".agents/hookpm/mine.py",
    ),
    "a cache beside the code": (
        lambda w: w.write(".agents/hookpm/bridge/__pycache__/x.pyc", "x"),
        lambda w: shutil.rmtree(w.repo / ".agents/hookpm/bridge/__pycache__"),
        "unlisted",
        ".agents/hookpm/bridge/__pycache__/x.pyc",
    ),
    "no json": (
        edit(FILES["claude"], "{", "{{"),
        edit(FILES["claude"], "{{", "{"),
        "unreadable",
        FILES["claude"],
    ),
    "a comment": (
        edit(FILES["claude"], "{\n", "{\n// mine\n"),
        edit(FILES["claude"], "// mine\n", ""),
        "dropped",
        FILES["claude"],
    ),
    "switched off": (
        edit(FILES["claude"], "{\n", '{\n  "disableAllHooks": true,\n'),
        edit(FILES["claude"], '  "disableAllHooks": true,\n', ""),
        "switched-off",
        FILES["claude"],
    ),
    "an entry that does not run": (
        edit(".agents/hooks.json", '"hooks": {', '"hooks": {\n"Stop": [{"hooks": 1}],'),
        edit(".agents/hooks.json", '\n"Stop": [{"hooks": 1}],', ""),
        "not-run",
        ".agents/hooks.json",
    ),
    "entry of a stranger": (
        entry_of_a_stranger,
        no_entry_of_a_stranger,
        "entry-unknown",
        ".agents/hooks.json",
    ),
    "git ignores it": (
        lambda w: w.write(".gitignore", ".agents/\n"),
        drop(".gitignore"),
        "ignored",
        LOCK,
    ),
    "settings gone": (
        lambda w: (w.repo / TOML).rename(w.base / "kept"),
        lambda w: (w.base / "kept").rename(w.repo / TOML),
        "missing",
        TOML,
    ),
}


@pytest.mark.parametrize("name", BY_HAND)
def test_a_problem_of_the_users_is_seen_with_its_place_and_gone_once_it_is_mended(
    world: World, name: str
) -> None:
    breaks, mends, code, file = BY_HAND[name]
    world.install("guard", agents=("claude", "codex"))
    breaks(world)
    done = world.run("status", "--json")
    assert done.code == 1, done.text
    seen = [p for p in done.json["problems"] if p["code"] == code]
    assert file in [p["file"] for p in seen]
    assert all(p["fix"] for p in seen)
    if code in ("unreadable", "dropped", "switched-off", "not-run"):
        assert seen[0]["line"] >= 1
        assert f"{file}:{seen[0]['line']}" in world.run("status").out
    mends(world)
    assert world.ok("status", "--json").json["state"] == "ok"


def test_wanted_but_never_installed_is_broken(world: World) -> None:
    world.write(TOML, 'agents = ["claude"]\n[packs]\nguard = "*"\n')
    done = world.run("status", "--json")
    assert (done.code, done.json["state"]) == (1, "broken")
    assert [p["code"] for p in done.json["problems"]] == ["not-synced"]


def test_another_versions_bridge_is_drift_and_still_protects(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    from hookpm.project import generated, vendor
    from hookpm.project.health import status

    world.install("guard")
    newer = {**vendor.bridge_files(), "bridge/new.py": b"# new\n"}
    for module in (generated, status):
        monkeypatch.setattr(module, "bridge_files", lambda: newer)
    done = world.run("status", "--json")
    assert done.json["state"] == "drift"
    assert [p["code"] for p in done.json["problems"]] == ["other-bridge"]
    assert world.denies(".env")
    world.ok("sync")
    assert (world.repo / ".agents/hookpm/bridge/new.py").exists()


# --- verify ----------------------------------------------------------------------------------


@pytest.mark.parametrize("agent", ["claude", "copilot"])
@pytest.mark.parametrize(
    "breaks",
    [
        lambda w, f: w.write(f, w.read(f).replace("-I -S", "-I", 1)),
        lambda w, f: (w.repo / f).unlink(),
        lambda w, f: w.write(f, "{}\n"),
        lambda w, f: w.write(".agents/hookpm/bridge.py", "raise SystemExit(1)\n"),
        lambda w, f: w.write(".agents/hookpm/bridge.py", ""),
        lambda w, f: (w.repo / ".agents/hookpm/bridge.py").unlink(),
        lambda w, f: w.write(".agents/hooks.json", "{"),
    ],
    ids=["line", "no file", "no entry", "bridge ends", "bridge empty", "no bridge", "hooks"],
)
def test_verify_fails_where_the_agent_would_not_be_refused(
    world: World, agent: str, breaks: Callable[[World, str], object]
) -> None:
    world.install("guard", agents=(agent,))
    world.ok("verify")
    breaks(world, FILES[agent])
    done = world.run("verify", "--json")
    assert done.code != 0, done.text
    if "error" not in done.json:
        assert done.json["state"] in ("broken", "drift")


def test_verify_fails_without_a_python_and_holds_with_the_cached_one_alone(
    world: World,
) -> None:
    world.install("guard")
    (world.bin / "python3").unlink()
    world.ok("verify")
    world.patch.setattr("hookpm.project.interpreter.keep_link", lambda: None)
    shutil.rmtree(world.home / "cache/hookpm")
    done = world.run("verify")
    assert done.code == 1
    assert "claude: NOT PROVED" in done.out


def test_verify_of_one_agent_leaves_the_others_out(world: World) -> None:
    world.install("guard", agents=("claude", "codex"))
    done = world.ok("verify", "--agent", "codex", "--json").json
    assert [v["agent"] for v in done["verified"]] == ["codex"]


def test_a_lock_that_was_forged_along_with_the_files_is_seen(world: World) -> None:
    from hashlib import sha256

    world.install("guard")
    old = sha256(world.read(GUARD).encode()).hexdigest()
    world.write(GUARD, "# lets everything through\n")
    new = sha256(world.read(GUARD).encode()).hexdigest()
    world.write(LOCK, world.read(LOCK).replace(old, new))
    done = world.run("verify", "--json")
    assert done.code == 1
    assert "forged" in [p["code"] for p in done.json["problems"]]
    world.ok("sync")
    world.ok("verify")
    assert world.denies(".env")


def test_verify_runs_no_code_of_a_pack(world: World) -> None:
    trace = world.base / "trace"
    world.ok(
        "install",
        world.pack("loud", files={"guard.py": f"open({str(trace)!r}, 'w')"}),
        "--agent=claude",
        "--agent=copilot",
    )
    world.ok("verify")
    world.ok("status")
    assert not trace.exists()
    world.call("x")
    assert trace.exists()


def test_verify_where_nothing_is_installed_is_said(world: World) -> None:
    done = world.run("verify")
    assert done.code == 3
    assert "nothing to verify" in done.err


def test_status_and_verify_write_nothing(world: World) -> None:
    world.install("guard", agents=ALL)
    before = world.stamped()
    world.ok("status")
    world.ok("verify")
    world.ok("list")
    world.ok("audit")
    world.ok("agents")
    assert world.stamped() == before


def test_status_works_without_git(world: World) -> None:
    world.install("guard")
    os.unlink(world.bin / "git")
    assert world.ok("status", "--json").json["state"] == "ok"
