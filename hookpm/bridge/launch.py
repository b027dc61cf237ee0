"""The bridge's start: an agent runs `python3 -I -S bridge.py AGENT EVENT` for every wired event.

Vendored as `.agents/hookpm/bridge.py`. This file is compiled anew on every call and has to be
readable for any Python, so it only checks the version, takes the input and hands over to modules
that are cached. Exit code is always 0: an agent reads 2 as a block, and some read anything else
as one. On Windows (untested) `nt` stands in for `posix`.
"""

import sys

TYPE_CHECKING = False
if TYPE_CHECKING:
    import types  # noqa: F401 (named in comments: Python 2 reads no other hints)
    from collections.abc import Mapping  # noqa: F401

TOO_OLD = (
    '{"systemMessage": "hookpm: python3 is older than 3.8 here, '
    'so the hooks of this project do not run"}'
)
SHOWS_MESSAGES = ("claude", "codex", "gemini", "opencode", "pi")


def cache_folder(environment):
    # type: (Mapping[bytes, bytes]) -> str | None
    """The user's cache folder of hookpm, or None where there is no home. A relative one would lie
    in whatever folder the agent works in, so it does not count."""
    base = environment.get(b"XDG_CACHE_HOME") or b""
    if not base.startswith(b"/"):
        home = environment.get(b"HOME") or b""
        base = home + b"/.cache" if home.startswith(b"/") else b""
    return base.decode(sys.getfilesystemencoding(), "surrogateescape") + "/hookpm" if base else None


def take_input(posix):
    # type: (types.ModuleType) -> bytes
    """All of stdin. A closed stdin, stdout or stderr becomes the null device first, lest a file or
    pipe of ours takes its number."""
    null = "nul" if posix.__name__ == "nt" else "/dev/null"
    handle = 0
    while handle <= 2:
        handle = posix.open(null, posix.O_RDWR)
    posix.close(handle)
    pieces = []  # type: list[bytes]
    while True:
        try:
            piece = posix.read(0, 1 << 20)
        except BlockingIOError:
            posix.set_blocking(0, True)
            continue
        except OSError:  # a folder, or open for writing only: nothing to read
            piece = b""
        if not piece:
            return b"".join(pieces)
        pieces.append(piece)


def launch(taken):
    # type: (list[bytes]) -> None
    """Make the modules beside this file importable as `hookpm`, and run the bridge.

    taken: gets the input, for the case that what follows is broken.
    """
    try:
        import posix
    except ImportError:
        sys.modules["posix"] = __import__("nt")
        import posix
    here = sys.argv[0].replace("\\", "/") if posix.__name__ == "nt" else sys.argv[0]
    here = here.rpartition("/")[0] or "."
    if not here.startswith("/") and here[1:2] != ":":
        here = posix.getcwd() + "/" + here
    cache = cache_folder(posix.environ)
    if cache:
        sys.pycache_prefix = cache + "/pycache"  # what lies in the repo is hashed: no caches there
    else:
        sys.dont_write_bytecode = True
    taken.append(take_input(posix))
    for name in ("", "/bridge", "/contract", "/agents", "/agents/" + sys.argv[1]):
        package = type(sys)(("hookpm" + name).replace("/", "."))  # spares looking for __init__.py
        package.__path__ = [here + name]
        sys.modules[package.__name__] = package
    from hookpm.bridge.main import main

    main(sys.argv[1], sys.argv[2], here, cache, taken[0])
    posix._exit(0)  # skips the interpreter's tidying up, which nobody waits for


def fail(error, data):
    # type: (Exception, bytes) -> None
    """Say on stderr, and once a session where the agent shows it, that the bridge is broken."""
    import json
    import os

    agent = "".join(sys.argv[1:2])
    event = "".join(sys.argv[2:3])
    text = "hookpm: the bridge is broken, so no hook ran: %s: %s" % (type(error).__name__, error)
    out = b""
    if agent in SHOWS_MESSAGES and event != "SessionEnd" and is_news(data):
        out = json.dumps({"systemMessage": text[:500]}).encode("ascii") + b"\n"
    for handle, words in ((2, (text + "\n").encode("utf-8", "replace")), (1, out)):
        try:
            os.write(handle, words)
        except OSError:
            pass
    os._exit(0)


def is_news(data):
    # type: (bytes) -> bool
    """Has this session not been told yet? In doubt it is told. data: the agent's input."""
    import hashlib
    import json
    import os

    try:
        payload = json.loads(data.decode("utf-8", "replace"))
        session = payload.get("session_id") or payload.get("sessionId")
        folder = cache_folder(os.environb) if session else None
        if not folder:
            return True
        mark = hashlib.sha256(str(session).encode("utf-8", "replace")).hexdigest()[:32]
        os.makedirs(folder + "/sessions", 0o700, exist_ok=True)
        path = folder + "/sessions/broken-" + mark
        os.close(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600))
    except FileExistsError:
        return False
    except Exception:
        return True
    return True


if __name__ == "__main__":
    if sys.version_info < (3, 8):
        if sys.argv[1:2] and sys.argv[1] in SHOWS_MESSAGES:
            sys.stdout.write(TOO_OLD + "\n")
        sys.exit(0)
    taken = []  # type: list[bytes]
    try:
        launch(taken)
    except Exception as error:
        fail(error, b"".join(taken))
