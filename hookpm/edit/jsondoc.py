"""Reads JSON and JSONC into a tree that knows where every value stands in the text.

The text is never rebuilt from the tree: `jsonedit` cuts and inserts at the offsets found here.
A byte order mark stays in the text, as U+FEFF at index 0, so that `encode(decode(data)) == data`.
"""

from __future__ import annotations

from pathlib import Path

from hookpm.edit.jsonscan import MAX_DEPTH, parse
from hookpm.edit.jsontree import BOM, Document, Duplicate, Key, Kind, Member, Node
from hookpm.errors import FileFormatError

__all__ = [
    "BOM",
    "MAX_DEPTH",
    "Document",
    "Duplicate",
    "Key",
    "Kind",
    "Member",
    "Node",
    "decode",
    "encode",
    "parse",
]

_FOREIGN_BOMS = (
    (b"\xff\xfe\x00\x00", "UTF-32"),
    (b"\x00\x00\xfe\xff", "UTF-32"),
    (b"\xff\xfe", "UTF-16"),
    (b"\xfe\xff", "UTF-16"),
)


def decode(data: bytes, file: Path | str | None = None) -> str:
    """The text of a config file.

    Raises FileFormatError when it is not UTF-8 (byte order mark or not) or holds NUL bytes.
    """
    name = "the text" if file is None else str(file)
    hint = "save the file as UTF-8, then run again"
    for bom, encoding in _FOREIGN_BOMS:
        if data.startswith(bom):
            raise FileFormatError(
                f"{name} is {encoding}; agents read UTF-8", hint=hint, file=file, line=1
            )
    if b"\0" in data:
        line = data.count(b"\n", 0, data.index(b"\0")) + 1
        cause = f"a NUL byte in line {line} (UTF-16 without a mark, or a damaged file)"
        raise FileFormatError(f"{name} is not text", cause=cause, hint=hint, file=file, line=line)
    try:
        return data.decode()
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        cause = f"line {line} holds byte 0x{data[error.start]:02x} ({error.reason})"
        raise FileFormatError(
            f"{name} is not UTF-8", cause=cause, hint=hint, file=file, line=line
        ) from None


def encode(text: str) -> bytes:
    """The bytes of a text; the inverse of `decode`."""
    return text.encode()
