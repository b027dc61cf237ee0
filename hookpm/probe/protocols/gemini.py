"""Google's Gemini API."""

from __future__ import annotations

import json
from typing import Any

from hookpm.probe.wire import Answer, Body, NativeTurn, Wire, as_events, as_json


def continues(path: str, body: Body) -> bool:
    """Side requests use the same methods, but offer no tools."""
    return path.endswith(("generateContent", "streamGenerateContent")) and bool(body.get("tools"))


def speak(path: str, _body: Body, turn: NativeTurn, _serial: int) -> Answer:
    """One candidate; the method in the path says whether it is streamed."""
    parts: list[dict[str, Any]] = []
    if turn.text or not turn.calls:
        parts.append({"text": turn.text})
    parts += [{"functionCall": {"name": c.name, "args": c.arguments}} for c in turn.calls]
    content = {"role": "model", "parts": parts}
    tokens = turn.tokens
    usage = {"promptTokenCount": tokens, "candidatesTokenCount": 1, "totalTokenCount": tokens + 1}
    whole = {
        "candidates": [{"index": 0, "content": content, "finishReason": "STOP"}],
        "usageMetadata": usage,
    }
    return as_events([whole]) if path.endswith("streamGenerateContent") else as_json(whole)


def aside(path: str, body: Body) -> Answer:
    """Token counts, and the CLI's question who speaks next, which insists on an answer in JSON."""
    if path.endswith("countTokens"):
        return as_json({"totalTokens": 1})
    asked = "next_speaker" in json.dumps(body)
    text = json.dumps({"reasoning": "done", "next_speaker": "user"}) if asked else "ok"
    return speak(path, body, NativeTurn(text), 0)


def results(body: Body) -> list[str]:
    """The `functionResponse` parts: the output, or the error."""
    found = []
    for content in body.get("contents", ()):
        for part in content.get("parts", ()):
            response = part.get("functionResponse", {}).get("response")
            if response is not None:
                text = response.get("output", response.get("error"))
                found.append(text if isinstance(text, str) else json.dumps(response))
    return found


WIRE = Wire(continues, speak, aside, results)
