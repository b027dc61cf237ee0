"""Options that several commands share, and the way a change is shown, asked about and made."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

from hookpm.cli import output
from hookpm.errors import NotFoundError, RefusedError, UsageError

if TYPE_CHECKING:
    from hookpm.project.profiles.profileref import Reference
    from hookpm.project.root import Root
    from hookpm.project.state import State
    from hookpm.project.work import Prepared

_QUESTION = "Go on? [y/N] "
_USER = "your home folder instead of a project: packs for every project of yours"


def add_project(parser: argparse.ArgumentParser, user: str = _USER) -> None:
    """--root, --user and --json. user: the text of --user, SUPPRESS where a command refuses it."""
    place = parser.add_mutually_exclusive_group()
    place.add_argument(
        "--root", type=Path, metavar="DIR", help="the project's folder (default: found upward)"
    )
    place.add_argument(
        "--user",
        action="store_true",
        help=user,
    )
    parser.add_argument("--json", action="store_true", help="print one JSON document")


def add_agents(parser: argparse.ArgumentParser, text: str) -> None:
    """--agent NAME, repeatable. text: what it does with that agent."""
    parser.add_argument(
        "--agent",
        action="append",
        default=[],
        metavar="NAME",
        dest="agents",
        help=f"{text}; repeatable",
    )


def add_change(parser: argparse.ArgumentParser, user: str = _USER) -> None:
    """--dry-run, --yes, -q, -v and the project's options (user: see `add_project`)."""
    add_project(parser, user)
    parser.add_argument(
        "--dry-run", action="store_true", help="change nothing; show a diff of every file"
    )
    parser.add_argument("-y", "--yes", action="store_true", help="do not ask")
    parser.add_argument(
        "--follow-links",
        action="store_true",
        help="write agents' files also where a link leads out of the project",
    )
    parser.add_argument("-q", "--quiet", action="store_true", help="say only what is wrong")
    parser.add_argument("-v", "--verbose", action="store_true", help="name every file")
    add_network(parser)


def add_network(parser: argparse.ArgumentParser) -> None:
    """--offline."""
    parser.add_argument(
        "--offline", action="store_true", help="no network: only what is in the cache"
    )


def add_local(parser: argparse.ArgumentParser) -> None:
    """--local."""
    parser.add_argument(
        "--local",
        action="store_true",
        help="for this checkout alone: nothing that git sees (what is installed here keeps to what "
        "it was installed with)",
    )


def add_gaps(parser: argparse.ArgumentParser) -> None:
    """--allow-gaps."""
    parser.add_argument(
        "--allow-gaps",
        action="store_true",
        help="go on although an agent cannot do what a pack needs",
    )


def origin(source: str, ref: str | None, commit: str | None) -> str:
    """Where a pack came from, in words: of a git repository with what was asked for and what it
    is."""
    if ref is None or commit is None:
        return source
    kind, _, name = ref.partition(":")
    asked = {"head": "default branch, ", "rev": ""}.get(kind, f"{kind} {name}, ")
    return f"{source} ({asked}{commit[:12]})"


def of_git(ref: str | None, commit: str | None) -> dict[str, str | None]:
    """The keys that a pack from git has in a document beside all others."""
    return {} if commit is None else {"ref": ref, "commit": commit}


def of_profile(now: State, pack: str) -> dict[str, str]:
    """The key that a pack has in a document where a profile brings it."""
    source = now.profile_of(pack)
    return {} if source is None else {"profile": source}


def find_root(options: argparse.Namespace) -> Root:
    """The project root; said on stderr when it is not the folder the user stands in.

    In the home folder, which is no project, a command that only looks is about user scope.
    """
    from hookpm.project import root

    looks = not hasattr(options, "dry_run") and options.root is None
    if looks and not options.user and root.is_users_home(Path.cwd()):
        output.say("user scope: your home folder is no project")
        options.user = True
    if options.user:
        return root.of_user()
    found = root.find(Path.cwd(), options.root)
    if found.path != Path.cwd().resolve() and options.root is None:
        output.say(f"project: {found.path} ({found.why})")
    return found


def scope_of(options: argparse.Namespace) -> str | None:
    """The scope that the command line asks for; None = what the lock says."""
    local: bool = getattr(options, "local", False)
    if local and options.user:
        raise UsageError("--local is about a checkout, --user about your home folder: not both")
    return "user" if options.user else "local" if local else None


def refuse_user(options: argparse.Namespace) -> None:
    """Raise UsageError for --user where a command has no meaning for it."""
    if options.user:
        raise UsageError(
            f"`hookpm {options.command}` is about a project: there is no --user for it",
            hint="`hookpm install PACK --user` makes what it needs in your home folder",
        )


def profiles(options: argparse.Namespace, root: Path) -> list[Reference]:
    """The profiles of --profile; folders are relative to the current one. Raises UsageError."""
    if not options.profiles:
        return []
    from hookpm.project.profiles import profile

    return [profile.typed(text, root, Path.cwd()) for text in options.profiles]


@contextmanager
def project_lock(root: Path, dry: bool) -> Iterator[bool]:
    """Hold the project's lock for a change, and first finish what a killed run left.

    Yields whether there was something to finish.
    """
    from hookpm.project.writing import locking, pending, transaction

    if dry:
        if pending.is_complete(root):
            output.say("note: an earlier run was stopped half-way; the next run completes it first")
        yield False
        return
    with locking.locked(root, lambda: output.say("waiting for another hookpm to finish ...")):
        done = transaction.recover(root)
        if done:
            output.say(f"note: {done}")
        yield done is not None


def change(
    options: argparse.Namespace,
    root: Root,
    prepare: Callable[[], Prepared],
    show: Callable[[Prepared], None] | None = None,
) -> int:
    """Prepare a change, show it, ask where there is a terminal, make it, report it.

    While the question waits the project is not locked; what is then written is just what was shown.
    show: prints what the question is about, in place of what a change says by itself.
    """
    from hookpm.cli import report
    from hookpm.project import work

    asks = not (options.yes or options.json) and on_terminal()
    shown: Prepared | None = None
    while True:
        with project_lock(root.path, options.dry_run) as recovered:
            try:
                prepared = prepare()
            except NotFoundError as error:
                if recovered and options.command in ("uninstall", "sync") and _is_bare(root.path):
                    return report.all_gone(root.path, options.json, error)
                raise
            if options.dry_run:
                return report.dry_run(prepared, options.json)
            agreed = shown is not None and same(shown, prepared)
            if shown is not None and not agreed:
                output.say("note: what would be written has changed meanwhile; here it is again")
            if not agreed:
                show(prepared) if show else report.before(prepared, options, asks)
            if agreed or not asks or not prepared.changed:
                proofs = work.carry_out(prepared)
                return report.after(prepared, proofs, options)
        ask(prepared)
        shown = prepared


def same(shown: Prepared, prepared: Prepared) -> bool:
    """Would just that be written which was shown?"""
    return shown.plan.changes == prepared.plan.changes


def ask(prepared: Prepared) -> None:
    """Show what would run, and ask. Raises RefusedError for anything but a yes."""
    from hookpm.cli import report

    answer = answered("Go on? [y/N], or f to read the new files first: ")
    while answer in ("f", "files"):
        report.review_files(prepared)
        answer = answered(_QUESTION)
    if answer not in ("y", "yes"):
        raise RefusedError("nothing was changed")


def _is_bare(root: Path) -> bool:
    """Is nothing installed? After a finished uninstall there is nothing left to do."""
    from hookpm.project import state

    return not state.load(root).lock.packs


def on_terminal() -> bool:
    """Can the user be asked?"""
    streams = (sys.stdin, sys.stderr)  # None where it was closed before we were started
    return all(stream is not None and stream.isatty() for stream in streams)


def agrees() -> bool:
    """Does the user say yes?"""
    return answered(_QUESTION) in ("y", "yes")


def answered(question: str) -> str:
    """The user's answer on the terminal, in lower case; "" for the end of input or Ctrl-C."""
    try:
        print(question, end="", file=sys.stderr, flush=True)
        _wait_for_input()
        return sys.stdin.readline().strip().lower()
    except KeyboardInterrupt:
        print(file=sys.stderr)
        return ""


def _wait_for_input() -> None:
    """Wait for a line in steps: a Ctrl-C just before one long read would not end that."""
    from select import select

    try:
        while not select([sys.stdin], [], [], 0.5)[0]:
            pass
    except (OSError, ValueError):
        return  # a system whose terminals cannot be waited for
