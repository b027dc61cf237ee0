"""JavaScript regular expressions, as far as matchers need them, on Python's `re`.

Vendored; imported only where a matcher is not a plain list of names.
The dialects differ where it is easy to miss: `$` and `.`, `\\d` beyond ASCII, `(?i)`,
possessive quantifiers, identity escapes such as `\\A`, literal braces and brackets.
"""

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

_KEPT_ESCAPES = "dDwWsSbBnrtfv"
_SPECIAL = "\\.^$*+?{}[]()|/-&~#"
_GROUPS = ("(?:", "(?=", "(?!", "(?<=", "(?<!")


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
    except re.error as error:
        return _everything if "fixed-width" in str(error) else None
    except (RecursionError, OverflowError):
        return None


def _everything(text: str) -> "str | None":
    return text


def translate(pattern: str) -> str:
    """The pattern in Python's dialect (for re.ASCII). Raises RegexError."""
    out: "list[str]" = []
    groups = _capturing_groups(pattern)
    at, length = 0, len(pattern)
    quantified = False
    while at < length:
        char = pattern[at]
        if char == "\\":
            piece, at = _escape(pattern, at, groups, in_class=False)
        elif char == "[":
            piece, at = _class(pattern, at)
        elif char == "(":
            piece, at = _group(pattern, at)
        elif char in "*+?" or (char == "{" and _braces(pattern, at)):
            if quantified:
                raise RegexError("nothing to repeat at " + str(at))
            piece, at = _quantifier(pattern, at)
            out.append(piece)
            quantified = True
            continue
        elif char == "$":
            piece, at = "\\Z", at + 1
        elif char == ".":
            piece, at = "[^\\n\\r\\u2028\\u2029]", at + 1
        elif char in "{}]":
            piece, at = "\\" + char, at + 1
        else:
            piece, at = char, at + 1
        out.append(piece)
        quantified = False
    return "".join(out)


def _capturing_groups(pattern: str) -> int:
    count, at, in_class = 0, 0, False
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
        at += 1
    return count


def _group(pattern: str, at: int) -> "tuple[str, int]":
    if pattern[at + 1 : at + 2] != "?":
        return "(", at + 1
    for opening in _GROUPS:
        if pattern.startswith(opening, at):
            return opening, at + len(opening)
    end = pattern.find(">", at)
    if pattern.startswith("(?<", at) and end > at + 3 and pattern[at + 3 : end].isidentifier():
        return "(?P<" + pattern[at + 3 : end] + ">", end + 1
    end = pattern.find(":", at)
    if end > at + 2 and set(pattern[at + 2 : end]) <= set("ims-"):
        return pattern[at : end + 1], end + 1  # modifiers, as in (?i:bash)
    raise RegexError("invalid group at " + str(at))


def _braces(pattern: str, at: int) -> bool:
    """Do the braces at `at` form a quantifier? Otherwise they are literal."""
    end = pattern.find("}", at)
    low, comma, high = pattern[at + 1 : end].partition(",")
    return end > 0 and low.isdigit() and (not high or (bool(comma) and high.isdigit()))


def _quantifier(pattern: str, at: int) -> "tuple[str, int]":
    end = pattern.find("}", at) + 1 if pattern[at] == "{" else at + 1
    if pattern[end : end + 1] == "?":
        end += 1
    return pattern[at:end], end


def _escape(pattern: str, at: int, groups: int, in_class: bool) -> "tuple[str, int]":
    if at + 1 >= len(pattern):
        raise RegexError("\\ at the end")
    char = pattern[at + 1]
    if char in _KEPT_ESCAPES and not (in_class and char == "B"):
        return "\\" + char, at + 2
    if char in "xu":
        width = 2 if char == "x" else 4
        digits = pattern[at + 2 : at + 2 + width]
        if len(digits) == width and all(d in "0123456789abcdefABCDEF" for d in digits):
            return _literal(chr(int(digits, 16))), at + 2 + width
        return char, at + 2
    if char == "c" and pattern[at + 2 : at + 3].isalpha():
        return _literal(chr(ord(pattern[at + 2]) % 32)), at + 3
    if char == "k" and not in_class and pattern[at + 2 : at + 3] == "<":
        end = pattern.find(">", at)
        if end > 0:
            return "(?P=" + pattern[at + 3 : end] + ")", end + 1
    if char.isdigit():
        return _digits(pattern, at, groups, in_class)
    return _literal(char), at + 2


def _digits(pattern: str, at: int, groups: int, in_class: bool) -> "tuple[str, int]":
    end = at + 1
    while end < len(pattern) and pattern[end].isdigit() and end < at + 4:
        end += 1
    number = pattern[at + 1 : end]
    if not in_class and number[0] != "0" and int(number) <= groups:
        return "(?:\\" + number + ")", end
    octal = ""
    for digit in number:
        if digit not in "01234567" or int(octal + digit, 8) > 0o377:
            break
        octal += digit
    if not octal:
        return number[0], at + 2
    return _literal(chr(int(octal, 8))), at + 1 + len(octal)


def _literal(char: str) -> str:
    if char in _SPECIAL:
        return "\\" + char
    if char.isalnum() or char == "_" or ord(char) > 127:
        return char
    return "\\x%02x" % ord(char)


def _class(pattern: str, at: int) -> "tuple[str, int]":
    negated = pattern.startswith("[^", at)
    at += 2 if negated else 1
    out: "list[str]" = []
    while True:
        if at >= len(pattern):
            raise RegexError("unterminated character class")
        char = pattern[at]
        if char == "]":
            break
        if char == "\\":
            piece, at = _escape(pattern, at, 0, in_class=True)
        elif char == "-":
            piece, at = "-", at + 1
        else:
            piece, at = (_literal(char) if char in "[&~|^" else char), at + 1
        out.append(piece)
    body = "".join(out).replace("--", "-\\-")
    if not body:
        return ("[\\s\\S]" if negated else "(?!)"), at + 1
    return ("[^" if negated else "[") + body + "]", at + 1
