"""OpenAI's Responses API."""

from __future__ import annotations

import json
from typing import Any

from hookpm.probe.wire import (
    Answer,
    Body,
    NativeCall,
    NativeTurn,
    Wire,
    as_events,
    as_json,
    plain_text,
)


def continues(path: str, _body: Body) -> bool:
    """Every response is a turn."""
    return path.endswith("/responses")


def speak(_path: str, body: Body, turn: NativeTurn, serial: int) -> Answer:
    """A response: one message item for the text, one item per call."""
    items: list[dict[str, Any]] = []
    if turn.text or not turn.calls:
        content = [{"type": "output_text", "text": turn.text, "annotations": []}]
        message = {"type": "message", "id": f"msg_{serial}", "role": "assistant"}
        items.append({**message, "content": content})
    items += [_call(call, f"{serial}_{index}") for index, call in enumerate(turn.calls)]
    response = {"id": f"resp_{serial}", "object": "response"}
    tokens = turn.tokens
    usage = {"input_tokens": tokens, "output_tokens": 1, "total_tokens": tokens + 1}
    whole = {**response, "status": "completed", "output": items, "usage": usage}
    if not body.get("stream"):
        return as_json(whole)
    events: list[dict[str, Any]] = [{"type": "response.created", "response": response}]
    for index, item in enumerate(items):
        place = {"output_index": index, "item": item}
        events.append({"type": "response.output_item.added", **place})
        events.append({"type": "response.output_item.done", **place})
    events.append({"type": "response.completed", "response": whole})
    return as_events(events, named=True)


def _call(call: NativeCall, serial: str) -> dict[str, Any]:
    """A free-form tool takes text, and is another kind of item."""
    item: dict[str, Any] = {"id": f"item_{serial}", "call_id": f"call_{serial}", "name": call.name}
    if isinstance(call.arguments, str):
        return {**item, "type": "custom_tool_call", "input": call.arguments}
    if call.namespace:
        item["namespace"] = call.namespace
    return {**item, "type": "function_call", "arguments": json.dumps(call.arguments)}


def aside(_path: str, _body: Body) -> Answer:
    """Nothing else is asked in a headless run."""
    return as_json({})


def results(body: Body) -> list[str]:
    """The outputs of function calls and of custom tool calls."""
    return [
        plain_text(item.get("output"))
        for item in body.get("input", ())
        if item.get("type") in ("function_call_output", "custom_tool_call_output")
    ]


WIRE = Wire(continues, speak, aside, results)
