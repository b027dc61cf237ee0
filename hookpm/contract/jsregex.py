"""JavaScript regular expressions, as far as matchers need them, on Python's `re`.

Vendored; imported only where a matcher is not a plain list of names. The reading is that of
`new RegExp(pattern)` without flags, compared with the real engine in tests/contract. The dialects
differ where it is easy to miss: `$`, `.` and `\\s`, possessive quantifiers, identity escapes such
as `\\A`, references to groups that took no part, literal braces and brackets.
"""

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

_DIGITS = "0123456789"
_HEX = _DIGITS + "abcdefABCDEF"
_LETTERS = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
_CONTROLS = {"b": "\b", "f": "\f", "n": "\n", "r": "\r", "t": "\t", "v": "\v"}
# \s and \S as the inside of a character class; \d, \w and \b are the same under re.ASCII.
_SPACE = "\\t-\\r \\xa0\\u1680\\u2000-\\u200a\\u2028\\u2029\\u202f\\u205f\\u3000\\ufeff"
_NO_SPACE = (
    "\\0-\\x08\\x0e-\\x1f!-\\x9f\\xa1-\\u167f\\u1681-\\u1fff\\u200b-\\u2027\\u202a-\\u202e"
    "\\u2030-\\u205e\\u2060-\\u2fff\\u3001-\\ufefe\\uff00-\\U0010ffff"
)
_SETS = {"d": "\\d", "D": "\\D", "w": "\\w", "W": "\\W", "s": _SPACE, "S": _NO_SPACE}
_LINE_END = "\\n\\r\\u2028\\u2029"
_MOST = 100000  # repetitions: Python stops at a number that JavaScript takes


class RegexError(ValueError):
    """JavaScript would refuse this pattern."""


def searcher(pattern: str) -> "Callable[[str], Any] | None":
    """A function that searches a text, or None where the pattern is broken.

    What JavaScript accepts and Python cannot run (a look-behind of varying width) matches
    everything: a guard that runs too often beats one that silently does not run.
    """
    import re

    try:
        return re.compile(translate(pattern), re.ASCII).search
    except RegexError:
        return None
    except (re.error, RecursionError, OverflowError):
        return _everything


def _everything(text: str) -> "str | None":
    return text


def translate(pattern: str) -> str:
    """The pattern in Python's dialect (for re.ASCII). Raises RegexError."""
    reader = _Reader(pattern)
    out: "list[str]" = []
    while reader.at < len(pattern):
        out.append(reader.term())
    if reader.open:
        raise RegexError("a group is not closed")
    return "".join(out)


class _Reader:
    """Walks over a pattern. open: the groups around, as (number, can repeat, "ms" flags before)."""

    def __init__(self, pattern: str) -> None:
        self.pattern = pattern
        self.at = 0
        self.groups, self.names = _groups(pattern)
        self.begun = 0
        self.open: "list[tuple[int, bool, str]]" = []
        self.flags = ""
        self.repeatable = False

    def term(self) -> str:
        """The next piece: an atom, an assertion, a quantifier or one end of a group."""
        char = self.pattern[self.at]
        if char == "\\":
            return self._escape()
        if char == "[":
            self.repeatable = True
            return self._class()
        if char == "(":
            return self._open()
        if char in "*+?" or (char == "{" and _braces(self.pattern, self.at)):
            return self._quantifier()
        self.at += 1
        if char == ")":
            if not self.open:
                raise RegexError("a ) without its (")
            _, self.repeatable, self.flags = self.open.pop()
            return ")"
        self.repeatable = char not in "^$|"
        if char == "^" and "m" in self.flags:
            return "(?<![^" + _LINE_END + "])"
        if char == "$":
            return "(?![^" + _LINE_END + "])" if "m" in self.flags else "\\Z"
        if char == ".":
            return "[\\s\\S]" if "s" in self.flags else "[^" + _LINE_END + "]"
        return char if char in "^|" else _literal(char)

    def _open(self) -> str:
        pattern, at = self.pattern, self.at
        number, repeatable, flags = 0, True, self.flags
        if pattern[at + 1 : at + 2] != "?":
            opening, end = "(", at + 1
        elif pattern.startswith(("(?:", "(?=", "(?!"), at):
            opening, end = pattern[at : at + 3], at + 3
        elif pattern.startswith(("(?<=", "(?<!"), at):
            opening, end, repeatable = pattern[at : at + 4], at + 4, False
        elif pattern.startswith("(?<", at):
            opening, end = "(", pattern.find(">", at) + 1
        else:
            opening, end, flags = self._modifiers()
        if opening == "(":
            self.begun += 1
            number = self.begun
        self.open.append((number, repeatable, self.flags))
        self.at, self.flags, self.repeatable = end, flags, False
        return opening

    def _modifiers(self) -> "tuple[str, int, str]":
        """(?i:, (?-s: and the like: only i is for Python, m and s change what we write."""
        end = self.pattern.find(":", self.at)
        on, _minus, off = self.pattern[self.at + 2 : max(end, 0)].partition("-")
        both = on + off
        if end < 0 or not both or len(set(both)) < len(both) or not set(both) <= set("ims"):
            raise RegexError("invalid group at " + str(self.at))
        flags = "".join(f for f in "ms" if f in on or (f in self.flags and f not in off))
        opening = "(?i:" if "i" in on else "(?-i:" if "i" in off else "(?:"
        return opening, end + 1, flags

    def _quantifier(self) -> str:
        if not self.repeatable:
            raise RegexError("nothing to repeat at " + str(self.at))
        self.repeatable = False
        pattern, start = self.pattern, self.at
        self.at = pattern.find("}", start) + 1 if pattern[start] == "{" else start + 1
        piece = pattern[start : self.at]
        if piece[0] == "{":
            low, comma, high = piece[1:-1].partition(",")
            if high and int(high[:20]) < int(low[:20]):
                raise RegexError("numbers out of order at " + str(start))
            piece = "{" + _capped(low) + comma + _capped(high) + "}"
        if pattern[self.at : self.at + 1] == "?":
            self.at += 1
            piece += "?"
        return piece

    def _escape(self) -> str:
        pattern, at = self.pattern, self.at
        char = pattern[at + 1 : at + 2]
        if not char:
            raise RegexError("\\ at the end")
        self.repeatable = char not in "bB"
        if char in "bB":
            self.at += 2
            return "\\b" if char == "b" else "(?!\\b)"  # Python's \\B misses the empty text
        if char in _SETS:
            self.at += 2
            return "[" + _SETS[char] + "]"
        if char == "k" and self.names:
            end = pattern.find(">", at)
            name = pattern[at + 3 : end] if pattern[at + 2 : at + 3] == "<" else ""
            if end < 0 or name not in self.names:
                raise RegexError("\\k names no group")
            self.at = end + 1
            return self._reference(self.names[name])
        if char in "123456789":
            end = at + 2
            while pattern[end : end + 1] and pattern[end] in _DIGITS:
                end += 1
            number = int(pattern[at + 1 : end][:9])
            if number <= self.groups:
                self.at = end
                return self._reference(number)
        code, self.at = _character(pattern, at, in_class=False)
        return _literal(code)

    def _reference(self, number: int) -> str:
        """\\1: empty where its group is still open, comes later, or took no part."""
        if number > self.begun or any(number == group for group, _, _ in self.open):
            return "(?:)"
        return "(?(" + str(number) + ")\\" + str(number) + "|)"

    def _class(self) -> str:
        pattern = self.pattern
        at = self.at + 1
        negated = pattern.startswith("^", at)
        at += negated
        out: "list[str]" = []
        while not pattern.startswith("]", at):
            low, at = _class_atom(pattern, at)
            if pattern.startswith("-", at) and pattern[at + 1 : at + 2] not in ("", "]"):
                high, at = _class_atom(pattern, at + 1)
                if len(low) == 1 and len(high) == 1:
                    if low > high:
                        raise RegexError("range out of order in a character class")
                    out.append(_literal(low) + "-" + _literal(high))
                    continue
                out += [_class_piece(low), "\\-", _class_piece(high)]
                continue
            out.append(_class_piece(low))
        self.at = at + 1
        if not out:
            return "[\\s\\S]" if negated else "(?!)"
        return ("[^" if negated else "[") + "".join(out) + "]"


def _groups(pattern: str) -> "tuple[int, dict[str, int]]":
    """How many groups capture, and the numbers of the named ones."""
    count, at, in_class = 0, 0, False
    names: "dict[str, int]" = {}
    while at < len(pattern):
        char = pattern[at]
        if char == "\\":
            at += 1
        elif char == "[":
            in_class = True
        elif char == "]":
            in_class = False
        elif char == "(" and not in_class:
            named = pattern.startswith("(?<", at) and pattern[at + 3 : at + 4] not in ("=", "!")
            if named or pattern[at + 1 : at + 2] != "?":
                count += 1
            if named:
                end = pattern.find(">", at)
                name = pattern[at + 3 : max(end, 0)]
                if not name.replace("$", "_").isidentifier() or name in names:
                    raise RegexError("invalid group name at " + str(at))
                names[name] = count
        at += 1
    return count, names


def _braces(pattern: str, at: int) -> bool:
    """Do the braces at `at` form a quantifier? Otherwise they are literal."""
    end = pattern.find("}", at)
    low, _comma, high = pattern[at + 1 : max(end, 0)].partition(",")
    return bool(low) and set(low + high) <= set(_DIGITS)


def _capped(digits: str) -> str:
    return digits if len(digits) < 6 else str(_MOST)


def _class_atom(pattern: str, at: int) -> "tuple[str, int]":
    """One character, or the two of a set such as \\d, inside a character class."""
    char = pattern[at : at + 1]
    if not char:
        raise RegexError("a character class is not closed")
    if char != "\\":
        return char, at + 1
    if pattern[at + 1 : at + 2] in tuple(_SETS):
        return pattern[at : at + 2], at + 2
    return _character(pattern, at, in_class=True)


def _class_piece(atom: str) -> str:
    return _literal(atom) if len(atom) == 1 else _SETS[atom[1]]


def _character(pattern: str, at: int, in_class: bool) -> "tuple[str, int]":
    """The one character that the escape at `at` stands for, and the offset behind it."""
    char = pattern[at + 1 : at + 2]
    if not char:
        raise RegexError("\\ at the end")
    if char in _CONTROLS and (in_class or char != "b"):
        return _CONTROLS[char], at + 2
    if char in "xu":
        digits = pattern[at + 2 : at + (4 if char == "x" else 6)]
        if len(digits) == (2 if char == "x" else 4) and set(digits) <= set(_HEX):
            return chr(int(digits, 16)), at + 2 + len(digits)
        return char, at + 2
    if char == "c":
        control = pattern[at + 2 : at + 3]
        if control and control in (_LETTERS + _DIGITS + "_" if in_class else _LETTERS):
            return chr(ord(control) % 32), at + 3
        return "\\", at + 1
    octal = ""
    while pattern[at + 1 + len(octal) :][:1] in tuple("01234567") and len(octal) < 3:
        if int(octal + pattern[at + 1 + len(octal)], 8) > 0o377:
            break
        octal += pattern[at + 1 + len(octal)]
    if octal:
        return chr(int(octal, 8)), at + 1 + len(octal)
    return char, at + 2


def _literal(char: str) -> str:
    if char in _LETTERS or char in _DIGITS or char == "_" or ord(char) > 127:
        return char
    return "\\x%02x" % ord(char)
