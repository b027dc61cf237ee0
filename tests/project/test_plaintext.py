"""Other people's text on a terminal: nothing in it hides, moves, or says something else."""

from __future__ import annotations

import re
import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hookpm.project.review import plaintext

# What is drawn as nothing, or turns what is drawn around; by Unicode's own lists.
INVISIBLE = [
    *range(0x09),
    *range(0x0B, 0x20),
    *range(0x7F, 0xA1),
    *(0xAD, 0x34F, 0x61C, 0x115F, 0x1160, 0x1680, 0x17B4, 0x17B5, 0x180E, 0x2028, 0x2029),
    *range(0x2000, 0x2010),
    *range(0x202A, 0x2030),
    *(0x205F, 0x2800, 0x3000, 0x3164, 0xFEFF, 0xFFA0),
    *range(0x2060, 0x2070),
    *range(0xFE00, 0xFE10),
    *(0xE0001, 0xE0041, 0xE007F, 0xE0100, 0x1D173, 0x1BCA0, 0xD800, 0xE000, 0x10FFFF),
]


@pytest.mark.parametrize("code", INVISIBLE, ids=hex)
def test_a_character_that_is_not_drawn_is_shown_by_its_number(code: int) -> None:
    assert plaintext.shown(f"a{chr(code)}b") == f"a<U+{code:04X}>b"


@pytest.mark.parametrize("text", ["plain", "\tindented", "Grüße, señor", "日本語", "🎉", "a  b"])
def test_what_is_drawn_stays_as_it_is(text: str) -> None:
    assert plaintext.shown(text) == text


@given(st.text(alphabet=st.characters()))
def test_what_is_shown_can_be_printed_and_nothing_is_lost(text: str) -> None:
    seen = plaintext.shown(text)
    assert all(c.isprintable() or c == "\t" for c in seen)
    back = re.sub(r"<(\d+) blanks>", lambda m: " " * int(m[1]), seen)
    back = re.sub(r"<U\+([0-9A-F]{4,6})>", lambda m: chr(int(m[1], 16)), back)
    if "<" not in text:
        assert back.replace("\t", " ") == text.replace("\t", " ")


@given(st.text(alphabet=st.sampled_from("a \t\n\u202e\u3000"), max_size=3000))
def test_no_line_is_long_and_none_is_lost(text: str) -> None:
    found = plaintext.lines(text, "+ ")
    assert all(len(line) <= plaintext.WIDTH + 8 for line in found)
    assert all(line.startswith("+ ") for line in found)
    joined = "".join(
        line[2:].removeprefix("  >> ") if line.startswith("+   >> ") else "\n" + line[2:]
        for line in found
    )
    assert joined == "".join("\n" + plaintext.shown(line) for line in text.split("\n"))


@pytest.mark.parametrize("blank", [" ", "\t"])
def test_blanks_that_push_what_follows_out_of_sight_are_counted(blank: str) -> None:
    assert plaintext.shown(f"ok{blank * 300}; bad") == "ok<300 blanks>; bad"
    assert plaintext.shown(f"{blank * 12}ok") == f"{blank * 12}ok"


@pytest.mark.parametrize("end", ["\r", "\v", "\f", "\x1c", "\x85", "\u2028"])
def test_only_a_newline_ends_a_line(end: str) -> None:
    assert plaintext.lines(f"# harmless{end}bad()") == [f"# harmless<U+{ord(end):04X}>bad()"]


def test_letters_of_another_alphabet_in_a_command_are_named() -> None:
    assert plaintext.strange("\u0441url x") == "U+0441 CYRILLIC SMALL LETTER ES"
    assert plaintext.strange("curl x") == ""
    many = "".join(chr(0x430 + n) for n in range(20))
    assert plaintext.strange(many).endswith("and 12 more")
    assert unicodedata.name("\u0430") in plaintext.strange(many)
