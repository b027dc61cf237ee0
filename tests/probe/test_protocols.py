"""Every model API, streamed and plain, read back by a small client as an agent would read it."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from typing import Any, NamedTuple

import pytest

from hookpm.probe.protocols import anthropic, gemini, openai_chat, openai_responses
from hookpm.probe.wire import Answer, NativeCall, NativeTurn, Wire

Heard = tuple[str, list[tuple[str, Any]]]


class Client(NamedTuple):
    """How an agent uses one API.

    hear: what it makes of an answer: the text, and the calls.
    side: a request that takes no turn, or None where there is none.
    with_results: a request that brings these two tool results back.
    """

    wire: Wire
    path: str
    plain_path: str
    body: dict[str, Any]
    hear: Callable[[list[dict[str, Any]], bool], Heard]
    side: tuple[str, dict[str, Any]] | None
    with_results: dict[str, Any]


def hear_anthropic(events: list[dict[str, Any]], streamed: bool) -> Heard:
    if not streamed:
        blocks = events[0]["content"]
    else:
        assert [e["type"] for e in events[:1] + events[-2:]] == [
            "message_start",
            "message_delta",
            "message_stop",
        ]
        blocks = []
        for event in events[1:-2]:
            if event["type"] == "content_block_start":
                blocks.append(dict(event["content_block"]))
            elif event["type"] == "content_block_delta":
                delta = event["delta"]
                if delta["type"] == "text_delta":
                    blocks[event["index"]]["text"] += delta["text"]
                else:
                    blocks[event["index"]]["input"] = json.loads(delta["partial_json"])
    text = "".join(b["text"] for b in blocks if b["type"] == "text")
    return text, [(b["name"], b["input"]) for b in blocks if b["type"] == "tool_use"]


def hear_responses(events: list[dict[str, Any]], streamed: bool) -> Heard:
    if streamed:
        assert events[-1]["type"] == "response.completed"
        items = [e["item"] for e in events if e["type"] == "response.output_item.done"]
    else:
        items = events[0]["output"]
    texts = [part["text"] for i in items if i["type"] == "message" for part in i["content"]]
    calls = [
        (i["name"], i["input"] if i["type"] == "custom_tool_call" else json.loads(i["arguments"]))
        for i in items
        if i["type"].endswith("_call")
    ]
    return "".join(texts), calls


def hear_gemini(events: list[dict[str, Any]], streamed: bool) -> Heard:
    parts = [p for e in events for p in e["candidates"][0]["content"]["parts"]]
    calls = [p["functionCall"] for p in parts if "functionCall" in p]
    return "".join(p.get("text", "") for p in parts), [(c["name"], c["args"]) for c in calls]


def hear_chat(events: list[dict[str, Any]], streamed: bool) -> Heard:
    key = "delta" if streamed else "message"
    messages = [e["choices"][0][key] for e in events]
    assert events[-1]["choices"][0]["finish_reason"] in ("stop", "tool_calls")
    calls = [c["function"] for m in messages for c in m.get("tool_calls", [])]
    text = "".join(m.get("content", "") for m in messages)
    return text, [(c["name"], json.loads(c["arguments"])) for c in calls]


TOOLS = {"tools": [{"name": "a tool"}]}
GEMINI = "/v1beta/models/some-model"
CLIENTS = {
    "anthropic": Client(
        anthropic.WIRE,
        "/v1/messages",
        "/v1/messages",
        TOOLS,
        hear_anthropic,
        ("/v1/messages", {}),
        {
            "messages": [
                {"role": "user", "content": "Do it."},
                {"role": "user", "content": [{"type": "tool_result", "content": "one"}]},
                {
                    "role": "user",
                    "content": [
                        {"type": "text", "text": "no result"},
                        {"type": "tool_result", "content": [{"type": "text", "text": "two"}]},
                    ],
                },
            ]
        },
    ),
    "openai_responses": Client(
        openai_responses.WIRE,
        "/v1/responses",
        "/v1/responses",
        {},
        hear_responses,
        None,
        {
            "input": [
                {"type": "message", "content": [{"type": "input_text", "text": "Do it."}]},
                {"type": "function_call_output", "output": "one"},
                {"type": "custom_tool_call_output", "output": [{"text": "two"}]},
            ]
        },
    ),
    "gemini": Client(
        gemini.WIRE,
        f"{GEMINI}:streamGenerateContent",
        f"{GEMINI}:generateContent",
        TOOLS,
        hear_gemini,
        (f"{GEMINI}:generateContent", {}),
        {
            "contents": [
                {"role": "user", "parts": [{"text": "Do it."}]},
                {"role": "user", "parts": [{"functionResponse": {"response": {"output": "one"}}}]},
                {"role": "user", "parts": [{"functionResponse": {"response": {"error": "two"}}}]},
            ]
        },
    ),
    "openai_chat": Client(
        openai_chat.WIRE,
        "/v1/chat/completions",
        "/v1/chat/completions",
        TOOLS,
        hear_chat,
        ("/v1/chat/completions", {}),
        {
            "messages": [
                {"role": "user", "content": "Do it."},
                {"role": "tool", "content": "one"},
                {"role": "tool", "content": [{"type": "text", "text": "two"}]},
            ]
        },
    ),
}


@pytest.fixture(params=CLIENTS)
def client(request: pytest.FixtureRequest) -> Client:
    return CLIENTS[request.param]


def documents(answer: Answer) -> Iterator[dict[str, Any]]:
    """The JSON documents of an answer, one or a stream."""
    assert answer.status == 200
    text = answer.data.decode()
    if answer.content_type == "application/json":
        yield json.loads(text)
        return
    assert answer.content_type == "text/event-stream"
    assert text.endswith("\n\n")
    for event in text.split("\n\n")[:-1]:
        *names, data = event.split("\n")
        payload = data.removeprefix("data: ")
        if payload != "[DONE]":
            document = json.loads(payload)
            assert names in ([], [f"event: {document.get('type')}"])
            yield document


TURNS = [
    NativeTurn("Grüße, done"),
    NativeTurn("", (NativeCall("run", {"command": "echo 'é'"}),)),
    NativeTurn("both", (NativeCall("run", {"a": 1}), NativeCall("read", {"path": "x y"}))),
    NativeTurn(),
]


@pytest.mark.parametrize("streamed", [True, False])
@pytest.mark.parametrize("turn", TURNS)
def test_a_turn_arrives_as_it_was_written(client: Client, streamed: bool, turn: NativeTurn) -> None:
    body = {**client.body, "stream": streamed}
    path = client.path if streamed else client.plain_path

    heard = client.hear(list(documents(client.wire.speak(path, body, turn, 3))), streamed)

    assert heard == (turn.text, [(call.name, call.arguments) for call in turn.calls])


def test_calls_of_all_turns_have_ids_of_their_own(client: Client) -> None:
    turn = NativeTurn("", (NativeCall("run", {}), NativeCall("run", {})))
    answers = [client.wire.speak(client.plain_path, client.body, turn, n) for n in (0, 1)]
    found = [ids(json.loads(answer.data)) for answer in answers]
    if client.wire is not gemini.WIRE:  # which has no ids
        assert len(found[0]) >= 2
        assert not found[0] & found[1]


def ids(value: Any) -> set[str]:
    if isinstance(value, list):
        return {i for item in value for i in ids(item)}
    if not isinstance(value, dict):
        return set()
    own = {v for k, v in value.items() if k in ("id", "call_id")}
    return own.union(*(ids(v) for v in value.values()))


def test_a_side_request_takes_no_turn_and_gets_an_answer(client: Client) -> None:
    assert client.wire.continues(client.path, client.body)
    assert client.wire.continues(client.plain_path, client.body)
    if client.side is not None:
        assert not client.wire.continues(*client.side)
        text, calls = client.hear(list(documents(client.wire.aside(*client.side))), False)
        assert text and not calls


@pytest.mark.parametrize("path", ["/v1/messages/count_tokens", f"{GEMINI}:countTokens", "/other"])
def test_counts_and_unknown_paths_take_no_turn(client: Client, path: str) -> None:
    assert not client.wire.continues(path, client.body)
    (answer,) = documents(client.wire.aside(path, client.body))
    assert isinstance(answer, dict)


def test_tool_results_are_read_from_a_request_oldest_first(client: Client) -> None:
    assert client.wire.results(client.with_results) == ["one", "two"]
    assert client.wire.results(client.body) == []


def test_a_free_form_tool_of_the_responses_api_is_given_text() -> None:
    turn = NativeTurn("", (NativeCall("apply_patch", "*** Begin Patch"),))
    answer = openai_responses.WIRE.speak("/v1/responses", {"stream": True}, turn, 0)
    heard = hear_responses(list(documents(answer)), True)
    assert heard == ("", [("apply_patch", "*** Begin Patch")])


def test_gemini_is_told_that_the_user_speaks_next() -> None:
    question = {"contents": [{"parts": [{"text": "Answer with next_speaker."}]}]}
    answer = gemini.WIRE.aside(f"{GEMINI}:generateContent", question)
    text, _ = hear_gemini(list(documents(answer)), False)
    assert json.loads(text)["next_speaker"] == "user"
