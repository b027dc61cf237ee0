from __future__ import annotations

import json
import random
import re
import shutil
import subprocess

import pytest

from hookpm.contract import jsregex

ATOMS = (
    *("Bash", "Edit", "mcp__", "__", "a", "B", "e", "0", "_", ".", "^", "$", " ", "@", "é", "|"),
    *("\\d", "\\D", "\\w", "\\W", "\\s", "\\S", "\\b", "\\B", "\\.", "\\-", "\\/", "\\ ", "\\é"),
    *("[a-z]", "[^a-z]", "[A-Z_]", "[]", "[^]", "[-a]", "[a-]", "[\\w-]", "[\\]]", "[[]", "[\\b]"),
    *("[\\d-z]", "[a-\\s]", "[.$^]", "[\\S]", "[^\\s]", "[z-a]", "[&&a]", "[a--b]", "[\\cA-\\x05]"),
    *("{", "}", "]", "{2}", "{1,2}", "{,2}", "{1,}", "{ 2}", "{²}", "#", "~", "&&", "||", "!"),
    *("\\A", "\\Z", "\\z", "\\G", "\\Q", "\\E", "\\p{L}", "\\x41", "\\x4", "\\u0042", "\\u{42}"),
    *("\\cA", "\\c", "\\0", "\\1", "\\2", "\\8", "\\07", "\\101", "\\t", "\\n", "\\k", "\\k<n>"),
    *("\\²", "(?i)", "(?P<n>a)", "(?>a)", "(?#a)"),
)
OPENINGS = ("(", "(?:", "(?=", "(?!", "(?<=", "(?<!", "(?<n>")
QUANTIFIERS = ("*", "+", "?", "*?", "+?", "??", "{2}", "{0}", "{2,}", "{2,1}", "*+", "++", "{2}+")
NAMES = (
    *("Bash", "Edit", "NotebookEdit", "Read", "mcp__probe__echo", "mcp__a-b__c.d", "bash", "BASH"),
    *("", "a", "B", "aa", "A", "e2", "{2}", "a{,2}", "]", "x y", "Bash(echo)", "Bash\n", "\n", "é"),
    *("\u00a0", "\ufeff", "\u2028", "_", "-", "AZ", "u{42}", "BB", "0", "8", "\x01", "\\", "cA"),
    *("k<n>", "p{L}", "Q", "$", "a\rb", "-z", "&", "İ", "K", "²", "a²"),
)


def patterns(seed: int, count: int) -> list[str]:
    """Up to `count` different patterns, among them every single piece."""
    chance = random.Random(seed)
    found = {*ATOMS, *("a" + q for q in QUANTIFIERS), *(o + "a)+" for o in OPENINGS)}
    found |= {pattern(chance) for _ in range(count)}
    # One name for two groups: newer engines take it in separate alternatives, older ones never.
    return sorted(p for p in found if p.count("(?<n>") < 2)


def pattern(chance: random.Random, depth: int = 0) -> str:
    """One pattern, often odd and sometimes broken."""
    out = []
    for _ in range(chance.choice((1, 1, 2, 2, 3, 4))):
        if depth < 3 and chance.random() < 0.2:
            inner = chance.choice(OPENINGS) + pattern(chance, depth + 1)
            piece = inner + (")" if chance.random() < 0.97 else "")
        else:
            piece = chance.choice(ATOMS)
        if chance.random() < 0.25:
            piece += chance.choice(QUANTIFIERS)
        out.append(piece)
    return "".join(out)


ASK_NODE = """
const [patterns, names] = JSON.parse(require('fs').readFileSync(0, 'utf8'));
console.log(JSON.stringify(patterns.map(pattern => {
  let regex;
  try { regex = new RegExp(pattern); } catch (error) { return null; }
  return names.filter(name => regex.test(name));
})));
"""


def found_by_node(asked: list[str], names: tuple[str, ...]) -> list[list[str] | None]:
    """Per pattern: the names in which JavaScript finds it, or None where it refuses it."""
    node = shutil.which("node")
    if node is None:
        pytest.skip("node is not on PATH: nothing to compare with")
    done = subprocess.run(
        [node, "-e", ASK_NODE],
        input=json.dumps([asked, names]),
        capture_output=True,
        text=True,
        check=True,
        timeout=60,
    )
    answer: list[list[str] | None] = json.loads(done.stdout)
    return answer


@pytest.mark.parametrize("seed", range(4))
def test_a_pattern_finds_what_the_javascript_engine_finds(seed: int) -> None:
    asked = patterns(seed, 900)
    wrong = []
    for pattern, wanted in zip(asked, found_by_node(asked, NAMES), strict=True):
        search = jsregex.searcher(pattern)
        if search is jsregex._everything and wanted is not None and "(?<" in pattern:
            continue
        got = None if search is None else [name for name in NAMES if search(name)]
        if got != wanted:
            wrong.append((pattern, wanted, got))
    assert wrong == []


# What node 20 found, frozen: pattern, names it is in, names it is not in.
FROZEN = [
    ("Ba.*", ("Bash", "xBa"), ("ash", "bash")),
    ("Bas?h", ("Bash", "Bah"), ("Basssh",)),
    ("^Bash$", ("Bash",), ("Bash\n", "xBash", "Bash2")),
    ("B*", ("", "Edit", "Bash"), ()),
    (".*", ("", "Bash"), ()),
    ("^.$", ("a", "é"), ("\n", "\r", "\u2028", "ab")),
    ("^(?!Bash)", ("Edit", ""), ("Bash", "BashOutput")),
    ("(?<!Notebook)Edit", ("Edit", "MultiEdit"), ("NotebookEdit",)),
    ("mcp__probe__*", ("mcp__probe__echo", "mcp__probe_"), ("mcp__prob",)),
    ("mcp__.*__(read|list)_.*", ("mcp__fs__read_file",), ("mcp__fs__write_file",)),
    ("^mcp__(?<server>[a-z]+)__\\k<server>$", ("mcp__a__a",), ("mcp__a__b",)),
    ("^(a)?\\1b$", ("b", "aab"), ("ab",)),
    ("^\\1(a)$", ("a",), ("aa",)),
    ("Bash(echo *)", ("Bashecho",), ("Bash", "Bash(echo *)")),
    ("/bash/i", ("/bash/i",), ("bash", "Bash")),
    ("!Bash", ("!Bash",), ("Bash",)),
    ("^a{2}$", ("aa",), ("a", "a{2}")),
    ("^a{,2}$", ("a{,2}",), ("a", "aa", "")),
    ("^[]$", (), ("", "a")),
    ("^[^]$", ("a", "\n"), ("", "ab")),
    ("^[\\d-z]$", ("-", "z", "5"), ("a", "y")),
    ("^\\s$", (" ", "\u00a0", "\ufeff", "\u3000"), ("a", "")),
    ("^\\w+$", ("a_9",), ("é", "a-b")),
    ("^\\d$", ("5",), ("\u0665",)),
    ("\\B", ("", "ab"), ("a",)),
    ("^\\A$", ("A",), ("",)),
    ("^\\Z$", ("Z",), ("",)),
    ("^\\x41\\u0042\\103$", ("ABC",), ()),
    ("^\\p{L}$", ("p{L}",), ("a",)),
    ("^\\c$", ("\\c",), ("c",)),
    ("^\\²$", ("²",), ("2",)),
    ("^a{²}$", ("a{²}",), ("aa",)),
    ("^[&&!--b]$", ("&", "!", "-", "b"), ("c",)),
]


@pytest.mark.parametrize(("pattern", "inside", "outside"), FROZEN)
def test_a_frozen_table_holds_without_a_javascript_engine(
    pattern: str, inside: tuple[str, ...], outside: tuple[str, ...]
) -> None:
    search = jsregex.searcher(pattern)
    assert search is not None
    assert search is not jsregex._everything
    assert [name for name in inside if not search(name)] == []
    assert [name for name in outside if search(name)] == []


def test_the_frozen_table_is_what_the_engine_says() -> None:
    names = tuple(sorted({name for _, *both in FROZEN for some in both for name in some}))
    asked = [pattern for pattern, _, _ in FROZEN]
    for (pattern, inside, outside), found in zip(FROZEN, found_by_node(asked, names), strict=True):
        assert found is not None, pattern
        assert set(inside) <= set(found), pattern
        assert not set(outside) & set(found), pattern


BROKEN = (
    *("(", ")", "(a", "a)", "[", "[a", "[z-a]", "*", "**", "+a", "?", "{2}", "a**", "a*+", "a?++"),
    *("Bash|*", "(*a)", "^*", "\\b+", "(?<=a)+", "a{2,1}", "\\", "(?i)Bash", "(?P<n>a)", "(?>a)"),
    *(
        "(?#x)",
        "(?<1>a)",
        "(?<>a)",
        "(?<n>a)\\k",
        "(?<n>a)\\k<m>",
        "[\\",
        "a{2}{3}",
        "(?<n>a)(?<n>b)",
    ),
)


@pytest.mark.parametrize("pattern", BROKEN)
def test_a_pattern_that_javascript_refuses_searches_nothing(pattern: str) -> None:
    assert jsregex.searcher(pattern) is None
    with pytest.raises(jsregex.RegexError):
        jsregex.translate(pattern)


def test_the_engine_refuses_the_broken_ones_too() -> None:
    assert found_by_node(list(BROKEN), ("a",)) == [None] * len(BROKEN)


@pytest.mark.parametrize(
    ("pattern", "inside", "outside"),
    [
        ("^(?i:bash)$", ("BASH", "bash"), ("basH ",)),
        ("^(?i:b)ash$", ("Bash", "bash"), ("BASH",)),
        ("^(?i:a(?-i:b))$", ("Ab",), ("AB",)),
        ("^(?s:.)$", ("\n",), ("",)),
        ("(?m:^b$)c?$", ("a\nb",), ("a\nbc",)),
        ("(?s:(?-s:.))", ("a",), ("\n",)),
        ("(?i-:A)", ("a",), ("b",)),
    ],
)
def test_modifiers_count_inside_their_group_only(
    pattern: str, inside: tuple[str, ...], outside: tuple[str, ...]
) -> None:
    # ECMAScript 2025; the engines that have them agree with the standard's text.
    search = jsregex.searcher(pattern)
    assert search is not None
    assert [name for name in inside if not search(name)] == []
    assert [name for name in outside if search(name)] == []


@pytest.mark.parametrize("pattern", ["(?-:a)", "(?ii:a)", "(?i-i:a)", "(?x:a)", "(?i", "(?i:a"])
def test_modifiers_that_the_standard_forbids_make_the_pattern_broken(pattern: str) -> None:
    assert jsregex.searcher(pattern) is None


@pytest.mark.parametrize("pattern", ["(?<=a+)b", "(?<!a|bc)d"])
def test_what_only_javascript_can_run_matches_everything(pattern: str) -> None:
    search = jsregex.searcher(pattern)
    assert search is not None
    assert search("anything")
    assert search("") is not None


@pytest.mark.parametrize("pattern", ["a{99999999999999999999}", "(a{0,4000000000})b"])
def test_a_repetition_too_big_for_python_is_capped(pattern: str) -> None:
    assert jsregex.searcher(pattern) not in (None, jsregex._everything)


def test_a_pattern_nested_too_deep_for_python_matches_everything() -> None:
    search = jsregex.searcher("(" * 3000 + "a" + ")" * 3000)
    assert search is not None
    assert search("Bash")


def test_every_translation_compiles_without_a_warning() -> None:
    for pattern in patterns(99, 500):
        if jsregex.searcher(pattern) not in (None, jsregex._everything):
            re.compile(jsregex.translate(pattern), re.ASCII)
