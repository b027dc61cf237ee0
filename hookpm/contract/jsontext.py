"""JSON on the interpreter's own C scanner: `import json` alone costs more than Python's start.

Vendored. `loads` reads as JavaScript's JSON.parse does (no NaN, no comments); `dumps` writes ASCII.
"""

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

SPACE = " \t\n\r"


class JsonError(ValueError):
    """The text is not one JSON value."""


def _integer(digits: str) -> "int | float":
    try:
        return int(digits)
    except ValueError:  # longer than Python converts (sys.get_int_max_str_digits)
        return float(digits)


def _constant(word: str) -> "Any":
    raise JsonError(word + " is not JSON")


class _Lenient:
    """What the C scanner reads its settings from; control characters in strings pass."""

    strict = False
    object_hook = None
    object_pairs_hook = None
    parse_float = float
    parse_int = staticmethod(_integer)
    parse_constant = staticmethod(_constant)


try:
    from _json import encode_basestring_ascii as _quote
    from _json import make_scanner

    _scan: "Callable[[str, int], tuple[Any, int]]" = make_scanner(_Lenient)  # type: ignore[arg-type]
except ImportError:  # not CPython
    import json

    _quote = json.encoder.py_encode_basestring_ascii
    _scan = json.JSONDecoder(strict=False, parse_int=_integer, parse_constant=_constant).raw_decode


def scan(text: str, start: int) -> "tuple[Any, int]":
    """Read the value that begins exactly at `start`; returns it and the offset behind it.

    Raises JsonError.
    """
    try:
        try:
            return _scan(text, start)
        except SystemError:  # CPython 3.11 takes its error from json.decoder without importing it
            import json.decoder  # noqa: F401

            return _scan(text, start)
    except StopIteration:
        raise JsonError("no JSON value at offset " + str(start)) from None
    except (ValueError, RecursionError) as error:
        raise JsonError(str(error)) from None


def loads(text: str) -> "Any":
    """The one JSON value that is the whole text, but for space and a BOM. Raises JsonError."""
    start = 0
    length = len(text)
    while start < length and (text[start] in SPACE or text[start] == "\ufeff"):
        start += 1
    value, end = scan(text, start)
    while end < length:
        if text[end] not in SPACE:
            raise JsonError("text after the JSON value")
        end += 1
    return value


def dumps(value: "Any") -> str:
    """Compact JSON in ASCII; lone surrogates come out as escapes. Raises TypeError.

    Without recursion: whatever `loads` could read can be written again.
    """
    out: "list[str]" = []
    todo: "list[tuple[bool, Any]]" = [(False, value)]  # (is it ready text?, the text or a value)
    while todo:
        ready, item = todo.pop()
        if ready:
            out.append(item)
        elif isinstance(item, dict) and item:
            todo.append((True, "}"))
            opening = "{"
            part: "list[tuple[bool, Any]]" = []
            for key, inner in item.items():
                part += ((True, opening + _quote(str(key)) + ": "), (False, inner))
                opening = ", "
            todo += reversed(part)
        elif isinstance(item, (list, tuple)) and item:
            todo.append((True, "]"))
            for inner in reversed(item):
                todo += ((False, inner), (True, ", "))
            todo[-1] = (True, "[")
        else:
            out.append(_leaf(item))
    return "".join(out)


def _leaf(value: "Any") -> str:
    if isinstance(value, str):
        return _quote(value)
    if value is None:
        return "null"
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, int):
        return _whole(value)
    if isinstance(value, float):
        return _number(value)
    if isinstance(value, (dict, list, tuple)):  # empty, or we would not be here
        return "{}" if isinstance(value, dict) else "[]"
    raise TypeError("no JSON for " + type(value).__name__)


def _whole(value: int) -> str:
    try:
        return int.__repr__(value)
    except ValueError:  # longer than Python converts; see _integer
        return "null"


def _number(value: float) -> str:
    if value != value or value in (float("inf"), float("-inf")):
        return "null"  # as JavaScript writes them
    return float.__repr__(value)
