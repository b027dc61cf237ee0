"""The manifest, the files, and Python's version."""

from __future__ import annotations

from pathlib import Path

import pytest

from hookpm.contract.events import EVENTS
from hookpm.packs import check, new
from hookpm.packs.check import RULES, matchers
from tests.packs.check.packs import SH, Wanted, codes, find, of_rule

ROOT = Path(__file__).parents[3]
DENIES = SH + "echo no >&2\nexit 2\n"


def py(text: str) -> list[str]:
    return codes(find(text + "\nexit(2)\n", file="hook.py"))


# --- packs that are right --------------------------------------------------------------------


@pytest.mark.parametrize("folder", sorted((ROOT / "packs").glob("*/")), ids=lambda f: f.name)
def test_the_packs_that_come_with_hookpm_are_clean(folder: Path) -> None:
    assert check.run(folder) == ()


@pytest.mark.parametrize("lang", new.LANGUAGES)
@pytest.mark.parametrize("event", EVENTS)
def test_a_new_pack_is_clean(tmp_path: Path, lang: str, event: str) -> None:
    new.write(new.files("mine", lang=lang, event=event), tmp_path / "mine")
    assert check.run(tmp_path / "mine") == ()


def test_every_rule_stands_in_the_table_of_the_documentation() -> None:
    text = (ROOT / "docs" / "packs.md").read_text()
    for code, rule in RULES.items():
        assert f"| `{code}` | {rule.severity} | {rule.about} |" in text


# --- timeouts --------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("timeout", "found"),
    [("5000", True), ("30000", True), ("900", True), ("600", False), ("10", False), ("0.5", False)],
)
def test_a_timeout_in_milliseconds_is_found(timeout: str, found: bool) -> None:
    wanted = Wanted(more=f'needs = ["deny"]\ntimeout = {timeout}')
    assert bool(of_rule("timeout-unit", find(DENIES, wanted))) is found


def test_the_form_of_a_timeout_is_in_seconds() -> None:
    each = find(DENIES, Wanted(more='needs = ["deny"]\ntimeout = 3000'))[0]
    assert (each.line, each.text, each.form) == (11, "timeout = 3000", "timeout = 3")
    assert "did you mean 5?" in find(DENIES, Wanted(more="timeout = 5000"))[0].form


# --- matchers --------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("event", "matcher", "code", "form"),
    [
        ("PreToolUse", "bash", "matcher-nothing", "Bash"),
        ("PreToolUse", "Shell", "matcher-nothing", "Bash"),
        ("PreToolUse", "run_shell_command", "matcher-nothing", "Bash"),
        ("PreToolUse", "mcp__files", "matcher-nothing", "mcp__files__.*"),
        ("PreToolUse", "Bash(rm *)", "matcher-nothing", "Bash"),
        ("PreToolUse", "^bash$", "matcher-nothing", "Bash"),
        ("PreToolUse", "Nothing Like It", "matcher-nothing", ""),
        ("PreToolUse", "Edit|write", "matcher-name", "Write"),
        ("PreToolUse", "Bash, Editt", "matcher-name", "Edit"),
        ("PreToolUse", "B*", "matcher-wide", ""),
        ("PreToolUse", "Edit*|", "matcher-wide", ""),
        ("PreToolUse", "(Edit|Write)", "matcher-wide", "Edit|Write"),
        ("PreToolUse", "Edit.*|Write", "matcher-wide", "^(Edit.*|Write)$"),
        ("SessionStart", "start", "matcher-nothing", ""),
        ("PreCompact", "automatic", "matcher-nothing", ""),
        ("Stop", "Bash", "matcher-ignored", ""),
        ("UserPromptSubmit", "*x", "matcher-ignored", ""),
    ],
)
def test_a_matcher_that_is_not_what_it_seems_is_found(
    event: str, matcher: str, code: str, form: str
) -> None:
    found = list(matchers.problems(event, matcher))
    assert [each.code for each in found] == [code]
    assert form in found[0].form


@pytest.mark.parametrize(
    ("event", "matcher"),
    [
        ("PreToolUse", ""),
        ("PreToolUse", "*"),
        ("PreToolUse", ".*"),
        ("PreToolUse", "Bash"),
        ("PreToolUse", "Read|Edit|Write|MultiEdit|NotebookEdit|Bash"),
        ("PreToolUse", "Edit, Write"),
        ("PreToolUse", ".*Edit"),
        ("PreToolUse", "^(Edit|Write)$"),
        ("PreToolUse", "mcp__.*"),
        ("PreToolUse", "mcp__files__.*"),
        ("PreToolUse", "mcp__files__read_file"),
        ("PreToolUse", "mcp__.*__write.*"),
        ("PreToolUse", "Bash|apply_patch|view_image"),
        ("PreToolUse", "Bash|something_of_mine"),
        ("PreToolUse", "Bash|shell|run_shell_command"),
        ("PreToolUse", "Task"),
        ("PostToolUse", "Web.*"),
        ("SessionStart", "startup|resume"),
        ("PreCompact", "manual"),
        ("SubagentStop", "reviewer"),
        ("Notification", "idle_prompt"),
        ("Stop", ""),
    ],
)
def test_a_matcher_that_takes_what_it_says_stays_silent(event: str, matcher: str) -> None:
    assert list(matchers.problems(event, matcher)) == []


# --- files -----------------------------------------------------------------------------------


def test_windows_line_ends_are_found_in_every_script() -> None:
    found = find(b"#!/bin/sh\r\nexit 2\r\n", others={"lib.sh": "#!/bin/sh\r\n", "a.txt": "x\r\n"})
    assert of_rule("crlf", found) == [("hook.sh", 1), ("lib.sh", 1)]
    assert codes(found) == ["crlf"]
    by_sh = Wanted(command='sh "$HOOKPM_PACK_DIR/hook.sh"')
    assert codes(find(b"echo no >&2\r\nexit 2\r\n", by_sh)) == ["crlf"]
    assert codes(find(b"#!/bin/sh\nprintf 'a\\r\\n'\nexit 2\n")) == []


def test_a_program_needs_its_bit_and_its_first_line() -> None:
    assert codes(find(DENIES, executable=False)) == ["exec-bit"]
    assert codes(find("exit 2\n")) == ["shebang"]
    direct = Wanted(command='"$HOOKPM_PACK_DIR/hook.sh"')
    assert codes(find(DENIES, direct, executable=False)) == ["exec-bit"]
    assert (
        codes(find(DENIES, Wanted(command='sh "$HOOKPM_PACK_DIR/hook.sh"'), executable=False)) == []
    )
    assert codes(find("exit(2)\n", file="hook.py", executable=False)) == []
    assert codes(find(b"\x7fELF\x00", Wanted(more=""), file="guard")) == []


def test_a_pack_that_cannot_be_read_is_a_finding(tmp_path: Path) -> None:
    (tmp_path / "hookpack.toml").write_text('[pack]\nname = "x"\nversion = "1"\nevnt = 1\n')
    (found,) = check.run(tmp_path)
    assert (found.code, found.file, found.line) == ("broken-pack", "hookpack.toml", 4)
    (tmp_path / "hookpack.toml").write_text(
        '[pack]\nname = "x"\nversion = "1.0"\ndescription = "x"\n'
    )
    (tmp_path / ".env").write_text("A=b\n")
    (found,) = check.run(tmp_path)
    assert found.code == "broken-pack"
    assert "secret" in found.message


# --- Python ----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "text",
    [
        "match 1:\n    case 1:\n        pass",
        "def f(x: list[str]) -> None: ...",
        "def f(x: int | None) -> None: ...",
        "x: dict[str, int] = {}",
        "Names = list[str]",
        "'abc'.removeprefix('a')",
        "import tomllib",
        "from functools import cache",
        "import functools\n@functools.cache()\ndef f(): ...",
        "for a, b in zip([], [], strict=True): pass",
        "from typing import Self",
        "try:\n    pass\nexcept* ValueError:\n    pass",
        "with (open('a') as a, open('b') as b):\n    pass",
    ],
)
def test_python_newer_than_3_8_is_found(text: str) -> None:
    assert py(text) == ["python-version"]


@pytest.mark.parametrize(
    "text",
    [
        "from __future__ import annotations\ndef f(x: list[str] | None) -> None: ...",
        'def f(x: "list[str] | None") -> None: ...',
        "def f():\n    x: list[str] = []\n    return x",
        "if (n := 1) > 0: pass",
        "import sys\nif sys.version_info >= (3, 11):\n    import tomllib",
        "try:\n    import tomllib\nexcept ImportError:\n    tomllib = None",
        "from typing import TYPE_CHECKING\nif TYPE_CHECKING:\n    from typing import Self",
        "import functools\n@functools.lru_cache(maxsize=None)\ndef f(): ...",
        "flags = 1 | 2",
        "list = {}\nlist['a']",
        "from typing import List\ndef f(x: List[str]) -> None: ...",
        "print(f'{1 + 1}')",
    ],
)
def test_what_python_3_8_has_stays_silent(text: str) -> None:
    assert py(text) == []


@pytest.mark.parametrize(
    "text", ["import yaml", "import requests.adapters", "from rich import print"]
)
def test_a_module_from_elsewhere_is_found(text: str) -> None:
    assert py(text) == ["python-import"]


def test_modules_of_the_library_and_of_the_pack_stay_silent() -> None:
    for text in (
        "import json, os.path, posix, _json",
        "try:\n    import yaml\nexcept ImportError:\n    yaml = None",
        "import lib",
        "from lib.rules import check",
        "import distutils",
    ):
        found = find(
            text + "\nexit(2)\n", file="hook.py", others={"lib/rules.py": "", "lib/__init__.py": ""}
        )
        assert codes(found) == []


def test_what_a_hook_imports_is_checked_and_what_nothing_runs_is_not() -> None:
    others = {
        "lib.py": "import yaml\n",
        "tests/test_hook.py": "import pytest\n",
        "tool.sh": "rm $x\n",
    }
    found = find("import lib\nexit(2)\n", file="hook.py", others=others)
    assert [(each.file, each.code) for each in found] == [("lib.py", "python-import")]


# --- Claude Code's plugins -------------------------------------------------------------------


def test_a_plugin_is_checked_in_its_own_files(tmp_path: Path) -> None:
    (tmp_path / ".claude-plugin").mkdir()
    (tmp_path / ".claude-plugin" / "plugin.json").write_text('{"name": "mine", "version": "1.0.0"}')
    (tmp_path / "hooks").mkdir()
    (tmp_path / "hooks" / "hooks.json").write_text(
        '{"hooks": {"PreToolUse": [{"matcher": "bash", "hooks": [\n'
        '  {"type": "command", "command": "sh ${CLAUDE_PLUGIN_ROOT}/guard.sh"}]}]}}\n'
    )
    (tmp_path / "guard.sh").write_text('echo "not allowed" >&2\nexit 1\n')
    found = check.run(tmp_path)
    assert [(each.file, each.line, each.code) for each in found] == [
        ("guard.sh", 2, "exit-1"),
        ("hooks/hooks.json", 2, "matcher-nothing"),
    ]
