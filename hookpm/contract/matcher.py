"""Does a hook's matcher take this call? Claude Code's rule, in every agent.

Vendored. Observed in Claude Code 2.1.332: absent, "" and "*" match all; letters, digits and
`_ | , - space` alone make a list of exact names split on | or comma; anything else is a JavaScript
regular expression, unanchored; one that does not compile matches nothing.
"""

from hookpm.contract.events import MATCHED_FIELD

_LETTERS = "abcdefghijklmnopqrstuvwxyz"
_LIST_CHARACTERS = frozenset(_LETTERS + _LETTERS.upper() + "0123456789_|, -")
_ALIASES = {"Agent": "Task", "Task": "Agent"}


def is_list(matcher: str) -> bool:
    """Is this a list of exact names, and not a regular expression?"""
    return _LIST_CHARACTERS.issuperset(matcher)


def names(matcher: str) -> "list[str]":
    """The names in a list matcher, in order."""
    return [n for n in [part.strip() for part in matcher.replace(",", "|").split("|")] if n]


def matches(event: str, matcher: "str | None", value: "str | None") -> bool:
    """Does a group with this matcher take an input whose matched field is `value`?

    event: Claude's name. Events without a matched field take every matcher.
    """
    if not matcher or matcher == "*" or event not in MATCHED_FIELD:
        return True
    if value is None:
        value = ""
    candidates = [value]
    if value in _ALIASES:
        candidates.append(_ALIASES[value])
    if is_list(matcher):
        wanted = names(matcher)
        return any(candidate in wanted for candidate in candidates)
    from hookpm.contract import jsregex

    search = jsregex.searcher(matcher)
    return search is not None and any(search(candidate) for candidate in candidates)


def problem(matcher: str) -> "str | None":
    """What is wrong with a matcher, in words; None if it can match something."""
    if not matcher or matcher == "*":
        return None
    if is_list(matcher):
        if not names(matcher):
            return "it names no tool, so it matches nothing"
        return None
    from hookpm.contract import jsregex

    try:
        jsregex.translate(matcher)
    except jsregex.RegexError as error:
        return "not a valid regular expression (" + str(error) + "), so it matches nothing"
    if jsregex.searcher(matcher) is None:
        return "not a valid regular expression, so it matches nothing"
    return None
