"""Input that JSON readers do not follow, so that hooks can judge the rest: nested too deep, or with
numbers that are none, as Python writes them.

Vendored. A model chooses a tool's arguments: with a pile of brackets, or a NaN, beside the file's
name it could else make every guard stumble, and a guard that stumbles allows.
"""

from hookpm.bridge.event import Event
from hookpm.contract.jsontext import JsonError, loads

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

DEEPEST = 200  # levels; jq 1.6 reads 256, Python 3.8 under 1000
REMARK = "the input is nested deeper than %d levels; hooks see null there" % DEEPEST


def read(event: Event, text: str) -> "Any":
    """The value of a text that could not be read; None if something else is wrong with it."""
    sound = without_constants(text)
    short = cut(sound)
    if short == text:
        return None
    try:
        value = loads(short)
    except JsonError:
        return None
    event.raw = short.lstrip("\ufeff").encode("utf-8", "surrogatepass")
    if short != sound:
        event.problems.append(REMARK)
    return value


def flatten(event: Event) -> None:
    """Cut an input that could be read here but might not be by every hook."""
    if not event.raw or not is_deep(event.payload):
        return
    value = read(event, event.raw.decode("utf-8", "replace"))
    if isinstance(value, dict):
        event.payload = value
        event.calls = event.translate.to_claude(event.name, value)


def is_deep(value: "Any") -> bool:
    """Are there more levels than DEEPEST?"""
    level = [value]
    for _ in range(DEEPEST + 1):
        level = [
            inner
            for outer in level
            for inner in (outer.values() if isinstance(outer, dict) else outer)
            if isinstance(inner, (dict, list))
        ]
        if not level:
            return False
    return True


def without_constants(text: str) -> str:
    """The text with null for NaN and Infinity, which are no JSON but what Python's json writes."""
    import re

    pattern = r'"(?:[^"\\]|\\.)*"|-?\b(?:NaN|Infinity)\b'
    return re.sub(pattern, _or_null, text, flags=re.DOTALL)


def _or_null(found: "Any") -> str:
    mark: str = found.group()
    return mark if mark.startswith('"') else "null"


def cut(text: str) -> str:
    """The JSON text with null for each array and object below level DEEPEST."""
    import re

    kept = []
    level = 0
    start = 0  # of what is kept; of what is left out while level > DEEPEST
    for found in re.finditer(r'"(?:[^"\\]|\\.)*"|[\[\]{}]', text, re.DOTALL):
        mark = found.group()
        if mark in "[{":
            level += 1
            if level == DEEPEST + 1:
                kept.append(text[start : found.start()] + "null")
        elif mark in "]}":
            if level == DEEPEST + 1:
                start = found.end()
            level -= 1
    if level > DEEPEST:
        return text  # never closed: no JSON at all
    return "".join(kept) + text[start:]
