"""Hooks move out of each agent's own file in Claude's words, and come back to the byte."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from tests.bridge import rig
from tests.project import plugins
from tests.project.world import World

GUARD = """\
import json, sys
if "secret" in json.dumps(json.load(sys.stdin).get("tool_input")):
    print("no secrets", file=sys.stderr)
    sys.exit(2)
"""


class Source(NamedTuple):
    """A file of an agent with a guard before shell commands and edits, and a word at the end."""

    agent: str
    file: str
    value: dict[str, Any]
    matcher: str
    handler: dict[str, Any]


def line(variable: str) -> str:
    return f'python3 "{variable}/guards/guard.py"'


def moved(variable: str = "${CLAUDE_PROJECT_DIR}", **more: Any) -> dict[str, Any]:
    return {"type": "command", "command": line(variable), **more}


def grouped(pre: str, stop: str, matcher: str, variable: str, **more: Any) -> dict[str, Any]:
    guard = {"type": "command", "command": line(variable), **more}
    bye = {"type": "command", "command": "echo bye"}
    return {pre: [{"matcher": matcher, "hooks": [guard]}], stop: [{"hooks": [bye]}]}


SOURCES = {
    "claude": Source(
        "claude",
        ".claude/settings.json",
        {
            "model": "opus",
            "hooks": grouped("PreToolUse", "Stop", "Bash|Edit", "$CLAUDE_PROJECT_DIR", timeout=5),
        },
        "Bash|Edit",
        moved("$CLAUDE_PROJECT_DIR", timeout=5),
    ),
    "codex": Source(
        "codex",
        ".codex/hooks.json",
        {
            "hooks": grouped(
                "PreToolUse", "Stop", "Bash|apply_patch", "$CLAUDE_PROJECT_DIR", timeout=5
            )
        },
        "Bash|Edit|Write",
        moved("$CLAUDE_PROJECT_DIR", timeout=5),
    ),
    "gemini": Source(
        "gemini",
        ".gemini/settings.json",
        {
            "theme": "x",
            "hooks": grouped(
                "BeforeTool", "AfterAgent", "shell|replace", "$GEMINI_PROJECT_DIR", timeout=5000
            ),
        },
        "Bash|Edit",
        moved(shell="bash", timeout=5),
    ),
    "qwen": Source(
        "qwen",
        ".qwen/settings.json",
        {
            "$version": 4,
            "hooks": grouped(
                "PreToolUse", "Stop", "run_shell_command|Edit", "$QWEN_PROJECT_DIR", timeout=5000
            ),
        },
        "Bash|Edit",
        moved(shell="bash", timeout=5),
    ),
    "droid": Source(
        "droid",
        ".factory/hooks.json",
        grouped("PreToolUse", "Stop", "Execute|Edit", "$FACTORY_PROJECT_DIR", timeout=5),
        "Bash|Edit",
        moved(timeout=5),
    ),
    "cursor": Source(
        "cursor",
        ".cursor/hooks.json",
        {
            "version": 1,
            "hooks": {
                "preToolUse": [
                    {
                        "command": line("$CURSOR_PROJECT_DIR"),
                        "matcher": "Shell|Write",
                        "timeout": 5,
                        "failClosed": True,
                    }
                ],
                "stop": [{"command": "echo bye"}],
            },
        },
        "Bash|Edit|Write",
        {
            "type": "command",
            "command": f'cd "${{CLAUDE_PROJECT_DIR}}" && {line("${CLAUDE_PROJECT_DIR}")}',
            "timeout": 5,
            "onFailure": "block",
        },
    ),
    "copilot": Source(
        "copilot",
        ".github/hooks/team.json",
        {
            "version": 1,
            "hooks": {
                "preToolUse": [
                    {
                        "type": "command",
                        "bash": line("$COPILOT_PROJECT_DIR"),
                        "matcher": "bash|edit",
                        "timeoutSec": 5,
                        "cwd": "guards",
                        "env": {"LEVEL": "it's high"},
                    }
                ],
                "agentStop": [{"type": "command", "bash": "echo bye"}],
            },
        },
        "Bash|Edit",
        {
            "type": "command",
            "command": "export LEVEL='it'\"'\"'s high'; "
            f'cd "${{CLAUDE_PROJECT_DIR}}"/guards && {line("${CLAUDE_PROJECT_DIR}")}',
            "shell": "bash",
            "timeout": 5,
        },
    ),
}


def plain(text: str) -> bytes:
    return text.encode()


VARIANTS: dict[str, Callable[[str], bytes]] = {
    "plain": plain,
    "crlf": lambda text: text.replace("\n", "\r\n").encode(),
    "tabs": lambda text: text.replace("  ", "\t").encode(),
    "one line": lambda text: json.dumps(json.loads(text)).encode(),
    "no newline": lambda text: text.rstrip("\n").encode(),
    "unicode": lambda text: text.replace("echo bye", "echo é\\u00e9 测").encode(),
}


def write(world: World, name: str, variant: str = "plain") -> Source:
    source = SOURCES[name]
    world.write("guards/guard.py", GUARD)
    text = json.dumps(source.value, indent=2, ensure_ascii=False) + "\n"
    world.write(source.file, VARIANTS[variant](text))
    return source


def mine(world: World) -> dict[str, list[dict[str, Any]]]:
    """The user's own groups in the hooks file."""
    table = world.load(".agents/hooks.json")["hooks"]
    found = {event: [g for g in listed if "pack" not in g] for event, listed in table.items()}
    return {event: listed for event, listed in found.items() if listed}


@pytest.mark.parametrize("name", SOURCES)
def test_events_matchers_limits_and_commands_become_claudes(world: World, name: str) -> None:
    source = write(world, name)
    world.install("guard", agents=(source.agent,))
    world.ok("migrate")
    found = mine(world)
    assert found["PreToolUse"] == [{"matcher": source.matcher, "hooks": [source.handler]}]
    assert [g["hooks"][0]["command"] for g in found["Stop"]] == ["echo bye"]


@pytest.mark.parametrize("variant", VARIANTS)
@pytest.mark.parametrize("name", SOURCES)
def test_originals_go_when_asked_and_come_back_to_the_byte(
    world: World, name: str, variant: str
) -> None:
    source = write(world, name, variant)
    world.install("guard", agents=(source.agent,))
    before = world.tree()
    world.ok("migrate", "--remove")
    assert "guard.py" not in world.read(source.file)
    assert "bye" not in world.read(source.file)
    assert "echo " in world.read(".agents/hooks.json")
    world.ok("status")
    world.ok("migrate", "--undo")
    assert world.tree() == before


@pytest.mark.parametrize("name", SOURCES)
def test_undo_after_an_edit_keeps_the_edit_and_puts_the_hooks_back(world: World, name: str) -> None:
    source = write(world, name)
    world.install("guard", agents=(source.agent,))
    world.ok("migrate", "--remove")
    text = world.read(source.file)
    edited = text.replace("{", '{\n  "mine": 1,', 1)
    world.write(source.file, edited)
    world.ok("migrate", "--undo")
    back = json.loads(world.read(source.file))
    assert back.pop("mine") == 1
    table = back if source.agent == "droid" else back["hooks"]
    told = json.dumps(table)
    assert told.count("guards/guard.py") == 1
    assert told.count("echo bye") == 1
    assert not Path(world.repo, ".agents/hookpm-migrated.json").exists()
    assert mine(world) == {}


@pytest.mark.parametrize("name", SOURCES)
def test_undo_makes_a_file_that_is_gone_anew(world: World, name: str) -> None:
    source = write(world, name)
    world.install("guard", agents=("claude" if name != "claude" else "codex", source.agent))
    world.ok("migrate", "--remove")
    (world.repo / source.file).unlink()
    world.ok("migrate", "--undo")
    back = json.loads(world.read(source.file))
    assert "guards/guard.py" in json.dumps(back)
    assert back.get("version") == source.value.get("version")


@pytest.mark.parametrize("name", SOURCES)
def test_the_moved_guard_holds_in_its_own_agent_and_in_another(world: World, name: str) -> None:
    source = write(world, name)
    other = "codex" if source.agent != "codex" else "gemini"
    world.install("guard", agents=(source.agent, other))
    world.ok("migrate", "--remove")
    repo = rig.Installed(world.repo, world.home)
    for agent in (source.agent, other):
        native = {"droid": "Execute", "qwen": "run_shell_command"}.get(agent)
        payload = repo.shell_payload(agent, "cat secret")
        if native:
            payload["tool_name"] = native
        heard = repo.call(agent, "PreToolUse", payload, PATH=f"{world.bin}:/usr/bin:/bin")
        assert b"no secrets" in heard.stdout, heard


def test_originals_stay_where_the_bridge_would_not_run_the_copies(world: World) -> None:
    source = write(world, "gemini")
    world.install("guard", agents=("claude",))
    before = world.read(source.file)
    done = world.run("migrate", "--remove")
    assert done.code == 1
    assert world.read(source.file) == before
    assert "the original stays, since the bridge is not wired in gemini at PreToolUse" in done.err


def test_a_new_event_is_wired_before_its_original_goes(world: World) -> None:
    source = write(world, "gemini")
    world.install("guard", agents=("gemini",))
    assert "AfterAgent stop" not in world.read(source.file)
    world.ok("migrate", "--remove")
    repo = rig.Installed(world.repo, world.home)
    wired = json.loads(world.read(".agents/hookpm/packs.json"))["wired"]["gemini"]["events"]
    assert "Stop" in wired
    assert repo.here.is_dir()


# --- whose protocol --------------------------------------------------------------------------

OWN = {
    "gemini": ('import json\nif call["tool_name"] == "run_shell_command": pass\n', "run_shell_"),
    "cursor": ('print(json.dumps({"permission": "deny"}))\n', '"permission"'),
    "copilot": ('if call["toolName"] == "x": pass\n', "toolName"),
    "droid": ('if call["tool_name"] == "Execute": pass\n', "Execute"),
    "qwen": ('if call["tool_name"] == "write_file": pass\n', "write_file"),
}


@pytest.mark.parametrize("name", OWN)
def test_a_hook_that_speaks_its_agents_own_protocol_moves_only_with_all(
    world: World, name: str
) -> None:
    source = write(world, name)
    script, sign = OWN[name]
    world.write("guards/guard.py", script)
    world.install("guard", agents=(source.agent,))
    done = world.run("migrate", "--remove")
    assert done.code == 1
    assert f"it speaks this agent's own protocol: {sign}" in done.out
    assert "guards/guard.py" in world.read(source.file)
    assert "guards/guard.py" not in world.read(".agents/hooks.json")
    again = world.ok("migrate", "--remove", "--all")
    assert f"warning: {source.file}:" in again.err
    assert "try it before you rely on it" in again.err
    assert "guards/guard.py" in world.read(".agents/hooks.json")


def test_a_sign_in_a_library_that_the_script_loads_counts(world: World) -> None:
    source = write(world, "gemini")
    world.write("guards/guard.py", "from lib import check\n")
    world.write("guards/lib.py", 'TOOLS = ["run_shell_command"]\n')
    world.install("guard", agents=(source.agent,))
    assert "own protocol" in world.run("migrate").out


@pytest.mark.parametrize(
    ("command", "program"),
    [
        ("acme-guard check", "acme-guard"),
        ("cat | $HOME/bin/guard", "$HOME/bin/guard"),
        ("npx guard", "npx"),
        ("bash gone/guard.sh", "gone/guard.sh"),
        ("echo hello && ./tools/guard", "tools/guard"),
        ("if [ -f x ]; then acme-guard; fi", "acme-guard"),
    ],
)
def test_a_program_that_nobody_can_read_moves_only_with_all(
    world: World, command: str, program: str
) -> None:
    group = {"hooks": [{"type": "command", "command": command}]}
    world.write(".gemini/settings.json", json.dumps({"hooks": {"BeforeTool": [group]}}))
    world.install("guard", agents=("gemini",))
    done = world.run("migrate")
    assert f"stays: hookpm cannot read what it runs: {program}\n" in done.out
    assert "hint: --all" in done.err


@pytest.mark.parametrize(
    "command",
    [
        "jq -r .tool_input.command | grep -q secret && exit 2 || exit 0",
        "python3 -c 'import json, sys; json.load(sys.stdin)'",
        "/bin/bash guards/guard.sh",
        "./guards/guard.sh --now",
        "$GEMINI_PROJECT_DIR/guards/guard.sh",
    ],
)
def test_what_can_be_read_and_shows_no_sign_moves(world: World, command: str) -> None:
    world.write("guards/guard.sh", "#!/bin/sh\ngrep -q secret && exit 2\nexit 0\n")
    group = {"hooks": [{"type": "command", "command": command}]}
    world.write(".gemini/settings.json", json.dumps({"hooks": {"BeforeTool": [group]}}))
    world.install("guard", agents=("gemini",))
    world.ok("migrate")
    assert len(mine(world)["PreToolUse"]) == 1


def test_copilots_deny_by_exit_code_1_is_named(world: World) -> None:
    write(world, "copilot")
    world.write("guards/guard.py", "import sys\nsys.exit(1)\n")
    world.install("guard", agents=("copilot",))
    assert "it denies with exit code 1" in world.run("migrate").out


# --- what cannot be said in Claude's words ---------------------------------------------------


@pytest.mark.parametrize(
    ("file", "value", "reason"),
    [
        (
            ".gemini/settings.json",
            {"hooks": {"BeforeModel": [{"hooks": [{"type": "command", "command": "echo"}]}]}},
            "BeforeModel is no event that the bridge carries",
        ),
        (
            ".gemini/settings.json",
            {"hooks": {"PreToolUse": [{"hooks": [{"type": "command", "command": "echo"}]}]}},
            "PreToolUse is no event",
        ),
        (
            ".gemini/settings.json",
            {
                "hooks": {
                    "BeforeTool": [
                        {
                            "matcher": "^(?!run_shell_command).*$",
                            "hooks": [{"type": "command", "command": "echo"}],
                        }
                    ]
                }
            },
            "takes all but some tools",
        ),
        (
            ".gemini/settings.json",
            {
                "hooksConfig": {"enabled": False},
                "hooks": {"BeforeTool": [{"hooks": [{"type": "command", "command": "echo"}]}]},
            },
            "hooks are switched off there",
        ),
        (
            ".cursor/hooks.json",
            {
                "version": 1,
                "hooks": {"beforeShellExecution": [{"command": "echo", "matcher": "x"}]},
            },
            "is held against a command",
        ),
        (
            ".cursor/hooks.json",
            {"version": 1, "hooks": {"stop": [{"type": "prompt", "prompt": "done?"}]}},
            "type prompt cannot run",
        ),
        (
            ".cursor/hooks.json",
            {"version": 1, "hooks": {"afterAgentThought": [{"command": "echo"}]}},
            "no event that the bridge carries",
        ),
        (
            ".github/hooks/a/b.json",
            {"version": 1, "hooks": {"preToolUse": [{"powershell": "exit 2"}]}},
            "it has a command for PowerShell only",
        ),
        (
            ".github/hooks/a.json",
            {"hooks": {"preToolUse": [{"bash": "echo", "matcher": "*"}]}},
            "never fires in Copilot CLI",
        ),
        (
            ".github/hooks/a.json",
            {"hooks": {"Stop": [{"command": "a.ps1", "linux": "echo a", "osx": "echo b"}]}},
            "another command on each operating system",
        ),
        (
            ".factory/hooks.json",
            {
                "PreToolUse": [
                    {"commandRegex": "^git", "hooks": [{"type": "command", "command": "echo"}]}
                ]
            },
            "commandRegex",
        ),
    ],
)
def test_what_claudes_words_cannot_say_stays_and_is_named(
    world: World, file: str, value: dict[str, Any], reason: str
) -> None:
    world.install("guard", agents=("codex",))
    world.write(file, json.dumps(value))
    before = world.tree()
    done = world.run("migrate", "--all")
    assert done.code == 1
    assert f"{file}:1 " in done.out
    assert reason in done.out
    assert world.tree() == before


def test_droids_settings_are_read_where_its_hooks_file_does_not_hide_them(world: World) -> None:
    world.install("guard", agents=("codex",))
    echo = [{"hooks": [{"type": "command", "command": "echo"}]}]
    world.write(".factory/hooks.json", json.dumps({"Stop": echo}))
    world.write(
        ".factory/settings.json", json.dumps({"hooks": {"Stop": echo, "SessionStart": echo}})
    )
    done = world.run("migrate")
    assert ".factory/settings.json:1 Stop stays: .factory/hooks.json has Stop too" in done.out
    assert set(mine(world)) == {"Stop", "SessionStart"}


def test_a_file_that_does_not_read_is_named_and_the_others_are_done(world: World) -> None:
    world.install("guard", agents=("codex",))
    write(world, "claude")
    world.write(".gemini/settings.json", '{"hooks":\n {,}}')
    done = world.run("migrate")
    assert done.code == 1
    assert ".gemini/settings.json:2 all of it stays: .gemini/settings.json is not valid" in done.out
    assert "guards/guard.py" in world.read(".agents/hooks.json")
    assert world.read(".gemini/settings.json") == '{"hooks":\n {,}}'


def test_hooks_in_a_file_that_its_agent_drops_stay_and_the_line_is_named(world: World) -> None:
    world.install("guard", agents=("codex",))
    stop = '"Stop": [{"hooks": [{"type": "command", "command": "echo"}]}]'
    text = f'{{"hooks": {{\n  // a note\n  {stop}}}}}'
    world.write(".claude/settings.json", text)
    done = world.run("migrate")
    assert done.code == 1
    assert ".claude/settings.json:3 Stop stays: it does not run, for line 2: " in done.out


def test_codex_hooks_in_toml_are_named(world: World) -> None:
    world.install("guard", agents=("codex",))
    text = 'model = "x"\n\n[[hooks.Stop]]\nhooks = [{ type = "command", command = "echo" }]\n'
    world.write(".codex/config.toml", text)
    done = world.run("migrate")
    assert done.code == 1
    assert ".codex/config.toml:3 Stop stays: it is in TOML" in done.out


def test_nothing_is_written_where_the_copies_could_not_be_wired(world: World) -> None:
    folder = world.pack("local", at=world.packs / "local")
    world.install(folder, agents=("gemini",))
    write(world, "gemini")
    (folder / "guard.py").write_text("changed\n")
    before = world.tree()
    done = world.run("migrate", "--remove")
    assert done.code == 1
    assert "local" in done.err
    assert world.tree() == before


def test_local_settings_are_looked_at_only_when_asked(world: World) -> None:
    world.install("guard", agents=("codex",))
    value = {"hooks": {"Stop": [{"hooks": [{"type": "command", "command": "echo me"}]}]}}
    world.write(".claude/settings.local.json", json.dumps(value))
    assert "nothing to change" in world.ok("migrate").out
    world.ok("migrate", "--local")
    assert "echo me" in world.read(".agents/hooks.json")


def test_copies_beside_their_originals_are_said_to_run_twice(world: World) -> None:
    write(world, "gemini")
    world.install("guard", agents=("gemini",))
    assert "note: in gemini these hooks run twice" in world.ok("migrate").err


def test_the_json_says_what_moves_what_stays_and_what_it_does_elsewhere(world: World) -> None:
    write(world, "gemini")
    world.install("guard", agents=("gemini", "codex"))
    document = world.ok("migrate", "--json").json
    assert document["changed"] is True
    first = document["moved"][0]
    assert (first["event"], first["doubt"], first["group"]["matcher"]) == (
        "PreToolUse",
        "",
        "Bash|Edit",
    )
    assert "codex: at Bash, Edit" in first["elsewhere"]
    assert document["kept"] == document["staying"] == []


# --- plugins ---------------------------------------------------------------------------------


def test_a_plugins_hooks_move_and_still_find_their_plugin(world: World) -> None:
    plugins.security(world.repo / "tools/my plugin")
    world.install("guard", agents=("codex",))
    before = world.tree()
    done = world.ok("migrate", "--plugin", "tools/my plugin", "--remove")
    assert "note: tools/my plugin stays as it is" in done.err
    assert (world.repo / "tools/my plugin/hooks/hooks.json").is_file()
    repo = rig.Installed(world.repo, world.home)
    given = {"file_path": "a.js", "new_string": "eval(x)"}
    payload = repo.payload("codex", "PreToolUse", tool="Edit", given=given)
    path = f"{world.bin}:/usr/bin:/bin"
    assert "Careful" in repo.call("codex", "PreToolUse", payload, PATH=path).refusal()
    world.ok("migrate", "--undo")
    assert world.tree() == before


def test_hooks_in_a_plugins_manifest_move_as_well(world: World) -> None:
    plugins.prompts(world.repo / "desk-plugin")
    world.install("guard", agents=("codex",))
    world.ok("migrate", "--plugin", "desk-plugin")
    commands = [g["hooks"][0]["command"] for g in mine(world)["UserPromptSubmit"]]
    assert len(commands) == 2
    root = 'export CLAUDE_PLUGIN_ROOT="${CLAUDE_PROJECT_DIR}"/desk-plugin; '
    assert all(each.startswith(root) for each in commands)


def test_a_plugin_outside_the_project_is_to_be_installed(world: World) -> None:
    folder = plugins.security(world.packs / "p")
    world.install("guard", agents=("codex",))
    done = world.run("migrate", "--plugin", folder)
    assert done.code == 1
    assert f"hookpm install {folder}" in done.err
