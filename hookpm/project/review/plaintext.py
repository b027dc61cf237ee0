"""Other people's text as it really is: nothing in it can hide, or drive the terminal.

What a terminal or an editor would not show, or show elsewhere, stands as its code point: <U+202E>.
"""

from __future__ import annotations

import re

WIDTH = 160  # characters of a line; the rest goes on in the next ones
_LONG_BLANK = 40  # blanks in a row; more could push what follows out of sight
_CONTINUED = "  >> "

# Invisible, though by their category letters, marks or symbols.
_INVISIBLE = (
    (0x034F, 0x034F),
    (0x115F, 0x1160),
    (0x17B4, 0x17B5),
    (0x180B, 0x180F),
    (0x2800, 0x2800),
    (0x3164, 0x3164),
    (0xFE00, 0xFE0F),
    (0xFFA0, 0xFFA0),
    (0x16FE4, 0x16FE4),
    (0xE0100, 0xE01EF),
)
_HIDDEN = ("Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp", "Zs")
_BLANKS = re.compile(rf"[ \t]{{{_LONG_BLANK},}}")


def shown(text: str) -> str:
    """One line of text with everything in it visible, line ends included; tabs stay tabs."""
    if not (text.isascii() and text.isprintable()):
        text = "".join(map(_character, text))
    return _BLANKS.sub(lambda run: f"<{len(run[0])} blanks>", text)


def lines(text: str, mark: str = "") -> list[str]:
    """The lines of a text, visible and of bounded length. mark: what each of them starts with.

    Only a newline ends a line: what else some programs take for a line end is shown.
    """
    found = []
    for line in text.split("\n"):
        whole = shown(line)
        pieces = [whole[at : at + WIDTH] for at in range(0, len(whole), WIDTH)] or [""]
        found += [f"{mark}{pieces[0]}", *(f"{mark}{_CONTINUED}{piece}" for piece in pieces[1:])]
    return found


def strange(text: str) -> str:
    """The characters of a command that are not ASCII, by code point and name; "" if there are none.

    A letter of another alphabet may look like one of ours.
    """
    found = dict.fromkeys(c for c in text if not c.isascii())
    if not found:
        return ""
    import unicodedata

    told = [f"U+{ord(c):04X} {unicodedata.name(c, 'without a name')}" for c in list(found)[:8]]
    more = len(found) - len(told)
    return ", ".join([*told, *([f"and {more} more"] if more else [])])


def _character(c: str) -> str:
    if " " <= c <= "~" or c == "\t":
        return c
    import unicodedata

    code = ord(c)
    hidden = unicodedata.category(c) in _HIDDEN
    if hidden or any(first <= code <= last for first, last in _INVISIBLE):
        return f"<U+{code:04X}>"
    return c
