from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
import tomlkit

from hookpm.errors import UsageError
from hookpm.probe import agents
from hookpm.probe.agent import Launch, Stage, mcp_command
from hookpm.probe.script import Call, Edit, Mcp, Native, Read, Shell, Write
from hookpm.probe.versions import NODES, VERSIONS

REPO = Path("/work dir/répo")


def staged(name: str, tmp_path: Path, *, trust: bool = True, mcp: bool = False) -> Launch:
    home, scratch = tmp_path / "home", tmp_path / "scratch"
    home.mkdir()
    scratch.mkdir()
    url = "http://127.0.0.1:1234"
    stage = Stage(REPO, home, scratch, tmp_path / "cache", url, "Do it.", trust, mcp)
    return agents.load(name).launch(stage)


def codex_settings(launch: Launch) -> dict[str, Any]:
    words = list(launch.arguments)
    lines = [words[i + 1] for i, word in enumerate(words) if word == "-c"]
    settings: dict[str, Any] = tomlkit.parse("\n".join(lines)).unwrap()
    return settings


@pytest.mark.parametrize("name", agents.names())
def test_a_module_here_is_an_agent_with_a_pinned_version(name: str) -> None:
    agent = agents.load(name)
    assert agent.name == name
    assert agent.version == VERSIONS[name]


def test_every_pinned_version_belongs_to_an_agent() -> None:
    assert sorted(VERSIONS) == agents.names()


def test_every_pinned_node_belongs_to_an_agent() -> None:
    assert set(NODES) <= set(agents.names())


def test_an_unknown_agent_is_refused_with_near_names() -> None:
    with pytest.raises(UsageError) as caught:
        agents.load("copilto")
    assert caught.value.hint == "there are: copilot"
    with pytest.raises(UsageError) as caught:
        agents.load("zzz")
    assert ", ".join(agents.names()) in str(caught.value.hint)


@pytest.mark.parametrize("name", agents.names())
def test_the_prompt_is_one_argument_and_the_model_is_on_loopback(name: str, tmp_path: Path) -> None:
    launch = staged(name, tmp_path)
    assert launch.arguments.count("Do it.") == 1
    written = [f.read_text() for f in (tmp_path / "scratch").rglob("*") if f.is_file()]
    told = json.dumps([*launch.arguments, *launch.env.values(), *written])
    assert "http://127.0.0.1:1234" in told
    assert "https://" not in told


@pytest.mark.parametrize("name", agents.names())
def test_nothing_is_written_to_the_home_for_a_run_without_mcp(name: str, tmp_path: Path) -> None:
    staged(name, tmp_path)
    assert list((tmp_path / "home").iterdir()) == []


@pytest.mark.parametrize("name", ["codex", "copilot", "gemini"])
def test_trust_is_granted_only_when_asked_for(name: str, tmp_path: Path) -> None:
    signs = ("--trust-folder", "hook-trust", "trusted", "GEMINI_CLI_TRUST_WORKSPACE")

    def trusts(launch: Launch) -> bool:
        told = " ".join([*launch.arguments, *launch.env])
        return any(sign in told for sign in signs)

    (tmp_path / "yes").mkdir()
    (tmp_path / "no").mkdir()
    assert trusts(staged(name, tmp_path / "yes", trust=True))
    assert not trusts(staged(name, tmp_path / "no", trust=False))


def test_codex_settings_are_valid_toml_whatever_the_folder_is_called(tmp_path: Path) -> None:
    settings = codex_settings(staged("codex", tmp_path, mcp=True))
    assert settings["projects"] == {str(REPO): {"trust_level": "trusted"}}
    assert settings["model_providers"]["probe"]["base_url"] == "http://127.0.0.1:1234/v1"
    server = settings["mcp_servers"]["probe"]
    assert [server["command"], *server["args"]] == mcp_command()


def test_gemini_gets_the_mcp_server_beside_the_users_settings(tmp_path: Path) -> None:
    staged("gemini", tmp_path, mcp=True)
    found = [p for p in (tmp_path / "home").rglob("*") if p.is_file()]
    assert [p.name for p in found] == ["gemini-extension.json"]
    assert "probe" in json.loads(found[0].read_text())["mcpServers"]


NEW = f"{REPO}/new.txt"
PATCH = f"*** Begin Patch\n*** Add File: {NEW}\n+a\n+\n+b\n*** End Patch"
UPDATE = f"*** Begin Patch\n*** Update File: {NEW}\n@@\n-a\n+b\n+c\n*** End Patch"
CALLS: dict[str, Call] = {
    "shell": Shell("ls"),
    "write": Write("new.txt", "a\n\nb\n"),
    "edit": Edit("new.txt", "a", "b\nc"),
    "read": Read("new.txt"),
    "mcp": Mcp({"text": "x"}),
}
TABLE: dict[str, dict[str, tuple[str, Any, str]]] = {
    "claude": {
        "shell": ("Bash", {"command": "ls", "description": "Run it"}, ""),
        "write": ("Write", {"file_path": NEW, "content": "a\n\nb\n"}, ""),
        "edit": ("Edit", {"file_path": NEW, "old_string": "a", "new_string": "b\nc"}, ""),
        "read": ("Read", {"file_path": NEW}, ""),
        "mcp": ("mcp__probe__echo", {"text": "x"}, ""),
    },
    "cline": {
        "shell": ("run_commands", {"commands": ["ls"]}, ""),
        "write": ("editor", {"path": NEW, "new_text": "a\n\nb\n"}, ""),
        "edit": ("editor", {"path": NEW, "old_text": "a", "new_text": "b\nc"}, ""),
        "read": ("read_files", {"files": [{"path": NEW}]}, ""),
        "mcp": ("probe__echo", {"text": "x"}, ""),
    },
    "codex": {
        "shell": ("exec_command", {"cmd": "ls"}, ""),
        "write": ("apply_patch", PATCH, ""),
        "edit": ("apply_patch", UPDATE, ""),
        "read": ("exec_command", {"cmd": f"cat '{NEW}'"}, ""),
        "mcp": ("echo", {"text": "x"}, "mcp__probe"),
    },
    "copilot": {
        "shell": ("bash", {"command": "ls", "description": "Run it"}, ""),
        "write": ("create", {"path": NEW, "file_text": "a\n\nb\n"}, ""),
        "edit": ("edit", {"path": NEW, "old_str": "a", "new_str": "b\nc"}, ""),
        "read": ("view", {"path": NEW}, ""),
        "mcp": ("probe-echo", {"text": "x"}, ""),
    },
    "droid": {
        "shell": (
            "Execute",
            {
                "command": "ls",
                "summary": "Run it",
                "riskLevel": "low",
                "riskLevelReason": "It is scripted",
                "timeout": 60,
                "fireAndForget": False,
            },
            "",
        ),
        "write": ("Create", {"file_path": NEW, "content": "a\n\nb\n"}, ""),
        "edit": ("Edit", {"file_path": NEW, "old_str": "a", "new_str": "b\nc"}, ""),
        "read": ("Read", {"file_path": NEW}, ""),
        "mcp": ("probe___echo", {"text": "x"}, ""),
    },
    "gemini": {
        "shell": ("run_shell_command", {"command": "ls"}, ""),
        "write": ("write_file", {"file_path": NEW, "content": "a\n\nb\n"}, ""),
        "edit": (
            "replace",
            {
                "file_path": NEW,
                "old_string": "a",
                "new_string": "b\nc",
                "instruction": "Replace it",
            },
            "",
        ),
        "read": ("read_file", {"file_path": NEW}, ""),
        "mcp": ("mcp_probe_echo", {"text": "x"}, ""),
    },
    "kimi": {
        "shell": ("Bash", {"command": "ls"}, ""),
        "write": ("Write", {"path": NEW, "content": "a\n\nb\n"}, ""),
        "edit": ("Edit", {"path": NEW, "old_string": "a", "new_string": "b\nc"}, ""),
        "read": ("Read", {"path": NEW}, ""),
        "mcp": ("mcp__probe__echo", {"text": "x"}, ""),
    },
    "opencode": {
        "shell": ("bash", {"command": "ls", "description": "Run it"}, ""),
        "write": ("write", {"filePath": NEW, "content": "a\n\nb\n"}, ""),
        "edit": ("edit", {"filePath": NEW, "oldString": "a", "newString": "b\nc"}, ""),
        "read": ("read", {"filePath": NEW}, ""),
        "mcp": ("probe_echo", {"text": "x"}, ""),
    },
    "pi": {
        "shell": ("bash", {"command": "ls"}, ""),
        "write": ("write", {"path": NEW, "content": "a\n\nb\n"}, ""),
        "edit": ("edit", {"path": NEW, "edits": [{"oldText": "a", "newText": "b\nc"}]}, ""),
        "read": ("read", {"path": NEW}, ""),
        "mcp": ("mcp__probe__echo", {"text": "x"}, ""),
    },
    "qwen": {
        "shell": (
            "run_shell_command",
            {"command": "ls", "description": "Run it", "is_background": False},
            "",
        ),
        "write": ("write_file", {"file_path": NEW, "content": "a\n\nb\n"}, ""),
        "edit": ("edit", {"file_path": NEW, "old_string": "a", "new_string": "b\nc"}, ""),
        "read": ("read_file", {"file_path": NEW}, ""),
        "mcp": ("mcp__probe__echo", {"text": "x"}, ""),
    },
}


@pytest.mark.parametrize("kind", CALLS)
@pytest.mark.parametrize("name", agents.names())
def test_a_call_is_said_in_the_agents_own_words(name: str, kind: str) -> None:
    assert tuple(agents.load(name).translate(CALLS[kind], REPO)) == TABLE[name][kind]


@pytest.mark.parametrize("name", agents.names())
def test_a_native_call_is_passed_on_as_it_is(name: str) -> None:
    call = agents.load(name).translate(Native("tool", {"a": 1}), REPO)
    assert tuple(call) == ("tool", {"a": 1}, "")


@pytest.mark.parametrize("name", agents.names())
def test_an_absolute_path_is_kept(name: str) -> None:
    call = agents.load(name).translate(Write("/else/x", ""), REPO)
    assert "/else/x" in json.dumps(call.arguments)
    assert str(REPO) not in json.dumps(call.arguments, ensure_ascii=False)
