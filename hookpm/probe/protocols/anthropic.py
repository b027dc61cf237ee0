"""Anthropic's Messages API."""

from __future__ import annotations

import json
from typing import Any

from hookpm.probe.wire import Answer, Body, NativeTurn, Wire, as_events, as_json, plain_text


def continues(path: str, body: Body) -> bool:
    """Side requests go to the same path, but offer no tools."""
    return path.endswith("/messages") and bool(body.get("tools"))


def speak(_path: str, body: Body, turn: NativeTurn, serial: int) -> Answer:
    """A message: its text, then its tool calls."""
    blocks = _blocks(turn, serial)
    stop = {"stop_reason": "tool_use" if turn.calls else "end_turn", "stop_sequence": None}
    message = {
        "id": f"msg_{serial}",
        "type": "message",
        "role": "assistant",
        "model": body.get("model", ""),
        "content": [],
        "stop_reason": None,
        "stop_sequence": None,
        "usage": {"input_tokens": turn.tokens, "output_tokens": 1},
    }
    if not body.get("stream"):
        return as_json({**message, **stop, "content": blocks})
    events: list[dict[str, Any]] = [{"type": "message_start", "message": message}]
    for index, block in enumerate(blocks):
        events += _block_events(index, block)
    events.append({"type": "message_delta", "delta": stop, "usage": {"output_tokens": 1}})
    events.append({"type": "message_stop"})
    return as_events(events, named=True)


def _blocks(turn: NativeTurn, serial: int) -> list[dict[str, Any]]:
    blocks: list[dict[str, Any]] = []
    if turn.text or not turn.calls:
        blocks.append({"type": "text", "text": turn.text})
    for index, call in enumerate(turn.calls):
        identity = {"id": f"toolu_{serial}_{index}", "name": call.name}
        blocks.append({"type": "tool_use", **identity, "input": call.arguments})
    return blocks


def _block_events(index: int, block: dict[str, Any]) -> list[dict[str, Any]]:
    """A block opens empty, is filled by one delta, and closes."""
    if block["type"] == "text":
        opened = {**block, "text": ""}
        delta = {"type": "text_delta", "text": block["text"]}
    else:
        opened = {**block, "input": {}}
        delta = {"type": "input_json_delta", "partial_json": json.dumps(block["input"])}
    return [
        {"type": "content_block_start", "index": index, "content_block": opened},
        {"type": "content_block_delta", "index": index, "delta": delta},
        {"type": "content_block_stop", "index": index},
    ]


def aside(path: str, body: Body) -> Answer:
    """Token counts, titles, and whatever else is posted."""
    if path.endswith("/count_tokens"):
        return as_json({"input_tokens": 1})
    if path.endswith("/messages"):
        return speak(path, body, NativeTurn("ok"), 0)
    return as_json({})


def results(body: Body) -> list[str]:
    """The `tool_result` blocks."""
    return [
        plain_text(block.get("content"))
        for message in body.get("messages", ())
        if isinstance(message.get("content"), list)
        for block in message["content"]
        if block.get("type") == "tool_result"
    ]


WIRE = Wire(continues, speak, aside, results)
