"""The bridge reads whatever an agent, or a model through it, puts on stdin."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st

from hookpm.bridge.event import Event
from hookpm.bridge.main import read_payload
from tests.bridge.rig import AGENTS, Repo, repo_at
from tests.conftest import Tally

JSON = st.recursive(
    st.none()
    | st.booleans()
    | st.integers(-(10**40), 10**40)
    | st.floats(allow_nan=False, allow_infinity=False)
    | st.text(),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(), inner, max_size=3),
    max_leaves=8,
)
ODD = st.sampled_from(
    [
        b"",
        b"\0",
        b"{}",
        b"[]",
        b"null",
        b"\xef\xbb\xbf{}",
        b"\xff\xfe{\0}\0",
        b'{"a": "\\ud800"}',
        b'{"a": "\xed\xa0\x80"}',
        b'{"a": ' + b"9" * 6000 + b"}",
        b'{"a": 1e999999}',
        b"[" * 100_000,
        b'{"a":' * 100_000,
        b'{"tool_input": ' * 3000 + b"1" + b"}" * 3000,
        b'{"a": "' + b"x" * 200_000,
    ]
)
DOCUMENTS = st.dictionaries(st.text(), JSON, max_size=4).map(lambda v: json.dumps(v).encode())


@st.composite
def damaged(draw: st.DrawFn) -> bytes:
    """A document with bytes put in, taken out, doubled, or cut off."""
    data = draw(DOCUMENTS)
    at = draw(st.integers(0, len(data)))
    kind = draw(st.sampled_from(("in", "out", "twice", "cut")))
    if kind == "in":
        return data[:at] + draw(st.binary(max_size=6)) + data[at:]
    if kind == "out":
        return data[:at] + data[at + draw(st.integers(1, 4)) :]
    return data[:at] + data[: len(data) - at] if kind == "twice" else data[:at]


BYTES = st.binary(max_size=80) | DOCUMENTS | damaged() | ODD


def no_constant(word: str) -> Any:
    raise ValueError(f"{word} is no JSON")


@given(BYTES)
@settings(max_examples=800, deadline=None)
@example(b'{"a": "\x00"}')
def test_any_bytes_are_read_as_one_object_or_refused(data: bytes) -> None:
    event = Event("claude", "PreToolUse", "/repo/.agents/hookpm", None, data)
    taken = read_payload(event)
    assert isinstance(event.payload, dict)
    try:
        value: Any = json.loads(data.decode("utf-8"), parse_constant=no_constant)
    except (ValueError, RecursionError):
        return
    if isinstance(value, dict):
        assert taken
        assert set(event.payload) == set(value)
        assert event.raw in (data, b"") or event.raw == event.raw.lstrip(b"\xef\xbb\xbf")


def without_a_hook(folder: Path) -> Repo:
    """A project whose hooks take no tool and no prompt: the bridge has nothing to say by itself."""
    (folder / "home").mkdir(parents=True)
    repo = repo_at(folder / "repo", folder / "home")
    return repo.hook("exit 2", event="Notification")


def test_no_bytes_make_the_bridge_refuse_or_say_what_it_was_not_asked(
    tmp_path: Path, tally: Tally
) -> None:
    repo, calls = without_a_hook(tmp_path), [0]

    @given(data=BYTES, agent=st.sampled_from(AGENTS), event=st.sampled_from(["PreToolUse", "Stop"]))
    @settings(max_examples=50, deadline=None, suppress_health_check=list(HealthCheck))
    def call(data: bytes, agent: str, event: str) -> None:
        calls[0] += 1
        heard = repo.call(agent, event, data)
        assert heard.code == 0
        assert heard.refusal() == ""
        if heard.stdout.strip():
            assert set(json.loads(heard.stdout)) <= {"systemMessage", "decision", "continue"}
            assert json.loads(heard.stdout).get("decision") in (None, "allow")

    call()
    tally(odd_inputs_to_the_bridge=calls[0])
