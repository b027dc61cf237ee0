"""The user bridge: wired once in the user's own config, it serves whatever project one is in.

Vendored, and copied to the user's data folder. It finds the project from where the agent was
started, never from the payload's cwd, which follows the model's `cd`. It runs hooks only of a
project that the user allowed and that is byte for byte as it was then, and it runs the copy that
was made then: a clone runs nothing by being opened, and nothing can change after the check.
"""

import posix

from hookpm.bridge import callers
from hookpm.bridge.event import Event, read_file, translation
from hookpm.bridge.main import finish, is_canary, read_payload, run_hooks
from hookpm.bridge.userfiles import (
    FOLDER,
    LOCK,
    UnsafeError,
    allowed_projects,
    is_as_allowed,
    key,
    physical,
    read_config,
    text,
)
from hookpm.contract.jsontext import JsonError, loads

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

FOR_THE_MODEL = (
    "hookpm: the hooks of this project do not run, because the user has not allowed them as they "
    "are now. Say so to the user, who alone may decide about it."
)
_PLAIN = frozenset("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789/._-+@%")


def main(agent: str, name: str, here: str, cache: "str | None", data: bytes, start: str) -> int:
    """As main.main. start: the agent's project folder, "." where it names none."""
    event = Event(agent, name, here, cache, data)
    answer(event, start)
    return finish(event)


def answer(event: Event, start: str) -> None:
    """Answer one event."""
    readable = read_payload(event)
    event.translate = translation(event.wired)
    if readable and not event.translate.recognises(event.payload):
        callers.settle(event)  # whoever calls is answered in its own form
    if readable:
        event.calls = event.translate.to_claude(event.name, event.payload)
        if is_canary(event):
            from hookpm.bridge import canary

            canary.answer(event, "the user bridge")
            return
    here, wrong = _start_folder(event, start), ""
    try:
        allowed = allowed_projects()
    except UnsafeError as error:
        allowed, wrong = {}, str(error)
    projects = _projects(here, allowed)
    if not projects or _stands_down(event, here, projects[0], allowed):
        return
    for folder in projects:
        problem = _place(event, folder, allowed, wrong)
        if not problem:
            break
        event.problems.append(problem)
    else:  # nothing to run, something to say
        _tell(event)
        return
    if readable:
        run_hooks(event)
    else:
        from hookpm.bridge import judge

        judge.unreadable_input(event)


def _tell(event: Event) -> None:
    """Tell the user why nothing runs, once a session. Where the agent shows him nothing of a
    hook's, the model is to tell it, and not how to change it."""
    from hookpm.bridge import judge, reply
    from hookpm.contract.answer import Answer

    supported = event.translate.SUPPORTED
    if any("systemMessage" in words for words in supported.values()):
        judge.answer(event)
        return
    notes, said = reply.Notes(event), Answer()
    for problem in event.problems:
        notes.add(problem)
    hears = "additionalContext" in supported.get(event.name, ())
    if hears and notes.memory().tell_once("user bridge"):
        said.contexts.append(FOR_THE_MODEL)
        notes.memory().save()
    reply.send(event, [], said, notes)


def _start_folder(event: Event, start: str) -> bytes:
    """Where the agent was started, without links; b"" where that folder is gone.

    An agent whose hooks run elsewhere, and that has no variable for it, names it in its payload.
    """
    named = getattr(event.translate, "started_in", None)
    start = (named(event.payload) if named else "") or start
    try:
        return physical(start.encode("utf-8" if named else _encoding(), "surrogateescape"))
    except (OSError, ValueError):  # ValueError: a NUL in the name
        return b""


def _encoding() -> str:
    import sys

    return sys.getfilesystemencoding()


def _projects(start: bytes, allowed: "dict[str, Any]") -> "list[bytes]":
    """The projects from `start` upward, nearest first. One that was allowed is one even without its
    lock: who removes that is not to switch the hooks off in silence.

    The home folder and all above it are nobody's project, unless the agent was started there. What
    user scope put there is no project either: a line of its own runs it.
    """
    found = []
    folder = start
    home = _home() if start else b""
    while folder and (folder != home or (folder == start and not _is_user_scope(home))):
        if _exists(folder + LOCK) or key(folder) in allowed:
            found.append(folder)
        folder = folder.rpartition(b"/")[0]
    return found


def _home() -> bytes:
    try:
        return physical(posix.environ.get(b"HOME") or b"/")
    except OSError:
        return b""


def _is_user_scope(home: bytes) -> bool:
    try:
        packs: "Any" = loads(
            read_file(text(home + FOLDER) + "/packs.json").decode("utf-8", "replace")
        )
        return bool(packs.get("scope") == "user")
    except (OSError, JsonError, AttributeError):
        return False


def _exists(path: bytes) -> bool:
    try:
        posix.stat(path)
        return True
    except OSError:
        return False


def _stands_down(event: Event, start: bytes, nearest: bytes, allowed: "dict[str, Any]") -> bool:
    """Does the project's own wiring of the agent that calls answer this event anyway?

    It does where the agent was started in the project's root, its config holds the line, and the
    agent was not told to leave that config out. Which line that is, the allowed copy knows; a
    project that is not allowed can only keep us silent.
    """
    if start != nearest:
        return False
    event.root = text(nearest)
    entry = allowed.get(key(nearest))
    event.here = event.root + text(FOLDER) if entry is None else _kept(event, entry)[1]
    if not callers.wired_itself(event, event.agent, read_config):
        return False
    skips = getattr(event.translate, "skips_project", None)
    return skips is None or not any(skips(arguments) for arguments in _ancestors())


def _ancestors() -> "list[list[str]]":
    """The command lines of the shell that runs our line, the agent, and what started that. Only
    Linux shows them so; elsewhere [], and a start option of the agent is not seen."""
    found = []
    process = posix.getppid()
    try:
        for _ in range(4):
            folder = "/proc/" + str(process)
            line = read_file(folder + "/cmdline").decode("utf-8", "replace")
            found.append(line.split("\0"))
            status = read_file(folder + "/stat").decode("utf-8", "replace")
            process = int(status.rpartition(")")[2].split()[1])
    except (OSError, ValueError, IndexError):
        pass
    return found


def _place(event: Event, folder: bytes, allowed: "dict[str, Any]", wrong: str) -> str:
    """Point the event to the project's allowed copy; "" or why nothing of the project runs."""
    event.root = text(folder)
    name = key(folder)
    entry = allowed.get(name)
    if entry is None:
        why = "not allowed on this machine" + (" (" + wrong + ")" if wrong else "")
        return _told(name, why)
    kept, event.here = _kept(event, entry)
    try:
        if is_as_allowed(folder, kept):
            return ""
        why = "they are not what you allowed"
    except UnsafeError as error:
        why = "they are not what you allowed: " + str(error)
    mark = str(entry.get("sha256"))[:8] if isinstance(entry, dict) else ""
    return _told(name, why + " (" + mark + ")")


def _told(name: str, why: str) -> str:
    """What the user is told. The name comes from whoever made the folder, and the command is there
    to be copied into a shell."""
    shown = "".join([c if c.isprintable() else "?" for c in name])
    if shown != name:
        command = "hookpm allow, in that folder"
    elif _PLAIN.issuperset(name):
        command = "hookpm allow " + name
    else:
        command = "hookpm allow '" + name.replace("'", "'\\''") + "'"
    return "the hooks of " + shown + " do not run: " + why + "; look at them, then run: " + command


def _kept(event: Event, entry: "Any") -> "tuple[str, str]":
    """The folder of the allowed copy, and `.agents/hookpm` in it."""
    digest = str(entry.get("sha256")) if isinstance(entry, dict) else ""
    if not digest.isalnum():
        digest = "unknown"
    kept = event.code.rpartition("/")[0] + "/allowed/" + digest
    return kept, kept + text(FOLDER)
