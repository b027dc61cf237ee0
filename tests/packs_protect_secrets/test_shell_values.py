"""Values that a shell makes out of others: followed, or asked about."""

from __future__ import annotations

import pytest

from tests.packs_protect_secrets import bash


@pytest.mark.parametrize(
    ("command", "decision"),
    [
        ("echo .e* | xargs cat", "ask"),
        ("echo .env* | xargs cat", "deny"),
        ("printf '%s\\n' .e* | xargs cat", "ask"),
        ("echo '*.md' | xargs cat", ""),
        ("echo .en* | while read f; do cat $f; done", "deny"),
    ],
)
def test_a_glob_that_is_printed_into_a_pipe_is_read_as_one(command: str, decision: str) -> None:
    assert bash(command) == decision


@pytest.mark.parametrize(
    ("command", "decision"),
    [
        ("set -- .env; cat $1", "deny"),
        ("set .env; cat $1", "deny"),
        ('set -- a .env; cat "$@"', "deny"),
        ("set -- .env; cat $*", "deny"),
        ("set -e; cat a", ""),
        ("set -- a .env; shift; cat $1", "deny"),
        ("set -- a .env; cat ${2}", "deny"),
        ("bash -c 'set -- .env; cat $1'", "deny"),
        ("bash -s .env <<< 'cat $1'", "deny"),
    ],
)
def test_positional_parameters_are_known(command: str, decision: str) -> None:
    assert bash(command) == decision


@pytest.mark.parametrize(
    ("command", "decision"),
    [
        ("cat${IFS}.env", "deny"),
        ("cat$IFS.env", "deny"),
        ("cat${IFS}${IFS}.env", "deny"),
        ("IFS=,; x=cat,.env; $x", "ask"),
        ("{cat,.env}", "deny"),
    ],
)
def test_a_word_may_fall_apart_into_a_command(command: str, decision: str) -> None:
    assert bash(command) == decision


@pytest.mark.parametrize(
    ("command", "decision"),
    [
        ("find . -samefile .env -exec cat {} +", "deny"),
        ("find . -samefile .env", ""),
        ("find . -samefile .env -exec cat {} ';'", "deny"),
        ("find . -newer .env -name '*.py' -exec cat {} +", ""),
        ("find . -name '*.py' -fprint .env", "deny"),
    ],
)
def test_find_may_name_a_file_by_another(command: str, decision: str) -> None:
    assert bash(command) == decision


@pytest.mark.parametrize(
    ("command", "decision"),
    [
        ("sed -n '1e cat .env' a", "deny"),
        ("sed 'r.env' a", "deny"),
        ("sed '1r.env' a", "deny"),
        ("sed '/x/r .env' a", "deny"),
        ("sed -n '1w.env' a", "deny"),
        ("sed 's/.*/cat .env/e' a", "deny"),
        ("sed 's/a/b/w .env' a", "deny"),
        ("sed -n '$r.env' a", "deny"),
        ("sed --expression='1e cat .env' a", "deny"),
        ("sed -e '1e cat .env' a", "deny"),
        ("sed 's/.env/x/' a", ""),
        ("sed -i 's#^.env$#x#;s/e/.env/' a", ""),
        ("sed '/\\.env/d' .gitignore", ""),
        ("sed 'e cat .env' a", "deny"),
    ],
)
def test_the_script_of_sed_reads_writes_and_runs(command: str, decision: str) -> None:
    assert bash(command) == decision


@pytest.mark.parametrize(
    ("command", "decision"),
    [
        ("x=.env.example; cat ${x/.example/}", "deny"),
        ("x=.env.example; cat ${x//.example}", "deny"),
        ("x=.env.example; cat ${x:0:4}", "deny"),
        ("x=.env.example; cat ${x: 0:-8}", "deny"),
        ("x=aa.env; cat ${x:2}", "deny"),
        ("x=.env.example; cp ${x/.ex*/} y", "ask"),
        ("y=.env; x=y; cat ${!x}", "deny"),
        ("x=.env.example; cat ${x/$q/}", "ask"),
        ("x=a.ts; cat ${x/.ts/.js}", ""),
        ("x=abc; echo ${x:0:2}; cat ${x:0:2}", ""),
        ("x=.ENV; cat ${x,,}", "deny"),
        ("x=.env.example; n=4; cat ${x:0:$n}", "deny"),
        ("x=.env.example; cat ${x:0:n}", "ask"),
        ("cat ${#x}", ""),
        ("cat ${!x}", ""),
        ("cat ${FILE/.ts/.js}", ""),
        ("x=.env.example; cat ${x/%.example/}", "deny"),
        ("x=z.env; cat ${x/#z/}", "deny"),
        ("x=.env; echo ${#x}; test -f ${x:0:4}", ""),
        ("x=.exv; cat ${x/x/n}", "deny"),
        ("a=(x .env); cat ${a[1]}", "deny"),
        ('a=(x .env); cat "${a[@]:1}"', "deny"),
    ],
)
def test_what_bash_makes_of_a_value_is_followed_or_asked(command: str, decision: str) -> None:
    assert bash(command) == decision


@pytest.mark.parametrize(
    ("command", "decision"),
    [
        ("x=.env.example; cat $x", ""),
        ("zip -@ x <<< .env", "deny"),
    ],
)
def test_names_of_files_may_be_typed_to_zip(command: str, decision: str) -> None:
    assert bash(command) == decision
