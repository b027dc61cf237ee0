"""What bash makes of a variable's value: `${x#a*}`, `${x/a/b}`, `${x:0:4}`, `${!x}`.

What cannot be told is UNKNOWN, and a question where the value looks like a secret's name.
"""

from globs import REF, STAR, UNKNOWN, cut_off, marked
from secretpaths import LONGEST
from shellwords import Ref

MAX_WORK = 4_000_000  # characters compared in one call
MAX_CUT = 300  # characters of a value that patterns are cut off
_TELLING = (".env", "id_", "secret", "credential", ".pem", ".key", ".netrc", "token")
# A glob that is perhaps aimed at a secret, whatever stands there in truth.
_PLAUSIBLE = ".e" + UNKNOWN


def changed(runner: "Runner", ref: Ref, values: "list[str]") -> "list[str]":
    """The values after the operator. OverflowError: more work than anybody's script needs."""
    operators = [ref.change]
    if REF in ref.change:
        operators = runner.expand(ref.change, split_words=False)[:4]
    out: "list[str]" = []
    for value in values:
        for operator in operators:
            if operator == "!":
                out += runner.vars.get(value) or [UNKNOWN]
                continue
            new = _one(runner, value, operator)
            out.append(_guess(value) if new is None else new)
    return out or [UNKNOWN]


def _guess(value: str) -> str:
    return _PLAUSIBLE if any(text in value.lower() for text in _TELLING) else UNKNOWN


def _one(runner: "Runner", value: str, operator: str) -> "str | None":
    work = len(value)
    if operator[0] in "#%":
        if len(value) > MAX_CUT:
            return value
        work = len(value) * len(value) * len(operator) // 4
    runner.work += work
    if runner.work > MAX_WORK:
        raise OverflowError
    if operator[0] in "#%":
        return None if UNKNOWN in operator else cut_off(value, operator)
    if operator[0] == "/":
        return _replaced(value, operator[1:])
    return _sliced(runner, value, operator[1:]) if operator[0] == ":" else None


def _replaced(value: str, rest: str) -> "str | None":
    mode = rest[:1] if rest[:1] in ("/", "#", "%") else ""
    pattern, _, text = rest[len(mode) :].partition("/")
    if not pattern:
        return value
    if pattern != marked(pattern) or UNKNOWN in pattern or STAR in pattern:
        return None
    if mode == "/":
        small = value.count(pattern) * len(text) <= LONGEST
        return value.replace(pattern, text) if small else None
    if mode == "#":
        return text + value[len(pattern) :] if value.startswith(pattern) else value
    if mode == "%":
        return value[: -len(pattern)] + text if value.endswith(pattern) else value
    return value.replace(pattern, text, 1)


def _sliced(runner: "Runner", value: str, rest: str) -> "str | None":
    start, colon, length = rest.partition(":")
    first = _number(runner, start)
    last = _number(runner, length) if colon else len(value)
    if first is None or last is None:
        return None
    first = max(0, first + len(value)) if first < 0 else first
    return value[first : last if last < 0 or not colon else first + last]


def _number(runner: "Runner", text: str) -> "int | None":
    text = text.strip().strip("()")
    text = "".join(runner.vars.get(text, [text])[:1])
    try:
        return int(text or "0")
    except ValueError:
        return None


TYPE_CHECKING = False
if TYPE_CHECKING:
    from shellrun import Runner
