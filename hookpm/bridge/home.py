"""User scope: the packs in the user's own `.agents`, which run in every project.

Vendored. The bridge lies in the home folder and is started by a line in the user's own config. Its
hooks, packs and options are those beside it; the project is the agent's, and the hooks are told so.
Where the project has packs too, its own line runs them: both are asked, and a denial of either
holds, for every agent lets one of several hooks deny.
"""

import posix

from hookpm.bridge.event import Event
from hookpm.bridge.main import answer_call, find_translation, finish, read_payload
from hookpm.bridge.userfiles import physical, text


def main(
    agent: str,
    name: str,
    here: str,
    cache: "str | None",
    data: bytes,
    start: str,
    mark: str,  # noqa: ARG001
) -> int:
    """As main.main. start: the agent's project folder, "." where it names none."""
    # What is remembered of a session is remembered apart: the project's bridge has the same name
    # for it.
    event = Event(agent, name, here, cache and cache + "/home", data)
    event.base = event.root
    _answer(event, start)
    return finish(event)


def _answer(event: Event, start: str) -> None:
    readable = read_payload(event)
    if not find_translation(event):
        return
    event.root = _project(event, start)
    if not readable:
        from hookpm.bridge import judge

        judge.unreadable_input(event)
        return
    answer_call(event)


def _project(event: Event, start: str) -> str:
    """The agent's project: what it names; where it names none, the checkout that it works in.

    An agent that runs a user's hooks in a folder of its own names the project in its payload, and
    its hooks are to run there.
    """
    named = getattr(event.translate, "started_in", None)
    told = named(event.payload) if named and event.payload else ""
    if told:
        try:
            posix.chdir(told)
        except (OSError, ValueError):  # ValueError: a NUL in the name
            told = ""
    return told or (start if start != "." else text(_checkout(posix.getcwdb())))


def _checkout(folder: bytes) -> bytes:
    """The nearest folder upward with `.git`, else the folder itself; the home is nobody's."""
    try:
        home = physical(posix.environ.get(b"HOME") or b"/")
    except OSError:
        home = b""
    at = folder
    while at and at != home:
        try:
            posix.stat(at + b"/.git")
            return at
        except OSError:
            at = at.rpartition(b"/")[0]
    return folder
