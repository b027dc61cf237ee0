"""The shape of a model API as the fake model needs it; `protocols/` holds one `Wire` each."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Mapping
from typing import Any, NamedTuple

Body = Mapping[str, Any]


class NativeCall(NamedTuple):
    """A tool call in the agent's own words. arguments: an object, or text for free-form tools."""

    name: str
    arguments: Mapping[str, Any] | str
    namespace: str = ""


class NativeTurn(NamedTuple):
    """A turn, translated for one agent. tokens: what the request is said to have cost."""

    text: str = ""
    calls: tuple[NativeCall, ...] = ()
    tokens: int = 1


class Answer(NamedTuple):
    """What goes back over HTTP."""

    data: bytes
    content_type: str = "application/json"
    status: int = 200


class Wire(NamedTuple):
    """One model API.

    continues: (path, body) -> does this request take the next turn of the script? Others are
        side requests: titles, summaries, token counts.
    speak: (path, body, turn, serial) -> the turn as this API sends it; serial makes ids unique.
    aside: (path, body) -> something harmless for a side request.
    results: body -> the text of every tool result in a request, oldest first.
    """

    continues: Callable[[str, Body], bool]
    speak: Callable[[str, Body, NativeTurn, int], Answer]
    aside: Callable[[str, Body], Answer]
    results: Callable[[Body], list[str]]


def as_json(value: object, status: int = 200) -> Answer:
    """One JSON document."""
    return Answer(json.dumps(value).encode(), status=status)


def as_events(events: Iterable[Mapping[str, Any]], *, named: bool = False, end: str = "") -> Answer:
    """Server-sent events; `named` repeats each event's type in an `event:` line, `end` closes."""
    lines = []
    for event in events:
        name = f"event: {event['type']}\n" if named else ""
        lines.append(f"{name}data: {json.dumps(event)}\n\n")
    if end:
        lines.append(f"data: {end}\n\n")
    return Answer("".join(lines).encode(), "text/event-stream")


def plain_text(content: object) -> str:
    """The text of a message content: a string, or a list of parts of which some have a text."""
    if isinstance(content, str):
        return content
    if isinstance(content, list):
        return "\n".join(str(part.get("text", "")) for part in content)
    return "" if content is None else json.dumps(content, ensure_ascii=False)
