from __future__ import annotations

import pytest

from hookpm.packs.check.finding import RULES
from tests.packs.check.packs import BASH, SH, Wanted, codes, find, of_rule

REFUSES = "exit 2\n"


def in_sh(line: str, code: str, start: str = SH) -> list[int]:
    """The lines at which a rule speaks, in a script with this line as its third."""
    found = find(f"{start}input=$(cat)\n{line}\n{REFUSES}")
    return [number for _, number in of_rule(code, found)]


@pytest.mark.parametrize(
    "line",
    [
        "rm $file",
        "rm ${file}",
        "rm ${file%%.*}",
        "rm -- dir/$file",
        "[ $file = .env ]",
        "test -n $file && exit 2",
        "grep x <$file",
        "echo hello >$file",
        "cd $(git rev-parse --show-toplevel)",
        "cat $(dirname $0)/x",
        "run $@",
        "run $*",
        "run $1",
        "if grep -q x $file; then exit 2; fi",
        "case x in x) rm $file ;; esac",
        "for f in a b; do rm $file; done",
        "out=$(grep x $file)",
        'echo "$(grep x $file)"',
        "grep x $file | wc -l",
        "$CLAUDE_PROJECT_DIR/x.sh",
        "command=$(jq -r .tool_input.command)\necho $command | grep x",
        "f() { rm $1; }",
        'echo "a" $file "b"',
        "env A=b rm $file",
    ],
)
def test_a_variable_without_quotes_is_found(line: str) -> None:
    assert in_sh(line, "unquoted")


@pytest.mark.parametrize(
    "line",
    [
        'rm "$file"',
        'rm "${file%%.*}"',
        "echo '$file'",
        "echo \\$file",
        "other=$file",
        "other=$input",
        "case $file in x) exit 2 ;; esac",
        "for f in $files; do :; done",
        "set -- $words",
        "eval $line",
        "exit $code",
        "f() { return $code; }",
        "shift $n",
        "[ $# -gt 1 ]",
        "[ $? -eq 0 ]",
        "kill $!",
        "echo ${#file}",
        "echo $((a + b))",
        "a=$((a + 1)); echo $a",
        "a=1; [ $a -gt 0 ]",
        "flag=; [ -n x ] && flag=-v; rm $flag x",
        'rm ${file:+"$file"}',
        'run ${1+"$@"}',
        "count=$(wc -l <x); [ $count -gt 3 ]",
        "run $FLAGS x",
        "$runner x",
        "cat <<END\n$file\nEND",
        'echo "it\'s $file"',
        'echo "a $(basename "$file") b"',
        "# rm $file",
        "echo x # $file",
        "export FILE=$file",
        "grep -c x $(git ls-files)",
        "for i in 1 2 3; do echo $i; done",
        'awk "{ print \\$1 }"',
        "sed 's/$file/x/'",
    ],
)
def test_what_is_not_split_or_meant_to_be_stays_silent(line: str) -> None:
    assert in_sh(line, "unquoted") == []


def test_in_bash_double_brackets_and_arithmetic_split_nothing() -> None:
    for line in ("[[ $a == $b ]]", "(( $a > 1 ))", '[[ $a =~ ^(x|y)$ ]] && rm "$a"', "x=([a]=$b)"):
        assert in_sh(line, "unquoted", BASH) == []
        assert in_sh(line, "bashism", BASH) == []


@pytest.mark.parametrize(
    "line",
    [
        '[[ "$a" == x ]] && exit 2',
        "if [[ -f x ]]; then exit 2; fi",
        "(( a > 1 )) && exit 2",
        "a=(x y)",
        "a+=x",
        "declare -A seen",
        "source ./lib.sh",
        "diff <(sort a) <(sort b)",
        "function f { exit 2; }",
        "function f() { exit 2; }",
        "IFS=$'\\n'",
        '[ "$a" == x ]',
        'test "$a" == x',
        "run &>/dev/null",
        "run &>>log",
        "run |& grep x",
        'grep x <<<"$a"',
        'echo "${a//x/y}"',
        'echo "${a/x/y}"',
        'echo "${a^^}"',
        'echo "${a,,}"',
        'echo "${a:0:3}"',
        'echo "${!a}"',
        'echo "${a[0]}"',
        'echo "$RANDOM"',
        "set -o pipefail",
        "set -euo pipefail",
        "trap 'exit 2' ERR",
        "printf -v a %s x",
        "echo -e 'a\\tb'",
        "read -a words",
        "mapfile -t lines",
        "shopt -s nullglob",
        "pushd x",
        "let a=1",
        "for i in {1..5}; do :; done",
        "cp a.{x,y}",
        "local -r a=1",
    ],
)
def test_bash_in_a_script_of_sh_is_found(line: str) -> None:
    assert in_sh(line, "bashism")
    assert in_sh(line, "bashism", BASH) == []
    assert in_sh(line, "bashism", "#!/bin/dash\n")


@pytest.mark.parametrize(
    "line",
    [
        '[ "$a" = x ]',
        ". ./lib.sh",
        "f() { exit 2; }",
        "f() { local a; a=$1; exit 2; }",
        "IFS='\n'",
        "run >/dev/null 2>&1",
        "run & other",
        "run 2>&1 | grep x",
        'echo "${a:-x}" "${a:=x}" "${a:+x}" "${a:?x}"',
        'echo "${a%x}" "${a##*/}" "${#a}"',
        "set -eu",
        "trap 'rm -f x' EXIT INT",
        "read -r line",
        "echo '[[ x ]] && source y'",
        "grep '[[:space:]]' x",
        "case $a in [[:space:]]*) exit 2 ;; esac",
        "echo 'a=(x) {1..5} <(x)'",
        "git stash show stash@{0}",
        "find . -exec rm {} +",
        "( cd x && run )",
        "( (cd x; run) | cat )",
        "a=$( (cd x; run) | cat )",
        "# [[ x ]]",
        "cat <<'END'\n[[ x ]] source y\nEND",
        'echo "function f { $x }"',
        "i=$((i + 1))",
        "awk '{ if (a == b) print }'",
        "{ echo a; echo b; } >out",
    ],
)
def test_what_every_sh_has_stays_silent(line: str) -> None:
    assert in_sh(line, "bashism") == []


def test_a_script_is_in_the_language_that_runs_it() -> None:
    text = "if [[ x ]]; then exit 2; fi\n"
    by_bash = Wanted(command='bash "$HOOKPM_PACK_DIR/hook.sh"')
    assert "bashism" not in codes(find(SH + text, by_bash))
    assert "bashism" in codes(find(text, Wanted(command='sh "$HOOKPM_PACK_DIR/hook.sh"')))
    assert codes(find("#!/bin/zsh\n" + text + "rm $file\n")) == []
    assert of_rule("bashism", find("x\n", Wanted(command="[[ -f x ]] && exit 2"))) == [
        ("hookpack.toml", 9)
    ]


@pytest.mark.parametrize(
    ("line", "found"),
    [
        ("grep -P '\\d' x", True),
        ("grep -oP x", True),
        ("sed -i s/a/b/ x", True),
        ("date -d yesterday", True),
        ("mapfile -t lines <x", True),
        ("declare -A seen", True),
        ('a="${b^^}"', True),
        ("grep -E x", False),
        ("grep -E -- x", False),
        ("sed -i.bak s/a/b/ x", False),
        ("sed -i '' s/a/b/ x", False),
        ("sed -n s/a/b/p x", False),
        ("date +%s", False),
        ("declare -a list", False),
        ("echo 'grep -P'", False),
    ],
)
def test_what_macos_lacks_is_found(line: str, found: bool) -> None:
    assert bool(in_sh(line, "not-portable", BASH)) is found


def test_json_that_sh_echoes_is_found_and_what_bash_echoes_is_not() -> None:
    line = 'echo "$input" | jq -r .tool_name'
    assert in_sh(line, "echo-data") == [3]
    assert in_sh(line, "echo-data", BASH) == []
    assert in_sh('printf "%s" "$input" | jq -r .tool_name', "echo-data") == []
    assert in_sh('echo "$other" | grep x', "echo-data") == []
    assert in_sh('echo "$input" >&2', "echo-data") == []


@pytest.mark.parametrize(
    "text",
    [
        'echo "unterminated\n',
        "if true; then\n",
        "case x in\n",
        "a=$(cat\n",
        "fi\n",
        "%!$&((\n",
        "cat <<END\nnever ends",
        "\x00\x01",
    ],
)
def test_what_is_no_script_says_nothing_about_shell(text: str) -> None:
    assert not {"unquoted", "bashism"} & set(codes(find(SH + text)))


def test_every_finding_says_the_place_the_text_and_the_form_that_works() -> None:
    found = find(SH + "input=$(cat)\n  rm $file\nexit 2\n")
    assert [each.code for each in found] == ["unquoted"]
    each = found[0]
    assert (each.file, each.line, each.text) == ("hook.sh", 3, "rm $file")
    assert "$file" in each.message
    assert each.form == '"$file"'
    assert each.severity == RULES["unquoted"].severity == "error"


def test_a_comment_ignores_a_rule_on_its_line_or_the_next() -> None:
    for text in (
        "rm $file # hookpm: ignore unquoted\n",
        "# meant so\n# hookpm: ignore unquoted, bashism\nrm $file\n",
    ):
        assert codes(find(SH + text + REFUSES)) == []
    for text in (
        "rm $file # hookpm: ignore bashism\n",
        "# hookpm: ignore unquoted\n\nrm $file\n",
        "x=1 # hookpm: ignore unquoted\nrm $file\n",
    ):
        assert codes(find(SH + text + REFUSES)) == ["unquoted"]
