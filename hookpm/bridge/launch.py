"""The bridge's start: an agent runs `python3 -I -S bridge.py AGENT EVENT` for every wired event.

Vendored as `.agents/hookpm/bridge.py`. This file is compiled anew on every call and has to be
readable for any Python, so it only checks the version and hands over to modules that are cached.
Exit code is 0, or the one that a line asked for (answer.REFUSED): an agent reads 2 as a block, and
some read anything else as one.
"""

import sys

TOO_OLD = (
    '{"systemMessage": "hookpm: python3 is older than 3.8 here, '
    'so the hooks of this project do not run"}'
)
SHOWS_MESSAGES = ("claude", "codex", "gemini", "opencode", "pi")


def cache_folder(environment):
    # type: (dict[bytes, bytes]) -> str | None
    """The user's cache folder of hookpm, or None where there is no home. A relative one would lie
    in whatever folder the agent works in, so it does not count."""
    base = environment.get(b"XDG_CACHE_HOME") or b""
    if not base.startswith(b"/"):
        home = environment.get(b"HOME") or b""
        base = home + b"/.cache" if home.startswith(b"/") else b""
    return base.decode(sys.getfilesystemencoding(), "surrogateescape") + "/hookpm" if base else None


def launch(taken):
    # type: (list[bytes]) -> None
    """Make the modules beside this file importable as `hookpm`, and run the bridge.

    taken: gets the agent's input. On Windows (untested) `nt` stands in for `posix`.
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
    for name in ("", "/bridge", "/contract", "/agents", "/agents/" + sys.argv[1]):
        package = type(sys)(("hookpm" + name).replace("/", "."))  # spares looking for __init__.py
        package.__path__ = [here + name]
        sys.modules[package.__name__] = package
    from hookpm.bridge.main import main, take_input

    taken.append(take_input())
    code = main(sys.argv[1], sys.argv[2], here, cache, taken[0], *sys.argv[3:4])
    posix._exit(code)  # skips the interpreter's tidying up, which nobody waits for


def fail(error, taken):
    # type: (Exception, list[bytes]) -> None
    """Say on stderr, and where the agent shows it, that the bridge itself is broken."""
    text = "hookpm: the bridge is broken, so no hook ran: %s: %s" % (type(error).__name__, error)
    try:
        from hookpm.bridge.failing import tell
    except Exception:
        sys.stderr.write(text + "\n")
    else:
        tell(text, "".join(sys.argv[1:2]) in SHOWS_MESSAGES and "SessionEnd" not in sys.argv, taken)


if __name__ == "__main__":
    if sys.version_info < (3, 8):
        if sys.argv[1:2] and sys.argv[1] in SHOWS_MESSAGES:
            sys.stdout.write(TOO_OLD + "\n")
        sys.exit(0)
    taken = []  # type: list[bytes]
    try:
        launch(taken)
    except Exception as error:
        fail(error, taken)
    sys.exit(0)
