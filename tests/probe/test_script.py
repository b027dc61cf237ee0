from __future__ import annotations

from typing import Any

import pytest

from hookpm.errors import UsageError
from hookpm.probe.script import (
    Edit,
    Mcp,
    Read,
    Shell,
    Turn,
    Write,
    do,
    parse,
    say,
    uses_probe_server,
)


def test_each_kind_of_turn_has_one_short_form() -> None:
    turns = parse(
        [
            {"shell": "ls"},
            {"write": "a.txt", "content": "A"},
            {"edit": "a.txt", "old": "A", "new": "B"},
            {"read": "a.txt"},
            {"mcp": {"text": "x"}},
            {"mcp": {"id": 1}, "server": "tracker", "tool": "close"},
            {"say": "done"},
        ]
    )
    assert turns == [
        do(Shell("ls")),
        do(Write("a.txt", "A")),
        do(Edit("a.txt", "A", "B")),
        do(Read("a.txt")),
        do(Mcp({"text": "x"})),
        do(Mcp({"id": 1}, "tracker", "close")),
        say("done"),
    ]


def test_a_turn_may_speak_and_call_several_tools_at_once() -> None:
    (turn,) = parse([{"say": "now", "calls": [{"shell": "ls"}, {"read": "b"}]}])
    assert turn == Turn("now", (Shell("ls"), Read("b")))


@pytest.mark.parametrize(
    "entry",
    [
        {},
        {"say": ""},
        {"say": 1},
        {"shout": "done"},
        {"shell": ["ls"]},
        {"shell": "ls", "read": "a"},
        {"write": "a.txt"},
        {"write": "a.txt", "content": 5},
        {"read": "a.txt", "content": "A"},
        {"mcp": "text"},
        {"calls": [{"say": "done"}]},
    ],
)
def test_a_malformed_turn_is_refused_by_its_number(entry: dict[str, Any]) -> None:
    with pytest.raises(UsageError) as caught:
        parse([{"say": "fine"}, entry])
    assert caught.value.message == "turn 2 of the script is malformed"
    assert caught.value.cause
    assert "write (content)" in str(caught.value.hint)


def test_only_calls_to_the_probes_own_server_need_it() -> None:
    assert uses_probe_server([say("hi"), do(Shell("ls"), Mcp({}))])
    assert not uses_probe_server([do(Mcp({}, server="tracker")), do(Shell("ls"))])
