"""Lines of keys in manifests."""

from __future__ import annotations

import time

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from hookpm.edit.tomllines import line_of

MANIFEST = '''# a pack
top.level = 1
[pack]
name = "p" # [no]
"quoted key" = 1
'lit.eral' . inner = 2
text = """
[not.a.table]
name = 3
"""
list = [
  "a", # ]
  ["]", '[x]'],
]

[options.extra]
type = "str"

[[hooks]]
id = "one"
fallback = { ask = "deny", "x" = [1, 2] }
[hooks.more]
deep = 1

  [[ hooks ]]
  event = "Stop"
  [[hooks.sub]]
  y = 1
  [[hooks.sub]]
  y = 2
[hooks.more]
deep = 2
'''


@pytest.mark.parametrize(
    ("path", "line"),
    [
        (("top", "level"), 2),
        (("pack",), 3),
        (("pack", "name"), 4),
        (("pack", "quoted key"), 5),
        (("pack", "lit.eral", "inner"), 6),
        (("pack", "text"), 7),
        (("pack", "list"), 11),
        (("pack", "list", 1, 0), 11),
        (("options", "extra", "type"), 17),
        (("hooks",), 19),
        (("hooks", 0), 19),
        (("hooks", 0, "id"), 20),
        (("hooks", 0, "fallback", "ask"), 21),
        (("hooks", 0, "more", "deep"), 23),
        (("hooks", 1), 25),
        (("hooks", 1, "event"), 26),
        (("hooks", 1, "sub", 0, "y"), 28),
        (("hooks", 1, "sub", 1, "y"), 30),
        (("hooks", 1, "more", "deep"), 32),
    ],
)
@pytest.mark.parametrize("newline", ["\n", "\r\n"])
def test_the_line_of_a_key_is_found(path: tuple[str | int, ...], line: int, newline: str) -> None:
    assert line_of(MANIFEST.replace("\n", newline), path) == line


def test_a_key_that_is_not_there_has_the_line_of_what_is_around_it() -> None:
    assert line_of(MANIFEST, ("hooks", 1, "id")) == 25
    assert line_of(MANIFEST, ("pack", "version")) == 3
    assert line_of(MANIFEST, ("nothing", "here")) is None
    assert line_of(MANIFEST, ()) is None


@given(st.text("[]{}=\"'#\\\n.a1 \r\t,-", max_size=60))
@settings(max_examples=500, deadline=None)
def test_no_text_makes_it_raise(text: str) -> None:
    for path in [("a",), ("a", 0, "1"), ("",)]:
        assert line_of(text, path) is None or text


@pytest.mark.parametrize(
    "text", ["[" * 100_000, '"""' + "a" * 100_000, "a=['" * 30_000, '""' * 50_000]
)
def test_a_hostile_text_takes_no_long_time(text: str) -> None:
    start = time.perf_counter()
    line_of(text, ("a",))
    assert time.perf_counter() - start < 5
