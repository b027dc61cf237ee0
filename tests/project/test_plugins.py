"""Claude Code plugins install as they are, and their hooks hold in every agent."""

from __future__ import annotations

import json
from collections.abc import Callable
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread
from typing import Any

import pytest

from tests.bridge import rig
from tests.project import plugins
from tests.project.world import ALL, World

NEW_TEXT = {"gemini": "new_string", "copilot": "new_str", "cursor": "content"}


def installed(world: World, shape: Callable[[Path], Path], *more: str) -> rig.Installed:
    """Install a plugin in five agents; the repo as the bridge sees it."""
    world.install(shape(world.packs / "plugin"), *more, agents=ALL)
    return rig.Installed(world.repo, world.home)


def edit(repo: rig.Repo, agent: str, text: str, event: str = "PreToolUse") -> rig.Heard:
    """Send the agent's own edit of a file."""
    given = {"file_path": "a.js", "path": "a.js", NEW_TEXT.get(agent, "new_string"): text}
    return repo.call(
        agent, event, repo.payload(agent, event, tool=rig.EDIT_TOOL.get(agent, "Edit"), given=given)
    )


@pytest.mark.parametrize("agent", ALL)
def test_a_guard_that_exits_with_2_refuses_in_every_agent(world: World, agent: str) -> None:
    repo = installed(world, plugins.security)
    assert "Careful: eval(" in edit(repo, agent, "eval(x)").refusal()
    assert edit(repo, agent, "x").refusal() == ""


@pytest.mark.parametrize("agent", ALL)
def test_a_stop_loop_keeps_every_agent_going(world: World, agent: str) -> None:
    repo = installed(world, plugins.stop_loop)
    payload = repo.payload(agent, "Stop")
    assert repo.call(agent, "Stop", payload).refusal() == ""
    world.write(".loop", "not done yet")
    assert "not done yet" in repo.call(agent, "Stop", payload).refusal()


@pytest.mark.parametrize("agent", ALL)
def test_context_at_a_sessions_start_reaches_every_agent(world: World, agent: str) -> None:
    repo = installed(world, plugins.context)
    payload = repo.payload(agent, "SessionStart", source="startup")
    heard = repo.call(agent, "SessionStart", payload)
    assert "Write the test first." in heard.stdout.decode()


@pytest.mark.parametrize("agent", ALL)
def test_a_formatter_in_one_shell_line_runs_after_an_edit(world: World, agent: str) -> None:
    repo = installed(world, plugins.formatter)
    jq = world.bin / "jq"
    jq.write_text(
        "#!/usr/bin/env python3\nimport json, sys\n"
        'print(json.load(sys.stdin)["tool_input"].get("file_path", ""))\n'
    )
    jq.chmod(0o755)
    given = {"file_path": str(world.repo / "a b.js"), "path": str(world.repo / "a b.js")}
    tool = rig.EDIT_TOOL.get(agent, "Edit")
    payload = repo.payload(agent, "PostToolUse", tool=tool, given=given)
    heard = repo.call(agent, "PostToolUse", payload, PATH=f"{world.bin}:/usr/bin:/bin")
    assert heard.code == 0, heard
    assert world.read("a b.js") == "tidied\n", heard


@pytest.mark.parametrize("agent", ALL)
def test_a_package_with_a_library_adds_context_and_refuses_prompts(
    world: World, agent: str
) -> None:
    repo = installed(world, plugins.prompts)

    def prompt(text: str) -> rig.Heard:
        payload = repo.payload(agent, "UserPromptSubmit")
        payload["prompt"] = text
        return repo.call(agent, "UserPromptSubmit", payload)

    assert "a key does not belong" in prompt("use AKIA123").stdout.decode()
    if agent != "cursor":  # it takes no context at a prompt
        assert "read docs/style.md" in prompt("hello").stdout.decode()
    assert not list((world.repo / ".agents").rglob("__pycache__"))


def test_the_plugins_folder_may_have_spaces_and_quotes_in_its_path(
    world: World, tmp_path: Path
) -> None:
    installed(world, plugins.security)
    moved = tmp_path / 'a repo\'s "place" $HOME'
    world.repo.rename(moved)
    repo = rig.Installed(moved, world.home)
    assert "Careful" in edit(repo, "codex", "eval(x)").refusal()


def test_an_install_says_what_is_estimated_and_what_is_left_out(world: World) -> None:
    folder = plugins.context(world.packs / "plugin")
    hooks = json.loads((folder / "hooks/more.json").read_text())
    hooks["hooks"]["Stop"] = [{"hooks": [{"type": "prompt", "prompt": "Is it done?"}]}]
    plugins.write(folder, {"hooks/more.json": hooks})
    said = world.install(folder, agents=("claude", "codex")).out
    assert "good-habits is a Claude Code plugin; what its hooks answer is estimated: " in said
    assert "session-start-start additionalContext" in said
    assert "not run: Stop (prompt: Is it done?, hooks/more.json:" in said
    assert "not installed, as only its hooks are: 1 agent, 1 skill, 1 MCP server" in said
    for verb in ("list", "audit"):
        later = world.ok(verb).out
        assert "what its hooks answer is estimated: session-start-start" in later
        assert "not run: Stop (prompt: Is it done?, hooks/more.json:" in later


def test_quiet_says_what_does_not_run_all_the_same(world: World) -> None:
    folder = plugins.security(world.packs / "plugin")
    prompt = {"Stop": [{"hooks": [{"type": "prompt", "prompt": "Is it done?"}]}]}
    about = {"name": "edit-safety", "version": "1.2.0", "hooks": prompt}
    plugins.write(folder, {".claude-plugin/plugin.json": about})
    done = world.ok("install", folder, "--agent=claude", "-q")
    assert "note: edit-safety: not run: Stop (prompt: Is it done?" in done.err


def test_the_json_says_that_needs_are_estimated(world: World) -> None:
    folder = plugins.stop_loop(world.packs / "plugin")
    done = world.ok("install", folder, "--agent=cursor", "--json").json
    assert [(p["pack"], p["estimated"]) for p in done["plugins"]] == [("again-and-again", True)]
    audit = world.ok("audit", "--json").json
    assert all(gap["estimated"] for gap in audit["gaps"])
    assert all(line["estimated"] for line in audit["hooks"])
    (listed,) = world.ok("list", "--json").json["packs"]
    assert listed["estimated"] is True
    assert listed["not_run"] == []


def test_a_plugin_can_be_disabled_hook_by_hook_and_uninstalled(world: World) -> None:
    before = world.tree()
    folder = plugins.prompts(world.packs / "plugin")
    world.install(folder)
    toml = world.read(".agents/hookpm.toml")
    (line,) = [each for each in toml.splitlines() if each.startswith("prompt-desk")]
    off = line.replace("}", ', disable = ["user-prompt-submit-route"] }')
    world.write(".agents/hookpm.toml", toml.replace(line, off))
    world.ok("sync")
    (group,) = world.load(".agents/hooks.json")["hooks"]["UserPromptSubmit"]
    assert group["id"] == "user-prompt-submit-secrets"
    world.ok("uninstall", "prompt-desk")
    assert world.tree() == before


def test_a_sync_takes_a_plugins_changes_and_locked_refuses_them(world: World) -> None:
    folder = plugins.security(world.packs / "plugin")
    world.install(folder)
    world.ok("sync", "--locked")
    plugins.write(folder, {"hooks/look.py": "print()\n"})
    assert world.run("sync", "--locked").code == 1
    world.ok("sync")
    assert world.read(".agents/hookpm/packs/edit-safety/hooks/look.py") == "print()\n"
    world.ok("status")


def test_a_clone_without_the_plugins_folder_can_still_be_changed(world: World) -> None:
    folder = plugins.context(world.packs / "plugin")
    world.install(folder)
    folder.rename(world.packs / "elsewhere")
    world.install(plugins.stop_loop(world.packs / "other"))
    assert [each["name"] for each in world.ok("list", "--json").json["packs"]] == [
        "again-and-again",
        "good-habits",
    ]


def test_a_published_plugin_installs_to_the_same_files(world: World) -> None:
    folder = plugins.context(world.packs / "plugin")
    world.ok("pack", "build", folder, "--to", world.base / "out")
    world.publish(folder)
    world.publish(folder)  # the same again changes nothing
    world.install(folder)
    told = world.ok("info", "good-habits")
    assert "hooks: (of a Claude Code plugin: what they answer is estimated)" in told.out
    assert world.ok("info", "good-habits", "--json").json["estimated"] is True
    from_folder = world.tree(world.repo / ".agents/hookpm/packs")
    world.ok("uninstall", "good-habits")
    world.install("good-habits==2.0.0b1")
    assert world.tree(world.repo / ".agents/hookpm/packs") == from_folder
    assert "is a Claude Code plugin" in world.ok("list").out


def test_a_plugin_may_have_cases_of_hookpms(world: World) -> None:
    folder = plugins.security(world.packs / "plugin")
    case = (
        '[[case]]\nname = "warns"\nevent = "PreToolUse"\ntool = "Write"\n'
        'input = { file_path = "a", content = "eval(" }\nexpect = "deny"\nreason = "Careful"\n'
    )
    plugins.write(folder, {"cases/a.toml": case})
    assert "1 passed, 0 failed" in world.ok("pack", "test", folder).out


def test_another_version_of_a_published_plugin_says_which_file_to_raise_it_in(
    world: World,
) -> None:
    folder = plugins.security(world.packs / "plugin")
    world.ok("pack", "publish", folder, "--to", world.base / "reg")
    plugins.write(folder, {"hooks/look.py": "print()\n"})
    done = world.run("pack", "publish", folder, "--to", world.base / "reg")
    assert done.code == 1
    assert "raise the version in .claude-plugin/plugin.json" in done.err


def test_pack_check_reads_a_plugin(world: World) -> None:
    folder = plugins.security(world.packs / "plugin")
    world.ok("pack", "check", folder)
    plugins.write(folder, {"hooks/hooks.json": {"hooks": {"Stop": plugins.handlers("npx guard")}}})
    done = world.run("pack", "check", folder)
    assert done.code == 1
    assert "npx" in done.out


def test_an_unmet_need_that_is_estimated_says_so(world: World, monkeypatch: Any) -> None:
    from hookpm import agents
    from hookpm.agents.facts import Facts

    folder = plugins.security(world.packs / "plugin")
    lost = agents.load("codex").facts.cell("PreToolUse", "ask")
    monkeypatch.setattr(Facts, "cell", lambda *_: lost)
    done = world.run("install", folder, "--agent=codex")
    assert done.code == 1
    assert "edit-safety seems to need deny" in done.err


def test_a_plugin_installs_from_a_folder_of_a_git_repository(world: World) -> None:
    market = world.base / "market"
    plugins.context(market / "plugins/habits")
    plugins.write(market / "plugins/habits", {"demo.gif": b"x" * 11_000_000})
    entry = {"name": "habits", "source": "./plugins/habits"}
    plugins.write(market, {".claude-plugin/marketplace.json": {"name": "m", "plugins": [entry]}})
    world.git("init", "-q", "-b", "main", cwd=market)
    world.git("add", "-A", cwd=market)
    world.git("commit", "-qm", "x", cwd=market)
    refused = world.run("install", f"git+file://{market}", "--agent=claude")
    assert refused.code == 3
    assert "plugins/habits" in refused.err
    world.install(f"git+file://{market}#subdirectory=plugins/habits")
    assert "is a Claude Code plugin" in world.ok("list").out


def test_a_marketplace_names_its_plugins_and_how_to_say_which(world: World) -> None:
    folder = world.packs / "market"
    entries = [
        {"name": "one", "source": "./plugins/one"},
        {"name": "two", "source": {"source": "github", "repo": "a/b"}},
    ]
    plugins.write(folder, {".claude-plugin/marketplace.json": {"name": "m", "plugins": entries}})
    plugins.security(folder / "plugins/one")
    done = world.run("install", folder, "--agent=claude")
    assert done.code == 3
    assert "its plugins: one in plugins/one, two (in another repo)" in done.err
    assert f"hookpm install {folder}/plugins/one" in done.err
    assert "#subdirectory=plugins/one" in done.err
    world.install(folder / "plugins/one")


@pytest.mark.parametrize("agent", ["claude", "codex", "copilot"])
def test_a_request_of_a_plugin_is_sent_from_every_agent(world: World, agent: str) -> None:
    class Refuse(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            self.rfile.read(int(self.headers["Content-Length"]))
            said = {"permissionDecision": "deny", "permissionDecisionReason": "says the server"}
            body = {"hookSpecificOutput": {"hookEventName": "PreToolUse", **said}}
            data = json.dumps(body).encode()
            self.send_response(200)
            self.send_header("Content-Length", str(len(data)))
            self.end_headers()
            self.wfile.write(data)

        def log_message(self, *_: Any) -> None:
            pass

    with ThreadingHTTPServer(("127.0.0.1", 0), Refuse) as server:
        Thread(target=server.serve_forever, daemon=True).start()
        request = {"type": "http", "url": f"http://127.0.0.1:{server.server_port}/"}
        hooks = {"PreToolUse": [{"matcher": "Edit|Write", "hooks": [request]}]}
        folder = plugins.write(
            world.packs / "plugin", {".claude-plugin/plugin.json": {"name": "p", "hooks": hooks}}
        )
        world.install(folder, agents=(agent,))
        heard = edit(rig.Installed(world.repo, world.home), agent, "x")
        server.shutdown()
    assert "says the server" in heard.refusal()
