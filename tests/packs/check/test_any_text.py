"""Whatever lies in a pack: the check ends, raises nothing, and points at lines that are there."""

from __future__ import annotations

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from hookpm.packs.check import Finding
from tests.packs.check.packs import BASH, SH, Wanted, find

WORDS = """\
if then elif else fi while do done case esac in for x ) ( (( )) { } [[ ]] [ ] && || | ; ;; &
<<EOF EOF < > >& <( $( $(( ${ $x $@ ` ' " \\ # = a= a=( echo exit 1 2 npx ! f()
function local a[0]= "$x" $'a'
"""
LINES = """\
import x
    return 1
def f(a: list[int]):
print('denied')
if a:
sys.exit(1)
{'permissionDecision': 'allow'}
(
)
'
match x:
x.y
=
"""
SHELL = st.lists(st.sampled_from([*WORDS.split(), "\n", " "]), max_size=40).map(" ".join)
PYTHON = st.lists(st.sampled_from([*LINES.splitlines(), "\n", "\0"]), max_size=30).map(" ".join)


def check_places(text: str, found: tuple[Finding, ...], file: str) -> None:
    lines = text.count("\n") + 1
    for each in found:
        assert each.line >= 1
        assert each.file != file or each.line <= lines
        assert each.message
        assert each.form


@settings(max_examples=300, deadline=None, suppress_health_check=list(HealthCheck))
@given(SHELL, st.sampled_from([SH, BASH, ""]))
def test_any_shell(text: str, start: str) -> None:
    check_places(start + text, find(start + text), "hook.sh")


@settings(max_examples=200, deadline=None, suppress_health_check=list(HealthCheck))
@given(PYTHON)
def test_any_python(text: str) -> None:
    check_places(text, find(text, file="hook.py"), "hook.py")


@settings(max_examples=100, deadline=None, suppress_health_check=list(HealthCheck))
@given(st.binary(max_size=300), st.sampled_from(["hook.sh", "hook.py", "hook.js", "hook"]))
def test_any_bytes(data: bytes, file: str) -> None:
    find(data, file=file)


@settings(max_examples=100, deadline=None, suppress_health_check=list(HealthCheck))
@given(SHELL.filter(lambda text: text.strip() and "'" not in text))
def test_any_command_line(text: str) -> None:
    find("", Wanted(command=text))


@pytest.mark.parametrize(
    "text",
    [
        SH + "$(" * 3000 + ")" * 3000,
        SH + "(" * 3000,
        SH + "`" * 3001,
        SH + 'echo "$(echo "' * 2000,
        SH + "rm $x\n" * 20_000,
        SH + "a" * 600_000,
        SH + "case x in (" * 1000,
        SH + "${" * 5000,
    ],
    ids=str.__len__,
)
def test_a_script_without_end_comes_to_one(text: str) -> None:
    find(text)


@pytest.mark.parametrize("text", ["(" * 5000, "a." * 5000 + "b", "-" * 5000 + "1", "x = [" * 90])
def test_python_without_end_comes_to_one(text: str) -> None:
    find(text, file="hook.py")
