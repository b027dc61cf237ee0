"""What hookpm knows of Windows: shells, quoting, paths. Pure functions; nothing here runs there."""

from __future__ import annotations

import subprocess

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hookpm import agents
from hookpm.agents import shell_line, windows, windows_paths
from hookpm.agents.windows import (
    quote_argument,
    quote_cmd,
    quote_powershell,
    split_arguments,
)
from hookpm.packs.names import path_problem

TEXT = st.text(st.characters(exclude_characters="\0", codec="utf-8"))
HARD = st.text(st.sampled_from("ab \\\"%^&|<>()!'`$\u2019é"))
WIRED = [name for name in agents.names() if name in windows.SHELLS]


# --- quoting ---------------------------------------------------------------------------------


@given(st.lists(TEXT | HARD, min_size=1))
def test_a_program_reads_the_arguments_that_were_quoted(words: list[str]) -> None:
    assert split_arguments(" ".join(map(quote_argument, words))) == words


@given(st.lists(HARD, min_size=1))
def test_it_is_pythons_own_rule(words: list[str]) -> None:
    assert split_arguments(subprocess.list2cmdline(words)) == words


@pytest.mark.parametrize(
    ("text", "quoted"),
    [
        ("plain", "plain"),
        ("", '""'),
        ("a b", '"a b"'),
        ('say "x"', r'"say \"x\""'),
        ("C:\\a b\\", '"C:\\a b\\\\"'),
        ("C:\\ab\\", "C:\\ab\\"),
        ('\\\\"', '"' + "\\" * 5 + '""'),
    ],
)
def test_arguments_are_quoted_as_microsofts_runtime_reads_them(text: str, quoted: str) -> None:
    assert quote_argument(text) == quoted


def read_by_cmd(line: str) -> str:
    """What cmd hands on: carets outside of quotes go, what they stood before stays."""
    out, at = "", 0
    while at < len(line):
        if line[at] == "^":
            at += 1
        else:
            assert line[at] not in '()%!"<>&|', "cmd would take it for its own"
        out += line[at : at + 1]
        at += 1
    return out


@given(TEXT | HARD)
def test_cmd_hands_on_just_what_was_quoted_and_fills_nothing_in(text: str) -> None:
    if "\n" in text or "\r" in text:
        with pytest.raises(ValueError, match="newline"):
            quote_cmd(text)
        return
    assert split_arguments(read_by_cmd(quote_cmd(text))) == [text]


@given(TEXT | HARD)
def test_powershell_reads_a_text_in_single_quotes_to_the_character(text: str) -> None:
    quoted = quote_powershell(text)
    inner = quoted[1:-1]
    assert (quoted[0], quoted[-1]) == ("'", "'")
    for quote in "'\u2018\u2019\u201a\u201b":
        assert inner.count(quote) == 2 * text.count(quote)
        inner = inner.replace(quote * 2, quote)
    assert inner == text


@pytest.mark.parametrize("quote", [quote_argument, quote_cmd, quote_powershell])
def test_no_command_line_holds_a_nul(quote: object) -> None:
    with pytest.raises(ValueError, match="NUL"):
        quote("a\0b")  # type: ignore[operator]


# --- lines -----------------------------------------------------------------------------------


def test_every_agent_that_is_wired_has_a_word_on_its_shell_there() -> None:
    assert set(windows.SHELLS) == set(agents.names())
    for shell in windows.SHELLS.values():
        assert shell.basis
        assert not shell.kind or shell.basis.startswith("documented")


@pytest.mark.parametrize("name", WIRED)
def test_no_line_depends_on_the_machine_that_writes_it(
    name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Two machines' installs give the same bytes: what is committed knows no system."""
    before = [shell_line.present(name, "PreToolUse"), windows.line(name, "PreToolUse")]
    monkeypatch.setattr("sys.platform", "win32")
    shell_line._present_lines.cache_clear()
    assert [shell_line.present(name, "PreToolUse"), windows.line(name, "PreToolUse")] == before


def test_cmds_line_finds_the_bridge_starts_the_launcher_and_ends_with_0() -> None:
    line = windows.cmd_line("codex", "PreToolUse")
    assert line.endswith("& exit 0")
    assert "py -3 -I -S" in line
    assert "for %d in (. .. ..\\.. " in line  # no second % : it is no batch file
    assert line.count('"%d\\.agents\\hookpm\\bridge.py"') == 2
    named = windows.cmd_line("kimi", "Stop", "KIMI_PROJECT")
    assert named == (
        'if exist "%KIMI_PROJECT%\\.agents\\hookpm\\bridge.py" (py -3 -I -S '
        '"%KIMI_PROJECT%\\.agents\\hookpm\\bridge.py" kimi Stop) & exit 0'
    )


def test_powershells_line_finds_the_bridge_starts_the_launcher_and_ends_with_0() -> None:
    named = windows.powershell_line("gemini", "PreToolUse", "GEMINI_PROJECT_DIR")
    assert named.startswith('$d = $env:GEMINI_PROJECT_DIR; $b = "$d/.agents/hookpm/bridge.py"')
    assert "-LiteralPath" in named  # a folder's name may hold [ and ]
    assert named.endswith("{ py -3 -I -S $b gemini PreToolUse }; exit 0")
    assert "Split-Path -Parent" in windows.powershell_line("copilot", "Stop")


def test_where_the_shell_is_not_known_no_line_is_made_up() -> None:
    assert windows.line("cursor", "Stop") is None
    assert windows.line("claude", "Stop") is None  # Git Bash runs the line of every other system
    assert windows.line("codex", "Stop") == windows.cmd_line("codex", "Stop")
    assert windows.line("vscode", "Stop") == windows.powershell_line("vscode", "Stop")


# --- paths -----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("path", "kind"),
    [
        ("C:\\repo", "absolute"),
        ("c:/repo", "absolute"),
        ("C:repo", "drive-relative"),
        ("C:", "drive-relative"),
        ("\\repo", "rooted"),
        ("/repo", "rooted"),
        ("\\\\server\\share\\repo", "unc"),
        ("//server/share", "unc"),
        ("\\\\?\\C:\\repo", "device"),
        ("\\\\.\\pipe\\x", "device"),
        ("repo\\x", "relative"),
        ("..", "relative"),
        ("", "relative"),
    ],
)
def test_a_path_is_known_by_what_it_starts_from(path: str, kind: str) -> None:
    assert windows_paths.kind(path) == kind


@pytest.mark.parametrize(
    ("path", "native"),
    [
        ("/c/Users/me/x", "C:\\Users\\me\\x"),
        ("/mnt/d/x", "D:\\x"),
        ("/cygdrive/e", "E:\\"),
        ("/c", "C:\\"),
        ("/home/me", "/home/me"),
        ("/mnt/data/x", "/mnt/data/x"),
    ],
)
def test_paths_of_posix_shells_become_windows_own(path: str, native: str) -> None:
    assert windows_paths.from_posix_shell(path) == native


def test_a_path_too_long_for_windows_gets_the_prefix_and_only_then() -> None:
    assert windows_paths.extended("C:/a/b") == "C:\\a\\b"
    long = "C:\\" + "a" * 300
    assert windows_paths.extended(long) == "\\\\?\\" + long
    assert windows_paths.extended("//server/share/" + "a" * 300).startswith("\\\\?\\UNC\\server\\")
    assert windows_paths.extended("\\\\?\\" + long) == "\\\\?\\" + long
    assert windows_paths.extended("C:\\" + "a" * 256) == "C:\\" + "a" * 256  # 259 and the NUL
    with pytest.raises(ValueError, match="not absolute"):
        windows_paths.extended("a" * 300)


@pytest.mark.parametrize(
    "name",
    ["con", "NUL.txt", "com1", "LPT9.tar.gz", "aux .x", "a:b", "a?", "a.", "b ", "x\ty"],
)
def test_names_that_windows_does_not_keep_are_told(name: str) -> None:
    assert windows_paths.name_problem(name)


@pytest.mark.parametrize("name", ["console", "com10", "nul-x", ".con", "a b", "ü", "a.b.c"])
def test_names_that_only_look_like_it_are_fine(name: str) -> None:
    assert windows_paths.name_problem(name) is None


@pytest.mark.parametrize("name", ["con", "NUL.txt", "a:b", "a.", "b ", "x\\y"])
def test_no_pack_holds_a_file_that_windows_would_not_keep(name: str) -> None:
    assert path_problem(f"folder/{name}")


def test_paths_are_compared_blind_to_case_slash_and_a_slash_at_the_end() -> None:
    assert windows_paths.same("C:/Repo/", "c:\\repo")
    assert windows_paths.same("\\\\Server\\X", "//server/x")
    assert not windows_paths.same("C:\\repo", "C:\\repos")
    assert not windows_paths.same("\\server", "\\\\server")


def test_the_stores_python_and_wsls_bash_are_known_by_their_place() -> None:
    store = "C:\\Users\\me\\AppData\\Local\\Microsoft\\WindowsApps\\python3.exe"
    assert windows_paths.is_store_link(store)
    assert not windows_paths.is_store_link("C:\\Python312\\python.exe")
    assert windows_paths.is_wsl_bash("C:\\Windows\\System32\\bash.exe")
    assert windows_paths.is_wsl_bash(store.replace("python3", "bash"))
    assert not windows_paths.is_wsl_bash("C:\\Program Files\\Git\\bin\\bash.exe")
