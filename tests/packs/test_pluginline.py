"""Shell lines of plugins: one word stays one word, in the shell that runs it."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path

import pytest

from hookpm.packs import pluginline

SHOW = '#!/bin/sh\nfor each in "$0" "$@"; do printf "<%s>" "$each"; done\n'


def run(line: str, folder: Path) -> str:
    """What the line prints, run by sh in a plugin's folder whose path has spaces and quotes."""
    environment = {"PATH": os.environ["PATH"], "CLAUDE_PLUGIN_ROOT": str(folder)}
    done = subprocess.run(
        ["/bin/sh", "-c", line], env=environment, capture_output=True, text=True, timeout=30
    )
    assert done.returncode == 0, done.stderr
    return done.stdout.replace(str(folder), "HERE")


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    made = tmp_path / 'My plugin\'s "folder" $(x)'
    (made / "a b").mkdir(parents=True)
    for name in ("s.sh", "a b/s.sh"):
        (made / name).write_text(SHOW)
        (made / name).chmod(0o755)
    return made


@pytest.mark.parametrize(
    ("line", "shown"),
    [
        ("${CLAUDE_PLUGIN_ROOT}/s.sh", "<HERE/s.sh>"),
        ("$CLAUDE_PLUGIN_ROOT/s.sh x", "<HERE/s.sh><x>"),
        ('"${CLAUDE_PLUGIN_ROOT}/a b/s.sh"', "<HERE/a b/s.sh>"),
        ("'${CLAUDE_PLUGIN_ROOT}/a b/s.sh' 'it'", "<HERE/a b/s.sh><it>"),
        ("${CLAUDE_PLUGIN_ROOT}/a\\ b/s.sh", "<HERE/a b/s.sh>"),
        ("sh ${CLAUDE_PLUGIN_ROOT}/s.sh ${CLAUDE_PLUGIN_ROOT}", "<HERE/s.sh><HERE>"),
        ("true && ${CLAUDE_PLUGIN_ROOT}/s.sh || exit 9", "<HERE/s.sh>"),
        ("sh -c '${CLAUDE_PLUGIN_ROOT}/s.sh x'", "<HERE/s.sh><x>"),
        ("sh -c '\"${CLAUDE_PLUGIN_ROOT}/s.sh\" x'", "<HERE/s.sh><x>"),
        ("/bin/sh -ec 'cd / && ${CLAUDE_PLUGIN_ROOT}/s.sh'", "<HERE/s.sh>"),
        ('x="$(sh ${CLAUDE_PLUGIN_ROOT}/s.sh)"; printf "%s" "$x"', "<HERE/s.sh>"),
        ('A=${CLAUDE_PLUGIN_ROOT} sh -c \'printf "%s" "$A"\'', "HERE"),
        (
            "if [ -x ${CLAUDE_PLUGIN_ROOT}/s.sh ]; then ${CLAUDE_PLUGIN_ROOT}/s.sh; fi",
            "<HERE/s.sh>",
        ),
        ("echo y | ( cat >/dev/null; ${CLAUDE_PLUGIN_ROOT}/s.sh )", "<HERE/s.sh>"),
    ],
)
def test_the_plugins_folder_stays_one_word(folder: Path, line: str, shown: str) -> None:
    assert run(pluginline.quoted(line), folder) == shown


def test_a_script_in_double_quotes_for_another_shell_keeps_spaces_together(tmp_path: Path) -> None:
    folder = tmp_path / "my plugin"
    folder.mkdir()
    (folder / "s.sh").write_text(SHOW)
    line = 'sh -c "sh ${CLAUDE_PLUGIN_ROOT}/s.sh \\"${CLAUDE_PLUGIN_ROOT}/x\\" && true"'
    assert run(pluginline.quoted(line), folder) == "<HERE/s.sh><HERE/x>"


def test_words_of_exec_form_arrive_as_they_are(folder: Path) -> None:
    words = ["${CLAUDE_PLUGIN_ROOT}/s.sh", "a b", "$HOME", "`x`", '"q"', "${CLAUDE_PLUGIN_ROOT}/$A"]
    assert run(pluginline.of_words(words), folder) == ('<HERE/s.sh><a b><$HOME><`x`><"q"><HERE/$A>')


def test_a_line_without_the_folder_is_not_touched() -> None:
    for line in ("", "jq -r '.a'", 'echo "it\'s" $(date) \\', "a 'b", 'x "$(y'):
        assert pluginline.quoted(line) == line


@pytest.mark.parametrize(
    ("line", "there", "gone"),
    [
        ("${CLAUDE_PLUGIN_ROOT}/a.sh", ["a.sh"], []),
        ("sh '${CLAUDE_PLUGIN_ROOT}/./d/b c.sh'", ["d/b c.sh"], []),
        ("node ${CLAUDE_PLUGIN_ROOT}/x.js", [], ["x.js"]),
        ("bash -c 'sh ${CLAUDE_PLUGIN_ROOT}/x.sh; ${CLAUDE_PLUGIN_ROOT}/a.sh'", ["a.sh"], ["x.sh"]),
        ("PYTHONPATH=${CLAUDE_PLUGIN_ROOT}/d python3 -m m.go", ["d/m/go.py"], []),
        ("cd ${CLAUDE_PLUGIN_ROOT} && sh a.sh", ["a.sh"], []),
        ("sh a.sh", [], []),
        ("ls ${CLAUDE_PLUGIN_ROOT}/*.sh ${CLAUDE_PLUGIN_ROOT}/$NAME.sh", [], []),
        ("ls ${CLAUDE_PLUGIN_ROOT}/d", [], []),
        ('x="$(cat ${CLAUDE_PLUGIN_ROOT}/a.sh)"', ["a.sh"], []),
    ],
)
def test_the_files_that_a_line_names(line: str, there: list[str], gone: list[str]) -> None:
    files = {"a.sh", "d/b c.sh", "d/m/go.py"}
    assert pluginline.files(line, files) == (there, gone)
