"""Parses the command line, runs one command, turns what happens into output and an exit code."""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Sequence
from importlib import import_module
from typing import NamedTuple, NoReturn

from hookpm import __version__
from hookpm.cli import output
from hookpm.errors import HookpmError, UsageError


class Command(NamedTuple):
    """A verb. module: where `add_arguments` and `run` are, below hookpm.cli."""

    name: str
    help: str
    module: str


COMMANDS = (
    Command("install", "add packs, check every agent, wire the bridge", "install"),
    Command("uninstall", "take packs out; with the last one everything goes", "uninstall"),
    Command("sync", "bring the project to what its hookpm.toml says", "sync"),
    Command("list", "list the installed packs", "list"),
    Command("status", "say what is wrong here, and the command that mends it", "status"),
    Command(
        "verify", "prove the install: hashes, entries, and a canary through every line", "verify"
    ),
    Command("audit", "show what each agent would drop of what the packs ask", "audit"),
    Command("agents", "show what each agent can do with a hook's answers", "agents"),
    Command("schema", "print a JSON Schema", "schema"),
    Command("pack", "for pack authors: test, build and publish a pack", "pack"),
)
EPILOG = "Exit codes: 0 done; 1 no, or not whole; 2 refused command line; 3 could not."


class _Parser(argparse.ArgumentParser):
    """Raises UsageError instead of printing and leaving."""

    def error(self, message: str) -> NoReturn:
        """Called by argparse for a refused command line."""
        raise UsageError(_near(message), hint=f"`{self.prog} --help` shows what there is")


def run(arguments: Sequence[str]) -> int:
    """Run a command line; returns the exit code, and never raises."""
    as_json = "--json" in arguments
    try:
        options = _parse(arguments)
        if options is None:
            return 0
        code: int = import_module(f"hookpm.cli.{options.module}").run(options)
        sys.stdout.flush()
        return code
    except HookpmError as error:
        return output.fail(error, as_json)
    except KeyboardInterrupt:
        output.say("error: stopped; nothing is half-written")
        return 130
    except BrokenPipeError:
        # The reader has gone, as in `hookpm list | head -1`; keep Python from saying so at exit.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 0
    except RecursionError:
        raise
    except OSError as error:
        from hookpm.errors import SystemFailureError

        known = SystemFailureError(
            "the system stood in the way", cause=str(error), file=error.filename
        )
        return output.fail(known, as_json)


def _parse(arguments: Sequence[str]) -> argparse.Namespace | None:
    """The parsed options; None where help or the version was printed.

    Only the chosen command's module is imported: help has to be quick.
    """
    names = {command.name: command for command in COMMANDS}
    first = next((a for a in arguments if not a.startswith("-")), None)
    parser = _Parser(
        prog="hookpm",
        description="A package manager for hook packs of coding agents.",
        epilog=EPILOG,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("--version", action="version", version=f"hookpm {__version__}")
    commands = parser.add_subparsers(title="commands", metavar="COMMAND", dest="command")
    for command in COMMANDS:
        sub = commands.add_parser(
            command.name,
            help=command.help,
            description=f"{command.help[0].upper()}{command.help[1:]}.",
        )
        sub.set_defaults(module=command.module)
        if command.name == first:
            import_module(f"hookpm.cli.{command.module}").add_arguments(sub)
    if first is not None and first not in names and not {"-h", "--help"} & set(arguments):
        raise _unknown_command(first)
    try:
        options = parser.parse_args(list(arguments))
    except SystemExit:  # --help, --version
        return None
    if options.command is None:
        parser.print_help()
        return None
    return options


def _unknown_command(name: str) -> UsageError:
    from difflib import get_close_matches

    known = [command.name for command in COMMANDS]
    synonyms = {"add": "install", "remove": "uninstall", "rm": "uninstall", "ls": "list"}
    near = [synonyms[name]] if name in synonyms else get_close_matches(name, known, n=1)
    hint = f"did you mean `hookpm {near[0]}`?" if near else f"commands: {', '.join(known)}"
    return UsageError(f"unknown command {name!r}", hint=hint)


def _near(message: str) -> str:
    """argparse's words, in ours."""
    return message.replace("unrecognized arguments:", "unknown option or argument:").rstrip(".")
