"""Parses a command line: only the chosen command's module is imported."""

from __future__ import annotations

import argparse
import os
import re
from collections.abc import Sequence
from typing import Any, NoReturn

from hookpm.cli.commands import COMMANDS, module
from hookpm.cli.examples import epilog
from hookpm.errors import UsageError


class _Formatter(argparse.HelpFormatter):
    """Keeps the lines of a text that has lines (examples); a description is filled.

    Asks the terminal itself for its width: argparse would import shutil, and with it zlib.
    """

    def __init__(self, prog: str) -> None:
        try:
            width = os.get_terminal_size().columns
        except (OSError, ValueError):
            width = 100
        super().__init__(prog, width=max(60, min(width, 120) - 2))

    def _split_lines(self, text: str, width: int) -> list[str]:
        from textwrap import wrap

        return wrap(text, width, break_on_hyphens=False)

    def _fill_text(self, text: str, width: int, indent: str) -> str:
        return text if "\n" in text else super()._fill_text(text, width, indent)


class _Parser(argparse.ArgumentParser):
    """Raises UsageError instead of printing and leaving; an option has one spelling."""

    def __init__(self, **settings: Any) -> None:
        super().__init__(**{"allow_abbrev": False, "formatter_class": _Formatter, **settings})
        self.epilog = epilog(self.prog.removeprefix("hookpm "))

    def error(self, message: str) -> NoReturn:
        """Called by argparse for a refused command line."""
        raise UsageError(_near(message), hint=f"`{self.prog} --help` shows what there is")


def parse(arguments: Sequence[str]) -> argparse.Namespace | None:
    """The parsed options; None where a command's help was printed. Raises UsageError."""
    name, *rest = arguments
    if name not in COMMANDS:
        if name.startswith("-"):
            raise UsageError(f"unknown option {name}", hint="options stand behind the command")
        raise _unknown(name)
    text = COMMANDS[name]
    parser = _Parser(
        prog=f"hookpm {name}",
        description=f"{text[0].upper()}{text[1:]}.",
    )
    module(name).add_arguments(parser)
    parser.set_defaults(command=name)
    try:
        return parser.parse_args(rest)
    except SystemExit:  # --help
        return None


def _unknown(name: str) -> UsageError:
    from difflib import get_close_matches

    known = list(COMMANDS)
    synonyms = {"add": "install", "remove": "uninstall", "rm": "uninstall", "ls": "list"}
    near = [synonyms[name]] if name in synonyms else get_close_matches(name, known, n=1)
    hint = f"did you mean `hookpm {near[0]}`?" if near else f"commands: {', '.join(known)}"
    return UsageError(f"unknown command {name!r}", hint=hint)


def _near(message: str) -> str:
    """argparse's words, in ours."""
    choice = re.fullmatch(r"argument COMMAND: invalid choice: (.*) \(choose from (.*)\)", message)
    if choice:
        return f"unknown command {choice[1]}; there are {choice[2]}".replace("'", "")
    return message.replace("unrecognized arguments:", "unknown option or argument:").rstrip(".")
