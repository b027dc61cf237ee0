"""What a shell script prints, how it ends, what it reads of the input, and what it starts."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from hookpm.packs.check import says, starts
from hookpm.packs.check.finding import Finding, Source
from hookpm.packs.check.says import Saying
from hookpm.packs.check.shellcommands import Started, all_started, looked_for, started
from hookpm.packs.check.shelltypes import Command, Script, variable

_NEAR = 4  # how many commands before an exit can hold its message


def findings(source: Source, script: Script, declared: Sequence[str]) -> Iterator[Finding]:
    """All findings of this module. declared: the manifest's requires.programs."""
    yield from _exits(source, script)
    yield from _mixed(source, script)
    yield from _starts(source, script, declared)


def sayings(script: Script) -> list[Saying]:
    """What the script answers: JSON in its words and heredocs, and its exit codes."""
    found: list[Saying] = []
    for command in script.commands:
        for word in [*command.words, *(value for _, value in command.assignments)]:
            found += says.in_text(word.text, word.line)
        for redirection in command.redirections:
            found += says.in_text(redirection.body, command.line + 1)
        if command.name == "exit" and len(command.words) > 1:
            found.append(Saying("exit", command.words[1].literal or "", command.line))
    return found


def keys_read(script: Script) -> dict[str, int]:
    """The keys that jq's programs in the script name, each with a line."""
    found: dict[str, int] = {}
    for each in all_started(script):
        if each.name == "jq":
            for word in each.arguments:
                for key in re.findall(r"\.([A-Za-z_]\w*)", word.text):
                    found.setdefault(key, word.line)
    return found


def variables(script: Script) -> dict[str, int]:
    """The variables that the script reads and does not set, each with a line."""
    own = {name for command in script.commands for name, _ in command.assignments}
    found: dict[str, int] = {}
    for command in script.commands:
        targets = [redirection.target for redirection in command.redirections]
        for word in [*command.words, *(value for _, value in command.assignments), *targets]:
            for piece in word.pieces:
                name = variable(piece.text) if piece.kind == "variable" else ""
                if name and name not in own:
                    found.setdefault(name, word.line)
    return found


def texts(script: Script) -> Iterator[tuple[str, int]]:
    """The fixed texts in a script's commands."""
    for command in script.commands:
        for word in [*command.words, *(value for _, value in command.assignments)]:
            yield word.text, word.line


# --- exit codes ------------------------------------------------------------------------------


def _exits(source: Source, script: Script) -> Iterator[Finding]:
    if not says.can_refuse(source):
        return
    declares = any({"deny", "block"} & {*h.needs, *h.uses} for h in source.hooks)
    never = declares and re.search(r"exit 2|deny|block\"", source.text) is None
    for index, command in enumerate(script.commands):
        if command.name != "exit" or len(command.words) != 2 or command.inside:
            continue
        code = command.words[1].literal or ""
        before = _branch(script.commands[:index], command)
        if code == "2":
            yield from _silent_reason(source, before)
        elif code.isdigit() and code != "0":
            told = " ".join(_told(each) for each in before)
            if says.refuses_in_words(told) or (never and told.strip()):
                yield source.at(
                    "exit-1",
                    command.line,
                    f"exit {code} is a failure, and a failure allows: nothing is blocked",
                    "exit 2, with the reason on stderr",
                )


def _branch(before: Sequence[Command], command: Command) -> list[Command]:
    """The commands right before one, in its own branch."""
    found: list[Command] = []
    for each in reversed(before[-_NEAR * 3 :]):
        if each.inside:
            continue
        if each.block != command.block or len(found) == _NEAR or each.name == "exit":
            break
        found.append(each)
    return found


def _told(command: Command) -> str:
    """What a command prints, on whichever stream; "" where it prints nothing fixed."""
    if command.name not in ("echo", "printf", "cat"):
        return ""
    bodies = [redirection.body for redirection in command.redirections]
    return " ".join([*(word.text for word in command.words[1:]), *bodies])


def _silent_reason(source: Source, before: Sequence[Command]) -> Iterator[Finding]:
    """exit 2 behind a text on stdout, with nothing on stderr: Claude Code tells no reason then."""
    printing = [each for each in before if each.name in ("echo", "printf", "cat")]
    if not printing or len(printing) < len([e for e in before if not e.assignments]):
        return
    if all(_is_text(each) for each in printing):
        yield source.at(
            "reason-on-stdout",
            printing[0].line,
            "with exit code 2 the reason is read from stderr; Claude Code loses this one",
            f"{source.line(printing[0].line).strip()} >&2",
        )


# --- stdout ----------------------------------------------------------------------------------


def _on_stdout(command: Command) -> bool:
    """Does the command's output go to the agent?"""
    if command.inside or command.piped:
        return False
    return all(
        r.operator in ("<", "<<", "<<-", "<<<") or r.number == "2" for r in command.redirections
    )


def _is_text(command: Command) -> bool:
    """Does it print a text that is no JSON?"""
    if command.name not in ("echo", "printf") or not _on_stdout(command):
        return False
    text = re.sub(r"%[-0-9.]*[a-z]|\\[nt]", "", _told(command)).strip()
    return bool(re.search(r"[A-Za-z]{2}", text)) and not text.startswith(("{", "[", "-"))


def _is_json(command: Command) -> bool:
    """Does it print the JSON of an answer?"""
    if not _on_stdout(command):
        return False
    if command.name == "jq":
        options = [word.source for word in command.words[1:]]
        return any(re.fullmatch(r"-\w*n\w*|--null-input", option) for option in options)
    told = _told(command)
    return "{" in told and any(saying.key in says.KEYS for saying in says.in_text(told, 1))


def _mixed(source: Source, script: Script) -> Iterator[Finding]:
    """A text that is always printed before an answer in JSON."""
    commands = script.commands
    answers = [index for index, command in enumerate(commands) if _is_json(command)]
    for index, text in enumerate(commands[: answers[-1]] if answers else ()):
        if not _is_text(text) or text.after in ("&&", "||"):
            continue
        for later in commands[index + 1 :]:
            if later.block[: len(text.block)] != text.block:
                break
            if later.name == "exit" and later.block == text.block and not later.after:
                break
            if _is_json(later):
                yield source.at(
                    "mixed-output",
                    text.line,
                    f"this text goes to stdout before the JSON of line {later.line}: the whole is "
                    "no JSON any more, and Claude Code drops the answer",
                    f"{source.line(text.line).strip()} >&2",
                )
                break


# --- programs --------------------------------------------------------------------------------


def _starts(source: Source, script: Script, declared: Sequence[str]) -> Iterator[Finding]:
    known = {*declared, *looked_for(script)}
    for each in all_started(script):
        line = each.command.line
        if what := starts.from_network(each.name, each.literals) or _fetched(script, each):
            yield starts.network_finding(source, line, what)
        if each.name in starts.DECLARED and each.name not in known:
            known.add(each.name)
            yield starts.undeclared_finding(source, line, each.name)


def _fetched(script: Script, each: Started) -> str:
    """`curl | sh`, `sh -c "$(curl ...)"`, `bash <(curl ...)`: what it is, or ""."""
    if each.name in ("curl", "wget") and each.command.piped:
        index = script.commands.index(each.command)
        following = [c for c in script.commands[index + 1 :] if c.after == "|"][:1]
        into = started(following[0]) if following else None
        if into is not None and into.name in starts.INTERPRETERS and _reads_program(into):
            return f"{each.name} | {into.name}"
    if each.name in (*starts.INTERPRETERS, "eval", "source", "."):
        for word in each.arguments:
            for piece in word.pieces:
                if piece.kind == "command" and re.match(r"(curl|wget)\b", piece.text):
                    return f'{each.name} "$({piece.text.split()[0]} ...)"'
    return ""


def _reads_program(into: Started) -> bool:
    """Does an interpreter at the end of a pipe take what comes for its program?"""
    words = [word for word in into.literals if not word.startswith("-") or word == "-"]
    options = [word for word in into.literals if word.startswith("-")]
    return (words in ([], ["-"]) and not {"-c", "-e", "-m"} & set(options)) or "-s" in options
