"""Kinds of tool input, each by several of its forms, with what stays silent beside them."""

from __future__ import annotations

import time
from typing import Any

import pytest

from tests.packs_protect_secrets import answer_of, bash


def decisions(*calls: tuple[str, dict[str, Any]]) -> list[str]:
    return [answer_of(tool, given)[0] for tool, given in calls]


@pytest.mark.parametrize(
    "given",
    [
        {"command": "cat credentials", "workdir": "~/.aws"},
        {"command": ["cat", "credentials"], "cwd": "~/.aws"},
        {"command": "cat credentials", "dir_path": "/home/u/.aws"},
        {"command": "cat credentials", "working_directory": "~/.aws/"},
        {"file": "credentials", "directory": "~/.aws"},
        {"paths": ["credentials"], "folder": "~/.aws"},
    ],
)
def test_paths_are_read_from_the_folder_that_the_tool_names(given: dict[str, Any]) -> None:
    assert answer_of("run", given)[0] == "deny"


def test_a_folder_to_run_in_is_no_file_and_a_folder_to_search_is() -> None:
    assert decisions(
        ("run", {"command": "ls", "directory": "~/.ssh"}),
        ("search", {"pattern": "KEY", "folder": "~/.ssh"}),
        ("Grep", {"pattern": "KEY", "path": "~/.aws", "glob": "credentials"}),
    ) == ["", "deny", "deny"]


def test_a_folder_holds_only_for_the_object_that_names_it() -> None:
    inner = {"command": "ls", "cwd": "~/.aws"}
    assert answer_of("run", {"first": inner, "file": "credentials"})[0] == ""


def test_what_is_typed_into_a_running_shell_is_read_as_shell_text() -> None:
    assert (
        decisions(
            ("write_bash", {"input": "cat .env{enter}"}),
            ("write_powershell", {"input": "Get-Content .env{Enter}"}),
            ("write_stdin", {"session_id": 1, "chars": "cat .env\n"}),
            ("send_to_terminal", {"text": "cat .env\r"}),
            ("mcp__pc__interact_with_process", {"pid": 3, "input": "cat .env"}),
        )
        == ["deny"] * 5
    )
    assert (
        decisions(
            ("write_bash", {"input": "cat .e{tab}{enter}"}),
            ("write_stdin", {"chars": "open('.env').read()\n"}),
        )
        == ["ask"] * 2
    )
    assert (
        decisions(
            ("write_bash", {"input": "{up}{enter}"}),
            ("write_stdin", {"chars": "npm test\n"}),
            ("send_mail", {"text": "cat .env"}),
        )
        == [""] * 3
    )


def test_code_that_names_a_secret_is_a_question_in_any_tool() -> None:
    assert (
        decisions(
            ("mcp__ide__executeCode", {"code": "print(open('.env').read())"}),
            ("browser_run", {"script": "require('fs').readFileSync('.env')"}),
        )
        == ["ask"] * 2
    )
    assert answer_of("mcp__ide__executeCode", {"code": "os.path.join('a', 'b')"})[0] == ""


def test_a_program_and_its_arguments_are_one_command() -> None:
    task = {"label": "x", "type": "shell", "command": "cat"}
    assert (
        decisions(
            ("mcp__x__run", {"command": "cat", "args": [".env"]}),
            ("mcp__x__run", {"command": "cat", "args": ".env"}),
            ("create_and_run_task", {"task": {**task, "args": [".env"]}}),
            ("create_and_run_task", {"task": {**task, "args": [{"value": ".env"}]}}),
            ("run", {"program": "/bin/cat", "arguments": ["-n", ".env"]}),
        )
        == ["deny"] * 5
    )
    assert answer_of("run", {"command": "npm", "args": ["run", "build"]})[0] == ""


def test_the_names_of_harmless_tools_count_only_whole() -> None:
    assert (
        decisions(
            ("mcp__other__glob", {"path": ".env"}),
            ("mcp__other__task", {"command": "cat .env"}),
            ("mcp__other__search_files", {"path": ".env"}),
        )
        == ["deny"] * 3
    )
    assert answer_of("Glob", {"pattern": "**/.env"})[0] == ""


@pytest.mark.parametrize(
    "given",
    [
        {"revision": "HEAD:.env"},
        {"from": ".env", "to": "x"},
        {"from": "x", "to": ".env"},
        {"oldName": ".env", "newName": "x"},
        {"oldName": "x", "newName": ".env"},
        {"resource": "file:///r/.env?x=1#L3"},
        {"location": ".env"},
        {"document": ".env"},
        {"target_notebook": "secrets.json"},
        {"file_mask": ".env*"},
        {"paths_include_glob": ".env*"},
        {"path": ".env#L1"},
        {"path": ".env:12"},
        {"uri": "vscode-remote://host/.env"},
        {"patch": "diff --git a/.env b/x\ncopy from .env\ncopy to x\n"},
    ],
)
def test_many_keys_name_files(given: dict[str, Any]) -> None:
    assert answer_of("mcp__x__tool", given)[0] == "deny"


@pytest.mark.parametrize(
    "given",
    [
        {"revision": "HEAD~1"},
        {"url": "https://example.com/.env"},
        {"paths_exclude_glob": ".env*"},
        {"location": "Berlin", "from": "a@example.com"},
        {"pattern": "x", "glob": "*"},
        {"pattern": "x", "glob": "**/*"},
    ],
)
def test_the_same_keys_are_silent_about_the_rest(given: dict[str, Any]) -> None:
    assert answer_of("mcp__x__tool", given)[0] == ""


def test_a_glob_of_everything_asks_no_more_than_none(tmp_path: Any) -> None:
    (tmp_path / ".env").write_text("")
    for glob in ("*", "**", "**/*", "*.*"):
        assert answer_of("Grep", {"pattern": "x", "glob": glob}, str(tmp_path))[0] == ""


def test_input_too_large_to_read_is_a_question() -> None:
    deep: Any = {"path": ".env"}
    for _ in range(9):
        deep = {"a": deep}
    assert answer_of("x", deep)[0] == "ask"
    assert answer_of("x", {"a": ["b"] * 6000, "path": ".env"})[0] == "ask"
    assert answer_of("x", {"path": ".env", "a": ["b"] * 6000})[0] == "deny"
    assert answer_of("x", {"a": [1.5] * 60_000, "path": "a"})[0] == ""


def test_method_calls_of_powershell_are_a_question() -> None:
    for text in (
        "[IO.File]::ReadAllText('.env')",
        '[System.IO.File]::ReadAllLines(".env")',
        "[IO.File]::Copy('.env', 'x')",
    ):
        assert answer_of("powershell", {"command": text})[0] == "ask", text


@pytest.mark.parametrize(
    ("path", "decision"),
    [
        ("~/.config/github-copilot/apps.json", "deny"),
        ("~/.config/github-copilot/hosts.json", "deny"),
        (".env.sh", "deny"),
        ("templates/.env", "deny"),
        ("config/secrets.yaml", "deny"),
        ("i18n/secrets.json", ""),
        ("src/locales/en/secrets.json", ""),
        ("charts/web/templates/secrets.yaml", ""),
        (".github/workflows/secrets.yml", ""),
        (".env.ts", ""),
        (".env.j2", ""),
        (".env.stub", ""),
        (".env.tpl", ""),
        ("tokens.json", ""),
        ("secrets.schema.json", ""),
    ],
)
def test_a_name_is_read_with_its_ending_and_its_folder(path: str, decision: str) -> None:
    assert answer_of("Read", {"file_path": path})[0] == decision


def test_cutting_patterns_off_takes_bounded_time() -> None:
    text = "x=" + "a" * 290 + ";" + "cat ${x%%*a*a*a*a*a*a*b};" * 2000
    start = time.process_time()
    assert bash(text) == "ask"
    assert time.process_time() - start < 4


def test_a_star_takes_hidden_files_once_the_shell_is_told_so(tmp_path: Any) -> None:
    (tmp_path / ".env").write_text("")
    here = str(tmp_path)
    assert bash("cat *", here) == ""
    assert bash("shopt -s dotglob; cat *", here) == "ask"
    assert bash("shopt -s dotglob; shopt -u dotglob; cat *", here) == ""


def test_going_down_into_folders_takes_bounded_time() -> None:
    for text in ("git " + "-C a " * 20_000 + "log", "cd a;" * 20_000, "tar " + "-C a " * 20_000):
        start = time.process_time()
        assert bash(text) in ("", "ask")
        assert time.process_time() - start < 4, text[:40]


def test_replacing_in_values_takes_bounded_time() -> None:
    for text in (
        "x=" + "a" * 4000 + ";" + "cat ${x//a/bbbb};" * 3000,
        "x=aa;" + "x=${x//a/aaaa};" * 60 + "cat $x",
        "x=" + "a" * 4000 + ";" + "cat ${x:1:3000};" * 3000,
        "x=x;" + "cat ${!x};" * 5000,
        "sed '" + "s/a/b/e;" * 20_000 + "' f",
        "sed '" + "/a" * 50_000 + "' f",
    ):
        start = time.process_time()
        assert bash(text) in ("", "ask")
        assert time.process_time() - start < 4, text[:40]


def test_a_key_to_make_is_a_question_where_one_is_already(tmp_path: Any) -> None:
    text = "openssl genrsa -out server.key 2048"
    assert bash(text, str(tmp_path)) == ""
    (tmp_path / "server.key").write_text("")
    assert bash(text, str(tmp_path)) == "ask"


def test_a_branch_is_no_file_unless_its_folder_is_there(tmp_path: Any) -> None:
    text = "git checkout feature/credentials.json"
    assert bash(text, str(tmp_path)) == ""
    (tmp_path / "feature").mkdir()
    assert bash(text, str(tmp_path)) == "deny"
