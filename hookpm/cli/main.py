"""Runs one command line, and turns what happens into output and an exit code."""

from __future__ import annotations

from hookpm import __version__
from hookpm.cli import commands, output
from hookpm.errors import HookpmError

TYPE_CHECKING = False  # neither `typing` nor argparse is imported for the overview: it is quick
if TYPE_CHECKING:
    from collections.abc import Sequence


def run(arguments: Sequence[str]) -> int:
    """Run a command line; returns the exit code, and never raises."""
    return output.finish(_run(arguments))


def _run(arguments: Sequence[str]) -> int:
    as_json = "--json" in arguments
    try:
        if not arguments or arguments[0] in ("-h", "--help", "help"):
            output.show(overview())
            return 0
        if arguments[0] in ("-V", "--version"):
            output.show(f"hookpm {__version__}")
            return 0
        from hookpm.cli import parser

        options = parser.parse(arguments)
        if options is None:
            return 0
        from hookpm.cli import progress
        from hookpm.project import network
        from hookpm.project.places import following

        offline = getattr(options, "offline", False)
        links = getattr(options, "follow_links", False)
        with network.access(offline=offline, watch=progress.watch(options)), following(links=links):
            code: int = commands.module(options.command).run(options)
        return code
    except HookpmError as error:
        if "--user" in arguments and error.hint:
            from hookpm.project.home.scope import for_user

            error.hint = for_user(error.hint)
        return output.fail(error, as_json)
    except KeyboardInterrupt:
        output.say("error: stopped; nothing is half-written")
        return 130
    except OSError as error:
        from hookpm.errors import SystemFailureError

        known = SystemFailureError(
            "the system stood in the way",
            cause=str(error),
            hint="put that right, and run the command again",
            file=error.filename,
        )
        return output.fail(known, as_json)
    except Exception as error:  # whoever reads --json gets his document even then
        return output.fail(_fault(error), as_json)


def _fault(error: Exception) -> HookpmError:
    """The error for what hookpm did not see coming; where it happened is said before."""
    import traceback

    output.say("".join(traceback.format_exception(error)).rstrip())
    return HookpmError(
        "hookpm itself failed: this is a fault in it",
        cause=f"{type(error).__name__}: {error}"[:300],
        hint="tell whoever keeps hookpm, with the lines above; the next run completes what this "
        "one began",
    )


def overview() -> str:
    """What `hookpm --help` prints."""
    wide = max(map(len, commands.COMMANDS)) + 2
    lines = []
    for purpose, verbs in commands.GROUPS.items():
        lines += [f"{purpose}:"]
        lines += [f"  {name.ljust(wide)}{text}" for name, text in verbs.items()]
        lines += [""]
    return "\n".join(
        [
            "usage: hookpm COMMAND [OPTION...]",
            "",
            "A package manager for hook packs of coding agents.",
            "",
            *lines,
            "`hookpm COMMAND --help` shows a command's options; `hookpm --version` the version.",
            "Exit codes: 0 done; 1 no, or not whole; 2 refused command line; 3 could not.",
        ]
    )
