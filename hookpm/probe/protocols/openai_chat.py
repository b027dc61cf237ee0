"""OpenAI's Chat Completions API."""

from __future__ import annotations

import json
from typing import Any

from hookpm.probe.wire import Answer, Body, NativeTurn, Wire, as_events, as_json, plain_text


def continues(path: str, body: Body) -> bool:
    """Side requests go to the same path, but offer no tools."""
    return path.endswith("/chat/completions") and bool(body.get("tools"))


def speak(_path: str, body: Body, turn: NativeTurn, serial: int) -> Answer:
    """One choice; streamed, it comes as a delta for the text and one per call."""
    calls = [
        {
            "id": f"call_{serial}_{index}",
            "type": "function",
            "function": {"name": call.name, "arguments": _as_text(call.arguments)},
        }
        for index, call in enumerate(turn.calls)
    ]
    reason = "tool_calls" if calls else "stop"
    tokens = turn.tokens
    usage = {"prompt_tokens": tokens, "completion_tokens": 1, "total_tokens": tokens + 1}
    base = {"id": f"chatcmpl-{serial}", "created": 0, "model": body.get("model", "")}
    message: dict[str, Any] = {"role": "assistant", "content": turn.text}
    if not body.get("stream"):
        whole = {**message, "tool_calls": calls} if calls else message
        choice = {"index": 0, "message": whole, "finish_reason": reason}
        return as_json({**base, "object": "chat.completion", "choices": [choice], "usage": usage})

    deltas = [message, *({"tool_calls": [{"index": i, **c}]} for i, c in enumerate(calls)), {}]
    chunks: list[dict[str, Any]] = [
        {
            **base,
            "object": "chat.completion.chunk",
            "choices": [{"index": 0, "delta": delta, "finish_reason": None if delta else reason}],
        }
        for delta in deltas
    ]
    chunks[-1]["usage"] = usage
    return as_events(chunks, end="[DONE]")


def _as_text(arguments: object) -> str:
    return arguments if isinstance(arguments, str) else json.dumps(arguments)


def aside(path: str, body: Body) -> Answer:
    """A chat without tools, or something that is not a chat."""
    if path.endswith("/chat/completions"):
        return speak(path, body, NativeTurn("ok"), 0)
    return as_json({})


def results(body: Body) -> list[str]:
    """The messages of role `tool`."""
    messages = body.get("messages", ())
    return [plain_text(m.get("content")) for m in messages if m.get("role") == "tool"]


WIRE = Wire(continues, speak, aside, results)
