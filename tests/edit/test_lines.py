"""A block of lines of ours at the end of somebody else's text."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hookpm.edit import lines

TEXTS = ("", "a\n", "a", "a\r\nb\r\n", "\n\n", "# x\n/mine\n", "/ours")


@pytest.mark.parametrize("text", TEXTS)
def test_what_was_put_in_is_taken_out_to_the_byte(text: str) -> None:
    edited = lines.put(text, ["/ours", "/other"])
    assert edited.text.startswith(text)
    assert edited.text.endswith("/ours\n/other\n")
    assert lines.removed(edited.text, edited.undo) == text


@pytest.mark.parametrize("text", TEXTS)
def test_put_twice_is_put_once_and_other_lines_replace_the_first(text: str) -> None:
    once = lines.put(text, ["/ours"])
    assert lines.put(once.text, ["/ours"], once.undo) == once
    other = lines.put(once.text, ["/ours", "/new"], once.undo)
    assert lines.removed(other.text, other.undo) == text


def test_lines_that_were_written_behind_ours_or_between_them_stay() -> None:
    edited = lines.put("a", ["/one", "/two"])
    behind = edited.text + "mine\n"
    assert lines.removed(behind, edited.undo) == "a\nmine\n"
    assert lines.put(behind, ["/one", "/two"], edited.undo).text == behind
    between = edited.text.replace("/two", "mine\n/two")
    assert lines.removed(between, edited.undo) == "a\nmine\n"


def test_a_line_that_only_holds_ours_is_not_taken_out() -> None:
    edited = lines.put("", ["/one", "/two"])
    changed = edited.text.replace("/one", "/one/more")
    assert lines.removed(changed, edited.undo) == "/one/more\n"


@given(st.text(alphabet="ab/\n\r #", max_size=30), st.lists(st.sampled_from(["/a", "/b", "#"])))
def test_any_text_comes_back(text: str, block: list[str]) -> None:
    edited = lines.put(text, block)
    assert lines.removed(edited.text, edited.undo) == text
