from __future__ import annotations

import json
import threading
from http.client import HTTPConnection
from typing import Any
from urllib.parse import urlsplit

import pytest

from hookpm.probe.model import SCRIPT_IS_OVER, FakeModel, Request
from hookpm.probe.protocols import anthropic
from hookpm.probe.wire import NativeTurn

TOOLS = {"tools": [{"name": "a tool"}]}


def connect(model: FakeModel) -> HTTPConnection:
    place = urlsplit(model.url)
    assert place.hostname == "127.0.0.1"
    return HTTPConnection(place.hostname, place.port, timeout=10)


def ask(connection: HTTPConnection, body: object, path: str = "/v1/messages") -> str:
    """The text that the model says to this request."""
    connection.request("POST", path, json.dumps(body), {"content-type": "application/json"})
    answer: dict[str, Any] = json.loads(connection.getresponse().read())
    return "".join(block["text"] for block in answer["content"])


def test_turns_are_played_in_order_and_then_the_script_is_over() -> None:
    with FakeModel(anthropic.WIRE, [NativeTurn("one"), NativeTurn("two")]) as model:
        connection = connect(model)  # one connection for all, as agents do
        said = [ask(connection, TOOLS) for _ in range(4)]
        connection.close()
    assert said == ["one", "two", SCRIPT_IS_OVER.text, SCRIPT_IS_OVER.text]
    assert [request.turn for request in model.requests] == [0, 1, 2, 3]


def test_every_request_is_kept_and_side_requests_take_no_turn() -> None:
    with FakeModel(anthropic.WIRE, [NativeTurn("one")]) as model:
        connection = connect(model)
        assert ask(connection, {"title": True}, "/v1/messages?beta=true") == "ok"
        assert ask(connection, TOOLS, "/v1/messages?beta=true") == "one"
        connection.close()
    assert model.requests == [
        Request("/v1/messages", {"title": True}, None),
        Request("/v1/messages", TOOLS, 0),
    ]


def test_a_turn_is_handed_out_once_however_many_ask_at_once() -> None:
    turns = [NativeTurn(str(number)) for number in range(20)]
    said: list[str] = []

    def one_agent() -> None:
        connection = connect(model)
        said.append(ask(connection, TOOLS))
        connection.close()

    with FakeModel(anthropic.WIRE, turns) as model:
        threads = [threading.Thread(target=one_agent) for _ in turns]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
    assert sorted(said, key=int) == [turn.text for turn in turns]


def test_a_body_in_chunks_is_read_whole() -> None:
    with FakeModel(anthropic.WIRE, [NativeTurn("one"), NativeTurn("two")]) as model:
        connection = connect(model)
        pieces = [b'{"tools": ', b'[{"name": "', "é".encode() * 70_000, b'"}]}']
        connection.request("POST", "/v1/messages", iter(pieces))  # no length known: in chunks
        assert b"one" in connection.getresponse().read()
        assert ask(connection, TOOLS) == "two"  # nothing is left over in the connection
        connection.close()
    assert model.requests[0].body == {"tools": [{"name": "é" * 70_000}]}


@pytest.mark.parametrize("body", [b"{", b"[]", b"\xff"])
def test_a_malformed_request_is_refused_and_takes_no_turn(body: bytes) -> None:
    with FakeModel(anthropic.WIRE, [NativeTurn("one")]) as model:
        connection = connect(model)
        connection.request("POST", "/v1/messages", body)
        response = connection.getresponse()
        assert response.status == 400
        response.read()
        assert ask(connection, TOOLS) == "one"
        connection.close()
    assert [request.turn for request in model.requests] == [0]


def test_agents_may_ask_whether_it_is_there_and_for_its_models() -> None:
    with FakeModel(anthropic.WIRE, []) as model:
        connection = connect(model)
        connection.request("HEAD", "/")
        response = connection.getresponse()
        assert (response.status, response.read()) == (200, b"")
        connection.request("GET", "/v1/models")
        assert json.loads(connection.getresponse().read())["data"] == []
        connection.close()
    assert model.requests == []
