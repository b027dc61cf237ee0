"""docs/json.md: every document that --json prints has the keys that the page names."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from hookpm.cli.commands import COMMANDS
from hookpm.cli.pack import VERBS
from tests.cli import jsonpage
from tests.project import plugins
from tests.project.world import HOOK, World
from tests.registry.gitrepo import make

KNOWN = jsonpage.blocks()
USES = HOOK + 'uses = ["ask"]\nfallback = { ask = "deny" }\nos = ["linux", "macos"]\n'


def check(world: World, block: str, *arguments: str | Path, code: int = 0) -> dict[str, Any]:
    """Run with --json, hold the document against the page; returns it."""
    done = world.run(*arguments, "--json")
    assert done.code == code, done.text
    found = list(jsonpage.differences(done.json, KNOWN[block], KNOWN))
    assert not found, done.text
    return dict(done.json)


def filled(document: dict[str, Any], *keys: str) -> None:
    """These have content, so that what is in them was looked at."""
    assert all(document[key] for key in keys), document


@pytest.fixture
def team(world: World) -> World:
    """A project with two agents and a pack of each kind: by name with a gap, from git, a plugin,
    and one that needs another and that a profile brings."""
    needs = '[dependencies]\nhelper = ">=1"\n'
    world.publish(world.pack("base", more=needs), world.pack("asker", hooks=USES))
    folder = world.base / "profile"
    folder.mkdir()
    (folder / "hookpm.toml").write_text('[packs]\nbase = "~=1.0"\n')
    world.write(".agents/hookpm.toml", 'extends = ["../profile"]\nagents = ["claude", "codex"]\n')
    draft = world.pack("shield", at=world.base / "draft")
    made = make(world.base / "shield.git", {p.name: p.read_bytes() for p in draft.iterdir()})
    made.git("tag", "v1")
    plugin = plugins.security(world.packs / "plugin")
    plugins.write(plugin, {"commands/x.md": "x", "hooks/more.json": {"hooks": {"Nothing": []}}})
    world.ok("install", "asker", f"git+file://{made.folder}@v1", plugin)
    return world


def test_install_sync_update_and_the_like(team: World) -> None:
    dry = check(team, "install", "install", "guard", "--dry-run")
    filled(dry, "packs", "profiles", "plugins", "files", "agents", "gaps")
    assert {key for pack in dry["packs"] for key in pack} >= {"ref", "commit", "profile"}
    filled(check(team, "install", "install", "guard==1.0.0"), "verified")
    check(team, "sync", "sync")
    check(team, "update", "update")
    filled(check(team, "disable", "disable", "guard/guard"), "files")
    check(team, "enable", "enable", "guard")
    check(team, "uninstall", "uninstall", "guard")
    team.write(".gitignore", "packs/\n")
    filled(check(team, "sync", "sync", code=1), "ignored")
    team.write(".gitignore", "").unlink()
    team.write(".claude/settings.json", "{,}\n")
    seen = check(team, "sync", "sync", code=1)
    assert [bool(agent["problems"]) for agent in seen["agents"]] == [True, False]


def test_what_an_interrupted_uninstall_had_done_already_is_said_with_the_same_keys(
    world: World, capsys: pytest.CaptureFixture[str]
) -> None:
    from hookpm.cli import report
    from hookpm.errors import NotFoundError

    report.all_gone(world.repo, True, NotFoundError("the last one is gone"))
    document = json.loads(capsys.readouterr().out)
    assert not list(jsonpage.differences(document, KNOWN["uninstall"], KNOWN))


def test_status_doctor_verify_and_list(team: World) -> None:
    filled(check(team, "status", "status"), "packs", "profiles", "agents")
    check(team, "doctor", "doctor")
    filled(check(team, "verify", "verify"), "verified")
    listed = check(team, "list", "list")["packs"]
    assert {key for pack in listed for key in pack} >= {"plugin", "commit", "profile"}
    assert any(pack["limited"] for pack in listed)
    (team.repo / ".agents/hookpm/bridge.py").unlink()
    for command in ("status", "doctor", "verify"):
        filled(check(team, command, command, code=1), "problems")


def test_tree_and_why(team: World) -> None:
    filled(check(team, "tree", "tree"), "packs")
    filled(check(team, "why", "why", "helper"), "wanted_by")
    filled(check(team, "why", "why", "asker"), "wanted_by", "line")


def test_init_and_the_user_bridge(world: World) -> None:
    filled(check(world, "init", "init"), "files")
    bridge = ("init", "--user-bridge", "--agent=claude")
    check(world, "init --user-bridge", *bridge, "--dry-run")
    filled(check(world, "init --user-bridge", *bridge), "files", "agents", "verified")
    world.install("guard")
    filled(check(world, "allow", "allow", "--yes"), "hooks", "files")
    filled(check(world, "allow --list", "allow", "--list"), "allowed")
    check(world, "allow --revoke", "allow", "--revoke")


def test_migrate(world: World) -> None:
    group = {"matcher": "Bash", "hooks": [{"type": "command", "command": "true"}]}
    gemini = {"matcher": "run_shell_command", "hooks": [{"type": "command", "command": "true"}]}
    odd = {"hooks": [{"type": "command", "command": "x run_shell_command"}]}
    world.write(".claude/settings.json", json.dumps({"hooks": {"PreToolUse": [group]}}))
    world.write(".gemini/settings.json", json.dumps({"hooks": {"BeforeTool": [gemini, odd]}}))
    filled(check(world, "migrate", "migrate", code=1), "moved", "kept", "files")
    world.install("guard")
    filled(check(world, "migrate", "migrate", "--remove", "--dry-run", code=1), "staying")


def test_review_and_outdated(team: World) -> None:
    check(team, "review", "review")
    team.git("add", "-A")
    team.git("commit", "-qm", "all")
    team.ok("install", "guard==1.0.0")
    filled(check(team, "review --since", "review", "--since", "HEAD", code=1), "packs")
    text = team.read(".agents/hookpm.toml").replace("==1.0.0", "==1.1.0")
    team.write(".agents/hookpm.toml", text)
    new = check(team, "review", "review", code=1)["packs"]
    assert [(pack["name"], pack["action"]) for pack in new] == [("guard", "changed")]
    (team.base / "profile/hookpm.toml").write_text('[packs]\nbase = "~=1.0"\nhelper = "*"\n')
    filled(check(team, "outdated", "outdated", code=1), "packs")


def test_search_and_info(team: World) -> None:
    filled(check(team, "search", "search", "guard"), "packs")
    filled(check(team, "info", "info", "asker"), "hooks", "versions", "agents")
    filled(check(team, "info", "info", "base"), "dependencies")
    toml = team.read(".agents/hookpm.toml")
    team.write(".agents/hookpm.toml", toml + '\n[registries]\ngone = "../gone"\n')
    filled(check(team, "search", "search", "guard", code=3), "errors")


def test_audit_and_agents(team: World) -> None:
    team.publish(team.pack("nowhere", hooks=HOOK.replace("Read|Edit|Write|Bash", "NotebookEdit")))
    filled(check(team, "audit", "audit"), "gaps", "hooks", "plugins")
    filled(check(team, "audit", "audit", "nowhere"), "warnings")
    filled(check(team, "agents", "agents"), "agents")


def test_try(team: World) -> None:
    call = ("try", "asker", "--tool", "Read", "--input", '{"file_path": ".env"}')
    filled(check(team, "try", *call), "hooks", "sent", "answer")
    check(team, "try --agent --agent", *call, "--agent=claude", "--agent=codex")


def test_the_verbs_for_authors(world: World) -> None:
    filled(check(world, "pack new", "pack", "new", "mine"), "files", "next")
    check(world, "pack check", "pack", "check", "mine")
    filled(check(world, "schema", "schema"), "schemas")
    filled(check(world, "pack test", "pack", "test", "mine"), "cases", "agents")
    check(world, "pack build", "pack", "build", "mine")
    filled(check(world, "pack publish", "pack", "publish", "mine", "--to", "index"), "published")
    check(world, "pack yank", "pack", "yank", "mine", "0.1.0", "--to", "index")
    bad = world.pack("bad", files={"guard.py": "import sys\nprint('no')\nsys.exit(1)\n"})
    filled(check(world, "pack check", "pack", "check", bad, code=1), "findings")


def test_an_error_is_a_document_too(world: World) -> None:
    picky = world.pack("picky", hooks=HOOK.replace('["deny"]', '["ask"]'))  # Codex has no ask
    runs = {1: str(picky), 2: "--nothing", 3: "not-there"}
    for code, argument in runs.items():
        done = world.run("install", argument, "--agent=codex", "--json")
        assert done.code == code, done.text
        assert not list(jsonpage.differences(done.json, KNOWN["error"], KNOWN))


def test_a_key_too_many_a_missing_one_and_another_type_are_seen() -> None:
    built = {"name": "x", "version": "1", "archive": "x.tar.gz", "sha256": "0", "size": 1}
    shape = KNOWN["pack build"]
    assert not list(jsonpage.differences(built, shape, KNOWN))
    assert list(jsonpage.differences({**built, "new": 1}, shape, KNOWN)) == [
        "$.new is not on the page"
    ]
    del built["size"]
    assert list(jsonpage.differences(built, shape, KNOWN)) == ["$.size is on the page only"]
    other = {"pack": "x", "findings": [{"code": "crlf"}]}
    assert "$.findings[].line is on the page only" in list(
        jsonpage.differences(other, KNOWN["pack check"], KNOWN)
    )
    other["findings"] = "none"
    assert list(jsonpage.differences(other, KNOWN["pack check"], KNOWN)) == [
        "$.findings is no list"
    ]


def test_the_page_names_every_command() -> None:
    documents = {head.partition(" --")[0] for head in KNOWN if not head.isupper()}
    verbs = {f"pack {verb}" for verb in VERBS}
    assert documents == {*COMMANDS, *verbs, "error"} - {"pack"}
