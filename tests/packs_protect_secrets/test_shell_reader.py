"""The reader of shell text: which words and commands it finds, and that nothing can break it."""

from __future__ import annotations

import shlex
import time

from hypothesis import given, settings
from hypothesis import strategies as st

from tests.packs_protect_secrets import answer_of, bash

import globs  # isort: skip - of the pack, importable once the line above ran
import shelltext  # isort: skip


def commands(text: str) -> list[list[str]]:
    return [
        [globs.plain(word) for word in node.words]
        for node in shelltext.Text(text, []).script()
        if node.words
    ]


def test_blanks_part_words_and_quotes_keep_them_together() -> None:
    assert commands("a  b\t'c d' \"e f\" g\\ h i'j'\"k\"") == [
        ["a", "b", "c d", "e f", "g h", "ijk"]
    ]


def test_operators_and_newlines_part_commands() -> None:
    assert commands("a;b&&c||d|e|&f&g\nh") == [[name] for name in "abcdefgh"]


def test_a_line_that_ends_in_a_backslash_goes_on() -> None:
    assert commands("cat \\\n  a\\\nb") == [["cat", "ab"]]


def test_a_comment_begins_only_at_a_word_start() -> None:
    assert commands("a#b # c ; d\ne") == [["a#b"], ["e"]]


def test_reserved_words_are_no_commands() -> None:
    text = "if a; then b; elif c; then d; else e; fi; while f; do g; done; ! h; { i; }"
    assert commands(text) == [[name] for name in "abcdefghi"]


def test_redirects_are_no_words() -> None:
    assert commands("a >x 2>&1 <y >>z &>w 3<>v b") == [["a", "b"]]


def test_a_here_document_is_no_command_and_what_follows_is() -> None:
    assert commands("a <<X b\nc\nX\nd") == [["a", "b"], ["d"]]
    assert commands("a <<-'X'\n\tc\n\tX\nd") == [["a"], ["d"]]


def test_two_here_documents_of_one_line_are_read_in_order() -> None:
    assert commands("a <<X <<Y\nc\nX\nd\nY\ne") == [["a"], ["e"]]


def test_an_unclosed_quote_ends_with_the_text() -> None:
    assert commands("a 'b c") == [["a", "b c"]]
    assert commands('a "b c') == [["a", "b c"]]


def test_ansi_c_quotes_are_decoded() -> None:
    assert commands(r"a $'\x2e\145n\u0076\t'") == [["a", ".env\t"]]


def test_double_brackets_keep_their_operators() -> None:
    assert commands("[[ a && b < c ]] && d") == [["[[", "a", "b", "c"], ["d"]]


def test_what_follows_a_pattern_of_case_is_a_command() -> None:
    assert commands("case x in a) c;; (d) e;; esac; f") == [["c"], ["e"], ["f"]]


def test_a_case_in_a_substitution_does_not_end_it() -> None:
    assert bash("echo $(case x in x) cat .env;; esac)") == "deny"


def test_braces_expand_as_in_bash() -> None:
    assert globs.braces(shelltext.Text("a{b,c{d,e}}f", []).word()) == ["abf", "acdf", "acef"]
    assert globs.braces(shelltext.Text("{a}", []).word()) == ["{a}"]
    assert globs.braces(shelltext.Text("'{a,b}'", []).word()) == ["{a,b}"]


@given(st.lists(st.text(st.characters(exclude_categories=("Cs", "Co")), max_size=20), max_size=8))
def test_no_quoted_word_is_lost_or_changed(words: list[str]) -> None:
    words = [word.replace("\0", "") for word in words]
    text = " ".join(["x", *map(shlex.quote, words)])
    assert commands(text) == [["x", *words]]


@settings(max_examples=400)
@given(st.text(alphabet="a.env$(){}[]<>|&;'\"`\\ \n*?!#~=:@,-cat", max_size=60))
def test_no_text_breaks_the_reader(text: str) -> None:
    assert bash(text) in ("", "ask", "deny")
    assert bash("cat '" + text.replace("'", "") + "'; cat .env") == "deny"


def test_a_deep_nest_is_a_question() -> None:
    assert bash("$(" * 300 + "a" + ")" * 300) == "ask"
    assert bash("bash -c " * 200 + "a") in ("", "ask")
    assert bash("${a:-" * 300 + "}" * 300) == "ask"
    assert bash("(" * 3000) == "ask"


def test_time_does_not_explode() -> None:
    texts = {
        "braces": "cat " + "{a,b}" * 200,
        "many braces": "cat {a,b}{c,d}{e,f} " * 20_000,
        "nested braces": "cat " + "{a," * 5000 + "}" * 5000,
        "stars": "cat " + "*a" * 100 + ".env",
        "words": "cat " + " ".join(f"src/file{n}.ts" for n in range(60_000)),
        "one word": "cat " + "x" * 1_000_000,
        "one quoted word": "cat '" + "x " * 500_000 + "'",
        "a here-document": "cat > a.txt <<'EOF'\n" + "echo $x `y`\n" * 90_000 + "EOF",
        "an open here-document": "cat > a.txt <<EOF\n" + "echo $x $(y) `z`\n" * 50_000 + "EOF",
        "commands": "echo a; " * 120_000,
        "quotes": "echo " + "'a'\"b\"" * 150_000,
        "doubling variables": "a=xx;" + "a=$a$a;" * 60 + "cat $a",
        "crossed variables": "for a in 1 2 3 4 5 6 7 8; do cat " + "$a" * 50 + "; done",
        "open parentheses": "echo ((" * 100_000,
        "dollars": "echo $((" * 100_000,
        "code": 'python3 -c "' + "open(x) " * 100_000 + '"',
        "pipes": "a | " * 50_000 + "xargs cat",
        "pipes of lists": "ls x | xargs echo | " * 3000 + "xargs cat",
    }
    for name, text in texts.items():
        start = time.process_time()
        bash(text[:1_100_000])
        took = time.process_time() - start
        assert took < 3, (name, took)  # a second on a quiet machine


def test_a_large_write_is_not_scanned() -> None:
    start = time.process_time()
    given = {"file_path": "a.txt", "content": "cat .env\n" * 600_000}
    assert answer_of("Write", given) == ("", "")
    assert time.process_time() - start < 0.5
