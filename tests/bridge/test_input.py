"""Odd input: no bytes that an agent or a model can send switch a guard off."""

from __future__ import annotations

import json
import random
from typing import Any

import pytest

from tests.bridge.rig import AGENTS, Heard, Repo, pythons

SEEN = 'cat > "$CLAUDE_PROJECT_DIR/seen"'


def seen(repo: Repo) -> bytes:
    return (repo.root / "seen").read_bytes()


def with_tail(repo: Repo, tail: bytes, command: str = "cat .env") -> bytes:
    """Claude's payload with raw JSON text in its tool_input behind the command."""
    text = json.dumps(repo.shell_payload("claude", command)).encode()
    marker = json.dumps({"command": command}).encode()
    assert marker in text
    return text.replace(marker, marker[:-1] + tail + b"}")


def ask(repo: Repo, payload: bytes, **settings: Any) -> Heard:
    return repo.call("claude", "PreToolUse", payload, **settings)


ODD = {
    "NaN": b', "x": NaN',
    "infinities": b', "x": [Infinity, -Infinity, "NaN"]',
    "a lone surrogate": b', "x": "\\ud800"',
    "two of them": b', "x": "\\udc00\\ud800"',
    "NUL": b', "x": "\\u0000"',
    "a bare NUL": b', "x": "\x00"',
    "a bare line break": b', "x": "a\nb"',
    "latin-1": b', "x": "\xe9"',
    "cut off utf-8": b', "x": "\xe6\xb8"',
    "surrogates in utf-8": b', "x": "\xed\xa0\x80"',
    "5,000 digits": b', "x": ' + b"9" * 5000,
    "a huge exponent": b', "x": 1e999999',
    "a key twice": b', "x": 1, "x": 2',
    "an empty key": b', "": ""',
    "many keys": b"".join(b', "k%d": %d' % (n, n) for n in range(20000)),
    "deep": b', "x": ' + b"[" * 900 + b"]" * 900,
    "deeper": b', "x": ' + b'{"a":' * 5000 + b"1" + b"}" * 5000,
    "deepest": b', "x": ' + b"[" * 200000 + b"]" * 200000,
    "deep with brackets in text": b', "x": ' + b'["}]\\"{",' * 3000 + b"1" + b"]" * 3000,
}


@pytest.mark.parametrize("python", pythons())
@pytest.mark.parametrize("how", ODD)
def test_no_odd_input_switches_a_guard_off(how: str, python: str, repo: Repo) -> None:
    repo.guard(".env")
    assert ask(repo, with_tail(repo, ODD[how]), python=python).refusal() == "no .env"
    assert ask(repo, with_tail(repo, ODD[how], "ls"), python=python).refusal() == ""


@pytest.mark.parametrize("agent", AGENTS)
@pytest.mark.parametrize("depth", [150, 250, 990, 1100, 30000])
def test_nesting_switches_no_guard_off_in_any_agent(agent: str, depth: int, repo: Repo) -> None:
    repo.guard(".env")
    payload = json.dumps(repo.shell_payload(agent, "cat .env")).encode()
    deep = b'"cat .env", "deep": ' + b"[" * depth + b"]" * depth
    heard = repo.call(agent, "PreToolUse", payload.replace(b'"cat .env"', deep))
    assert heard.refusal() == "no .env"
    assert ("nested deeper" in heard.stderr) == (depth > 200)


def test_many_brackets_without_depth_leave_the_bytes_alone(repo: Repo) -> None:
    repo.hook(SEEN)
    payload = with_tail(repo, b', "x": "' + b"{[" * 500 + b'", "y": [' + b"[1]," * 300 + b"0]")
    heard = ask(repo, payload)
    assert heard.stderr == ""
    assert seen(repo).startswith(payload[:-1])


def test_claudes_bytes_reach_the_hook_as_they_are(repo: Repo) -> None:
    repo.hook(SEEN)
    text = ', "x": "測試 \\u2192 🚀 \\"\\\\n\\" \\ud800 \\/", "n": 1.0E+2, "k" : [ ]'.encode()
    payload = with_tail(repo, text)
    ask(repo, payload + b"\r\n", LC_ALL="C")
    assert seen(repo) == payload[:-1] + b', "harness": "claude", "tool_kind": "shell"}'


@pytest.mark.parametrize("agent", ["codex", "gemini", "copilot", "cursor"])
def test_elsewhere_every_character_reaches_the_hook(agent: str, repo: Repo) -> None:
    repo.hook(SEEN)
    command = '測試 \u2192 🚀 "\\n" \ud800 \x00 \x7f é'
    repo.shell(agent, command, LC_ALL="C")
    assert json.loads(seen(repo))["tool_input"]["command"] == command


@pytest.mark.parametrize("start", [b"\xef\xbb\xbf", b" \r\n\t", b"\xef\xbb\xbf\n"])
def test_a_byte_order_mark_or_space_reaches_no_hook(start: bytes, repo: Repo) -> None:
    repo.guard(".env").hook(SEEN)
    payload = json.dumps(repo.shell_payload("claude", "cat .env")).encode()
    assert ask(repo, start + payload).refusal() == "no .env"
    assert json.loads(seen(repo))["harness"] == "claude"


def test_fields_of_ours_in_the_payload_are_overruled(repo: Repo) -> None:
    repo.hook(SEEN)
    payload = {**repo.shell_payload("claude"), "harness": "x", "tool_kind": "other"}
    repo.call("claude", "PreToolUse", payload)
    given = json.loads(seen(repo))
    assert (given["harness"], given["tool_kind"]) == ("claude", "shell")


TYPES: list[Any] = [None, 5, "", "x", [], {}, [1], {"a": 1}, True]


@pytest.mark.parametrize("agent", AGENTS)
@pytest.mark.parametrize("value", TYPES, ids=str)
def test_fields_of_any_type_give_one_answer_and_no_crash(
    agent: str, value: Any, repo: Repo
) -> None:
    repo.hook("echo no >&2; exit 2")
    payload = repo.shell_payload(agent)
    for key in payload:
        heard = repo.call(agent, "PreToolUse", {**payload, key: value})
        assert "broken" not in heard.stderr, key
        assert heard.refusal() == "no", key


@pytest.mark.parametrize("agent", AGENTS)
def test_random_bytes_never_make_a_crash(agent: str, repo: Repo) -> None:
    chance = random.Random(7)
    repo.guard(".env")
    sound = json.dumps(repo.shell_payload(agent, "cat .env")).encode()
    for _ in range(25):
        data = bytearray(sound)
        for _ in range(chance.randint(1, 4)):
            data[chance.randrange(len(data))] = chance.randrange(256)
        heard = repo.call(agent, "PreToolUse", bytes(data))
        heard.answer  # noqa: B018
        assert "broken" not in heard.stderr, bytes(data)
