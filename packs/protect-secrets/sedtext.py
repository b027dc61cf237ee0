"""sed's script: the files that it reads and writes, and the commands that it runs."""

MAX_COMMANDS = 500


def effects(script: str) -> "tuple[list[str], list[str]]":
    """(files, shell texts) of the commands r, R, w, W and e, and of the flags w and e of s."""
    files: "list[str]" = []
    runs: "list[str]" = []
    at = count = 0
    while at < len(script) and count < MAX_COMMANDS:
        count += 1
        at = _after_address(script, at)
        letter = script[at : at + 1]
        end = script.find("\n", at)
        end = end if end >= 0 else len(script)
        if letter in ("r", "R", "w", "W", "e"):
            rest = script[at + 1 : end].strip()
            (runs if letter == "e" else files).append(rest)
            if letter != "e":  # without GNU's rule that a name goes on to the end of the line
                files.append(rest.partition(";")[0].strip().rstrip("}").strip())
            at = end + 1
        elif letter in ("s", "y"):
            text, flags, at = _substitution(script, at)
            if letter == "s" and "e" in flags.partition("w")[0]:
                runs.append(text)
            if letter == "s" and "w" in flags:
                files.append(flags.partition("w")[2].strip())
        elif letter in ("a", "i", "c"):
            at = end + 1  # text
        else:
            stops = [script.find(mark, at + 1) for mark in ";\n}{"]
            at = min((stop + 1 for stop in stops if stop >= 0), default=len(script))
    return [name for name in files if name], [text for text in runs if text]


def _after_address(script: str, at: int) -> int:
    """The place of the command's letter: behind blanks, `{`, `1,$`, `/re/I`, `\\cREc`, `!`."""
    while at < len(script):
        char = script[at]
        if char in "/\\":
            closer = char if char == "/" else script[at + 1 : at + 2]
            at = _closing(script, at + (1 if char == "/" else 2), closer) + 1
            while script[at : at + 1] in ("I", "M"):
                at += 1
        elif char in " \t\n;{}0123456789$,~+!":
            at += 1
        else:
            break
    return at


def _closing(script: str, at: int, closer: str) -> int:
    while at < len(script) and script[at] != closer:
        at += 2 if script[at] == "\\" else 1
    return at


def _substitution(script: str, at: int) -> "tuple[str, str, int]":
    """(replacement, flags, end) of `s/a/b/flags`."""
    closer = script[at + 1 : at + 2]
    middle = _closing(script, at + 2, closer)
    close = _closing(script, middle + 1, closer)
    end = close + 1
    while end < len(script) and script[end] not in "\n;}":
        end += 1
    flags = script[close + 1 : end]
    return script[middle + 1 : close], flags, end + 1
