"""What tools type into a terminal, as the text that a shell reads: `cat .env{enter}`."""

from secretnames import names

_KEYS = {"space": " ", "tab": "*", "enter": "\n", "return": "\n"}  # a tab completes the name
_NO_TEXT = names(
    "up down left right home end pageup pagedown backspace delete del esc escape insert"
)


def as_text(typed: str) -> str:
    """The keys in braces or angle brackets as the characters they stand for."""
    out = []
    at = 0
    while at < len(typed):
        closer = {"{": "}", "<": ">"}.get(typed[at], "")
        end = typed.find(closer, at, at + 16) if closer else -1
        name = typed[at + 1 : end].lower() if end > 0 else ""
        if name in _KEYS:
            out.append(_KEYS[name])
        elif name in _NO_TEXT or name.startswith(("ctrl", "alt+", "alt-", "c-")):
            out.append("\n" if name.startswith(("c", "a")) else "")
        else:
            out.append("\n" if typed[at] == "\r" else typed[at])
            at += 1
            continue
        at = end + 1
    return "".join(out)
